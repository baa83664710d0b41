"""Tells works at the five depths of RUM, each of which includes the one before it.

| depth     | what it tells                                            | tokens |
|-----------|----------------------------------------------------------|--------|
| summary   | the goal, the summary of the outcome                     | 20     |
| outcome   | and all of the outcome, learnings first                  | 50     |
| reasoning | and all of the reasoning                                 | 150    |
| full      | and the rest, of actions only their type and success     | 300    |
| complete  | and the details of actions                               | all    |

As JSON a depth is complete. As text it keeps within its tokens: if these do not suffice, long lines are cut to the
same length, short ones stay whole, and the end says how many tokens the whole takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.note import tokens
from mdmem.note.excerpt import DEPTHS
from mdmem.systems.rum.schema import Record
from mdmem.systems.rum.work import moment_of, with_time

BUDGETS = dict(zip(DEPTHS, (20, 50, 150, 300, 0), strict=True))  # tokens; 0 means no limit
_WHO = ("id", "agent_id", "created_at")


class Telling(NamedTuple):
    """A work as text. `tokens` is the estimated size of `text`, `whole` that of everything at its depth."""

    text: str
    tokens: int
    whole: int

    @property
    def is_cut(self) -> bool:
        """Whether the text leaves out something of its depth."""
        return self.tokens < self.whole


def at_depth(work: Mapping[str, Any], depth: str) -> Record:
    """The part of a valid work that belongs to a depth (one of excerpt.DEPTHS), as JSON."""
    reached = DEPTHS[: DEPTHS.index(depth) + 1]
    outcome = work["outcome"]
    told: Record = {name: work[name] for name in _WHO if name in work}
    told["intent"] = {name: work["intent"][name] for name in ("goal", "task_type")}
    told["outcome"] = {name: outcome[name] for name in ("success", "summary")}
    if "outcome" in reached:
        told |= {"outcome": outcome, "learnings": outcome.get("learnings", [])}
    if "reasoning" in reached:
        told["reasoning"] = work["reasoning"]
    if "full" in reached:
        told |= {"perception": work["perception"], "actions": work["actions"], **work}
    if depth == "full":
        short = ("type", "result")
        told["actions"] = [{name: action[name] for name in short if name in action} for action in work["actions"]]
    return told


def telling(work: Mapping[str, Any], depth: str) -> Telling:
    """A valid work at a depth, as text within its tokens in BUDGETS."""
    told = at_depth(work, depth)
    lines = _summary(told) if depth == "summary" else list(_lines(told))
    limit = BUDGETS[depth]
    whole = "\n".join(lines)
    size = tokens.estimate(whole)
    if not limit or size <= limit:
        return Telling(whole, size, size)
    ending = f"(cut: {size} tokens)"
    kept = _fitted(lines, limit - tokens.estimate(f"{ending}\n"))
    text = "\n".join([*kept, ending])
    return Telling(text, tokens.estimate(text), size)


def _summary(told: Mapping[str, Any]) -> list[str]:
    mark = "" if told["outcome"]["success"] else "FAILED: "
    return [told["intent"]["goal"], mark + told["outcome"]["summary"]]


def _lines(told: Mapping[str, Any]) -> Iterator[str]:
    """A line for each field of the layers, the most useful first."""
    yield from _summary(told)
    shown = {"goal", "summary", "success"}
    for layer in ("outcome", "reasoning", "intent", "perception"):
        for name, value in told.get(layer, {}).items():
            if name not in shown and value not in ("", [], {}):
                yield f"{name}: {_inline(value)}"
    for action in told.get("actions", ()):
        yield f"action: {_inline(with_time(action, moment_of))}"
    for name in ("project_id", "session_id", "links", "tags"):
        if told.get(name):
            yield f"{name}: {_inline(told[name])}"


def _inline(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_inline(item)}" for name, item in value.items() if item not in ("", [], {}))
    if isinstance(value, list):
        return "; ".join(_inline(item) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(str(value).split())


def _fitted(lines: Sequence[str], budget: int) -> list[str]:
    """The lines, with the long ones cut so that all fit into `budget` tokens, line ends included."""
    sizes = [tokens.estimate(f"{line}\n") for line in lines]
    most = 0
    while sum(min(size, most + 1) for size in sizes) <= budget:
        most += 1
    return [kept for line in lines if (kept := tokens.cut(f"{line}\n", most).rstrip("\n"))]
