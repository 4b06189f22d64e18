// The workloads par-… on oneTBB. Their definitions are in README.md.
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
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

inline const auto add = [](uint64_t a, uint64_t b) BODY { return a + b; };

inline const Numbers& random_numbers(size_t n) {
	return kept<Numbers>("random " + std::to_string(n), [n] {
		Numbers all(n);
		for (size_t i = 0; i < n; i++) all[i] = splitmix(1, i);
		return all;
	});
}

inline size_t root(uint64_t n) { return size_t(std::llround(std::sqrt(double(n)))); }

inline uint64_t whole(double x) { return uint64_t(x); }
inline uint64_t as_it_is(uint64_t x) { return x; }

// written times what writes numbers to out, and digests these.
template <class T, class Write>
Outcome written(std::vector<T> out, uint64_t (*number)(T), const Write& write) {
	const int64_t ns = timed([&] { write(out); });
	uint64_t sum = 0, i = 0;
	for (const T x : out) sum += ++i * number(x);
	return {{ns}, std::to_string(sum)};
}

// numbers does so with n numbers.
template <class Write>
Outcome numbers(size_t n, const Write& write) {
	return written(Numbers(n), as_it_is, [&](Numbers& out) { write(out.data()); });
}

// each calls f for each index below n.
template <class F>
void each(unsigned workers, size_t n, const F& f) {
	const auto body = [&f](const Range& r) {
		for (size_t i = r.begin(), end = r.end(); i < end; i++) f(i);
	};
	arena(workers).execute([&] { tbb::parallel_for(Range(0, n), body); });
}

// reduced adds up n random numbers, pieces by part.
template <class Part, class Add>
Outcome reduced(unsigned workers, uint64_t n, const Part& part, const Add& add) {
	const uint64_t* const in = random_numbers(n).data();
	uint64_t result = 0;
	const int64_t ns = timed([&] {
		arena(workers).execute([&] {
			const auto body = [in, &part](const Range& r, uint64_t x) { return part(in + r.begin(), r.size(), x); };
			result = tbb::parallel_reduce(Range(0, n), uint64_t(0), body, add);
		});
	});
	return {{ns}, std::to_string(result)};
}

