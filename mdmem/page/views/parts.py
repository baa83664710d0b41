"""The links between the parts of a long list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from mdmem.page.links import PageLinks


class PartLinks(NamedTuple):
    """Part `number` of `count`, and the addresses of the parts around it, "" for none."""

    number: int
    count: int  # type: ignore[assignment]  # it hides tuple.count, which nobody needs here
    before: str
    after: str


def part_links(value: Mapping[str, Any], page: str, links: PageLinks, key: str = "", **given: str) -> PartLinks:
    """The links to the parts around this one; the parameters in `given` are repeated in their addresses."""
    number, count = value["page"], value["pages"]
    return PartLinks(
        number=number,
        count=count,
        before=links.to(page, key, **given, **_given(number - 1)) if number > 1 else "",
        after=links.to(page, key, **given, **_given(number + 1)) if number < count else "",
    )


def _given(number: int) -> dict[str, str]:
    return {"page": str(number)} if number > 1 else {}
