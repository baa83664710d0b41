"""When a memory holds: from a day, until a day, under conditions (`valid_from`, `valid_until`, `valid_if`).

A day counts as a whole: what is valid until 2026-03-01 is still valid on that day. A condition is `key=value` or
`key!=value`; several, in a list or separated by commas, must all be met.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from mdmem.errors import UsageError
from mdmem.note import decay, moments, patterns
from mdmem.note.memory import as_text
from mdmem.store.index.port import VALIDITY

FROM, UNTIL, IF = VALIDITY

_CONDITION = patterns.late(r"(?s)\s*([^=!<>,]+?)\s*(!?=)\s*(.+?)\s*")


class Condition(NamedTuple):
    """`key=value`, or `key!=value` if it is `negated`. Case does not matter when they are compared."""

    key: str
    value: str
    negated: bool = False

    def __str__(self) -> str:
        return f"{self.key}{'!=' if self.negated else '='}{self.value}"


class Circumstances(NamedTuple):
    """What a question is asked for: a time (UTC) and given conditions. What is not given is unknown."""

    at: datetime
    given: tuple[Condition, ...] = ()


class Standing(NamedTuple):
    """Whether a memory holds under circumstances.

    `reservation` says why it does not hold, or on what unknown condition that depends; "" if it simply holds.
    """

    holds: bool
    reservation: str = ""


def given(texts: Iterable[str]) -> tuple[Condition, ...]:
    """Conditions, parsed from texts that a person gives. Raises UsageError for any other text."""
    return tuple(_given(text) for text in texts)


def _given(text: str) -> Condition:
    condition = _parsed(text)
    if condition is None:
        raise UsageError(f"'{text}' is not a condition", "write key=value, such as env=prod")
    return condition


def standing(properties: Mapping[str, Any], circumstances: Circumstances) -> Standing:
    """Whether a memory with these properties holds: first by its days, then by its conditions."""
    if not properties:
        return Standing(True)
    start, end = moments.start(as_text(properties.get(FROM))), moments.end(as_text(properties.get(UNTIL)))
    if start and circumstances.at < start:
        return Standing(False, f"valid from {_day(start)}")
    if end and circumstances.at > end:
        return Standing(False, f"valid until {_day(end)}")
    open_conditions = []
    for text in conditions(properties.get(IF)):
        met = _is_met(_parsed(text), circumstances.given)
        if met is False:
            return Standing(False, f"valid only if {text}")
        if met is None:
            open_conditions.append(text)
    return Standing(True, f"valid if {' and '.join(open_conditions)}" if open_conditions else "")


def task_day(properties: Mapping[str, Any], text: str, created: str) -> date:
    """The day by which a task is to be done; the last one of the calendar if it does not say.

    It is a property of the task, or else the last day that its text names, as of when it was `created` (RFC 3339).
    """
    if due := decay.due(properties):
        return due[1]
    from mdmem.language.lapse import days

    written = moments.parse(created)
    return (written and days.last_day(text, written.date())) or date.max


def conditions(value: object) -> list[str]:
    """The conditions in `valid_if`: the items of a list, the pairs of a mapping, or the parts between commas."""
    if isinstance(value, Mapping):
        return [f"{key}={as_text(item)}" for key, item in value.items()]
    items = value if isinstance(value, list) else as_text(value).split(",")  # type: ignore[arg-type]
    return [text for item in items if (text := as_text(item).strip())]


def _is_met(condition: Condition | None, known: Sequence[Condition]) -> bool | None:
    """Whether the given conditions meet one; None if they do not tell, or if the text was not a condition."""
    if condition is None:
        return None
    answers = {_answer(condition, each) for each in known if each.key.casefold() == condition.key.casefold()}
    if True in answers:
        return True
    return False if False in answers else None


def _answer(condition: Condition, fact: Condition) -> bool | None:
    """Whether one fact about the same key meets a condition; None if it does not tell."""
    is_same = condition.value.casefold() == fact.value.casefold()
    if fact.negated:
        return condition.negated if is_same else None
    return is_same is not condition.negated


def _parsed(text: str) -> Condition | None:
    match = _CONDITION.fullmatch(text)
    return Condition(match[1], match[3], match[2] == "!=") if match else None


def _day(moment: datetime) -> str:
    """The day of a moment, with the time unless that is the first or last second of the day."""
    text = moments.render(moment)
    return text[:10] if text.endswith(("T00:00:00Z", "T23:59:59Z")) else text
