#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
"""run_terminal.py ARGUMENT...: what `weft ARGUMENT...` draws on a terminal of 100 columns, one line a drawing."""
import fcntl
import os
import pty
import struct
import sys
import termios

pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    os.execvp("weft", ["weft", *sys.argv[1:]])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 25, 100, 0, 0))
data = b""
while True:
    try:
        piece = os.read(terminal, 4096)
    except OSError:  # how Linux tells that the other side has closed
        break
    if not piece:
        break
    data += piece
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
for line in data.decode().replace("\r\n", "\n").replace("\r\033[K", "\n").split("\n"):
    assert len(line) < 100 + 9, line  # a colour takes 9 bytes
    print(line.replace("\033", "ESC"))
sys.exit(code)
