//! The workloads that fork. Their definitions are in README.md.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::{join, ThreadPool};

use crate::{digest, render, splitmix, submit, timed, uts, Kept};

/// Prepares a workload's input, runs it, and renders its result, if it is one of these.
pub fn run(kept: &mut Kept, name: &str, pool: &ThreadPool, size: u64) -> Option<String> {
    Some(match name {
        "fib" => render(timed(pool, || fib(size))),
        "tree" => {
            let tree = kept.get(format!("tree {}", size), || Tree::build(1, size));
            render(timed(pool, || tree.sum()))
        }
        "uts" => {
            let root = uts::Node::root(size);
            render(timed(pool, || uts::count(&root)))
        }
        "queens" => render(timed(pool, || queens((1 << size) - 1, 0, 0, 0))),
        "integrate" => {
            let x = size as f64;
            let (ns, area) = timed(pool, || integrate(0.0, integrand(0.0), x, integrand(x)));
            render((ns, area.to_bits()))
        }
        "sort" => {
            let mut a: Vec<i64> = (0..size).map(|i| splitmix(1, i) as i64).collect();
            let mut other = a.clone();
            let (ns, ()) = timed(pool, || merge_sort(&mut a, &mut other));
            render((ns, digest(a.iter().map(|&x| x as u64))))
        }
        "submit" => {
            let ran = AtomicU64::new(0);
            let ns = submit(pool, size, || _ = ran.fetch_add(1, Relaxed));
            render((ns, ran.into_inner()))
        }
        _ => return None,
    })
}

/// Sums `f` over a range, with one fork for each number but one.
pub fn sum_each(range: Range<usize>, f: &(impl Fn(usize) -> u64 + Sync)) -> u64 {
    match range.len() {
        0 => 0,
        1 => f(range.start),
        n => {
            let middle = range.start + n / 2;
            let (first, second) = (range.start..middle, middle..range.end);
            let (a, b) = join(|| sum_each(first, f), || sum_each(second, f));
            a + b
        }
    }
}

fn fib(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (x, y) = join(|| fib(n - 1), || fib(n - 2));
    x + y
}

struct Tree {
    value: u64,
    children: Option<(Box<Tree>, Box<Tree>)>,
}

impl Tree {
    /// Allocates parents before their children, left before right.
    fn build(index: u64, levels: u64) -> Box<Tree> {
        let mut node = Box::new(Tree { value: index, children: None });
        if levels > 1 {
            let left = Tree::build(2 * index, levels - 1);
            let right = Tree::build(2 * index + 1, levels - 1);
            node.children = Some((left, right));
        }
        node
    }

    fn sum(&self) -> u64 {
        match &self.children {
            None => self.value,
            Some((left, right)) => {
                let (a, b) = join(|| left.sum(), || right.sum());
                a + self.value + b
            }
        }
    }
}

/// Counts the ways to fill the rows that are left. The masks say which columns
/// of the next row are taken, by a queen above or on a diagonal.
fn queens(all: u32, columns: u32, left: u32, right: u32) -> u64 {
    if columns == all {
        return 1;
    }
    let mut places = [0; 32];
    let mut n = 0;
    let mut free = all & !(columns | left | right);
    while free != 0 {
        places[n] = free & free.wrapping_neg();
        free &= free - 1;
        n += 1;
    }
    sum_each(0..n, &|i| {
        let queen = places[i];
        queens(all, columns | queen, (left | queen) << 1, (right | queen) >> 1)
    })
}

fn integrand(x: f64) -> f64 {
    (x * x + 1.0) * x
}

fn trapezoid(x1: f64, y1: f64, x2: f64, y2: f64) -> f64 {
    (y1 + y2) / 2.0 * (x2 - x1)
}

/// Cilk's: halve until the halves' area is that of the whole.
fn integrate(x1: f64, y1: f64, x2: f64, y2: f64) -> f64 {
    const EPSILON: f64 = 1e-9;
    let x0 = x1 + (x2 - x1) / 2.0;
    let y0 = integrand(x0);
    let area = trapezoid(x1, y1, x0, y0) + trapezoid(x0, y0, x2, y2);
    if (area - trapezoid(x1, y1, x2, y2)).abs() < EPSILON {
        return area;
    }
    let (left, right) = join(|| integrate(x1, y1, x0, y0), || integrate(x0, y0, x2, y2));
    left + right
}

/// Sorts `a`. The other slice has the same elements, in the same order, so that the halves can
/// leave theirs there, and merging them copies nothing.
fn merge_sort(a: &mut [i64], other: &mut [i64]) {
    if a.len() <= 8192 {
        a.sort_unstable();
        return;
    }
    let middle = a.len() / 2;
    let (a1, a2) = a.split_at_mut(middle);
    let (other1, other2) = other.split_at_mut(middle);
    join(|| merge_sort(other1, a1), || merge_sort(other2, a2));
    merge(other1, other2, a);
}

/// Merges sorted slices. A long merge is split at the middle of the longer one, and
/// where the value there belongs in the other.
fn merge(x: &[i64], y: &[i64], out: &mut [i64]) {
    if out.len() <= 131_072 {
        merge_plainly(x, y, out);
        return;
    }
    let (x, y) = if x.len() < y.len() { (y, x) } else { (x, y) };
    let i = x.len() / 2;
    let j = y.partition_point(|&value| value < x[i]);
    let (x1, x2) = x.split_at(i);
    let (y1, y2) = y.split_at(j);
    let (out1, out2) = out.split_at_mut(i + j);
    join(|| merge(x1, y1, out1), || merge(x2, y2, out2));
}

/// Takes the lesser of both heads. No branch depends on the values, for every second one would be
/// predicted wrongly.
fn merge_plainly(mut x: &[i64], mut y: &[i64], mut out: &mut [i64]) {
    while !x.is_empty() && !y.is_empty() {
        // No slice is empty before as many steps as the shorter one has elements.
        let (low, rest) = out.split_at_mut(x.len().min(y.len()));
        let (mut i, mut j) = (0, 0);
        for to in low {
            let (a, b) = (x[i], y[j]);
            *to = a.min(b);
            let second = usize::from(b < a);
            i += 1 - second;
            j += second;
        }
        x = &x[i..];
        y = &y[j..];
        out = rest;
    }
    let (head, tail) = out.split_at_mut(x.len());
    head.copy_from_slice(x);
    tail.copy_from_slice(y);
}
