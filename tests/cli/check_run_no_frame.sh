# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# Nothing was checked, so nothing is clean.
$PYTHON $CLI/make_run.py run
weft check run
