"""Reads the pages after bringing them up to date, finds facts on them, scores them, makes memories of them."""

from __future__ import annotations

import errno
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from mdmem.errors import ConflictError, NotFoundError, Problem, StoppedError, UsageError
from mdmem.note import moments, naming
from mdmem.note.facts import HIGHEST_SCORE
from mdmem.note.trust import sensitivity
from mdmem.recall import ask
from mdmem.recall.ask import Answer
from mdmem.store import layout
from mdmem.store.index import citation
from mdmem.store.index.citation import CitedLine
from mdmem.store.index.port import FACT, MEMORY
from mdmem.store.local import files
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import curation, documents, tree
from mdmem.systems.layers.topic import tier_of
from mdmem.write import remember, succession
from mdmem.write.remember import Draft, Remembered

_SHORTEST_ID = 4  # characters of an id that can stand for it
_READ_ONLY = (errno.EACCES, errno.EPERM, errno.EROFS)


def _require_sight(vault: Vault) -> None:
    """Raise StoppedError if the pages may hold memories that the reader may not see.

    A person with a higher clearance may have generated them.
    """
    limit = vault.for_derived("pages").clearance.limit
    if vault.clearance.at_most(limit).limit != limit:
        raise StoppedError(
            f"the pages of topics hold memories up to '{limit}'; what is shown here is up to"
            f" '{vault.clearance.limit}'",
            "a person can read them",
        )


class CurrentPages:
    """The pages, up to date with their sources. `report` is that of the update."""

    def __init__(self, vault: Vault) -> None:
        """Bring the pages up to date. Raises as `tree.update`, except for a vault that cannot be written.

        Raises StoppedError if the pages may hold memories that the reader may not see.
        """
        _require_sight(vault)
        self._vault = vault
        self._unwritten: dict[str, bytes] = {}
        try:
            self.report = tree.update(vault)
        except OSError as error:
            if error.errno not in _READ_ONLY:
                raise
            self.report, self._unwritten = tree.unwritten(vault)
        self.topics = [one.topic for one in self.report.topics]

    def read(self, path: str) -> bytes:
        """The bytes of a page. Raises NotFoundError, NoteError."""
        return self._unwritten.get(path) or files.read(self._vault.root, path)

    def named(self, name: str) -> str:
        """The topic whose name is given as people write it. Raises NotFoundError, UsageError."""
        topic = name if name in self.topics else naming.topic(name)
        if topic in self.topics:
            return topic
        near = get_close_matches(topic, self.topics, 1)
        raise NotFoundError(f"there is no topic {topic}", f"did you mean {near[0]}?" if near else "mdmem topics")

    def topic(self, name: str) -> documents.TopicMemory:
        """The memory of one of the `topics`. Raises as `read`."""
        path, _ = tree.paths_of(name, self._vault.config)
        return documents.read(documents.TopicMemory, self.read(path), path)


def topic_page(vault: Vault, name: str) -> tuple[bytes, bytes]:
    """The pages of a topic, whose name is given as people write it: JSON, Markdown.

    Raises as `CurrentPages`, and as its `named`.
    """
    pages = CurrentPages(vault)
    as_json, as_page = tree.paths_of(pages.named(name), vault.config)
    return pages.read(as_json), pages.read(as_page)


def global_page(vault: Vault) -> tuple[bytes, bytes]:
    """The global pages: JSON, Markdown. Raises NotFoundError if there are no topics, and as `CurrentPages`."""
    pages = CurrentPages(vault)
    if not pages.topics:
        raise NotFoundError("there are no topics yet", "mdmem ingest FILE --topic NAME makes one")
    return pages.read(tree.GLOBAL_JSON), pages.read(tree.GLOBAL_MD)


# -- facts -------------------------------------------------------------------------------------------------


class KnownFact(NamedTuple):
    """A fact of a topic, its tier ("" if none), and the commit that wrote its line ("" if unknown)."""

    topic: str
    known: documents.TopicFact
    tier: str
    commit: str = ""

    @property
    def citation(self) -> str:
        """`path:line@commit` of the line that states the fact."""
        line = f":{self.known.fact.line}" if self.known.fact.line else ""
        return f"{self.known.source}{line}" + (f"@{self.commit[:8]}" if self.commit else "")

    def json(self) -> dict[str, Any]:
        """The fact as the page of all topics has it, with its tier and citation."""
        told = documents.told(self.known._replace(topic=self.topic), "global_fact")
        return {**told, "tier": self.tier, "citation": self.citation}


