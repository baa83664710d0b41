"""Long lists in parts, each a page of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from mdmem.errors import NotFoundError
from mdmem.page.request import PageRequest

_S = TypeVar("_S", bound=Sequence[Any])


def part_of(items: _S, request: PageRequest, at_once: int) -> tuple[_S, dict[str, int]]:
    """(the part of a list that is asked for, its number `page` of `pages` and the `total`).

    Raises NotFoundError for a part that there is not.
    """
    pages = max(1, -(-len(items) // at_once))
    number = request.number
    if number > pages:
        raise NotFoundError(f"there is no page {number} of it", f"the last one is {pages}")
    start = (number - 1) * at_once
    part: Any = items[start : start + at_once]
    return part, {"page": number, "pages": pages, "total": len(items)}
