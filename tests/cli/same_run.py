#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
"""same_run.py A B: whether two runs left the same files with the same bytes. Of report.jsonl all but times, memory and device counts."""
import json
import pathlib
import sys

VARYING = ("seconds", "stages", "memory", "device")


def report_lines(path):
    lines = []
    for number, text in enumerate(path.read_text().splitlines(keepends=True), 1):
        assert text.endswith("\n"), f"{path}:{number}: the line has no end"
        line = json.loads(text)
        lines.append({key: value for key, value in line.items() if key not in VARYING})
    return lines


def main():
    a, b = (pathlib.Path(name) for name in sys.argv[1:3])
    files = [sorted(str(p.relative_to(root)) for p in root.rglob("*") if p.is_file()) for root in (a, b)]
    if not files[0]:
        sys.exit(f"{a}: no files")
    if files[0] != files[1]:
        sys.exit(f"only in one of them: {sorted(set(files[0]) ^ set(files[1]))}")
    for name in files[0]:
        if name == "report.jsonl":
            if report_lines(a / name) != report_lines(b / name):
                sys.exit(f"{name} differs")
        elif (a / name).read_bytes() != (b / name).read_bytes():
            sys.exit(f"{name} differs")
    print("same")


main()
