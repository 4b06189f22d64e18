// The workloads, each written once for every implementation P of fork.h. Their
// definitions are in README.md.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "fork.h"

template <class P>
uint64_t fib(uint64_t n) {
	if (n < 2) return n;
	uint64_t x, y;
	P::join([&] { x = fib<P>(n - 1); }, [&] { y = fib<P>(n - 2); });
	return x + y;
}

// Written out, since compilers do better at it than at the template; a fork's
// price is what it adds to the best plain function.
template <>
inline uint64_t fib<Plain>(uint64_t n) {
	return n < 2 ? n : fib<Plain>(n - 1) + fib<Plain>(n - 2);
}

struct TreeNode {
	uint64_t value;
	std::unique_ptr<TreeNode> left, right;
};

inline std::unique_ptr<TreeNode> build_tree(uint64_t index, unsigned levels) {
	auto node = std::make_unique<TreeNode>();
	node->value = index;
	if (levels > 1) {
		node->left = build_tree(2 * index, levels - 1);
		node->right = build_tree(2 * index + 1, levels - 1);
	}
	return node;
}

template <class P>
uint64_t sum_tree(const TreeNode& node) {
	if (!node.left) return node.value;
	uint64_t left, right;
	P::join([&] { left = sum_tree<P>(*node.left); }, [&] { right = sum_tree<P>(*node.right); });
	return left + node.value + right;
}

// queens counts the ways to fill the rows that are left. The masks say which
// columns of the next row are taken, by a queen above or on a diagonal.
template <class P>
uint64_t queens(uint32_t all, uint32_t columns, uint32_t left, uint32_t right) {
	if (columns == all) return 1;
	uint32_t places[32];
	size_t n = 0;
	for (uint32_t free = all & ~(columns | left | right); free; free &= free - 1) places[n++] = free & -free;
	if (n == 0) return 0;
	return P::sum_each(n, [&](size_t i) {
		const uint32_t queen = places[i];
		return queens<P>(all, columns | queen, (left | queen) << 1, (right | queen) >> 1);
	});
}

inline double integrand(double x) { return (x * x + 1) * x; }

inline double trapezoid(double x1, double y1, double x2, double y2) { return (y1 + y2) / 2 * (x2 - x1); }

// integrate is Cilk's: halve until the halves' area is that of the whole.
template <class P>
double integrate(double x1, double y1, double x2, double y2) {
	constexpr double epsilon = 1e-9;
	const double x0 = x1 + (x2 - x1) / 2;
	const double y0 = integrand(x0);
	const double area = trapezoid(x1, y1, x0, y0) + trapezoid(x0, y0, x2, y2);
	if (std::abs(area - trapezoid(x1, y1, x2, y2)) < epsilon) return area;
	double left, right;
	P::join([&] { left = integrate<P>(x1, y1, x0, y0); }, [&] { right = integrate<P>(x0, y0, x2, y2); });
	return left + right;
}

// random_number is the index-th number of SplitMix64 with seed 1.
inline int64_t random_number(uint64_t index) {
	uint64_t z = 1 + (index + 1) * 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return int64_t(z ^ z >> 31);
}

// merge_plainly moves the least and the greatest of what is left of the sorted
// x..x_end and y..y_end at each step. No branch depends on the values, for every
// second one would be predicted wrongly. Each step waits for the one before at the
// same end, so two ends take half the time.
inline void merge_plainly(const int64_t* x, const int64_t* x_end, const int64_t* y, const int64_t* y_end, int64_t* out) {
	int64_t* out_end = out + (x_end - x) + (y_end - y);
	while (x < x_end && y < y_end) {
		// No more than n elements of either range are among the n least, nor
		// among the n greatest, so no step finds one empty.
		for (ptrdiff_t n = std::min(x_end - x, y_end - y); n > 0; n--) {
			const bool second = *y < *x;
			*out++ = second ? *y : *x;
			x += !second;
			y += second;

			const bool first = y_end[-1] < x_end[-1];
			*--out_end = first ? x_end[-1] : y_end[-1];
			x_end -= first;
			y_end -= !first;
		}
	}
	out = std::copy(x, x_end, out);
	std::copy(y, y_end, out);
}

// sort_plainly is merge_sort without forks. Very short ranges are sorted by
// insertion, not left to the library, for every language has another.
inline void sort_plainly(int64_t* a, int64_t* buffer, size_t n, bool to_buffer) {
	constexpr size_t cutoff = 24;
	if (n <= cutoff) {
		int64_t* const to = to_buffer ? buffer : a;
		for (size_t i = 0; i < n; i++) {
			const int64_t x = a[i];
			size_t j = i;
			for (; j > 0 && to[j - 1] > x; j--) to[j] = to[j - 1];
			to[j] = x;
		}
		return;
	}
	const size_t middle = n / 2;
	sort_plainly(a, buffer, middle, !to_buffer);
	sort_plainly(a + middle, buffer + middle, n - middle, !to_buffer);
	const int64_t* const from = to_buffer ? a : buffer;
	merge_plainly(from, from + middle, from + middle, from + n, to_buffer ? buffer : a);
}

