// The workloads on OpenMP: tasks and taskwait in a parallel region, and parallel loops.

#include <omp.h>

#include "loops.h"
#include "serve.h"

struct OpenMP {
	template <class Work>
	static void enter(unsigned workers, const Work& work) {
		#pragma omp parallel num_threads(workers)
		#pragma omp single
		work();
	}

	template <class Here, class Forked>
	static void join(const Here& here, const Forked& forked) {
		#pragma omp task shared(forked)
		forked();
		here();
		#pragma omp taskwait
	}

	template <class F>
	static uint64_t sum_each(size_t n, const F& f) {
		uint64_t parts[n];
		uint64_t* const part = parts;
		for (size_t i = 0; i + 1 < n; i++) {
			#pragma omp task shared(f) firstprivate(i, part)
			part[i] = f(i);
		}
		part[n - 1] = f(n - 1);
		#pragma omp taskwait
		return Plain::sum_each(n, [&](size_t i) { return part[i]; });
	}

	template <class Job>
	static void spawn_each(size_t n, const Job& job) {
		for (size_t i = 0; i < n; i++) {
			#pragma omp task shared(job)
			job();
		}
		#pragma omp taskwait
	}

	// A thread outside a parallel region cannot hand a task to it.
	static constexpr bool outside = false;

	static void leaf() { Plain::leaf(); }

	template <class Job>
	static void submit(unsigned workers, size_t n, const Job& job) {
		enter(workers, [&] { spawn_each(n, job); });
	}

	// The threads of a region spin for a fifth of a second after it, at the cost
	// of whoever is measured next; those of the other peers are asleep by then.
	// Those of a region that began with no such time go to sleep at once.
	static void rest(unsigned workers) {
		const int usual = kmp_get_blocktime();
		kmp_set_blocktime(0);
		enter(workers, [] {});
		kmp_set_blocktime(usual);
	}
};

struct OpenMPLoops : PlainLoops {
	template <class F>
	static void each(unsigned workers, size_t n, const F& f) {
		#pragma omp parallel for num_threads(workers)
		for (size_t i = 0; i < n; i++) f(i);
	}

	static uint64_t sum(unsigned workers, const uint64_t* in, size_t n) {
		uint64_t sum = 0;
		#pragma omp parallel for num_threads(workers) reduction(+ : sum)
		for (size_t i = 0; i < n; i++) sum += in[i];
		return sum;
	}

	template <class Op>
	static uint64_t reduce(unsigned workers, const uint64_t* in, size_t n, const Op& op) {
		uint64_t sum = 0;
		#pragma omp parallel for num_threads(workers) reduction(+ : sum)
		for (size_t i = 0; i < n; i++) sum = op(sum, in[i]);
		return sum;
	}

	static uint64_t least(unsigned workers, const uint64_t* in, size_t n) {
		uint64_t least = UINT64_MAX;
		#pragma omp parallel for num_threads(workers) reduction(min : least)
		for (size_t i = 0; i < n; i++) least = std::min(least, in[i]);
		return least;
	}

	template <class Bucket>
	static void histogram(unsigned workers, const uint64_t* in, size_t n, uint64_t* counts, size_t buckets, const Bucket& bucket) {
		#pragma omp parallel for num_threads(workers) reduction(+ : counts[:buckets])
		for (size_t i = 0; i < n; i++) counts[bucket(in[i])]++;
	}
};

int main() {
	std::vector<Workload> workloads = forking_workloads<OpenMP>();
	for (const Workload& w : {
			loop<LoopFor, OpenMPLoops>("for"), loop<LoopRange, OpenMPLoops>("range"), loop<LoopMap, OpenMPLoops>("map"),
			loop<LoopMapInto, OpenMPLoops>("mapinto"), loop<LoopReduce, OpenMPLoops>("reduce"), loop<LoopSum, OpenMPLoops>("sum"),
			loop<LoopMin, OpenMPLoops>("min"), loop<LoopHistogram<256>, OpenMPLoops>("histogram-256"),
			loop<LoopHistogram<100000>, OpenMPLoops>("histogram-100000"),
		}) {
		workloads.push_back(w);
	}
	add_kernels<OpenMPLoops>(workloads);
	return serve(workloads, OpenMP::rest);
}
