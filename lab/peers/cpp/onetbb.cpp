// The workloads on oneTBB: task_group, and its loops, in a task_arena.

#include "loops.h"
#include "waits.h"

int main(int argc, char** argv) {
	Workloads all = loops;
	all.insert(waits.begin(), waits.end());
	return serve(all, {argv + 1, argv + argc});
}
