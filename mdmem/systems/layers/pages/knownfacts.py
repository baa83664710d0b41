"""Looks up the facts of topics for a person, and records the scores that the person gives them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from mdmem.errors import NotFoundError, Problem, UsageError
from mdmem.history import shortcut
from mdmem.note import layout, moments
from mdmem.note.facts import HIGHEST_SCORE
from mdmem.store.config import VaultConfig
from mdmem.store.git import log
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import curation
from mdmem.systems.layers.curation import Verdict
from mdmem.systems.layers.pages import tiers
from mdmem.systems.layers.pages.aggregates import TopicFact
from mdmem.systems.layers.pages.reading import CurrentPages

_SHORTEST_ID = 4  # characters of an id that can stand for it
_HINT = "mdmem facts lists them with their ids"


class FactFilter(NamedTuple):
    """Which facts to list: their topic, type and tier ("" for any); `unscored` for only those without a score."""

    topic: str = ""
    type: str = ""
    tier: str = ""
    unscored: bool = False


class KnownFact(NamedTuple):
    """A fact of a topic, its tier ("" if none), and the commit that wrote its line ("" if unknown)."""

    topic: str
    known: TopicFact
    tier: str
    commit: str = ""

    @property
    def citation(self) -> str:
        """`path:line@commit` of the line that states the fact."""
        line = f":{self.known.fact.line}" if self.known.fact.line else ""
        return f"{self.known.source}{line}" + (f"@{self.commit[:8]}" if self.commit else "")


def find(vault: Vault, wanted: FactFilter) -> tuple[list[KnownFact], tuple[Problem, ...]]:
    """The facts that match, by topic and importance, and problems with sources that cannot be read.

    Raises NotFoundError for an unknown topic, StoppedError if the pages may hold what the reader may not see.
    """
    pages = CurrentPages(vault)
    topics = [pages.named(wanted.topic)] if wanted.topic else pages.topics
    facts = [fact for topic in topics for fact in _of_topic(pages, topic, vault.config) if _fits(fact, wanted)]
    return facts, pages.report.problems


def cited(vault: Vault, facts: Iterable[KnownFact]) -> list[KnownFact]:
    """The facts, each with the commit that wrote the line stating it."""
    places = [(fact, _place(vault, fact)) for fact in facts]
    lines: dict[str, set[int]] = {}
    for _, (path, line) in places:
        lines.setdefault(path, set()).add(line)
    commits = {path: _writers(vault, path, wanted - {0}) for path, wanted in lines.items()}
    return [fact._replace(commit=commits[path].get(line, "")) for fact, (path, line) in places]


def _place(vault: Vault, fact: KnownFact) -> tuple[str, int]:
    """The path and line that state a fact; line 1 for an entry, since one commit writes all of its lines."""
    is_of_entry = layout.entry_part(fact.known.source, vault.config)
    return fact.known.source, 1 if is_of_entry else fact.known.fact.line


def _writers(vault: Vault, path: str, lines: Collection[int]) -> dict[int, str]:
    """line -> the commit that wrote it, "" if it is not committed yet. One git command serves all lines."""
    if len(lines) < 2:
        return {line: log.touched(vault.repo, path, line) for line in lines}
    head = vault.repo.head()[0]
    if not (head and vault.repo.find(head, path)):
        return {}
    return {line.number: line.commit for line in log.blame(vault.repo, path, shortcut.grafts(vault, path))}


def with_id(vault: Vault, id: str, topic: str = "") -> list[KnownFact]:
    """The fact whose id is or begins with `id`, in each topic that has it. Raises NotFoundError, UsageError."""
    facts, _ = find(vault, FactFilter(topic))
    wanted = id.strip().lower()
    matching = [fact for fact in facts if fact.known.id.startswith(wanted) and len(wanted) >= _SHORTEST_ID]
    ids = sorted({fact.known.id for fact in matching})
    if not ids:
        raise NotFoundError(f"there is no fact {id}", _HINT)
    if len(ids) > 1:
        raise UsageError(f"{len(ids)} facts have an id that begins with {id}", f"say which: {', '.join(ids[:5])}")
    return matching


def score(vault: Vault, scores: Sequence[tuple[Sequence[KnownFact], int]], caller: Caller, note: str = "") -> str:
    """Score facts in one commit, which is returned, in the curation.md of every topic that has the fact.

    Raises UsageError for a score that is not from 0 to 10.
    """
    for _, value in scores:
        require_score(str(value))
    who, when = caller.actor or vault.repo.identity().name, moments.render(caller.now)
    with vault.change(caller.does("revise", note)) as tx:
        for fact, value in ((fact, value) for facts, value in scores for fact in facts):
            stated = fact.known.fact
            remark = note or f"{stated.subject} {stated.relation} {stated.object}"
            path = curation.path(fact.topic, vault.config)
            verdict = Verdict(fact.known.id, value, who, when, remark)
            tx.write(path, curation.appended(tx.read(path), verdict))
        topics = dict.fromkeys(fact.topic for facts, _ in scores for fact in facts)
        tx.operation = tx.operation._replace(names=tuple(f"{topic}/curation" for topic in topics))
    return tx.commit


def require_score(value: str) -> None:
    """Raise UsageError for a score that is not from 0 to 10."""
    if not (value.isdecimal() and int(value) <= HIGHEST_SCORE):
        raise UsageError(f"the score {value} is not from 0 to {HIGHEST_SCORE}", "0 is wrong, 10 never to forget")


def _of_topic(pages: CurrentPages, topic: str, config: VaultConfig) -> Iterator[KnownFact]:
    for known in pages.topic(topic).facts:
        yield KnownFact(topic, known, tiers.tier_of(known.fact, config.pages))


def _fits(fact: KnownFact, wanted: FactFilter) -> bool:
    if wanted.unscored and fact.known.fact.score is not None:
        return False
    return wanted.type in ("", fact.known.fact.type) and wanted.tier in ("", fact.tier)
