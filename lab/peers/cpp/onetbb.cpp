// The workloads on oneTBB: task_group, and its loops, in a task_arena.

#include <oneapi/tbb/parallel_sort.h>

#include "arena.h"
#include "loops.h"
#include "sorts.h"
#include "waits.h"

int main(int argc, char** argv) {
	Workloads all;
	add_fills(all);
	add_waits(all);
	add_loops(all);
	add_sorts(all, [](unsigned workers, auto& a, const auto& less) {
		arena(workers).execute([&] { tbb::parallel_sort(a.begin(), a.end(), less); });
	});
	isolated = argc == 2 && argv[1] == std::string("--isolate");
	if (argc == 1 || isolated) return serve(all);
	std::cerr << "usage: " << argv[0] << " [--isolate]\n";
	return 2;
}
