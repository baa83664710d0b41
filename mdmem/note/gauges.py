"""The four gauges of the LiveHud as values; `session.livehud` formats them as a line."""

from __future__ import annotations

from typing import NamedTuple


class Gauges(NamedTuple):
    """The texts of the gauges; "" for an empty one.

    Past: the key insight from memory. Present: the task. Future: the next one. Memory: a state, or a count.
    """

    past: str = ""
    present: str = ""
    future: str = ""
    memory: str = ""
