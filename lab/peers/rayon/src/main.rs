//! The workloads on Rayon, served by the protocol of README.md.

mod forks;
mod loops;
mod uts;
mod waits;

use std::io::{self, BufRead};
use std::time::Instant;
use std::{env, process};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// What was timed, in nanoseconds, and the result.
pub type Outcome = (Vec<u128>, u64);

/// A workload whose input is there: what runs it once.
pub type Run<'a> = Box<dyn FnMut() -> Outcome + 'a>;

/// Runs work in the pool, and says how many nanoseconds it took, seen from outside.
fn timed<R: Send>(pool: &ThreadPool, work: impl FnOnce() -> R + Send) -> (Vec<u128>, R) {
    let begin = Instant::now();
    let result = pool.install(work);
    (vec![begin.elapsed().as_nanos()], result)
}

/// Runs a job n times, submitted to the pool from outside, and waits for all.
fn submit(pool: &ThreadPool, n: u64, job: impl Fn() + Sync) -> Vec<u128> {
    let begin = Instant::now();
    pool.in_place_scope(|scope| (0..n).for_each(|_| scope.spawn(|_| job())));
    vec![begin.elapsed().as_nanos()]
}

/// The numbers of SplitMix64 with seed 1.
fn numbers(n: u64) -> Vec<u64> {
    let number = |index: u64| {
        let mut z = (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    };
    (0..n).map(number).collect()
}

/// A number that depends on every one of some numbers and its place.
fn digest(numbers: impl Iterator<Item = u64>) -> u64 {
    (1..).zip(numbers).fold(0, |sum, (i, x)| sum.wrapping_add(u64::wrapping_mul(i, x)))
}

/// Answers each line of standard input.
fn serve(args: &[String]) -> Result<(), String> {
    let number = |text: &str| match text.parse::<u64>() {
        Ok(n) if n > 0 => Ok(n),
        _ => Err(format!("{} is no number above 0", text)),
    };
    let (name, workers, size) = match args {
        [name, workers, size] => (name, number(workers)?, number(size)?),
        _ => return Err("the arguments are WORKLOAD WORKERS SIZE".into()),
    };
    let pool = ThreadPoolBuilder::new().num_threads(workers as usize).build();
    let pool = pool.map_err(|error| error.to_string())?;
    let mut run = forks::prepare(&pool, name, size)
        .or_else(|| waits::prepare(&pool, name, size))
        .or_else(|| loops::prepare(&pool, name, size))
        .ok_or_else(|| format!("no workload {}", name))?;
    for line in io::stdin().lock().lines() {
        line.map_err(|error| error.to_string())?;
        let (ns, result) = run();
        let times: Vec<String> = ns.iter().map(u128::to_string).collect();
        println!("[{}, {}]", result, times.join(", "));
    }
    Ok(())
}

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    if let Err(text) = serve(&args) {
        eprintln!("{}", text);
        process::exit(1);
    }
}
