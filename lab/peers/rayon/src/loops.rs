//! The workloads par-… but sorts. Their definitions are in README.md.

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

    fn points(side: usize, i: usize, to: &mut [u64]) {
        let y = 3.0 * i as f64 / side as f64 - 1.5;
        for (j, to) in to.iter_mut().enumerate() {
            *to = escape(3.0 * j as f64 / side as f64 - 2.0, y);
        }
    }
}

fn escape(cx: f64, cy: f64) -> u64 {
    let (mut x, mut y) = (0.0, 0.0);
    for steps in 0..200 {
        let (xx, yy) = (x * x, y * y);
        if xx + yy > 4.0 {
            return steps;
        }
        y = 2.0 * x * y + cy;
        x = xx - yy + cx;
    }
    200
}

/// Times what writes numbers to `out`, and digests these.
fn written<T: Send>(
    pool: &ThreadPool,
    mut out: Vec<T>,
    number: impl Fn(T) -> u64,
    write: impl FnOnce(&mut Vec<T>) + Send,
) -> String {
    let (ns, ()) = timed(pool, || write(&mut out));
    let add = |sum: u64, (i, x): (u64, T)| sum.wrapping_add(i.wrapping_mul(number(x)));
    render((ns, (1..).zip(out).fold(0, add)))
}

fn root(n: u64) -> usize {
    (n as f64).sqrt().round() as usize
}

/// Prepares a workload's input, runs it, and renders its result, if it is one of these.
pub fn run(kept: &mut Kept, name: &str, pool: &ThreadPool, size: u64) -> Option<String> {
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
        "par-find-start" | "par-find-none" => {
            let at = if name == "par-find-start" { 0 } else { n };
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
        "par-mandelbrot" => {
            let side = root(size);
            written(pool, vec![0; side * side], u64::from, |out| {
                out.par_chunks_mut(side).enumerate().for_each(|(i, to)| points(side, i, to))
            })
        }
        _ => return None,
    })
}
