"""What waits for a verdict as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mdmem.acts.telling import encode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdmem.acts.checks.queue import Waiting


def queue_json(items: Sequence[Waiting]) -> list[dict[str, Any]]:
    """What waits, whatever it is: first what is the thing's own, then what all have in common.

    `by` is where it comes from, `texts` are what there is to read, `would` is what taking it does, `answers` are
    the verdicts to choose from, `said` is one that was given and `agreed` who gave it, "" if nobody did.
    """
    return [{**encode(one.source), **_common(one)} for one in items]


def _common(one: Waiting) -> dict[str, Any]:
    told = {
        key: getattr(one, key) for key in ("id", "kind", "of", "title", "by", "why", "would", "said", "agreed")
    }
    more = {"session_undone": one.undone, "replaces": one.replaces or None} if one.kind == "captured" else {}
    return {**told, "answers": list(one.answers), "texts": [each._asdict() for each in one.texts], **more}
