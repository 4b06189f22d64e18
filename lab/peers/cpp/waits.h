// The workloads fill-…, locks-once, locks-mutex, late and beside, on oneTBB: leaves that
// sleep, a job that holds a lock while it joins, a caller whose joins wait beside other
// callers' jobs, and one that waits beside another caller's recursion. README.md defines them.
#pragma once

#include <oneapi/tbb/task_group.h>

#include <array>
#include <atomic>
#include <future>
#include <latch>
#include <mutex>
#include <thread>

#include "arena.h"
#include "serve.h"

using std::chrono::milliseconds;

// isolated has a thread that waits for forks take none but these and theirs: what oneTBB offers
// to those whose jobs hold a lock while they wait.
inline bool isolated = false;

// forks counts those of a run, and jobs from outside.
inline std::atomic<uint64_t> forks = 0;

template <class Work>
void together(const Work& work) {
	if (isolated) {
		tbb::this_task_arena::isolate(work);
	} else {
		work();
	}
}

// join runs both; forked may run on another worker.
template <class Here, class Forked>
void join(const Here& here, const Forked& forked) {
	together([&] {
		tbb::task_group group;
		group.run([&forked] { forked(); });
		here();
		group.wait();
	});
}

// sum_each is f(0) + … + f(n-1), each forked but the last.
template <class F>
uint64_t sum_each(size_t n, const F& f) {
	std::vector<uint64_t> parts(n);
	forks += n - 1;
	together([&] {
		tbb::task_group group;
		for (size_t i = 0; i + 1 < n; i++) group.run([&f, &parts, i] { parts[i] = f(i); });
		parts[n - 1] = f(n - 1);
		group.wait();
	});
	uint64_t sum = 0;
	for (const uint64_t part : parts) sum += part;
	return sum;
}

// submit queues a job n times from outside, and waits for all.
template <class Job>
void submit(unsigned workers, size_t n, const Job& job) {
	tbb::task_arena& a = arena(workers);
	tbb::task_group group;
	for (size_t i = 0; i < n; i++) a.enqueue(group.defer([&job] { job(); }));
	a.execute([&] { group.wait(); });
}

// The leaves that sleep.

inline void leaf() { std::this_thread::sleep_for(milliseconds(2)); }

// fill_spine walks a list and forks a leaf at each node but the last, whose leaf
// it runs itself.
inline uint64_t fill_spine(size_t leaves) {
	uint64_t rest = 0;
	if (leaves == 1) {
		leaf();
	} else {
		join([&] { rest = fill_spine(leaves - 1); }, leaf);
	}
	return rest + 1;
}

inline uint64_t fill_tree(size_t leaves) {
	if (leaves == 1) {
		leaf();
		return 1;
	}
	uint64_t x, y;
	join([&] { x = fill_tree(leaves / 2); }, [&] { y = fill_tree(leaves - leaves / 2); });
	return x + y;
}

// add_fills adds them. fill runs so many leaves, and returns how many it has run.
inline void add_fills(Workloads& to) {
	const auto add = [&to](const char* name, auto fill) {
		to[name] = [fill](unsigned workers, uint64_t n) {
			// So that the workers sleep, as far as anybody can know from outside.
			std::this_thread::sleep_for(milliseconds(10));
			uint64_t ran = 0;
			const int64_t ns = timed([&] { ran = fill(workers, n); });
			return Outcome{ns, std::to_string(ran)};
		};
	};
	const auto inside = [add](const char* name, auto fill) {
		add(name, [fill](unsigned workers, uint64_t n) { return arena(workers).execute([&] { return fill(n); }); });
	};
	inside("fill-flat", [](size_t n) { return sum_each(n, [](size_t) { return leaf(), uint64_t(1); }); });
	inside("fill-spine", fill_spine);
	inside("fill-tree", fill_tree);
	inside("fill-scope", [](size_t n) {
		std::atomic<uint64_t> ran{0};
		tbb::task_group group;
		for (size_t i = 0; i < n; i++) group.run([&] { leaf(), ran++; });
		group.wait();
		return ran.load();
	});
	add("fill-submit", [](unsigned workers, size_t n) {
		std::atomic<uint64_t> ran{0};
		submit(workers, n, [&] { leaf(), ran++; });
		return ran.load();
	});
}

// The programs that wait.

