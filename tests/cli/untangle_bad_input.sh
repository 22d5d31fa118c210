# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
try() { weft untangle "$@" || echo "exit $?"; }
cp $DATA/sheet.obj mine.obj
printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n' > thin.obj
try mine.obj
try
try missing.obj -o out.obj
try mine.obj -o mine.obj
try mine.obj --fixed missing.obj -o out.obj
try mine.obj --fixed $DATA/tetra.obj -o $DATA/tetra.obj
try mine.obj $DATA/tetra.obj -o out.obj
try mine.obj -o out.obj --relax -1
try mine.obj -o out.obj --rounds many
try thin.obj -o out.obj --relax 0.1
try mine.obj -o missing/out.obj
mkdir a && cp mine.obj a
try mine.obj a/mine.obj -o out
ls
