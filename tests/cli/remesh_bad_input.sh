# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
try() { weft remesh "$@" || echo "exit $?"; }
cp $DATA/sheet.obj mine.obj
printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nf 1/1 2/2 3/3\nf 1/1 3/3 4/2\n' > folded.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > plain.obj
try $DATA/sheet.obj --edge 0.2
try $DATA/sheet.obj -o out.stl --edge 0.2
try $DATA/sheet.obj -o out.obj
try $DATA/sheet.obj -o out.obj --edge 0
try $DATA/sheet.obj -o out.obj --edge nan
try $DATA/sheet.obj -o out.obj --edge 1e-9
try missing.obj -o out.obj --edge 0.2
try mine.obj -o mine.obj --edge 0.2
try mine.obj -o missing/out.obj --edge 0.2
try mine.obj -o out.ply --edge 0.2
try $DATA/tetra.obj -o out.obj --edge 0.2
try folded.obj -o out.obj --edge 0.2
try plain.obj -o plain.ply --edge 0.25
ls
