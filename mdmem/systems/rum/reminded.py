"""Remembers which files an agent was recently reminded of, in a local, untracked file that may lose entries.

Two concurrent processes may each lose what the other wrote; a file that is damaged or cannot be written counts as
empty.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import datetime

from mdmem.store import layout

_COOLDOWN = 300  # seconds until the next reminder of the same file
_MINUTE, _A_MINUTE = 60, 5  # seconds, and the most files to remind of in this time


class Reminded:
    """When the agent was last reminded of each file, in Unix seconds."""

    def __init__(self, root: str) -> None:
        self._place = os.path.join(root, layout.STATE, "reminded.json")
        self._told = self._read()

    def claim(self, file: str, now: datetime) -> bool:
        """Record that the agent is reminded of a file; False, and nothing is recorded, if it is too soon.

        Times in the future are ignored.
        """
        seconds = now.timestamp()
        self._told = {name: when for name, when in self._told.items() if 0 <= seconds - when < _COOLDOWN}
        lately = sum(seconds - when < _MINUTE for when in self._told.values())
        if file in self._told or lately >= _A_MINUTE:
            return False
        self._told[file] = seconds
        return True

    def save(self) -> None:
        """Store the times for the next process, if possible."""
        scratch = f"{self._place}.{os.getpid()}"
        with suppress(OSError):
            with open(scratch, "w", encoding="utf-8") as file:
                json.dump(self._told, file)
            os.replace(scratch, self._place)

    def _read(self) -> dict[str, float]:
        try:
            with open(self._place, encoding="utf-8") as file:
                told = json.load(file)
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(told, dict):
            return {}
        return {name: when for name, when in told.items() if isinstance(when, int | float)}
