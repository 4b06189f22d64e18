// The sorts, by what a library has: sort(workers, a, less), and stable_sort if it has one.
// Their definitions are in README.md.
#pragma once

#include <string_view>
#include <utility>

#include "serve.h"

struct Pair {
	int64_t key;
	uint64_t number;
};

// The inputs of sorts, by what the name of a workload ends with. Of random pairs about ten have
// each key.
constexpr const char* inputs[] = {"", "-sorted", "-reverse", "-few", "-almost", "-exponential"};

inline uint64_t sort_key(std::string_view input, uint64_t i, uint64_t n) {
	if (input == "-sorted") return i << 20;
	if (input == "-reverse") return (n - i) << 20;
	if (input == "-few") return splitmix(1, i) % 16 << 40;
	if (input == "-almost") return (splitmix(1, 2 * i) % 100 == 0 ? splitmix(1, 2 * i + 1) % n : i) << 20;
	if (input == "-exponential") return splitmix(1, 2 * i) >> splitmix(1, 2 * i + 1) % 64;
	return splitmix(1, i);
}

template <class Sort>
Outcome sort_ints(const Sort& sort, unsigned workers, uint64_t n, const std::string& input) {
	auto a = kept<std::vector<int64_t>>("ints " + input + " " + std::to_string(n), [n, &input] {
		std::vector<int64_t> all(n);
		for (size_t i = 0; i < n; i++) all[i] = int64_t(sort_key(input, i, n));
		return all;
	});
	const int64_t ns = timed([&] { sort(workers, a, std::less<>()); });
	uint64_t sum = 0;
	for (uint64_t i = 0; i < n; i++) sum += i * uint64_t(a[i]);
	return {ns, std::is_sorted(a.begin(), a.end()) ? std::to_string(sum) : "unsorted"};
}

template <class Sort>
Outcome sort_pairs(const Sort& sort, unsigned workers, uint64_t n, const std::string& input) {
	auto a = kept<std::vector<Pair>>("pairs " + input + " " + std::to_string(n), [n, &input] {
		std::vector<Pair> all(n);
		for (size_t i = 0; i < n; i++) {
			const uint64_t key = sort_key(input, i, n);
			all[i] = {int64_t(input.empty() ? key % std::max<uint64_t>(1, n / 10) : key), i};
		}
		return all;
	});
	const auto less = [](const Pair& x, const Pair& y) BODY { return x.key < y.key; };
	const int64_t ns = timed([&] { sort(workers, a, less); });
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

template <class Sort>
Outcome sort_strings(const Sort& sort, unsigned workers, uint64_t n) {
	const auto& in = kept<std::vector<std::string>>("strings " + std::to_string(n), [n] {
		std::vector<std::string> all(n);
		for (size_t i = 0; i < n; i++) all[i] = letters(i);
		return all;
	});
	// What Go sorts is the place and the length of the letters, too.
	std::vector<std::string_view> a(in.begin(), in.end());
	const int64_t ns = timed([&] { sort(workers, a, std::less<>()); });
	uint64_t sum = 0, i = 0;
	for (const std::string_view s : a) {
		uint64_t hash = 0xcbf29ce484222325;
		for (const char c : s) hash = (hash ^ uint8_t(c)) * 0x100000001b3;
		sum += ++i * hash;
	}
	return {ns, std::is_sorted(a.begin(), a.end()) ? std::to_string(sum) : "unsorted"};
}

// add_sorts adds those of integers and strings.
template <class Sort>
void add_sorts(Workloads& to, const Sort& sort) {
	for (const std::string input : inputs) {
		to["par-sort-int" + input] = [=](unsigned workers, uint64_t n) {
			return sort_ints(sort, workers, n, input);
		};
	}
	to["par-sort-strings"] = [=](unsigned workers, uint64_t n) { return sort_strings(sort, workers, n); };
}

// add_stable_sorts adds those of pairs.
template <class Sort>
void add_stable_sorts(Workloads& to, const Sort& sort) {
	for (const std::string input : inputs) {
		to["par-sort-pairs" + input] = [=](unsigned workers, uint64_t n) {
			return sort_pairs(sort, workers, n, input);
		};
	}
}
