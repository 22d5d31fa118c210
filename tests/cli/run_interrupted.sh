# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# Ctrl-C stops after the current step, in the middle of a frame too, and leaves a checkpoint; so does a polite kill.
"$PYTHON" "$CLI/kill_run.py" SIGINT 4 out "$DATA/hang.yaml" --set n=16 --frames :20 --set time_step=0.001
"$PYTHON" "$CLI/same_run.py" out out.whole
"$PYTHON" "$CLI/kill_run.py" SIGTERM 2 again "$DATA/hang.yaml" --frames :30
