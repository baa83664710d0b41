"""The auto-persist triggers of the legacy protocol, and the few forms that are certain: "remember that ...".

The forms stand in `data/triggers.tsv`. What has no such form is judged by `worth`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from mdmem.note import tsv

# At equal confidence the first one wins.
TRIGGERS = ("save", "correction", "preference", "learning", "milestone", "fact", "decision", "task")
OUTCOMES = {"decision": 0.8, "task": 0.7, "milestone": 0.6}  # what a session's end tells, and how sure each is
MIN_CONFIDENCE = 0.5
# Confidence of the explicit forms.
SURE = {"save": 0.95, "correction": 0.9, "preference": 0.9, "learning": 0.9, "fact": 0.8}


class Form(NamedTuple):
    """An explicit trigger; `rest` is what a request asks to save, "" if it does not say that itself."""

    trigger: str
    rest: str


def explicit(sentence: str) -> Form | None:
    """The explicit form that a sentence has; None if it has none, or only speaks of remembering."""
    text = sentence.replace("’", "'").strip()
    for trigger, found in _found(text):
        if trigger != "save" or not says(text, "not save"):
            rest = sentence[: found.start()] if found.start() else sentence[found.end() :]
            return Form(trigger, sentence if trigger != "save" or _CLAUSE.match(rest) else _sentence(rest))
    return None


def says(sentence: str, what: str) -> bool:
    """Whether a sentence has a form of the table: a decision, a task, a reason, a refusal to keep it, ..."""
    text = sentence.replace("’", "'").strip()
    at_start = any(pattern.match(text) for pattern in _patterns(what, "start"))
    return at_start or any(pattern.search(text) for pattern in _patterns(what, "any"))


def _found(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    for trigger in SURE:
        for pattern in _patterns(trigger, "start"):
            if match := pattern.match(text):
                yield trigger, match
        for pattern in _patterns(trigger, "end"):
            if match := pattern.search(text, max(0, len(text) - _END)):
                yield trigger, match


_CLAUSE = re.compile(r"\W*dass\b", re.I)  # is no sentence without what is before it
_END = 80  # characters at the end of a sentence that are searched for a request


def _sentence(rest: str) -> str:
    """What is left of a sentence, with a capital letter; "" if it does not say anything, as "please" does not."""
    said = rest.strip(" \t,:;-–—")
    return said[:1].upper() + said[1:] if re.sub(r"\W|please|pls|bitte|thanks", "", said, flags=re.I) else ""


def without_opener(sentence: str) -> str:
    """A sentence without the words that open it and say nothing: "oh and", "by the way"."""
    found = next((match for pattern in _patterns("opener", "start") if (match := pattern.match(sentence))), None)
    return (_sentence(sentence[found.end() :]) if found else "") or sentence


@cache
def _patterns(what: str, where: str) -> list[re.Pattern[str]]:
    rows = tsv.rows(__file__, "triggers.tsv", 3)
    return [re.compile(pattern, re.I) for kind, place, pattern in rows if (kind, place) == (what, where)]
