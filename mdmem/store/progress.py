"""How work reports its progress: a function that gets (done, total), and one for when nobody watches."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

Progress = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """Ignore progress."""


Watch = Callable[[str], AbstractContextManager[Progress]]  # says what is being done, and gets its progress
