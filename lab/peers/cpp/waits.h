// The workloads locks-once, locks-mutex, late and beside: a job that holds a lock
// while it joins, a caller whose joins wait beside other callers' jobs, and one who
// waits beside another caller's recursion. Each ends when every fork is a thread.
// README.md defines them.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <future>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "fork.h"
#include "workloads.h"

// grind works for some microseconds, and returns a number below 2^32, so that
// no sum of a graph's numbers overflows.
inline uint64_t grind(uint64_t x) {
	for (int i = 0; i < 1000; i++) x = uint64_t(random_number(x));
	return x & 0xffffffff;
}

// draw is the k-th random number of the given seed, k below 1000.
inline uint64_t draw(uint64_t seed, uint64_t k) { return uint64_t(random_number(1000 * seed + k)); }

// submit_each submits a job with each number below n, and adds up what they return.
template <class P, class Job>
uint64_t submit_each(unsigned workers, uint64_t n, const Job& job) {
	std::atomic<uint64_t> next{0}, sum{0};
	P::submit(workers, n, [&] { sum += job(next++); });
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

	template <class P>
	uint64_t sum(const std::vector<size_t>& needs) {
		if (needs.empty()) return 0;
		return P::sum_each(needs.size(), [&](size_t k) { return get<P>(needs[k]); });
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
	template <class P>
	uint64_t get(size_t i) {
		Cell& cell = cells[i];
		std::call_once(cell.once, [&] {
			const uint64_t own = grind(i);
			cell.value = grind(own + sum<P>(cell.needs));
		});
		return cell.value;
	}

	// roots gets the first cells, each in a job of its own, and adds them up.
	template <class P>
	uint64_t roots(unsigned workers) {
		return submit_each<P>(workers, 8, [&](uint64_t i) { return get<P>(i); });
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
	template <class P>
	uint64_t job(size_t level, uint64_t x) {
		Lock& lock = locks[level];
		const std::lock_guard<std::mutex> guard(lock.mutex);
		uint64_t value = grind(x);
		lock.sum += value;
		if (level + 1 < locks.size()) {
			value += P::sum_each(2, [&](size_t k) { return job<P>(level + 1, 2 * x + k); });
		}
		return value;
	}

public:
	// jobs runs 24 of them, and adds up what they return and what the locks guard.
	template <class P>
	uint64_t jobs(unsigned workers, uint64_t seed) {
		uint64_t sum = submit_each<P>(workers, 24, [&](uint64_t i) { return job<P>(draw(seed, i) % locks.size(), i); });
		for (const Lock& lock : locks) sum += lock.sum;
		return sum;
	}
};

// busy_tree forks leaves by halving. Each keeps a processor busy for 50 µs, or
// what it has of one. It returns how many there were.
template <class P>
uint64_t busy_tree(uint64_t leaves) {
	if (leaves == 1) {
		const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
		while (std::chrono::steady_clock::now() < end) {}
		return 1;
	}
	uint64_t here, forked;
	P::join([&] { here = busy_tree<P>(leaves - leaves / 2); }, [&] { forked = busy_tree<P>(leaves / 2); });
	return here + forked;
}

// wake has every worker begin something, so that there are threads, and awake.
template <class P>
void wake(unsigned workers) {
	if (workers > 0) P::enter(workers, [] { busy_tree<P>(64); });
}

// Countdown waits until something has happened n times.
class Countdown {
	std::mutex mutex;
	std::condition_variable zero;
	uint64_t left;

public:
	explicit Countdown(uint64_t n) : left(n) {}

	void arrive() {
		const std::lock_guard<std::mutex> guard(mutex);
		if (--left == 0) zero.notify_one(); // The one that waits cannot leave before the guard does.
	}

	void wait() {
		std::unique_lock<std::mutex> lock(mutex);
		zero.wait(lock, [&] { return left == 0; });
	}
};

// late runs 64 leaves in the pool. As soon as these have begun, another thread
// queues jobs that sleep for 60 ms each. It returns how many nanoseconds the
// leaves took, and how many leaves and jobs there were.
template <class P>
std::pair<int64_t, uint64_t> late(unsigned workers, uint64_t strangers) {
	wake<P>(workers);
	std::promise<void> begun;
	std::thread other([&] {
		begun.get_future().wait();
		Countdown running(strangers);
		for (uint64_t i = 0; i < strangers; i++) {
			P::enqueue(workers, [&running] {
				P::stranger();
				running.arrive();
			});
		}
		running.wait();
	});
	uint64_t leaves;
	const auto begin = std::chrono::steady_clock::now();
	P::enter(workers, [&] {
		begun.set_value();
		leaves = busy_tree<P>(64);
	});
	const auto took = std::chrono::steady_clock::now() - begin;
	other.join();
	return {std::chrono::duration_cast<std::chrono::nanoseconds>(took).count(), leaves + strangers};
}

// A Phase is what a recursion is computed beside: settles, while the workers share
// it and nothing counts, alone, beside requests of a caller, and over, when it ends.
enum class Phase { settles, alone, beside, over };

constexpr std::chrono::milliseconds settle_time{50}, phase_time{100};

// Leaves counts leaves by the phase in which they were reached.
struct Leaves {
	uint64_t alone, beside;
};

// grow counts the leaves that a tree of so many levels reaches.
template <class P>
Leaves grow(const std::atomic<Phase>& now, unsigned levels) {
	const Phase phase = now.load(std::memory_order_relaxed);
	if (levels == 0 || phase == Phase::over) return {phase == Phase::alone, phase == Phase::beside};
	Leaves here, forked;
	P::join([&] { here = grow<P>(now, levels - 1); }, [&] { forked = grow<P>(now, levels - 1); });
	return {here.alone + forked.alone, here.beside + forked.beside};
}

// Beside is what came of a recursion with requests beside it.
struct Beside {
	int64_t ns;              // how long requests were sent
	uint64_t lost;           // how many were answered and did not run
	uint64_t alone, beside;  // leaves a second
	std::vector<int64_t> requests;
};

// beside sends requests that do nothing beside an endless recursion on all workers,
// at fixed times: one that is late is sent at once. The recursion ends after so many
// milliseconds if none has been answered.
template <class P>
Beside beside(unsigned workers, uint64_t most, std::chrono::milliseconds every) {
	using std::chrono::steady_clock;
	const auto since = [](steady_clock::time_point start) {
		return std::chrono::duration_cast<std::chrono::nanoseconds>(steady_clock::now() - start).count();
	};
	const auto rate = [](uint64_t n, int64_t ns) { return uint64_t(double(n) * 1e9 / double(ns)); };
	std::atomic<Phase> now{Phase::settles};
	Leaves grown;
	std::thread recursion([&] { P::enter(workers, [&] { grown = grow<P>(now, 60); }); });
	std::this_thread::sleep_for(settle_time);
	now = Phase::alone;
	auto start = steady_clock::now();
	std::this_thread::sleep_for(phase_time);
	const int64_t took_alone = since(start);
	now = Phase::beside;
	start = steady_clock::now();
	std::promise<void> answered;
	std::thread last([&] {
		if (answered.get_future().wait_for(std::chrono::milliseconds(most)) == std::future_status::timeout) {
			now = Phase::over;
		}
	});
	uint64_t ran = 0;
	Beside b{};
	const auto goes_on = [&] { return b.ns < std::chrono::nanoseconds(phase_time).count() && now != Phase::over; };
	for (auto due = start; b.requests.empty() || goes_on(); due += every) {
		std::this_thread::sleep_until(due);
		const auto sent = steady_clock::now();
		P::enter(workers, [&] { ran++; });
		b.requests.push_back(since(sent));
		b.ns = since(start);
	}
	now = Phase::over;
	answered.set_value();
	last.join();
	recursion.join();
	b.lost = b.requests.size() - ran;
	b.alone = rate(grown.alone, took_alone);
	b.beside = rate(grown.beside, b.ns);
	return b;
}
