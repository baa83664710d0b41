"""Where the mdmem command is on this machine, for other programs that have to start it."""

from __future__ import annotations

import os
import sys

from mdmem.errors import NotFoundError


def program() -> str:
    """The absolute path of this mdmem: GUI clients run hooks with a minimal PATH. Raises NotFoundError."""
    for folder in (os.path.dirname(sys.executable), os.path.dirname(os.path.abspath(sys.argv[0]))):
        for name in ("mdmem", "mdmem.exe"):
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                return path.replace(os.sep, "/")
    raise NotFoundError(
        "the mdmem command is not installed beside this Python", "pip install mdmem, then try again"
    )
