"""Makes a memory of a fact; its provenance names every place that states the fact."""

from __future__ import annotations

from mdmem.errors import ConflictError, NotFoundError
from mdmem.note.trust import sensitivity
from mdmem.recall import ask
from mdmem.recall.ask import Answer
from mdmem.store.index.port import FACT, MEMORY
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import documents
from mdmem.write import remember, succession
from mdmem.write.remember import Draft, Remembered


def keep(vault: Vault, id: str, caller: Caller, reason: str = "") -> Remembered:
    """Make a memory of the fact with that id; every place that states it becomes a source.

    Raises NotFoundError, ConflictError if a memory says the same already.
    """
    told = vault.index.with_id(id, (FACT,))
    if not told:
        raise NotFoundError(f"there is no fact {id}", "mdmem facts lists them, with their ids")
    told.sort(key=lambda record: (record.created, record.path), reverse=True)
    draft = remember.require_fit(_draft(vault, ask.about(vault, told), caller))
    _require_new(vault, draft)
    return remember.remember(vault, draft, caller, reason)


def _require_new(vault: Vault, draft: Draft) -> None:
    for twin in remember.near_twins(vault, draft):
        if twin.record.status == "active" and twin.score >= remember.SAME:
            name = twin.record.name
            raise ConflictError(f"{name} says the same; nothing was written", f"mdmem update {name} changes it")


def _draft(vault: Vault, answers: list[Answer], caller: Caller) -> Draft:
    """The draft of a memory of a fact; `answers` are the places that state it."""
    fact = answers[0].hit.record
    statement = f"{fact.title[:1].upper()}{fact.title[1:]}"
    sentence = vault.index.body(fact.path)
    quoted = f"\n\n> {sentence}" if sentence != fact.title else ""
    properties: dict[str, object] = {
        "type": "preference" if fact.type == "preference" else "fact",
        "topic": fact.topic,
        "confidence": fact.meta["confidence"],
        "source": "derived",
        "provenance": [_source(vault, answer, caller) for answer in answers],
        **sensitivity.inherited({}, [_trust(vault, answer) for answer in answers]),
    }
    return Draft(f"{statement}.{quoted}", properties)  # type: ignore[arg-type]


def _trust(vault: Vault, answer: Answer) -> dict[str, str]:
    """The `sensitivity` and `scope` of the memory or entry that states a fact."""
    fact = answer.hit.record
    (teller,) = vault.index.records_at([fact.file]) or [fact]
    return succession.inherited(vault, teller.meta)


def _source(vault: Vault, answer: Answer, caller: Caller) -> dict[str, str]:
    """The provenance of a fact: its line as of the commit that wrote it, and the hash of the file."""
    from mdmem.recall import prompt

    record = answer.hit.record
    kind = MEMORY if vault.index.record(record.file) else "entry"
    return {
        "kind": kind,
        "ref": prompt.place(answer),
        "hash": f"sha256:{documents.sha256(vault.read(record.file))}",
        "created_by": caller.actor or vault.identity().name,
        "timestamp": record.created,
    }
