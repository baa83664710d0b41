"""Answers of recall and of memory tests as text, Markdown and JSON. Nothing is computed here."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
from click.globals import resolve_color_default

from mdmem import render
from mdmem.note import passage
from mdmem.recall import prompt
from mdmem.recall.ask import Answer, Ranking
from mdmem.recall.order import Hit
from mdmem.text import moments
from mdmem.text.terminal import safe, safe_line

if TYPE_CHECKING:
    from mdmem.history.news import NewsItem
    from mdmem.recall.evaluate import Result


def answer_json(answer: Answer, explain: bool) -> dict[str, Any]:
    """A recalled memory; with `explain` why it ranks where it does, with a depth its text."""
    hit = answer.hit
    found = {
        **render.record_json(hit.record),
        "score": round(hit.score, 4),
        "line": hit.line,
        "snippet": passage.plain(hit.snippet),
        "commit": answer.commit,
        "successor": hit.successor,
        "origin": prompt.origin(hit.record),
        "trusted": prompt.is_trusted(hit.record),
    }
    if explain:
        found |= _reasons(hit)
    if answer.depth:
        found |= {"depth": answer.depth, "text": answer.text, "tokens": answer.tokens}
    return found


def change_json(change: NewsItem) -> dict[str, Any]:
    """What became of a memory since a reader was last there."""
    return {
        **{"kind": change.kind, "name": change.name, "path": change.path, "other": change.other},
        **{"by": list(change.by), "when": moments.render(change.when) if change.when else ""},
        "committed": change.committed,
    }


def answer_lines(number: int, answer: Answer, explain: bool) -> str:
    """A recalled memory: its line, `path:line@commit`, and the best passage or its text."""
    hit = answer.hit
    lines = [f"{number}. {render.record_line(hit.record)}", f"   {click.style(prompt.place(answer), dim=True)}"]
    lines += [f"   replaced by {safe_line(hit.successor)}"] if hit.successor else []
    if answer.depth:
        lines += [f"   {line}".rstrip() for line in prompt.told(answer).split("\n")]
    elif hit.snippet:
        warning = "" if prompt.is_trusted(hit.record) else f"   [{prompt.warning(hit.record)}]"
        lines.append(f"   {_marked(hit.snippet)}{warning}")
    if explain:
        lines += _explained(hit)
    return "\n".join(lines)


def standing_json(found: Ranking) -> dict[str, Any]:
    """Where a memory stands in an answer."""
    return {
        "rank": found.rank,
        "score": round(found.hit.score, 4),
        "name": found.hit.record.name,
        **_reasons(found.hit),
    }


def standing_lines(found: Ranking, limit: int) -> str:
    """Where a memory stands in an answer, and why."""
    place = f"rank {found.rank}" + ("" if found.rank <= limit else f", outside the first {limit}")
    name = click.style(safe_line(found.hit.record.name), bold=True)
    return "\n".join([f"{name}  {place}", *_explained(found.hit)])


def evaluation_json(results: Sequence[Result], scores: Mapping[str, float]) -> dict[str, Any]:
    """The outcome of memory tests."""
    failed = [result for result in results if not result.passed]
    return {
        "questions": len(results),
        "passed": len(results) - len(failed),
        "scores": {name: round(value, 4) for name, value in scores.items()},
        "failed": [
            {
                "line": result.case.line,
                "question": result.case.question,
                "gold": list(result.case.gold),
                "rank": result.rank,
                "unwanted": list(result.unwanted),
                "unknown": list(result.unknown),
                "found": list(result.ranked[: result.case.k]),
            }
            for result in failed
        ],
    }


def evaluation_lines(results: Sequence[Result], scores: Mapping[str, float]) -> str:
    """The outcome of memory tests: the questions that failed, then the figures."""
    lines = [line for result in results if not result.passed for line in _failure(result)]
    passed = sum(result.passed for result in results)
    lines.append(f"{passed} of {render.counted(len(results), 'question')} passed")
    lines += ["  ".join(f"{name} {value:.3f}" for name, value in scores.items())] if scores else []
    return "\n".join(lines)


def _failure(result: Result) -> list[str]:
    case = result.case
    where = f"is at rank {result.rank}" if result.rank else "is not among the first 20"
    lines = [f"{click.style('failed', fg='red')}  line {case.line}: {safe_line(case.question)}"]
    if case.gold and not 0 < result.rank <= case.k:
        said = f"{' or '.join(case.gold)} {where}; first came {', '.join(result.ranked[:3]) or 'nothing'}"
        lines.append(f"        {safe_line(said)}")
    lines += [f"        {safe_line(name)} must not be among the first {case.k}" for name in result.unwanted]
    lines += [f"        there is no memory {safe_line(name)}" for name in result.unknown]
    return lines


def _marked(snippet: str) -> str:
    """A snippet with the words that matched in bold, or between ** where there are no colours."""
    if resolve_color_default() is False or not sys.stdout.isatty():
        return safe(passage.plain(snippet))
    pieces = re.split(f"{passage.OPEN}(.*?){passage.CLOSE}", snippet)  # each second one matched
    return "".join(
        click.style(safe(piece), bold=True) if at % 2 else safe(piece) for at, piece in enumerate(pieces)
    )


def _reasons(hit: Hit) -> dict[str, Any]:
    signals = {name: round(value, 4) for name, value in hit.signals.items()}
    return {"signals": signals, "found": list(hit.found), "missing": list(hit.missing)}


def _explained(hit: Hit) -> list[str]:
    strongest = sorted(hit.signals.items(), key=lambda item: -abs(item[1]))
    lines = [f"   score {hit.score:.2f} = " + "  ".join(f"{name} {value:+.2f}" for name, value in strongest)]
    lines += [f"   has {', '.join(hit.found)}"] if hit.found else []
    lines += [f"   lacks {', '.join(hit.missing)}"] if hit.missing else []
    return lines
