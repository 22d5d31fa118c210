# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# A folder with something else in it is not written to.
mkdir out
echo mine >out/notes.txt
weft run "$DATA/tiny.yaml" -o out || code=$?
ls out
exit $code
