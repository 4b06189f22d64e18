// The protocol of README.md, the same for every peer.
#pragma once

#include <atomic>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fork.h"
#include "uts.h"
#include "waits.h"
#include "workloads.h"

struct Outcome {
	int64_t ns;
	std::string result;
	std::string more = "";  // what the answer has behind the forks
};

template <class Work>
int64_t timed(const Work& work) {
	const auto begin = std::chrono::steady_clock::now();
	work();
	return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin).count();
}

// The runners below prepare a workload's input, run it with P, timed from
// outside the pool, and render its result.

template <class P>
Outcome run_fib(unsigned workers, uint64_t n) {
	uint64_t result;
	const int64_t ns = timed([&] { P::enter(workers, [&] { result = fib<P>(n); }); });
	return {ns, std::to_string(result)};
}

// tree_of returns the tree of the last call if it had that many levels, since
// building takes longer than summing.
inline const TreeNode& tree_of(uint64_t levels) {
	static std::unique_ptr<TreeNode> tree;
	static uint64_t built;
	if (built != levels) {
		tree = build_tree(1, unsigned(levels));
		built = levels;
	}
	return *tree;
}

template <class P>
Outcome run_tree(unsigned workers, uint64_t levels) {
	const TreeNode& tree = tree_of(levels);
	uint64_t result;
	const int64_t ns = timed([&] { P::enter(workers, [&] { result = sum_tree<P>(tree); }); });
	return {ns, std::to_string(result)};
}

template <class P>
Outcome run_uts(unsigned workers, uint64_t number) {
	const uts::Tree& tree = number == 1 ? uts::T1 : uts::T3;
	uint64_t result;
	const int64_t ns = timed([&] { P::enter(workers, [&] { result = uts::count<P>(tree, uts::root(tree)); }); });
	return {ns, std::to_string(result)};
}

template <class P>
Outcome run_queens(unsigned workers, uint64_t n) {
	const uint32_t all = (uint32_t(1) << n) - 1;
	uint64_t result;
	const int64_t ns = timed([&] { P::enter(workers, [&] { result = queens<P>(all, 0, 0, 0); }); });
	return {ns, std::to_string(result)};
}

template <class P>
Outcome run_integrate(unsigned workers, uint64_t end) {
	const double x = double(end);
	double result;
	const int64_t ns = timed([&] {
		P::enter(workers, [&] { result = integrate<P>(0, integrand(0), x, integrand(x)); });
	});
	char text[64];
	std::snprintf(text, sizeof text, "%.6f", result);
	return {ns, text};
}

template <class P>
Outcome run_sort(unsigned workers, uint64_t n) {
	std::vector<int64_t> a(n), buffer(n);
	for (uint64_t i = 0; i < n; i++) a[i] = random_number(i);
	const int64_t ns = timed([&] { P::enter(workers, [&] { merge_sort<P>(a.data(), buffer.data(), n, false); }); });
	uint64_t checksum = 0;
	for (uint64_t i = 0; i < n; i++) checksum += i * uint64_t(a[i]);
	return {ns, std::to_string(checksum)};
}

template <class P>
Outcome run_matmul(unsigned workers, uint64_t n) {
	Matrices m(n);
	const int64_t ns = timed([&] { P::enter(workers, [&] { multiply<P>(m, 0, n, 0, n); }); });
	double sum = 0;
	for (const double x : m.c) sum += x;
	return {ns, std::to_string(int64_t(sum))};
}

template <class P>
Outcome run_submit(unsigned workers, uint64_t n) {
	std::atomic<uint64_t> ran{0};
	const int64_t ns = timed([&] { P::submit(workers, n, [&] { ran.fetch_add(1, std::memory_order_relaxed); }); });
	return {ns, std::to_string(ran)};
}

// asleep waits until the workers sleep, as far as anybody can know from outside.
inline void asleep(unsigned workers) {
	if (workers > 0) std::this_thread::sleep_for(5 * leaf_time);
}

template <class P, uint64_t shape(size_t)>
Outcome run_fill(unsigned workers, uint64_t leaves) {
	asleep(workers);
	uint64_t ran;
	const int64_t ns = timed([&] { P::enter(workers, [&] { ran = shape(leaves); }); });
	return {ns, std::to_string(ran)};
}

