#!/usr/bin/env bash
# Checks that the peers in a directory give the right answers with 1 to 3 workers, and refuse
# what they cannot run. The bench and lab waits have the answers.
#
#	check.sh DIR
#
# Exit status: 0 if all do, 1 if not, 2 if the arguments are wrong.
set -uo pipefail

if [[ $# != 1 ]]; then
	printf 'usage: %s DIR\n' "$0" >&2
	exit 2
fi
dir=$(cd "$1" && pwd) && cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
export GOWORK=$PWD/go.work
peers=rayon,rayon-novec,onetbb,onetbb-novec
report=$(mktemp)
trap 'rm -f "$report"' EXIT
status=0

# right NAME COMMAND... says whether a command finds all answers right, or what it says.
right() {
	if "${@:2}" >"$report" 2>&1; then
		printf '%s: all answers are right\n' "$1"
	else
		cat "$report"
		status=1
	fi
}

# Of the published trees there are no small ones. With more than one worker, programs with
# locks may hang.
measured=(go run ./cmd/lab bench --peers "$dir" --impl $peers --workers 1,2,3 --repeat 1 --time 1ms)
waits=(go run ./cmd/lab waits --peers "$dir" --impl rayon,onetbb,onetbb-isolate --tries 2)
right 'loops, forks' "${measured[@]}" --quick --workload par,sweep,fib,tree,depth,queens,integrate,matmul,sort,submit,fill
right trees "${measured[@]}" --workload uts
right locks "${waits[@]}" --program locks-once,locks-mutex --workers 1
right 'other callers' "${waits[@]}" --program late,beside,beside-busy --workers 1,2,3

for name in ${peers//,/ }; do
	while read -r line; do
		answer=$("$dir/$name" <<<"$line")
		if [[ $answer != 'error: '* ]]; then
			printf '%s answers %s to: %s\n' "$name" "$answer" "$line"
			status=1
		fi
	done <<-'LINES'
		run
		run nothing 1 1
		run par-sort-int 1
		run par-sort-int 257 10
		run par-sort-int 1 0
		run par-sort-int 1 10 5
		walk par-sort-int 1 10
	LINES
done
exit "$status"
