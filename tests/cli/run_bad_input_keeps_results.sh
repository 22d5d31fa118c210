# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# Earlier results stay as they were when the new scene is wrong.
weft run "$DATA/tiny.yaml" -o out --frames :2 --quiet
cp -r out before
for scene in bad_key bad_range bad_indent; do
    code=0
    weft run "$DATA/$scene.yaml" -o out || code=$?
    echo "$scene: exit $code"
done
diff -r before out
