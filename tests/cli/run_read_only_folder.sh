# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
mkdir locked
chmod a-w locked
touch locked/probe 2>/dev/null && { echo "root writes to read-only folders" >&2; exit 77; }
weft run "$DATA/tiny.yaml" -o locked/out
