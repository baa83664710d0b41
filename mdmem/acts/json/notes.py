"""Memories, the answers of recall, evaluations and problems, as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from mdmem.acts.style import Json
from mdmem.acts.telling import encode
from mdmem.note import decay, excerpt
from mdmem.note.memory import as_number, as_text

if TYPE_CHECKING:
    from mdmem.note.memory import Memory
    from mdmem.recall.ask import Answer
    from mdmem.recall.evaluate import Result
    from mdmem.recall.order import Ranking
    from mdmem.store.index.port import IndexedNote


def record_json(record: IndexedNote, now: datetime) -> Json:
    """A memory in the form that all answers share; see `_worth_json` for the keys on its worth.

    `vault` is present only if several vaults are searched; `path` is relative to the vault.
    """
    vault = {"vault": record.vault} if record.vault else {}
    return {**vault, **encode(record), **_worth_json(record.meta, record.created, now)}


def note_json(note: Memory, commit: str, now: datetime, vault: str = "", link: str = "") -> Json:
    """A memory with its properties and text. `commit` is the version shown, "" for the file as it is.

    `vault` is present only if several vaults are searched, `link` only if the memory's page on a git host is
    known.
    """
    return {
        **({"vault": vault} if vault else {}),
        **({"link": link} if link else {}),
        "name": note.name,
        "path": note.path,
        "id": note.id,
        "title": note.title,
        "commit": commit,
        **_worth_json(note.meta, as_text(note.meta.get("created")), now),
        "properties": dict(note.meta),
        "body": note.body,
    }


def _worth_json(meta: Mapping[str, Any], created: str, now: datetime) -> Json:
    """How much a memory counts, who may see it, and where it comes from.

    `confidence` and `importance` are 0-1; `salience` (>= 0, no unit) is what decay has left of it at `now`. Each
    is null if the memory has none. `scope`, `sensitivity` (default: low) and `origin` are names.
    """
    salience = decay.effective(meta, created, now)
    return {
        "confidence": as_number(meta.get("confidence")),
        "importance": as_number(meta.get("importance")),
        "salience": None if salience is None else round(salience, 4),
        "scope": as_text(meta.get("scope")),
        "sensitivity": as_text(meta.get("sensitivity")) or "low",
        "origin": str(meta.get("origin") or ""),
    }


def answer_json(answer: Answer, now: datetime, explain: bool = False) -> Json:
    """A recalled memory; with `explain`, also its signals, and if a depth was asked for, its text.

    `score` has no unit and only orders one answer; `coverage` is the share of the question, by the rarity
    of its words, that one passage has (0-1), with a sentence model the mean of that and of its cosine; `line` is
    1-based in the file; `tokens` are estimated.
    `reservation` says that the memory is not valid at that time, or under which conditions it is; it is "" if it
    holds. `link` is present only if the git host of its vault is known, `marks` only if git says something of
    the code that the memory names.
    """
    from mdmem.recall import prompt

    hit = answer.hit
    trusted = prompt.is_trusted(hit.record, answer.text or excerpt.plain(hit.snippet))
    value = {**record_json(hit.record, now), **encode(answer), "trusted": trusted}
    if explain:
        value |= encode(hit)
    if answer.link:
        value["link"] = answer.link
    if answer.marks:
        value["marks"] = list(answer.marks)
    if answer.depth:
        value |= {"depth": answer.depth, "text": answer.text, "tokens": answer.tokens}
    return value


def ranking_json(ranking: Ranking) -> Json:
    """The rank of a memory in an answer (1 is best), and why."""
    return {
        "rank": ranking.rank,
        "score": round(ranking.hit.score, 4),
        "name": ranking.hit.record.name,
        **encode(ranking.hit),
    }


def evaluation_json(results: Sequence[Result], scores: Mapping[str, float]) -> Json:
    """The outcome of memory tests; scores are 0-1."""
    failed = [result for result in results if not result.passed]
    return {
        "questions": len(results),
        "passed": len(results) - len(failed),
        "scores": {name: round(value, 4) for name, value in scores.items()},
        "failed": failed,
    }
