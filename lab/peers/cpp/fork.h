// What an implementation of fork-join must offer to run the workloads, and two
// implementations that need no workers.
//
//   enter(workers, work)    runs work in a pool of that many workers
//   join(here, forked)      runs both; forked may run on another worker
//   sum_each(n, f)          f(0) + … + f(n-1), each forked but the last
//   spawn_each(n, job)      spawns job n times, then waits for all
//   submit(workers, n, job) queues job n times from outside, waits for all
//   enqueue(workers, job)   queues job from outside, and does not wait; another
//                           thread may be in the pool
//   leaf()                  sleeps as long as a leaf of the workloads fill-… does
//   stranger()              sleeps as long as another caller's job of late does
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>

// leaf_time is how long a leaf sleeps.
constexpr std::chrono::milliseconds leaf_time{2};

// stranger_time is how long a job of another caller sleeps.
constexpr std::chrono::milliseconds stranger_time{60};

// Plain is the same code without forks: what the forks are compared with.
struct Plain {
	template <class Work>
	static void enter(unsigned, const Work& work) { work(); }

	template <class Here, class Forked>
	static void join(const Here& here, const Forked& forked) {
		here();
		forked();
	}

	template <class F>
	static uint64_t sum_each(size_t n, const F& f) {
		uint64_t sum = 0;
		for (size_t i = 0; i < n; i++) sum += f(i);
		return sum;
	}

	template <class Job>
	static void spawn_each(size_t n, const Job& job) {
		for (size_t i = 0; i < n; i++) job();
	}

	template <class Job>
	static void submit(unsigned, size_t n, const Job& job) { spawn_each(n, job); }

	template <class Job>
	static void enqueue(unsigned, const Job& job) { job(); }

	static void leaf() { std::this_thread::sleep_for(leaf_time); }

	static void stranger() { std::this_thread::sleep_for(stranger_time); }
};

// Counting counts the forks of a workload, apart from any measurement, so that
// counting costs the measured code nothing.
struct Counting {
	static inline std::atomic<uint64_t> forks = 0;

	template <class Work>
	static void enter(unsigned, const Work& work) { work(); }

	template <class Here, class Forked>
	static void join(const Here& here, const Forked& forked) {
		forks++;
		Plain::join(here, forked);
	}

	template <class F>
	static uint64_t sum_each(size_t n, const F& f) {
		if (n > 0) forks += n - 1;
		return Plain::sum_each(n, f);
	}

	template <class Job>
	static void spawn_each(size_t n, const Job& job) {
		forks += n;
		Plain::spawn_each(n, job);
	}

	template <class Job>
	static void submit(unsigned, size_t n, const Job& job) { spawn_each(n, job); }

	template <class Job>
	static void enqueue(unsigned, const Job& job) { spawn_each(1, job); }

	static void leaf() {}

	static void stranger() {}
};
