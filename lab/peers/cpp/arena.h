// oneTBB's pools.
#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <map>
#include <optional>

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
