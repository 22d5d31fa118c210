#!/bin/bash
# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# format.sh [--check]: lays out the C and CUDA sources as .clang-format says, or only says which differ (exit 1).
# Other versions of clang-format lay out a few things differently, so only the one below is used; exit 3 where it is not there.
set -euo pipefail
cd "$(dirname "$0")/.."
version=14

for tool in clang-format-$version clang-format; do
    command -v $tool >/dev/null && $tool --version | grep -q "version $version\." && break
    tool=""
done
if [ -z "$tool" ]; then
    echo "format.sh: skipped, clang-format $version is wanted (package clang-format-$version)" >&2
    exit 3
fi

folders=""
for folder in include src tests examples bench; do [ ! -d $folder ] || folders+=" $folder"; done
mapfile -t sources < <(find $folders \( -name '*.c' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' \) | sort)
if [ "${1:-}" = --check ]; then
    rc=0
    for source in "${sources[@]}"; do
        $tool "$source" | diff -q "$source" - >/dev/null || { echo "$source: not laid out as .clang-format says (make format)"; rc=1; }
    done
    exit $rc
fi
$tool -i "${sources[@]}"
