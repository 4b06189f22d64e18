// The workloads par-… and sweep-…, each written once for every implementation L of
// loops. Their definitions are in README.md.
//
//   each(workers, n, f)               f(i) for each i below n
//   nested(workers, n, f)             a loop of n loops of n
//   sum(…), least(…)                  of n numbers
//   reduce(workers, in, n, op)        their sum by a function
//   scan(workers, in, n, out, op)     running sums by a function
//   filter(workers, in, n, out, keep) how many it has copied
//   find(workers, in, n, found)       the first that is found, or n
//   histogram(…)                      counts the numbers of each bucket
//   sort(…), stable_sort(…)           by a comparison
//   seq(workers, n, stage)            the numbers below n in order, through a stage
//   fail(workers, n, fails)           ends a loop at an index that fails
//
// PlainLoops has all of them. Others have what their library has.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "serve.h"

// BODY marks what Go calls by a function value, which Go does not inline. Built with
// CALLED it is called here, too, so that libraries are compared and not compilers.
#ifdef CALLED
#define BODY __attribute__((noinline))
#else
#define BODY
#endif

// step is the least work that a loop can have: about a nanosecond.
inline uint64_t step(uint64_t x) { return x * 6364136223846793005u + 1442695040888963407u; }

inline uint64_t splitmix(uint64_t seed, uint64_t index) {
	uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

struct Pair {
	int64_t key;
	uint64_t number;
};

struct PlainLoops {
	template <class F>
	static void each(unsigned, size_t n, const F& f) {
		for (size_t i = 0; i < n; i++) f(i);
	}

	template <class F>
	static void nested(unsigned, size_t n, const F& f) {
		for (size_t i = 0; i < n; i++) {
			for (size_t j = 0; j < n; j++) f(i * n + j);
		}
	}

	static uint64_t sum(unsigned, const uint64_t* in, size_t n) {
		uint64_t sum = 0;
		for (size_t i = 0; i < n; i++) sum += in[i];
		return sum;
	}

	static uint64_t least(unsigned, const uint64_t* in, size_t n) { return *std::min_element(in, in + n); }

	template <class Op>
	static uint64_t reduce(unsigned, const uint64_t* in, size_t n, const Op& op) {
		uint64_t sum = 0;
		for (size_t i = 0; i < n; i++) sum = op(sum, in[i]);
		return sum;
	}

	template <class Op>
	static void scan(unsigned, const uint64_t* in, size_t n, uint64_t* out, const Op& op) {
		uint64_t sum = 0;
		for (size_t i = 0; i < n; i++) out[i] = sum = op(sum, in[i]);
	}

	template <class Keep>
	static size_t filter(unsigned, const uint64_t* in, size_t n, uint64_t* out, const Keep& keep) {
		return std::copy_if(in, in + n, out, keep) - out;
	}

	template <class Found>
	static size_t find(unsigned, const uint64_t* in, size_t n, const Found& found) {
		return std::find_if(in, in + n, found) - in;
	}

	template <class Bucket>
	static void histogram(unsigned, const uint64_t* in, size_t n, uint64_t* counts, size_t, const Bucket& bucket) {
		for (size_t i = 0; i < n; i++) counts[bucket(in[i])]++;
	}

	template <class T, class Less>
	static void sort(unsigned, std::vector<T>& a, const Less& less) { std::sort(a.begin(), a.end(), less); }

	template <class T, class Less>
	static void stable_sort(unsigned, std::vector<T>& a, const Less& less) { std::stable_sort(a.begin(), a.end(), less); }

	template <class Stage>
	static uint64_t seq(unsigned, uint64_t n, const Stage& stage) {
		uint64_t sum = 0;
		for (volatile uint64_t i = 0; i < n; i = i + 1) sum += stage(i);
		return sum;
	}

	template <class Fails>
	static uint64_t fail(unsigned, uint64_t n, const Fails& fails) {
		for (volatile uint64_t i = 0; i < n; i = i + 1) {
			if (fails(i)) return 1;
		}
		return 0;
	}
};

// The last input, one of all types: two would be hundreds of megabytes.
inline std::shared_ptr<void> last_input;
inline std::string last_input_key;

// kept returns what make returns, or has returned if the last call had the same key: making
// input takes longer than most runs.
template <class T, class Make>
const T& kept(const std::string& key, const Make& make) {
	if (last_input_key != key) {
		last_input_key.clear();
		last_input.reset();
		last_input = std::make_shared<T>(make());
		last_input_key = key;
	}
	return *static_cast<const T*>(last_input.get());
}

using Numbers = std::vector<uint64_t>;

inline const Numbers& random_numbers(size_t n) {
	return kept<Numbers>("random " + std::to_string(n), [n] {
		Numbers all(n);
		for (size_t i = 0; i < n; i++) all[i] = splitmix(1, i);
		return all;
	});
}

template <class Container>
std::string digest(const Container& all) {
	uint64_t sum = 0, i = 0;
	for (const auto x : all) sum += ++i * uint64_t(x);
	return std::to_string(sum);
}

inline size_t root(uint64_t n) { return size_t(std::llround(std::sqrt(double(n)))); }

struct LoopFor {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		Numbers out(n);
		uint64_t* const to = out.data();
		const int64_t ns = timed([&] { L::each(workers, n, [to](size_t i) BODY { to[i] = step(i); }); });
		return {ns, digest(out)};
	}
};

