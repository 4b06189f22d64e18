//! The workloads on Rayon, served by the protocol of README.md.

mod forks;
mod loops;
mod sorts;
mod uts;
mod waits;

use std::any::Any;
use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Runs work in the pool, and says how many nanoseconds it took, seen from outside.
fn timed<R: Send>(pool: &ThreadPool, work: impl FnOnce() -> R + Send) -> (u128, R) {
    let begin = Instant::now();
    let result = pool.install(work);
    (begin.elapsed().as_nanos(), result)
}

/// Runs a job n times, submitted to the pool from outside, and waits for all.
fn submit(pool: &ThreadPool, n: u64, job: impl Fn() + Sync) -> u128 {
    let begin = Instant::now();
    pool.in_place_scope(|scope| (0..n).for_each(|_| scope.spawn(|_| job())));
    begin.elapsed().as_nanos()
}

/// The last input, of whatever type: making it takes longer than most runs.
#[derive(Default)]
pub struct Kept {
    key: String,
    input: Option<Box<dyn Any>>,
}

impl Kept {
    fn get<T: 'static>(&mut self, key: String, make: impl FnOnce() -> T) -> &T {
        if self.key != key || self.input.is_none() {
            self.input = None;
            self.input = Some(Box::new(make()));
            self.key = key;
        }
        self.input.as_ref().unwrap().downcast_ref().unwrap()
    }

    fn numbers(&mut self, n: u64) -> &Vec<u64> {
        self.get(format!("random {}", n), || (0..n).map(|i| splitmix(1, i)).collect())
    }
}

/// The index-th number of SplitMix64.
fn splitmix(seed: u64, index: u64) -> u64 {
    let mut z = seed.wrapping_add((index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// A number that depends on every one of some numbers and its place.
fn digest(numbers: impl Iterator<Item = u64>) -> u64 {
    (1..).zip(numbers).fold(0, |sum, (i, x)| sum.wrapping_add(u64::wrapping_mul(i, x)))
}

/// What is kept from one line to the next.
#[derive(Default)]
struct Server {
    pools: HashMap<usize, ThreadPool>,
    kept: Kept,
}

impl Server {
    fn answer(&mut self, line: &str) -> Result<String, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |text: &str| text.parse().map_err(|_| format!("{} is no number", text));
        let (name, workers, size) = match words[..] {
            ["run", name, workers, size] => (name, workers, size),
            _ => return Err("there is: run WORKLOAD WORKERS SIZE".into()),
        };
        let workers: u64 = number(workers)?;
        let size = number(size)?;
        if size == 0 || workers == 0 || workers > 256 {
            return Err("there is no such size, or not so many workers".into());
        }
        let pool = self.pools.entry(workers as usize).or_insert_with(|| {
            ThreadPoolBuilder::new().num_threads(workers as usize).build().unwrap()
        });
        forks::run(&mut self.kept, name, pool, size)
            .or_else(|| waits::run(name, pool, size))
            .or_else(|| sorts::run(&mut self.kept, name, pool, size))
            .or_else(|| loops::run(&mut self.kept, name, pool, size))
            .ok_or_else(|| format!("no workload {}", name))
    }
}

/// An answer.
fn render((ns, result): (u128, u64)) -> String {
    format!("{} {}", result, ns.max(1))
}

fn main() -> io::Result<()> {
    let mut server = Server::default();
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        match server.answer(&line?) {
            Ok(text) => writeln!(out, "{}", text)?,
            Err(text) => writeln!(out, "error: {}", text)?,
        }
        out.flush()?;
    }
    Ok(())
}
