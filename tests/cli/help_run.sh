# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
weft help run
weft run --help >second
weft help run | cmp - second
# Every page ends its last line, so that a prompt does not stand behind it.
for command in $(weft help | sed -n 's/^  weft \([a-z]*\) .*/\1/p'); do
    weft help "$command" >page
    [ "$(tail -c 1 page | wc -l)" = 1 ] || echo "$command: no end of line"
done
