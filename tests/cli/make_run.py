# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
"""make_run.py FOLDER HEIGHT...: the folder of a run by hand: data/sheet.obj at one height a frame, and data/tetra.obj as a collider."""
import os
import pathlib
import shutil
import struct
import sys

folder, heights = pathlib.Path(sys.argv[1]), [float(h) for h in sys.argv[2:]]
folder.mkdir()
for name in ("sheet.obj", "tetra.obj"):
    shutil.copy(os.path.join(os.environ["DATA"], name), folder)
(folder / "run.json").write_text("""{"title": "By hand", "frame_rate": 30, "up": "y", "camera": null,
 "objects": [
  {"name": "sheet", "kind": "cloth", "color": [1, 0, 0], "visible": true, "topology": "sheet.obj", "cache": "sheet.pc2", "rest": "sheet.obj"},
  {"name": "tetra", "kind": "collider", "color": [0, 1, 0], "visible": true, "topology": "tetra.obj", "cache": null, "rest": "tetra.obj"},
  {"name": "twin", "kind": "collider", "color": [0, 1, 0], "visible": true, "topology": "tetra.obj", "cache": null, "rest": "tetra.obj"}
 ]}
""")
with open(folder / "sheet.pc2", "wb") as cache:
    cache.write(b"POINTCACHE2\0" + struct.pack("<iiffi", 1, 4, 0.0, 1.0, len(heights)))
    for h in heights:
        cache.write(struct.pack("<12f", -1, h, -1, 1, h, -1, 1, h, 1, -1, h, 1))
