//! The workloads that fork. Their definitions are in README.md.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::sleep;

use rayon::{join, ThreadPool};

use crate::{render, splitmix, submit, timed, uts, Kept, LEAF_TIME};

/// Prepares a workload's input, runs it, and renders its result, if it is one of these.
pub fn run(kept: &mut Kept, name: &str, pool: &ThreadPool, size: u64) -> Option<String> {
    Some(match name {
        "fib" => render(timed(pool, || fib(size))),
        "tree" => {
            let tree = kept.get(format!("tree {}", size), || Tree::build(1, size));
            render(timed(pool, || tree.sum()))
        }
        "uts" => {
            let tree = if size == 1 { uts::Tree::t1() } else { uts::Tree::t3() };
            render(timed(pool, || uts::count(&tree, &tree.root())))
        }
        "queens" => render(timed(pool, || queens((1 << size) - 1, 0, 0, 0))),
        "integrate" => {
            let x = size as f64;
            let (ns, area) = timed(pool, || integrate(0.0, integrand(0.0), x, integrand(x)));
            render((ns, format!("{:.6}", area)))
        }
        "sort" => {
            let mut a: Vec<i64> = (0..size).map(|i| splitmix(1, i) as i64).collect();
            // A vector of zeros would get its pages during the run.
            let mut buffer = a.clone();
            let (ns, ()) = timed(pool, || merge_sort(&mut a, &mut buffer, false));
            let digest = |sum: u64, (i, &x)| sum.wrapping_add(u64::wrapping_mul(i, x as u64));
            render((ns, (0..).zip(&a).fold(0, digest)))
        }
        "matmul" => {
            let mut m = Matrices::new(size as usize);
            let (ns, ()) = timed(pool, || m.multiply());
            render((ns, m.c.iter().sum::<f64>() as i64))
        }
        "submit" => {
            let ran = AtomicU64::new(0);
            let ns = submit(pool, size, || _ = ran.fetch_add(1, Relaxed));
            render((ns, ran.into_inner()))
        }
        _ => return fill(name, pool, size),
    })
}

/// The same without forks, where that is measured.
pub fn plain(kept: &mut Kept, name: &str, size: u64) -> Option<String> {
    (name == "tree").then(|| {
        let tree = kept.get(format!("tree {}", size), || Tree::build(1, size));
        let begin = std::time::Instant::now();
        let sum = tree.plain_sum();
        render((begin.elapsed().as_nanos(), sum))
    })
}

fn leaf() {
    sleep(LEAF_TIME);
}

/// Runs leaves that sleep. The result is how many there were.
fn fill(name: &str, pool: &ThreadPool, leaves: u64) -> Option<String> {
    if !name.starts_with("fill-") {
        return None;
    }
    let ran = AtomicU64::new(0);
    let counted = || {
        leaf();
        ran.fetch_add(1, Relaxed);
    };
    // So that the workers sleep, as far as anybody can know from outside.
    sleep(5 * LEAF_TIME);
    let (ns, n) = match name {
        // A fork has no handle, but the spine joins nothing before all are forked.
        "fill-flat" | "fill-spine" => timed(pool, || fill_spine(leaves)),
        "fill-tree" => timed(pool, || sum_each(0..leaves as usize, &|_| (leaf(), 1).1)),
        "fill-scope" => {
            let spawn = || rayon::scope(|s| (0..leaves).for_each(|_| s.spawn(|_| counted())));
            (timed(pool, spawn).0, ran.into_inner())
        }
        "fill-submit" => (submit(pool, leaves, counted), ran.into_inner()),
        _ => return None,
    };
    Some(render((ns, n)))
}

