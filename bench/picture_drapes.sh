#!/bin/sh
# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# One picture of many drapes with their names: bench/picture_drapes.sh WEFT fabrics|meshes OUT.png [options of weft bench fabrics|meshes]
# Runs the drape tests, renders each drape and puts them side by side; needs ffmpeg with drawtext.
set -eu
weft=$1 what=$2 out=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$weft" bench "$what" -o "$folder" "$@" | tee "$folder/table"
case $what in
fabrics) names=$(tail -n +3 "$folder/table" | awk '{ print $1 }') columns=7 width=240 height=200 look='--samples 64' ;;
meshes) names=$(tail -n +3 "$folder/table" | awk '{ print $1 "-" $2 }') columns=4 width=300 height=230 look='--samples 32 --wireframe' ;;
esac
inputs='' layout='' count=0
for name in $names; do
    # shellcheck disable=SC2086
    "$weft" render "$folder/$name.obj" -o "$folder/$name.png" --size "${width}x$height" $look --camera 0.26,0.17,0.34,0,-0.018,0,34
    ffmpeg -loglevel error -y -i "$folder/$name.png" -vf \
        "drawtext=text=$name:x=(w-tw)/2:y=h-th-6:fontsize=17:fontcolor=black:box=1:boxcolor=white@0.7:boxborderw=3" "$folder/$name.label.png"
    inputs="$inputs -i $folder/$name.label.png"
    layout="$layout${layout:+|}$((count % columns * width))_$((count / columns * height))"
    count=$((count + 1))
done
# shellcheck disable=SC2086
ffmpeg -loglevel error -y $inputs -filter_complex \
    "xstack=inputs=$count:layout=$layout:fill=white,split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none" -frames:v 1 "$out"
