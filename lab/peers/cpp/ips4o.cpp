// The sort of IPS⁴o (Axtmann, Witt, Ferizovic and Sanders, 2022).

#include <ips4o.hpp>

#include "loops.h"

struct Ips4oLoops : PlainLoops {
	template <class T, class Less>
	static void sort(unsigned workers, std::vector<T>& a, const Less& less) {
		ips4o::parallel::sort(a.begin(), a.end(), less, int(workers));
	}
};

int main() {
	std::vector<Workload> workloads;
	add_loops<Ips4oLoops>(workloads, "sort-int sort-strings");
	return serve(workloads);
}
