// The sorts of Boost.Sort, on threads that each of them starts.

#include <boost/sort/sort.hpp>

#include "sorts.h"

int main() {
	Workloads all;
	add_sorts(all, [](unsigned workers, auto& a, const auto& less) {
		boost::sort::block_indirect_sort(a.begin(), a.end(), less, workers);
	});
	add_stable_sorts(all, [](unsigned workers, auto& a, const auto& less) {
		boost::sort::parallel_stable_sort(a.begin(), a.end(), less, workers);
	});
	return serve(all);
}
