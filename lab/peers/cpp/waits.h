// The workloads locks, late and beside, on oneTBB: a job that holds a lock while it joins, a caller
// whose joins wait beside other callers' jobs, and one that waits beside another caller's recursion.
// README.md defines them.
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

// join runs both; forked may run on another worker.
template <class Here, class Forked>
void join(const Here& here, const Forked& forked) {
	tbb::task_group group;
	group.run([&forked] { forked(); });
	here();
	group.wait();
}

// submit queues a job n times from outside, and waits for all.
template <class Job>
void submit(unsigned workers, size_t n, const Job& job) {
	tbb::task_arena& a = arena(workers);
	tbb::task_group group;
	for (size_t i = 0; i < n; i++) a.enqueue(group.defer([&job] { job(); }));
	a.execute([&] { group.wait(); });
}

// grind works for some microseconds, and returns a number below 2^32, so that
// no sum of a graph's numbers overflows.
inline uint64_t grind(uint64_t x) {
	for (int i = 0; i < 1000; i++) x = splitmix(1, x);
	return x & 0xffffffff;
}

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
			uint64_t here, forked;
			join([&] { here = job(level + 1, 2 * x); }, [&] { forked = job(level + 1, 2 * x + 1); });
			value += here + forked;
		}
		return value;
	}

public:
	// jobs runs 24 of them. The result is what they return, and what the locks guard.
	uint64_t jobs(unsigned workers, uint64_t seed) {
		std::atomic<uint64_t> next{0}, sum{0};
		submit(workers, 24, [&] {
			const uint64_t i = next++;
			sum += job(splitmix(1, 1000 * seed + i) % locks.size(), i);
		});
		uint64_t all = sum;
		for (const Lock& lock : locks) all += lock.sum;
		return all;
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
	uint64_t here, forked;
	join([&] { here = busy_tree(leaves - leaves / 2); }, [&] { forked = busy_tree(leaves / 2); });
	return here + forked;
}

// wake has every worker begin something, so that there are threads, and awake.
inline void wake(unsigned workers) {
	arena(workers).execute([] { busy_tree(64); });
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
	return {{ns}, std::to_string(leaves + strangers)};
}

// grow reaches the leaves of a tree of so many levels, until it is over.
inline void grow(const std::atomic<bool>& over, unsigned levels) {
	if (levels == 0 || over.load(std::memory_order_relaxed)) return;
	join([&] { grow(over, levels - 1); }, [&] { grow(over, levels - 1); });
}

// beside sends requests that do nothing beside an endless recursion on all workers, every so many
// microseconds: one that is late is sent at once. The recursion ends after two seconds if none has
// been answered.
inline Outcome beside(unsigned workers, uint64_t every) {
	using std::chrono::steady_clock;
	constexpr milliseconds time{100};
	std::atomic<bool> over{false};
	std::thread recursion([&] { arena(workers).execute([&] { grow(over, 60); }); });
	std::this_thread::sleep_for(time / 2);
	std::promise<void> answered;
	std::thread last([&] {
		if (answered.get_future().wait_for(20 * time) == std::future_status::timeout) over = true;
	});
	const auto start = steady_clock::now();
	uint64_t ran = 0;
	std::vector<int64_t> requests;
	for (auto due = start; requests.empty() || steady_clock::now() - start < time; due += std::chrono::microseconds(every)) {
		std::this_thread::sleep_until(due);
		requests.push_back(timed([&] { arena(workers).execute([&] { ran++; }); }));
	}
	over = true;
	answered.set_value();
	last.join();
	recursion.join();
	return {requests, std::to_string(requests.size() - ran)};
}

inline void add_waits(Workloads& to) {
	to["locks"] = [](unsigned workers, uint64_t batches) {
		wake(workers);
		uint64_t sum = 0;
		const int64_t ns = timed([&] {
			for (uint64_t seed = 0; seed < batches; seed++) sum += Locks().jobs(workers, seed);
		});
		return Outcome{{ns}, std::to_string(sum)};
	};
	to["late"] = late;
	to["beside"] = beside;
}
