#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# step_times.sh WEFT SECONDS SCENE...: runs each scene for so many seconds at most, one step a frame, and prints what steps took: least, median,
# 90 % and most, of all and of those in which no block of rounds was taken back (contact: repulsion). FRAMES=A:B limits the frames.
set -euo pipefail
weft=$1 seconds=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for scene in "$@"; do
    timeout --signal=INT "$seconds" "$weft" run "$scene" -o "$folder/run" --device "${DEVICE:-cuda}" --no-check -q ${FRAMES:+--frames "$FRAMES"} || true
    sed -n 's/^{"frame": \([0-9]*\),.*"taken_back": \([0-9]*\)}.*"stages": {"motion": \([^,]*\), "dynamics": \([^,]*\), "contact": \([^,]*\),.*/\1 \2 \3 \4 \5/p' \
        "$folder/run/report.jsonl" | awk '$1 > 1 { print 1e3 * ($3 + $4 + $5), $2 - back } { back = $2 }' | sort -n |
        awk -v scene="$scene" '
            function of(list, n, part) { return n > 0 ? list[int(part * (n - 1)) + 1] : 0 }
            { all[++n] = $1; if ($2 == 0) clean[++m] = $1 }
            END {
                printf "%-28s %4d steps  ms a step: %.2f least, %.2f median, %.2f at 90 %%, %.2f most; clean %d, median %.2f\n",
                    scene, n, of(all, n, 0), of(all, n, 0.5), of(all, n, 0.9), of(all, n, 1), m, of(clean, m, 0.5)
            }'
    rm -rf "$folder/run"
done
