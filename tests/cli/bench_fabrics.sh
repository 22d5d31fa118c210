# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# On a mesh as coarse as can be: a stiff sheet stays up and a limp one hangs in folds.
weft bench fabrics paper silk --rows 2 --json -o . >drapes
"$PYTHON" - drapes <<'PY'
import json, sys
paper, silk = [json.loads(line) for line in open(sys.argv[1])]
assert [paper["fabric"], silk["fabric"]] == ["paper", "silk"]
assert paper["coefficient"] > 0.98 and paper["nodes"] == 0, paper
assert 0.3 < silk["coefficient"] < 0.75 and 4 <= silk["nodes"] <= 12, silk
assert max(paper["speed_mm_per_s"], silk["speed_mm_per_s"]) <= 0.1
print("as they should")
PY
weft info silk.obj | head -1
weft bench fabrics slik || echo "exit $?"
