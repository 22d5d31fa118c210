#!/bin/bash
# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# fuzz.sh BUILD SECONDS: runs every fuzzer of the build that long, starting from tests/fuzz/corpus/<what>. New inputs stay in the build
# folder; a finding is left in BUILD/findings and ends the run.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
seconds=$2
shopt -s nullglob
fuzzers=("$build"/bin/fuzz_*)
[ ${#fuzzers[@]} -gt 0 ] || { echo "fuzz.sh: no fuzzer in $build/bin" >&2; exit 2; }
mkdir -p "$build/findings"
for fuzzer in "${fuzzers[@]}"; do
    name=$(basename "$fuzzer")
    what=${name#fuzz_}
    mkdir -p "$build/corpus/$what"
    echo "-- $name, $seconds s"
    "$fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 -artifact_prefix="$build/findings/$what-" \
        "$build/corpus/$what" "tests/fuzz/corpus/$what" 2>&1 | sed '/Recommended dictionary/,/End of recommended dictionary/d'
done
