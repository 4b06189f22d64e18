#!/usr/bin/env bash
# Builds the peers into a directory, those that can be built here.
#
#	build.sh [--install] DIR
#
# With --install it first installs, as root, the Debian packages that they need.
# Exit status: 0 if all were built, 1 if not, 2 if the arguments are wrong.
set -uo pipefail

packages=(cargo librust-rayon-dev librust-sha1-dev g++ libtbb-dev)
if [[ ${1-} == --install ]]; then
	shift
	DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${packages[@]}" >&2
fi
if [[ $# != 1 || $1 == -* || -z $1 ]]; then
	printf 'usage: %s [--install] DIR\n' "$0" >&2
	exit 2
fi

mkdir -p "$1" || exit 1
out=$(cd "$1" && pwd) || exit 1
source=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# As cargo's release profile optimizes; and no multiplication fused with an
# addition, or results would differ between platforms.
cpp() { g++ -std=c++20 -O3 -ffp-contract=off -Wall -Wextra "$source/cpp/onetbb.cpp" -o "$scratch/built" -ltbb; }

# Cargo writes beside its sources and looks for its configuration there.
rust() {
	rm -rf "$scratch/rayon"
	cp -R "$source/rayon" "$scratch" &&
		(cd "$scratch/rayon" && CARGO_TARGET_DIR=target cargo build --quiet --offline --release) &&
		mv "$scratch/rayon/target/release/rayon-peer" "$scratch/built"
}

# peer NAME COMMAND... builds one; a program of an earlier build does not survive a failure.
status=0
peer() {
	rm -f "$out/$1"
	if "${@:2}" && mv "$scratch/built" "$out/$1"; then
		printf '%s: built\n' "$1"
	else
		printf '%s: missing; the peers need the Debian packages %s (--install installs them)\n' "$1" "${packages[*]}"
		status=1
	fi
}

peer rayon rust
peer onetbb cpp
exit "$status"