// merge splits a long merge at the middle of the longer range, and where the
// value there belongs in the other.
template <class P>
void merge(const int64_t* x, const int64_t* x_end, const int64_t* y, const int64_t* y_end, int64_t* out) {
	constexpr ptrdiff_t cutoff = 131072;
	if ((x_end - x) + (y_end - y) <= cutoff) {
		merge_plainly(x, x_end, y, y_end, out);
		return;
	}
	if (x_end - x < y_end - y) {
		std::swap(x, y);
		std::swap(x_end, y_end);
	}
	const int64_t* const i = x + (x_end - x) / 2;
	const int64_t* const j = std::lower_bound(y, y_end, *i);
	P::join([&] { merge<P>(x, i, y, j, out); },
	        [&] { merge<P>(i, x_end, j, y_end, out + (i - x) + (j - y)); });
}

// merge_sort sorts a, with a buffer of the same length, which has the result if
// to_buffer. The halves leave theirs on the other side, so merging them copies
// nothing.
template <class P>
void merge_sort(int64_t* a, int64_t* buffer, size_t n, bool to_buffer) {
	constexpr size_t cutoff = 4096;
	if (n <= cutoff) {
		sort_plainly(a, buffer, n, to_buffer);
		return;
	}
	const size_t middle = n / 2;
	P::join([&] { merge_sort<P>(a, buffer, middle, !to_buffer); },
	        [&] { merge_sort<P>(a + middle, buffer + middle, n - middle, !to_buffer); });
	const int64_t* const from = to_buffer ? a : buffer;
	merge<P>(from, from + middle, from + middle, from + n, to_buffer ? buffer : a);
}

// Matrices holds n×n matrices by rows.
struct Matrices {
	size_t n;
	std::vector<double> a, b, c;

	explicit Matrices(size_t n) : n(n), a(n * n), b(n * n), c(n * n) {
		for (size_t i = 0; i < n; i++) {
			for (size_t j = 0; j < n; j++) {
				a[i * n + j] = double((i * 7 + j * 3) % 11) - 5;
				b[i * n + j] = double((i * 5 + j * 2) % 13) - 6;
			}
		}
	}
};

// multiply computes the part of c = a·b with that many rows and columns from
// (row, column) on.
template <class P>
void multiply(Matrices& m, size_t row, size_t rows, size_t column, size_t columns) {
	constexpr size_t block = 64;
	if (rows <= block && columns <= block) {
		for (size_t i = row; i < row + rows; i++) {
			double* c = &m.c[i * m.n];
			const double* a = &m.a[i * m.n];
			size_t k = 0;
			for (; k + 4 <= m.n; k += 4) {
				const double* b0 = &m.b[k * m.n];
				const double *b1 = b0 + m.n, *b2 = b1 + m.n, *b3 = b2 + m.n;
				for (size_t j = column; j < column + columns; j++)
					c[j] += a[k] * b0[j] + a[k + 1] * b1[j] + a[k + 2] * b2[j] + a[k + 3] * b3[j];
			}
			for (; k < m.n; k++) {
				const double* b = &m.b[k * m.n];
				for (size_t j = column; j < column + columns; j++) c[j] += a[k] * b[j];
			}
		}
	} else if (rows >= columns) {
		const size_t half = rows / 2;
		P::join([&] { multiply<P>(m, row, half, column, columns); },
		        [&] { multiply<P>(m, row + half, rows - half, column, columns); });
	} else {
		const size_t half = columns / 2;
		P::join([&] { multiply<P>(m, row, rows, column, half); },
		        [&] { multiply<P>(m, row, rows, column + half, columns - half); });
	}
}

// fill_flat forks all leaves in a loop. The result is their number, as it is of
// the other shapes of leaves that sleep.
template <class P>
uint64_t fill_flat(size_t leaves) {
	return P::sum_each(leaves, [](size_t) {
		P::leaf();
		return uint64_t(1);
	});
}

// fill_spine walks a list and forks a leaf at each node but the last, whose leaf
// it runs itself.
template <class P>
uint64_t fill_spine(size_t leaves) {
	if (leaves == 1) {
		P::leaf();
		return 1;
	}
	uint64_t rest;
	P::join([&] { rest = fill_spine<P>(leaves - 1); }, [] { P::leaf(); });
	return rest + 1;
}

template <class P>
uint64_t fill_tree(size_t leaves) {
	if (leaves == 1) {
		P::leaf();
		return 1;
	}
	uint64_t x, y;
	P::join([&] { x = fill_tree<P>(leaves / 2); }, [&] { y = fill_tree<P>(leaves - leaves / 2); });
	return x + y;
}
