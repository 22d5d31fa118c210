# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
for value in n n=x n.x=3 frame_rte=3 time_step=-1 =; do
    code=0
    weft run "$DATA/tiny.yaml" -o out --set "$value" || code=$?
    echo "--set $value: exit $code"
done
ls