struct LoopNested {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		const size_t side = root(n);
		Numbers out(side * side);
		uint64_t* const to = out.data();
		const int64_t ns = timed([&] { L::nested(workers, side, [to](size_t i) BODY { to[i] = step(i); }); });
		return {ns, digest(out)};
	}
};

struct Triad {
	std::vector<double> b, c;
};

struct LoopRange {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		const Triad& t = kept<Triad>("triad " + std::to_string(n), [n] {
			Triad t{std::vector<double>(n), std::vector<double>(n)};
			for (size_t i = 0; i < n; i++) t.b[i] = double(i % 1000), t.c[i] = double(i % 7);
			return t;
		});
		std::vector<double> out(n);
		double* const a = out.data();
		const double *const b = t.b.data(), *const c = t.c.data();
		const int64_t ns = timed([&] { L::each(workers, n, [a, b, c](size_t i) { a[i] = b[i] + 3 * c[i]; }); });
		return {ns, digest(out)};
	}
};

struct LoopMap {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		const uint64_t* const in = random_numbers(n).data();
		Numbers out;
		const int64_t ns = timed([&] {
			out = Numbers(n);
			uint64_t* const to = out.data();
			L::each(workers, n, [in, to](size_t i) BODY { to[i] = step(in[i]); });
		});
		return {ns, digest(out)};
	}
};

struct LoopMapInto {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		const uint64_t* const in = random_numbers(n).data();
		Numbers out(n);
		uint64_t* const to = out.data();
		const int64_t ns = timed([&] { L::each(workers, n, [in, to](size_t i) BODY { to[i] = step(in[i]); }); });
		return {ns, digest(out)};
	}
};

struct LoopFilter {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		const Numbers& in = random_numbers(n);
		Numbers out;
		const int64_t ns = timed([&] {
			out = Numbers(n);
			out.resize(L::filter(workers, in.data(), n, out.data(), [](uint64_t x) BODY { return (x & 1) == 1; }));
		});
		return {ns, digest(out)};
	}
};

inline const auto add = [](uint64_t a, uint64_t b) BODY { return a + b; };

struct LoopReduce {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		const Numbers& in = random_numbers(n);
		uint64_t sum = 0;
		const int64_t ns = timed([&] { sum = L::reduce(workers, in.data(), n, add); });
		return {ns, std::to_string(sum)};
	}
};

struct LoopSum {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		const Numbers& in = random_numbers(n);
		uint64_t sum = 0;
		const int64_t ns = timed([&] { sum = L::sum(workers, in.data(), n); });
		return {ns, std::to_string(sum)};
	}
};

struct LoopMin {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		const Numbers& in = random_numbers(n);
		uint64_t least = 0;
		const int64_t ns = timed([&] { least = L::least(workers, in.data(), n); });
		return {ns, std::to_string(least)};
	}
};

struct LoopScan {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		const Numbers& in = random_numbers(n);
		Numbers out;
		const int64_t ns = timed([&] {
			out = Numbers(n);
			L::scan(workers, in.data(), n, out.data(), add);
		});
		return {ns, digest(out)};
	}
};

// LoopFind looks for the only number that is not 0. It is behind so many halves of all.
template <unsigned halves, bool last>
struct LoopFind {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		const size_t at = size_t(n * halves / 2 - last);
		const Numbers& in = kept<Numbers>("find " + std::to_string(at) + " " + std::to_string(n), [n, at] {
			Numbers all(n);
			if (at < n) all[at] = 1;
			return all;
		});
		size_t found = 0;
		const int64_t ns = timed([&] { found = L::find(workers, in.data(), n, [](uint64_t x) BODY { return x != 0; }); });
		return {ns, std::to_string(found)};
	}
};

