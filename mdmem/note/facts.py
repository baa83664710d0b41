"""Facts, and the bullets in which a note states them.

    ## Facts

    - Ana · lives in · Lisbon (identity, current, 0.9)
    - Ana · is allergic to · peanuts (constraint, long_term, 1.0, score 10) "I can't have peanuts."

The details in parentheses are optional and come in any order: a type ("trait" by default), a time span
("current"), a confidence (1.0, since a person who writes a fact knows it) and a score. The sentence that a fact
was taken from follows in double quotes. `|` may replace `·`. A part that would not read back unchanged is written
as a JSON string.

`parse` is the inverse of `render`: `parse(render(fact))` is the fact without its source, for every valid fact.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.errors import Problem
from mdmem.note import blocks

if TYPE_CHECKING:
    from mdmem.note.memory import Memory

# A page of what must not be forgotten lists facts in this order.
TYPES = ("identity", "commitment", "constraint", "preference", "trait", "event")
# past: over; current: holds now; short_term, medium_term, long_term: for days, months, years; future: lies ahead.
TIME_SPANS = ("past", "short_term", "medium_term", "current", "long_term", "future")
SECTION = "Facts"
HIGHEST_SCORE = 10

_SEPARATOR = re.compile(r"\s+[·|]\s+")
_LONE_MARK = re.compile(r"(?:^|\s)[·|](?:\s|$)")
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_QUOTED_PART = re.compile(rf"({_QUOTED})(?:\s+[·|]\s+|(?=\s+\()|$)")
_TAIL = re.compile(rf"\s+\((?P<details>[^()]*)\)(?:\s+(?P<sentence>{_QUOTED}))?(?:\s+\^[\w-]+)?$")
_PLAIN = re.compile(r"(?:\[\[|(?!\d+[.)])\w)[^\x00-\x1f\x7f-\x9f\u2028\u2029]*(?<!\s)")
_SPAN = re.compile(r"[a-z][a-z0-9_]*")
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?|\.\d+")
_SHARE = re.compile(r"0?\.\d+|1\.0+")
_SCORE = re.compile(r"score\s+(\d{1,2})")
_OTHER_SPAN = re.compile(r"span\s+([a-z][a-z0-9_]*)")
_BULLET = re.compile(r"[-*+] +")
_FIX = "write it as `- subject · relation · object (type, time span, confidence)`"


class Fact(NamedTuple):
    """A known fact, and where it comes from.

    `type` is one of TYPES; `time_span` one of TIME_SPANS or another word like them; `confidence` is 0-1; `score`
    is a person's verdict, 0-10, or None (`user_fact_score` in JSON). `entry_id` and `entry_ts` (RFC 3339 UTC)
    identify the entry or memory that states the fact. `sentence` is its wording there ("" if there is none), on
    line `line` (1-based, 0 if not known).
    """

    subject: str
    relation: str
    object: str
    type: str = "trait"
    time_span: str = "current"
    confidence: float = 1.0
    score: int | None = None
    entry_id: str = ""
    entry_ts: str = ""
    sentence: str = ""
    line: int = 0


def fact_id(fact: Fact) -> str:
    """The id of a fact: 16 hex digits of the sha256 of `subject|relation|object|type`.

    Case and the amount of white space make no difference.
    """
    from hashlib import sha256

    parts = (fact.subject, fact.relation, fact.object, fact.type)
    text = "|".join(" ".join(part.casefold().split()) for part in parts)
    return sha256(text.encode()).hexdigest()[:16]


def fault_of(fact: Fact) -> str:
    """Why a fact is not valid, "" if it is."""
    for name in ("subject", "relation", "object"):
        if not getattr(fact, name).strip():
            return f"its {name} is empty"
    if fact.type not in TYPES:
        return f"its type '{fact.type}' is not one of {', '.join(TYPES)}"
    if not _SPAN.fullmatch(fact.time_span):
        return f"its time span '{fact.time_span}' is not one of {', '.join(TIME_SPANS)}"
    if not 0 <= fact.confidence <= 1:
        return f"its confidence {fact.confidence} is not from 0 to 1"
    if fact.score is not None and not 0 <= fact.score <= HIGHEST_SCORE:
        return f"its score {fact.score} is not from 0 to {HIGHEST_SCORE}"
    return ""


def of_memory(memory: Memory) -> tuple[list[Fact], list[Problem]]:
    """The facts that a note states, and a problem for each bullet that is not a fact.

    A note without a topic has neither.
    """
    if not memory.text("topic").strip():
        return [], []
    facts: list[Fact] = []
    problems: list[Problem] = []
    for number, text in _bullets(memory.body):
        line = memory.body_line + number - 1
        try:
            fact = parse(text)
        except ValueError as error:
            problems.append(Problem("fact", memory.path, line, f"is not a fact: {error}", _FIX, "warning"))
        else:
            facts.append(fact._replace(entry_id=memory.id, entry_ts=memory.created, line=line))
    return facts, problems


def section(facts: Iterable[Fact]) -> str:
    """The section of a note that states the facts."""
    return f"## {SECTION}\n\n" + "".join(f"{render(fact)}\n" for fact in facts)


def _bullets(body: str) -> Iterator[tuple[int, str]]:
    """(line within the body, text) of each bullet in a section called Facts; nested bullets are not read."""
    within = False
    number, text = 0, ""
    for line in blocks.lines(body):
        if text and line.continues and line.kind == blocks.PROSE:
            text = f"{text} {line.text.strip()}"
            continue
        if text:
            yield number, text
        number, text = line.number, ""
        if line.kind == blocks.HEADING and line.level <= 2:
            within = blocks.heading_text(line.text.strip().lstrip("#")).casefold() == SECTION.casefold()
        elif within and line.kind == blocks.PROSE and (bullet := _BULLET.match(line.text)):
            text = line.text[bullet.end() :].strip()
    if text:
        yield number, text


# -- one bullet --------------------------------------------------------------------------------------------


def render(fact: Fact) -> str:
    """The bullet of a fact, on one line. Raises ValueError if the fact is not valid."""
    if fault := fault_of(fact):
        raise ValueError(fault)
    parts = [_written(part) for part in (fact.subject, fact.relation, fact.object)]
    span = fact.time_span if fact.time_span in TIME_SPANS else f"span {fact.time_span}"
    details = [fact.type, span, str(float(fact.confidence))]
    if fact.score is not None:
        details.append(f"score {fact.score}")
    sentence = f" {_quoted(fact.sentence)}" if fact.sentence else ""
    return f"- {' · '.join(parts)} ({', '.join(details)}){sentence}"


def parse(bullet: str) -> Fact:
    """The fact that a bullet states, with or without its `- `. Raises ValueError with what is wrong."""
    mark = _BULLET.match(bullet)
    text = bullet[mark.end() if mark else 0 :].strip()
    subject, text = _first_part(text)
    relation, text = _first_part(text)
    quoted = _QUOTED_PART.match(text)
    end = quoted.end() if quoted else 0
    tail = _TAIL.search(text, end)
    details = _details(tail["details"], is_sure=bool(quoted)) if tail else {}
    if tail is None or not details:
        return _checked(Fact(subject, relation, _plain(text)))
    sentence = _plain(tail["sentence"] or "")
    return _checked(Fact(subject, relation, _plain(text[: tail.start()]), sentence=sentence)._replace(**details))


def _checked(fact: Fact) -> Fact:
    if fault := fault_of(fact):
        raise ValueError(fault)
    return fact


def _first_part(text: str) -> tuple[str, str]:
    """The first part of a bullet, and the text after its separator. Raises ValueError if that is missing."""
    if quoted := _QUOTED_PART.match(text):
        return _plain(quoted[1]), text[quoted.end() :]
    parts = _SEPARATOR.split(text, maxsplit=1)
    if len(parts) < 2:
        raise ValueError("it lacks a subject, a relation or an object, with ` · ` between them")
    return parts[0], parts[1]


def _plain(text: str) -> str:
    """The value of a part: the text itself, or the JSON string that it is."""
    text = text.strip()
    if not re.fullmatch(_QUOTED, text):
        return text
    try:
        return str(json.loads(text))
    except ValueError:
        raise ValueError(f"{text} is not a JSON string") from None


def _details(text: str, is_sure: bool) -> dict[str, Any]:
    """The details in the parentheses; none if these belong to the object, as in "Lisbon (Portugal)".

    With `is_sure` they do not, since the object is quoted.
    """
    items = [item.strip() for item in text.split(",")]
    if not is_sure and not any(_is_detail(item) for item in items):
        return {}
    found: dict[str, Any] = {}
    for item in items:
        name, value = _detail(item)
        if name in found:
            raise ValueError(f"it has two values for {name.replace('_', ' ')}: {found[name]}, {value}")
        found[name] = value
    return found


def _is_detail(item: str) -> bool:
    return item in TYPES or item in TIME_SPANS or bool(_SHARE.fullmatch(item) or _SCORE.fullmatch(item))


def _detail(item: str) -> tuple[str, Any]:
    if item in TYPES:
        return "type", item
    if item in TIME_SPANS:
        return "time_span", item
    if span := _OTHER_SPAN.fullmatch(item):
        return "time_span", span[1]
    if score := _SCORE.fullmatch(item):
        return "score", int(score[1])
    if _NUMBER.fullmatch(item):
        return "confidence", float(item)
    raise ValueError(f"'{item}' is not a type, a time span, a confidence from 0 to 1 or a score like `score 8`")


def _written(part: str) -> str:
    """A part as written in a bullet: verbatim if that reads back, else in quotes."""
    if _PLAIN.fullmatch(part) and not _LONE_MARK.search(part) and not _TAIL.search(part):
        return part
    return _quoted(part)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
