//! The inner loops of programs. Their definitions are in README.md.

use rayon::prelude::*;
use rayon::ThreadPool;

use crate::loops::{root, steps, written};
use crate::{bodies, splitmix, Kept};

/// Runs a body for each piece of so many elements.
fn each<T: Send>(to: &mut [T], piece: usize, body: impl Fn(usize, &mut [T]) + Sync) {
    to.par_chunks_mut(piece).enumerate().for_each(|(i, to)| body(i, to));
}

fn unit(i: u64) -> f64 {
    (splitmix(1, i) >> 11) as f64 / (1u64 << 53) as f64
}

struct Matrix {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    x: Vec<f64>,
}

impl Matrix {
    fn new(n: u64) -> Matrix {
        let mut starts = vec![0];
        for length in steps(n, 10, "power") {
            starts.push(starts[starts.len() - 1] + length as usize);
        }
        let entries = 0..starts[n as usize] as u64;
        Matrix {
            starts,
            columns: entries.clone().map(|k| (splitmix(2, k) % n) as u32).collect(),
            values: entries.map(unit).collect(),
            x: (n..2 * n).map(unit).collect(),
        }
    }
}

/// Prepares a workload's input, runs it, and renders its result, if it is one of these.
pub fn run(kept: &mut Kept, name: &str, pool: &ThreadPool, size: u64) -> Option<String> {
    let side = root(size);
    Some(match name {
        "par-mandelbrot" => written(pool, vec![0; side * side], u64::from, |out| {
            each(out, side, |i, to| points(side, i, to))
        }),
        "par-nbody" => {
            let body = |i| [unit(3 * i), unit(3 * i + 1), unit(3 * i + 2)];
            let all: &Vec<[f64; 3]> =
                kept.get(format!("bodies {}", side), || (0..side as u64).map(body).collect());
            written(pool, vec![0.0; 3 * side], f64::to_bits, |out| {
                each(out, 3, |i, to| attract(all, i, to))
            })
        }
        "par-life" => {
            let now: Vec<u8> =
                (0..(side * side) as u64).map(|i| splitmix(1, i) as u8 & 1).collect();
            let mut next = now.clone();
            written(pool, now, u64::from, |now| {
                for _ in 0..100 {
                    each(&mut next, side, |i, to| cells(side, &now[..], i, to));
                    std::mem::swap(now, &mut next);
                }
            })
        }
        "par-sparse" => {
            let matrix = kept.get(format!("sparse {}", size), || Matrix::new(size));
            written(pool, vec![0.0; size as usize], f64::to_bits, |out| {
                each(out, 1, |i, to| product(matrix, i, to))
            })
        }
        _ => return None,
    })
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

bodies! {
    fn points(side: usize, i: usize, to: &mut [u64]) {
        let y = 3.0 * i as f64 / side as f64 - 1.5;
        for (j, to) in to.iter_mut().enumerate() {
            *to = escape(3.0 * j as f64 / side as f64 - 2.0, y);
        }
    }

    fn attract(all: &[[f64; 3]], i: usize, to: &mut [f64]) {
        let here = all[i];
        let mut sum = [0.0; 3];
        for b in all {
            let (dx, dy, dz) = (b[0] - here[0], b[1] - here[1], b[2] - here[2]);
            let d = dx * dx + dy * dy + dz * dz + 1e-9;
            let f = 1.0 / (d * d.sqrt());
            sum[0] += dx * f;
            sum[1] += dy * f;
            sum[2] += dz * f;
        }
        to.copy_from_slice(&sum);
    }

    fn cells(n: usize, now: &[u8], i: usize, to: &mut [u8]) {
        let row = |i: usize| &now[i % n * n..][..n];
        let (above, row, below) = (row(i + n - 1), row(i), row(i + 1));
        for (j, to) in to.iter_mut().enumerate() {
            let l = if j == 0 { n - 1 } else { j - 1 };
            let r = if j + 1 == n { 0 } else { j + 1 };
            let around =
                above[l] + above[j] + above[r] + row[l] + row[r] + below[l] + below[j] + below[r];
            *to = u8::from(around == 3 || around == 2 && row[j] == 1);
        }
    }

    fn product(m: &Matrix, i: usize, to: &mut [f64]) {
        let entries = m.starts[i]..m.starts[i + 1];
        to[0] = m.columns[entries.clone()]
            .iter()
            .zip(&m.values[entries])
            .fold(0.0, |sum, (&column, value)| sum + value * m.x[column as usize]);
    }
}
