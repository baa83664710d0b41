"""What a person asks: words, phrases, exclusions, filters, dates, and the kind of answer that is wanted.

None of it reaches FTS5 as syntax: `alike.match_expression` writes every term as a quoted string.

    deploy "blue green" -staging type:decision created:>2026-01 tag:ops
"""

import re
from collections.abc import Container
from datetime import date
from functools import cache
from typing import NamedTuple

from mdmem.errors import UsageError
from mdmem.note import dates, patterns, segment, stopwords
from mdmem.note.filters import OPERATORS, Filter, is_date
from mdmem.store.index.alike import MAX_CHARS, MAX_WORDS, composed, run, telling, words

_PART = patterns.late(
    r'(?P<minus>-(?!-))?(?:"(?P<phrase>[^"]*)"|(?P<key>[^\W\d][\w-]*):(?P<value>"[^"]*"|[^\s"]+)|(?P<word>[^\s"]+))'
)
_SYNTAX = frozenset('":-')  # a text without these characters is only words
_SIDES = {"after": ">", "since": ">=", "before": "<", "until": "<="}  # how `created` compares with a date
_QUOTES = str.maketrans("“”„\0", '""" ')
_WHEN = patterns.late(
    r"(?:since )?(?:when|how long|(?:what|which) (?:day|date|year|month|time|week))\b|in (?:what|which) "
)
_ASKING = ("wh", "how ", "in wh", "since ")  # what that begins with
_DEED = patterns.late(
    r"(?i)(?:what|which (?:memories|notes)) (?:did|has|have|was|were) (?:(?P<who>[\w.@/-]+(?: [\w.-]+)?) )?"
    r"(?:been )?(?:writ(?:e|ten)|remember(?:ed)?|noted?|saved?|added?|changed?|learn(?:ed|t)?|do(?:ne)?)\b"
    r"(?P<rest>.*)"
)
_ANYBODY = ("", "we", "you", "they", "anybody", "everybody", "people")
_NAME = patterns.late(r"(?<=[\w,;] )[A-Z]\w+|[\"“«„]")
_KIND = patterns.late(r"\b(?:what|which)((?: [\w'-]+){1,3})")


