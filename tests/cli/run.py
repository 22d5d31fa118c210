#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
"""Runs the command-line tests: each NAME.sh beside what it must print and how it must end.

    NAME.sh       a POSIX shell script, run with -eu in an empty folder of its own; `weft` is the program under test
    NAME.exit     its exit code; none: 0
    NAME.stdout   what it prints, line by line; `*` stands for any text in a line, a line `...` for any number of lines; none: nothing
    NAME.stderr   likewise

In the scripts $DATA is tests/cli/data, $CLI is this folder and $PYTHON this interpreter; in the output the test's own folder reads
$PWD and the data folder $DATA. Exit code 77 means that the machine cannot run this test; the last line on stderr says why.

    run.py --weft PROGRAM [--update] [NAME...]
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77


def line_matches(pattern, line):
    return re.fullmatch(".*".join(re.escape(part) for part in pattern.split("*")), line) is not None


def matches(expected, got):
    """Whether the lines fit the expected ones: the classic walk with one place to go back to, the last `...`."""
    e = g = 0
    back = None
    while g < len(got):
        if e < len(expected) and expected[e] == "...":
            back = (e, g)
            e += 1
        elif e < len(expected) and line_matches(expected[e], got[g]):
            e, g = e + 1, g + 1
        elif back is not None:
            e, g = back[0] + 1, back[1] + 1
            back = (back[0], g)
        else:
            return False
    return all(line == "..." for line in expected[e:])


def read(path):
    return path.read_text() if path.exists() else ""


def run_case(script, weft, timeout):
    work = pathlib.Path(tempfile.mkdtemp(prefix="weft-cli-"))
    env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "OMP_NUM_THREADS", "COLUMNS")}
    env.update(PATH=f"{weft.parent}:{env['PATH']}", WEFT=str(weft), CLI=str(HERE), DATA=str(HERE / "data"), PYTHON=sys.executable,
               LC_ALL="C", TERM="dumb", HOME=str(work))
    cwd = work / "w"
    cwd.mkdir()
    try:
        done = subprocess.run(["sh", "-eu", str(script)], cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=timeout)
    finally:
        for folder, _, _ in os.walk(work):
            os.chmod(folder, 0o755)
        shutil.rmtree(work)

    def clean(text):
        return text.decode(errors="backslashreplace").replace(str(HERE / "data"), "$DATA").replace(str(cwd), "$PWD")

    return done.returncode, clean(done.stdout), clean(done.stderr)


def check_case(script, weft, update, timeout):
    """Returns None when it passed, SKIPPED when it cannot run here, else what is wrong."""
    code, out, err = run_case(script, weft, timeout)
    if code == SKIPPED:
        print(f"skip {script.stem}: {(err.splitlines() or [''])[-1]}")
        return SKIPPED
    exit_file = script.with_suffix(".exit")
    want_code = int(read(exit_file) or 0)
    wrong = []
    if code != want_code:
        wrong.append(f"exit code: expected {want_code}, got {code}")
        if update:
            exit_file.unlink(missing_ok=True) if code == 0 else exit_file.write_text(f"{code}\n")
    for suffix, got in ((".stdout", out), (".stderr", err)):
        path = script.with_suffix(suffix)
        expected = read(path)
        if matches(expected.splitlines(), got.splitlines()) and (got == "" or got.endswith("\n")):
            continue
        wrong.append(f"{suffix[1:]}: expected\n{expected}{suffix[1:]}: got\n{got}")
        if update:
            path.unlink(missing_ok=True) if got == "" else path.write_text(got)
    if code != want_code and err and not any("stderr" in w for w in wrong):
        wrong.append(f"stderr was\n{err}")
    return "\n".join(wrong) if wrong else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weft", type=pathlib.Path, required=True, help="the program under test")
    parser.add_argument("--update", action="store_true", help="write what came as what is expected; read the diff before committing it")
    parser.add_argument("--timeout", type=float, default=240.0)
    parser.add_argument("names", nargs="*", help="cases; default all")
    args = parser.parse_args()
    weft = args.weft.resolve()
    if not weft.exists():
        sys.exit(f"{weft}: no such program")
    scripts = [HERE / f"{name}.sh" for name in args.names] or sorted(HERE.glob("*.sh"))
    if not scripts:
        sys.exit("no cases found")
    failed = skipped = 0
    for script in scripts:
        if not script.exists():
            sys.exit(f"{script}: no such case")
        wrong = check_case(script, weft, args.update, args.timeout)
        if wrong == SKIPPED:
            skipped += 1
        elif wrong is None:
            print(f"ok   {script.stem}")
        else:
            print(f"{'made' if args.update else 'FAIL'} {script.stem}: {wrong}")
            failed += 1
    sys.exit(1 if failed and not args.update else SKIPPED if skipped == len(scripts) else 0)


if __name__ == "__main__":
    main()
