// The workloads on oneTBB: task_group, and its loops, in a task_arena.

#include "loops.h"
#include "waits.h"

int main() {
	Workloads all;
	add_loops(all);
	add_waits(all);
	return serve(all);
}
