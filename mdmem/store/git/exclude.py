"""What git ignores in one clone without any file of the person's saying so: its `info/exclude`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from mdmem.store.git.repo import Repo
from mdmem.store.local import files

_SPECIAL = re.compile(r"[\\*?\[\]]")
_HEAD = "# Made by mdmem; rebuilt at any time."


def literal(path: str) -> str:
    """A path as a pattern that matches only that path."""
    return _SPECIAL.sub(r"\\\g<0>", path)


def ignore(repo: Repo, patterns: Iterable[str]) -> None:
    """Make git ignore these paths in the vault, given as patterns relative to its root. Raises OSError."""
    place = os.path.join(repo.common_dir(), "info", "exclude")
    text = os.fsdecode(files.bytes_at(place))
    known = set(text.splitlines())
    rules = [f"/{literal(repo.prefix)}{pattern}" for pattern in patterns]
    missing = [rule for rule in rules if rule not in known]
    if not missing:
        return
    head = [] if _HEAD in known else [_HEAD]
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "ab") as file:
        begin = "\n" if text and not text.endswith("\n") else ""
        file.write(os.fsencode(begin + "\n".join([*head, *missing, ""])))
