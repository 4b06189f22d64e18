#!/usr/bin/env bash
# Runs tests for platforms that this one is not: Linux on other processors under QEMU's user-mode
# emulation, Windows under Wine, and js/wasm on Node.
#
#	run.sh [--full] [--install | --prepare] [MACHINE]...
#
# Without names it takes the machines that every change must pass, and what the table below names.
# --full runs all tests of all modules but lab, tools and examples at their full length, those of the
# suite itself included; and on all machines if none is named.
# --install first installs what is missing from Debian's packages, --prepare does nothing else.
# Two machines run at a time; what the tests of one print appears when they have ended. The
# first failure ends it; what is not installed is a failure.
#
# An emulator shows what depends on the width and order of bytes, on alignment, on the numbers
# of system calls and on what the platform's own park does. It does not show another
# processor's memory order: the host's is the one in force.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
export GOWORK=$PWD/lab/go.work CGO_ENABLED=0

# A machine a line: its name, with a star if every change must pass it; what stands in for it;
# the environment of the go command; and the packages whose tests every change must pass there.
#
# The code that ships depends on the platform in two places: the clock in api/prim and the futex in
# sleep/futex. The suite has pools with that futex. All else meets the platform through Go's runtime and
# compiler. arm64 multiplies and adds in one step, so the floats of kmeans are compared there. Wasm has
# one thread, which a job that waits must not keep, and its clock is coarse: the tests of pool show both.
# What a word of 32 bits breaks, and a 64-bit atomic that is not aligned, arm shows, in all that ships:
# .ci/run names it, with the oldest Go. It has one processor, for it is the one machine of which every
# change passes so much. On mips there are 32 bits, the most significant byte comes first, and 64-bit
# atomics are locks. The runtime makes up for the atomics that ARMv5 lacks.
machines='
arm64*   | qemu-aarch64 | GOOS=linux GOARCH=arm64        | api/... sleep/futex/... conformance examples/kmeans
windows* | wine         | GOOS=windows GOARCH=amd64      | api/... sleep/futex/... conformance
js*      | node         | GOOS=js GOARCH=wasm            | api/... sleep/futex/... pool
arm      | qemu-arm     | GOOS=linux GOARCH=arm GOARM=7  | api/... conformance conformance/internal/... conformance/own counters/... deque/... explore/twin/... latch/... par/... pool/... sleep/...
armv5    | qemu-arm     | GOOS=linux GOARCH=arm GOARM=5  |
mips     | qemu-mips    | GOOS=linux GOARCH=mips         |
s390x    | qemu-s390x   | GOOS=linux GOARCH=s390x        |
ppc64le  | qemu-ppc64le | GOOS=linux GOARCH=ppc64le      |
riscv64  | qemu-riscv64 | GOOS=linux GOARCH=riscv64      |
'

fail() {
	printf '%s: %s\n' "$0" "$*" >&2
	exit 1
}

# field N NAME prints a column of a machine, or nothing if there is no such machine.
field() { sed -n "s/^$2\*\? *| */|/p" <<<"$machines" | cut -d '|' -f "$1" | xargs; }

# missing NAME... prints the Debian packages that the machines need and that are not there.
missing() {
	local name need
	for name in "$@"; do
		case $(field 2 "$name") in
		wine) printf '%s\n' 'wine wine wine64' 'wineserver wine' 'x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64' ;;
		node) printf 'node nodejs\n' ;;
		qemu-*) printf '%s qemu-user\ntaskset util-linux\n' "$(field 2 "$name")" ;;
		esac
	done | while read -r need packages; do
		command -v "$need" >/dev/null || printf '%s\n' $packages
	done | sort -u
}

# ready NAME sets exec and guest, by which the programs of a machine are run.
ready() {
	guest=()
	case $(field 2 "$1") in
	node) exec=$(go env GOROOT)/lib/wasm/go_js_wasm_exec ;;
	wine)
		exec=wine
		export WINEPREFIX=$scratch/wine WINEDEBUG=-all
		local said
		said=$(wine wineboot --init 2>&1) || fail "wineboot: $said"
		# The one library that Go's runtime needs and Wine 8 lacks.
		local library=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
		[[ -e $library ]] || x86_64-w64-mingw32-gcc -shared -o "$library" "$here/guest/bcryptprimitives.c" -ladvapi32
		;;
	qemu-*) exec=$here/guest/qemu.sh guest=(ROUSE_EMULATOR="$(field 2 "$1")") ;;
	esac
	if [[ $1 == arm && ! $full ]]; then
		# The tests have one processor, and the compiler all.
		exec="env GOMAXPROCS=1 $exec"
		less=(-short -tags=nohttp -skip="$(left_out 'again|narrow')")
	fi
	if [[ $1 == arm64 ]]; then
		# QEMU 7.2 runs an arm64 store-release followed by a load-acquire of another word
		# without the order between them that the processor keeps, so two threads can each
		# miss the other's store. One processor sees its own stores. Go would see one and
		# interleave less. With more than two threads, those that spin take the turns of
		# those that work.
		local cpu
		cpu=$(sed -n 's/^Cpus_allowed_list:\s*\([0-9]*\).*/\1/p' /proc/self/status)
		guest+=(ROUSE_PIN="taskset --cpu-list ${cpu:?}" GOMAXPROCS=2)
	fi
}

