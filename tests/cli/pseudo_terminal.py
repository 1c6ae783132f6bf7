# SPDX-License-Identifier: Apache-2.0
"""What a program writes to a terminal."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading

END = b"\x04"  # what no program of ours writes


def written(words, stream, columns=80, **settings):
    """What a program writes to a terminal as its `stream` ("stdout" or "stderr"), and its exit code.

    This side keeps the program's end open and says the end in it: Linux may forget what was written
    last where the only writer closes.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: theirs}
    program = subprocess.Popen(words, **streams, **settings)
    closer = threading.Thread(target=lambda: (program.wait(), os.write(theirs, END)))
    closer.start()
    text = b""
    while not text.endswith(END):
        text += os.read(ours, 65536)
    closer.join()
    os.close(theirs)
    os.close(ours)
    return text.removesuffix(END).decode().replace("\r\n", "\n"), program.returncode
