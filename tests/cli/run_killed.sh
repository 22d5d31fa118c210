# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# kill -9 at five moments, resumed each time: the same bits as a run that was left alone.
"$PYTHON" "$CLI/kill_run.py" SIGKILL 5 out "$DATA/hang.yaml" --frames :70 --checkpoint-every 7
"$PYTHON" "$CLI/same_run.py" out out.whole
