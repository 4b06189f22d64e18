//! The workloads that fork. Their definitions are in README.md.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::{join, ThreadPool};

use crate::{digest, numbers, submit, timed, uts, Run};

/// Prepares a workload, if it is one of these.
pub fn prepare<'a>(pool: &'a ThreadPool, name: &str, size: u64) -> Option<Run<'a>> {
    Some(match name {
        "fib" => Box::new(move || timed(pool, || fib(size))),
        "tree" => {
            let tree = Tree::build(1, size);
            Box::new(move || timed(pool, || tree.sum()))
        }
        "uts" => {
            let root = uts::Node::root(size);
            Box::new(move || timed(pool, || uts::count(&root)))
        }
        "sort" => {
            let input: Vec<i64> = numbers(size).into_iter().map(|x| x as i64).collect();
            Box::new(move || {
                let (mut a, mut other) = (input.clone(), input.clone());
                let (ns, ()) = timed(pool, || merge_sort(&mut a, &mut other));
                (ns, digest(a.iter().map(|&x| x as u64)))
            })
        }
        "submit" => Box::new(move || {
            let ran = AtomicU64::new(0);
            let ns = submit(pool, size, || _ = ran.fetch_add(1, Relaxed));
            (ns, ran.into_inner())
        }),
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
