# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# A flat square keeps its corners and stays flat; the result is clean, and a mesh that the other commands take.
weft subdivide $DATA/sheet.obj -o fine.ply --levels 3
weft info fine.ply
weft check fine.ply
weft subdivide $DATA/sheet.obj -o one.obj --threads 1
weft subdivide $DATA/sheet.obj -o two.obj --threads 2
cmp one.obj two.obj
ls
cat one.obj
