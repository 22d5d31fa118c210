# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# A square with a pattern and a stitch between two of its corners, and the tube that a pattern closes: the seam stays closed.
weft remesh $DATA/sheet.obj -o one.obj --edge 0.2 --threads 1
weft remesh $DATA/sheet.obj -o two.obj --edge 0.2 --threads 2
cmp one.obj two.obj
weft info one.obj
weft check one.obj
weft remesh $DATA/sheet.obj -o three.obj --edge 0.5 --json
$PYTHON - > tube.obj <<'END'
from math import cos, sin, pi
for z in range(5):
    for i in range(12): print("v", cos(pi * i / 6), sin(pi * i / 6), 0.5 * z)
for z in range(5):
    for i in range(13): print("vt", 0.517638 * i, 0.5 * z)
for z in range(4):
    for i in range(12):
        a, b, c, d = 12 * z + i, 12 * z + (i + 1) % 12, 12 * z + 12 + (i + 1) % 12, 12 * z + 12 + i
        s, t, u, v = 13 * z + i, 13 * z + i + 1, 13 * z + 14 + i, 13 * z + 13 + i
        print(f"f {a+1}/{s+1} {b+1}/{t+1} {c+1}/{u+1} {d+1}/{v+1}")
END
weft remesh tube.obj -o new.obj --edge 0.3
weft info new.obj
ls
