# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# A full disk is told, not swallowed.
[ -w /dev/full ] || { echo "no /dev/full" >&2; exit 77; }
weft help >/dev/full
