"""Which note replaces which, as a text says beside a link: "This replaces [[x]]", "Replaced by [[y]]".

Weights (`data/replaced.tsv`) judge the sentence of the link: its words, their kinds (`data/replaced_words.tsv`),
on which side of the link and how near to it they stand, and a short sentence before and after it. They are fitted
by `python -m tests.bench.texts_fit --write`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from mdmem.language import weighed
from mdmem.language.doubt import normal
from mdmem.note import blocks, links, sentences
from mdmem.note.links import LinkPlace

OLD, HEIR = "old", "heir"  # the linked note has been replaced; it replaces the note with the text
_LEAST, _SURE = 0.5, 0.6  # shares from which a sentence is a claim, and a sure one
_LINK = "\ue000"  # begins the placeholder for the target of a link
_MARK = re.compile(r"!?\[\[\ue000(\d+)\ue001[^\[\]\n]*\]\]|\[[^\[\]\n]*\]\(<?\ue000(\d+)\ue001[^()\n]*\)")
_STARTS_ANEW = re.compile(r"\s*(?:$|[-*+#>|]|\d+[.)])")
_LONGEST, _MOST_LINKS = 4000, 40  # characters and links of a sentence; one with more is a table of contents
_MOST_JUDGED = 300  # links of a text
_BESIDE = 70  # characters of a sentence without links that may be about a link before or after it
_TASK = re.compile(r"(?:[-*+]|\d+[.)])\s+\[.\]\s")  # a task says what to do, or what has been done
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])?\s*")
_ABBREVIATED = re.compile(r"(?<![\w'’])([cC]f|[vV]gl|[Ss]|[bB]etr|[vV]iz)\.(?= )")  # a dot that ends no sentence
_TERM = re.compile(r"§|¤|~~|->|=>|[^\W\d_]+(?:['-][^\W\d_]+)*|\d+|[?!:;,.→⇒()\"]")
_FAR, _CLOSE = 6, 3  # terms between a word or a kind and the link
_KIND = 1.5  # of a kind of words, beside 1 of a word


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


class Beside(NamedTuple):
    """The sentence of a link, with § for it and ¤ for other links, and the sentences before and after."""

    said: str
    before: str = ""
    after: str = ""


def claims(text: str) -> Iterator[ReplacementClaim]:
    """The claims that a text makes about what replaces what, in its order; overlong sentences make none."""
    for target, line, sentence, beside in islice(linked(text), _MOST_JUDGED):
        found = features(beside)
        share, direction = max((weighed.share(weights, found), what) for what, weights in _weights().items())
        if share >= _LEAST:
            is_sure = share >= _SURE and "¤" not in beside.said  # it may be said of the other link
            yield ReplacementClaim(target, direction, line, sentence, is_sure)


def linked(text: str) -> Iterator[tuple[str, int, str, Beside]]:
    """(target, line, sentence, what stands beside it) for each link of a text outside code, quotes and tables."""
    if "[[" not in text and "](" not in text:
        return
    targets: list[str] = []

    def marked(place: LinkPlace) -> str:
        targets.append(place.target)
        return f"{_LINK}{len(targets) - 1}\ue001"

    for line, paragraph in _labelled(_paragraphs(links.replace(text, marked))):
        parts = ["", *sentences.split(_ABBREVIATED.sub(r"\1", paragraph)), ""]
        for before, sentence, after in zip(parts, parts[1:], parts[2:], strict=False):
            if len(sentence) > _LONGEST or sentence.count(_LINK) > _MOST_LINKS:
                continue
            shown = re.sub(r"\ue000(\d+)\ue001", lambda match: targets[int(match[1])], sentence)
            for link in _MARK.finditer(sentence):
                said = _MARK.sub("¤", sentence[: link.start()]) + "§" + _MARK.sub("¤", sentence[link.end() :])
                beside = (one if len(one) < _BESIDE and _LINK not in one else "" for one in (before, after))
                target = targets[int(link[1] or link[2])].removesuffix(".md")
                yield target, line, shown, Beside(*map(normal, (said, *beside)))


def _labelled(paragraphs: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """(line, text) of each paragraph with a link, preceded by the label above it, if any: "Replaces:"."""
    above, below = "", 0  # what may be a label, and the last line to which it may apply
    for line, text in paragraphs:
        if _LINK not in text:
            above, below = text if text.endswith(":") else "", line + 2
            continue
        above, below = above if line <= below else "", line + 1
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


def features(beside: Beside) -> dict[str, float]:
    """What the weights look at in what stands beside a link, each with its size."""
    terms, before, after = (_TERM.findall(text) for text in beside)
    found = dict.fromkeys(weighed.pairs(terms), 1.0) | dict.fromkeys(weighed.runs(beside.said), 0.3)
    found |= dict(_around(terms)) | dict.fromkeys(_pairs_of_kinds(terms), 1.0)
    for where, said in (("before", before), ("after", after)):
        found |= {f"{where} {name}": 1.0 for name in weighed.pairs(said)} if said else {}
        found |= {f"{where} {kind}": _KIND for kinds in _kinds(said) for kind in kinds}
    return found


def _around(terms: Sequence[str]) -> Iterator[tuple[str, float]]:
    """The terms near the link and their kinds, by the side on which they stand and, where close, how far away."""
    at = terms.index("§") if "§" in terms else 0
    for place, (term, kinds) in enumerate(zip(terms, _kinds(terms), strict=True)):
        side, apart = "<" if place < at else ">", abs(place - at)
        for name, size in ((term, 1.0), *((kind.upper(), _KIND) for kind in kinds)):
            yield from [(f"{side}{name}", size)] if apart <= _FAR else []
            yield from [(f"{side}{apart}{name}", size)] if apart <= _CLOSE else []


def _pairs_of_kinds(terms: Sequence[str]) -> Iterator[str]:
    """The kinds of words, and the marks, that follow each other, or with one between them."""
    named = (
        kinds or frozenset(() if term.isalnum() else (term,))
        for term, kinds in zip(terms, _kinds(terms), strict=True)
    )
    ordered = list(filter(None, named))
    for left, right in (*pairwise(ordered), *zip(ordered, ordered[2:], strict=False)):
        yield from (f"k_{one}_{two}" for one in left for two in right)


def _kinds(terms: Sequence[str]) -> list[frozenset[str]]:
    return weighed.kinds_of(terms, "replaced_words.tsv")


def _weights() -> weighed.Weights:
    return weighed.table(__file__, "replaced.tsv")
