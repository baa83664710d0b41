"""Derives a work's intent from a person's requests: its goal, its task type, and the rest as context."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mdmem.note import tsv
from mdmem.note.sentences import split
from mdmem.systems.rum.schema import Record

_LONGEST_GOAL = 200  # characters
_LONGEST_CONTEXT = 1500
_FEWEST_WORDS = 3  # of a request that says what to do: "go on" does not
_VERBS = (
    "fix add make change implement create write build remove delete rename refactor update upgrade move extract"
    " split test document explain find investigate check review optimi[sz]e speed clean convert migrate replace"
    " use support configure set install improve simplify debug repair sort show allow prevent stop look run bump"
)
_ASKS = re.compile(
    rf"^(?:{'|'.join(_VERBS.split())})\b|\bplease\b|\b(?:can|could|would|will) you\b|\bI(?:'d like| want| need)\b"
    r"|\b(?:we|you) (?:need|should|must|have) to\b|\blet's\b|\?$",
    re.I,
)
_POINTS = re.compile(r"\b(?:it|this|that|them|these|those|so)\b", re.I)
_POLITE = re.compile(
    r"^(?:please|can you|could you|would you|hi|hello|hey)[,!]?\s+(?:please\s+)?|,?\s+please(?=[.!?]?$)", re.I
)
_OF_TYPE = [
    (type, re.compile(rf"\b(?:{words})\b", re.I)) for type, words in tsv.rows(__file__, "task_types.tsv", 2)
]


def drafted(requests: Sequence[str], is_changing: bool) -> Record:
    """The intent of the requests, which are in order; empty if there are none.

    `is_changing` tells whether files were changed, so that it was more than a question.
    """
    telling = [text for text in requests if len(text.split()) >= _FEWEST_WORDS] or list(requests)
    if not telling:
        return {}
    intent = {"goal": goal_of(telling[0]), "task_type": task_type(telling[0], is_changing)}
    context = "\n\n".join(telling).strip()
    if len(context) > len(intent["goal"]) + len(", please."):
        intent["context"] = _cut(" ".join(context.split()), _LONGEST_CONTEXT)
    return intent


def goal_of(request: str) -> str:
    """The sentence that asks for something, with the sentences before it if it only points back to them."""
    sentences = [sentence.strip() for sentence in split(request) if sentence.strip()]
    if not sentences:
        return request.strip()
    asking = next((at for at, sentence in enumerate(sentences) if _ASKS.search(_polite(sentence))), 0)
    start = asking
    while start > 0 and _POINTS.search(sentences[start]):
        start -= 1
    goal = " ".join(_polite(sentence) for sentence in sentences[start : asking + 1])
    return _cut(goal, _LONGEST_GOAL).rstrip(".")


def task_type(request: str, is_changing: bool) -> str:
    """The task type of a request, "other" if none matches; without changes it was an investigation."""
    if not is_changing:
        return "investigation"
    found = (type for type, words in _OF_TYPE if words.search(request))
    return next(found, "other")


def _polite(sentence: str) -> str:
    bare = _POLITE.sub("", _POLITE.sub("", sentence)).strip() or sentence
    return bare[:1].upper() + bare[1:]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0] + " …"