template <unsigned buckets>
struct LoopHistogram {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		const Numbers& in = random_numbers(n);
		Numbers counts(buckets);
		const auto bucket = [](uint64_t x) BODY { return size_t((x >> 32) * buckets >> 32); };
		const int64_t ns = timed([&] { L::histogram(workers, in.data(), n, counts.data(), buckets, bucket); });
		return {ns, digest(counts)};
	}
};

// The inputs of sorts. Of random pairs about ten have each key.
enum Input { randomly, sorted, reverse, few, almost, exponential };

inline uint64_t sort_key(Input input, uint64_t i, uint64_t n) {
	switch (input) {
	case sorted: return i << 20;
	case reverse: return (n - i) << 20;
	case few: return splitmix(1, i) % 16 << 40;
	case almost: return (splitmix(1, 2 * i) % 100 == 0 ? splitmix(1, 2 * i + 1) % n : i) << 20;
	case exponential: return splitmix(1, 2 * i) >> splitmix(1, 2 * i + 1) % 64;
	default: return splitmix(1, i);
	}
}

template <Input input>
struct LoopSortInt {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		auto a = kept<std::vector<int64_t>>("ints " + std::to_string(input) + " " + std::to_string(n), [n] {
			std::vector<int64_t> all(n);
			for (size_t i = 0; i < n; i++) all[i] = int64_t(sort_key(input, i, n));
			return all;
		});
		const int64_t ns = timed([&] { L::sort(workers, a, std::less<>()); });
		uint64_t sum = 0;
		for (uint64_t i = 0; i < n; i++) sum += i * uint64_t(a[i]);
		return {ns, std::is_sorted(a.begin(), a.end()) ? std::to_string(sum) : "unsorted"};
	}
};

template <Input input>
struct LoopSortPairs {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		auto a = kept<std::vector<Pair>>("pairs " + std::to_string(input) + " " + std::to_string(n), [n] {
			std::vector<Pair> all(n);
			for (size_t i = 0; i < n; i++) {
				const uint64_t key = sort_key(input, i, n);
				all[i] = {int64_t(input == randomly ? key % std::max<uint64_t>(1, n / 10) : key), i};
			}
			return all;
		});
		const int64_t ns = timed([&] {
			L::stable_sort(workers, a, [](const Pair& x, const Pair& y) BODY { return x.key < y.key; });
		});
		uint64_t sum = 0;
		for (size_t i = 0; i < n; i++) {
			if (i > 0 && std::pair(a[i - 1].key, a[i - 1].number) >= std::pair(a[i].key, a[i].number)) return {ns, "unsorted"};
			sum += (i + 1) * a[i].number;
		}
		return {ns, std::to_string(sum)};
	}
};

inline std::string letters(uint64_t i) {
	std::string all(8 + splitmix(2, 4 * i) % 17, 0);
	for (size_t k = 0; k < all.size(); k++) all[k] = char('a' + (splitmix(2, 4 * i + 1 + k / 8) >> (8 * (k % 8)) & 0xff) % 26);
	return all;
}

struct LoopSortStrings {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		const auto& in = kept<std::vector<std::string>>("strings " + std::to_string(n), [n] {
			std::vector<std::string> all(n);
			for (size_t i = 0; i < n; i++) all[i] = letters(i);
			return all;
		});
		// What Go sorts is the place and the length of the letters, too.
		std::vector<std::string_view> a(in.begin(), in.end());
		const int64_t ns = timed([&] { L::sort(workers, a, std::less<>()); });
		uint64_t sum = 0, i = 0;
		for (const std::string_view s : a) {
			uint64_t hash = 0xcbf29ce484222325;
			for (const char c : s) hash = (hash ^ uint8_t(c)) * 0x100000001b3;
			sum += ++i * hash;
		}
		return {ns, std::is_sorted(a.begin(), a.end()) ? std::to_string(sum) : "unsorted"};
	}
};

struct LoopSeq {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		uint64_t sum = 0;
		const int64_t ns = timed([&] { sum = L::seq(workers, n, [](uint64_t x) BODY { return x; }); });
		return {ns, std::to_string(sum)};
	}
};

