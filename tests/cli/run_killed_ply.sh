# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# The same with a file a frame.
"$PYTHON" "$CLI/kill_run.py" SIGKILL 3 out "$DATA/tiny.yaml" --frames 5:25 --checkpoint-every 4 --format ply --colliders
"$PYTHON" "$CLI/same_run.py" out out.whole
