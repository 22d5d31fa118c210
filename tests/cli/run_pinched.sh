# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# Two boxes close on a sheet until they overlap, and part: the report and the last line of the run name the pinch; a resumed run has the same.
cat >scene.yaml <<'END'
frame_rate: 50
frames: 10
gravity: [0, 0, 0]
cloths:
  - {name: sheet, generate: {shape: sheet, size: [0.2, 1, 0.2], n: 8}}
colliders:
  - name: above
    shape: box
    size: [0.1, 0.1, 0.1]
    transform: {translate: [0, 0.06, 0]}
    motion: [{time: 0}, {time: 0.06, translate: [0, -0.02, 0]}, {time: 0.1, translate: [0, -0.02, 0]}, {time: 0.16}]
  - name: below
    shape: box
    size: [0.1, 0.1, 0.1]
    transform: {translate: [0, -0.06, 0]}
    motion: [{time: 0}, {time: 0.06, translate: [0, 0.02, 0]}, {time: 0.1, translate: [0, 0.02, 0]}, {time: 0.16}]
END
weft run scene.yaml -o out 2>/dev/null
weft run scene.yaml -o parts --frames :4 --quiet
weft run scene.yaml -o parts --resume --quiet
"$PYTHON" "$CLI/same_run.py" out parts
"$PYTHON" - <<'END'
import json
rows = [json.loads(line) for line in list(open("out/report.jsonl"))[1:]]
assert all(row["intersecting_pairs"] == 0 for row in rows)
held = [row for row in rows if row["pinched"]]
print(*(row["frame"] for row in held))
print(*{json.dumps({key: row["pinched"][key] for key in ("cloth", "colliders")}) for row in held})
assert all(row["pinched"]["vertices"] > 0 and row["pinched"]["pairs"] > 0 for row in held)
END
