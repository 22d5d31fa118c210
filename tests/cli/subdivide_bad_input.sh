# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
try() { weft subdivide "$@" || echo "exit $?"; }
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 -1 0\nf 1 2 3\nf 2 1 4\nf 1 2 5\n' > book.obj
$PYTHON $CLI/make_run.py run 1.5 1.25
cp $DATA/sheet.obj mine.obj
mkdir empty
try $DATA/sheet.obj
try missing.obj -o out.obj
try $DATA/sheet.obj -o out.obj --levels 0
try $DATA/sheet.obj -o out.obj --frames 0:1
try mine.obj -o mine.obj
try $DATA/sheet.obj $DATA/tetra.obj -o out.obj
try book.obj -o out.obj
awk 'BEGIN { for (i = 0; i < 1100; ++i) print "v", i, 0, 0 "\nv", i, 1, 0 "\nv", i, 0, 1 "\nf -3 -2 -1" }' >many.obj
timeout 20 weft subdivide many.obj -o out.obj --levels 8 || echo "exit $?" # at once, not after seven levels
rm many.obj
try $DATA/sheet.obj -o out.obj --collider missing.obj
try empty -o out
try run -o out.obj
try run -o run
try run run -o out
try run -o out --frames 1:2
try run -o out --frames 1
try run -o out --levels 1 --collider mine.obj --collider mine.obj
ls
