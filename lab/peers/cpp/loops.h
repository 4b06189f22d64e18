// The workloads par-… on oneTBB. Their definitions are in README.md.
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/parallel_scan.h>
#include <oneapi/tbb/parallel_sort.h>

#include <cmath>

#include "arena.h"
#include "serve.h"

using Range = tbb::blocked_range<size_t>;
using Numbers = std::vector<uint64_t>;

// step is the least work that a loop can have: about a nanosecond.
inline uint64_t step(uint64_t x) { return x * 6364136223846793005u + 1442695040888963407u; }

inline const Numbers& random_numbers(size_t n) {
	return kept<Numbers>("random " + std::to_string(n), [n] {
		Numbers all(n);
		for (size_t i = 0; i < n; i++) all[i] = splitmix(1, i);
		return all;
	});
}

// written times what writes numbers to out, and digests these.
template <class T, class Write>
Outcome written(std::vector<T> out, const Write& write) {
	const int64_t ns = timed([&] { write(out); });
	uint64_t sum = 0, i = 0;
	for (const T x : out) sum += ++i * uint64_t(x);
	return {{ns}, sum};
}

// each calls f for each index below n.
template <class F>
void each(unsigned workers, size_t n, const F& f) {
	const auto body = [&f](const Range& r) {
		for (size_t i = r.begin(), end = r.end(); i < end; i++) f(i);
	};
	arena(workers).execute([&] { tbb::parallel_for(Range(0, n), body); });
}

inline Outcome each_number(unsigned workers, uint64_t n) {
	return written(Numbers(n), [&](Numbers& out) {
		each(workers, n, [to = out.data()](size_t i) { to[i] = step(i); });
	});
}

inline Outcome range(unsigned workers, uint64_t n) {
	using Triad = std::pair<std::vector<double>, std::vector<double>>;
	const auto& [bs, cs] = kept<Triad>("triad " + std::to_string(n), [n] {
		Triad t{std::vector<double>(n), std::vector<double>(n)};
		for (size_t i = 0; i < n; i++) t.first[i] = double(i % 1000), t.second[i] = double(i % 7);
		return t;
	});
	const double *const b = bs.data(), *const c = cs.data();
	return written(std::vector<double>(n), [&](auto& out) {
		each(workers, n, [a = out.data(), b, c](size_t i) { a[i] = b[i] + 3 * c[i]; });
	});
}

inline Outcome map(unsigned workers, uint64_t n) {
	const uint64_t* const in = random_numbers(n).data();
	return written(Numbers(), [&](Numbers& out) {
		out = Numbers(n);
		each(workers, n, [in, to = out.data()](size_t i) { to[i] = step(in[i]); });
	});
}

// reduced adds up n random numbers. Reduce and sum are the same here.
inline Outcome reduced(unsigned workers, uint64_t n) {
	const uint64_t* const in = random_numbers(n).data();
	const auto body = [in](const Range& r, uint64_t sum) {
		for (size_t i = r.begin(), end = r.end(); i < end; i++) sum += in[i];
		return sum;
	};
	uint64_t result = 0;
	const int64_t ns = timed([&] {
		arena(workers).execute([&] { result = tbb::parallel_reduce(Range(0, n), uint64_t(0), body, std::plus<>()); });
	});
	return {{ns}, result};
}

inline Outcome scan(unsigned workers, uint64_t n) {
	const uint64_t* const in = random_numbers(n).data();
	return written(Numbers(), [&](Numbers& out) {
		out = Numbers(n);
		const auto body = [in, to = out.data()](const Range& r, uint64_t sum, bool final) {
			for (size_t i = r.begin(), end = r.end(); i < end; i++) {
				sum += in[i];
				if (final) to[i] = sum;
			}
			return sum;
		};
		arena(workers).execute([&] { tbb::parallel_scan(Range(0, n), uint64_t(0), body, std::plus<>()); });
	});
}

inline Outcome seq(unsigned workers, uint64_t n) {
	uint64_t next = 0, sum = 0;
	const auto source = [&next, n](tbb::flow_control& control) {
		if (next == n) control.stop();
		return next == n ? next : next++;
	};
	const auto stage = [](uint64_t x) { return x; };
	using tbb::filter_mode;
	const int64_t ns = timed([&] {
		arena(workers).execute([&] {
			tbb::parallel_pipeline(4 * workers, tbb::make_filter<void, uint64_t>(filter_mode::serial_in_order, source) &
				tbb::make_filter<uint64_t, uint64_t>(filter_mode::parallel, stage) &
				tbb::make_filter<uint64_t, void>(filter_mode::serial_in_order, [&sum](uint64_t x) { sum += x; }));
		});
	});
	return {{ns}, sum};
}

inline uint64_t escape(double cx, double cy) {
	double x = 0, y = 0;
	uint64_t steps = 0;
	for (; steps < 200; steps++) {
		const double xx = x * x, yy = y * y;
		if (xx + yy > 4) break;
		y = 2 * x * y + cy;
		x = xx - yy + cx;
	}
	return steps;
}

inline Outcome mandelbrot(unsigned workers, uint64_t points) {
	const size_t side = size_t(std::llround(std::sqrt(double(points))));
	return written(Numbers(side * side), [&](Numbers& out) {
		each(workers, side, [to = out.data(), side](size_t i) {
			const double y = 3 * double(i) / double(side) - 1.5;
			for (size_t j = 0; j < side; j++) to[i * side + j] = escape(3 * double(j) / double(side) - 2, y);
		});
	});
}

inline Outcome sort_ints(unsigned workers, uint64_t n) {
	const Numbers& in = random_numbers(n);
	return written(std::vector<int64_t>(in.begin(), in.end()), [&](auto& a) {
		arena(workers).execute([&] { tbb::parallel_sort(a.begin(), a.end()); });
	});
}

inline const Workloads loops{
	{"par-for", each_number}, {"par-range", range}, {"par-map", map}, {"par-reduce", reduced}, {"par-sum", reduced},
	{"par-scan", scan}, {"par-seq", seq}, {"par-mandelbrot", mandelbrot}, {"par-sort-int-random", sort_ints},
};
