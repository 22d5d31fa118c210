# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# A run that cannot go on says frame, object and vertex, and leaves the frames before it.
weft run "$DATA/overflow.yaml" -o out --quiet --checkpoint-every 1 || code=$?
grep -c '"frame"' out/report.jsonl
"$PYTHON" - <<'END'
import math, struct
data = open("out/sail.pc2", "rb").read()
frames = struct.unpack("<i", data[28:32])[0]
assert len(data) == 32 + frames * 3 * 12
assert all(math.isfinite(x) for x in struct.unpack(f"<{9 * frames}f", data[32:]))
print(frames, "frames")
END
exit $code
