# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
weft
weft help >second
weft --help >third
cmp second third
