# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# --frames A:B writes from frame A on, with the same frames as a run that writes them all.
weft run "$DATA/tiny.yaml" -o all --frames :6 --quiet
weft run "$DATA/tiny.yaml" -o some --frames 4:6 --quiet --format ply
"$PYTHON" - <<'END'
all, some = (open(f"{name}/sheet.pc2", "rb").read() for name in ("all", "some"))
assert len(some) == 32 + 3 * 144 * 12, len(some)
assert some[32:] == all[-(3 * 144 * 12):]
END
(cd some/sheet && ls)
# Resuming keeps to it.
weft run "$DATA/tiny.yaml" -o some --frames 3:8 --resume 2>message && exit 1
cat message >&2
weft run "$DATA/tiny.yaml" -o some --frames 4:8 --quiet --format ply --resume
weft run "$DATA/tiny.yaml" -o whole --frames 4:8 --quiet --format ply
"$PYTHON" "$CLI/same_run.py" some whole
