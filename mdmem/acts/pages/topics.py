"""Topics and the facts known of each: their sources, and the scores that people give them."""

from mdmem.acts.pages.request import Destination, PageRequest
from mdmem.acts.style import Json
from mdmem.acts.telling import encode
from mdmem.errors import ConflictError, NotFoundError, StoppedError
from mdmem.note.facts import HIGHEST_SCORE
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import knownfacts
from mdmem.systems.layers.knownfacts import KnownFact

_AT_ONCE = 50  # facts per part


def read(vault: Vault, request: PageRequest) -> Json:
    """The topics and their states, as `mdmem topics` lists them.

    An export has none if the reader may not see the pages of topics; else that raises StoppedError.
    """
    if not names(vault) and request.is_kept:
        return {"topics": [], "problems": []}
    told: Json = encode(knownfacts.CurrentPages(vault).report)
    return told


def names(vault: Vault) -> list[str]:
    """The names of all topics that the reader may see."""
    try:
        return knownfacts.CurrentPages(vault).topics
    except StoppedError:
        return []


def read_facts(vault: Vault, request: PageRequest) -> Json:
    """The facts of a topic, the most important first, as `mdmem facts` lists them: part `page` of `pages`.

    `in_memory` is true if the source of the fact is a memory, false if it is a dialog. Raises NotFoundError for a
    topic that does not exist.
    """
    found, problems = knownfacts.find(vault, request.key)
    part, counts = request.part(found, _AT_ONCE)
    facts = encode(knownfacts.cited(vault, part))
    memories = {record.path for record in vault.index.records_at([fact["source"] for fact in facts])}
    return {
        "topic": found[0].topic if found else request.key,
        "facts": [{**fact, "in_memory": fact["source"] in memories} for fact in facts],
        "problems": encode(problems),
        **counts,
    }


def act(vault: Vault, request: PageRequest, who: Caller) -> Destination:
    """Give a fact a score in this topic, as `mdmem judge` does.

    Raises UsageError, and ConflictError if the fact is gone or was given another score since it was shown.
    """
    score = request.number("score", 0, HIGHEST_SCORE)
    knownfacts.score(vault, [(_shown(vault, request), score)], who, request.text("note"))
    number = request.text("page")
    return Destination("topic", request.key, {"page": number if number != "1" else ""})


def _shown(vault: Vault, request: PageRequest) -> list[KnownFact]:
    """The fact that a form is about, if it is still as it was shown. Raises ConflictError."""
    try:
        facts = knownfacts.with_id(vault, request.text("fact"), request.key)
    except NotFoundError:
        raise ConflictError("that fact is no longer there; nothing was done", "look again") from None
    score = facts[0].known.fact.score
    if request.text("was") != ("" if score is None else str(score)):
        raise ConflictError("that fact was given another score since it was shown; nothing was done", "look again")
    return facts
