//! The workloads locks and beside: a job that holds a lock while it joins, and a caller beside another
//! caller's recursion. Each ends when every fork is a thread. README.md defines them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use rayon::{join, ThreadPool};

use crate::{submit, timed, Outcome, Run};

/// Prepares a workload, if it is one of these.
pub fn prepare<'a>(pool: &'a ThreadPool, name: &str, size: u64) -> Option<Run<'a>> {
    Some(match name {
        "locks" => Box::new(move || locks(pool, size)),
        "beside" => Box::new(move || beside(pool, Duration::from_micros(size))),
        _ => return None,
    })
}

/// Keeps a processor busy.
fn busy(micros: u64) {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_micros(micros) {}
}

fn busy_tree(levels: u64) {
    match levels {
        0 => busy(50),
        _ => _ = join(|| busy_tree(levels - 1), || busy_tree(levels - 1)),
    }
}

/// Holds a lock while it forks and joins jobs that take the next one. Each lock guards a sum.
fn job(locks: &[Mutex<u64>]) -> u64 {
    let mut sum = locks[0].lock().unwrap();
    *sum += 1;
    busy(4);
    if locks.len() == 1 {
        return 1;
    }
    let (a, b) = join(|| job(&locks[1..]), || job(&locks[1..]));
    1 + a + b
}

/// Runs batches of 24 jobs. The result is how many there were, as they return it and as the locks guard it.
fn locks(pool: &ThreadPool, batches: u64) -> Outcome {
    timed(pool, || busy_tree(6)); // Every worker has a thread, and is awake.
    let (mut ns, mut all) = (0, 0);
    for _ in 0..batches {
        let locks = [0; 4].map(Mutex::new);
        let (next, sum) = (AtomicU64::new(0), AtomicU64::new(0));
        ns += submit(pool, 24, || {
            let i = next.fetch_add(1, Relaxed) as usize;
            sum.fetch_add(job(&locks[i % 4..]), Relaxed);
        })[0];
        all += sum.into_inner();
        all += locks.map(|lock| lock.into_inner().unwrap()).iter().sum::<u64>();
    }
    (vec![ns], all)
}

/// Reaches the leaves of a tree of so many levels, until it is over.
fn grow(over: &AtomicBool, levels: u32) {
    if levels > 0 && !over.load(Relaxed) {
        join(|| grow(over, levels - 1), || grow(over, levels - 1));
    }
}

/// Sends requests that do nothing beside an endless recursion on all workers, at fixed times: one
/// that is late is sent at once. The recursion ends after two seconds if none has been answered.
fn beside(pool: &ThreadPool, every: Duration) -> Outcome {
    const WHILE: Duration = Duration::from_millis(100);
    let over = AtomicBool::new(false);
    let (answer, answered) = channel::<()>();
    thread::scope(|scope| {
        let over = &over;
        scope.spawn(move || timed(pool, || grow(over, 60)));
        thread::sleep(WHILE / 2);
        scope.spawn(move || {
            if answered.recv_timeout(20 * WHILE) == Err(RecvTimeoutError::Timeout) {
                over.store(true, Relaxed);
            }
        });
        let start = Instant::now();
        let (mut due, mut ran, mut requests) = (start, 0, Vec::new());
        while requests.is_empty() || start.elapsed() < WHILE {
            thread::sleep(due.saturating_duration_since(Instant::now()));
            requests.extend(timed(pool, || ran += 1).0);
            due += every;
        }
        over.store(true, Relaxed);
        drop(answer);
        let lost = requests.len() as u64 - ran;
        (requests, lost)
    })
}
