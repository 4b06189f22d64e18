// The loops by std::execution::par, in a task_arena of oneTBB, which g++ builds it on.

#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

#include "arena.h"
#include "loops.h"

// Index is an iterator over numbers: what the algorithms take has random access, which
// those of std::views::iota do not say they have.
struct Index {
	using iterator_category = std::random_access_iterator_tag;
	using value_type = size_t;
	using difference_type = ptrdiff_t;
	using pointer = const size_t*;
	using reference = size_t;

	size_t at = 0;

	size_t operator*() const { return at; }
	size_t operator[](ptrdiff_t d) const { return at + d; }
	Index& operator++() { return at++, *this; }
	Index operator++(int) { return {at++}; }
	Index& operator--() { return at--, *this; }
	Index& operator+=(ptrdiff_t d) { return at += d, *this; }
	Index operator+(ptrdiff_t d) const { return {at + d}; }
	Index operator-(ptrdiff_t d) const { return {at - d}; }
	ptrdiff_t operator-(Index other) const { return ptrdiff_t(at - other.at); }
	bool operator==(Index other) const { return at == other.at; }
	bool operator!=(Index other) const { return at != other.at; }
	bool operator<(Index other) const { return at < other.at; }
};

struct StdLoops : PlainLoops {
	static constexpr auto& par = std::execution::par;

	template <class F>
	static void each(unsigned workers, size_t n, const F& f) {
		arena(workers).execute([&] { std::for_each(par, Index{0}, Index{n}, f); });
	}

	static uint64_t sum(unsigned workers, const uint64_t* in, size_t n) {
		uint64_t result = 0;
		arena(workers).execute([&] { result = std::reduce(par, in, in + n); });
		return result;
	}

	template <class Op>
	static uint64_t reduce(unsigned workers, const uint64_t* in, size_t n, const Op& op) {
		uint64_t result = 0;
		arena(workers).execute([&] { result = std::reduce(par, in, in + n, uint64_t(0), op); });
		return result;
	}

	static uint64_t least(unsigned workers, const uint64_t* in, size_t n) {
		uint64_t result = 0;
		arena(workers).execute([&] { result = *std::min_element(par, in, in + n); });
		return result;
	}

	template <class Op>
	static void scan(unsigned workers, const uint64_t* in, size_t n, uint64_t* out, const Op& op) {
		arena(workers).execute([&] { std::inclusive_scan(par, in, in + n, out, op); });
	}

	template <class Keep>
	static size_t filter(unsigned workers, const uint64_t* in, size_t n, uint64_t* out, const Keep& keep) {
		uint64_t* end = out;
		arena(workers).execute([&] { end = std::copy_if(par, in, in + n, out, keep); });
		return end - out;
	}

	template <class Found>
	static size_t find(unsigned workers, const uint64_t* in, size_t n, const Found& found) {
		const uint64_t* at = in;
		arena(workers).execute([&] { at = std::find_if(par, in, in + n, found); });
		return at - in;
	}

	template <class T, class Less>
	static void sort(unsigned workers, std::vector<T>& a, const Less& less) {
		arena(workers).execute([&] { std::sort(par, a.begin(), a.end(), less); });
	}

	template <class T, class Less>
	static void stable_sort(unsigned workers, std::vector<T>& a, const Less& less) {
		arena(workers).execute([&] { std::stable_sort(par, a.begin(), a.end(), less); });
	}
};

int main() {
	using L = StdLoops;
	std::vector<Workload> workloads = {
		loop<LoopFor, L>("for"), loop<LoopMap, L>("map"), loop<LoopMapInto, L>("mapinto"), loop<LoopFilter, L>("filter"),
		loop<LoopReduce, L>("reduce"), loop<LoopSum, L>("sum"), loop<LoopMin, L>("min"), loop<LoopScan, L>("scan"),
		loop<LoopFind<0, false>, L>("find-start"), loop<LoopFind<1, false>, L>("find-middle"),
		loop<LoopFind<2, true>, L>("find-end"), loop<LoopFind<2, false>, L>("find-none"),
	};
	add_sorts<L>(workloads);
	add_stable_sorts<L>(workloads);
	add_kernels<L>(workloads);
	return serve(workloads, [](unsigned) {});
}
