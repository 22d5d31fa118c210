# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# A tangled start is refused with the pair that meets, or untangled and told.
cat > scene.yaml <<YAML
frames: 1
cloths:
  - {name: low, generate: {shape: sheet, size: [1, 1, 1], n: 12}, fabric: cotton}
  - {name: high, generate: {shape: sheet, size: [0.6, 1, 0.6], n: 9}, transform: {rotate: {axis: [1, 0.1, 0], degrees: 80}, translate: [0.01, 0.2, 0.02]}, fabric: cotton}
YAML
weft run scene.yaml -o out || echo "exit $?"
weft run scene.yaml -o out --set start=untangle
weft check out
