"""Which note takes the place of which, as a text says beside a link: "This replaces [[x]]", "Replaced by [[y]]".

A mere mention says nothing, and neither does what is asked, supposed, denied, planned, quoted, or true in part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from mdmem.language.doubt import normal
from mdmem.language.replacement import doubts, grammar
from mdmem.note import blocks, links
from mdmem.note.links import LinkPlace
from mdmem.text import sentences
from mdmem.values import NamedTuple

_LINK = "\ue000"  # begins what stands in place of the target of a link
_MARK = re.compile(r"!?\[\[\ue000(\d+)\ue001[^\[\]\n]*\]\]|\[[^\[\]\n]*\]\(<?\ue000(\d+)\ue001[^()\n]*\)")
_QUOTED = re.compile(r"\"[^\"]*\"|„[^“”\"]*[“”\"]|“[^”]*”|«[^»]*»|»[^«]*«")
_STARTS_ANEW = re.compile(r"\s*(?:$|[-*+#>|]|\d+[.)])")
_LEAST_HEAD, _MOST_HEAD = 3, 12  # words before a colon that say it all: "§ is superseded: ..."
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])?\s*(?:\[[ xX]\]\s+)?")
_GOES_ON = re.compile(  # in English, German, Spanish and French
    r"(?:that|this) one\b|(?:it|that|this|they|those) (?:is|are|was|were|has|have|no|does|do)\b"
    r"|(?:das|dies|es|sie) (?:ist|sind|gilt|gelten|war)\b|(?:esa|eso|esto|esta) (?:ya|está|es|no|queda)\b|ya no\b"
    r"|(?:cela|ça|celle-ci|celui-ci|ce) (?:est|n'est|ne)\b|c'est\b",
    re.I,
)


class ReplacementClaim(NamedTuple):
    """A sentence by which a linked note is replaced (`direction` OLD) or replaces this one (HEIR).

    `target` is the link as written, `line` where the sentence begins in the text (1-based).
    """

    target: str
    direction: str
    line: int
    sentence: str
    is_sure: bool


def claims(text: str) -> Iterator[ReplacementClaim]:
    """All that a text says about what replaces what, in its order."""
    if "[[" not in text and "](" not in text:
        return
    targets: list[str] = []

    def marked(place: LinkPlace) -> str:
        targets.append(place.target)
        return f"{_LINK}{len(targets) - 1}\ue001"

    for line, paragraph in _paragraphs(links.replace(text, marked)):
        if _LINK not in paragraph:
            continue
        for sentence in _with_pronouns(sentences.split(paragraph)):
            for match in _MARK.finditer(sentence):
                told = _said_of(sentence, match)
                if told is not None:
                    direction, is_sure = told
                    target = targets[int(match[1] or match[2])].removesuffix(".md")
                    yield ReplacementClaim(target, direction, line, _shown(sentence, targets), is_sure)


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """(line, text) of each paragraph and item of a list, without quotes, tables and headings."""
    begins, parts = 0, [""]
    for number, line in blocks.prose_lines(text):
        if _STARTS_ANEW.match(line) or not parts[0]:
            yield from [(begins, " ".join(parts))] if parts[0] else []
            begins, parts = number, ["" if line.lstrip().startswith(("#", ">", "|")) else _BULLET.sub("", line)]
        else:
            parts.append(line.strip())
    if parts[0]:
        yield begins, " ".join(parts)


def _with_pronouns(parts: Iterable[str]) -> Iterator[str]:
    """Sentences, each with the next where that goes on about what is linked: "See [[x]]. It is out of date"."""
    held = ""
    for part in parts:
        if _LINK in held and _LINK not in part and _GOES_ON.match(part):
            held = f"{held.rstrip('.! ')}; {part}"
            continue
        if held and _LINK in part and _LINK not in held and grammar.is_verdict(normal(held)):
            held = f"{held.rstrip('.! ')}, {part}"
            continue
        if held:
            yield held
        held = part
    if held:
        yield held


def _said_of(sentence: str, link: re.Match[str]) -> tuple[str, bool] | None:
    """What a sentence says of one of its links: that it is replaced or replaces, and whether that is sure."""
    said = _MARK.sub(lambda other: "§" if other.start() == link.start() else "¤", sentence)
    said = normal(_QUOTED.sub(lambda quote: quote[0] if "§" not in quote[0] or len(quote[0]) < 4 else "¤", said))
    if "§" not in said:
        return None
    surest: dict[str, bool] = {}
    for rule in grammar.met(said):
        surest[rule.direction] = surest.get(rule.direction, False) or rule.is_sure
    if len(surest) != 1 or any(doubt.search(_without_explanation(said)) for doubt in _doubts()):
        return None
    ((direction, is_sure),) = surest.items()
    return direction, is_sure and not grammar.may_be_of_a_thing(said)


def _without_explanation(said: str) -> str:
    """A sentence up to its colon, if link and verb are before that: "§ is out: paper if asked for"."""
    head, colon, rest = said.partition(": ")
    tells_all = _LEAST_HEAD <= len(head.split()) < _MOST_HEAD and "§" in head
    return head if colon and tells_all and "?" not in rest else said


def _shown(sentence: str, targets: list[str]) -> str:
    return re.sub(r"\ue000(\d+)\ue001", lambda match: targets[int(match[1])], sentence)


@cache
def _doubts() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern) for pattern, _ in doubts.DOUBTS)
