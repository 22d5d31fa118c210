# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
weft help run
weft run --help >second
weft help run | cmp - second
