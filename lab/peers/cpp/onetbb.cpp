// The workloads on oneTBB: task_group, and its loops, in a task_arena.

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/parallel_scan.h>
#include <oneapi/tbb/parallel_sort.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <map>
#include <optional>

#include "forking.h"
#include "loops.h"

// arena returns the arena of that many threads, the caller included.
inline tbb::task_arena& arena(unsigned workers) {
	// More threads than processors must be asked for.
	static std::optional<tbb::global_control> limit;
	static unsigned limited = 0;
	if (workers > limited) {
		limit.reset();
		limit.emplace(tbb::global_control::max_allowed_parallelism, workers);
		limited = workers;
	}
	static std::map<unsigned, tbb::task_arena> arenas;
	return arenas.try_emplace(workers, int(workers)).first->second;
}

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

// The loops.
struct OneTBBLoops : PlainLoops {
	using Range = tbb::blocked_range<size_t>;

	template <class F>
	static void each(unsigned workers, size_t n, const F& f) {
		const auto body = [&f](const Range& r) {
			for (size_t i = r.begin(), end = r.end(); i < end; i++) f(i);
		};
		arena(workers).execute([&] {
			if (grain > 0) {
				tbb::parallel_for(Range(0, n, grain), body, tbb::simple_partitioner());
			} else {
				tbb::parallel_for(Range(0, n), body);
			}
		});
	}

	template <class F>
	static void nested(unsigned workers, size_t n, const F& f) {
		arena(workers).execute([&] {
			tbb::parallel_for(size_t(0), n, [&](size_t i) {
				tbb::parallel_for(size_t(0), n, [&f, i, n](size_t j) { f(i * n + j); });
			});
		});
	}

	static uint64_t sum(unsigned workers, const uint64_t* in, size_t n) {
		uint64_t result = 0;
		arena(workers).execute([&] {
			result = tbb::parallel_reduce(
				Range(0, n), uint64_t(0),
				[in](const Range& r, uint64_t sum) { return sum + PlainLoops::sum(0, in + r.begin(), r.size()); }, std::plus<>());
		});
		return result;
	}

	static uint64_t least(unsigned workers, const uint64_t* in, size_t n) {
		uint64_t result = 0;
		arena(workers).execute([&] {
			result = tbb::parallel_reduce(
				Range(0, n), UINT64_MAX,
				[in](const Range& r, uint64_t least) {
					for (size_t i = r.begin(), end = r.end(); i < end; i++) least = std::min(least, in[i]);
					return least;
				},
				[](uint64_t a, uint64_t b) { return std::min(a, b); });
		});
		return result;
	}

	template <class Op>
	static uint64_t reduce(unsigned workers, const uint64_t* in, size_t n, const Op& op) {
		uint64_t result = 0;
		arena(workers).execute([&] {
			result = tbb::parallel_reduce(
				Range(0, n), uint64_t(0),
				[in, &op](const Range& r, uint64_t sum) { return op(sum, PlainLoops::reduce(0, in + r.begin(), r.size(), op)); }, op);
		});
		return result;
	}

	template <class Op>
	static void scan(unsigned workers, const uint64_t* in, size_t n, uint64_t* out, const Op& op) {
		arena(workers).execute([&] {
			tbb::parallel_scan(
				Range(0, n), uint64_t(0),
				[in, out, &op](const Range& r, uint64_t sum, bool final) {
					for (size_t i = r.begin(), end = r.end(); i < end; i++) {
						sum = op(sum, in[i]);
						if (final) out[i] = sum;
					}
					return sum;
				},
				op);
		});
	}

	template <class Bucket>
	static void histogram(unsigned workers, const uint64_t* in, size_t n, uint64_t* counts, size_t buckets, const Bucket& bucket) {
		arena(workers).execute([&] {
			tbb::enumerable_thread_specific<Numbers> all([buckets] { return Numbers(buckets); });
			tbb::parallel_for(Range(0, n), [&](const Range& r) {
				PlainLoops::histogram(0, in + r.begin(), r.size(), all.local().data(), buckets, bucket);
			});
			for (const Numbers& part : all) {
				for (size_t b = 0; b < buckets; b++) counts[b] += part[b];
			}
		});
	}

	template <class T, class Less>
	static void sort(unsigned workers, std::vector<T>& a, const Less& less) {
		arena(workers).execute([&] { tbb::parallel_sort(a.begin(), a.end(), less); });
	}

	template <class Stage>
	static uint64_t seq(unsigned workers, uint64_t n, const Stage& stage) {
		uint64_t next = 0, sum = 0;
		const auto source = [&next, n](tbb::flow_control& control) {
			if (next == n) control.stop();
			return next == n ? next : next++;
		};
		arena(workers).execute([&] {
			tbb::parallel_pipeline(4 * workers, tbb::make_filter<void, uint64_t>(tbb::filter_mode::serial_in_order, source) &
				tbb::make_filter<uint64_t, uint64_t>(tbb::filter_mode::parallel, stage) &
				tbb::make_filter<uint64_t, void>(tbb::filter_mode::serial_in_order, [&sum](uint64_t x) { sum += x; }));
		});
		return sum;
	}

	template <class Fails>
	static uint64_t fail(unsigned workers, uint64_t n, const Fails& fails) {
		uint64_t errors = 0;
		arena(workers).execute([&] {
			tbb::task_group_context context;
			tbb::parallel_for(Range(0, n), [&](const Range& r) {
				for (size_t i = r.begin(); i < r.end() && !context.is_group_execution_cancelled(); i++) {
					if (fails(i)) {
						errors = 1;
						context.cancel_group_execution();
					}
				}
			}, context);
		});
		return errors;
	}
};

int main(int argc, char** argv) {
	if (argc == 1) {
		std::vector<Workload> workloads = forking_workloads<OneTBB>();
		add_loops<OneTBBLoops>(workloads, "for range map mapinto reduce sum min scan nested histogram seq error sort-int sort-strings mandelbrot nbody life sparse");
		add_sweeps<OneTBBLoops>(workloads);
		return serve(workloads);
	}
	if (argc == 2 && argv[1] == std::string("--isolate")) return serve(forking_workloads<Isolated>());
	std::cerr << "usage: " << argv[0] << " [--isolate]\n";
	return 2;
}
