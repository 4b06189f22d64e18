//! The workloads locks-once, locks-mutex, late and beside: a job that holds a lock
//! while it joins, a caller whose joins wait beside other callers' jobs, and one who
//! waits beside another caller's recursion. Each ends when every fork is a thread.
//! README.md defines them.

use std::sync::atomic::{AtomicU64, AtomicU8, Ordering::Relaxed};
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::sync::{Mutex, Once};
use std::thread;
use std::time::{Duration, Instant};

use crate::fork::{Fork, FORKS};
use crate::workloads::random_number;
use crate::{submit, timed};
use rayon::ThreadPool;

/// How many graphs or batches of jobs a run has: one takes less than a
/// millisecond, which is little time to hang in.
const ROUNDS: u64 = 20;

/// Works for some microseconds, and returns a number below 2^32, so that no sum
/// of a graph's numbers overflows.
fn grind(x: u64) -> u64 {
    (0..1000).fold(x, |x, _| random_number(x) as u64) & 0xffff_ffff
}

/// The k-th random number of a seed, k below 1000.
fn draw(seed: u64, k: u64) -> u64 {
    random_number(1000 * seed + k) as u64
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
    fn get<P: Fork>(&self, i: usize) -> u64 {
        let cell = &self.0[i];
        cell.once.call_once(|| {
            let own = grind(i as u64);
            let sum = P::sum_each(0..cell.needs.len(), &|k| self.get::<P>(cell.needs[k]));
            cell.value.store(grind(own + sum), Relaxed);
        });
        cell.value.load(Relaxed)
    }
}

/// Gets the first cells of a graph, each in a job of its own, and adds them up.
pub fn locks_once<P: Fork>(pool: Option<&ThreadPool>, seed: u64) -> (u128, u64) {
    let cells = OnceCells::new(seed);
    submit_each(pool, 8, |i| cells.get::<P>(i as usize))
}

/// Submits a job with each number below n, and adds up what they return.
fn submit_each(pool: Option<&ThreadPool>, n: u64, job: impl Fn(u64) -> u64 + Sync) -> (u128, u64) {
    let (next, sum) = (AtomicU64::new(0), AtomicU64::new(0));
    let ns = submit(pool, n, || {
        sum.fetch_add(job(next.fetch_add(1, Relaxed)), Relaxed);
    });
    (ns, sum.into_inner())
}

/// Taken in the order of their numbers. Each guards a sum.
struct Locks([Mutex<u64>; 4]);

impl Locks {
    /// Holds a lock while it forks and joins jobs that take the next one.
    fn job<P: Fork>(&self, level: usize, x: u64) -> u64 {
        let mut sum = self.0[level].lock().unwrap();
        let mut value = grind(x);
        *sum += value;
        if level + 1 < self.0.len() {
            value += P::sum_each(0..2, &|k| self.job::<P>(level + 1, 2 * x + k as u64));
        }
        value
    }
}

/// Runs 24 jobs, and adds up what they return and what the locks guard.
pub fn locks_mutex<P: Fork>(pool: Option<&ThreadPool>, seed: u64) -> (u128, u64) {
    let locks = Locks([0; 4].map(Mutex::new));
    let (ns, sum) = submit_each(pool, 24, |i| {
        locks.job::<P>((draw(seed, i) % 4) as usize, i)
    });
    let guarded = locks.0.map(|lock| lock.into_inner().unwrap());
    (ns, sum + guarded.iter().sum::<u64>())
}

/// Adds up the times and the digests of rounds with different seeds.
pub fn rounds<P: Fork>(
    pool: Option<&ThreadPool>,
    seed: u64,
    round: impl Fn(Option<&ThreadPool>, u64) -> (u128, u64),
) -> (u128, u64) {
    wake::<P>(pool);
    (0..ROUNDS).fold((0, 0), |(all_ns, sum), i| {
        let (ns, digest) = round(pool, ROUNDS * seed + i);
        (all_ns + ns, sum + digest)
    })
}

/// Forks leaves by halving. Each keeps a processor busy for 50 µs, or what it has
/// of one. Returns how many there were.
fn busy_tree<P: Fork>(leaves: u64) -> u64 {
    if leaves == 1 {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_micros(50) {}
        return 1;
    }
    let (a, b) = P::join(
        || busy_tree::<P>(leaves - leaves / 2),
        || busy_tree::<P>(leaves / 2),
    );
    a + b
}

/// Has every worker begin something, so that there are threads, and awake.
fn wake<P: Fork>(pool: Option<&ThreadPool>) {
    if pool.is_some() {
        timed(pool, || busy_tree::<P>(64));
    }
}

