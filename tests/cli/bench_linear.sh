# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# Pleated sheets have as many contacts a vertex at every size, and no intersections.
weft bench linear --sizes 20,40 --steps 1 --json --threads 1 >table
"$PYTHON" - table <<'PY'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
assert [row["vertices"] for row in rows] == [400, 1600], rows
contacts = [row["contacts_per_vertex"] for row in rows]
assert min(contacts) > 0.5 and max(contacts) < 1.3 * min(contacts), rows
assert abs(sum(row["of_linear"] for row in rows) / 2 - 1) < 1e-2, rows
print("as they should")
PY
weft bench linear --sizes 25 || echo "exit $?"
