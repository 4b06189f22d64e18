#!/usr/bin/env bash
# Checks that the peers in a directory give the known answers.
#
#	check.sh DIR
#
# Exit status: 0 if all three do, 1 if not, 2 if the arguments are wrong.
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
refused=('run' 'run nothing 1' 'run fib' 'run fib -1' 'run fib 257' 'run fib 1 51' 'run fib 1 x' 'run uts 1 T2' 'run fill-flat 1 0' 'run fill-spine 1 4097' 'walk')

# One process answers everything, so that pools are used again. NS stands for
# any number of nanoseconds.
{
	printf 'list\tfib tree uts queens integrate sort matmul submit fill-flat fill-spine fill-tree fill-scope fill-submit\n'
	while read -r workload size result forks; do
		[[ -n $workload ]] || continue
		printf 'run %s 0 %s\tNS %s 0\n' "$workload" "$size" "$result"
		for workers in 1 2 3; do
			printf 'run %s %d %s\tNS %s %s\n' "$workload" "$workers" "$size" "$result" "$forks"
		done
	done <<<"$known"
	for command in "${refused[@]}"; do printf '%s\terror: TEXT\n' "$command"; done
} >"$scratch/want"

status=0
for name in rayon onetbb openmp; do
	if [[ ! -x $dir/$name ]]; then
		printf '%s: missing\n' "$name"
		status=1
		continue
	fi
	cut -f 1 "$scratch/want" >"$scratch/asked"
	timeout 120 "$dir/$name" <"$scratch/asked" >"$scratch/answers"
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
