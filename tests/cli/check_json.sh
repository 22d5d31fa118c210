# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
cp $DATA/tetra.obj 'a "name".obj'
weft check --json --each $DATA/tetra.obj
weft check --json 'a "name".obj' $DATA/sheet.obj
