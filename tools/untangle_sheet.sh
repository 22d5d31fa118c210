#!/bin/sh
# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# untangle_sheet.sh OUT.png [BIN]: a picture of every constructed tangle of tests/unit/test_untangle_cases.c, before above and after below, in the
# order of the test, left to right and row by row. BIN is where weft and the test are; default build/release/bin.
set -eu
out=${1:?expected the picture to write}
bin=${2:-build/release/bin}
columns=11 width=176 height=132
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$bin/test_untangle_cases" "$work" > "$work/log"
count=0
while [ -f "$work/$(printf %02d $count)-before-0.obj" ]; do
    number=$(printf %02d $count)
    for when in before after; do
        "$bin/weft" render "$work/$number-$when"-*.obj -o "$work/$number-$when.png" --size ${width}x$height > "$work/log"
    done
    ffmpeg -loglevel error -i "$work/$number-before.png" -i "$work/$number-after.png" -filter_complex \
        "vstack,pad=iw+4:ih+8:2:4:black" "$work/pair-$number.png"
    count=$((count + 1))
done
[ $count -gt 0 ] || { echo "untangle_sheet.sh: the test wrote no meshes" >&2; exit 1; }
rows=$(((count + columns - 1) / columns))
ffmpeg -y -loglevel error -i "$work/pair-%02d.png" -vf "tile=${columns}x$rows,split[a][b];[a]palettegen=max_colors=64[p];[b][p]paletteuse=dither=none" -frames:v 1 "$out"
echo "$out: $count tangles"
