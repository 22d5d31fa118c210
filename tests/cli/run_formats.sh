# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
for format in pc2 ply obj gltf usda; do
    weft run "$DATA/tiny.yaml" -o $format --frames :2 --format $format --quiet
    echo "$format: $(cd $format && find . -type f | sort | tr '\n' ' ')"
done
weft run "$DATA/tiny.yaml" -o colliders --frames :1 --format ply --colliders --quiet
echo "colliders: $(cd colliders && find . -type f | sort | tr '\n' ' ')"
head -c 4 gltf/scene.glb
echo
head -1 usda/scene.usda
head -1 ply/sheet/00002.ply
# A format that is asked for later is made up for from the caches, with the same files.
weft run "$DATA/tiny.yaml" -o pc2 --frames :2 --format obj --resume --quiet
"$PYTHON" "$CLI/same_run.py" pc2 obj