// run_leaves has hand_out hand out a job as often as there are leaves.
template <class P, class HandOut>
Outcome run_leaves(unsigned workers, const HandOut& hand_out) {
	std::atomic<uint64_t> ran{0};
	const auto leaf = [&] {
		P::leaf();
		ran.fetch_add(1, std::memory_order_relaxed);
	};
	asleep(workers);
	const int64_t ns = timed([&] { hand_out(leaf); });
	return {ns, std::to_string(ran)};
}

template <class P>
Outcome run_fill_scope(unsigned workers, uint64_t leaves) {
	return run_leaves<P>(workers, [&](const auto& leaf) { P::enter(workers, [&] { P::spawn_each(leaves, leaf); }); });
}

template <class P>
Outcome run_fill_submit(unsigned workers, uint64_t leaves) {
	return run_leaves<P>(workers, [&](const auto& leaf) { P::submit(workers, leaves, leaf); });
}

// run_rounds adds up the digests of rounds with different seeds.
template <class P, uint64_t round(unsigned, uint64_t)>
Outcome run_rounds(unsigned workers, uint64_t seed) {
	wake<P>(workers);
	uint64_t sum = 0;
	const int64_t ns = timed([&] {
		for (uint64_t i = 0; i < rounds; i++) sum += round(workers, rounds * seed + i);
	});
	return {ns, std::to_string(sum)};
}

template <class P>
Outcome run_late(unsigned workers, uint64_t strangers) {
	const auto [ns, ran] = late<P>(workers, strangers);
	return {ns, std::to_string(ran)};
}

template <class P, int every>
Outcome run_beside(unsigned workers, uint64_t most) {
	const Beside b = beside<P>(workers, most, std::chrono::milliseconds(every));
	std::string more = " " + std::to_string(b.alone) + " " + std::to_string(b.beside);
	for (const int64_t ns : b.requests) more += " " + std::to_string(ns);
	return {b.ns, std::to_string(b.lost), more};
}

// most_leaves is few enough for a stack: a spine is as deep.
constexpr uint64_t most_leaves = 4096;

constexpr uint64_t most_seeds = 1000000, most_strangers = 1000, most_millis = 60000;

struct Workload {
	std::string name;
	uint64_t size, most;  // uts: the number of the tree; locks-…: the seed; beside: milliseconds
	Outcome (*plain)(unsigned, uint64_t);
	Outcome (*counting)(unsigned, uint64_t);  // null if there is no fork to count
	Outcome (*peer)(unsigned, uint64_t);
	bool grains = false;  // whether a grain may follow the size
};

// grain is that of the line that is being answered, 0 if it has none.
inline uint64_t grain = 0;

inline uint64_t parse(const std::string& what, const std::string& text, uint64_t least, uint64_t most) {
	if (text.empty() || text.size() > 12 || text.find_first_not_of("0123456789") != std::string::npos ||
	    std::stoull(text) < least || std::stoull(text) > most) {
		throw std::invalid_argument(what + " " + text + " is not a number from " + std::to_string(least) + " to " +
		                            std::to_string(most));
	}
	return std::stoull(text);
}

inline uint64_t parse_size(const Workload& w, const std::string& text) {
	if (w.name != "uts") return parse("size", text, 1, w.most);
	if (text == "T1") return 1;
	if (text == "T3") return 3;
	throw std::invalid_argument("no tree " + text + "; there are T1 and T3");
}

