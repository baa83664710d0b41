"""The command line."""

from __future__ import annotations

import os

from mdmem.errors import UsageError, is_text


def run(arguments: list[str]) -> int:
    """Run a command line and return its exit code. MdmemError and a closed pipe pass through to the caller."""
    for argument in arguments:
        if not is_text(argument) and not os.path.exists(argument):
            raise UsageError(f"the text {argument!a} is not UTF-8", "type it again, in UTF-8")
    from mdmem.cli import group

    return group.run(arguments)