struct LoopError {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		uint64_t errors = 0;
		const int64_t ns = timed([&] { errors = L::fail(workers, n, [](size_t i) BODY { return i == 0; }); });
		return {std::max<int64_t>(ns, 1), std::to_string(errors)};
	}
};

// The shapes of a sweep: which elements have how much of the work.
enum Shape { even, first, power };

template <unsigned average, Shape shape>
struct Sweep {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		const std::string key = "sweep " + std::to_string(average) + " " + std::to_string(shape) + " " + std::to_string(n);
		const auto& all = kept<std::vector<uint32_t>>(key, [n] { return sizes(n); });
		const uint32_t* const steps = all.data();
		Numbers out(n);
		uint64_t* const to = out.data();
		const int64_t ns = timed([&] {
			L::each(workers, n, [to, steps](size_t i) BODY {
				uint64_t x = i + 1;
				for (uint32_t k = steps[i]; k > 0; k--) x = (x ^ x >> 32) * 6364136223846793005u;
				to[i] = x;
			});
		});
		return {std::max<int64_t>(ns, 1), digest(out)};
	}

	static std::vector<uint32_t> sizes(uint64_t n) {
		std::vector<uint32_t> all(n, average);
		const double total = double(n) * average;
		if (shape == first) {
			for (uint32_t& steps : all) steps = uint32_t(total / 2 / double(std::max<uint64_t>(1, n - 1)));
			all[0] = uint32_t(total / 2);
		} else if (shape == power) {
			double sum = 0;
			for (uint64_t k = 0; k < n; k++) sum += 1 / double(k + 1);
			for (uint64_t i = 0; i < n; i++) all[i] = uint32_t(total / sum / double(i * 7919 % n + 1));
		}
		return all;
	}
};

// The inner loops of programs.

inline double unit(uint64_t i) { return double(splitmix(1, i) >> 11) / double(uint64_t(1) << 53); }

inline std::string bits_digest(const std::vector<double>& all) {
	uint64_t sum = 0, i = 0;
	for (const double x : all) {
		uint64_t bits;
		std::memcpy(&bits, &x, sizeof bits);
		sum += ++i * bits;
	}
	return std::to_string(sum);
}

struct LoopMandelbrot {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		const size_t side = root(n);
		Numbers out(side * side);
		uint64_t* const to = out.data();
		const int64_t ns = timed([&] {
			L::each(workers, side, [to, side](size_t i) BODY {
				const double y = 3 * double(i) / double(side) - 1.5;
				for (size_t j = 0; j < side; j++) to[i * side + j] = escape(3 * double(j) / double(side) - 2, y);
			});
		});
		return {ns, digest(out)};
	}

	static uint64_t escape(double cx, double cy) {
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
};

struct Place {
	double x, y, z;
};