// grind works for some microseconds, and returns a number below 2^32, so that
// no sum of a graph's numbers overflows.
inline uint64_t grind(uint64_t x) {
	for (int i = 0; i < 1000; i++) x = splitmix(1, x);
	return x & 0xffffffff;
}

// draw is the k-th random number of the given seed, k below 1000.
inline uint64_t draw(uint64_t seed, uint64_t k) { return splitmix(1, 1000 * seed + k); }

// submit_each submits a job with each number below n, and adds up what they return.
template <class Job>
uint64_t submit_each(unsigned workers, uint64_t n, const Job& job) {
	std::atomic<uint64_t> next{0}, sum{0};
	forks += n;
	submit(workers, n, [&] { sum += job(next++); });
	return sum;
}

// rounds is how many graphs or batches of jobs a run has: one takes less than a
// millisecond, which is little time to hang in.
constexpr uint64_t rounds = 20;

// OnceCells is a graph of cells, each computed once, from cells with higher
// numbers.
class OnceCells {
	struct Cell {
		std::once_flag once;
		std::vector<size_t> needs;
		uint64_t value;
	};
	std::vector<Cell> cells;

	uint64_t sum(const std::vector<size_t>& needs) {
		if (needs.empty()) return 0;
		return sum_each(needs.size(), [&](size_t k) { return get(needs[k]); });
	}

public:
	explicit OnceCells(uint64_t seed) : cells(60) {
		for (size_t i = 0; i + 1 < cells.size(); i++) {
			const size_t above = cells.size() - 1 - i;
			for (uint64_t k = draw(seed, 4 * i) % 4; k > 0; k--) {
				cells[i].needs.push_back(i + 1 + draw(seed, 4 * i + k) % above);
			}
		}
	}

	// get computes a cell, or waits until it is computed.
	uint64_t get(size_t i) {
		Cell& cell = cells[i];
		std::call_once(cell.once, [&] {
			const uint64_t own = grind(i);
			cell.value = grind(own + sum(cell.needs));
		});
		return cell.value;
	}

	// roots gets the first cells, each in a job of its own, and adds them up.
	uint64_t roots(unsigned workers) {
		return submit_each(workers, 8, [&](uint64_t i) { return get(i); });
	}
};

// Locks are taken in the order of their numbers. Each guards a sum.
class Locks {
	struct Lock {
		std::mutex mutex;
		uint64_t sum = 0;
	};
	std::array<Lock, 4> locks;

	// job holds a lock while it forks and joins jobs that take the next one.
	uint64_t job(size_t level, uint64_t x) {
		Lock& lock = locks[level];
		const std::lock_guard<std::mutex> guard(lock.mutex);
		uint64_t value = grind(x);
		lock.sum += value;
		if (level + 1 < locks.size()) {
			value += sum_each(2, [&](size_t k) { return job(level + 1, 2 * x + k); });
		}
		return value;
	}

public:
	// jobs runs 24 of them, and adds up what they return and what the locks guard.
	uint64_t jobs(unsigned workers, uint64_t seed) {
		uint64_t sum = submit_each(workers, 24, [&](uint64_t i) { return job(draw(seed, i) % locks.size(), i); });
		for (const Lock& lock : locks) sum += lock.sum;
		return sum;
	}
};

// busy_tree forks leaves by halving. Each keeps a processor busy for 50 µs, or
// what it has of one. It returns how many there were.
inline uint64_t busy_tree(uint64_t leaves) {
	if (leaves == 1) {
		const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
		while (std::chrono::steady_clock::now() < end) {}
		return 1;
	}
	forks++;
	uint64_t here, forked;
	join([&] { here = busy_tree(leaves - leaves / 2); }, [&] { forked = busy_tree(leaves / 2); });
	return here + forked;
}

// wake has every worker begin something, so that there are threads, and awake: then counting
// begins.
inline void wake(unsigned workers) {
	arena(workers).execute([] { busy_tree(64); });
	forks = 0;
}

// in_rounds adds up the digests of rounds with different seeds.
template <class Round>
Outcome in_rounds(unsigned workers, uint64_t seed, const Round& round) {
	wake(workers);
	uint64_t sum = 0;
	const int64_t ns = timed([&] {
		for (uint64_t i = 0; i < rounds; i++) sum += round(rounds * seed + i);
	});
	return {ns, std::to_string(sum), std::to_string(forks)};
}

