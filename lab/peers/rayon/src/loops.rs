//! The workloads par-… and sweep-… but sorts and the inner loops of programs. Their
//! definitions are in README.md.

use rayon::prelude::*;
use rayon::ThreadPool;

use crate::{render, timed, Kept};

/// The least work that a loop can have: about a nanosecond.
#[inline]
fn step(x: u64) -> u64 {
    x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407)
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

pub fn digest(all: impl Iterator<Item = u64>) -> String {
    let add = |sum: u64, (i, x): (u64, u64)| sum.wrapping_add(i.wrapping_mul(x));
    (1u64..).zip(all).fold(0, add).to_string()
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

/// Prepares a workload's input, runs it, and renders its result, if it is one of these. The
/// grain, if not 0, is the least length of a piece of a sweep.
pub fn run(
    kept: &mut Kept,
    name: &str,
    pool: &ThreadPool,
    size: u64,
    grain: u64,
) -> Option<String> {
    let n = size as usize;
    Some(match name {
        "par-for" => {
            let mut out = vec![0; n];
            let each = || out.par_iter_mut().enumerate().for_each(|(i, x)| put_step(i, x));
            let (ns, ()) = timed(pool, each);
            render((ns, digest(out.into_iter())))
        }
        "par-nested" => {
            let side = (size as f64).sqrt().round() as usize;
            let mut out = vec![0; side * side];
            let row = |(i, row): (usize, &mut [u64])| {
                row.par_iter_mut().enumerate().for_each(|(j, x)| put_step(i * side + j, x))
            };
            let (ns, ()) = timed(pool, || out.par_chunks_mut(side).enumerate().for_each(row));
            render((ns, digest(out.into_iter())))
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
            let triad = |((a, b), c): ((&mut f64, &f64), &f64)| *a = b + 3.0 * c;
            let (ns, ()) = timed(pool, || a.par_iter_mut().zip(b).zip(c).for_each(triad));
            render((ns, digest(a.into_iter().map(|x| x as u64))))
        }
        "par-map" => {
            let all = kept.numbers(size);
            let (ns, out): (_, Vec<u64>) =
                timed(pool, || all.par_iter().map(|&x| step_of(x)).collect());
            render((ns, digest(out.into_iter())))
        }
        "par-mapinto" => {
            let all = kept.numbers(size);
            let mut out = all.clone();
            let each = || out.par_iter_mut().zip(all).for_each(|(to, &x)| *to = step_of(x));
            let (ns, ()) = timed(pool, each);
            render((ns, digest(out.into_iter())))
        }
        "par-filter" => {
            let all = kept.numbers(size);
            let (ns, out): (_, Vec<u64>) =
                timed(pool, || all.par_iter().copied().filter(|&x| odd(x)).collect());
            render((ns, digest(out.into_iter())))
        }
        "par-reduce" => {
            let all = kept.numbers(size);
            render(timed(pool, || all.par_iter().copied().reduce(|| 0, add)))
        }
        "par-sum" => {
            let all = kept.numbers(size);
            render(timed(pool, || all.par_iter().sum::<u64>()))
        }
        "par-min" => {
            let all = kept.numbers(size);
            render(timed(pool, || all.par_iter().copied().min().unwrap()))
        }
        "par-find-start" | "par-find-middle" | "par-find-end" | "par-find-none" => {
            let at = place(name, n);
            let all = kept.get(format!("find {} {}", at, n), || {
                let mut all = vec![0u64; n];
                all.iter_mut().skip(at).take(1).for_each(|x| *x = 1);
                all
            });
            let find = || all.par_iter().position_first(|&x| not_zero(x));
            let (ns, found) = timed(pool, find);
            render((ns, found.unwrap_or(n)))
        }
        "par-histogram-256" | "par-histogram-100000" => {
            let buckets = name["par-histogram-".len()..].parse().unwrap();
            let all = kept.numbers(size);
            let count = |mut counts: Vec<u64>, &x: &u64| {
                counts[bucket(x, buckets)] += 1;
                counts
            };
            let merge = |mut a: Vec<u64>, b: Vec<u64>| {
                a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
                a
            };
            let none = || vec![0; buckets];
            let (ns, counts) = timed(pool, || all.par_iter().fold(none, count).reduce(none, merge));
            render((ns, digest(counts.into_iter())))
        }
        "par-error" => {
            let (ns, result) = timed(pool, || (0..size).into_par_iter().try_for_each(first_fails));
            render((ns, u64::from(result.is_err())))
        }
        _ if name.starts_with("sweep-") => render(sweep(kept, name, pool, size, grain)?),
        _ => return None,
    })
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
            (0..n).map(|i| (total / sum / (i * 7919 % n + 1) as f64) as u32).collect()
        }
        _ => vec![average as u32; n as usize],
    }
}

fn sweep(
    kept: &mut Kept,
    name: &str,
    pool: &ThreadPool,
    n: u64,
    grain: u64,
) -> Option<(u128, String)> {
    let (body, shape) = name["sweep-".len()..].split_once('-')?;
    let average = match body {
        "1ns" => 1,
        "100ns" => 75,
        "10us" => 7500,
        _ => return None,
    };
    let steps = kept.get(format!("{} {}", name, n), || steps(n, average, shape));
    let mut out = vec![0u64; n as usize];
    let body = |(i, to): (usize, &mut u64)| put_steps(i, steps, to);
    let (ns, ()) = timed(pool, || {
        let all = out.par_iter_mut().enumerate();
        match grain {
            0 => all.for_each(body),
            grain => all.with_min_len(grain as usize).for_each(body),
        }
    });
    Some((ns, digest(out.into_iter())))
}
