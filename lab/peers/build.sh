#!/usr/bin/env bash
# Builds the peers into a directory, those that can be built here.
#
#	build.sh [--install] DIR
#
# With --install it first installs, as root, the Debian packages that they need.
# Exit status: 0 if all were built, 1 if not, 2 if the arguments are wrong.
set -uo pipefail

usage() {
	printf 'usage: %s [--install] DIR\n' "$0" >&2
	exit 2
}

install=false
if [[ ${1-} == --install ]]; then
	install=true
	shift
fi
[[ $# == 1 && $1 != -* && -n $1 ]] || usage

mkdir -p "$1" || exit 1
out=$(cd "$1" && pwd) || exit 1
source=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
status=0

# As cargo's release profile optimizes; and no multiplication fused with an
# addition, or results would differ between platforms.
flags=(-std=c++20 -O3 -ffp-contract=off -Wall -Wextra)

# Those with -novec make no vector instructions of loops and call what Go calls by a
# function value, as Go does.
build_cargo() {
	local name=$1 built
	shift
	# Cargo writes beside its sources and looks for its configuration there.
	cp -R "$source/$name" "$scratch" &&
		(cd "$scratch/$name" && CARGO_TARGET_DIR=target cargo build --quiet --offline --release "$@") &&
		mv "$scratch/$name/target/release/$name-peer" "$scratch/built"
	built=$?
	rm -rf "${scratch:?}/$name"
	return $built
}

build_rayon() { build_cargo rayon "$@"; }

build_rayon-novec() { RUSTFLAGS='-C no-vectorize-loops -C no-vectorize-slp' build_rayon --features called; }

build_onetbb() { build_cpp onetbb "$@" -ltbb; }

build_onetbb-novec() { build_onetbb -fno-tree-vectorize -DCALLED; }

build_cpp() {
	g++ "${flags[@]}" "$source/cpp/$1.cpp" -o "$scratch/built" "${@:2}"
}

# peer NAME PACKAGE... builds one; a program of an earlier build does not
# survive a failure.
peer() {
	local name=$1
	shift
	if $install && ! DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >"$scratch/apt" 2>&1; then
		tail -n 3 "$scratch/apt" >&2
	fi
	rm -f "$out/$name"
	if "build_$name" && mv "$scratch/built" "$out/$name"; then
		printf '%s: built\n' "$name"
	else
		printf '%s: missing; it needs the Debian packages %s (--install installs them)\n' "$name" "$*"
		status=1
	fi
}

peer rayon cargo librust-rayon-dev librust-sha1-dev
peer onetbb g++ libtbb-dev
peer rayon-novec cargo librust-rayon-dev librust-sha1-dev
peer onetbb-novec g++ libtbb-dev
exit "$status"
