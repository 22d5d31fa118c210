# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# A dynamics that takes no contacts answers what impulses gave in the turn before. Edges that these stretched are not theirs to stretch again.
weft run table-legs --set n=16 --set dynamics=hierarchy --set time_step=1/100 --frames 0:145 --threads 1 --no-check -q -o out
"$PYTHON" - out/report.jsonl <<'PY'
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
worst = max(line["worst_stretch"] for line in lines if "frame" in line)
assert 1.05 < worst < 1.3, worst
print("as they should")
PY
