# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# The same bits for any number of threads, and from run to run.
weft run "$DATA/tiny.yaml" -o one --threads 1 --quiet
weft run "$DATA/tiny.yaml" -o two --threads 2 --quiet
weft run "$DATA/tiny.yaml" -o again --threads 2 --quiet
"$PYTHON" "$CLI/same_run.py" one two
"$PYTHON" "$CLI/same_run.py" two again
