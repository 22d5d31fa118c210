#!/bin/bash
# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# lint.sh BUILD: every check that reads sources only; BUILD holds a compile_commands.json. All are run; exit 1 if one complains.
set -uo pipefail
cd "$(dirname "$0")/.."
commands=$1/compile_commands.json
[ -f "$commands" ] || { echo "lint.sh: no $commands; configure that build first" >&2; exit 2; }
failed=0

echo "-- layers"
python3 tools/check_layers.py || failed=1

echo "-- layout"
tools/format.sh --check
rc=$?
# Another clang-format would complain at random: a notice is enough on a developer's machine, not in CI.
[ $rc = 0 ] || [ $rc = 3 -a "${WEFT_CI:-0}" != 1 ] || failed=1

echo "-- cppcheck"
# Tests are judged by running them.
cppcheck -q -j "$(nproc)" --project="$commands" --file-filter='src/*' --enable=warning,portability --inline-suppr --error-exitcode=1 \
    --suppressions-list=tools/cppcheck.txt || failed=1

echo "-- clang-tidy"
# Without what only gcc knows: clang takes such an option for an error.
tidy=$(mktemp -d)
trap 'rm -rf "$tidy"' EXIT
sed 's/ -fno-tree-loop-distribute-patterns//' "$commands" > "$tidy/compile_commands.json"
python3 -c 'import json, sys; print("\n".join(sorted({e["file"] for e in json.load(open(sys.argv[1])) if "/src/" in e["file"]})))' "$commands" |
    xargs -P "$(nproc)" -n 4 clang-tidy -p "$tidy" --quiet --warnings-as-errors='*' 2>&1 | { grep -v -E '^[0-9]+ warnings? generated|^Suppressed|^Use -header-filter' || true; }
[ "${PIPESTATUS[1]}" = 0 ] || failed=1
exit $failed
