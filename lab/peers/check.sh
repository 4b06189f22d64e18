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
# workload, result for 10000 elements, programs that have it; for par-nested it is of
# 100 loops of 100, and par-mandelbrot, par-nbody and par-life are squares, too. The plain loops in Go have the same results, as the bench checks.
loops='
par-for 17068056813269654664 rayon onetbb
par-range 26260814994 rayon onetbb
par-map 5861443293852004159 rayon onetbb
par-mapinto 5861443293852004159 rayon onetbb
par-filter 11722214574434956922 rayon
par-reduce 8131843141097308729 rayon onetbb
par-sum 8131843141097308729 rayon onetbb
par-min 2106293278287090 rayon onetbb
par-scan 12510051999414406549 onetbb
par-find-start 0 rayon
par-find-middle 5000 rayon
par-find-end 9999 rayon
par-find-none 10000 rayon
par-nested 17068056813269654664 rayon onetbb
par-histogram-256 1258235 rayon onetbb
par-histogram-100000 489549018 rayon onetbb
par-seq 49995000 onetbb
par-error 1 rayon onetbb
par-sort-int 16814467702682925027 rayon onetbb gnu boost ips4o
par-sort-int-sorted 349472906280960000 rayon onetbb gnu boost ips4o
par-sort-int-reverse 349525329838080000 rayon onetbb gnu boost ips4o
par-sort-int-few 10246304878779432960 rayon onetbb gnu boost ips4o
par-sort-int-almost 349644004768350208 rayon onetbb gnu boost ips4o
par-sort-int-exponential 11704500074662023134 rayon onetbb gnu boost ips4o
par-sort-strings 5343244859132637052 rayon onetbb gnu boost ips4o
par-sort-pairs 250255498337 rayon gnu boost
par-sort-pairs-sorted 333333330000 rayon gnu boost
par-sort-pairs-reverse 166666665000 rayon gnu boost
par-sort-pairs-few 255522075805 rayon gnu boost
par-sort-pairs-almost 332684010616 rayon gnu boost
par-sort-pairs-exponential 249853209481 rayon gnu boost
par-sort-key 250255498337 rayon
par-mandelbrot 1950498657 rayon onetbb
par-nbody 10816225880404395033 rayon onetbb
par-life 4758906 rayon onetbb
par-sparse 1466102277322654956 rayon onetbb
'
# The same for 100 elements, with a grain.
sweeps='
sweep-1ns-even 17055614446453106070 rayon onetbb
sweep-1ns-first 10672635163278964518 rayon onetbb
sweep-1ns-power 11538050865428785831 rayon onetbb
sweep-100ns-even 16016727256250723588 rayon onetbb
sweep-100ns-first 16024798453357044881 rayon onetbb
sweep-100ns-power 6958596507784073507 rayon onetbb
sweep-10us-even 7413058065457133491 rayon onetbb
sweep-10us-first 2125998898423952576 rayon onetbb
sweep-10us-power 3161687553650557134 rayon onetbb
'
refused=('run fib' 'run fib -1' 'run fib 257' 'run fib 1 51' 'run fib 1 x' 'run uts 1 T2' 'run fill-flat 1 0' 'run fill-spine 1 4097')
refused_by_all=('run' 'run nothing 1' 'run locks-once' 'run locks-once 257' 'run locks-mutex 1 0' 'run locks-once 1 x' 'run par-for 1 10 5' 'run sweep-1ns-even 1 10 0' 'walk')

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

# loops_of NAME TABLE prints the workloads of a peer in a table, and their results.
loops_of() {
	local workload result programs
	while read -r workload result programs; do
		[[ " $programs " != *" ${1%-novec} "* ]] || printf '%s %s\n' "$workload" "$result"
	done <<<"$2"
}

# want NAME prints all that a peer is asked, and its answers. NS stands for any
# number of nanoseconds.
want() {
	local names='' forks workload result workers
	if [[ $1 == rayon* || $1 == onetbb* ]]; then
		names='fib tree uts queens integrate sort matmul submit fill-flat fill-spine fill-tree fill-scope fill-submit locks-once locks-mutex late beside beside-busy '
	fi
	forks=$names
	names+=$(loops_of "$1" "$loops$sweeps" | cut -d ' ' -f 1 | tr '\n' ' ')
	printf 'list\t%s\n' "${names% }"
	if [[ -n $forks ]]; then
		questions 3 "$known"
		questions 1 "$locks"
		questions 3 "$late"
	fi
	for workers in 0 1 2 3; do
		[[ -z $forks ]] || printf 'run beside %d 200\tNS 0 0 MORE\nrun beside-busy %d 200\tNS 0 0 MORE\n' "$workers" "$workers"
		while read -r workload result; do
			printf 'run %s %d 10000\tNS %s 0\n' "$workload" "$workers" "$result"
		done < <(loops_of "$1" "$loops")
		while read -r workload result; do
			printf 'run %s %d 100\tNS %s 0\n' "$workload" "$workers" "$result"
			printf 'run %s %d 100 7\tNS %s 0\n' "$workload" "$workers" "$result"
		done < <(loops_of "$1" "$sweeps")
	done
	for command in "${refused[@]}" "${refused_by_all[@]}"; do printf '%s\terror: TEXT\n' "$command"; done
}

status=0
for name in rayon rayon-novec onetbb onetbb-novec 'onetbb --isolate' gnu boost ips4o; do
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
	sed -E 's/^([0-9]+ 0 0)( [0-9]+){3,}$/\1 MORE/; s/^[0-9]+ /NS /; s/^error: .+/error: TEXT/' "$scratch/answers" | paste "$scratch/asked" - >"$scratch/got"
	if diff "$scratch/want" "$scratch/got" && ((exited == 0)); then
		printf '%s: all answers are right\n' "$name"
	else
		printf '%s: wrong, as above; exit status %d\n' "$name" "$exited"
		status=1
	fi
done
exit "$status"
