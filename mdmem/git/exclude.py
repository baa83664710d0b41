"""What git ignores in one clone without any file of the person's saying so: its `info/exclude`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from mdmem.git.repo import Repo

_SPECIAL = re.compile(r"[\\*?\[\]]")
_HEAD = "# Made by mdmem; rebuilt at any time."


def literal(path: str) -> str:
    """A path as a pattern that matches only that path."""
    return _SPECIAL.sub(r"\\\g<0>", path)


def ignore(repo: Repo, patterns: Iterable[str]) -> None:
    """Make git ignore these paths in the vault, given as patterns relative to its root. Raises OSError."""
    place = os.path.join(repo.common_dir(), "info", "exclude")
    text = _text(place)
    missing = lacking(text, [f"/{literal(repo.prefix)}{pattern}" for pattern in patterns])
    if not missing:
        return
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "ab") as file:
        file.write(os.fsencode(added(text, [*lacking(text, [_HEAD]), *missing])))


def lacking(text: str, rules: Iterable[str]) -> list[str]:
    """Those of the rules that a text of that file does not have."""
    known = set(text.splitlines())
    return [rule for rule in rules if rule not in known]


def added(text: str, rules: Iterable[str]) -> str:
    """What to append to the text for these rules, each on a line of its own."""
    begin = "\n" if text and not text.endswith("\n") else ""
    return begin + "\n".join([*rules, ""])


def _text(place: str) -> str:
    try:
        with open(place, "rb") as file:
            return os.fsdecode(file.read())
    except FileNotFoundError:
        return ""