// forking_workloads are those that fork, and those that wait.
template <class P>
std::vector<Workload> forking_workloads() {
	std::vector<Workload> workloads = {
		{"fib", 32, 50, run_fib<Plain>, run_fib<Counting>, run_fib<P>},
		{"tree", 22, 26, run_tree<Plain>, run_tree<Counting>, run_tree<P>},
		{"uts", 1, 3, run_uts<Plain>, run_uts<Counting>, run_uts<P>},
		{"queens", 11, 16, run_queens<Plain>, run_queens<Counting>, run_queens<P>},
		{"integrate", 10000, 100000, run_integrate<Plain>, run_integrate<Counting>, run_integrate<P>},
		{"sort", 10000000, 100000000, run_sort<Plain>, run_sort<Counting>, run_sort<P>},
		{"matmul", 512, 4096, run_matmul<Plain>, run_matmul<Counting>, run_matmul<P>},
		{"submit", 100000, 100000000, run_submit<Plain>, run_submit<Counting>, run_submit<P>},
		{"fill-flat", 128, most_leaves, run_fill<Plain, fill_flat<Plain>>,
		 run_fill<Counting, fill_flat<Counting>>, run_fill<P, fill_flat<P>>},
		{"fill-spine", 128, most_leaves, run_fill<Plain, fill_spine<Plain>>,
		 run_fill<Counting, fill_spine<Counting>>, run_fill<P, fill_spine<P>>},
		{"fill-tree", 128, most_leaves, run_fill<Plain, fill_tree<Plain>>,
		 run_fill<Counting, fill_tree<Counting>>, run_fill<P, fill_tree<P>>},
		{"fill-scope", 128, most_leaves, run_fill_scope<Plain>, run_fill_scope<Counting>, run_fill_scope<P>},
		{"fill-submit", 128, most_leaves, run_fill_submit<Plain>, run_fill_submit<Counting>, run_fill_submit<P>},
		{"locks-once", 1, most_seeds, run_rounds<Plain, locks_once<Plain>>,
		 run_rounds<Counting, locks_once<Counting>>, run_rounds<P, locks_once<P>>},
		{"locks-mutex", 1, most_seeds, run_rounds<Plain, locks_mutex<Plain>>,
		 run_rounds<Counting, locks_mutex<Counting>>, run_rounds<P, locks_mutex<P>>},
	};
	if constexpr (P::outside) {
		workloads.push_back({"late", 8, most_strangers, run_late<Plain>, run_late<Counting>, run_late<P>});
		workloads.push_back({"beside", 2000, most_millis, run_beside<Plain, 1>, nullptr, run_beside<P, 1>});
		workloads.push_back({"beside-busy", 2000, most_millis, run_beside<Plain, 0>, nullptr, run_beside<P, 0>});
	}
	return workloads;
}

// serve answers the lines of standard input until it ends. rest sends workers to
// sleep that would go on spinning.
inline int serve(const std::vector<Workload>& workloads, void (*rest)(unsigned)) {
	// forks_of remembers what was counted, since counting takes as long as a run.
	std::map<std::pair<std::string, uint64_t>, uint64_t> forks_of;

	const auto run = [&](std::istringstream& words) {
		std::string name, workers_text, size_text, grain_text;
		words >> name >> workers_text >> size_text >> grain_text;
		for (const Workload& w : workloads) {
			if (w.name != name) continue;
			const unsigned workers = unsigned(parse("workers", workers_text, 0, 256));
			const uint64_t size = size_text.empty() ? w.size : parse_size(w, size_text);
			if (!w.grains && !grain_text.empty()) throw std::invalid_argument(name + " has no grain");
			grain = grain_text.empty() ? 0 : parse("grain", grain_text, 1, w.most);
			uint64_t forks = 0;
			if (workers > 0 && w.counting) {
				const auto [known, isnew] = forks_of.try_emplace({name, size}, 0);
				if (isnew) {
					Counting::forks = 0;
					w.counting(0, size);
					known->second = Counting::forks;
				}
				forks = known->second;
			}
			const Outcome o = (workers == 0 ? w.plain : w.peer)(workers, size);
			if (workers > 0) rest(workers);
			std::cout << o.ns << ' ' << o.result << ' ' << forks << o.more << std::endl;
			return;
		}
		throw std::invalid_argument("no workload " + name);
	};

	for (std::string line; std::getline(std::cin, line);) {
		std::istringstream words(line);
		std::string command;
		words >> command;
		try {
			if (command == "list") {
				for (const Workload& w : workloads) std::cout << (&w == workloads.data() ? "" : " ") << w.name;
				std::cout << std::endl;
			} else if (command == "run") {
				run(words);
			} else {
				throw std::invalid_argument("no command " + command + "; there are list and run");
			}
		} catch (const std::exception& e) {
			std::cout << "error: " << e.what() << std::endl;
		}
	}
	return 0;
}
