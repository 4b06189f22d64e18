// The workloads on oneTBB: task_group, and its loops, in a task_arena.

#include <oneapi/tbb/task_group.h>

#include "arena.h"
#include "loops_onetbb.h"
#include "serve.h"

struct OneTBB {
	template <class Work>
	static void enter(unsigned workers, const Work& work) { arena(workers).execute(work); }

	template <class Here, class Forked>
	static void join(const Here& here, const Forked& forked) {
		tbb::task_group group;
		group.run([&forked] { forked(); });
		here();
		group.wait();
	}

	template <class F>
	static uint64_t sum_each(size_t n, const F& f) {
		uint64_t parts[n];
		tbb::task_group group;
		for (size_t i = 0; i + 1 < n; i++) group.run([&f, &parts, i] { parts[i] = f(i); });
		parts[n - 1] = f(n - 1);
		group.wait();
		return Plain::sum_each(n, [&](size_t i) { return parts[i]; });
	}

	template <class Job>
	static void spawn_each(size_t n, const Job& job) {
		tbb::task_group group;
		for (size_t i = 0; i < n; i++) group.run([&job] { job(); });
		group.wait();
	}

	static constexpr bool outside = true;

	template <class Job>
	static void enqueue(unsigned workers, const Job& job) { arena(workers).enqueue(job); }

	static void leaf() { Plain::leaf(); }

	static void stranger() { Plain::stranger(); }

	template <class Job>
	static void submit(unsigned workers, size_t n, const Job& job) {
		tbb::task_arena& a = arena(workers);
		tbb::task_group group;
		for (size_t i = 0; i < n; i++) a.enqueue(group.defer([&job] { job(); }));
		a.execute([&] { group.wait(); });
	}

	static void rest(unsigned) {}
};

// Isolated has a thread that waits for forks take none but these and theirs: what
// oneTBB offers to those whose jobs hold a lock while they wait.
struct Isolated : OneTBB {
	template <class Here, class Forked>
	static void join(const Here& here, const Forked& forked) {
		tbb::this_task_arena::isolate([&] { OneTBB::join(here, forked); });
	}

	template <class F>
	static uint64_t sum_each(size_t n, const F& f) {
		return tbb::this_task_arena::isolate([&] { return OneTBB::sum_each(n, f); });
	}

	template <class Job>
	static void spawn_each(size_t n, const Job& job) {
		tbb::this_task_arena::isolate([&] { OneTBB::spawn_each(n, job); });
	}
};

int main(int argc, char** argv) {
	if (argc == 1) {
		std::vector<Workload> workloads = forking_workloads<OneTBB>();
		for (const Workload& w : onetbb_loops()) workloads.push_back(w);
		return serve(workloads, OneTBB::rest);
	}
	if (argc == 2 && argv[1] == std::string("--isolate")) return serve(forking_workloads<Isolated>(), Isolated::rest);
	std::cerr << "usage: " << argv[0] << " [--isolate]\n";
	return 2;
}
