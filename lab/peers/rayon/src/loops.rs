//! The workloads par-… and sweep-…, with Rayon and without. Their definitions are in
//! README.md.

use std::any::Any;
use std::cmp::Ordering;
use std::hint::black_box;

use rayon::prelude::*;
use rayon::ThreadPool;

use crate::kernels;
use crate::timed;
use crate::workloads::random_number;

/// The least work that a loop can have: about a nanosecond.
#[inline]
fn step(x: u64) -> u64 {
    x.wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407)
}

// What is marked with the feature "called" Go calls by a function value, which Go does
// not inline. With that feature it is called here, too, so that libraries are
// compared and not compilers.

#[cfg_attr(feature = "called", inline(never))]
fn put_step(i: usize, to: &mut u64) {
    *to = step(i as u64)
}

#[cfg_attr(feature = "called", inline(never))]
fn step_of(x: u64) -> u64 {
    step(x)
}

#[cfg_attr(feature = "called", inline(never))]
fn odd(x: u64) -> bool {
    x & 1 == 1
}

#[cfg_attr(feature = "called", inline(never))]
fn add(a: u64, b: u64) -> u64 {
    a.wrapping_add(b)
}

#[cfg_attr(feature = "called", inline(never))]
fn not_zero(x: u64) -> bool {
    x != 0
}

#[cfg_attr(feature = "called", inline(never))]
fn bucket(x: u64, buckets: usize) -> usize {
    ((x >> 32) * buckets as u64 >> 32) as usize
}

#[cfg_attr(feature = "called", inline(never))]
fn compare(x: &Pair, y: &Pair) -> Ordering {
    x.key.cmp(&y.key)
}

#[cfg_attr(feature = "called", inline(never))]
fn first_fails(i: u64) -> Result<(), ()> {
    if i == 0 {
        Err(())
    } else {
        Ok(())
    }
}

/// LLVM would take several steps of a linear generator at once.
#[cfg_attr(feature = "called", inline(never))]
fn put_steps(i: usize, steps: &[u32], to: &mut u64) {
    let mut x = i as u64 + 1;
    for _ in 0..steps[i] {
        x = (x ^ x >> 32).wrapping_mul(6364136223846793005);
    }
    *to = x;
}

