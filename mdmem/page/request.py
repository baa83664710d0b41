"""What a page is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING

from mdmem.errors import UsageError
from mdmem.values import NamedTuple

if TYPE_CHECKING:
    from mdmem.page.planning import PlanKeeper

_LAST_PAGE = 1_000_000


class PageRequest(NamedTuple):
    """What a page is asked for: the thing it is about (`key`, "" for none), and what was `given` with its address.

    `now` is the time, and `actor` the agent that looks, "" for the person. A page that `is_kept` as a file holds
    what the vault says, and nothing of this machine or of the moment. `plans` has the plan of the garden; without
    it that is made while the caller waits.
    """

    now: datetime
    key: str = ""
    given: Mapping[str, str] = MappingProxyType({})
    is_kept: bool = False
    actor: str = ""
    plans: PlanKeeper | None = None

    def text(self, name: str) -> str:
        """What was given under a name, "" for nothing."""
        return self.given.get(name, "").strip()

    @property
    def number(self) -> int:
        """Which part of a page that has several, from 1. Raises UsageError."""
        text = self.text("page") or "1"
        if not (text.isascii() and text.isdigit() and 0 < int(text[:9]) <= _LAST_PAGE):
            raise UsageError(f"'{text[:20]}' is not the number of a page", "give page=2")
        return int(text)
