# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
echo text >file
weft run "$DATA/tiny.yaml" -o file/out
