#!/usr/bin/env bash
# Checks that the peers in a directory give the known answers.
#
#	check.sh DIR
#
# Exit status: 0 if all do, 1 if not, 2 if the arguments are wrong.
set -uo pipefail

if [[ $# != 1 ]]; then
	printf 'usage: %s DIR\n' "$0" >&2
	exit 2
fi
dir=$1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# workload, size, result, forks. They come from closed forms and, for sort and
# queens, from a program in another language. A tree of UTS has one fork less
# than it has leaves, whose number is published.
known='
fib 25 75025 121392
fib 1 1 0
tree 22 8796090925056 2097151
tree 10 523776 511
tree 1 1 0
uts T1 4130071 3305117
uts T3 4112897 3599033
queens 3 0 2
queens 8 92 735
queens 11 2680 61075
integrate 500 15625125000.000330 3313891
sort 4096 13727446155722341669 0
sort 1000000 1455245164803678464 272
matmul 64 28 0
matmul 200 -6 15
matmul 512 -20 63
submit 100000 100000 100000
fill-flat 6 6 5
fill-spine 6 6 5
fill-tree 7 7 6
fill-scope 6 6 6
fill-submit 6 6 6
fill-tree 1 1 0
'
# With more than one worker these may hang. All languages agree on the digests.
locks='
locks-once 1 371642056432 662
locks-once 2 330103354878 639
locks-mutex 1 12786998078808 1806
'
late='
late 1 65 64
late 8 72 71
'
refused=('run fib' 'run fib -1' 'run fib 257' 'run fib 1 51' 'run fib 1 x' 'run uts 1 T2' 'run fill-flat 1 0' 'run fill-spine 1 4097')
refused_by_all=('run' 'run nothing 1' 'run locks-once' 'run locks-once 257' 'run locks-mutex 1 0' 'run locks-once 1 x' 'walk')

# questions MOST TABLE prints what to ask, with 0 to MOST workers, and the answers.
questions() {
	while read -r workload size result forks; do
		[[ -n $workload ]] || continue
		printf 'run %s 0 %s\tNS %s 0\n' "$workload" "$size" "$result"
		for ((workers = 1; workers <= $1; workers++)); do
			printf 'run %s %d %s\tNS %s %s\n' "$workload" "$workers" "$size" "$result" "$forks"
		done
	done <<<"$2"
}

# want NAME prints all that a peer is asked, and its answers. NS stands for any
# number of nanoseconds.
want() {
	local bench='fib tree uts queens integrate sort matmul submit fill-flat fill-spine fill-tree fill-scope fill-submit '
	local outside=' late'
	[[ $1 != openmp ]] || outside=''
	[[ $1 != forkjoin ]] || bench=''
	printf 'list\t%slocks-once locks-mutex%s\n' "$bench" "$outside"
	[[ -z $bench ]] || questions 3 "$known"
	questions 1 "$locks"
	[[ -z $outside ]] || questions 3 "$late"
	for command in "${refused[@]}" "${refused_by_all[@]}"; do printf '%s\terror: TEXT\n' "$command"; done
}

status=0
for name in rayon onetbb 'onetbb --isolate' openmp forkjoin; do
	read -ra peer <<<"$name"
	if [[ ! -x $dir/${peer[0]} ]]; then
		printf '%s: missing\n' "$name"
		status=1
		continue
	fi
	want "$name" >"$scratch/want"
	# One process answers everything, so that pools are used again.
	cut -f 1 "$scratch/want" >"$scratch/asked"
	timeout 120 "$dir/${peer[0]}" "${peer[@]:1}" <"$scratch/asked" >"$scratch/answers"
	exited=$?
	sed -E 's/^[0-9]+ /NS /; s/^error: .+/error: TEXT/' "$scratch/answers" | paste "$scratch/asked" - >"$scratch/got"
	if diff "$scratch/want" "$scratch/got" && ((exited == 0)); then
		printf '%s: all answers are right\n' "$name"
	else
		printf '%s: wrong, as above; exit status %d\n' "$name" "$exited"
		status=1
	fi
done
exit "$status"
