# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
mkdir folder
weft info folder