// late runs 64 leaves in the pool. As soon as these have begun, another thread
// queues jobs that sleep for 60 ms each. Its time is that of the leaves, and its result how
// many leaves and jobs there were.
inline Outcome late(unsigned workers, uint64_t strangers) {
	wake(workers);
	std::promise<void> begun;
	std::thread other([&] {
		begun.get_future().wait();
		std::latch running{int64_t(strangers)};
		forks += strangers;
		for (uint64_t i = 0; i < strangers; i++) {
			arena(workers).enqueue([&running] {
				std::this_thread::sleep_for(milliseconds(60));
				running.count_down();
			});
		}
		running.wait();
	});
	uint64_t leaves = 0;
	const int64_t ns = timed([&] {
		arena(workers).execute([&] {
			begun.set_value();
			leaves = busy_tree(64);
		});
	});
	other.join();
	return {ns, std::to_string(leaves + strangers), std::to_string(forks)};
}

// A Phase is what a recursion is computed beside: settles, while the workers share
// it and nothing counts, alone, beside requests of a caller, and over, when it ends.
enum class Phase { settles, alone, beside, over };

constexpr milliseconds settle_time{50}, phase_time{100};

// Leaves counts leaves by the phase in which they were reached.
struct Leaves {
	uint64_t alone, beside;
};

// grow counts the leaves that a tree of so many levels reaches.
inline Leaves grow(const std::atomic<Phase>& now, unsigned levels) {
	const Phase phase = now.load(std::memory_order_relaxed);
	if (levels == 0 || phase == Phase::over) return {phase == Phase::alone, phase == Phase::beside};
	Leaves here, forked;
	join([&] { here = grow(now, levels - 1); }, [&] { forked = grow(now, levels - 1); });
	return {here.alone + forked.alone, here.beside + forked.beside};
}

// beside sends requests that do nothing beside an endless recursion on all workers,
// at fixed times: one that is late is sent at once. The recursion ends after so many
// milliseconds if none has been answered.
inline Outcome beside(unsigned workers, uint64_t most, milliseconds every) {
	using std::chrono::steady_clock;
	const auto since = [](steady_clock::time_point start) {
		return std::chrono::duration_cast<std::chrono::nanoseconds>(steady_clock::now() - start).count();
	};
	const auto rate = [](uint64_t n, int64_t ns) { return std::to_string(uint64_t(double(n) * 1e9 / double(ns))); };
	std::atomic<Phase> now{Phase::settles};
	Leaves grown;
	std::thread recursion([&] { arena(workers).execute([&] { grown = grow(now, 60); }); });
	std::this_thread::sleep_for(settle_time);
	now = Phase::alone;
	auto start = steady_clock::now();
	std::this_thread::sleep_for(phase_time);
	const int64_t took_alone = since(start);
	now = Phase::beside;
	start = steady_clock::now();
	std::promise<void> answered;
	std::thread last([&] {
		if (answered.get_future().wait_for(milliseconds(most)) == std::future_status::timeout) {
			now = Phase::over;
		}
	});
	uint64_t ran = 0, sent = 0;
	int64_t ns = 0;
	std::string requests;
	const auto goes_on = [&] { return ns < std::chrono::nanoseconds(phase_time).count() && now != Phase::over; };
	for (auto due = start; sent == 0 || goes_on(); due += every) {
		std::this_thread::sleep_until(due);
		const auto begin = steady_clock::now();
		arena(workers).execute([&] { ran++; });
		requests.append(" ").append(std::to_string(since(begin)));
		ns = since(start);
		sent++;
	}
	now = Phase::over;
	answered.set_value();
	last.join();
	recursion.join();
	return {ns, std::to_string(sent - ran), "0 " + rate(grown.alone, took_alone) + " " + rate(grown.beside, ns) + requests};
}

inline void add_waits(Workloads& to) {
	to["locks-once"] = [](unsigned workers, uint64_t seed) {
		return in_rounds(workers, seed, [&](uint64_t s) { return OnceCells(s).roots(workers); });
	};
	to["locks-mutex"] = [](unsigned workers, uint64_t seed) {
		return in_rounds(workers, seed, [&](uint64_t s) { return Locks().jobs(workers, s); });
	};
	to["late"] = late;
	to["beside"] = [](unsigned workers, uint64_t most) { return beside(workers, most, milliseconds(1)); };
	to["beside-busy"] = [](unsigned workers, uint64_t most) { return beside(workers, most, milliseconds(0)); };
}