inline Outcome nested(unsigned workers, uint64_t size) {
	const size_t n = root(size);
	return numbers(n * n, [&](uint64_t* to) {
		const auto f = [to](size_t i) BODY { to[i] = step(i); };
		arena(workers).execute([&] {
			tbb::parallel_for(size_t(0), n, [&](size_t i) {
				tbb::parallel_for(size_t(0), n, [&f, i, n](size_t j) { f(i * n + j); });
			});
		});
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
	return written(std::vector<double>(n), whole, [&](auto& out) {
		double* const a = out.data();
		each(workers, n, [a, b, c](size_t i) { a[i] = b[i] + 3 * c[i]; });
	});
}

inline Outcome map(unsigned workers, uint64_t n) {
	const uint64_t* const in = random_numbers(n).data();
	return written(Numbers(), as_it_is, [&](Numbers& out) {
		out = Numbers(n);
		uint64_t* const to = out.data();
		each(workers, n, [in, to](size_t i) BODY { to[i] = step(in[i]); });
	});
}

inline Outcome scan(unsigned workers, uint64_t n) {
	const uint64_t* const in = random_numbers(n).data();
	return written(Numbers(), as_it_is, [&](Numbers& out) {
		out = Numbers(n);
		uint64_t* const to = out.data();
		const auto body = [in, to](const Range& r, uint64_t sum, bool final) {
			for (size_t i = r.begin(), end = r.end(); i < end; i++) {
				sum = add(sum, in[i]);
				if (final) to[i] = sum;
			}
			return sum;
		};
		arena(workers).execute([&] { tbb::parallel_scan(Range(0, n), uint64_t(0), body, add); });
	});
}

template <uint64_t buckets>
Outcome histogram(unsigned workers, uint64_t n) {
	const uint64_t* const in = random_numbers(n).data();
	const auto bucket = [](uint64_t x) BODY { return size_t((x >> 32) * buckets >> 32); };
	return numbers(buckets, [&](uint64_t* counts) {
		arena(workers).execute([&] {
			tbb::enumerable_thread_specific<Numbers> all([] { return Numbers(buckets); });
			tbb::parallel_for(Range(0, n), [&](const Range& r) {
				uint64_t* const part = all.local().data();
				for (size_t i = r.begin(), end = r.end(); i < end; i++) part[bucket(in[i])]++;
			});
			for (const Numbers& part : all) {
				for (size_t b = 0; b < buckets; b++) counts[b] += part[b];
			}
		});
	});
}

inline Outcome seq(unsigned workers, uint64_t n) {
	uint64_t next = 0, sum = 0;
	const auto source = [&next, n](tbb::flow_control& control) {
		if (next == n) control.stop();
		return next == n ? next : next++;
	};
	const auto stage = [](uint64_t x) BODY { return x; };
	using tbb::filter_mode;
	const int64_t ns = timed([&] {
		arena(workers).execute([&] {
			tbb::parallel_pipeline(4 * workers, tbb::make_filter<void, uint64_t>(filter_mode::serial_in_order, source) &
				tbb::make_filter<uint64_t, uint64_t>(filter_mode::parallel, stage) &
				tbb::make_filter<uint64_t, void>(filter_mode::serial_in_order, [&sum](uint64_t x) { sum += x; }));
		});
	});
	return {{ns}, std::to_string(sum)};
}

inline Outcome fail(unsigned workers, uint64_t n) {
	const auto fails = [](size_t i) BODY { return i == 0; };
	uint64_t errors = 0;
	const int64_t ns = timed([&] {
		arena(workers).execute([&] {
			tbb::task_group_context context;
			tbb::parallel_for(Range(0, n), [&](const Range& r) {
				for (size_t i = r.begin(); i < r.end() && !context.is_group_execution_cancelled(); i++) {
					if (fails(i)) {
						errors = 1;
						context.cancel_group_execution();
					}
				}
			}, context);
		});
	});
	return {{ns}, std::to_string(errors)};
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

inline Outcome mandelbrot(unsigned workers, size_t side) {
	return numbers(side * side, [&](uint64_t* to) {
		each(workers, side, [to, side](size_t i) BODY {
			const double y = 3 * double(i) / double(side) - 1.5;
			for (size_t j = 0; j < side; j++) to[i * side + j] = escape(3 * double(j) / double(side) - 2, y);
		});
	});
}

inline Outcome sort_ints(unsigned workers, uint64_t n) {
	const Numbers& in = random_numbers(n);
	std::vector<int64_t> a(in.begin(), in.end());
	const int64_t ns = timed([&] { arena(workers).execute([&] { tbb::parallel_sort(a.begin(), a.end()); }); });
	uint64_t sum = 0;
	for (uint64_t i = 0; i < n; i++) sum += i * uint64_t(a[i]);
	return {{ns}, std::is_sorted(a.begin(), a.end()) ? std::to_string(sum) : "unsorted"};
}

// add_loops adds all of them.
inline void add_loops(Workloads& to) {
	to["par-for"] = [](unsigned workers, uint64_t n) {
		return numbers(n, [&](uint64_t* to) { each(workers, n, [to](size_t i) BODY { to[i] = step(i); }); });
	};
	to["par-nested"] = nested;
	to["par-range"] = range;
	to["par-map"] = map;
	to["par-reduce"] = [](unsigned workers, uint64_t n) {
		const auto part = [](const uint64_t* in, size_t n, uint64_t sum) {
			uint64_t own = 0;
			for (size_t i = 0; i < n; i++) own = add(own, in[i]);
			return add(sum, own);
		};
		return reduced(workers, n, part, add);
	};
	to["par-sum"] = [](unsigned workers, uint64_t n) {
		const auto part = [](const uint64_t* in, size_t n, uint64_t sum) {
			for (size_t i = 0; i < n; i++) sum += in[i];
			return sum;
		};
		return reduced(workers, n, part, std::plus<>());
	};
	to["par-scan"] = scan;
	to["par-histogram-256"] = histogram<256>;
	to["par-histogram-100000"] = histogram<100000>;
	to["par-seq"] = seq;
	to["par-error"] = fail;
	to["par-mandelbrot"] = [](unsigned workers, uint64_t n) { return mandelbrot(workers, root(n)); };
	to["par-sort-int"] = sort_ints;
}
