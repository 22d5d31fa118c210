# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# A run becomes a run, with its colliders; every other frame at half the rate. An earlier result is replaced, and files of others stay.
$PYTHON $CLI/make_run.py run 1.5 1.4 1.3 1.2 1.25
weft subdivide run -o out --levels 2
weft check out
touch out/notes.txt
weft subdivide run -o out --frames 1:4 --every 2
weft check out
weft info out
ls out
# A mesh of the user's stops the cloth as well, and is in the result.
sed 's/^v \([^ ]*\) [^ ]* /v \1 1.3001 /' $DATA/sheet.obj > lid.obj
weft subdivide run -o lid --frames 3:3 --collider lid.obj
weft check --gap lid
weft subdivide run -o lid --frames 2:2 --collider $DATA/tetra.obj || echo "exit $?"
ls
