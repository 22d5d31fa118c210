# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# The two colliders lie one upon the other, which is their own affair.
$PYTHON $CLI/make_run.py clean 1.5 1.25
weft check clean
$PYTHON $CLI/make_run.py tangled 1.5 0.5 -0.5 0.25
weft check --json tangled > json && exit 3
$PYTHON -c 'import json; print(*(json.loads(line)["intersecting_pairs"] for line in open("json")))'
weft check tangled
