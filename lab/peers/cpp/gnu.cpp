// The sorts of g++'s parallel mode, on OpenMP.

#include <omp.h>
#include <parallel/algorithm>

#include <chrono>
#include <thread>

#include "loops.h"

struct GnuLoops : PlainLoops {
	template <class T, class Less>
	static void sort(unsigned workers, std::vector<T>& a, const Less& less) {
		omp_set_num_threads(int(workers));
		__gnu_parallel::sort(a.begin(), a.end(), less);
	}

	template <class T, class Less>
	static void stable_sort(unsigned workers, std::vector<T>& a, const Less& less) {
		omp_set_num_threads(int(workers));
		__gnu_parallel::stable_sort(a.begin(), a.end(), less);
	}
};

int main() {
	std::vector<Workload> workloads;
	add_loops<GnuLoops>(workloads, "sort-int sort-strings sort-pairs");
	// Threads of libgomp spin for some milliseconds after a region.
	return serve(workloads, [] { std::this_thread::sleep_for(std::chrono::milliseconds(10)); });
}
