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
ls
