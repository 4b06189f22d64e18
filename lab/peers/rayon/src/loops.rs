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

/// Marks what Go calls by a function value, which Go does not inline. With the feature "called"
/// it is called here, too, so that libraries are compared and not compilers.
#[macro_export]
macro_rules! bodies {
    ($($f:item)*) => { $(#[cfg_attr(feature = "called", inline(never))] $f)* };
}

bodies! {
    fn put_step(i: usize, to: &mut u64) { *to = step(i as u64) }

    fn step_of(x: u64) -> u64 { step(x) }

    fn odd(x: u64) -> bool { x & 1 == 1 }

    fn add(a: u64, b: u64) -> u64 { a.wrapping_add(b) }

    fn not_zero(x: u64) -> bool { x != 0 }

    fn bucket(x: u64, buckets: usize) -> usize { ((x >> 32) * buckets as u64 >> 32) as usize }

    fn first_fails(i: u64) -> Result<(), ()> { if i == 0 { Err(()) } else { Ok(()) } }

    /// LLVM would take several steps of a linear generator at once.
    fn put_steps(i: usize, steps: &[u32], to: &mut u64) {
        let mut x = i as u64 + 1;
        for _ in 0..steps[i] {
            x = (x ^ x >> 32).wrapping_mul(6364136223846793005);
        }
        *to = x;
    }
}

/// Times what writes numbers to `out`, and digests these.
pub fn written<T: Send>(
    pool: &ThreadPool,
    mut out: Vec<T>,
    number: impl Fn(T) -> u64,
    write: impl FnOnce(&mut Vec<T>) + Send,
) -> String {
    let (ns, ()) = timed(pool, || write(&mut out));
    let add = |sum: u64, (i, x): (u64, T)| sum.wrapping_add(i.wrapping_mul(number(x)));
    render((ns, (1..).zip(out).fold(0, add)))
}

pub fn root(n: u64) -> usize {
    (n as f64).sqrt().round() as usize
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
        "par-for" => written(pool, vec![0; n], u64::from, |out| {
            out.par_iter_mut().enumerate().for_each(|(i, x)| put_step(i, x))
        }),
        "par-nested" => {
            let side = root(size);
            let row = |(i, row): (usize, &mut [u64])| {
                row.par_iter_mut().enumerate().for_each(|(j, x)| put_step(i * side + j, x))
            };
            written(pool, vec![0; side * side], u64::from, |out| {
                out.par_chunks_mut(side).enumerate().for_each(row)
            })
        }
        "par-range" => {
            let part = |m| (0..n).map(|i| (i % m) as f64).collect();
            let (b, c): &(Vec<f64>, Vec<f64>) =
                kept.get(format!("triad {}", n), || (part(1000), part(7)));
            let triad = |((a, b), c): ((&mut f64, &f64), &f64)| *a = b + 3.0 * c;
            // A vector of zeros would get its pages during the run.
            written(
                pool,
                b.clone(),
                |x| x as u64,
                |a| a.par_iter_mut().zip(b).zip(c).for_each(triad),
            )
        }
        "par-map" => {
            let all = kept.numbers(size);
            let step = |&x: &u64| step_of(x);
            written(pool, vec![], u64::from, |out| *out = all.par_iter().map(step).collect())
        }
        "par-mapinto" => {
            let all = kept.numbers(size);
            written(pool, all.clone(), u64::from, |out| {
                out.par_iter_mut().zip(all).for_each(|(to, &x)| *to = step_of(x))
            })
        }
        "par-filter" => {
            let all = kept.numbers(size).par_iter().copied();
            written(pool, vec![], u64::from, |out| *out = all.filter(|&x| odd(x)).collect())
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
            written(pool, vec![], u64::from, |counts| {
                *counts = all.par_iter().fold(none, count).reduce(none, merge)
            })
        }
        "par-error" => {
            let (ns, result) = timed(pool, || (0..size).into_par_iter().try_for_each(first_fails));
            render((ns, u64::from(result.is_err())))
        }
        _ => sweep(kept, name.strip_prefix("sweep-")?, pool, size, grain)?,
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

fn sweep(kept: &mut Kept, name: &str, pool: &ThreadPool, n: u64, grain: u64) -> Option<String> {
    let (body, shape) = name.split_once('-')?;
    let average = match body {
        "1ns" => 1,
        "100ns" => 75,
        "10us" => 7500,
        _ => return None,
    };
    let steps = kept.get(format!("sweep {} {}", name, n), || steps(n, average, shape));
    let body = |(i, to): (usize, &mut u64)| put_steps(i, steps, to);
    Some(written(pool, vec![0; n as usize], u64::from, |out| {
        let all = out.par_iter_mut().enumerate();
        match grain {
            0 => all.for_each(body),
            grain => all.with_min_len(grain as usize).for_each(body),
        }
    }))
}
