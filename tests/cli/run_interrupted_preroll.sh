# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# Stopped while the cloth still settles: there is no frame 0 yet, and the settling goes on where it was.
"$PYTHON" "$CLI/kill_run.py" SIGINT 3 out "$DATA/hang.yaml" --set n=16 --set preroll=1 --set time_step=0.001 --frames :2
"$PYTHON" "$CLI/same_run.py" out out.whole
"$PYTHON" "$CLI/show_report.py" out/report.jsonl
