// The protocol of README.md, and what all workloads need.
#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

// What a run of a workload gives: what was timed, in nanoseconds, and its result.
struct Outcome {
	std::vector<int64_t> ns;
	uint64_t result;
};

// A workload keeps its input for the next run in static variables: a program has one workload, of one size.
using Run = Outcome (*)(tbb::task_arena& arena, uint64_t size);
using Workloads = std::map<std::string, Run>;

template <class Work>
int64_t timed(const Work& work) {
	const auto begin = std::chrono::steady_clock::now();
	work();
	const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - begin;
	return std::max<int64_t>(took.count(), 1);
}

// splitmix is the index-th number of SplitMix64.
inline uint64_t splitmix(uint64_t seed, uint64_t index) {
	uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

// serve runs a workload for each line of standard input.
inline int serve(const Workloads& workloads, const std::vector<std::string>& args) {
	const auto number = [&](size_t i) { return args.size() == 3 ? std::strtoull(args[i].c_str(), nullptr, 10) : 0; };
	const uint64_t workers = number(1), size = number(2);
	if (workers == 0 || size == 0 || !workloads.count(args[0])) {
		std::cerr << "the arguments are WORKLOAD WORKERS SIZE; or there is no such workload" << std::endl;
		return 1;
	}
	// More threads than processors must be asked for. The caller is one of them.
	const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, workers);
	tbb::task_arena arena{int(workers)};
	for (std::string line; std::getline(std::cin, line);) {
		const Outcome o = workloads.at(args[0])(arena, size);
		std::cout << '[' << o.result;
		for (const int64_t ns : o.ns) std::cout << ", " << ns;
		std::cout << ']' << std::endl;
	}
	return 0;
}
