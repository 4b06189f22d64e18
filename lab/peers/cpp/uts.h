// Unbalanced Tree Search, after S. Olivier, J. Huan, J. Liu, J. Prins, J. Dinan,
// P. Sadayappan, C.-W. Tseng, "UTS: An Unbalanced Tree Search Benchmark",
// LCPC 2006: each node's number of children follows from a SHA-1 digest, and a
// child's digest from its parent's.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

// The one-shot SHA1() of OpenSSL 3 looks its algorithm up at each call, which
// costs more than the digest; these functions do not.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

namespace uts {

struct Tree {
	bool geometric;
	int seed;
	double log_more;  // geometric: logarithm of the probability that a node with some children has one more
	int depth;        // geometric: nodes this deep have no children
	int b0;           // binomial: children of the root
	double q;         // binomial: how likely it is that another node has children
	int m;            // binomial: how many these are
};

constexpr double p1 = 1 / (1 + 4.0);  // T1: four children on average
inline const Tree T1{true, 19, std::log(1 - p1), 10, 0, 0, 0};
inline const Tree T3{false, 42, 0, 0, 2000, 0.124875, 8};

struct Node {
	std::array<uint8_t, 20> state;
	int depth;
};

inline Node digest(const uint8_t* prefix, size_t n, uint32_t number, int depth) {
	const uint8_t big_endian[4] = {uint8_t(number >> 24), uint8_t(number >> 16), uint8_t(number >> 8), uint8_t(number)};
	Node node;
	SHA_CTX hash;
	SHA1_Init(&hash);
	SHA1_Update(&hash, prefix, n);
	SHA1_Update(&hash, big_endian, sizeof big_endian);
	SHA1_Final(node.state.data(), &hash);
	node.depth = depth;
	return node;
}

inline Node root(const Tree& tree) {
	const uint8_t zeros[16] = {};
	return digest(zeros, sizeof zeros, uint32_t(tree.seed), 0);
}

inline Node child(const Node& parent, size_t i) {
	return digest(parent.state.data(), parent.state.size(), uint32_t(i), parent.depth + 1);
}

inline size_t children(const Tree& tree, const Node& node) {
	constexpr size_t most = 100;
	const uint8_t* tail = node.state.data() + 16;
	const uint32_t word = uint32_t(tail[0]) << 24 | uint32_t(tail[1]) << 16 | uint32_t(tail[2]) << 8 | tail[3];
	const double u = (word & 0x7fffffff) / 2147483648.0;
	if (tree.geometric) {
		if (node.depth >= tree.depth) return 0;
		return std::min(most, size_t(std::floor(std::log(1 - u) / tree.log_more)));
	}
	if (node.depth == 0) return size_t(tree.b0);  // exempt from the limit
	return u < tree.q ? size_t(tree.m) : 0;
}

// count returns the number of nodes of the tree below and including node.
template <class P>
uint64_t count(const Tree& tree, const Node& node) {
	const size_t n = children(tree, node);
	if (n == 0) return 1;
	return 1 + P::sum_each(n, [&](size_t i) { return count<P>(tree, child(node, i)); });
}

}  // namespace uts
