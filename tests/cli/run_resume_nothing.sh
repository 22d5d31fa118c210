# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# Nothing to resume from: begins at frame 0.
weft run "$DATA/tiny.yaml" -o out --frames :2 --resume
