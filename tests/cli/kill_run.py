#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
"""kill_run.py SIGNAL COUNT DIR ARGUMENT...: ends `weft run ARGUMENT... -o DIR` by a signal COUNT times, each time resuming it.

DIR.whole gets the same run without a stop. The stops are spread over the frames, each at a random moment within a frame or two; where
there are fewer frames than stops (a long preroll) they are spread over the time instead. At every stop what a reader may take for
whole must be whole.
"""
import json
import pathlib
import random
import signal
import struct
import subprocess
import sys
import time


def check_whole(folder):
    for path in folder.glob("*.pc2"):
        data = path.read_bytes()
        tag, version, vertices, _, _, frames = struct.unpack("<12siiffi", data[:32])
        assert tag == b"POINTCACHE2\0" and version == 1, f"{path}: bad header"
        assert len(data) >= 32 + 12 * vertices * frames, f"{path}: {frames} frames of {vertices} vertices in {len(data)} bytes"
    for path in folder.glob("*/*.ply"):
        assert b"end_header" in path.read_bytes(), f"{path}: not whole"
    if (folder / "run.json").exists():
        json.loads((folder / "run.json").read_text())


def count_lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def main():
    number, count, folder = getattr(signal, sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
    command = ["weft", "run", *sys.argv[4:], "--quiet", "-o"]
    start = time.monotonic()
    subprocess.run([*command, f"{folder}.whole"], check=True, stderr=subprocess.DEVNULL)
    whole = time.monotonic() - start
    frames = count_lines(pathlib.Path(f"{folder}.whole") / "report.jsonl") - 1
    rng = random.Random(1)
    for stop in range(1, count + 1):
        run = subprocess.Popen([*command, str(folder), "--resume"], stderr=subprocess.PIPE)
        if frames > count:
            lines = 1 + frames * stop // (count + 1)
            while run.poll() is None and count_lines(folder / "report.jsonl") < lines:
                time.sleep(0.002)
            # A moment of the whole run, which other work may have made slow: no longer than this one takes for a frame.
            end = time.monotonic() + rng.uniform(0.0, 2.0 * whole / frames)
            while run.poll() is None and time.monotonic() < end and count_lines(folder / "report.jsonl") <= lines:
                time.sleep(0.0005)
        else:
            time.sleep(whole / count * rng.uniform(0.2, 0.5))
        run.send_signal(number)
        errors = run.communicate()[1].decode()
        if run.returncode not in (-number, 130):
            sys.exit(f"stop {stop}: the run ended with {run.returncode}: {errors}")
        check_whole(folder)
    done = subprocess.run([*command, str(folder), "--resume"], stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"the last run ended with {done.returncode}: {done.stderr.decode()}")
    print(f"stopped {count} times")


main()
