"""How long work tells how far it is: what is called with (done, total), and what to call where nobody watches."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """Nobody watches."""
