// The sort of IPS⁴o (Axtmann, Witt, Ferizovic and Sanders, 2022).

#include <ips4o.hpp>

#include "sorts.h"

int main() {
	Workloads all;
	add_sorts(all, [](unsigned workers, auto& a, const auto& less) {
		ips4o::parallel::sort(a.begin(), a.end(), less, int(workers));
	});
	return serve(all);
}