# left_out WORDS prints a pattern of the tests that have one of the words, of an extended regular
# expression, in twice.txt.
left_out() { sed -nE "s/^($1) //p" "$here/twice.txt" | paste -sd '|'; }

# packages NAME prints what is tested on a machine.
packages() {
	local module
	if [[ ! $full && $(field 4 "$1") ]]; then
		printf "$prefix%s " $(field 4 "$1")
		return
	fi
	for module in $(go list -m | sed "s#^$prefix##"); do
		case $module in
		lab | examples | tools | tools/*) ;; # work on the repository, or start programs of the host
		explore) printf '%s ' "$prefix$module" "$prefix$module"/{examples,internal,twin}/... ;; # its command starts programs of the host
		*) printf '%s%s/... ' "$prefix" "$module" ;;
		esac
	done
}

# tests NAME runs the tests on a machine. The test cache does not know in what the emulator
# differs today. What vet finds it finds on this platform.
tests() {
	local go start=$SECONDS
	ready "$1"
	read -ra go <<<"$(field 3 "$1")"
	go=(env "${go[@]}" "${guest[@]}" go test -vet=off -count=1 -timeout=30m -exec="$exec" "${less[@]}")
	# shellcheck disable=SC2046 # a word each
	"${go[@]}" $(packages "$1")
	[[ ! $full || $1 != windows ]] || explored "$1" "${go[@]:1}"
	printf '%s, under %s: %d s\n' "$1" "$(field 2 "$1")" $((SECONDS - start))
}

# explored NAME ENVIRONMENT... GO TEST... runs there the tests of the explorer's twins, and its examples, which the
# command rewrites here.
explored() {
	go build -o "$scratch/explore" ./explore/cmd/explore
	env "${@:2}" -tags explore "$prefix"explore/twin/...
	local go
	read -ra go <<<"$(field 3 "$1")"
	env "${go[@]}" GOFLAGS="${GOFLAGS-} -exec=$exec" "$scratch/explore" test ./explore/examples/...
}

# ended waits for a machine, and prints what its tests have.
ended() {
	local pid status=0
	wait -n -p pid || status=$?
	cat "$scratch/${running[$pid]}"
	((status == 0)) || fail "${running[$pid]}: the tests fail"
	unset "running[$pid]"
}

full='' install='' prepare='' names=()
for arg in "$@"; do
	case $arg in
	--full) full=yes ;;
	--install) install=yes ;;
	--prepare) install=yes prepare=yes ;;
	*)
		[[ -n $(field 2 "$arg") ]] || fail "no machine $arg; there are:" $(sed -n 's/ *|.*//p' <<<"$machines")
		names+=("$arg")
		;;
	esac
done
if ((${#names[@]} == 0)); then
	mapfile -t names < <(sed -nE "s/^(\w+)$([[ $full ]] && echo '\*?' || echo '\*') *\|.*/\1/p" <<<"$machines")
fi

lacks=$(missing "${names[@]}")
if [[ $install && $lacks ]]; then
	sudo=$([[ $EUID == 0 ]] || echo sudo)
	# Without a fresh index a bare Debian knows of no package.
	$sudo apt-get -qq update >&2
	# shellcheck disable=SC2086 # a word each
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 install --yes --no-install-recommends $lacks >&2
elif [[ $lacks ]]; then
	fail "missing are the Debian packages" $lacks "(--install installs them)"
fi
[[ -z $prepare ]] || exit 0

prefix=github.com/rouse-go/rouse/
less=()
if [[ ! $full ]]; then
	# What shows nothing there that others do not show. The reasons are there.
	! grep -vE '^(#|$|(again|machine|race|narrow) .)' "$here/twice.txt" || fail 'a line of twice.txt is neither a comment nor a place and a pattern'
	less=(-short -tags=nohttp -skip="$(left_out 'again|machine')")
fi

scratch=$(mktemp -d)
set -m # each job a group of processes, to be ended as one
trap 'for pid in $(jobs -p); do kill -- "-$pid" 2>/dev/null || true; done
	[[ ! -d $scratch/wine ]] || WINEPREFIX=$scratch/wine wineserver --kill || true
	rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
declare -A running=()
for name in "${names[@]}"; do
	((${#running[@]} < 2)) || ended # the processors of a machine are one, or wait for each other
	tests "$name" >"$scratch/$name" 2>&1 &
	running[$!]=$name
done
while ((${#running[@]} > 0)); do ended; done
