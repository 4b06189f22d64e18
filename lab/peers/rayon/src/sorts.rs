//! The sorts. Their definitions are in README.md.

use std::cmp::Ordering;

use rayon::prelude::*;
use rayon::ThreadPool;

use crate::{bodies, render, splitmix, timed, Kept};

/// The inputs of sorts, by what follows a minus. Of random pairs about ten have each key.
fn sort_key(input: &str, i: u64, n: u64) -> u64 {
    match input {
        "-sorted" => i << 20,
        "-reverse" => (n - i) << 20,
        "-few" => splitmix(1, i) % 16 << 40,
        "-almost" if splitmix(1, 2 * i) % 100 == 0 => splitmix(1, 2 * i + 1) % n << 20,
        "-almost" => i << 20,
        "-exponential" => splitmix(1, 2 * i) >> (splitmix(1, 2 * i + 1) % 64),
        _ => splitmix(1, i),
    }
}

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
    if let Some(input) = name.strip_prefix("par-sort-int") {
        let make = || (0..n).map(|i| sort_key(input, i, n) as i64).collect::<Vec<_>>();
        let mut a = kept.get(format!("ints {} {}", input, n), make).clone();
        let (ns, ()) = timed(pool, || a.par_sort_unstable());
        let sorted = a.windows(2).all(|w| w[0] <= w[1]);
        return Some(checked(
            ns,
            sorted,
            (0..).zip(&a).map(|(i, &x): (u64, _)| i.wrapping_mul(x as u64)),
        ));
    }
    if name == "par-sort-key" || name.starts_with("par-sort-pairs") {
        let input = name.strip_prefix("par-sort-pairs").unwrap_or("");
        let pair = |number| {
            let key = sort_key(input, number, n);
            let few = if input.is_empty() { key % (n / 10).max(1) } else { key };
            Pair { key: few as i64, number }
        };
        let make = || (0..n).map(pair).collect::<Vec<_>>();
        let mut a = kept.get(format!("pairs {} {}", input, n), make).clone();
        let (ns, ()) = match name {
            "par-sort-key" => timed(pool, || a.par_sort_by_key(|x| x.key)),
            _ => timed(pool, || a.par_sort_by(compare)),
        };
        let sorted = a.windows(2).all(|w| (w[0].key, w[0].number) < (w[1].key, w[1].number));
        return Some(checked(
            ns,
            sorted,
            (1..).zip(&a).map(|(i, x): (u64, _)| i.wrapping_mul(x.number)),
        ));
    }
    if name == "par-sort-strings" {
        let make = || (0..n).map(letters).collect::<Vec<_>>();
        let all = kept.get(format!("strings {}", n), make);
        // What Go sorts is the place and the length of the letters, too.
        let mut a: Vec<&str> = all.iter().map(String::as_str).collect();
        let (ns, ()) = timed(pool, || a.par_sort());
        // FNV-1a
        let hash = |h: u64, c| (h ^ c as u64).wrapping_mul(0x100_0000_01b3);
        let number =
            |(i, s): (u64, &&str)| i.wrapping_mul(s.bytes().fold(0xcbf2_9ce4_8422_2325, hash));
        return Some(checked(ns, a.windows(2).all(|w| w[0] <= w[1]), (1..).zip(&a).map(number)));
    }
    None
}

fn checked(ns: u128, sorted: bool, numbers: impl Iterator<Item = u64>) -> String {
    if sorted {
        render((ns, numbers.fold(0, u64::wrapping_add)))
    } else {
        render((ns, "unsorted"))
    }
}

fn letters(i: u64) -> String {
    (0..8 + splitmix(2, 4 * i) % 17)
        .map(|k| {
            let word = splitmix(2, 4 * i + 1 + k / 8);
            (b'a' + ((word >> (8 * (k % 8)) & 0xff) % 26) as u8) as char
        })
        .collect()
}