/// Runs 64 leaves in the pool. As soon as these have begun, another thread queues
/// jobs that sleep for 60 ms each. Returns how many nanoseconds the leaves took,
/// and how many leaves and jobs there were.
pub fn late<P: Fork + 'static>(pool: Option<&ThreadPool>, strangers: u64) -> (u128, u64) {
    wake::<P>(pool);
    let (begin, begun) = channel();
    thread::scope(|scope| {
        let other = scope.spawn(move || {
            begun.recv().unwrap();
            let (end, ended) = channel();
            for _ in 0..strangers {
                let end = end.clone();
                enqueue(pool, move || {
                    P::stranger();
                    end.send(()).unwrap();
                });
            }
            drop(end);
            ended.iter().count() as u64
        });
        let (ns, leaves) = timed(pool, move || {
            begin.send(()).unwrap();
            busy_tree::<P>(64)
        });
        (ns, leaves + other.join().unwrap())
    })
}

/// Queues a job from outside, and does not wait.
fn enqueue(pool: Option<&ThreadPool>, job: impl FnOnce() + Send + 'static) {
    FORKS.fetch_add(1, Relaxed);
    match pool {
        Some(pool) => pool.spawn(job),
        None => job(),
    }
}

/// What a recursion is computed beside: SETTLES, while the workers share it and
/// nothing counts, ALONE, BESIDE requests of a caller, and OVER, when it ends.
struct Phase(AtomicU8);

const SETTLES: u8 = 0;
const ALONE: u8 = 1;
const BESIDE: u8 = 2;
const OVER: u8 = 3;

const SETTLE_TIME: Duration = Duration::from_millis(50);
const PHASE_TIME: Duration = Duration::from_millis(100);

impl Phase {
    fn is(&self, phase: u8) -> bool {
        self.0.load(Relaxed) == phase
    }

    fn set(&self, phase: u8) {
        self.0.store(phase, Relaxed);
    }
}

/// Counts the leaves that a tree of so many levels reaches in the phases ALONE and
/// BESIDE.
fn grow<P: Fork>(now: &Phase, levels: u32) -> (u64, u64) {
    if levels == 0 || now.is(OVER) {
        return (now.is(ALONE) as u64, now.is(BESIDE) as u64);
    }
    let (a, b) = P::join(|| grow::<P>(now, levels - 1), || grow::<P>(now, levels - 1));
    (a.0 + b.0, a.1 + b.1)
}

/// Sends requests that do nothing beside an endless recursion on all workers, at
/// fixed times: one that is late is sent at once. The recursion ends after so many
/// milliseconds if none has been answered.
pub fn beside<P: Fork>(pool: Option<&ThreadPool>, most: u64, every: Duration) -> Beside {
    let now = Phase(AtomicU8::new(SETTLES));
    let (answer, answered) = channel::<()>();
    thread::scope(|scope| {
        let now = &now;
        let recursion = scope.spawn(move || timed(pool, || grow::<P>(now, 60)).1);
        thread::sleep(SETTLE_TIME);
        now.set(ALONE);
        let mut start = Instant::now();
        thread::sleep(PHASE_TIME);
        let took_alone = start.elapsed();
        now.set(BESIDE);
        start = Instant::now();
        scope.spawn(move || {
            if answered.recv_timeout(Duration::from_millis(most)) == Err(RecvTimeoutError::Timeout) {
                now.set(OVER);
            }
        });
        let (mut due, mut took) = (start, Duration::ZERO);
        let (mut ran, mut requests) = (0, Vec::new());
        while requests.is_empty() || took < PHASE_TIME && !now.is(OVER) {
            thread::sleep(due.saturating_duration_since(Instant::now()));
            requests.push(timed(pool, || ran += 1).0);
            took = start.elapsed();
            due += every;
        }
        now.set(OVER);
        drop(answer);
        let (alone, beside) = recursion.join().unwrap();
        let rate = |n: u64, took: Duration| (n as f64 / took.as_secs_f64()) as u64;
        Beside {
            ns: took.as_nanos(),
            lost: requests.len() - ran,
            alone: rate(alone, took_alone),
            beside: rate(beside, took),
            requests,
        }
    })
}

/// What came of a recursion with requests beside it.
pub struct Beside {
    /// How long requests were sent.
    pub ns: u128,
    /// How many were answered and did not run.
    pub lost: usize,
    /// Leaves a second.
    alone: u64,
    beside: u64,
    requests: Vec<u128>,
}

impl Beside {
    /// What an answer has behind the forks.
    pub fn more(&self) -> String {
        let times: Vec<String> = self.requests.iter().map(u128::to_string).collect();
        format!(" {} {} {}", self.alone, self.beside, times.join(" "))
    }
}
