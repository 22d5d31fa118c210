# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# An earlier run is replaced, with all that belonged to it.
weft run "$DATA/tiny.yaml" -o out --frames :4 --format ply --colliders --quiet
weft run "$DATA/hang.yaml" -o out --frames :2
weft run "$DATA/hang.yaml" -o new --frames :2 --quiet
"$PYTHON" "$CLI/same_run.py" out new
