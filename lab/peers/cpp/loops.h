// The workloads par-… but sorts, and sweep-…, on oneTBB. Their definitions are in README.md.
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/parallel_scan.h>

#include <bit>
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
inline uint64_t bits(double x) { return std::bit_cast<uint64_t>(x); }
inline uint64_t as_it_is(uint64_t x) { return x; }

// written times what writes numbers to out, and digests these.
template <class T, class Write>
Outcome written(std::vector<T> out, uint64_t (*number)(T), const Write& write) {
	const int64_t ns = timed([&] { write(out); });
	uint64_t sum = 0, i = 0;
	for (const T x : out) sum += ++i * number(x);
	return {ns, std::to_string(sum)};
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
	arena(workers).execute([&] {
		if (grain > 0) {
			tbb::parallel_for(Range(0, n, grain), body, tbb::simple_partitioner());
		} else {
			tbb::parallel_for(Range(0, n), body);
		}
	});
}

// reduced folds n random numbers, pieces by part, and joins what comes of two.
template <class Part, class Join>
Outcome reduced(unsigned workers, uint64_t n, uint64_t identity, const Part& part, const Join& join) {
	const uint64_t* const in = random_numbers(n).data();
	uint64_t result = 0;
	const int64_t ns = timed([&] {
		arena(workers).execute([&] {
			const auto body = [in, &part](const Range& r, uint64_t x) { return part(in + r.begin(), r.size(), x); };
			result = tbb::parallel_reduce(Range(0, n), identity, body, join);
		});
	});
	return {ns, std::to_string(result)};
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

// map steps random numbers, to new memory or to memory that is there.
inline Outcome map(unsigned workers, uint64_t n, bool anew) {
	const uint64_t* const in = random_numbers(n).data();
	return written(Numbers(anew ? 0 : n), as_it_is, [&](Numbers& out) {
		if (anew) out = Numbers(n);
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
	return {ns, std::to_string(sum)};
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
	return {ns, std::to_string(errors)};
}

// sweep_steps says which elements have how much of the work.
inline std::vector<uint32_t> sweep_steps(uint64_t n, unsigned average, const std::string& shape) {
	std::vector<uint32_t> all(n, average);
	const double total = double(n) * average;
	if (shape == "first") {
		for (uint32_t& steps : all) steps = uint32_t(total / 2 / double(std::max<uint64_t>(1, n - 1)));
		all[0] = uint32_t(total / 2);
	} else if (shape == "power") {
		double sum = 0;
		for (uint64_t k = 0; k < n; k++) sum += 1 / double(k + 1);
		for (uint64_t i = 0; i < n; i++) all[i] = uint32_t(total / sum / double(i * 7919 % n + 1));
	}
	return all;
}

inline Outcome sweep(unsigned workers, uint64_t n, unsigned average, const std::string& shape) {
	const std::string key = "sweep " + std::to_string(average) + " " + shape + " " + std::to_string(n);
	const uint32_t* const steps = kept<std::vector<uint32_t>>(key, [&] { return sweep_steps(n, average, shape); }).data();
	return numbers(n, [&](uint64_t* to) {
		each(workers, n, [to, steps](size_t i) BODY {
			uint64_t x = i + 1;
			for (uint32_t k = steps[i]; k > 0; k--) x = (x ^ x >> 32) * 6364136223846793005u;
			to[i] = x;
		});
	});
}

// The inner loops of programs.

inline double unit(uint64_t i) { return double(splitmix(1, i) >> 11) / double(uint64_t(1) << 53); }

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

struct Place {
	double x, y, z;
};

inline Outcome bodies(unsigned workers, size_t n) {
	const auto& all = kept<std::vector<Place>>("bodies " + std::to_string(n), [n] {
		std::vector<Place> all(n);
		for (size_t i = 0; i < n; i++) all[i] = {unit(3 * i), unit(3 * i + 1), unit(3 * i + 2)};
		return all;
	});
	return written(std::vector<double>(3 * n), bits, [&](auto& out) {
		double* const to = out.data();
		each(workers, n, [to, &all](size_t i) BODY {
			const Place here = all[i];
			double ax = 0, ay = 0, az = 0;
			for (const Place& b : all) {
				const double dx = b.x - here.x, dy = b.y - here.y, dz = b.z - here.z;
				const double d = dx * dx + dy * dy + dz * dz + 1e-9, f = 1 / (d * std::sqrt(d));
				ax += dx * f, ay += dy * f, az += dz * f;
			}
			to[3 * i] = ax, to[3 * i + 1] = ay, to[3 * i + 2] = az;
		});
	});
}

inline void life_row(size_t n, uint8_t* next, const uint8_t* above, const uint8_t* row, const uint8_t* below) {
	for (size_t j = 0; j < n; j++) {
		const size_t l = j == 0 ? n - 1 : j - 1, r = j + 1 == n ? 0 : j + 1;
		const int around = above[l] + above[j] + above[r] + row[l] + row[r] + below[l] + below[j] + below[r];
		next[j] = around == 3 || (around == 2 && row[j] == 1);
	}
}

inline Outcome life(unsigned workers, size_t n) {
	std::vector<uint8_t> first(n * n), next(n * n);
	for (size_t i = 0; i < first.size(); i++) first[i] = splitmix(1, i) & 1;
	return written(first, +[](uint8_t x) { return uint64_t(x); }, [&](auto& now) {
		for (int steps = 0; steps < 100; steps++) {
			const uint8_t* const from = now.data();
			uint8_t* const to = next.data();
			each(workers, n, [from, to, n](size_t i) BODY {
				life_row(n, to + i * n, from + (i + n - 1) % n * n, from + i * n, from + (i + 1) % n * n);
			});
			now.swap(next);
		}
	});
}

struct Matrix {
	std::vector<uint64_t> starts;
	std::vector<uint32_t> columns;
	std::vector<double> values, x;
};

inline Matrix make_matrix(uint64_t n) {
	Matrix m;
	m.starts.push_back(0);
	for (const uint32_t length : sweep_steps(n, 10, "power")) m.starts.push_back(m.starts.back() + length);
	for (uint64_t k = 0; k < m.starts.back(); k++) {
		m.columns.push_back(uint32_t(splitmix(2, k) % n));
		m.values.push_back(unit(k));
	}
	for (uint64_t i = 0; i < n; i++) m.x.push_back(unit(n + i));
	return m;
}

inline Outcome sparse(unsigned workers, uint64_t n) {
	const auto& m = kept<Matrix>("sparse " + std::to_string(n), [n] { return make_matrix(n); });
	return written(std::vector<double>(n), bits, [&](auto& out) {
		double* const y = out.data();
		each(workers, n, [&m, y](size_t i) BODY {
			double sum = 0;
			for (uint64_t k = m.starts[i]; k < m.starts[i + 1]; k++) sum += m.values[k] * m.x[m.columns[k]];
			y[i] = sum;
		});
	});
}

// add_loops adds all of them.
inline void add_loops(Workloads& to) {
	to["par-for"] = [](unsigned workers, uint64_t n) {
		return numbers(n, [&](uint64_t* to) { each(workers, n, [to](size_t i) BODY { to[i] = step(i); }); });
	};
	to["par-nested"] = nested;
	to["par-range"] = range;
	to["par-map"] = [](unsigned workers, uint64_t n) { return map(workers, n, true); };
	to["par-mapinto"] = [](unsigned workers, uint64_t n) { return map(workers, n, false); };
	to["par-reduce"] = [](unsigned workers, uint64_t n) {
		const auto part = [](const uint64_t* in, size_t n, uint64_t sum) {
			uint64_t own = 0;
			for (size_t i = 0; i < n; i++) own = add(own, in[i]);
			return add(sum, own);
		};
		return reduced(workers, n, 0, part, add);
	};
	to["par-sum"] = [](unsigned workers, uint64_t n) {
		const auto part = [](const uint64_t* in, size_t n, uint64_t sum) {
			for (size_t i = 0; i < n; i++) sum += in[i];
			return sum;
		};
		return reduced(workers, n, 0, part, std::plus<>());
	};
	to["par-min"] = [](unsigned workers, uint64_t n) {
		const auto least = [](uint64_t a, uint64_t b) { return std::min(a, b); };
		const auto part = [](const uint64_t* in, size_t n, uint64_t x) {
			for (size_t i = 0; i < n; i++) x = std::min(x, in[i]);
			return x;
		};
		return reduced(workers, n, UINT64_MAX, part, least);
	};
	to["par-scan"] = scan;
	to["par-histogram-256"] = histogram<256>;
	to["par-histogram-100000"] = histogram<100000>;
	to["par-seq"] = seq;
	to["par-error"] = fail;
	to["par-mandelbrot"] = [](unsigned workers, uint64_t n) { return mandelbrot(workers, root(n)); };
	to["par-nbody"] = [](unsigned workers, uint64_t n) { return bodies(workers, root(n)); };
	to["par-life"] = [](unsigned workers, uint64_t n) { return life(workers, root(n)); };
	to["par-sparse"] = sparse;
	for (const auto& [body, average] : {std::pair("1ns", 1), std::pair("100ns", 75), std::pair("10us", 7500)}) {
		for (const std::string shape : {"even", "first", "power"}) {
			to[std::string("sweep-") + body + "-" + shape] = [average = average, shape](unsigned workers, uint64_t n) {
				return sweep(workers, n, average, shape);
			};
		}
	}
}
