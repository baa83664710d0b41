"""Works as text for people and prompts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mdmem.text.terminal import safe

if TYPE_CHECKING:
    from mdmem.systems.rum.depth import Telling


def work_lines(told: Telling) -> Iterator[str]:
    """A work, a field a line."""
    yield safe(told.text)
