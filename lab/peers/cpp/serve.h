// The protocol of README.md, and what all workloads need.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// What a run of a workload gives: what was timed, in nanoseconds, and its result.
struct Outcome {
	std::vector<int64_t> ns;
	uint64_t result;
};

using Run = std::function<Outcome(unsigned workers, uint64_t size)>;
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

inline std::string answer(const Workloads& workloads, const std::string& line) {
	std::istringstream words(line);
	std::string command, name, more;
	uint64_t workers = 0, size = 0;
	if (!(words >> command >> name >> workers >> size) || command != "run" || words >> more) {
		throw std::invalid_argument("there is: run WORKLOAD WORKERS SIZE");
	}
	const auto found = workloads.find(name);
	if (found == workloads.end()) throw std::invalid_argument("no workload " + name);
	if (workers < 1 || workers > 256 || size == 0) {
		throw std::invalid_argument("there is no such size, or not so many workers");
	}
	const Outcome o = found->second(unsigned(workers), size);
	std::string text = std::to_string(o.result);
	for (const int64_t ns : o.ns) text.append(" ").append(std::to_string(std::max<int64_t>(ns, 1)));
	return text;
}

// serve answers the lines of standard input until it ends.
inline int serve(const Workloads& workloads) {
	for (std::string line; std::getline(std::cin, line);) {
		try {
			std::cout << answer(workloads, line) << std::endl;
		} catch (const std::exception& e) {
			std::cout << "error: " << e.what() << std::endl;
		}
	}
	return 0;
}