struct LoopBodies {
	template <class L>
	static Outcome run(unsigned workers, uint64_t pairs) {
		const size_t n = root(pairs);
		const auto& all = kept<std::vector<Place>>("bodies " + std::to_string(n), [n] {
			std::vector<Place> all(n);
			for (size_t i = 0; i < n; i++) all[i] = {unit(3 * i), unit(3 * i + 1), unit(3 * i + 2)};
			return all;
		});
		std::vector<double> out(3 * n);
		double* const to = out.data();
		const int64_t ns = timed([&] {
			L::each(workers, n, [to, &all](size_t i) BODY {
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
		return {ns, bits_digest(out)};
	}
};

struct LoopLife {
	template <class L>
	static Outcome run(unsigned workers, uint64_t cells) {
		const size_t n = root(cells);
		std::vector<uint8_t> now(n * n), next(n * n);
		for (size_t i = 0; i < now.size(); i++) now[i] = splitmix(1, i) & 1;
		const int64_t ns = timed([&] {
			for (int steps = 0; steps < 100; steps++) {
				const uint8_t* const from = now.data();
				uint8_t* const to = next.data();
				L::each(workers, n, [from, to, n](size_t i) BODY {
					row(n, to + i * n, from + (i + n - 1) % n * n, from + i * n, from + (i + 1) % n * n);
				});
				now.swap(next);
			}
		});
		return {ns, digest(now)};
	}

	static void row(size_t n, uint8_t* next, const uint8_t* above, const uint8_t* row, const uint8_t* below) {
		for (size_t j = 0; j < n; j++) {
			const size_t l = j == 0 ? n - 1 : j - 1, r = j + 1 == n ? 0 : j + 1;
			const int around = above[l] + above[j] + above[r] + row[l] + row[r] + below[l] + below[j] + below[r];
			next[j] = around == 3 || (around == 2 && row[j] == 1);
		}
	}
};

struct Matrix {
	std::vector<uint64_t> starts;
	std::vector<uint32_t> columns;
	std::vector<double> values, x;
};

struct LoopSparse {
	template <class L>
	static Outcome run(unsigned workers, uint64_t n) {
		const auto& m = kept<Matrix>("sparse " + std::to_string(n), [n] { return make(n); });
		std::vector<double> out(n);
		double* const y = out.data();
		const int64_t ns = timed([&] {
			L::each(workers, n, [&m, y](size_t i) BODY {
				double sum = 0;
				for (uint64_t k = m.starts[i]; k < m.starts[i + 1]; k++) sum += m.values[k] * m.x[m.columns[k]];
				y[i] = sum;
			});
		});
		return {ns, bits_digest(out)};
	}

	static Matrix make(uint64_t n) {
		Matrix m;
		m.starts.push_back(0);
		for (const uint32_t length : Sweep<10, power>::sizes(n)) m.starts.push_back(m.starts.back() + length);
		for (uint64_t k = 0; k < m.starts.back(); k++) {
			m.columns.push_back(uint32_t(splitmix(2, k) % n));
			m.values.push_back(unit(k));
		}
		for (uint64_t i = 0; i < n; i++) m.x.push_back(unit(n + i));
		return m;
	}
};

constexpr uint64_t most_elements = 1000000000;

template <class W, class L>
Workload loop(const std::string& name, uint64_t size = 1000000) {
	return {"par-" + name, size, most_elements, W::template run<PlainLoops>, nullptr, W::template run<L>};
}

template <class L, unsigned average>
void add_sweeps(std::vector<Workload>& to, const std::string& body) {
	const auto add = [&](const char* shape, auto plain, auto peer) {
		to.push_back({"sweep-" + body + "-" + shape, 1000, 10000000, plain, nullptr, peer, true});
	};
	add("even", Sweep<average, even>::template run<PlainLoops>, Sweep<average, even>::template run<L>);
	add("first", Sweep<average, first>::template run<PlainLoops>, Sweep<average, first>::template run<L>);
	add("power", Sweep<average, power>::template run<PlainLoops>, Sweep<average, power>::template run<L>);
}

// add_all_sweeps adds elements of about 1 ns, 100 ns and 10 µs.
template <class L>
void add_all_sweeps(std::vector<Workload>& to) {
	add_sweeps<L, 1>(to, "1ns");
	add_sweeps<L, 75>(to, "100ns");
	add_sweeps<L, 7500>(to, "10us");
}

// The inner loops of programs, for whoever has loops.
template <class L>
void add_kernels(std::vector<Workload>& to) {
	to.push_back(loop<LoopMandelbrot, L>("mandelbrot"));
	to.push_back(loop<LoopBodies, L>("nbody"));
	to.push_back(loop<LoopLife, L>("life"));
	to.push_back(loop<LoopSparse, L>("sparse"));
}

// The sorts of integers and strings.
template <class L>
void add_sorts(std::vector<Workload>& to) {
	to.push_back(loop<LoopSortInt<randomly>, L>("sort-int"));
	to.push_back(loop<LoopSortInt<sorted>, L>("sort-int-sorted"));
	to.push_back(loop<LoopSortInt<reverse>, L>("sort-int-reverse"));
	to.push_back(loop<LoopSortInt<few>, L>("sort-int-few"));
	to.push_back(loop<LoopSortInt<almost>, L>("sort-int-almost"));
	to.push_back(loop<LoopSortInt<exponential>, L>("sort-int-exponential"));
	to.push_back(loop<LoopSortStrings, L>("sort-strings"));
}

// The sorts that are stable.
template <class L>
void add_stable_sorts(std::vector<Workload>& to) {
	to.push_back(loop<LoopSortPairs<randomly>, L>("sort-pairs"));
	to.push_back(loop<LoopSortPairs<sorted>, L>("sort-pairs-sorted"));
	to.push_back(loop<LoopSortPairs<reverse>, L>("sort-pairs-reverse"));
	to.push_back(loop<LoopSortPairs<few>, L>("sort-pairs-few"));
	to.push_back(loop<LoopSortPairs<almost>, L>("sort-pairs-almost"));
	to.push_back(loop<LoopSortPairs<exponential>, L>("sort-pairs-exponential"));
}
