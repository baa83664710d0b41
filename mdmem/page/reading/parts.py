"""Long lists in parts, each on a page of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from mdmem.errors import NotFoundError
from mdmem.page.request import PageRequest

_S = TypeVar("_S", bound=Sequence[Any])


def part_of(items: _S, request: PageRequest, at_once: int) -> tuple[_S, dict[str, int]]:
    """(the requested part of a list, its number `page` of `pages` and the `total`).

    Raises NotFoundError for a part that does not exist.
    """
    pages = max(1, -(-len(items) // at_once))
    number = request.number
    if number > pages:
        raise NotFoundError(f"there is no page {number}", f"the last one is {pages}")
    start = (number - 1) * at_once
    part: Any = items[start : start + at_once]
    return part, {"page": number, "pages": pages, "total": len(items)}
