# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# A limit on the size of files stands for a full disk: the cache does not fit any more after a few frames. What was written stays good.
(
    ulimit -f 50
    weft run "$DATA/hang.yaml" -o out --quiet --checkpoint-every 3
) || code=$?
"$PYTHON" "$CLI/show_report.py" out/report.jsonl | wc -l
weft run "$DATA/hang.yaml" -o out --quiet --resume
weft run "$DATA/hang.yaml" -o whole --quiet
"$PYTHON" "$CLI/same_run.py" out whole
exit $code
