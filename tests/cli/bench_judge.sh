# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# Descent comes to a thousandth of Newton's minimum, with few iterations where cloth is soft and more where it is not.
weft bench judge soft side bdf2 --json --threads 1 >table
"$PYTHON" - table <<'PY'
import json, sys
rows = {row["scene"]: row for row in map(json.loads, open(sys.argv[1]))}
assert list(rows) == ["soft", "side", "bdf2"]
for name, most in (("soft", 60), ("side", 240), ("bdf2", 240)):
    row = rows[name]
    assert 0 < row["needed"] <= most, row
    assert 0 <= row["left"] < 0.05, row
    assert row["apart_mm"][1] < 1.0, row  # 400 mm of cloth after 30 steps
print("as they should")
PY
weft bench judge sofft || echo "exit $?"