/// Walks a list and forks a leaf at each node but the last, whose leaf it runs itself.
fn fill_spine(leaves: u64) -> u64 {
    if leaves == 1 {
        leaf();
        return 1;
    }
    let (rest, ()) = join(|| fill_spine(leaves - 1), leaf);
    rest + 1
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

    fn plain_sum(&self) -> u64 {
        match &self.children {
            None => self.value,
            Some((left, right)) => left.plain_sum() + self.value + right.plain_sum(),
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

/// Sorts `a`, with a buffer of the same length, which has the result if `to_buffer`.
/// The halves leave theirs on the other side, so merging them copies nothing.
fn merge_sort(a: &mut [i64], buffer: &mut [i64], to_buffer: bool) {
    const CUTOFF: usize = 4096;
    if a.len() <= CUTOFF {
        sort_plainly(a, buffer, to_buffer);
        return;
    }
    let middle = a.len() / 2;
    let (a1, a2) = a.split_at_mut(middle);
    let (buffer1, buffer2) = buffer.split_at_mut(middle);
    join(|| merge_sort(a1, buffer1, !to_buffer), || merge_sort(a2, buffer2, !to_buffer));
    if to_buffer {
        merge(a1, a2, buffer);
    } else {
        merge(buffer1, buffer2, a);
    }
}

/// The same without forks; very short slices by insertion. None of this is left to
/// the library, for every language has another.
fn sort_plainly(a: &mut [i64], buffer: &mut [i64], to_buffer: bool) {
    const CUTOFF: usize = 24;
    if a.len() <= CUTOFF {
        if to_buffer {
            buffer.copy_from_slice(a);
        }
        insertion_sort(if to_buffer { buffer } else { a });
        return;
    }
    let (a1, a2) = a.split_at_mut(a.len() / 2);
    let (buffer1, buffer2) = buffer.split_at_mut(a1.len());
    sort_plainly(a1, buffer1, !to_buffer);
    sort_plainly(a2, buffer2, !to_buffer);
    if to_buffer {
        merge_plainly(a1, a2, buffer);
    } else {
        merge_plainly(buffer1, buffer2, a);
    }
}

fn insertion_sort(a: &mut [i64]) {
    for i in 1..a.len() {
        let x = a[i];
        let mut j = i;
        while j > 0 && a[j - 1] > x {
            a[j] = a[j - 1];
            j -= 1;
        }
        a[j] = x;
    }
}

/// Merges sorted slices. A long merge is split at the middle of the longer one, and
/// where the value there belongs in the other.
fn merge(x: &[i64], y: &[i64], out: &mut [i64]) {
    const CUTOFF: usize = 131_072;
    if out.len() <= CUTOFF {
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

/// Moves the least and the greatest of what is left at each step. No branch depends
/// on the values, for every second one would be predicted wrongly. Each step waits
/// for the one before at the same end, so two ends take half the time.
fn merge_plainly(mut x: &[i64], mut y: &[i64], mut out: &mut [i64]) {
    while !x.is_empty() && !y.is_empty() {
        // No more than n elements of either slice are among the n least, nor among
        // the n greatest, so no step finds one empty.
        let n = x.len().min(y.len());
        let (low, rest) = out.split_at_mut(n);
        let (middle, high) = rest.split_at_mut(rest.len() - n);
        let (mut i, mut j) = (0, 0);
        let (mut p, mut q) = (x.len(), y.len());
        for (low, high) in low.iter_mut().zip(high.iter_mut().rev()) {
            let (a, b) = (x[i], y[j]);
            *low = a.min(b);
            let second = usize::from(b < a);
            i += 1 - second;
            j += second;

            let (a, b) = (x[p - 1], y[q - 1]);
            *high = a.max(b);
            let first = usize::from(b < a);
            p -= first;
            q -= 1 - first;
        }
        x = &x[i..p];
        y = &y[j..q];
        out = middle;
    }
    let (head, tail) = out.split_at_mut(x.len());
    head.copy_from_slice(x);
    tail.copy_from_slice(y);
}

/// n×n matrices by rows.
struct Matrices {
    n: usize,
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
}

/// Where the result goes. Leaves of `multiply` write to it side by side.
struct Result(*mut f64);

// SAFETY: every element is written by the one leaf whose block it is in.
unsafe impl Sync for Result {}

/// A block of the result.
type Block = (Range<usize>, Range<usize>);

impl Matrices {
    fn new(n: usize) -> Matrices {
        let fill = |value: fn(usize, usize) -> usize, minus: f64| {
            (0..n * n).map(|at| value(at / n, at % n) as f64 - minus).collect()
        };
        Matrices {
            n,
            a: fill(|i, j| (i * 7 + j * 3) % 11, 5.0),
            b: fill(|i, j| (i * 5 + j * 2) % 13, 6.0),
            c: vec![0.0; n * n],
        }
    }

    /// Computes c = a·b.
    fn multiply(&mut self) {
        let c = Result(self.c.as_mut_ptr());
        self.multiply_block(&c, (0..self.n, 0..self.n));
    }

    fn multiply_block(&self, c: &Result, (rows, columns): Block) {
        const SMALLEST: usize = 64;
        let halves =
            |r: &Range<usize>| (r.start..r.start + r.len() / 2, r.start + r.len() / 2..r.end);
        if rows.len() <= SMALLEST && columns.len() <= SMALLEST {
            return self.multiply_leaf(c, (rows, columns));
        }
        let (first, second) = if rows.len() >= columns.len() {
            let (upper, lower) = halves(&rows);
            ((upper, columns.clone()), (lower, columns))
        } else {
            let (left, right) = halves(&columns);
            ((rows.clone(), left), (rows, right))
        };
        join(|| self.multiply_block(c, first), || self.multiply_block(c, second));
    }

    fn multiply_leaf(&self, c: &Result, (rows, columns): Block) {
        let n = self.n;
        for i in rows {
            // SAFETY: the block is within the n×n elements, and no other leaf's.
            let c = unsafe {
                std::slice::from_raw_parts_mut(c.0.add(i * n + columns.start), columns.len())
            };
            let a = &self.a[i * n..][..n];
            let row = |k: usize| &self.b[k * n + columns.start..][..columns.len()];
            // Four rows of b at once, so as to load and store c less often.
            for k in (0..n / 4 * 4).step_by(4) {
                let (b0, b1, b2, b3) = (row(k), row(k + 1), row(k + 2), row(k + 3));
                for j in 0..columns.len() {
                    c[j] += a[k] * b0[j] + a[k + 1] * b1[j] + a[k + 2] * b2[j] + a[k + 3] * b3[j];
                }
            }
            for k in n / 4 * 4..n {
                for (c, b) in c.iter_mut().zip(row(k)) {
                    *c += a[k] * b;
                }
            }
        }
    }
}
