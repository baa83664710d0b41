"""Which note replaces which, as a text says beside a link: "This replaces [[x]]", "Replaced by [[y]]".

A mere mention says nothing, and neither does a sentence that is asked, supposed, denied, planned, quoted, or true
only in part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from mdmem.language.doubt import normal
from mdmem.language.replacement import grammar
from mdmem.note import blocks, links, sentences, tsv
from mdmem.note.links import LinkPlace

_LINK = "\ue000"  # begins the placeholder for the target of a link
_MARK = re.compile(r"!?\[\[\ue000(\d+)\ue001[^\[\]\n]*\]\]|\[[^\[\]\n]*\]\(<?\ue000(\d+)\ue001[^()\n]*\)")
_ONE_WORD = re.compile(rf"\W{{0,3}}([^\W\d]*) ?(?:[:→⇒]|->|=>) ?(?:{_MARK.pattern})[\s.]*")
_QUOTED = re.compile(r"\"[^\"]*\"|„[^“”\"]*[“”\"]|“[^”]*”|«[^»]*»|»[^«]*«")
_STARTS_ANEW = re.compile(r"\s*(?:$|[-*+#>|]|\d+[.)])")
_LONGEST, _MOST_LINKS = 4000, 40  # characters and links of a sentence; one with more is a table of contents
_VERDICT = 70  # characters of a sentence beside another one that only says that a note is out of date
_TASK = re.compile(r"(?:[-*+]|\d+[.)])\s+\[.\]\s")  # a task says what to do, or what has been done
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])?\s*")
_ABBREVIATED = re.compile(r"(?<![\w'’])([cC]f|[vV]gl|[Ss]|[bB]etr|[vV]iz)\.(?= )")  # a dot that ends no sentence


class ReplacementClaim(NamedTuple):
    """A sentence that says that a linked note is replaced (`direction` OLD) or replaces this one (HEIR).

    `target` is the link as written, `line` the line of the text on which the sentence's paragraph begins
    (1-based).
    """

    target: str
    direction: str
    line: int
    sentence: str
    is_sure: bool


def claims(text: str) -> Iterator[ReplacementClaim]:
    """All claims that a text makes about what replaces what, in its order; overlong sentences make none."""
    if "[[" not in text and "](" not in text:
        return
    targets: list[str] = []

    def marked(place: LinkPlace) -> str:
        targets.append(place.target)
        return f"{_LINK}{len(targets) - 1}\ue001"

    for line, paragraph in _labelled(_paragraphs(links.replace(text, marked))):
        parts = list(sentences.split(_ABBREVIATED.sub(r"\1", paragraph)))
        leads_on = _leads_on(paragraph)
        for at, sentence in enumerate(parts):
            if len(sentence) > _LONGEST or sentence.count(_LINK) > _MOST_LINKS:
                continue
            for link in _MARK.finditer(sentence):
                for claim in _claims_of(link, _contexts(parts, at), targets, line):
                    yield claim._replace(is_sure=claim.is_sure and not leads_on)


def _leads_on(paragraph: str) -> bool:
    """Whether a paragraph is only a link after a word or an arrow, used to leaf through notes: "Previous: [[x]]".

    A word that tells of a replacement does not count: "Successor: [[x]]".
    """
    alone = _ONE_WORD.fullmatch(paragraph.replace("*", ""))
    return alone is not None and not grammar.is_only("LABEL", f"{normal(alone[1])}:")


def _claims_of(
    link: re.Match[str], contexts: Iterable[str], targets: list[str], line: int
) -> Iterator[ReplacementClaim]:
    """The claim that the first context of a link makes about it; nothing if no context makes one."""
    number = int(link[1] or link[2])
    for sentence in contexts:
        told = _said_of(sentence, number)
        if told is not None:
            direction, is_sure = told
            target = targets[number].removesuffix(".md")
            yield ReplacementClaim(target, direction, line, _shown(sentence, targets), is_sure)
            return


def _contexts(parts: list[str], at: int) -> Iterator[str]:
    """The contexts of a link: its sentence, that with the next one, and that with a verdict before it.

    "See [[x]]. It is out of date." "No longer true! See [[x]]." The sentences beside it must have no links of
    their own. A question stands alone, since the next sentence may deny it: "Is [[x]] wrong? No."
    """
    sentence = parts[at]
    yield sentence
    if sentence.endswith("?") and not _MARK.fullmatch(sentence.rstrip("? ")):
        return
    before, after = ("", *parts)[at], (*parts, "")[at + 1]
    if after and len(after) < _VERDICT and _LINK not in after:
        yield f"{sentence.rstrip('.!? ')}; {after}"
    if before and len(before) < _VERDICT and _LINK not in before and grammar.is_only("VERDICT", normal(before)):
        yield f"{before.rstrip('.! ')}, {sentence}"


def _labelled(paragraphs: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """(line, text) of each paragraph with a link, preceded by the label above it, if any: "Replaces:"."""
    above, below = "", 0  # what may be a label, and the last line to which it may apply
    for line, text in paragraphs:
        if _LINK not in text:
            above, below = text if text.endswith(":") else "", line + 2
            continue
        if above and not (line <= below and grammar.is_only("LABEL", normal(above))):
            above = ""
        below = line + 1
        yield line, f"{above} {text}" if above else text


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """(line, text) of each paragraph, list item and heading (which ends in a colon), without quotes and tables."""
    begins, parts = 0, [""]
    for number, line in blocks.prose_lines(text):
        if _STARTS_ANEW.match(line) or not parts[0]:
            yield from [(begins, " ".join(parts))] if parts[0] else []
            begins, parts = number, [_first_of(line.strip())]
        else:
            parts.append(line.strip())
    if parts[0]:
        yield begins, " ".join(parts)


def _first_of(line: str) -> str:
    """The text of a paragraph's first line; "" for a quote, a table, a task, or a heading with a link."""
    if line.startswith("#"):
        return "" if _LINK in line else f"{line.strip('#: ')}:"
    return "" if line.startswith((">", "|")) or _TASK.match(line) else _BULLET.sub("", line)


def _said_of(sentence: str, number: int) -> tuple[str, bool] | None:
    """(direction, is sure) for what a sentence says of the link with a number; None if it says nothing."""
    said = _MARK.sub(lambda link: "§" if int(link[1] or link[2]) == number else "¤", sentence)
    said = normal(_QUOTED.sub(lambda quote: quote[0] if "§" not in quote[0] or len(quote[0]) < 4 else "¤", said))
    if "§" not in said:
        return None
    surest: dict[str, bool] = {}
    for rule in grammar.met(said):
        surest[rule.direction] = surest.get(rule.direction, False) or rule.is_sure
    if len(surest) != 1 or any(doubt.search(said) for doubt in _doubts()):
        return None
    ((direction, is_sure),) = surest.items()
    return direction, is_sure and not grammar.may_be_of_a_thing(said)


def _shown(sentence: str, targets: list[str]) -> str:
    return re.sub(r"\ue000(\d+)\ue001", lambda match: targets[int(match[1])], sentence)


@cache
def _doubts() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern) for pattern, _ in tsv.rows(__file__, "doubts.tsv", 2))
