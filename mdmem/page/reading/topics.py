"""Topics and what is known of each: facts, where from, and what a person says they are worth."""

from __future__ import annotations

from typing import Any

from mdmem.errors import ConflictError, NotFoundError, StoppedError, UsageError
from mdmem.note.facts import HIGHEST_SCORE
from mdmem.operation import Caller
from mdmem.page.links import Destination
from mdmem.page.reading.parts import part_of
from mdmem.page.request import PageRequest
from mdmem.render.json.layers import facts_json, topics_json
from mdmem.systems.layers.pages import knownfacts, reading
from mdmem.systems.layers.pages.knownfacts import FactFilter, KnownFact
from mdmem.vault.vault import Vault

_AT_ONCE = 50  # facts of one part


def read(vault: Vault, request: PageRequest) -> dict[str, Any]:
    """The topics and how they stand, as `mdmem topics` tells them; none where their pages may not be seen."""
    if not names(vault) and request.is_kept:
        return {"topics": [], "problems": []}
    return topics_json(reading.CurrentPages(vault).report)


def names(vault: Vault) -> list[str]:
    """The names of all topics that may be seen."""
    try:
        return reading.CurrentPages(vault).topics
    except StoppedError:
        return []


def read_facts(vault: Vault, request: PageRequest) -> dict[str, Any]:
    """The facts of a topic, the most important first, as `mdmem facts` tells them: part `page` of `pages`.

    `in_memory` is whether a memory states the fact, and not a dialog. Raises NotFoundError for a topic that is
    not there.
    """
    found, problems = knownfacts.find(vault, FactFilter(request.key))
    part, counts = part_of(found, request, _AT_ONCE)
    told = facts_json(knownfacts.cited(vault, part), len(found), problems)
    memories = {record.path for record in vault.index.records_at([fact["source"] for fact in told["facts"]])}
    told["facts"] = [{**fact, "in_memory": fact["source"] in memories} for fact in told["facts"]]
    return {"topic": found[0].topic if found else request.key, **told, **counts}


def act(vault: Vault, request: PageRequest, who: Caller) -> Destination:
    """Give a fact a score in this topic, as `mdmem facts score` does.

    Raises ConflictError if it was given another one since it was shown, or is not told any more; UsageError.
    """
    text = request.text("score")
    if not (text.isascii() and text.isdigit() and int(text[:3]) <= HIGHEST_SCORE):
        raise UsageError(f"'{text[:20]}' is not a score", f"give 0 to {HIGHEST_SCORE}")
    facts = _shown(vault, request)
    knownfacts.score(vault, [(facts, int(text))], who, request.text("note"))
    number = request.text("page")
    return Destination("topic", request.key, {"page": number if number != "1" else ""})


def _shown(vault: Vault, request: PageRequest) -> list[KnownFact]:
    """The fact that a form is about, if it is still as it was shown. Raises ConflictError."""
    try:
        facts = knownfacts.with_id(vault, request.text("fact"), request.key)
    except NotFoundError:
        raise ConflictError("that fact is not told any more; nothing was done", "look again") from None
    score = facts[0].known.fact.score
    if request.text("was") != ("" if score is None else str(score)):
        raise ConflictError("that fact was given another score since it was shown; nothing was done", "look again")
    return facts
