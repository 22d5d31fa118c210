# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
$PYTHON $CLI/make_run.py run 1.5 nan
weft check run
