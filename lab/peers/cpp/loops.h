// The workloads par-… and sweep-…, each written once for every implementation L of
// loops. Their definitions are in README.md.
//
//   each(workers, n, f)               f(i) for each i below n
//   nested(workers, n, f)             a loop of n loops of n
//   sum(…), least(…)                  of n numbers
//   reduce(workers, in, n, op)        their sum by a function
//   scan(workers, in, n, out, op)     running sums by a function
//   histogram(…)                      counts the numbers of each bucket
//   sort(…), stable_sort(…)           by a comparison
//   seq(workers, n, stage)            the numbers below n in order, through a stage
//   fail(workers, n, fails)           ends a loop at an index that fails
//
// PlainLoops has all of them. Others have what their library has, and the table is told so.
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


// numbers times what writes n numbers, and digests these.
template <class Write>
Outcome numbers(size_t n, const Write& write) {
	Numbers out(n);
	const int64_t ns = timed([&] { write(out.data()); });
	return {ns, digest(out)};
}

// number times what returns one.
template <class Work>
Outcome number(const Work& work) {
	uint64_t result = 0;
	const int64_t ns = timed([&] { result = work(); });
	return {std::max<int64_t>(ns, 1), std::to_string(result)};
}

struct Triad {
	std::vector<double> b, c;
};

inline Triad make_triad(size_t n) {
	Triad t{std::vector<double>(n), std::vector<double>(n)};
	for (size_t i = 0; i < n; i++) t.b[i] = double(i % 1000), t.c[i] = double(i % 7);
	return t;
}

inline const auto add = [](uint64_t a, uint64_t b) BODY { return a + b; };

// The inputs of sorts. Of random pairs about ten have each key.
enum Input { randomly, sorted, reverse, few, almost, exponential };

constexpr std::pair<const char*, Input> inputs[] = {
	{"", randomly}, {"-sorted", sorted}, {"-reverse", reverse}, {"-few", few}, {"-almost", almost}, {"-exponential", exponential},
};

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

template <class L>
Outcome sort_ints(unsigned workers, uint64_t n, Input input) {
	auto a = kept<std::vector<int64_t>>("ints " + std::to_string(input) + " " + std::to_string(n), [n, input] {
		std::vector<int64_t> all(n);
		for (size_t i = 0; i < n; i++) all[i] = int64_t(sort_key(input, i, n));
		return all;
	});
	const int64_t ns = timed([&] { L::sort(workers, a, std::less<>()); });
	uint64_t sum = 0;
	for (uint64_t i = 0; i < n; i++) sum += i * uint64_t(a[i]);
	return {ns, std::is_sorted(a.begin(), a.end()) ? std::to_string(sum) : "unsorted"};
}

