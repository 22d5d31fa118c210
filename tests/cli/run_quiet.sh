# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
weft run "$DATA/tiny.yaml" -o out --frames :2 --quiet --no-check
"$PYTHON" "$CLI/show_report.py" out/report.jsonl | tail -1
