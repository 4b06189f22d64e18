//! The workloads par-… but sorts. Their definitions are in README.md.

use rayon::prelude::*;
use rayon::ThreadPool;

use crate::{digest, render, timed, Kept};

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

/// Times what writes numbers to `out`, and digests these.
fn written(
    pool: &ThreadPool,
    mut out: Vec<u64>,
    write: impl FnOnce(&mut Vec<u64>) + Send,
) -> String {
    let (ns, ()) = timed(pool, || write(&mut out));
    render((ns, digest(out.into_iter())))
}

/// Prepares a workload's input, runs it, and renders its result, if it is one of these.
pub fn run(kept: &mut Kept, name: &str, pool: &ThreadPool, size: u64) -> Option<String> {
    let n = size as usize;
    Some(match name {
        "par-for" => written(pool, vec![0; n], |out| {
            out.par_iter_mut().enumerate().for_each(|(i, x)| *x = step(i as u64))
        }),
        "par-range" => {
            let part = |m| (0..n).map(|i| (i % m) as f64).collect();
            let (b, c): &(Vec<f64>, Vec<f64>) =
                kept.get(format!("triad {}", n), || (part(1000), part(7)));
            // A vector of zeros would get its pages during the run.
            let mut out = b.clone();
            let triad = |((a, b), c): ((&mut f64, &f64), &f64)| *a = b + 3.0 * c;
            let (ns, ()) = timed(pool, || out.par_iter_mut().zip(b).zip(c).for_each(triad));
            render((ns, digest(out.iter().map(|&x| x as u64))))
        }
        "par-map" => {
            let all = kept.numbers(size);
            written(pool, vec![], |out| *out = all.par_iter().map(|&x| step(x)).collect())
        }
        "par-filter" => {
            let all = kept.numbers(size).par_iter().copied();
            written(pool, vec![], |out| *out = all.filter(|x| x & 1 == 1).collect())
        }
        "par-reduce" => {
            let all = kept.numbers(size);
            render(timed(pool, || all.par_iter().copied().reduce(|| 0, u64::wrapping_add)))
        }
        "par-sum" => {
            let all = kept.numbers(size);
            render(timed(pool, || all.par_iter().sum::<u64>()))
        }
        "par-mandelbrot" => {
            let side = (size as f64).sqrt().round() as usize;
            written(pool, vec![0; side * side], |out| {
                out.par_chunks_mut(side).enumerate().for_each(|(i, to)| points(side, i, to))
            })
        }
        _ => return None,
    })
}