template <class L>
Outcome sort_pairs(unsigned workers, uint64_t n, Input input) {
	auto a = kept<std::vector<Pair>>("pairs " + std::to_string(input) + " " + std::to_string(n), [n, input] {
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

inline std::string letters(uint64_t i) {
	std::string all(8 + splitmix(2, 4 * i) % 17, 0);
	for (size_t k = 0; k < all.size(); k++) all[k] = char('a' + (splitmix(2, 4 * i + 1 + k / 8) >> (8 * (k % 8)) & 0xff) % 26);
	return all;
}

template <class L>
Outcome sort_strings(unsigned workers, uint64_t n) {
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

// The shapes of a sweep: which elements have how much of the work.
enum Shape { even, first, power };

inline std::vector<uint32_t> sweep_steps(uint64_t n, unsigned average, Shape shape) {
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

template <class L>
Outcome sweep(unsigned workers, uint64_t n, unsigned average, Shape shape) {
	const std::string key = "sweep " + std::to_string(average) + " " + std::to_string(shape) + " " + std::to_string(n);
	const uint32_t* const steps = kept<std::vector<uint32_t>>(key, [=] { return sweep_steps(n, average, shape); }).data();
	Outcome o = numbers(n, [&](uint64_t* to) {
		L::each(workers, n, [to, steps](size_t i) BODY {
			uint64_t x = i + 1;
			for (uint32_t k = steps[i]; k > 0; k--) x = (x ^ x >> 32) * 6364136223846793005u;
			to[i] = x;
		});
	});
	o.ns = std::max<int64_t>(o.ns, 1);
	return o;
}

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

template <class L>
Outcome mandelbrot(unsigned workers, size_t side) {
	return numbers(side * side, [&](uint64_t* to) {
		L::each(workers, side, [to, side](size_t i) BODY {
			const double y = 3 * double(i) / double(side) - 1.5;
			for (size_t j = 0; j < side; j++) to[i * side + j] = escape(3 * double(j) / double(side) - 2, y);
		});
	});
}

struct Place {
	double x, y, z;
};

template <class L>
Outcome bodies(unsigned workers, size_t n) {
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

inline void life_row(size_t n, uint8_t* next, const uint8_t* above, const uint8_t* row, const uint8_t* below) {
	for (size_t j = 0; j < n; j++) {
		const size_t l = j == 0 ? n - 1 : j - 1, r = j + 1 == n ? 0 : j + 1;
		const int around = above[l] + above[j] + above[r] + row[l] + row[r] + below[l] + below[j] + below[r];
		next[j] = around == 3 || (around == 2 && row[j] == 1);
	}
}

template <class L>
Outcome life(unsigned workers, size_t n) {
	std::vector<uint8_t> now(n * n), next(n * n);
	for (size_t i = 0; i < now.size(); i++) now[i] = splitmix(1, i) & 1;
	const int64_t ns = timed([&] {
		for (int steps = 0; steps < 100; steps++) {
			const uint8_t* const from = now.data();
			uint8_t* const to = next.data();
			L::each(workers, n, [from, to, n](size_t i) BODY {
				life_row(n, to + i * n, from + (i + n - 1) % n * n, from + i * n, from + (i + 1) % n * n);
			});
			now.swap(next);
		}
	});
	return {ns, digest(now)};
}

struct Matrix {
	std::vector<uint64_t> starts;
	std::vector<uint32_t> columns;
	std::vector<double> values, x;
};

inline Matrix make_matrix(uint64_t n) {
	Matrix m;
	m.starts.push_back(0);
	for (const uint32_t length : sweep_steps(n, 10, power)) m.starts.push_back(m.starts.back() + length);
	for (uint64_t k = 0; k < m.starts.back(); k++) {
		m.columns.push_back(uint32_t(splitmix(2, k) % n));
		m.values.push_back(unit(k));
	}
	for (uint64_t i = 0; i < n; i++) m.x.push_back(unit(n + i));
	return m;
}

template <class L>
Outcome sparse(unsigned workers, uint64_t n) {
	const auto& m = kept<Matrix>("sparse " + std::to_string(n), [n] { return make_matrix(n); });
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

// add_loops adds the workloads whose names, or beginnings of names, are among these words.
template <class L>
void add_loops(std::vector<Workload>& to, const std::string& words) {
	const auto loop = [&](const std::string& name, auto run) {
		const auto by = [run](auto l) { return [run, l](unsigned workers, uint64_t n) { return run(l, workers, n); }; };
		std::istringstream all(words);
		for (std::string word; all >> word;) {
			if (name == word || name.rfind(word + "-", 0) == 0) {
				to.push_back({"par-" + name, 1000000, 1000000000, by(PlainLoops()), by(L())});
			}
		}
	};
	loop("for", [](auto l, unsigned workers, uint64_t n) {
		return numbers(n, [&](uint64_t* to) { l.each(workers, n, [to](size_t i) BODY { to[i] = step(i); }); });
	});
	loop("range", [](auto l, unsigned workers, uint64_t n) {
		const Triad& t = kept<Triad>("triad " + std::to_string(n), [n] { return make_triad(n); });
		std::vector<double> out(n);
		double* const a = out.data();
		const double *const b = t.b.data(), *const c = t.c.data();
		const int64_t ns = timed([&] { l.each(workers, n, [a, b, c](size_t i) { a[i] = b[i] + 3 * c[i]; }); });
		return Outcome{ns, digest(out)};
	});
	loop("map", [](auto l, unsigned workers, uint64_t n) {
		const uint64_t* const in = random_numbers(n).data();
		Numbers out;
		const int64_t ns = timed([&] {
			out = Numbers(n);
			uint64_t* const to = out.data();
			l.each(workers, n, [in, to](size_t i) BODY { to[i] = step(in[i]); });
		});
		return Outcome{ns, digest(out)};
	});
	loop("mapinto", [](auto l, unsigned workers, uint64_t n) {
		const uint64_t* const in = random_numbers(n).data();
		return numbers(n, [&](uint64_t* to) { l.each(workers, n, [in, to](size_t i) BODY { to[i] = step(in[i]); }); });
	});
	loop("reduce", [](auto l, unsigned workers, uint64_t n) {
		const uint64_t* const in = random_numbers(n).data();
		return number([&] { return l.reduce(workers, in, n, add); });
	});
	loop("sum", [](auto l, unsigned workers, uint64_t n) {
		const uint64_t* const in = random_numbers(n).data();
		return number([&] { return l.sum(workers, in, n); });
	});
	loop("min", [](auto l, unsigned workers, uint64_t n) {
		const uint64_t* const in = random_numbers(n).data();
		return number([&] { return l.least(workers, in, n); });
	});
	loop("scan", [](auto l, unsigned workers, uint64_t n) {
		const uint64_t* const in = random_numbers(n).data();
		Numbers out;
		const int64_t ns = timed([&] {
			out = Numbers(n);
			l.scan(workers, in, n, out.data(), add);
		});
		return Outcome{ns, digest(out)};
	});
	loop("nested", [](auto l, unsigned workers, uint64_t n) {
		const size_t side = root(n);
		return numbers(side * side, [&](uint64_t* to) { l.nested(workers, side, [to](size_t i) BODY { to[i] = step(i); }); });
	});
	const auto histogram = [&loop](auto constant) {
		loop("histogram-" + std::to_string(constant.value), [](auto l, unsigned workers, uint64_t n) {
			constexpr uint64_t buckets = decltype(constant)::value;
			const uint64_t* const in = random_numbers(n).data();
			const auto bucket = [](uint64_t x) BODY { return size_t((x >> 32) * buckets >> 32); };
			return numbers(buckets, [&](uint64_t* counts) { l.histogram(workers, in, n, counts, buckets, bucket); });
		});
	};
	histogram(std::integral_constant<uint64_t, 256>());
	histogram(std::integral_constant<uint64_t, 100000>());
	loop("seq", [](auto l, unsigned workers, uint64_t n) {
		return number([&] { return l.seq(workers, n, [](uint64_t x) BODY { return x; }); });
	});
	loop("error", [](auto l, unsigned workers, uint64_t n) {
		return number([&] { return l.fail(workers, n, [](size_t i) BODY { return i == 0; }); });
	});
	for (const auto& [name, input] : inputs) {
		loop(std::string("sort-int") + name, [input = input](auto l, unsigned workers, uint64_t n) { return sort_ints<decltype(l)>(workers, n, input); });
	}
	loop("sort-strings", [](auto l, unsigned workers, uint64_t n) { return sort_strings<decltype(l)>(workers, n); });
	for (const auto& [name, input] : inputs) {
		loop(std::string("sort-pairs") + name, [input = input](auto l, unsigned workers, uint64_t n) { return sort_pairs<decltype(l)>(workers, n, input); });
	}
	loop("mandelbrot", [](auto l, unsigned workers, uint64_t n) { return mandelbrot<decltype(l)>(workers, root(n)); });
	loop("nbody", [](auto l, unsigned workers, uint64_t n) { return bodies<decltype(l)>(workers, root(n)); });
	loop("life", [](auto l, unsigned workers, uint64_t n) { return life<decltype(l)>(workers, root(n)); });
	loop("sparse", [](auto l, unsigned workers, uint64_t n) { return sparse<decltype(l)>(workers, n); });
}

// add_sweeps adds loops of elements of about 1 ns, 100 ns and 10 µs.
template <class L>
void add_sweeps(std::vector<Workload>& to) {
	for (const auto& [body, average] : {std::pair("1ns", 1), std::pair("100ns", 75), std::pair("10us", 7500)}) {
		for (const auto& [name, shape] : {std::pair("even", even), std::pair("first", first), std::pair("power", power)}) {
			const auto by = [average = average, shape = shape](auto l) {
				return [=](unsigned workers, uint64_t n) { return sweep<decltype(l)>(workers, n, average, shape); };
			};
			to.push_back({std::string("sweep-") + body + "-" + name, 1000, 10000000, by(PlainLoops()), by(L()), nullptr, true});
		}
	}
}
