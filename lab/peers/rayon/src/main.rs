//! The workloads on Rayon, served by the protocol of README.md.

mod fork;
mod kernels;
mod loops;
mod uts;
mod waits;
mod workloads;

use std::collections::hash_map::{Entry, HashMap};
use std::io::{self, BufRead, Write};
use std::mem::take;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::sleep;
use std::time::{Duration, Instant};

use fork::{Counting, Fork, Plain, Rayon, FORKS, LEAF_TIME};
use rayon::{ThreadPool, ThreadPoolBuilder};
use workloads::{
    fib, fill_spine, fill_tree, integrand, integrate, merge_sort, queens, random_number, Matrices,
    Tree,
};

/// Names, default sizes and largest sizes. That of uts is a tree's number,
/// those of locks-once and locks-mutex are seeds, those of beside milliseconds.
const WORKLOADS: [(&str, u64, u64); 14] = [
    ("fib", 32, 50),
    ("tree", 22, 26),
    ("uts", 1, 3),
    ("queens", 11, 16),
    ("integrate", 10_000, 100_000),
    ("sort", 10_000_000, 100_000_000),
    ("matmul", 512, 4096),
    ("submit", 100_000, 100_000_000),
    (
        "fill-flat fill-spine fill-tree fill-scope fill-submit",
        128,
        MOST_LEAVES,
    ),
    ("locks-once locks-mutex", 1, 1_000_000),
    ("late", 8, 1000),
    ("beside beside-busy", 2000, 60_000),
    (
        "par-for par-range par-map par-mapinto par-filter par-reduce par-sum par-min \
         par-find-start par-find-middle par-find-end par-find-none par-nested \
         par-histogram-256 par-histogram-100000 par-error \
         par-sort-int par-sort-int-sorted par-sort-int-reverse par-sort-int-few \
         par-sort-int-almost par-sort-int-exponential par-sort-strings \
         par-sort-pairs par-sort-pairs-sorted par-sort-pairs-reverse par-sort-pairs-few \
         par-sort-pairs-almost par-sort-pairs-exponential par-sort-key \
         par-mandelbrot par-nbody par-life par-sparse",
        1_000_000,
        1_000_000_000,
    ),
    (
        "sweep-1ns-even sweep-1ns-first sweep-1ns-power \
         sweep-100ns-even sweep-100ns-first sweep-100ns-power \
         sweep-10us-even sweep-10us-first sweep-10us-power",
        1000,
        10_000_000,
    ),
];

/// Few enough for a stack: a spine is as deep.
const MOST_LEAVES: u64 = 4096;

/// Runs work in the pool, or here without one, and says how many nanoseconds it
/// took, seen from outside the pool.
fn timed<R: Send>(pool: Option<&ThreadPool>, work: impl FnOnce() -> R + Send) -> (u128, R) {
    let begin = Instant::now();
    let result = match pool {
        Some(pool) => pool.install(work),
        None => work(),
    };
    (begin.elapsed().as_nanos(), result)
}

/// Runs a job n times, submitted to the pool from outside, and waits for all.
fn submit(pool: Option<&ThreadPool>, n: u64, job: impl Fn() + Sync) -> u128 {
    FORKS.fetch_add(n, Relaxed);
    let begin = Instant::now();
    match pool {
        Some(pool) => pool.in_place_scope(|scope| (0..n).for_each(|_| scope.spawn(|_| job()))),
        None => (0..n).for_each(|_| job()),
    }
    begin.elapsed().as_nanos()
}

/// Waits until the workers sleep, as far as anybody can know from outside.
fn asleep(pool: Option<&ThreadPool>) {
    if pool.is_some() {
        sleep(5 * LEAF_TIME);
    }
}

/// The tree of the last run: building takes longer than summing.
#[derive(Default)]
struct Inputs {
    tree: Option<(u64, Box<Tree>)>,
    loops: loops::Kept,
    /// What the answer has behind the forks.
    more: String,
}

