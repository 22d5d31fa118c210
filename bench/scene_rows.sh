#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# scene_rows.sh WEFT SECONDS ROWS...: runs what the files ROWS list, a line each, `NAME: arguments of weft run`, each for so many seconds at
# most, and prints a row of each from its report: frames, the most steps and contacts in one, ms a frame (without the check of frames and
# without writing), medians of dynamics and contact, the worst edge of any frame, the most intersecting pairs (-: not counted), MB of
# memory; of safe repulsion also rounds a frame, the share of those that were soft, and blocks that were taken back. DEVICE is cuda where
# it is not set; ARGUMENTS are added to all rows.
set -euo pipefail
weft=$1 seconds=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '%-20s %6s %5s %9s %8s %8s %8s %8s %8s %8s %8s %8s %5s %9s %7s %8s %5s\n' run frames steps contacts least median mean 90% most \
    dynamics contact stretch pairs MB rounds soft% back
grep -hv '^#' "$@" | while IFS=: read -r name arguments; do
    # shellcheck disable=SC2086 # a row's arguments are words
    timeout --signal=INT "$seconds" "$weft" run $arguments ${ARGUMENTS:-} --device "${DEVICE:-cuda}" -q -o "$folder/run" </dev/null || true
    awk -v name="$name" '
        function field(key) { return match($0, "\"" key "\": [^,}]*") ? substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4) : "" }
        function most(a, b) { return a > b ? a : b }
        function sorted(list, n,    i, k, v) {
            for (i = 2; i <= n; ++i) {
                v = list[i]
                for (k = i - 1; k > 0 && list[k] > v; --k) list[k + 1] = list[k]
                list[k + 1] = v
            }
        }
        function of(list, n, part) { return n > 0 ? list[int(part * (n - 1)) + 1] : 0 }
        BEGIN { pairs = "-" }
        /^{"frame": / {
            frame = field("frame")
            stretch = most(stretch, field("worst_stretch") + 0)
            if (field("intersecting_pairs") != "null") pairs = most(pairs == "-" ? 0 : pairs, field("intersecting_pairs") + 0)
            if (frame == 0) next # the start
            steps = most(steps, field("steps") + 0)
            contacts = most(contacts, field("contacts") + 0)
            memory = most(memory, field("memory") / 1e6)
            all = field("all"); soft = field("soft"); back = field("taken_back")
            if (frame == 1) next # what is made and recorded once
            ++n
            dynamics[n] = 1e3 * field("dynamics")
            contact[n] = 1e3 * field("contact")
            time[n] = 1e3 * field("motion") + dynamics[n] + contact[n]
            sum += time[n]
        }
        END {
            sorted(time, n); sorted(dynamics, n); sorted(contact, n)
            printf "%-20s %6d %5d %9d %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f %8.3f %5s %9.2f", name, frame, steps, contacts, of(time, n, 0),
                of(time, n, 0.5), (n ? sum / n : 0), of(time, n, 0.9), of(time, n, 1), of(dynamics, n, 0.5), of(contact, n, 0.5), stretch, pairs, memory
            if (all > 0) printf " %7.1f %8.3f %5d", all / frame, 100 * soft / all, back
            printf "\n"
        }' "$folder/run/report.jsonl"
    rm -rf "$folder/run"
done
