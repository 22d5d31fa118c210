# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# What cannot be resolved is written as far as it came, said, and listed with the types of its contours; the input stays as it was.
cp $DATA/sheet.obj mine.obj
weft untangle mine.obj --fixed $DATA/tetra.obj -o out.obj --rounds 0 || echo "exit $?"
weft untangle mine.obj --fixed $DATA/tetra.obj -o out.obj --rounds 0 --json | $PYTHON -c '
import json, sys
r = json.load(sys.stdin)
print(r["pairs_after"], r["contours_after"], [c["kind"] for c in r["stay"]])'
cmp mine.obj $DATA/sheet.obj && ls
