//! The workloads locks-once, locks-mutex, late and beside: a job that holds a lock
//! while it joins, a caller whose joins wait beside other callers' jobs, and one that
//! waits beside another caller's recursion. Each ends when every fork is a thread.
//! README.md defines them.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicU8, Ordering::Relaxed};
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::sync::{Mutex, Once};
use std::thread;
use std::time::{Duration, Instant};

use rayon::{join, ThreadPool};

use crate::{forks, splitmix, submit, timed};

/// How many forks and jobs from outside a run had.
static FORKS: AtomicU64 = AtomicU64::new(0);

/// Prepares a workload, runs it, and renders its result, if it is one of these.
pub fn run(name: &str, pool: &ThreadPool, size: u64) -> Option<String> {
    let (ns, result) = match name {
        "locks-once" => rounds(pool, size, locks_once),
        "locks-mutex" => rounds(pool, size, locks_mutex),
        "late" => late(pool, size),
        "beside" => return Some(beside(pool, size, Duration::from_millis(1))),
        "beside-busy" => return Some(beside(pool, size, Duration::ZERO)),
        _ => return None,
    };
    Some(format!("{} {} {}", ns, result, FORKS.load(Relaxed)))
}

/// Sums `f` over a range, with one fork for each number but one.
fn sum_each(range: Range<usize>, f: &(impl Fn(usize) -> u64 + Sync)) -> u64 {
    FORKS.fetch_add(range.len().max(1) as u64 - 1, Relaxed);
    forks::sum_each(range, f)
}

/// How many graphs or batches of jobs a run has: one takes less than a
/// millisecond, which is little time to hang in.
const ROUNDS: u64 = 20;

/// Works for some microseconds, and returns a number below 2^32, so that no sum
/// of a graph's numbers overflows.
fn grind(x: u64) -> u64 {
    (0..1000).fold(x, |x, _| splitmix(1, x)) & 0xffff_ffff
}

/// The k-th random number of a seed, k below 1000.
fn draw(seed: u64, k: u64) -> u64 {
    splitmix(1, 1000 * seed + k)
}

/// A graph of cells, each computed once, from cells with higher numbers.
struct OnceCells(Vec<Cell>);

struct Cell {
    once: Once,
    needs: Vec<usize>,
    /// Once is what orders the accesses.
    value: AtomicU64,
}

impl OnceCells {
    fn new(seed: u64) -> OnceCells {
        const CELLS: u64 = 60;
        let cell = |i| Cell {
            once: Once::new(),
            needs: match CELLS - 1 - i {
                0 => Vec::new(),
                above => (1..=draw(seed, 4 * i) % 4)
                    .map(|k| (i + 1 + draw(seed, 4 * i + k) % above) as usize)
                    .collect(),
            },
            value: AtomicU64::new(0),
        };
        OnceCells((0..CELLS).map(cell).collect())
    }

    /// Computes a cell, or waits until it is computed.
    fn get(&self, i: usize) -> u64 {
        let cell = &self.0[i];
        cell.once.call_once(|| {
            let own = grind(i as u64);
            let sum = sum_each(0..cell.needs.len(), &|k| self.get(cell.needs[k]));
            cell.value.store(grind(own + sum), Relaxed);
        });
        cell.value.load(Relaxed)
    }
}

/// Gets the first cells of a graph, each in a job of its own, and adds them up.
fn locks_once(pool: &ThreadPool, seed: u64) -> (u128, u64) {
    let cells = OnceCells::new(seed);
    submit_each(pool, 8, |i| cells.get(i as usize))
}

