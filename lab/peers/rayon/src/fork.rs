//! What the workloads need of an implementation of fork-join, Rayon, and two
//! implementations that need no workers.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

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

    /// Spawns the job n times, then waits for all.
    fn spawn_each(n: u64, job: &(impl Fn() + Sync));

    /// Sleeps as long as a leaf of the workloads fill-… does.
    fn leaf() {
        std::thread::sleep(LEAF_TIME);
    }

    /// Sleeps as long as another caller's job of late does.
    fn stranger() {
        std::thread::sleep(STRANGER_TIME);
    }
}

/// How long a leaf sleeps.
pub const LEAF_TIME: Duration = Duration::from_millis(2);

/// How long a job of another caller sleeps.
pub const STRANGER_TIME: Duration = Duration::from_millis(60);

pub struct Rayon;

impl Fork for Rayon {
    fn join<A: Send, B: Send>(
        here: impl FnOnce() -> A + Send,
        forked: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        rayon::join(here, forked)
    }

    fn spawn_each(n: u64, job: &(impl Fn() + Sync)) {
        rayon::scope(|scope| (0..n).for_each(|_| scope.spawn(|_| job())));
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

    fn spawn_each(n: u64, job: &(impl Fn() + Sync)) {
        (0..n).for_each(|_| job());
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
        FORKS.fetch_add(1, Relaxed);
        (here(), forked())
    }

    fn spawn_each(n: u64, job: &(impl Fn() + Sync)) {
        FORKS.fetch_add(n, Relaxed);
        Plain::spawn_each(n, job);
    }

    fn leaf() {}

    fn stranger() {}
}
