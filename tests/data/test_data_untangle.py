#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
"""test_data_untangle.py WEFT DATA: what `weft untangle` makes of DATA/tangled and of tangled copies of the garments, as a table.

A tangled copy is a garment and a second layer of it, 2 mm outside of the first, that was pushed through it by 2, 5 or 10 mm in patches some
12 cm apart. What `weft untangle` says must be what `weft check` finds in its result, none may come out with more pairs than it had, and
all but those in OPEN must come out clean; what stays is listed with the types of its contours and ends with 1.
With WEFT_CI set, which has its minutes, only SHORT and the first garment.
"""
import gzip
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

SHORT = {"unit_BBII.obj", "unit_BLI.obj", "unit_Closed.obj", "unit_LL.obj", "thick-cloth_t1.ply", "two-cubes-intersecting.ply",
         "three_cubes.stl", "two_spheres.stl", "high_res_plane.obj with sphere3.obj", "pretzel.obj", "trefoil_knot.obj", "mobius_strip.obj",
         "cube_with_fold.ply", "two-boxes-bad-self-union.ply"}
# What may stay: a surface whose neck cannot leave its wall without a cut, and a dress whose second layer lies in folds less than 2 mm apart.
OPEN = {"disc_kleinbottle.obj", "dress-victor-iso-draped-2mm.obj", "dress-victor-iso-draped-5mm.obj", "dress-victor-iso-draped-10mm.obj"}
GARMENTS = ["tshirt/isotropic/tshirt-iso.obj", "pants/isotropic/pants-iso.obj", "skirt/isotropic/skirt-iso.obj",
            "dress-victor/isotropic/dress-victor-iso.obj", "dress-victor/draped/dress-victor-iso-draped.obj"]


def read_obj(path):
    vertices, faces = [], []
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            vertices.append([float(w) for w in words[1:4]])
        elif words[:1] == ["f"]:
            corners = [int(w.split("/")[0]) - 1 for w in words[1:]]
            faces += [(corners[0], corners[k], corners[k + 1]) for k in range(1, len(corners) - 1)]
    return vertices, faces


def write_obj(path, vertices, faces):
    lines = ["v %.9g %.9g %.9g" % tuple(v) for v in vertices] + ["f %d %d %d" % tuple(i + 1 for i in f) for f in faces]
    path.write_text("\n".join(lines) + "\n")


def push(vertices, faces, depth):
    """A second layer, 2 mm along the normals, and back through the first by `depth` in patches."""
    normals = [[0.0, 0.0, 0.0] for _ in vertices]
    for f in faces:
        a, b, c = (vertices[i] for i in f)
        u, v = [b[k] - a[k] for k in range(3)], [c[k] - a[k] for k in range(3)]
        n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        for i in f:
            for k in range(3):
                normals[i][k] += n[k]
    out = []
    for x, n in zip(vertices, normals):
        length = math.sqrt(sum(c * c for c in n)) or 1.0
        wave = math.sin(52 * x[0] + 1) * math.cos(47 * x[1]) + 0.3 * math.sin(31 * x[2])
        patch = max(0.0, (wave - 0.3) / 0.7) ** 2
        offset = 0.002 - (0.002 + depth) * min(1.0, patch)
        out.append([x[k] + offset * n[k] / length for k in range(3)])
    return out


def untangle(weft, files, work):
    """The report, the seconds it took, and what is wrong with it."""
    out = pathlib.Path(work, "out")
    done = subprocess.run([weft, "untangle", *map(str, files), "-o", str(out) if len(files) > 1 else str(out) + ".ply", "--json"],
                          capture_output=True, text=True, timeout=900)
    if done.returncode not in (0, 1):
        return None, [f"ended with {done.returncode}: {done.stderr.strip()}"]
    report = json.loads(done.stdout)
    wrong = []
    results = [str(p) for p in sorted(out.iterdir())] if len(files) > 1 else [str(out) + ".ply"]
    check = json.loads(subprocess.run([weft, "check", "--json", *results], capture_output=True, text=True, timeout=300).stdout)
    if check["intersecting_pairs"] != report["pairs_after"]:
        wrong.append(f"says {report['pairs_after']} pairs are left, weft check finds {check['intersecting_pairs']}")
    if (report["pairs_after"] > 0) != (done.returncode == 1):
        wrong.append(f"ended with {done.returncode} though {report['pairs_after']} pairs are left")
    if report["pairs_after"] > report["pairs_before"]:
        wrong.append("came out with more pairs than it had")
    if len(report["stay"]) != sum(report["contours_after"].values()):
        wrong.append(f"lists {len(report['stay'])} contours that stay, counts {report['contours_after']}")
    for path in results:
        pathlib.Path(path).unlink()
    if len(files) > 1:
        out.rmdir()
    return report, wrong


def kinds(counts):
    return ", ".join(f"{n} {kind}" for kind, n in counts.items() if n > 0) or "none"


def main():
    weft, data = sys.argv[1], pathlib.Path(sys.argv[2])
    cases = []
    with tempfile.TemporaryDirectory() as work:
        for path in sorted(data.glob("tangled/*/*")):
            if path.suffix == ".gz":
                plain = pathlib.Path(work, path.stem)
                plain.write_bytes(gzip.decompress(path.read_bytes()))
                cases.append((path.name, [plain]))
            elif path.suffix in (".obj", ".ply", ".stl"):
                cases.append((path.name, [path]))
        folder = data / "tangled/gia-sgi2024"
        cases.append(("high_res_plane.obj with sphere3.obj", [folder / "high_res_plane.obj", folder / "sphere3.obj"]))
        short = bool(os.environ.get("WEFT_CI"))
        cases = [case for case in cases if not short or case[0] in SHORT]
        tangled = len(cases)
        for name in GARMENTS[:1] if short else GARMENTS:
            vertices, faces = read_obj(data / "garments-berkeley" / name)
            for depth in (2, 5, 10):
                second = pathlib.Path(work, f"{pathlib.Path(name).stem}-{depth}mm.obj")
                one = pathlib.Path(work, f"{pathlib.Path(name).stem}.obj")
                write_obj(one, vertices, faces)
                write_obj(second, push(vertices, faces, depth * 1e-3), faces)
                cases.append((second.name, [one, second]))
        print("| mesh | pairs | contours | rounds | largest / mean [mm] | stretch | s | left |\n|---|---|---|---|---|---|---|---|")
        failed, clean, garments, met = 0, 0, 0, 0
        for number, (name, files) in enumerate(cases):
            report, wrong = untangle(weft, files, work)
            if report is not None:
                done = report["pairs_after"] == 0
                if report["pairs_before"] > 0:
                    met += 1
                    clean += done
                    garments += done and number >= tangled
                    print("| %s | %d | %s | %d | %.3g / %.3g | %.3g to %.3g | %.1f | %s |" % (
                        name, report["pairs_before"], kinds(report["contours_before"]), report["rounds"], 1e3 * report["largest"],
                        1e3 * report["mean"], report["stretch"]["smallest"], report["stretch"]["largest"], report["seconds"],
                        "none" if done else "%d pairs: %s" % (report["pairs_after"], kinds(report["contours_after"]))), flush=True)
                if name not in OPEN and not done:
                    wrong.append("must come out clean")
            for what in wrong:
                print(f"{name}: {what}")
            failed += bool(wrong)
        print(f"{clean} of {met} tangles resolved, of garments {garments} of {len(cases) - tangled}; {failed} failed")
        sys.exit(0 if failed == 0 and met > 0 else 1)


if __name__ == "__main__":
    main()
