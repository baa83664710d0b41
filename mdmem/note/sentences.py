"""Splits texts into sentences; everything that needs sentences uses this."""

import re
from collections.abc import Iterator
from functools import cache

from mdmem.note import patterns

_MARKS = ".!?…।؟۔。！？\n"  # every sentence but the last ends with one
_CLOSING = r"\"')\]”’」』"  # may follow the end of a sentence
_ABBREVIATION = patterns.late(
    r"\b(?:(?i:e\.g|i\.e|etc|vs|dr|mr|mrs|ms|st|prof|approx|ca|z\.b|bzw|d\.h|fr|hr|nr|bsp|ggf|evtl|usw|inkl)"
    r"|[A-Z]|(?:z|d|u|o)(?:\. ?[BhaÄ])?)\.\Z"
)
_DAY = patterns.late(r"\b\d{1,2}\.\Z")  # "am 1. März"
_MONTH = patterns.late(
    r"(?:januar|jänner|februar|feber|märz|april|mai|juni|juli|august|september|oktober|november|dezember)\b", re.I
)
_ON_DAY = patterns.late(r"\b(?:am|vom|zum|bis|ab|dem|den) \d{1,2}\.\Z", re.I)  # "am 28. und am 30."
_SMALL = patterns.late(r"[a-zäöü]")
_NUMBERED = patterns.late(r"\s*\d{1,3}\.\Z")  # the number of an item of a list
_LEAST_WORD = 7  # letters; a word of as many is not an abbreviation
_LONGEST_ABBREVIATION = 10  # characters, with one more before it


@cache
def _end(also: str) -> re.Pattern[str]:
    spaced = rf"(?<=[.!?…।؟۔{re.escape(also)}])[{_CLOSING}]*\s+"
    unspaced = rf"(?<=[。！？])[{_CLOSING}]*(?![{_CLOSING}。！？])"
    return re.compile(rf"{spaced}|{unspaced}|\n")


def split(text: str, also: str = "") -> Iterator[str]:
    """The sentences of a text, each with its punctuation; no empty ones.

    A sentence ends at a line end, at `.`, `!`, `?` or `…` before white space, unless that belongs to an
    abbreviation, to the number of an item or to a day of a month, and at the full stops of other scripts. `also`
    are characters that end one as well: ";" for statements, ",;:" for clauses.
    """
    if not any(mark in text[:-1] for mark in _MARKS + also):
        yield from filter(None, [text.strip()])
        return
    start = 0
    for end in _end(also).finditer(text):
        before = text[max(start, end.start() - _LONGEST_ABBREVIATION) : end.start()]
        if "\n" not in end[0] and _goes_on(before, text, start, end):
            continue
        if sentence := text[start : end.end()].strip():
            yield sentence
        start = end.end()
    if rest := text[start:].strip():
        yield rest


def _goes_on(before: str, text: str, start: int, end: re.Match[str]) -> bool:
    """Whether a full stop belongs to an abbreviation, the number of an item or the day of a month."""
    if not before.endswith("."):
        return False
    last = before[-_LEAST_WORD - 1 : -1]
    if last[-1:].isdigit():
        is_day = _DAY.search(before) and _MONTH.match(text, end.end())
        is_day = is_day or (_ON_DAY.search(before) and _SMALL.match(text, end.end()))
        return bool(is_day or _NUMBERED.match(text[start : end.start()]))
    is_word = len(last) == _LEAST_WORD and last.isalpha()
    return not is_word and bool(_ABBREVIATION.search(before))


def first(text: str) -> str:
    """The first sentence of a text; "" if it has none."""
    return next(split(text), "")
