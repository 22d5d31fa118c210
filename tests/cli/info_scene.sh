# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
weft info drape
