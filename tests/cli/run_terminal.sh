# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# The bar on a terminal, drawn over itself; pairs that intersect are red unless NO_COLOR says otherwise.
"$PYTHON" "$CLI/run_terminal.py" run "$DATA/tiny.yaml" -o out --set contact=project >drawn
grep -c '^\[[#.]*\] [0-9]*/12 ' drawn >count
[ "$(cat count)" -ge 1 ] # a quick machine draws it only once
grep 'ESC\[31m[1-9][0-9]* intersectingESC\[0m' drawn | tail -1
NO_COLOR=1 "$PYTHON" "$CLI/run_terminal.py" run "$DATA/tiny.yaml" -o out --set contact=project >drawn
! grep ESC drawn
tail -4 drawn
