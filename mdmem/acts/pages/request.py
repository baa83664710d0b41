"""The request for a page, whether served or exported."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from mdmem.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from mdmem.acts.pages.planning import PlanKeeper

HOME = "today"
_LAST_PAGE = 1_000_000
_S = TypeVar("_S", bound=Sequence[Any])


class Destination(NamedTuple):
    """The page to show after a change: its name, its key and the parameters of its address."""

    page: str
    key: str = ""
    given: Mapping[str, str] = MappingProxyType({})


class PageRequest(NamedTuple):
    """A request for a page: `key` names its subject, "" for none; `given` holds the parameters of its address.

    `now` is the current time, and `actor` the agent that asks, "" for the person. If `is_kept`, the page becomes a
    file of an export: it shows only what the vault says, nothing of this machine or the moment. `plans` keeps the
    gardeners' plan; without it, the plan is made while the caller waits. `folder` is the repository that the
    person works in, "" for none.
    """

    now: datetime
    key: str = ""
    given: Mapping[str, str] = MappingProxyType({})
    is_kept: bool = False
    actor: str = ""
    plans: PlanKeeper | None = None
    folder: str = ""

    def text(self, name: str) -> str:
        """The value of a parameter, stripped; "" if it is not given."""
        return self.given.get(name, "").strip()

    def typed(self, name: str, otherwise: str = "") -> str:
        """A text that was typed, with the line ends of a file; `otherwise` if it is not given."""
        return self.given.get(name, otherwise).replace("\r\n", "\n")

    def choice(self, name: str, of: Collection[str], otherwise: str) -> str:
        """The value of a parameter that is one of a few, `otherwise` if it is not given. Raises UsageError."""
        text = self.text(name) or otherwise
        if text not in of:
            raise UsageError(f"'{text[:20]}' is not a valid {name}", f"give {name}={f', {name}='.join(of)}")
        return text

    def part(self, items: _S, at_once: int) -> tuple[_S, dict[str, int]]:
        """(the requested part of a long list, its number `page` of `pages` and the `total`).

        Raises UsageError, NotFoundError for a part that does not exist.
        """
        pages = max(1, -(-len(items) // at_once))
        number = self.number("page", 1, _LAST_PAGE) if self.text("page") else 1
        if number > pages:
            raise NotFoundError(f"there is no page {number}", f"the last one is {pages}")
        part: Any = items[(number - 1) * at_once : number * at_once]
        return part, {"page": number, "pages": pages, "total": len(items)}

    def number(self, name: str, first: int, last: int) -> int:
        """The value of a parameter that is a whole number, from `first` to `last`. Raises UsageError."""
        text = self.text(name)
        number = int(text[:9]) if text.isascii() and text.isdigit() else first - 1
        if not first <= number <= last:
            raise UsageError(f"'{text[:20]}' is not a {name}", f"give one from {first} to {last}")
        return number
