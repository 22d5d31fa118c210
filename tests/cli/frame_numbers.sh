# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# A run that writes from frame 3 on keeps the scene's frame numbers in its list, in pictures and in checks.
weft run "$DATA/tiny.yaml" -o out --frames 3:5 --quiet
grep -o '"first_frame": [0-9]*' out/run.json
weft render out -o shot.png --size 64x48 --samples 1 --frame 2 || echo "exit code $?"
weft render out -o shots --size 64x48 --samples 1
ls shots
weft check out || echo "exit code $?"
