#!/usr/bin/env bash
# Prints the path of a pulumi executable that gpuyard can drive, and builds one into bin/ where there is none.
#
# It looks where gpuyard itself looks, in the same order (internal/engine, FindCLI): $GPUYARD_PULUMI, the PATH,
# bin/. What it finds or does goes to stderr. The oldest version that will do is engine.MinimumVersion; the one that
# is built is pinned in tools/pulumi/go.mod.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { echo "pulumi: $*" >&2; }

minimum=$(sed -n 's/^const MinimumVersion = "\(.*\)"$/\1/p' internal/engine/*.go)
pinned=$(awk '$1 == "github.com/pulumi/pulumi/pkg/v3" { print $2 }' tools/pulumi/go.mod)
if [[ -z $minimum || -z $pinned ]]; then
	say "no MinimumVersion in internal/engine, or no pkg/v3 in tools/pulumi/go.mod: mend tools/pulumi.sh"
	exit 1
fi

# version PATH prints the version of a pulumi executable without its "v", or nothing where it does not run.
version() { PULUMI_SKIP_UPDATE_CHECK=true "$1" version 2>/dev/null </dev/null | sed -n 's/^v//p' || true; }

# at_least WANTED FOUND compares versions.
at_least() { [[ $(printf '%s\n' "$1" "$2" | sort -V | head -n 1) == "$1" ]]; }

if [[ -n ${GPUYARD_PULUMI:-} ]]; then
	say "$GPUYARD_PULUMI, because GPUYARD_PULUMI says so"
	echo "$GPUYARD_PULUMI"
	exit
fi

if installed=$(command -v pulumi); then
	found=$(version "$installed")
	if [[ -n $found ]] && at_least "$minimum" "$found"; then
		say "$installed, version $found"
		echo "$installed"
		exit
	fi
	say "$installed is version ${found:-unknown}, and at least $minimum is needed"
fi

own=$PWD/bin/pulumi
if [[ ! -x $own || $(version "$own") != "${pinned#v}" ]]; then
	say "building version ${pinned#v} into bin/ (about ten minutes on two cores where nothing is cached, once)"
	# Without its version the executable calls itself v0.0.0, and nothing that drives it would take it.
	go -C tools/pulumi build -o "$own" \
		-ldflags "-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=$pinned" \
		github.com/pulumi/pulumi/pkg/v3/cmd/pulumi >&2
fi
echo "$own"
