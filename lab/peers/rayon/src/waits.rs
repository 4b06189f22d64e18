//! The workloads locks, late and beside: a job that holds a lock while it joins, a caller whose
//! joins wait beside other callers' jobs, and one that waits beside another caller's recursion.
//! Each ends when every fork is a thread. README.md defines them.

use std::sync::atomic::{AtomicU64, AtomicU8, Ordering::Relaxed};
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use rayon::{join, ThreadPool};

use crate::{forks::sum_each, render, splitmix, submit, timed};

/// Prepares a workload, runs it, and renders its result, if it is one of these.
pub fn run(name: &str, pool: &ThreadPool, size: u64) -> Option<String> {
    Some(match name {
        "locks" => {
            wake(pool);
            let batches = (0..size).map(|seed| locks(pool, seed));
            render(batches.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1)))
        }
        "late" => render(late(pool, size)),
        "beside" => beside(pool, Duration::from_micros(size)),
        _ => return None,
    })
}

/// Works for some microseconds, and returns a number below 2^32, so that no sum
/// of a graph's numbers overflows.
fn grind(x: u64) -> u64 {
    (0..1000).fold(x, |x, _| splitmix(1, x)) & 0xffff_ffff
}

/// Taken in the order of their numbers. Each guards a sum.
struct Locks([Mutex<u64>; 4]);

impl Locks {
    /// Holds a lock while it forks and joins jobs that take the next one.
    fn job(&self, level: usize, x: u64) -> u64 {
        let mut sum = self.0[level].lock().unwrap();
        let mut value = grind(x);
        *sum += value;
        if level + 1 < self.0.len() {
            value += sum_each(0..2, &|k| self.job(level + 1, 2 * x + k as u64));
        }
        value
    }
}

/// Runs 24 jobs. The result is what they return, and what the locks guard.
fn locks(pool: &ThreadPool, seed: u64) -> (u128, u64) {
    let locks = Locks([0; 4].map(Mutex::new));
    let (next, sum) = (AtomicU64::new(0), AtomicU64::new(0));
    let ns = submit(pool, 24, || {
        let i = next.fetch_add(1, Relaxed);
        let level = splitmix(1, 1000 * seed + i) % 4;
        sum.fetch_add(locks.job(level as usize, i), Relaxed);
    });
    let guarded = locks.0.map(|lock| lock.into_inner().unwrap());
    (ns, sum.into_inner() + guarded.iter().sum::<u64>())
}

/// Forks leaves by halving. Each keeps a processor busy for 50 µs, or what it has
/// of one. Returns how many there were.
fn busy_tree(leaves: u64) -> u64 {
    if leaves == 1 {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_micros(50) {}
        return 1;
    }
    let (a, b) = join(|| busy_tree(leaves - leaves / 2), || busy_tree(leaves / 2));
    a + b
}

/// Has every worker begin something, so that there are threads, and awake.
fn wake(pool: &ThreadPool) {
    timed(pool, || busy_tree(64));
}

/// Runs 64 leaves in the pool. As soon as these have begun, another thread queues
/// jobs that sleep for 60 ms each. Returns how many nanoseconds the leaves took,
/// and how many leaves and jobs there were.
fn late(pool: &ThreadPool, strangers: u64) -> (u128, u64) {
    wake(pool);
    let (begin, begun) = channel();
    thread::scope(|scope| {
        let other = scope.spawn(move || {
            begun.recv().unwrap();
            let (end, ended) = channel();
            for _ in 0..strangers {
                let end = end.clone();
                pool.spawn(move || {
                    thread::sleep(Duration::from_millis(60));
                    end.send(()).unwrap();
                });
            }
            drop(end);
            ended.iter().count() as u64
        });
        let (ns, leaves) = timed(pool, move || {
            begin.send(()).unwrap();
            busy_tree(64)
        });
        (ns, leaves + other.join().unwrap())
    })
}

// What a recursion is computed beside: requests from the time on when its workers share it, until
// it is OVER.
const OVER: u8 = 1;

/// Reaches the leaves of a tree of so many levels.
fn grow(phase: &AtomicU8, levels: u32) {
    if levels > 0 && phase.load(Relaxed) != OVER {
        join(|| grow(phase, levels - 1), || grow(phase, levels - 1));
    }
}

/// Sends requests that do nothing beside an endless recursion on all workers, at fixed times: one
/// that is late is sent at once. The recursion ends after two seconds if none has been answered.
fn beside(pool: &ThreadPool, every: Duration) -> String {
    const WHILE: Duration = Duration::from_millis(100);
    let phase = AtomicU8::new(0);
    let (answer, answered) = channel::<()>();
    thread::scope(|scope| {
        let phase = &phase;
        scope.spawn(move || timed(pool, || grow(phase, 60)));
        thread::sleep(WHILE / 2);
        scope.spawn(move || {
            if answered.recv_timeout(20 * WHILE) == Err(RecvTimeoutError::Timeout) {
                phase.store(OVER, Relaxed);
            }
        });
        let start = Instant::now();
        let (mut due, mut ran, mut requests) = (start, 0, Vec::new());
        while requests.is_empty() || start.elapsed() < WHILE {
            thread::sleep(due.saturating_duration_since(Instant::now()));
            requests.push(timed(pool, || ran += 1).0);
            due += every;
        }
        phase.store(OVER, Relaxed);
        drop(answer);
        let times: Vec<String> = requests.iter().map(u128::to_string).collect();
        format!("{} {}", requests.len() - ran, times.join(" "))
    })
}
