"""The request for a page, whether served or exported."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from mdmem.errors import UsageError

if TYPE_CHECKING:
    from mdmem.page.planning import PlanKeeper

_LAST_PAGE = 1_000_000


class PageRequest(NamedTuple):
    """A request for a page: `key` names its subject, "" for none; `given` holds the parameters of its address.

    `now` is the current time, and `actor` the agent that asks, "" for the person. If `is_kept`, the page becomes a
    file of an export: it shows only what the vault says, nothing of this machine or the moment. `plans` keeps the
    gardeners' plan; without it, the plan is made while the caller waits.
    """

    now: datetime
    key: str = ""
    given: Mapping[str, str] = MappingProxyType({})
    is_kept: bool = False
    actor: str = ""
    plans: PlanKeeper | None = None

    def text(self, name: str) -> str:
        """The value of a parameter, stripped; "" if it is not given."""
        return self.given.get(name, "").strip()

    @property
    def number(self) -> int:
        """Which part of a long list is requested, from 1. Raises UsageError."""
        text = self.text("page") or "1"
        if not (text.isascii() and text.isdigit() and 0 < int(text[:9]) <= _LAST_PAGE):
            raise UsageError(f"'{text[:20]}' is not a page number", "give page=2")
        return int(text)
