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
# What only shows when all of the scene is there has its place in the file too.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 2 5\n' > fan.obj
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\n' > loose.obj
echo 'frames: 2' > none.yaml
printf 'frames: 2\ncloths:\n  - {name: fan, mesh: fan.obj}\n' > fan.yaml
printf 'frames: 2\ncloths:\n  - {name: loose, mesh: loose.obj}\n' > loose.yaml
printf 'frames: 2\ncloths:\n  - {name: a, generate: {n: 4}}\n  - {name: b, generate: {n: 4}}\n' > tangled.yaml
for scene in none fan loose tangled; do
    code=0
    weft run $scene.yaml -o out || code=$?
    echo "$scene: exit $code"
done
code=0
weft run "$DATA/tiny.yaml" -o out --set contact=magic || code=$?
echo "exit $code"
diff -r before out
