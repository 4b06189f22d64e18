// The workloads locks and beside, on oneTBB: a job that holds a lock while it joins, and a caller beside
// another caller's recursion. README.md defines them.
#pragma once

#include <oneapi/tbb/task_group.h>

#include <array>
#include <atomic>
#include <future>
#include <mutex>
#include <thread>

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
void submit(tbb::task_arena& arena, size_t n, const Job& job) {
	tbb::task_group group;
	for (size_t i = 0; i < n; i++) arena.enqueue(group.defer([&job] { job(); }));
	arena.execute([&] { group.wait(); });
}

// busy keeps a processor busy.
inline void busy(std::chrono::microseconds time) {
	const auto end = std::chrono::steady_clock::now() + time;
	while (std::chrono::steady_clock::now() < end) {}
}

inline void busy_tree(unsigned levels) {
	if (levels == 0) return busy(std::chrono::microseconds(50));
	join([&] { busy_tree(levels - 1); }, [&] { busy_tree(levels - 1); });
}

// Locks are taken in the order of their numbers. Each guards a sum.
class Locks {
	struct Lock {
		std::mutex mutex;
		uint64_t sum = 0;
	};
	std::array<Lock, 4> locks;

	// job holds a lock while it forks and joins jobs that take the next one.
	uint64_t job(size_t level) {
		Lock& lock = locks[level];
		const std::lock_guard<std::mutex> guard(lock.mutex);
		lock.sum++;
		busy(std::chrono::microseconds(4));
		if (level + 1 == locks.size()) return 1;
		uint64_t here, forked;
		join([&] { here = job(level + 1); }, [&] { forked = job(level + 1); });
		return 1 + here + forked;
	}

public:
	// jobs runs 24 of them. The result is how many there were, as they return it and as the locks guard it.
	uint64_t jobs(tbb::task_arena& arena) {
		std::atomic<uint64_t> next{0}, sum{0};
		submit(arena, 24, [&] { sum += job(next++ % locks.size()); });
		uint64_t all = sum;
		for (const Lock& lock : locks) all += lock.sum;
		return all;
	}
};

inline Outcome with_locks(tbb::task_arena& arena, uint64_t batches) {
	arena.execute([] { busy_tree(6); }); // Every worker has a thread, and is awake.
	uint64_t sum = 0;
	const int64_t ns = timed([&] {
		for (uint64_t i = 0; i < batches; i++) sum += Locks().jobs(arena);
	});
	return {{ns}, sum};
}

// grow reaches the leaves of a tree of so many levels, until it is over.
inline void grow(const std::atomic<bool>& over, unsigned levels) {
	if (levels == 0 || over.load(std::memory_order_relaxed)) return;
	join([&] { grow(over, levels - 1); }, [&] { grow(over, levels - 1); });
}

// beside sends requests that do nothing beside an endless recursion on all workers, every so many
// microseconds: one that is late is sent at once. The recursion ends after two seconds if none has
// been answered.
inline Outcome beside(tbb::task_arena& arena, uint64_t every) {
	using std::chrono::steady_clock;
	constexpr milliseconds time{100};
	std::atomic<bool> over{false};
	std::thread recursion([&] { arena.execute([&] { grow(over, 60); }); });
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
		requests.push_back(timed([&] { arena.execute([&] { ran++; }); }));
	}
	over = true;
	answered.set_value();
	last.join();
	recursion.join();
	return {requests, requests.size() - ran};
}

inline const Workloads waits{{"locks", with_locks}, {"beside", beside}};
