# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
$PYTHON $CLI/make_run.py run 1.5 1.25 1.0
weft info run run/sheet.pc2
