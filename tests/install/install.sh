#!/bin/bash
# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# install.sh CMAKE SOURCE BUILD CC: installs BUILD, builds the outsider's programs against the copy by CMake and by pkg-config and runs
# them; then moves the copy and does it all again.
set -euo pipefail
cmake=$1 source=$2 build=$3 cc=$4
here=$source/tests/install/consumer
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

try() { # prefix, folder for what is built
    local prefix=$1 out=$2 libdir
    libdir=$(dirname "$(find "$prefix" -name 'libweft.a')")
    if grep -rnE "(^|[^A-Za-z0-9_.}/-])(${work//./\\.}|${source//./\\.})(/|\"|$)" "$libdir/pkgconfig" "$libdir/cmake"; then
        echo "an installed file names a folder of this machine" >&2
        return 1
    fi
    echo "-- by CMake, from $prefix"
    "$cmake" -S "$here" -B "$out/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" -DEXAMPLES="$source/examples" > "$out.log" || { cat "$out.log"; return 1; }
    grep -q "weft_DIR:PATH=$prefix/" "$out/cmake/CMakeCache.txt" || { echo "another weft was found: $(grep weft_DIR "$out/cmake/CMakeCache.txt")" >&2; return 1; }
    "$cmake" --build "$out/cmake" > "$out.log" || { cat "$out.log"; return 1; }
    "$out/cmake/hello"
    "$out/cmake/load_scene" "$prefix/share/weft/scenes/drape.yaml"

    echo "-- by pkg-config, from $prefix"
    export PKG_CONFIG_PATH=$libdir/pkgconfig
    mkdir -p "$out/pkg"
    "$cc" $(pkg-config --cflags weft) "$source/examples/hello.c" -o "$out/pkg/hello" $(pkg-config --static --libs weft)
    "$cc" $(pkg-config --cflags weft_io) "$here/load_scene.c" -o "$out/pkg/load_scene" $(pkg-config --static --libs weft_io)
    "$out/pkg/hello"
    "$out/pkg/load_scene" "$prefix/share/weft/scenes/drape.yaml"

    echo "-- the command, from $prefix"
    "$prefix/bin/weft" info drape
}

"$cmake" --install "$build" --prefix "$work/first" > /dev/null
try "$work/first" "$work/a"
mv "$work/first" "$work/moved"
try "$work/moved" "$work/b"
