# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
cat > sheet.obj <<END
v 0 0 0
v 1 0 0
v 1 0 1
f 1 3 2
END
mkdir empty
fails() { ! "$@"; }
fails weft render sheet.obj
fails weft render none.obj -o a.png
fails weft render empty -o a.png
fails weft render sheet.obj -o a.png --size 80
fails weft render sheet.obj -o a.png --size 80x0
fails weft render sheet.obj -o a.png --camera 1,2,3
fails weft render sheet.obj -o a.png --camera 1,2,3,1,2,3
fails weft render sheet.obj -o a.png --frame 1
fails weft render sheet.obj -o a.png --frames 2:1
fails weft render sheet.obj -o a.png --strip 3
fails weft render sheet.obj -o a --strip 3
fails weft render sheet.obj -o a.png --heat strain
fails weft render sheet.obj -o a.png --heat speed
fails weft render sheet.obj -o a.png --heat contact
fails weft render sheet.obj -o /nonexistent/a.png --size 2000x2000 --samples 65536 # before it draws for hours
mkdir folder.png
fails weft render sheet.obj -o folder.png --size 2000x2000 --samples 65536
printf 'v 0 0 0\nv 1 0 0\nv 1 0 1\n' > points.obj
fails weft render points.obj -o a.png
ls
