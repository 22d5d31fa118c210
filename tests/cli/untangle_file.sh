# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# A square that cuts a body, and a strip folded through itself, come out clean; what was beside the positions is kept.
weft untangle $DATA/sheet.obj --fixed $DATA/tetra.obj -o out.obj || echo "exit $?"
weft check out.obj $DATA/tetra.obj || echo "exit $?"
grep -c '^vt' out.obj
grep '^l' out.obj
printf 'v 0 0 0\nv 0 0 1\nv 1 0 0\nv 0 1 0\nv 0.5 -0.5 0.5\nf 1 2 3\nf 1 3 4\nf 4 3 5\n' > fold.obj
weft untangle fold.obj -o fold.ply --json | $PYTHON -c '
import json, sys
r = json.load(sys.stdin)
print(r["pairs_before"], r["pairs_after"], r["contours_before"], r["stay"], 0 < r["largest"] < 1, r["moved"])'
weft check fold.ply
weft untangle fold.ply -o again.obj
weft untangle fold.obj $DATA/sheet.obj -o together
ls together
weft check together/*
