# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# A folder that a run is writing to is left alone.
$PYTHON $CLI/make_run.py run 1.5
$PYTHON $CLI/make_run.py out 1.25
cp -r out before
$PYTHON -c '
import fcntl, os, subprocess
fcntl.flock(os.open("out", os.O_RDONLY), fcntl.LOCK_EX)
print("exit", subprocess.run(["weft", "subdivide", "run", "-o", "out"]).returncode)'
diff -r out before
ls
