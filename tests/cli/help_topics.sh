# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# Every topic that the overview names has its page, and none is empty.
for topic in $(weft help | tail -1); do
    weft help "$topic" >page
    lines=$(wc -l <page)
    [ "$lines" -ge 3 ] || echo "$topic: $lines lines"
    case $topic in scene | cloth | collider | fabric | pin | generate | fabrics | dynamics | contacts | steppers) echo "$topic" ;; esac
done
weft help contacts
