# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# What a run leaves behind: an .obj and a .pc2 a cloth and moving collider, an .obj for what rests, the report, the list, the checkpoint.
weft run "$DATA/tiny.yaml" -o out --frames :3
(cd out && find . -type f | sort)
# 32 bytes of header and 4 frames of 144 vertices.
wc -c <out/sheet.pc2
"$PYTHON" "$CLI/show_report.py" out/report.jsonl
