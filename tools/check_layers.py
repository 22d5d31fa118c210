#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
"""Checks what the compiler cannot: that the arrows between the rooms point one way, and a few rules of the house.

    check_layers.py [ROOT]      one line a violation, as file:line: what; exit 1 if there is any

    base <- math <- compute <- mesh <- collide <-+- elastic <- dynamics -+
                                                 +- contact -------------+<- step <- scene <- io <- app
"""
import os
import re
import sys

BELOW = {
    "base": [],
    "math": ["base"],
    "compute": ["math"],
    "mesh": ["compute"],
    "collide": ["mesh"],
    "elastic": ["collide"],
    "dynamics": ["elastic"],
    "contact": ["collide"],
    "step": ["dynamics", "contact"],
    "scene": ["step"],
    "io": ["scene"],
    "app": ["io"],
}
# Tests of the inside; everything else outside src/ sees the public headers only.
INSIDERS = ("tests/unit/", "tests/device/", "tests/fuzz/", "tests/data/")
# The only files that may ask which compiler is at work.
COMPILER_FILES = {"src/base/compiler.h": {"__CUDACC__"}, "src/compute/kernel.h": {"__CUDACC__", "__CUDA_ARCH__"}}
MAX_LINES = 800
SOURCES = (".c", ".h", ".cu", ".cuh", ".inl")
WITH_LICENCE = (".c", ".h", ".cu", ".cuh", ".py", ".sh", ".mjs")
TEXTS = SOURCES + WITH_LICENCE + (".cmake", ".txt", ".json", ".md", ".yaml", ".yml", ".in", "")
SKIPPED = {".git", "build", "out", ".cache", "corpus", "node_modules", "__pycache__"}

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')
COMPILER = re.compile(r"\b(__CUDACC__|__CUDA_ARCH__)\b")
MACHINE_PATH = re.compile(r"(?<![\w./}$-])/(?:home|root|Users|work|mnt|media)/[\w.-]")


def reach(room):
    """All rooms that `room` may use, itself included."""
    rooms = {room}
    for below in BELOW[room]:
        rooms |= reach(below)
    return rooms


ALLOWED = {room: reach(room) for room in BELOW}


def files(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in SKIPPED)
        for name in sorted(set(names) - SKIPPED):
            if os.path.splitext(name)[1] in TEXTS and not os.path.islink(os.path.join(folder, name)):
                yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def check_include(path, bracket, target):
    """The complaint about one include, or None."""
    if ".." in target.split("/"):
        return f'includes "{target}": name the room, not the way to it'
    first = target.split("/")[0] if "/" in target else None
    if path.startswith("include/"):
        if bracket == '"' and first != "weft":
            return f'includes "{target}": public headers may use weft/ only'
    elif path.startswith("src/"):
        room = path.split("/")[1]
        if room not in ALLOWED:
            return f"lies in a room that is not in the plan: {room}"
        if first in BELOW and first not in ALLOWED[room]:
            return f'includes "{target}": {room} may not use {first}'
        if target == "weft/io.h" and room not in ("io", "app"):
            return f'includes "{target}": {room} may not use io'
    elif not path.startswith(INSIDERS):
        if first in BELOW:
            return f'includes "{target}": only include/weft is seen from here'
    return None


def check_file(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as f:
        text = f.read()
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    suffix = os.path.splitext(path)[1]
    found = []
    if suffix in WITH_LICENCE:
        head = "\n".join(lines[:4])
        for tag in ("SPDX-FileCopyrightText:", "SPDX-License-Identifier:"):
            if tag not in head:
                found.append((1, f"no {tag} line at the top"))
    if suffix in SOURCES + (".py", ".sh", ".mjs") and len(lines) > MAX_LINES:
        found.append((len(lines), f"{len(lines)} lines, expected at most {MAX_LINES}: split the file"))
    for number, line in enumerate(lines, 1):
        if suffix in SOURCES:
            include = INCLUDE.match(line)
            complaint = include and check_include(path, include.group(1), include.group(2))
            if complaint:
                found.append((number, complaint))
            if suffix in (".c", ".h", ".inl"):
                for word in COMPILER.findall(line):
                    if word not in COMPILER_FILES.get(path, ()):
                        # A comment may name it: what counts is code that depends on it.
                        if word in line.split("//")[0]:
                            found.append((number, f"{word}: only src/base/compiler.h and src/compute/kernel.h know the compiler"))
        if MACHINE_PATH.search(line):
            found.append((number, "an absolute path of one machine"))
    return [f"{path}:{number}: {what}" for number, what in found]


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    complaints = []
    count = 0
    for path in files(root):
        count += 1
        complaints += check_file(root, path)
    for line in complaints:
        print(line)
    print(f"check_layers: {count} files, {len(complaints)} violations", file=sys.stderr)
    return 1 if complaints or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
