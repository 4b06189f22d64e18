//! Unbalanced Tree Search, after S. Olivier, J. Huan, J. Liu, J. Prins, J. Dinan,
//! P. Sadayappan, C.-W. Tseng, "UTS: An Unbalanced Tree Search Benchmark",
//! LCPC 2006: each node's number of children follows from a SHA-1 digest, and a
//! child's digest from its parent's.

use sha1::{Digest, Sha1};

use crate::forks::sum_each;

/// Nodes of a geometric tree that are above `depth` have children; `log_more` is the
/// logarithm of the probability that one that has some has one more. In a binomial one,
/// whose depth is 0, the root has `b0` children; every other node has `m`, with
/// probability `q`.
#[derive(Default)]
pub struct Tree {
    seed: u32,
    depth: usize,
    log_more: f64,
    b0: usize,
    q: f64,
    m: usize,
}

pub struct Node {
    state: [u8; 20],
    depth: usize,
}

fn digest(prefix: &[u8], number: u32) -> [u8; 20] {
    Sha1::new().chain_update(prefix).chain_update(number.to_be_bytes()).finalize().into()
}

impl Tree {
    /// T1: four children on average.
    pub fn t1() -> Tree {
        let p = 1.0 / (1.0 + 4.0);
        Tree { seed: 19, depth: 10, log_more: f64::ln(1.0 - p), ..Tree::default() }
    }

    pub fn t3() -> Tree {
        Tree { seed: 42, b0: 2000, q: 0.124875, m: 8, ..Tree::default() }
    }

    pub fn root(&self) -> Node {
        Node { state: digest(&[0; 16], self.seed), depth: 0 }
    }

    fn children(&self, node: &Node) -> usize {
        let [.., a, b, c, d] = node.state;
        let u = f64::from(u32::from_be_bytes([a, b, c, d]) & 0x7fff_ffff) / 2147483648.0;
        if self.depth > 0 && node.depth < self.depth {
            let n = ((1.0 - u).ln() / self.log_more).floor() as usize;
            return n.min(100);
        }
        if self.depth == 0 && node.depth == 0 {
            return self.b0; // exempt from the limit
        }
        if u < self.q {
            self.m
        } else {
            0
        }
    }
}

impl Node {
    fn child(&self, i: usize) -> Node {
        Node { state: digest(&self.state, i as u32), depth: self.depth + 1 }
    }
}

/// The number of nodes of the tree below and including `node`.
pub fn count(tree: &Tree, node: &Node) -> u64 {
    let n = tree.children(node);
    1 + sum_each(0..n, &|i| count(tree, &node.child(i)))
}
