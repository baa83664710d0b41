"""Memories, problems with them, the answers of recall, and evaluations: as JSON, and as text.

JSON has keys added, never renamed: programs read them. Times are RFC 3339 in UTC and commits are full ids; either
is "" where there is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from mdmem.acts.style import Json, Lines, Style, plain
from mdmem.acts.telling import encode
from mdmem.note import decay, excerpt
from mdmem.note.memory import Memory, as_number, as_text
from mdmem.note.plural import counted
from mdmem.note.terminal import safe, safe_line
from mdmem.store.index.port import AT_ONCE, MEMORY, IndexedNote, qualified

if TYPE_CHECKING:
    from mdmem.errors import Problem
    from mdmem.note.trust.sensitivity import Stub
    from mdmem.recall.ask import Answer, ShownSource
    from mdmem.recall.evaluate import Result
    from mdmem.recall.order import Ranking
    from mdmem.recall.pool import Hit

_STATUS_LOOK = {"deprecated": "yellow", "retracted": "yellow", "contested": "magenta"}


# -- JSON


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


# -- text


def record_line(record: IndexedNote, style: Style = plain) -> str:
    """`name  type  date  #tags`, with the status if it is not active."""
    parts = [style(safe_line(record.name), "bold")]
    if record.kind != MEMORY:
        parts.append(record.kind)
    if record.status != "active":
        parts.append(style(safe_line(record.status), _STATUS_LOOK.get(record.status, "red")))
    what = (record.type, record.category, "" if record.kind == MEMORY else record.topic)
    parts += [*map(safe_line, what), record.created[:10]]
    parts += [style(f"#{safe_line(tag)}", "cyan") for tag in record.tags]
    return "  ".join(part for part in parts if part)


def record_table(records: Collection[IndexedNote], style: Style = plain) -> Lines:
    """A line for each memory: name, type, date and title, with its status if it is not active, and its tags.

    The columns of a long list may widen after some hundred lines: none waits for those far below.
    """
    widest_name = widest_type = 0
    left = iter(records)
    while part := list(islice(left, AT_ONCE)):
        names = [safe_line(qualified(record.vault, record.name)) for record in part]
        widest_name = max(widest_name, *map(len, names))
        widest_type = max(widest_type, *(len(record.type) for record in part))
        for record, name in zip(part, names, strict=True):
            status = "" if record.status == "active" else f"[{safe_line(record.status)}] "
            tags = "".join(f"  #{safe_line(tag)}" for tag in record.tags)
            columns = (safe_line(record.type).ljust(widest_type), record.created[:10].ljust(10))
            rest = "  ".join((*columns, f"{status}{safe_line(record.title)}{tags}"))
            yield f"{style(name.ljust(widest_name), 'bold')}  {rest}".rstrip()


def stub_lines(stubs: Sequence[Stub], style: Style = plain) -> Lines:
    """`id  type  sensitivity` of memories that the reader may not see, and how to ask for them."""
    for stub in stubs:
        yield style(f"{safe_line(stub.id)}  {safe_line(stub.type) or '-'}  sensitivity {stub.sensitivity}", "dim")
    if stubs:
        yield style("a person can show these: mdmem show ID", "dim")


def problem_lines(problem: Problem, style: Style = plain) -> str:
    """A problem in two lines: what is wrong and where, then the fix."""
    severity = style(problem.severity, "red" if problem.severity == "error" else "yellow")
    where = f"{problem.path}:{problem.line}" if problem.line else problem.path or "the vault"
    message = safe_line(f"{where}: {problem.message}")
    return f"{severity}  {message}\n       fix: {safe_line(problem.fix)}"


def grouped_problems(
    problems: Sequence[Problem], most: Mapping[str, int], hint: str, style: Style = plain
) -> Lines:
    """The first few problems of each kind, then how many more there are.

    `most` maps a severity to how many of a kind are shown; `hint` says how to see all.
    """
    shown: Counter[tuple[str, str]] = Counter()
    for problem in problems:
        kind = problem.severity, problem.code
        shown[kind] += 1
        if shown[kind] <= most[problem.severity]:
            yield problem_lines(problem, style)
    for (severity, code), count in shown.items():
        hidden = count - most[severity]
        if hidden > 0:
            yield f"... and {counted(hidden, f'more {severity}')} of the kind {code}: {hint}"


def answer_lines(
    number: int, answer: Answer, explain: bool = False, style: Style = plain, project: str = ""
) -> str:
    """A recalled memory: its summary line, `path:line@commit`, and the best passage or its text.

    One of another project than `project` is labelled.
    """
    from mdmem.recall import prompt

    hit = answer.hit
    lines = [f"{number}. {record_line(hit.record, style)}", f"   {style(prompt.place(answer), 'dim')}"]
    if answer.link:
        lines.append(f"   {style(safe_line(answer.link), 'dim')}")
    if hit.successor:
        lines.append(f"   replaced by {safe_line(hit.successor)}")
    for label in filter(None, (prompt.label(hit.record, project), *answer.marks, hit.reservation)):
        lines.append(f"   {style(safe_line(label), 'yellow')}")
    lines += [f"   {style(f'also in {safe_line(source)}', 'dim')}" for source in answer.sources]
    if answer.depth:
        lines += [f"   {line}".rstrip() for line in prompt.told(answer).split("\n")]
    elif hit.snippet:
        told = hit.record, hit.snippet
        warning = "" if prompt.is_trusted(*told) else f"   [{prompt.warning(*told)}]"
        lines.append(f"   {_highlighted(hit.snippet, style)}{warning}")
    if explain:
        lines += _reasons(hit)
    return "\n".join(lines)


def source_lines(source: ShownSource, style: Style = plain) -> Lines:
    """A fact: its summary line, what it states and in which sentence, and every place where the sentence is."""
    from mdmem.recall import prompt

    answer = source.answer
    record = answer.hit.record
    yield record_line(record, style)
    yield from safe(answer.text).split("\n\n")
    details = [record.meta.get("time_span"), f"confidence {record.meta.get('confidence')}"]
    if "score" in record.meta:
        details.append(f"score {record.meta['score']}")
    yield safe_line(", ".join(str(detail) for detail in details if detail))
    for place in (prompt.place(answer), *answer.sources):
        yield style(safe_line(place), "dim")


def _highlighted(snippet: str, style: Style) -> str:
    """A snippet with the matched words in bold, or between ** if the style is plain."""
    if style is plain:
        return safe(excerpt.plain(snippet))
    import re

    pieces = map(safe, re.split(f"{excerpt.OPEN}(.*?){excerpt.CLOSE}", snippet))  # every second one was matched
    return "".join(style(piece, "bold") if at % 2 else piece for at, piece in enumerate(pieces))


def ranking_lines(ranking: Ranking, limit: int, style: Style = plain) -> str:
    """The rank of a memory, whether that is outside the first `limit`, and why."""
    place = f"rank {ranking.rank}"
    if ranking.rank > limit:
        place += f", outside the first {limit}"
    name = style(safe_line(ranking.hit.record.name), "bold")
    return "\n".join([f"{name}  {place}", *_reasons(ranking.hit)])


def _reasons(hit: Hit) -> list[str]:
    strongest = sorted(hit.signals.items(), key=lambda signal: -abs(signal[1]))
    lines = [f"   score {hit.score:.2f} = " + "  ".join(f"{name} {value:+.2f}" for name, value in strongest)]
    if hit.found:
        lines.append(f"   has {', '.join(hit.found)}")
    if hit.missing:
        lines.append(f"   lacks {', '.join(hit.missing)}")
    return lines


def evaluation_lines(results: Sequence[Result], scores: Mapping[str, float], style: Style = plain) -> str:
    """The outcome of memory tests: the questions that failed, then the figures."""
    lines = [line for result in results if not result.passed for line in _failure(result, style)]
    passed = sum(result.passed for result in results)
    lines.append(f"{passed} of {counted(len(results), 'question')} passed")
    if scores:
        lines.append("  ".join(f"{name} {value:.3f}" for name, value in scores.items()))
    return "\n".join(lines)


def _failure(result: Result, style: Style) -> Lines:
    case = result.case
    yield f"{style('failed', 'red')}  line {case.line}: {safe_line(case.question)}"
    if case.gold and not 0 < result.rank <= case.k:
        place = f"is at rank {result.rank}" if result.rank else "is not among the first 20"
        gold, first = " or ".join(case.gold), ", ".join(result.ranked[:3]) or "nothing"
        yield f"        {safe_line(f'{gold} {place}; first came {first}')}"
    for name in result.unwanted:
        yield f"        {safe_line(name)} must not be among the first {case.k}"
    for name in result.unknown:
        yield f"        there is no memory {safe_line(name)}"