class Question(NamedTuple):
    """A query, taken apart.

    `text` is what is asked, without exclusions and filters. `words` are in lower case and without stop words,
    unless there is nothing else; empty if the text has none. The words of a period ("last week") are in `periods`,
    not in `words`. `phrases` are as written between quotes, each once, and their words are also in `words`;
    `only_phrases` is set if there is nothing beside them. `without` are words and runs of words that rule a memory
    out. `asks_when` is whether a time is wanted; `kinds` are the words that say what kind of thing the answer is.
    """

    text: str
    words: tuple[str, ...]
    phrases: tuple[str, ...]
    without: tuple[str, ...]
    filters: tuple[Filter, ...]
    windows: tuple[dates.Window, ...]
    periods: tuple[dates.Period, ...]
    asks_when: bool
    only_phrases: bool
    kinds: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it asks for nothing beyond its filters and exclusions."""
        return not self.text


class Deed(NamedTuple):
    """Who wrote what when, as a question asks: an actor, "" for anybody; a period; the words that are left."""

    actor: str
    period: dates.Period | None
    about: str


def deed(text: str, today: date) -> Deed | None:
    """What "What did codex write about ports yesterday?" asks; None for any other question.

    A question about anybody has to name a period.
    """
    match = _DEED.match(text.rstrip(" ?!.")) if text.lower().startswith(("what ", "which ")) else None
    if not match:
        return None
    actor, period = match["who"] or "", next(iter(dates.spoken(match["rest"], today)), None)
    about = re.sub(r"^\s*(?:about|on|of)\b", "", dates.unspoken(match["rest"])).strip()
    if actor.casefold() not in _ANYBODY:
        return Deed(actor, period, about)
    return Deed("", period, about) if period else None


def parse(text: str, properties: Container[str], today: date | None = None) -> Question:
    """Take a query apart.

    `properties` says which names before a colon are filters; others are plain words, except `after:DATE` and the
    like, which are about `created`. "last March" and "yesterday" are counted from `today`; without it, the first
    is any March and the second a plain word. Never fails: what is not syntax is read as words.
    """
    text = composed(text[:MAX_CHARS].translate(_QUOTES))
    is_plain = _SYNTAX.isdisjoint(text)
    said: list[str] = text.split() if is_plain else []
    loose = list(said)
    phrases: list[str] = []
    without: list[str] = []
    filters: list[Filter] = []
    for part in () if is_plain else _PART.finditer(text):
        minus, phrase, key, value = part["minus"], part["phrase"], part["key"], part["value"]
        name = _known(key, properties)
        if name and not value.startswith("//"):
            filters.append(_filter(name, value.strip('"'), bool(minus)))
        elif key and _is_date_side(key, value.strip('"'), today):
            filters.append(Filter("created", _SIDES[key.lower()], value.strip('"'), bool(minus)))
        elif minus:
            without.append(run(part[0]))
        elif phrase is not None:
            said.append(phrase)
            phrases += [phrase.strip()] if words(phrase) else []
        else:
            said.append(part[0])
            loose.append(part[0])
    asked = " ".join(said).strip()
    periods = dates.spoken(" ".join(loose), today) if today else ()
    return Question(
        text=asked,
        words=_telling_besides(asked) if periods else telling(asked),
        phrases=tuple(dict.fromkeys(phrases))[:MAX_WORDS],
        without=tuple(dict.fromkeys(filter(None, without))),
        filters=tuple(filters),
        windows=dates.windows(asked, today),
        periods=periods,
        asks_when=asked.lower().startswith(_ASKING) and _WHEN.match(asked.lower()) is not None,
        only_phrases=bool(phrases) and not words(" ".join(loose)),
        kinds=_kinds(asked.lower()),
    )


def _known(key: str | None, properties: Container[str]) -> str:
    """The property that a key names, "" for none."""
    spellings = (key, key.lower()) if key else ()
    return next((name for name in spellings if name in properties), "")


def filters_of(text: str, today: date | None = None) -> tuple[Filter, ...]:
    """The filters of a text that holds nothing else, such as `type:decision after:2026-01`.

    Raises UsageError if it holds anything else.
    """
    names = {part["key"] for part in _PART.finditer(composed(text))} - _SIDES.keys()
    found = parse(text, names, today)
    if found.text or found.without:
        stray = found.text or f"-{found.without[0]}"
        raise UsageError(f"'{stray}' is not a filter", "write name:value, such as type:decision after:2026-01")
    return found.filters


def _telling_besides(text: str) -> tuple[str, ...]:
    """The words of a query about a period, without those of the period and without any stop words."""
    return tuple(word for word in telling(dates.unspoken(text)) if word not in stopwords.QUESTION)


def _kinds(lower: str) -> tuple[str, ...]:
    """The words right after "what" or "which": what kind of pet, which old instruments."""
    asked = _KIND.search(lower) if "what " in lower or "which " in lower else None
    return tuple(words(asked[1])) if asked else ()


def lacks(asked: Question, text: str) -> bool:
    """Whether a question asks for a time, a number or a name, and a text has none but those of the question."""
    from mdmem.note import calendar

    said = " ".join(["", *segment.words(asked.text), ""])
    wanted = {kind for kind, start in _kinds_asked() if start in said}
    if not (asked.asks_when or wanted):
        return False
    known = set(words(asked.text))
    if asked.asks_when or "number" in wanted:
        counts = calendar.TIMES if asked.asks_when else calendar.COUNTS
        new = (word for word in words(text) if word not in known)
        return not any(word[0].isdigit() or (word in counts and len(word) > 2) for word in new)
    return known.issuperset(word for name in _NAME.findall(text) for word in words(name) or [name])


@cache
def _kinds_asked() -> tuple[tuple[str, str], ...]:
    """(number or name, words between spaces that ask for one)."""
    from mdmem.note import tsv

    rows = tsv.rows(__file__, "kinds_asked.tsv", 2)
    return tuple((kind, f" {start} ") for kind, starts in rows for start in starts.split("|"))


def _is_date_side(key: str, value: str, today: date | None) -> bool:
    """Whether `key:value` compares with a date, such as after:2026-03-01."""
    if key.lower() not in _SIDES:
        return False
    return is_date(value) or bool(today and dates.period(value, today))


def _filter(key: str, value: str, negated: bool) -> Filter:
    op = next((op for op in OPERATORS if value.startswith(op)), "")
    return Filter(key, op or "=", value[len(op) :], negated)
