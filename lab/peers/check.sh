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
status=0

if ! report=$(go run ./cmd/lab bench --quick --peers "$dir" --impl rayon,onetbb --time 1ms --workers 1,2,3 2>&1); then
	printf '%s\n' "$report"
	status=1
fi

for name in rayon onetbb; do
	for args in '' 'par-for 1' 'nothing 1 1' 'par-for 0 10' 'par-for 1 0' 'par-for 1 x'; do
		# shellcheck disable=SC2086 # a word each
		if answer=$("$dir/$name" $args 2>/dev/null <<<''); then
			printf '%s answers %s to: %s\n' "$name" "$answer" "$args"
			status=1
		fi
	done
done
((status)) || printf 'all answers are right\n'
exit "$status"
