# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# A sheet that has passed through the collider is refused by name, and the earlier result stays as it was.
$PYTHON $CLI/make_run.py clean 1.5
weft subdivide clean -o out
cp -r out before
$PYTHON $CLI/make_run.py tangled 1.5 0.5
weft subdivide tangled -o out || echo "exit $?"
diff -r out before
ls
