//! What the workloads need of an implementation of fork-join, Rayon, and two
//! implementations that need no workers.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

pub trait Fork {
    /// Runs both; `forked` may run on another worker.
    fn join<A: Send, B: Send>(
        here: impl FnOnce() -> A + Send,
        forked: impl FnOnce() -> B + Send,
    ) -> (A, B);

    /// Sums `f` over a range, with one fork for each number but one.
    fn sum_each(range: Range<usize>, f: &(impl Fn(usize) -> u64 + Sync)) -> u64 {
        match range.len() {
            0 => 0,
            1 => f(range.start),
            n => {
                let middle = range.start + n / 2;
                let (a, b) = Self::join(
                    || Self::sum_each(range.start..middle, f),
                    || Self::sum_each(middle..range.end, f),
                );
                a + b
            }
        }
    }
}

pub struct Rayon;

impl Fork for Rayon {
    fn join<A: Send, B: Send>(
        here: impl FnOnce() -> A + Send,
        forked: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        rayon::join(here, forked)
    }
}

/// The same code without forks: what the forks are compared with.
pub struct Plain;

impl Fork for Plain {
    fn join<A: Send, B: Send>(
        here: impl FnOnce() -> A + Send,
        forked: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        (here(), forked())
    }

    fn sum_each(range: Range<usize>, f: &(impl Fn(usize) -> u64 + Sync)) -> u64 {
        range.map(f).sum()
    }
}

/// Counts the forks of a workload, apart from any measurement, so that counting
/// costs the measured code nothing.
pub struct Counting;

pub static FORKS: AtomicU64 = AtomicU64::new(0);

impl Fork for Counting {
    fn join<A: Send, B: Send>(
        here: impl FnOnce() -> A + Send,
        forked: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        // Only one thread counts.
        FORKS.store(FORKS.load(Relaxed) + 1, Relaxed);
        (here(), forked())
    }
}
