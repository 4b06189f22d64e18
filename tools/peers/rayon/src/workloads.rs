//! The workloads, each written once for every implementation of `Fork`. Their
//! definitions are in README.md.

use crate::fork::Fork;

pub fn fib<P: Fork>(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (x, y) = P::join(|| fib::<P>(n - 1), || fib::<P>(n - 2));
    x + y
}

pub struct Tree {
    value: u64,
    children: Option<(Box<Tree>, Box<Tree>)>,
}

impl Tree {
    /// Allocates parents before their children, left before right.
    pub fn build(index: u64, levels: u64) -> Box<Tree> {
        let mut node = Box::new(Tree {
            value: index,
            children: None,
        });
        if levels > 1 {
            let left = Tree::build(2 * index, levels - 1);
            let right = Tree::build(2 * index + 1, levels - 1);
            node.children = Some((left, right));
        }
        node
    }

    pub fn sum<P: Fork>(&self) -> u64 {
        match &self.children {
            None => self.value,
            Some((left, right)) => {
                let (a, b) = P::join(|| left.sum::<P>(), || right.sum::<P>());
                a + self.value + b
            }
        }
    }
}

/// Counts the ways to fill the rows that are left. The masks say which columns
/// of the next row are taken, by a queen above or on a diagonal.
pub fn queens<P: Fork>(all: u32, columns: u32, left: u32, right: u32) -> u64 {
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
    P::sum_each(0..n, &|i| {
        let queen = places[i];
        queens::<P>(
            all,
            columns | queen,
            (left | queen) << 1,
            (right | queen) >> 1,
        )
    })
}

pub fn integrand(x: f64) -> f64 {
    (x * x + 1.0) * x
}

fn trapezoid(x1: f64, y1: f64, x2: f64, y2: f64) -> f64 {
    (y1 + y2) / 2.0 * (x2 - x1)
}

/// Cilk's: halve until the halves' area is that of the whole.
pub fn integrate<P: Fork>(x1: f64, y1: f64, x2: f64, y2: f64) -> f64 {
    const EPSILON: f64 = 1e-9;
    let x0 = x1 + (x2 - x1) / 2.0;
    let y0 = integrand(x0);
    let area = trapezoid(x1, y1, x0, y0) + trapezoid(x0, y0, x2, y2);
    if (area - trapezoid(x1, y1, x2, y2)).abs() < EPSILON {
        return area;
    }
    let (left, right) = P::join(
        || integrate::<P>(x1, y1, x0, y0),
        || integrate::<P>(x0, y0, x2, y2),
    );
    left + right
}

/// The index-th number of SplitMix64 with seed 1.
pub fn random_number(index: u64) -> i64 {
    let mut z = 1u64.wrapping_add((index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ z >> 31) as i64
}

pub fn merge_sort<P: Fork>(a: &mut [i64], buffer: &mut [i64]) {
    const CUTOFF: usize = 4096;
    if a.len() <= CUTOFF {
        a.sort_unstable();
        return;
    }
    let middle = a.len() / 2;
    let (left, right) = a.split_at_mut(middle);
    let (buffer, rest) = buffer.split_at_mut(middle);
    P::join(
        || merge_sort::<P>(left, buffer),
        || merge_sort::<P>(right, rest),
    );
    buffer.copy_from_slice(left);
    let (mut i, mut j, mut k) = (0, middle, 0);
    while i < middle {
        if j < a.len() && a[j] < buffer[i] {
            a[k] = a[j];
            j += 1;
        } else {
            a[k] = buffer[i];
            i += 1;
        }
        k += 1;
    }
}

/// n×n matrices by rows.
pub struct Matrices {
    n: usize,
    a: Vec<f64>,
    b: Vec<f64>,
    pub c: Vec<f64>,
}

/// Where the result goes. Leaves of `multiply` write to it side by side.
struct Result(*mut f64);

// SAFETY: every element is written by the one leaf whose block it is in.
unsafe impl Sync for Result {}

#[derive(Clone, Copy)]
struct Block {
    row: usize,
    rows: usize,
    column: usize,
    columns: usize,
}

impl Matrices {
    pub fn new(n: usize) -> Matrices {
        let fill = |value: fn(usize, usize) -> usize, minus: f64| {
            (0..n * n)
                .map(|at| value(at / n, at % n) as f64 - minus)
                .collect()
        };
        Matrices {
            n,
            a: fill(|i, j| (i * 7 + j * 3) % 11, 5.0),
            b: fill(|i, j| (i * 5 + j * 2) % 13, 6.0),
            c: vec![0.0; n * n],
        }
    }

    /// Computes c = a·b.
    pub fn multiply<P: Fork>(&mut self) {
        let c = Result(self.c.as_mut_ptr());
        let whole = Block {
            row: 0,
            rows: self.n,
            column: 0,
            columns: self.n,
        };
        self.multiply_block::<P>(&c, whole);
    }

    fn multiply_block<P: Fork>(&self, c: &Result, block: Block) {
        const SMALLEST: usize = 64;
        let Block {
            row,
            rows,
            column,
            columns,
        } = block;
        if rows <= SMALLEST && columns <= SMALLEST {
            self.multiply_leaf(c, block);
            return;
        }
        let (first, second) = if rows >= columns {
            let half = rows / 2;
            (
                Block {
                    rows: half,
                    ..block
                },
                Block {
                    row: row + half,
                    rows: rows - half,
                    ..block
                },
            )
        } else {
            let half = columns / 2;
            (
                Block {
                    columns: half,
                    ..block
                },
                Block {
                    column: column + half,
                    columns: columns - half,
                    ..block
                },
            )
        };
        P::join(
            || self.multiply_block::<P>(c, first),
            || self.multiply_block::<P>(c, second),
        );
    }

    fn multiply_leaf(&self, c: &Result, block: Block) {
        let n = self.n;
        for i in block.row..block.row + block.rows {
            // SAFETY: the block is within the n×n elements, and no other leaf's.
            let c = unsafe {
                std::slice::from_raw_parts_mut(c.0.add(i * n + block.column), block.columns)
            };
            for k in 0..n {
                let a = self.a[i * n + k];
                let b = &self.b[k * n + block.column..][..block.columns];
                for (c, b) in c.iter_mut().zip(b) {
                    *c += a * b;
                }
            }
        }
    }
}
