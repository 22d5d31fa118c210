#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
"""show_report.py FILE: the frames of a report with what does not depend on the machine, after checking that each line is whole."""
import json
import sys

STAGES = ["motion", "dynamics", "contact", "check", "output"]

with open(sys.argv[1]) as file:
    lines = file.read().split("\n")
assert lines.pop() == "", "the last line has no end"
header = json.loads(lines[0])
assert {"weft", "device", "scene", "hash", "set", "frame_rate", "time_step", "first_frame", "cloths", "vertices", "triangles"} == set(header)
for number, text in enumerate(lines[1:]):
    line = json.loads(text)
    assert list(line["stages"]) == STAGES and all(s >= 0 for s in line["stages"].values()), text
    assert line["seconds"] > 0 and line["memory"] > 0 and line["worst_stretch"] > 0, text
    assert sum(line["stages"].values()) <= line["seconds"] * 1.01, text
    print(f"frame {line['frame']} time {line['time']:.4f} steps {line['steps']} self {line['self_contact']} pairs {line['intersecting_pairs']}")
