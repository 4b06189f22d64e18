// The workloads par-… on oneTBB. Their definitions are in README.md.
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/parallel_sort.h>

#include <cmath>

#include "serve.h"

using Range = tbb::blocked_range<size_t>;
using Numbers = std::vector<uint64_t>;

// step is the least work that a loop can have: about a nanosecond.
inline uint64_t step(uint64_t x) { return x * 6364136223846793005u + 1442695040888963407u; }

inline const Numbers& random_numbers(size_t n) {
	static Numbers all;
	while (all.size() < n) all.push_back(splitmix(1, all.size()));
	return all;
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
void each(tbb::task_arena& arena, size_t n, const F& f) {
	const auto body = [&f](const Range& r) {
		for (size_t i = r.begin(), end = r.end(); i < end; i++) f(i);
	};
	arena.execute([&] { tbb::parallel_for(Range(0, n), body); });
}

inline Outcome each_number(tbb::task_arena& arena, uint64_t n) {
	return written(Numbers(n), [&](Numbers& out) {
		each(arena, n, [to = out.data()](size_t i) { to[i] = step(i); });
	});
}

inline Outcome range(tbb::task_arena& arena, uint64_t n) {
	static std::vector<double> bs, cs;
	for (size_t i = bs.size(); i < n; i++) bs.push_back(double(i % 1000)), cs.push_back(double(i % 7));
	const double *const b = bs.data(), *const c = cs.data();
	return written(std::vector<double>(n), [&](auto& out) {
		each(arena, n, [a = out.data(), b, c](size_t i) { a[i] = b[i] + 3 * c[i]; });
	});
}

// reduced adds up n random numbers.
inline Outcome reduced(tbb::task_arena& arena, uint64_t n) {
	const uint64_t* const in = random_numbers(n).data();
	const auto body = [in](const Range& r, uint64_t sum) {
		for (size_t i = r.begin(), end = r.end(); i < end; i++) sum += in[i];
		return sum;
	};
	uint64_t result = 0;
	const int64_t ns = timed([&] {
		arena.execute([&] { result = tbb::parallel_reduce(Range(0, n), uint64_t(0), body, std::plus<>()); });
	});
	return {{ns}, result};
}

inline Outcome seq(tbb::task_arena& arena, uint64_t n) {
	uint64_t next = 0, sum = 0;
	const auto source = [&next, n](tbb::flow_control& control) {
		if (next == n) control.stop();
		return next == n ? next : next++;
	};
	const auto stage = [](uint64_t x) { return x; };
	using tbb::filter_mode;
	const int64_t ns = timed([&] {
		arena.execute([&] {
			tbb::parallel_pipeline(4 * size_t(arena.max_concurrency()), tbb::make_filter<void, uint64_t>(filter_mode::serial_in_order, source) &
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

inline Outcome mandelbrot(tbb::task_arena& arena, uint64_t points) {
	const size_t side = size_t(std::llround(std::sqrt(double(points))));
	return written(Numbers(side * side), [&](Numbers& out) {
		each(arena, side, [to = out.data(), side](size_t i) {
			const double y = 3 * double(i) / double(side) - 1.5;
			for (size_t j = 0; j < side; j++) to[i * side + j] = escape(3 * double(j) / double(side) - 2, y);
		});
	});
}

inline Outcome sort_ints(tbb::task_arena& arena, uint64_t n) {
	const Numbers& in = random_numbers(n);
	return written(std::vector<int64_t>(in.begin(), in.end()), [&](auto& a) {
		arena.execute([&] { tbb::parallel_sort(a.begin(), a.end()); });
	});
}

inline const Workloads loops{
	{"par-for", each_number}, {"par-range", range}, {"par-reduce", reduced},
	{"par-seq", seq}, {"par-mandelbrot", mandelbrot}, {"par-sort-int", sort_ints},
};
