# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
cat > sheet.obj <<END
v 0 0 0
v 1 0 0
v 1 0 1
v 0 0 1
f 1 4 3
f 1 3 2
END
cat > body.obj <<END
v 0.2 -1 0.2
v 0.8 -1 0.2
v 0.5 -1 0.8
v 0.5 -0.2 0.5
f 1 2 3
f 1 4 2
f 2 4 3
f 3 4 1
END
weft render sheet.obj body.obj -o one.png --size 80x60 --samples 2 --threads 1
weft render sheet.obj body.obj -o two.png --size 80x60 --samples 2 --threads 2
cmp one.png two.png
weft render sheet.obj body.obj -o heat.png --size 80x60 --samples 2 --heat contact --wireframe --camera 3,3,3,0,0,0,40
if cmp -s one.png heat.png; then echo "the options changed nothing"; fi
mkdir run
cp sheet.obj body.obj run
cat > run/run.json <<END
{"title": "still", "frame_rate": 24, "up": "z", "camera": null, "objects": [
  {"name": "sheet", "kind": "cloth", "color": [1, 0, 0], "visible": true, "topology": "sheet.obj", "cache": null, "rest": "sheet.obj"},
  {"name": "body", "kind": "collider", "color": [1, 1, 1], "visible": true, "topology": "body.obj", "cache": null, "rest": null}]}
END
weft render run -o pictures --size 80x60 --samples 1 --heat strain --heat-range 0.9:1.1
ls pictures
