//! The programs of explore's BenchmarkPrograms, for loom.
//!
//!     loom-peer PROGRAM SIZE SECONDS
//!
//! prints how many executions there were, the nanoseconds, and whether they were all.

use loom::sync::atomic::{AtomicI64, Ordering::SeqCst};
use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

fn vars(n: usize) -> Arc<Vec<AtomicI64>> {
    Arc::new((0..n).map(|_| AtomicI64::new(0)).collect())
}

fn store_buffer(n: usize) {
    let v = vars(n);
    all((0..n).map(|i| {
        let v = v.clone();
        thread::spawn(move || {
            v[i].store(1, SeqCst);
            v[(i + 1) % n].load(SeqCst);
        })
    }));
}

fn readers(n: usize) {
    let v = vars(1);
    let w = v.clone();
    let writer = thread::spawn(move || w[0].store(1, SeqCst));
    all(std::iter::once(writer).chain((0..n).map(|_| {
        let v = v.clone();
        thread::spawn(move || {
            v[0].load(SeqCst);
        })
    })));
}

fn lastzero(n: usize) {
    let a = vars(n + 1);
    let b = a.clone();
    let looker = thread::spawn(move || {
        let mut i = n;
        while b[i].load(SeqCst) != 0 {
            i -= 1;
        }
    });
    all(std::iter::once(looker).chain((1..=n).map(|j| {
        let a = a.clone();
        thread::spawn(move || a[j].store(a[j - 1].load(SeqCst) + 1, SeqCst))
    })));
}

fn indexer(n: usize) {
    const SIZE: usize = 128;
    let table = vars(SIZE);
    all((0..n).map(|id| {
        let table = table.clone();
        thread::spawn(move || {
            for m in 1..=4 {
                let w = m * 11 + id;
                let mut h = w * 7 % SIZE;
                while table[h].compare_exchange(0, w as i64, SeqCst, SeqCst).is_err() {
                    h = (h + 1) % SIZE;
                }
            }
        })
    }));
}

fn buffer(n: usize) {
    let full = Arc::new((Mutex::new(false), Condvar::new()));
    all((0..2 * n).map(|i| {
        let full = full.clone();
        let want = i >= n; // a consumer
        thread::spawn(move || {
            let mut f = full.0.lock().unwrap();
            while *f != want {
                f = full.1.wait(f).unwrap();
            }
            *f = !want;
            full.1.notify_all();
        })
    }));
}

fn adders(n: usize) {
    let v = vars(1);
    all((0..2).map(|_| {
        let v = v.clone();
        thread::spawn(move || {
            for _ in 0..n {
                v[0].fetch_add(1, SeqCst);
            }
        })
    }));
}

/// The owner pushes two items and pops twice.
fn chase_lev(thieves: usize) {
    let v = vars(4); // top, bottom, slots
    let o = v.clone();
    let owner = thread::spawn(move || {
        let (top, bottom) = (&o[0], &o[1]);
        for i in 0..2 {
            let b = bottom.load(SeqCst);
            o[2 + b as usize].store(i + 1, SeqCst);
            bottom.store(b + 1, SeqCst);
        }
        for _ in 0..2 {
            let b = bottom.load(SeqCst) - 1;
            bottom.store(b, SeqCst);
            let t = top.load(SeqCst);
            if t > b {
                bottom.store(t, SeqCst);
                continue;
            }
            o[2 + b as usize].load(SeqCst);
            if t == b {
                let _ = top.compare_exchange(t, t + 1, SeqCst, SeqCst);
                bottom.store(t + 1, SeqCst);
            }
        }
    });
    all(std::iter::once(owner).chain((0..thieves).map(|_| {
        let v = v.clone();
        thread::spawn(move || {
            let t = v[0].load(SeqCst);
            if t >= v[1].load(SeqCst) {
                return;
            }
            v[2 + t as usize].load(SeqCst);
            let _ = v[0].compare_exchange(t, t + 1, SeqCst, SeqCst);
        })
    })));
}

fn all(threads: impl Iterator<Item = thread::JoinHandle<()>>) {
    for t in threads.collect::<Vec<_>>() {
        t.join().unwrap();
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (size, seconds) = (args[2].parse().unwrap(), args[3].parse().unwrap());
    let program = match args[1].as_str() {
        "store_buffer" => store_buffer,
        "readers" => readers,
        "lastzero" => lastzero,
        "indexer" => indexer,
        "buffer" => buffer,
        "chase_lev" => chase_lev,
        "adders" => adders,
        other => panic!("there is no program {other}"),
    };
    static RUN: AtomicU64 = AtomicU64::new(0);
    let limit = Duration::from_secs(seconds);
    let mut model = loom::model::Builder::new();
    model.preemption_bound = None;
    model.max_duration = Some(limit);
    let start = Instant::now();
    model.check(move || {
        RUN.fetch_add(1, Ordering::Relaxed);
        program(size);
    });
    let passed = start.elapsed();
    let executions = RUN.load(Ordering::Relaxed);
    println!("{executions} {} {}", passed.as_nanos(), passed < limit);
}
