#!/usr/bin/env bash
# Checks that the peers in a directory give the right answers with 1 to 3 workers, and refuse
# what they cannot run. The bench has the answers.
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
peers=(rayon rayon-novec onetbb onetbb-novec)
status=0

# right WORKLOADS FLAGS... fails if an answer is wrong, and then shows the report. Of the published
# trees there are no small ones. That a program hangs on locks is a result.
right() {
	local report
	if report=$(go run ./cmd/lab bench --peers "$dir" --impl "$(IFS=,; echo "${peers[*]}")" --repeat 1 --time 1ms --workload "$@" 2>&1); then
		printf '%s: all answers are right\n' "$1"
	else
		printf '%s\n' "$report"
		status=1
	fi
}

right par,fib,tree,depth,queens,integrate,sort,submit,late,beside --quick --workers 1,2,3
right uts --workers 1,2,3
right locks --quick

for name in "${peers[@]}"; do
	for line in run 'run nothing 1 1' 'run par-sort-int 1' 'run par-sort-int 257 10' 'run par-sort-int 1 0' 'walk par-sort-int 1 10'; do
		answer=$("$dir/$name" <<<"$line")
		if [[ $answer != 'error: '* ]]; then
			printf '%s answers %s to: %s\n' "$name" "$answer" "$line"
			status=1
		fi
	done
done
exit "$status"
