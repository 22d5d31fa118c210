# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# Several files are one scene, colliders stay as they are; one by one they do not see each other.
sed 's/^v \([^ ]*\) [^ ]* /v \1 1.01 /' $DATA/sheet.obj > high.obj
sed 's/^v \([^ ]*\) [^ ]* /v \1 1.05 /' $DATA/sheet.obj > higher.obj
weft subdivide high.obj higher.obj -o out --levels 2 --collider $DATA/tetra.obj
weft check out/high.obj out/higher.obj $DATA/tetra.obj
weft subdivide --each high.obj higher.obj -o each --levels 2
ls out each
weft subdivide --each high.obj ./high.obj -o each || echo "exit $?"
