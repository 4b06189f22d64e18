//! The sorts. Their definitions are in README.md.

use rayon::prelude::*;
use rayon::ThreadPool;

use crate::{digest, render, timed, Kept};

#[derive(Clone, Copy)]
struct Pair {
    key: i64,
    number: u64,
}

/// Prepares a workload's input, runs it, and renders its result, if it is one of these.
pub fn run(kept: &mut Kept, name: &str, pool: &ThreadPool, n: u64) -> Option<String> {
    if name == "par-sort-int-random" {
        let mut a: Vec<i64> = kept.numbers(n).iter().map(|&x| x as i64).collect();
        let (ns, ()) = timed(pool, || a.par_sort_unstable());
        return Some(render((ns, digest(a.iter().map(|&x| x as u64)))));
    }
    let pair = |(number, &x): (u64, &u64)| Pair { key: (x % (n / 10).max(1)) as i64, number };
    let mut a: Vec<Pair> = match name {
        "par-sort-key" | "par-sort-pairs-random" => (0..).zip(kept.numbers(n)).map(pair).collect(),
        _ => return None,
    };
    let (ns, ()) = match name {
        "par-sort-key" => timed(pool, || a.par_sort_by_key(|x| x.key)),
        _ => timed(pool, || a.par_sort_by(|x, y| x.key.cmp(&y.key))),
    };
    Some(render((ns, digest(a.iter().map(|x| x.number)))))
}
