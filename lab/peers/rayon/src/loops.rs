//! The workloads par-…. Their definitions are in README.md.

use rayon::prelude::*;
use rayon::ThreadPool;

use crate::{digest, numbers, timed, Run};

/// The least work that a loop can have: about a nanosecond.
fn step(x: u64) -> u64 {
    x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407)
}

fn points(side: usize, i: usize, to: &mut [u64]) {
    let y = 3.0 * i as f64 / side as f64 - 1.5;
    for (j, to) in to.iter_mut().enumerate() {
        *to = escape(3.0 * j as f64 / side as f64 - 2.0, y);
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

#[derive(Clone, Copy)]
struct Pair {
    key: u64,
    number: u64,
}

/// Prepares a workload, if it is one of these.
pub fn prepare<'a>(pool: &'a ThreadPool, name: &str, size: u64) -> Option<Run<'a>> {
    // What writes numbers to some places, which `write` gets.
    fn written<'a>(
        pool: &'a ThreadPool,
        mut out: Vec<u64>,
        write: impl Fn(&mut [u64]) + Sync + 'a,
    ) -> Run<'a> {
        Box::new(move || {
            let (ns, ()) = timed(pool, || write(&mut out));
            (ns, digest(out.iter().copied()))
        })
    }
    // What sorts pairs.
    fn sorted<'a>(pool: &'a ThreadPool, n: u64, sort: impl Fn(&mut [Pair]) + Sync + 'a) -> Run<'a> {
        let pair = |(number, x): (u64, u64)| Pair { key: x % (n / 10).max(1), number };
        let pairs: Vec<Pair> = (0..).zip(numbers(n)).map(pair).collect();
        Box::new(move || {
            let mut a = pairs.clone();
            let (ns, ()) = timed(pool, || sort(&mut a));
            (ns, digest(a.iter().map(|x| x.number)))
        })
    }
    let n = size as usize;
    Some(match name {
        "par-for" => written(pool, vec![0; n], |out| {
            out.par_iter_mut().enumerate().for_each(|(i, x)| *x = step(i as u64))
        }),
        "par-range" => {
            let part = |m| -> Vec<f64> { (0..n).map(|i| (i % m) as f64).collect() };
            let (b, c) = (part(1000), part(7));
            // A vector of zeros would get its pages during the run.
            let mut out = b.clone();
            let triad = |((a, b), c): ((&mut f64, &f64), &f64)| *a = b + 3.0 * c;
            Box::new(move || {
                let write = || out.par_iter_mut().zip(&b).zip(&c).for_each(triad);
                let (ns, ()) = timed(pool, write);
                (ns, digest(out.iter().map(|&x| x as u64)))
            })
        }
        "par-reduce" => {
            let all = numbers(size);
            let sum = move || all.par_iter().copied().reduce(|| 0, u64::wrapping_add);
            Box::new(move || timed(pool, &sum))
        }
        "par-mandelbrot" => {
            let side = (size as f64).sqrt().round() as usize;
            written(pool, vec![0; side * side], move |out| {
                out.par_chunks_mut(side).enumerate().for_each(|(i, to)| points(side, i, to))
            })
        }
        "par-sort-int" => {
            let input: Vec<i64> = numbers(size).into_iter().map(|x| x as i64).collect();
            Box::new(move || {
                let mut a = input.clone();
                let (ns, ()) = timed(pool, || a.par_sort_unstable());
                (ns, digest(a.iter().map(|&x| x as u64)))
            })
        }
        "par-sort-pairs" => sorted(pool, size, |a| a.par_sort_by(|x, y| x.key.cmp(&y.key))),
        "par-sort-key" => sorted(pool, size, |a| a.par_sort_by_key(|x| x.key)),
        _ => return None,
    })
}
