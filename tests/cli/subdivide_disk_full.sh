# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# A limit on the size of files stands for a full disk. The reason is named, though it was a write long before the end that failed.
ulimit -f 50
weft subdivide "$DATA/sheet.obj" -o out.obj --levels 6 || code=$?
ls
exit $code