pub fn splitmix(seed: u64, index: u64) -> u64 {
    let mut z = seed.wrapping_add((index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The inputs of sorts, by what follows a minus. Of random pairs about ten have each key.
fn sort_key(input: &str, i: u64, n: u64) -> u64 {
    match input {
        "-sorted" => i << 20,
        "-reverse" => (n - i) << 20,
        "-few" => splitmix(1, i) % 16 << 40,
        "-almost" if splitmix(1, 2 * i) % 100 == 0 => splitmix(1, 2 * i + 1) % n << 20,
        "-almost" => i << 20,
        "-exponential" => splitmix(1, 2 * i) >> (splitmix(1, 2 * i + 1) % 64),
        _ => splitmix(1, i),
    }
}

#[derive(Clone, Copy)]
struct Pair {
    key: i64,
    number: u64,
}

/// The last input, of whatever type: making it takes longer than most runs.
#[derive(Default)]
pub struct Kept {
    key: String,
    input: Option<Box<dyn Any>>,
}

impl Kept {
    pub fn get<T: 'static>(&mut self, key: String, make: impl FnOnce() -> T) -> &T {
        if self.key != key || self.input.is_none() {
            self.input = None;
            self.input = Some(Box::new(make()));
            self.key = key;
        }
        self.input.as_ref().unwrap().downcast_ref().unwrap()
    }

    fn numbers(&mut self, n: u64) -> &Vec<u64> {
        self.get(format!("random {}", n), || {
            (0..n).map(|i| random_number(i) as u64).collect()
        })
    }
}

pub fn digest(all: impl Iterator<Item = u64>) -> String {
    (1u64..)
        .zip(all)
        .fold(0u64, |sum, (i, x)| sum.wrapping_add(i.wrapping_mul(x)))
        .to_string()
}

/// Where a loop looks for the only number that is not 0.
fn place(name: &str, n: usize) -> usize {
    match name {
        "par-find-start" => 0,
        "par-find-middle" => n / 2,
        "par-find-end" => n - 1,
        _ => n,
    }
}

/// Prepares a workload's input, runs it, and renders its result. Whoever has no pool runs
/// the plain loop. The grain, if not 0, is the least length of a piece of a sweep.
pub fn run(
    kept: &mut Kept,
    name: &str,
    pool: Option<&ThreadPool>,
    size: u64,
    grain: u64,
) -> (u128, String) {
    if name.starts_with("sweep-") {
        return sweep(kept, name, pool, size, grain);
    }
    let n = size as usize;
    match name {
        "par-for" => {
            let mut out = vec![0; n];
            let (ns, ()) = match pool {
                None => timed(None, || {
                    out.iter_mut().enumerate().for_each(|(i, x)| put_step(i, x))
                }),
                pool => timed(pool, || {
                    out.par_iter_mut()
                        .enumerate()
                        .for_each(|(i, x)| put_step(i, x))
                }),
            };
            (ns, digest(out.into_iter()))
        }
        "par-nested" => {
            let side = (size as f64).sqrt().round() as usize;
            let mut out = vec![0; side * side];
            let (ns, ()) = match pool {
                None => timed(None, || {
                    for i in 0..side {
                        for j in 0..side {
                            put_step(i * side + j, &mut out[i * side + j]);
                        }
                    }
                }),
                pool => timed(pool, || {
                    out.par_chunks_mut(side).enumerate().for_each(|(i, row)| {
                        row.par_iter_mut()
                            .enumerate()
                            .for_each(|(j, x)| put_step(i * side + j, x))
                    })
                }),
            };
            (ns, digest(out.into_iter()))
        }
        "par-range" => {
            let (b, c) = kept.get(format!("triad {}", n), || -> (Vec<f64>, Vec<f64>) {
                (
                    (0..n).map(|i| (i % 1000) as f64).collect(),
                    (0..n).map(|i| (i % 7) as f64).collect(),
                )
            });
            // A vector of zeros would get its pages during the run.
            let mut a = b.clone();
            let (ns, ()) = match pool {
                None => timed(None, || {
                    a.iter_mut()
                        .zip(b)
                        .zip(c)
                        .for_each(|((a, b), c)| *a = b + 3.0 * c)
                }),
                pool => timed(pool, || {
                    a.par_iter_mut()
                        .zip(b)
                        .zip(c)
                        .for_each(|((a, b), c)| *a = b + 3.0 * c)
                }),
            };
            (ns, digest(a.into_iter().map(|x| x as u64)))
        }
        "par-map" => {
            let all = kept.numbers(size);
            let (ns, out): (_, Vec<u64>) = match pool {
                None => timed(None, || all.iter().map(|&x| step_of(x)).collect()),
                pool => timed(pool, || all.par_iter().map(|&x| step_of(x)).collect()),
            };
            (ns, digest(out.into_iter()))
        }
        "par-mapinto" => {
            let all = kept.numbers(size);
            let mut out = all.clone();
            let (ns, ()) = match pool {
                None => timed(None, || {
                    out.iter_mut()
                        .zip(all)
                        .for_each(|(to, &x)| *to = step_of(x))
                }),
                pool => timed(pool, || {
                    out.par_iter_mut()
                        .zip(all)
                        .for_each(|(to, &x)| *to = step_of(x))
                }),
            };
            (ns, digest(out.into_iter()))
        }
        "par-filter" => {
            let all = kept.numbers(size);
            let (ns, out): (_, Vec<u64>) = match pool {
                None => timed(None, || all.iter().copied().filter(|&x| odd(x)).collect()),
                pool => timed(pool, || {
                    all.par_iter().copied().filter(|&x| odd(x)).collect()
                }),
            };
            (ns, digest(out.into_iter()))
        }
        "par-reduce" => {
            let all = kept.numbers(size);
            let (ns, sum) = match pool {
                None => timed(None, || all.iter().copied().fold(0, add)),
                pool => timed(pool, || all.par_iter().copied().reduce(|| 0, add)),
            };
            (ns, sum.to_string())
        }
        "par-sum" => {
            let all = kept.numbers(size);
            let (ns, sum) = match pool {
                None => timed(None, || all.iter().sum::<u64>()),
                pool => timed(pool, || all.par_iter().sum::<u64>()),
            };
            (ns, sum.to_string())
        }
        "par-min" => {
            let all = kept.numbers(size);
            let (ns, least) = match pool {
                None => timed(None, || all.iter().copied().min()),
                pool => timed(pool, || all.par_iter().copied().min()),
            };
            (ns, least.unwrap().to_string())
        }
        _ if name.starts_with("par-find-") => {
            let at = place(name, n);
            let all = kept.get(format!("find {} {}", at, n), || {
                let mut all = vec![0u64; n];
                all.iter_mut().skip(at).take(1).for_each(|x| *x = 1);
                all
            });
            let (ns, found) = match pool {
                None => timed(None, || all.iter().position(|&x| not_zero(x))),
                pool => timed(pool, || all.par_iter().position_first(|&x| not_zero(x))),
            };
            (ns.max(1), found.unwrap_or(n).to_string())
        }
        _ if name.starts_with("par-histogram-") => {
            let buckets = name["par-histogram-".len()..].parse::<usize>().unwrap();
            let all = kept.numbers(size);
            let count = |mut counts: Vec<u64>, &x: &u64| {
                counts[bucket(x, buckets)] += 1;
                counts
            };
            let none = || vec![0; buckets];
            let (ns, counts) = match pool {
                None => timed(None, || all.iter().fold(none(), count)),
                pool => timed(pool, || {
                    all.par_iter().fold(none, count).reduce(none, |mut a, b| {
                        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
                        a
                    })
                }),
            };
            (ns, digest(counts.into_iter()))
        }
        _ if name.starts_with("par-sort-int") => {
            let input = &name["par-sort-int".len()..];
            let mut a = kept
                .get(format!("ints {} {}", input, n), || -> Vec<i64> {
                    (0..size).map(|i| sort_key(input, i, size) as i64).collect()
                })
                .clone();
            let (ns, ()) = match pool {
                None => timed(None, || a.sort_unstable()),
                pool => timed(pool, || a.par_sort_unstable()),
            };
            let checksum = (0..).zip(&a).fold(0u64, |sum, (i, &x)| {
                sum.wrapping_add(u64::wrapping_mul(i, x as u64))
            });
            (ns, checked(a.windows(2).all(|w| w[0] <= w[1]), checksum))
        }
        _ if name.starts_with("par-sort-pairs") || name == "par-sort-key" => {
            let by_key = name == "par-sort-key";
            let input = if by_key {
                ""
            } else {
                &name["par-sort-pairs".len()..]
            };
            let mut a = kept
                .get(format!("pairs {} {}", input, n), || -> Vec<Pair> {
                    (0..size)
                        .map(|number| {
                            let key = sort_key(input, number, size);
                            let few = if input.is_empty() {
                                key % (size / 10).max(1)
                            } else {
                                key
                            };
                            Pair {
                                key: few as i64,
                                number,
                            }
                        })
                        .collect()
                })
                .clone();
            let (ns, ()) = match (pool, by_key) {
                (None, false) => timed(None, || a.sort_by(compare)),
                (None, true) => timed(None, || a.sort_by_key(|x| x.key)),
                (pool, false) => timed(pool, || a.par_sort_by(compare)),
                (pool, true) => timed(pool, || a.par_sort_by_key(|x| x.key)),
            };
            let sorted = a
                .windows(2)
                .all(|w| (w[0].key, w[0].number) < (w[1].key, w[1].number));
            let checksum = (1u64..).zip(&a).fold(0u64, |sum, (i, x)| {
                sum.wrapping_add(i.wrapping_mul(x.number))
            });
            (ns, checked(sorted, checksum))
        }
        "par-sort-strings" => {
            let all = kept.get(format!("strings {}", n), || -> Vec<String> {
                (0..size).map(letters).collect()
            });
            // What Go sorts is the place and the length of the letters, too.
            let mut a: Vec<&str> = all.iter().map(String::as_str).collect();
            let (ns, ()) = match pool {
                None => timed(None, || a.sort()),
                pool => timed(pool, || a.par_sort()),
            };
            let checksum = (1u64..).zip(&a).fold(0u64, |sum, (i, s)| {
                let hash = s.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, c| {
                    (hash ^ c as u64).wrapping_mul(0x100_0000_01b3)
                });
                sum.wrapping_add(i.wrapping_mul(hash))
            });
            (ns, checked(a.windows(2).all(|w| w[0] <= w[1]), checksum))
        }
        "par-error" => {
            let (ns, result) = match pool {
                None => timed(None, || (0..black_box(size)).try_for_each(first_fails)),
                pool => timed(pool, || (0..size).into_par_iter().try_for_each(first_fails)),
            };
            (ns.max(1), u64::from(result.is_err()).to_string())
        }
        _ => kernels::run(kept, name, pool, size),
    }
}

fn checked(sorted: bool, checksum: u64) -> String {
    if sorted {
        checksum.to_string()
    } else {
        "unsorted".to_string()
    }
}

fn letters(i: u64) -> String {
    (0..8 + splitmix(2, 4 * i) % 17)
        .map(|k| {
            let word = splitmix(2, 4 * i + 1 + k / 8);
            (b'a' + ((word >> (8 * (k % 8)) & 0xff) % 26) as u8) as char
        })
        .collect()
}

/// Which elements have how much of the work.
pub fn steps(n: u64, average: u64, shape: &str) -> Vec<u32> {
    let total = (n * average) as f64;
    match shape {
        "first" => {
            let mut all = vec![(total / 2.0 / (n - 1).max(1) as f64) as u32; n as usize];
            all[0] = (total / 2.0) as u32;
            all
        }
        "power" => {
            let sum = (0..n).fold(0.0, |sum, k| sum + 1.0 / (k + 1) as f64);
            (0..n)
                .map(|i| (total / sum / (i * 7919 % n + 1) as f64) as u32)
                .collect()
        }
        _ => vec![average as u32; n as usize],
    }
}

fn sweep(
    kept: &mut Kept,
    name: &str,
    pool: Option<&ThreadPool>,
    n: u64,
    grain: u64,
) -> (u128, String) {
    let mut words = name.split('-').skip(1);
    let average = match words.next() {
        Some("1ns") => 1,
        Some("100ns") => 75,
        _ => 7500,
    };
    let shape = words.next().unwrap_or("");
    let steps = kept.get(format!("{} {}", name, n), || steps(n, average, shape));
    let mut out = vec![0u64; n as usize];
    let body = |(i, to): (usize, &mut u64)| put_steps(i, steps, to);
    let (ns, ()) = match (pool, grain) {
        (None, _) => timed(None, || out.iter_mut().enumerate().for_each(body)),
        (pool, 0) => timed(pool, || out.par_iter_mut().enumerate().for_each(body)),
        (pool, grain) => timed(pool, || {
            out.par_iter_mut()
                .enumerate()
                .with_min_len(grain as usize)
                .for_each(body)
        }),
    };
    (ns.max(1), digest(out.into_iter()))
}
