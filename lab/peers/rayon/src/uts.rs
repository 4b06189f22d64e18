//! Unbalanced Tree Search, after S. Olivier, J. Huan, J. Liu, J. Prins, J. Dinan,
//! P. Sadayappan, C.-W. Tseng, "UTS: An Unbalanced Tree Search Benchmark",
//! LCPC 2006: each node's number of children follows from a SHA-1 digest, and a
//! child's digest from its parent's.

use sha1::{Digest, Sha1};

use crate::forks::sum_each;

const SEED: u32 = 19;
const MOST_CHILDREN: usize = 100;

/// A node of the geometric tree T1, with so many levels below it at most. One that has levels below it
/// has four children on average.
pub struct Node {
    state: [u8; 20],
    levels: u64,
}

fn digest(prefix: &[u8], number: u32) -> [u8; 20] {
    Sha1::new().chain_update(prefix).chain_update(number.to_be_bytes()).finalize().into()
}

impl Node {
    pub fn root(levels: u64) -> Node {
        Node { state: digest(&[0; 16], SEED), levels }
    }

    fn child(&self, i: usize) -> Node {
        Node { state: digest(&self.state, i as u32), levels: self.levels - 1 }
    }

    fn children(&self) -> usize {
        if self.levels == 0 {
            return 0;
        }
        let [.., a, b, c, d] = self.state;
        let u = f64::from(u32::from_be_bytes([a, b, c, d]) & 0x7fff_ffff) / 2147483648.0;
        // The probability that a node that has some children has one more is four fifths.
        let n = (1.0 - u).ln() / f64::ln(1.0 - 1.0 / 5.0);
        (n as usize).min(MOST_CHILDREN)
    }
}

/// The number of nodes of the tree below and including `node`.
pub fn count(node: &Node) -> u64 {
    1 + sum_each(0..node.children(), &|i| count(&node.child(i)))
}