def find(
    vault: Vault, topic: str = "", type: str = "", tier: str = "", unscored: bool = False
) -> tuple[list[KnownFact], tuple[Problem, ...]]:
    """The facts of a topic, type and tier ("" for any), by topic and importance, and problems with their sources.

    With `unscored` only those that nobody scored.

    Raises NotFoundError for an unknown topic, StoppedError if the pages may hold what the reader may not see.
    """
    pages = CurrentPages(vault)
    facts = []
    for name in [pages.named(topic)] if topic else pages.topics:
        for known in pages.topic(name).facts:
            own = tier_of(known.fact, vault.config.pages)
            is_of_kind = type in ("", known.fact.type) and tier in ("", own)
            if is_of_kind and not (unscored and known.fact.score is not None):
                facts.append(KnownFact(name, known, own))
    return facts, pages.report.problems


def cited(vault: Vault, facts: Iterable[KnownFact]) -> list[KnownFact]:
    """The facts, each with the commit that wrote the line stating it."""
    facts = list(facts)
    texts = {path: _lines(vault, path) for path in {fact.known.source for fact in facts}}
    places = [_place(vault, fact, texts[fact.known.source]) for fact in facts]
    known = sorted({place for place in places if place.line})
    commits = dict(zip(known, citation.commits(vault, known), strict=True))
    return [fact._replace(commit=commits.get(place, "")) for fact, place in zip(facts, places, strict=True)]


def _lines(vault: Vault, path: str) -> list[str]:
    """The lines of a file; none if it is gone."""
    return (files.read_or_none(vault.root, path) or b"").decode("utf-8-sig", "replace").split("\n")


def _place(vault: Vault, fact: KnownFact, lines: Sequence[str]) -> CitedLine:
    """The line that states a fact; line 1 for an entry, since one commit writes all of its lines."""
    is_of_entry = layout.entry_part(fact.known.source, vault.config)
    line = 1 if is_of_entry else fact.known.fact.line
    return CitedLine(fact.known.source, line, lines[line - 1] if 0 < line <= len(lines) else "")


def with_id(vault: Vault, id: str, topic: str = "") -> list[KnownFact]:
    """The fact whose id is or begins with `id`, in each topic that has it. Raises NotFoundError, UsageError."""
    facts, _ = find(vault, topic)
    wanted = id.strip().lower()
    matching = [fact for fact in facts if fact.known.id.startswith(wanted) and len(wanted) >= _SHORTEST_ID]
    ids = sorted({fact.known.id for fact in matching})
    if not ids:
        raise NotFoundError(f"there is no fact {id}", "mdmem facts lists them with their ids")
    if len(ids) > 1:
        raise UsageError(f"{len(ids)} facts have an id that begins with {id}", f"say which: {', '.join(ids[:5])}")
    return matching


def score(vault: Vault, scores: Sequence[tuple[Sequence[KnownFact], int]], caller: Caller, note: str = "") -> str:
    """Score facts, 0-10, in one commit, which is returned, in the curation.md of every topic that has the fact."""
    who, when = caller.actor or vault.repo.identity().name, moments.render(caller.now)
    with vault.change(caller.does("revise", note)) as tx:
        for facts, value in scores:
            for fact in facts:
                stated = fact.known.fact
                remark = note or f"{stated.subject} {stated.relation} {stated.object}"
                path = curation.path(fact.topic, vault.config)
                verdict = curation.Verdict(fact.known.id, value, who, when, remark)
                tx.write(path, curation.appended(tx.read(path), verdict))
        topics = dict.fromkeys(fact.topic for facts, _ in scores for fact in facts)
        tx.operation = tx.operation._replace(names=tuple(f"{topic}/curation" for topic in topics))
    return tx.commit


def require_score(value: str) -> None:
    """Raise UsageError for a score that is not from 0 to 10."""
    if not (value.isdecimal() and int(value) <= HIGHEST_SCORE):
        raise UsageError(f"the score {value} is not from 0 to {HIGHEST_SCORE}", "0 is wrong, 10 never to forget")


# -- a memory of a fact; its provenance names every place that states the fact -------------------------------


def keep(vault: Vault, id: str, caller: Caller, reason: str = "") -> Remembered:
    """Make a memory of the fact with that id; every place that states it becomes a source.

    Raises NotFoundError, ConflictError if a memory says the same already.
    """
    told = vault.index.with_id(id, (FACT,))
    if not told:
        raise NotFoundError(f"there is no fact {id}", "mdmem facts lists them, with their ids")
    told.sort(key=lambda record: (record.created, record.path), reverse=True)
    draft = remember.require_fit(_draft(vault, ask.about(vault, told), caller))
    for twin in remember.near_twins(vault, draft):
        if twin.record.status == "active" and twin.score >= remember.SAME:
            name = twin.record.name
            raise ConflictError(f"{name} says the same; nothing was written", f"mdmem update {name} changes it")
    return remember.remember(vault, draft, caller, reason)


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
    return {
        "kind": MEMORY if vault.index.record(record.file) else "entry",
        "ref": prompt.place(answer),
        "hash": f"sha256:{documents.sha256(vault.read(record.file))}",
        "created_by": caller.actor or vault.identity().name,
        "timestamp": record.created,
    }
