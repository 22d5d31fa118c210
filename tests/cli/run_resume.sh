# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# Stopped at a frame and resumed, with another number of threads: the same bits as a run that never stopped.
weft run "$DATA/tiny.yaml" -o whole --quiet
weft run "$DATA/tiny.yaml" -o parts --frames :5 --quiet
weft run "$DATA/tiny.yaml" -o parts --resume --threads 2
"$PYTHON" "$CLI/same_run.py" whole parts
weft run "$DATA/tiny.yaml" -o parts --resume
"$PYTHON" "$CLI/same_run.py" whole parts