impl Inputs {
    /// Prepares a workload's input, runs it, and renders its result.
    fn run<P: Fork + 'static>(
        &mut self,
        name: &str,
        pool: Option<&ThreadPool>,
        size: u64,
    ) -> (u128, String) {
        match name {
            "fib" => render(timed(pool, || fib::<P>(size))),
            "tree" => {
                if !matches!(&self.tree, Some((levels, _)) if *levels == size) {
                    self.tree = Some((size, Tree::build(1, size)));
                }
                let tree = &self.tree.as_ref().unwrap().1;
                render(timed(pool, || tree.sum::<P>()))
            }
            "uts" => {
                let tree = if size == 1 {
                    uts::Tree::t1()
                } else {
                    uts::Tree::t3()
                };
                render(timed(pool, || uts::count::<P>(&tree, &tree.root())))
            }
            "queens" => render(timed(pool, || queens::<P>((1 << size) - 1, 0, 0, 0))),
            "integrate" => {
                let x = size as f64;
                let (ns, area) = timed(pool, || {
                    integrate::<P>(0.0, integrand(0.0), x, integrand(x))
                });
                (ns, format!("{:.6}", area))
            }
            "sort" => {
                let mut a: Vec<i64> = (0..size).map(random_number).collect();
                // A vector of zeros would get its pages during the run.
                let mut buffer = a.clone();
                let (ns, ()) = timed(pool, || merge_sort::<P>(&mut a, &mut buffer, false));
                let checksum = (0..).zip(&a).fold(0u64, |sum, (i, &x)| {
                    sum.wrapping_add(u64::wrapping_mul(i, x as u64))
                });
                render((ns, checksum))
            }
            "matmul" => {
                let mut m = Matrices::new(size as usize);
                let (ns, ()) = timed(pool, || m.multiply::<P>());
                render((ns, m.c.iter().sum::<f64>() as i64))
            }
            "submit" => {
                let ran = AtomicU64::new(0);
                let ns = submit(pool, size, || {
                    ran.fetch_add(1, Relaxed);
                });
                render((ns, ran.into_inner()))
            }
            "locks-once" => render(waits::rounds::<P>(pool, size, waits::locks_once::<P>)),
            "locks-mutex" => render(waits::rounds::<P>(pool, size, waits::locks_mutex::<P>)),
            "late" => render(waits::late::<P>(pool, size)),
            "beside" => self.beside::<P>(pool, size, Duration::from_millis(1)),
            "beside-busy" => self.beside::<P>(pool, size, Duration::ZERO),
            _ if name.starts_with("fill-") => run_fill::<P>(name, pool, size),
            _ => unreachable!("{} is in WORKLOADS", name),
        }
    }

    fn beside<P: Fork>(
        &mut self,
        pool: Option<&ThreadPool>,
        most: u64,
        every: Duration,
    ) -> (u128, String) {
        let b = waits::beside::<P>(pool, most, every);
        self.more = b.more();
        render((b.ns, b.lost))
    }
}

/// Runs leaves that sleep. The result is how many there were.
fn run_fill<P: Fork>(name: &str, pool: Option<&ThreadPool>, leaves: u64) -> (u128, String) {
    let ran = AtomicU64::new(0);
    let leaf = || {
        P::leaf();
        ran.fetch_add(1, Relaxed);
    };
    asleep(pool);
    match name {
        "fill-flat" | "fill-spine" => render(timed(pool, || fill_spine::<P>(leaves))),
        "fill-tree" => render(timed(pool, || fill_tree::<P>(leaves))),
        "fill-scope" => {
            let (ns, ()) = timed(pool, || P::spawn_each(leaves, &leaf));
            render((ns, ran.into_inner()))
        }
        "fill-submit" => {
            let ns = submit(pool, leaves, leaf);
            render((ns, ran.into_inner()))
        }
        _ => unreachable!("{} is in WORKLOADS", name),
    }
}

