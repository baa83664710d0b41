"""The view of the proposals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.page.links import PLANNING, PageLinks

_PAGE = "review"


class Waiting(NamedTuple):
    """A proposal; `later` is the address of the page without it, `edit` that of the form to reword it."""

    value: Mapping[str, Any]
    percent: int
    later: str
    edit: str


class ReviewView(NamedTuple):
    """What waits and what was decided. `later` holds the ids that are left out, comma-separated.

    `progress` is the address that a script asks for the progress of the plan.
    """

    title: str
    proposals: Sequence[Waiting]
    captured: Sequence[Waiting]
    total: int
    total_captured: int
    unsure: int
    later: str
    put_off: int
    reasons: Sequence[str]
    rejected: Sequence[Mapping[str, Any]]
    editing: Mapping[str, Any] | None
    done: Mapping[str, Any] | None
    planned: str
    is_whole: bool
    planning: Mapping[str, Any] | None
    progress: str
    trouble: str
    lessons: Sequence[Mapping[str, Any]]
    learned: str


def view(value: Mapping[str, Any], links: PageLinks) -> ReviewView:
    """The view for a value of `reading.review`."""
    later = value["later"]

    def waiting(one: Mapping[str, Any]) -> Waiting:
        without, percent = ",".join([*later, one["id"]]), round(100 * one["confidence"])
        address, form = links.to(_PAGE, later=without), links.to(_PAGE, edit=one["id"], later=",".join(later))
        return Waiting(one, percent, address, form and f"{form}#edit")

    return ReviewView(
        title="Review",
        proposals=[waiting(one) for one in value["proposals"]],
        captured=[waiting(one) for one in value["captured"]],
        total=value["total"],
        total_captured=value["total_captured"],
        unsure=value["unsure"],
        later=",".join(later),
        put_off=len(later),
        reasons=value["reasons"],
        rejected=value["rejected"],
        editing=value["editing"],
        done=value["done"],
        planned=value["planned"],
        is_whole=value["is_whole"],
        planning=value["planning"],
        progress=PLANNING,
        trouble=value["trouble"],
        lessons=value["lessons"],
        learned=value["learned"],
    )
