# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
printf 'v -1 1.25 -1\nv 1 1.25 -1\nv 0 1.25 1\nf 1 2 3\n' > above.obj
weft check --gap $DATA/tetra.obj
weft check --gap $DATA/tetra.obj above.obj
weft check --gap --json $DATA/tetra.obj above.obj
weft check --gap $DATA/tetra.obj $DATA/sheet.obj && exit 3
$PYTHON $CLI/make_run.py clean 1.5 1.25 1.75
weft check --gap clean
weft check --gap --json clean > json
$PYTHON -c 'import json; print(*(json.loads(line)["gap"]["distance"] for line in open("json")))'
# A sheet folded flat onto itself: neighbours that share an edge overlap.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.5 0.5 0\nf 1 2 3\nf 2 1 4\n' > fold.obj
weft check fold.obj
