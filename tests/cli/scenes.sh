# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
weft scenes >list
grep -c . list >count
[ "$(cat count)" -ge 1 ]
# Each has a title.
awk 'NF < 2 { print "no title: " $0 }' list
grep '^drape ' list