/// Submits a job with each number below n, and adds up what they return.
fn submit_each(pool: &ThreadPool, n: u64, job: impl Fn(u64) -> u64 + Sync) -> (u128, u64) {
    let (next, sum) = (AtomicU64::new(0), AtomicU64::new(0));
    FORKS.fetch_add(n, Relaxed);
    let ns = submit(pool, n, || _ = sum.fetch_add(job(next.fetch_add(1, Relaxed)), Relaxed));
    (ns, sum.into_inner())
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

/// Runs 24 jobs, and adds up what they return and what the locks guard.
fn locks_mutex(pool: &ThreadPool, seed: u64) -> (u128, u64) {
    let locks = Locks([0; 4].map(Mutex::new));
    let (ns, sum) = submit_each(pool, 24, |i| locks.job((draw(seed, i) % 4) as usize, i));
    let guarded = locks.0.map(|lock| lock.into_inner().unwrap());
    (ns, sum + guarded.iter().sum::<u64>())
}

/// Adds up the times and the digests of rounds with different seeds.
fn rounds(
    pool: &ThreadPool,
    seed: u64,
    round: impl Fn(&ThreadPool, u64) -> (u128, u64),
) -> (u128, u64) {
    wake(pool);
    (0..ROUNDS).fold((0, 0), |(all_ns, sum), i| {
        let (ns, digest) = round(pool, ROUNDS * seed + i);
        (all_ns + ns, sum + digest)
    })
}

/// Forks leaves by halving. Each keeps a processor busy for 50 µs, or what it has
/// of one. Returns how many there were.
fn busy_tree(leaves: u64) -> u64 {
    if leaves == 1 {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_micros(50) {}
        return 1;
    }
    FORKS.fetch_add(1, Relaxed);
    let (a, b) = join(|| busy_tree(leaves - leaves / 2), || busy_tree(leaves / 2));
    a + b
}

/// Has every worker begin something, so that there are threads, and awake: then counting begins.
fn wake(pool: &ThreadPool) {
    timed(pool, || busy_tree(64));
    FORKS.store(0, Relaxed);
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
                FORKS.fetch_add(1, Relaxed);
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

// What a recursion is computed beside: SETTLES, while the workers share it and
// nothing counts, ALONE, BESIDE requests of a caller, and OVER, when it ends.
const SETTLES: u8 = 0;
const ALONE: u8 = 1;
const BESIDE: u8 = 2;
const OVER: u8 = 3;

const SETTLE_TIME: Duration = Duration::from_millis(50);
const PHASE_TIME: Duration = Duration::from_millis(100);

/// Counts the leaves that a tree of so many levels reaches in the phases ALONE and
/// BESIDE.
fn grow(now: &AtomicU8, levels: u32) -> (u64, u64) {
    let phase = now.load(Relaxed);
    if levels == 0 || phase == OVER {
        return ((phase == ALONE) as u64, (phase == BESIDE) as u64);
    }
    let (a, b) = join(|| grow(now, levels - 1), || grow(now, levels - 1));
    (a.0 + b.0, a.1 + b.1)
}

/// Sends requests that do nothing beside an endless recursion on all workers, at
/// fixed times: one that is late is sent at once. The recursion ends after so many
/// milliseconds if none has been answered. Renders the result.
fn beside(pool: &ThreadPool, most: u64, every: Duration) -> String {
    let now = AtomicU8::new(SETTLES);
    let (answer, answered) = channel::<()>();
    thread::scope(|scope| {
        let now = &now;
        let recursion = scope.spawn(move || timed(pool, || grow(now, 60)).1);
        thread::sleep(SETTLE_TIME);
        now.store(ALONE, Relaxed);
        let mut start = Instant::now();
        thread::sleep(PHASE_TIME);
        let took_alone = start.elapsed();
        now.store(BESIDE, Relaxed);
        start = Instant::now();
        scope.spawn(move || {
            if answered.recv_timeout(Duration::from_millis(most)) == Err(RecvTimeoutError::Timeout)
            {
                now.store(OVER, Relaxed);
            }
        });
        let (mut due, mut took) = (start, Duration::ZERO);
        let (mut ran, mut requests) = (0, Vec::new());
        while requests.is_empty() || took < PHASE_TIME && now.load(Relaxed) != OVER {
            thread::sleep(due.saturating_duration_since(Instant::now()));
            requests.push(timed(pool, || ran += 1).0);
            took = start.elapsed();
            due += every;
        }
        now.store(OVER, Relaxed);
        drop(answer);
        let (alone, beside) = recursion.join().unwrap();
        let rate = |n: u64, took: Duration| (n as f64 / took.as_secs_f64()) as u64;
        let lost = requests.len() - ran;
        let (alone, beside) = (rate(alone, took_alone), rate(beside, took));
        let times: Vec<String> = requests.iter().map(u128::to_string).collect();
        format!("{} {} 0 {} {} {}", took.as_nanos(), lost, alone, beside, times.join(" "))
    })
}
