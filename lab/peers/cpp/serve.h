// The protocol of README.md, the same for every peer.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "fork.h"

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

using Run = std::function<Outcome(unsigned workers, uint64_t size)>;

struct Workload {
	std::string name;
	uint64_t size, most;  // uts: the number of the tree; locks-…: the seed; beside: milliseconds
	Run plain, peer;
	Run counting = nullptr;  // null if there is no fork to count
	bool grains = false;     // whether a grain may follow the size
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

// serve answers the lines of standard input until it ends. rest sends workers to
// sleep that would go on spinning.
inline int serve(const std::vector<Workload>& workloads, void (*rest)() = [] {}) {
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
			if (workers > 0) rest();
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
