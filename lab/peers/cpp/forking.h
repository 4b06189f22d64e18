// The workloads that fork, and those that wait, in a table.
#pragma once

#include <atomic>
#include <cstdio>
#include <thread>

#include "serve.h"
#include "uts.h"
#include "waits.h"
#include "workloads.h"

// entered runs work in a pool of that many workers, timed from outside, and renders what
// it returns.
template <class P, class Work>
Outcome entered(unsigned workers, const Work& work) {
	uint64_t result = 0;
	const int64_t ns = timed([&] { P::enter(workers, [&] { result = work(); }); });
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

// asleep waits until the workers sleep, as far as anybody can know from outside.
inline void asleep(unsigned workers) {
	if (workers > 0) std::this_thread::sleep_for(5 * leaf_time);
}

// leaves has hand_out hand out a job as often as there are leaves.
template <class P, class HandOut>
Outcome leaves(unsigned workers, const HandOut& hand_out) {
	std::atomic<uint64_t> ran{0};
	const auto leaf = [&] {
		P::leaf();
		ran.fetch_add(1, std::memory_order_relaxed);
	};
	asleep(workers);
	const int64_t ns = timed([&] { hand_out(leaf); });
	return {ns, std::to_string(ran)};
}

// in_rounds adds up the digests of rounds with different seeds.
template <class P, class Round>
Outcome in_rounds(unsigned workers, uint64_t seed, const Round& round) {
	wake<P>(workers);
	uint64_t sum = 0;
	const int64_t ns = timed([&] {
		for (uint64_t i = 0; i < rounds; i++) sum += round(rounds * seed + i);
	});
	return {ns, std::to_string(sum)};
}

template <class P>
Outcome run_beside(unsigned workers, uint64_t most, std::chrono::milliseconds every) {
	const Beside b = beside<P>(workers, most, every);
	std::string more = " " + std::to_string(b.alone) + " " + std::to_string(b.beside);
	for (const int64_t ns : b.requests) more += " " + std::to_string(ns);
	return {b.ns, std::to_string(b.lost), more};
}

// most_leaves is few enough for a stack: a spine is as deep.
constexpr uint64_t most_leaves = 4096;

constexpr uint64_t most_seeds = 1000000, most_strangers = 1000, most_millis = 60000;

template <class P>
std::vector<Workload> forking_workloads() {
	std::vector<Workload> all;
	// What add is given prepares the input, runs it with the implementation of its first
	// argument, and renders the result.
	const auto add = [&all](const char* name, uint64_t size, uint64_t most, auto run) {
		const auto by = [run](auto p) { return [run, p](unsigned workers, uint64_t n) { return run(p, workers, n); }; };
		all.push_back({name, size, most, by(Plain()), by(P()), by(Counting())});
	};
	add("fib", 32, 50, [](auto p, unsigned workers, uint64_t n) {
		return entered<decltype(p)>(workers, [&] { return fib<decltype(p)>(n); });
	});
	add("tree", 22, 26, [](auto p, unsigned workers, uint64_t levels) {
		const TreeNode& tree = tree_of(levels);
		return entered<decltype(p)>(workers, [&] { return sum_tree<decltype(p)>(tree); });
	});
	add("uts", 1, 3, [](auto p, unsigned workers, uint64_t number) {
		const uts::Tree& tree = number == 1 ? uts::T1 : uts::T3;
		return entered<decltype(p)>(workers, [&] { return uts::count<decltype(p)>(tree, uts::root(tree)); });
	});
	add("queens", 11, 16, [](auto p, unsigned workers, uint64_t n) {
		const uint32_t columns = (uint32_t(1) << n) - 1;
		return entered<decltype(p)>(workers, [&] { return queens<decltype(p)>(columns, 0, 0, 0); });
	});
	add("integrate", 10000, 100000, [](auto p, unsigned workers, uint64_t end) {
		const double x = double(end);
		double area = 0;
		Outcome o = entered<decltype(p)>(workers, [&] {
			area = integrate<decltype(p)>(0, integrand(0), x, integrand(x));
			return 0;
		});
		char text[64];
		std::snprintf(text, sizeof text, "%.6f", area);
		o.result = text;
		return o;
	});
	add("sort", 10000000, 100000000, [](auto p, unsigned workers, uint64_t n) {
		std::vector<int64_t> a(n), buffer(n);
		for (uint64_t i = 0; i < n; i++) a[i] = random_number(i);
		Outcome o = entered<decltype(p)>(workers, [&] {
			merge_sort<decltype(p)>(a.data(), buffer.data(), n, false);
			return 0;
		});
		uint64_t checksum = 0;
		for (uint64_t i = 0; i < n; i++) checksum += i * uint64_t(a[i]);
		o.result = std::to_string(checksum);
		return o;
	});
	add("matmul", 512, 4096, [](auto p, unsigned workers, uint64_t n) {
		Matrices m(n);
		Outcome o = entered<decltype(p)>(workers, [&] {
			multiply<decltype(p)>(m, 0, n, 0, n);
			return 0;
		});
		double sum = 0;
		for (const double x : m.c) sum += x;
		o.result = std::to_string(int64_t(sum));
		return o;
	});
	add("submit", 100000, 100000000, [](auto p, unsigned workers, uint64_t n) {
		std::atomic<uint64_t> ran{0};
		const int64_t ns = timed([&] { p.submit(workers, n, [&] { ran.fetch_add(1, std::memory_order_relaxed); }); });
		return Outcome{ns, std::to_string(ran)};
	});
	add("fill-flat", 128, most_leaves, [](auto p, unsigned workers, uint64_t n) {
		asleep(workers);
		return entered<decltype(p)>(workers, [&] { return fill_flat<decltype(p)>(n); });
	});
	add("fill-spine", 128, most_leaves, [](auto p, unsigned workers, uint64_t n) {
		asleep(workers);
		return entered<decltype(p)>(workers, [&] { return fill_spine<decltype(p)>(n); });
	});
	add("fill-tree", 128, most_leaves, [](auto p, unsigned workers, uint64_t n) {
		asleep(workers);
		return entered<decltype(p)>(workers, [&] { return fill_tree<decltype(p)>(n); });
	});
	add("fill-scope", 128, most_leaves, [](auto p, unsigned workers, uint64_t n) {
		return leaves<decltype(p)>(workers, [&](const auto& leaf) { p.enter(workers, [&] { p.spawn_each(n, leaf); }); });
	});
	add("fill-submit", 128, most_leaves, [](auto p, unsigned workers, uint64_t n) {
		return leaves<decltype(p)>(workers, [&](const auto& leaf) { p.submit(workers, n, leaf); });
	});
	add("locks-once", 1, most_seeds, [](auto p, unsigned workers, uint64_t seed) {
		return in_rounds<decltype(p)>(workers, seed, [&](uint64_t s) { return OnceCells(s).template roots<decltype(p)>(workers); });
	});
	add("locks-mutex", 1, most_seeds, [](auto p, unsigned workers, uint64_t seed) {
		return in_rounds<decltype(p)>(workers, seed, [&](uint64_t s) { return Locks().template jobs<decltype(p)>(workers, s); });
	});
	add("late", 8, most_strangers, [](auto p, unsigned workers, uint64_t strangers) {
		const auto [ns, ran] = late<decltype(p)>(workers, strangers);
		return Outcome{ns, std::to_string(ran)};
	});
	for (const auto& [name, every] : {std::pair("beside", 1), std::pair("beside-busy", 0)}) {
		add(name, 2000, most_millis, [every = std::chrono::milliseconds(every)](auto p, unsigned workers, uint64_t most) {
			return run_beside<decltype(p)>(workers, most, every);
		});
		all.back().counting = nullptr;
	}
	return all;
}
