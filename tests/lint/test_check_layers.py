# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
"""Plants one violation of each rule and expects exactly that line; then expects none in the tree itself."""
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "tools", "check_layers.py")
HEAD = "// SPDX-FileCopyrightText: 2026 The weft authors\n// SPDX-License-Identifier: MIT\n"
GUARD = "__CUDA" + "CC__"


class CheckLayers(unittest.TestCase):
    def check(self, files, expected):
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as f:
                    f.write(text)
            run = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
        self.assertEqual(run.stdout.splitlines(), expected)
        self.assertEqual(run.returncode, 1 if expected else 0)

    def test_arrows(self):
        self.check({"src/contact/grid.c": HEAD + '#include "contact/grid.h"\n#include "step/x.h"\n'},
                   ['src/contact/grid.c:4: includes "step/x.h": contact may not use step'])
        self.check({"src/contact/grid.c": HEAD + '#include "elastic/x.h"\n'},
                   ['src/contact/grid.c:3: includes "elastic/x.h": contact may not use elastic'])
        self.check({"src/dynamics/a.c": HEAD + '#include "contact/x.h"\n'},
                   ['src/dynamics/a.c:3: includes "contact/x.h": dynamics may not use contact'])
        self.check({"src/scene/a.c": HEAD + '#include "weft/io.h"\n'}, ['src/scene/a.c:3: includes "weft/io.h": scene may not use io'])
        self.check({"src/step/a.c": HEAD + '#include "contact/x.h"\n#include "dynamics/x.h"\n#include "base/error.h"\n#include <math.h>\n'}, [])
        self.check({"src/compute/cpu/a.c": HEAD + '#include "mesh/x.h"\n'}, ['src/compute/cpu/a.c:3: includes "mesh/x.h": compute may not use mesh'])

    def test_outsiders(self):
        self.check({"examples/hello.c": HEAD + '#include "scene/scene.h"\n#include "weft/weft.h"\n'},
                   ['examples/hello.c:3: includes "scene/scene.h": only include/weft is seen from here'])
        self.check({"include/weft/a.h": HEAD + '#include "base/error.h"\n'},
                   ['include/weft/a.h:3: includes "base/error.h": public headers may use weft/ only'])
        self.check({"tests/unit/test_a.c": HEAD + '#include "scene/scene.h"\n'}, [])
        self.check({"src/app/a.c": HEAD + '#include "../io/file.h"\n'}, ['src/app/a.c:3: includes "../io/file.h": name the room, not the way to it'])

    def test_compiler(self):
        self.check({"src/mesh/a.h": HEAD + f"#if defined({GUARD})\n#endif\n"},
                   [f"src/mesh/a.h:3: {GUARD}: only src/base/compiler.h and src/compute/kernel.h know the compiler"])
        self.check({"src/base/compiler.h": HEAD + f"#if defined({GUARD})\n#endif\n"}, [])

    def test_house_rules(self):
        self.check({"src/base/a.c": "int a;\n"},
                   ["src/base/a.c:1: no SPDX-FileCopyrightText: line at the top", "src/base/a.c:1: no SPDX-License-Identifier: line at the top"])
        self.check({"src/base/a.c": HEAD + "\n" * 799}, ["src/base/a.c:801: 801 lines, expected at most 800: split the file"])
        self.check({"src/base/a.c": HEAD + "\n" * 798}, [])
        self.check({"cmake/a.cmake": "set(x /" + "home/me/x)\nset(y a/" + "home/b ${z}/" + "work/c)\n"}, ["cmake/a.cmake:1: an absolute path of one machine"])
        self.check({"src/attic/a.c": HEAD + "#include <math.h>\n"}, ["src/attic/a.c:3: lies in a room that is not in the plan: attic"])

    def test_the_tree(self):
        run = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True)
        self.assertEqual(run.stdout, "")
        self.assertEqual(run.returncode, 0)


if __name__ == "__main__":
    unittest.main()
