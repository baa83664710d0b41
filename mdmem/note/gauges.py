"""The four gauges of the LiveHud as values; `session.livehud` makes a line of them."""

from __future__ import annotations

from mdmem.values import NamedTuple


class Gauges(NamedTuple):
    """The texts of the gauges; "" for one that says nothing yet.

    Past: the key insight from memory. Present: the task. Future: the next one. Memory: a state, or a count.
    """

    past: str = ""
    present: str = ""
    future: str = ""
    memory: str = ""
