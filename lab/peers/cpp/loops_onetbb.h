// The loops on oneTBB.
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/parallel_scan.h>
#include <oneapi/tbb/parallel_sort.h>

#include "arena.h"
#include "loops.h"

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

inline std::vector<Workload> onetbb_loops() {
	using L = OneTBBLoops;
	std::vector<Workload> all = {
		loop<LoopFor, L>("for"), loop<LoopRange, L>("range"), loop<LoopMap, L>("map"), loop<LoopMapInto, L>("mapinto"),
		loop<LoopReduce, L>("reduce"), loop<LoopSum, L>("sum"), loop<LoopMin, L>("min"), loop<LoopScan, L>("scan"),
		loop<LoopNested, L>("nested"), loop<LoopHistogram<256>, L>("histogram-256"),
		loop<LoopHistogram<100000>, L>("histogram-100000"), loop<LoopSeq, L>("seq"), loop<LoopError, L>("error"),
	};
	add_sorts<L>(all);
	add_kernels<L>(all);
	add_all_sweeps<L>(all);
	return all;
}