fn render((ns, result): (u128, impl ToString)) -> (u128, String) {
    (ns, result.to_string())
}

fn parse(what: &str, text: &str, least: u64, most: u64) -> Result<u64, String> {
    match text.parse() {
        Ok(n) if (least..=most).contains(&n) => Ok(n),
        _ => Err(format!(
            "{} {} is not a number from {} to {}",
            what, text, least, most
        )),
    }
}

fn parse_size(name: &str, text: &str, most: u64) -> Result<u64, String> {
    match (name, text) {
        ("uts", "T1") => Ok(1),
        ("uts", "T3") => Ok(3),
        ("uts", _) => Err(format!("no tree {}; there are T1 and T3", text)),
        _ => parse("size", text, 1, most),
    }
}

/// What is kept from one line to the next.
#[derive(Default)]
struct Server {
    pools: HashMap<u64, ThreadPool>,
    inputs: Inputs,
    /// What was counted, since counting takes as long as a run.
    forks: HashMap<(String, u64), u64>,
}

impl Server {
    fn answer(&mut self, line: &str) -> Result<String, String> {
        let mut words = line.split_whitespace();
        match words.next().unwrap_or("") {
            "list" => Ok(WORKLOADS.map(|(names, _, _)| names).join(" ")),
            "run" => self.run(
                words.next().unwrap_or(""),
                words.next().unwrap_or(""),
                words.next(),
                words.next(),
            ),
            command => Err(format!("no command {}; there are list and run", command)),
        }
    }

    fn run(
        &mut self,
        name: &str,
        workers: &str,
        size: Option<&str>,
        grain: Option<&str>,
    ) -> Result<String, String> {
        let &(_, usual, most) = WORKLOADS
            .iter()
            .find(|w| w.0.split(' ').any(|n| n == name))
            .ok_or_else(|| format!("no workload {}", name))?;
        let workers = parse("workers", workers, 0, 256)?;
        let size = size.map_or(Ok(usual), |text| parse_size(name, text, most))?;
        let is_loop = name.starts_with("par-") || name.starts_with("sweep-");
        if grain.is_some() && !name.starts_with("sweep-") {
            return Err(format!("{} has no grain", name));
        }
        let grain = grain.map_or(Ok(0), |text| parse("grain", text, 1, most))?;
        if workers == 0 && is_loop {
            let (ns, result) = loops::run(&mut self.inputs.loops, name, None, size, 0);
            return Ok(format!("{} {} 0", ns, result));
        }
        if workers == 0 {
            let (ns, result) = self.inputs.run::<Plain>(name, None, size);
            return Ok(format!(
                "{} {} 0{}",
                ns,
                result,
                take(&mut self.inputs.more)
            ));
        }
        let forks = if is_loop || name.starts_with("beside") {
            0 // None that could be counted.
        } else {
            self.count_forks(name, size)
        };
        let pool = match self.pools.entry(workers) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(vacant) => vacant.insert(
                ThreadPoolBuilder::new()
                    .num_threads(workers as usize)
                    .build()
                    .map_err(|e| e.to_string())?,
            ),
        };
        if is_loop {
            let (ns, result) = loops::run(&mut self.inputs.loops, name, Some(pool), size, grain);
            return Ok(format!("{} {} {}", ns, result, forks));
        }
        let (ns, result) = self.inputs.run::<Rayon>(name, Some(pool), size);
        let more = take(&mut self.inputs.more);
        Ok(format!("{} {} {}{}", ns, result, forks, more))
    }

    fn count_forks(&mut self, name: &str, size: u64) -> u64 {
        let inputs = &mut self.inputs;
        let key = (name.to_string(), size);
        *self.forks.entry(key).or_insert_with(|| {
            FORKS.store(0, Relaxed);
            inputs.run::<Counting>(name, None, size);
            FORKS.load(Relaxed)
        })
    }
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
