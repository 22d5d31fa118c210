# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
try() {
    code=0
    weft run "$@" || code=$?
    [ $code = 2 ] || echo "exit $code for $*"
}
try
try "$DATA/tiny.yaml"
try "$DATA/tiny.yaml" -o
try "$DATA/tiny.yaml" more -o out
try "$DATA/tiny.yaml" -o out --frames 5
try "$DATA/tiny.yaml" -o out --frames 5:3
try "$DATA/tiny.yaml" -o out --frames :
try "$DATA/tiny.yaml" -o out --threads=-1
try "$DATA/tiny.yaml" -o out --threads=two
try "$DATA/tiny.yaml" -o out --device gpu
try "$DATA/tiny.yaml" -o out --format abc
try "$DATA/tiny.yaml" -o out --resume=yes
try "$DATA/tiny.yaml" -o out --colliders --treads 2
try "$DATA/tiny.yaml" -o out -x
try "$DATA/missing.yaml" -o out
try drap -o out
try "$DATA" -o out
ls
