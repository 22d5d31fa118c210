# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# A checkpoint of another scene is refused, and the run stays as it is.
weft run "$DATA/tiny.yaml" -o out --frames :3 --quiet
cp -r out before
weft run "$DATA/tiny.yaml" -o out --set n=14 --resume || code=$?
diff -r before out
exit $code
