//! The sorts. Their definitions are in README.md.

use std::cmp::Ordering;

use rayon::prelude::*;
use rayon::ThreadPool;

use crate::{bodies, render, timed, Kept};

#[derive(Clone, Copy)]
struct Pair {
    key: i64,
    number: u64,
}

bodies! {
    fn compare(x: &Pair, y: &Pair) -> Ordering { x.key.cmp(&y.key) }
}

/// Prepares a workload's input, runs it, and renders its result, if it is one of these.
pub fn run(kept: &mut Kept, name: &str, pool: &ThreadPool, n: u64) -> Option<String> {
    if name == "par-sort-int" {
        let mut a: Vec<i64> = kept.numbers(n).iter().map(|&x| x as i64).collect();
        let (ns, ()) = timed(pool, || a.par_sort_unstable());
        let sorted = a.windows(2).all(|w| w[0] <= w[1]);
        return Some(checked(ns, sorted, (0..).zip(&a).map(|(i, &x)| u64::wrapping_mul(i, x as u64))));
    }
    let pair = |(number, &x): (u64, &u64)| Pair { key: (x % (n / 10).max(1)) as i64, number };
    let mut a: Vec<Pair> = match name {
        "par-sort-key" | "par-sort-pairs" => (0..).zip(kept.numbers(n)).map(pair).collect(),
        _ => return None,
    };
    let (ns, ()) = match name {
        "par-sort-key" => timed(pool, || a.par_sort_by_key(|x| x.key)),
        _ => timed(pool, || a.par_sort_by(compare)),
    };
    let sorted = a.windows(2).all(|w| (w[0].key, w[0].number) < (w[1].key, w[1].number));
    Some(checked(ns, sorted, (1..).zip(&a).map(|(i, x)| u64::wrapping_mul(i, x.number))))
}

fn checked(ns: u128, sorted: bool, numbers: impl Iterator<Item = u64>) -> String {
    if sorted {
        render((ns, numbers.fold(0, u64::wrapping_add)))
    } else {
        render((ns, "unsorted"))
    }
}
