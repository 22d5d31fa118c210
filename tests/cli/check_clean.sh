# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
weft check $DATA/tetra.obj
weft check --each $DATA/tetra.obj $DATA/sheet.obj
