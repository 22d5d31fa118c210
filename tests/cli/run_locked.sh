# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# Two runs do not write to the same folder at the same time.
weft run "$DATA/tiny.yaml" -o out --frames :100000 --quiet &
first=$!
until [ -f out/report.jsonl ]; do sleep 0.05; done
weft run "$DATA/tiny.yaml" -o out || code=$?
kill -9 $first
exit $code
