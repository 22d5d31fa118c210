# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2\n' > twice.obj
weft check twice.obj
