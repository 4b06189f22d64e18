// The sorts of Boost.Sort, on threads that each of them starts.

#include <boost/sort/sort.hpp>

#include "loops.h"

struct BoostLoops : PlainLoops {
	template <class T, class Less>
	static void sort(unsigned workers, std::vector<T>& a, const Less& less) {
		boost::sort::block_indirect_sort(a.begin(), a.end(), less, workers);
	}

	template <class T, class Less>
	static void stable_sort(unsigned workers, std::vector<T>& a, const Less& less) {
		boost::sort::parallel_stable_sort(a.begin(), a.end(), less, workers);
	}
};

int main() {
	std::vector<Workload> workloads;
	add_loops<BoostLoops>(workloads, "sort-int sort-strings sort-pairs");
	return serve(workloads);
}
