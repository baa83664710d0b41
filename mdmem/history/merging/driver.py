"""The merge driver that git runs for memories: `mdmem merge-driver %O %A %B %L %P`.

It starts fast and does not call git.
"""

import os

from mdmem.store import config as settings
from mdmem.store.local import files, place

CONFLICT = 10  # exit code: a person has to decide; on any other but 0, git merges the text itself
_NOT_OURS = 11
_OTHER = "other"


def run(argv: list[str]) -> int:
    """Merge the three files that git names and write the result to the second; returns the exit code.

    `argv` is base, ours, theirs, the marker size, and the path in the working tree, in whose top folder git runs
    the driver. Raises OSError for files that cannot be read.
    """
    if len(argv) != 5:
        return _NOT_OURS
    from mdmem.history.merging.files import merge_path, rule_of

    base, ours, theirs = (_bytes(name) for name in argv[:3])
    root = place.find(os.path.dirname(os.path.abspath(argv[4])))
    if root is None:
        return _NOT_OURS
    config, _ = settings.read(files.bytes_at(os.path.join(root, settings.FILE)))
    path = files.relative(argv[4], root)
    if rule_of(path, config) == _OTHER:
        return _NOT_OURS
    merged = merge_path(path, base or None, ours, theirs, config)  # if both added it, git's base is empty
    with open(argv[1], "wb") as file:
        file.write(merged.data)
    return CONFLICT if merged.conflicts else 0


def _bytes(name: str) -> bytes:
    with open(name, "rb") as file:
        return file.read()
