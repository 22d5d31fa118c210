# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# What the contact method does not answer is said once.
cat >scene.yaml <<'END'
cloths:
  - generate: {shape: sheet, n: 4}
colliders:
  - {name: table, generate: {shape: round-table}}
  - {name: box, generate: {shape: box, size: [0.1, 0.1, 0.1]}}
END
weft run scene.yaml -o out --frames :1 --quiet --set contact=project
