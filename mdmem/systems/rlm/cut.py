"""Cuts a text into chunks of 100 to 800 tokens, and detects what kind of memory a text is.

800 is a hard limit, 100 a target: a shorter piece is joined with its neighbour if both are of the same kind and
fit together. Cuts are made at blank lines; within a paragraph that is too long at sentence ends and list items,
then at line ends, then between words. A single word of more than 800 tokens (a data URL) is cut between
characters; no other word is cut. Combining marks, joiners and the like stay with the character before them, and
a family or flag emoji stays in one piece, unless it alone is more than 800 tokens. Pieces are slices of the text:
nothing but white space at their ends is lost.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

from mdmem.note import segment, tokens, tsv

MIN_TOKENS, MAX_TOKENS = 100, 800
# Whether tokens are counted with tiktoken: never, as it downloads its vocabulary. Counts are estimates.
TIKTOKEN_AVAILABLE = False

_PARAGRAPH = re.compile(r"\n[ \t\r]*\n(?:[ \t\r]*\n)*")
_CUTS = (  # where a text may be cut, best places first; the cut is at the end of a match
    re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'(])|(?<=[。！？])|\n(?=[ \t]*(?:[-*+]|\d+[.)])[ \t]|\|)"),
    re.compile(r"\n+"),
    re.compile(rf"\s+|(?<=[{segment.UNSPACED}])|(?=[{segment.UNSPACED}])"),
    re.compile(r"[\U0001f1e6-\U0001f1ff]{2}|.", re.S),
    re.compile(r".", re.S),  # within a character, as a last resort
)
_JOINING = {"Mn", "Mc", "Me", "Cf", "Sk"}  # Unicode categories of characters that modify the one before
_JOINER = "\u200d"
_LEAST = 4  # most tokens that one character can take


@cache
def _type_patterns() -> list[tuple[str, re.Pattern[str]]]:
    """(type, pattern) of the words of each type; the first that matches tells."""
    rows = tsv.rows(__file__, "chunk_types.tsv", 2)
    return [(kind, re.compile(rf"\b(?:{words})(?!\w)")) for kind, words in rows]


@dataclass
class ChunkResult:
    """A piece of a text, its number of tokens, and the kind of memory it seems to be."""

    content: str
    tokens: int
    type: str
    tags: list[str] = field(default_factory=list)


def detect_type(content: str) -> str:
    """decision, pattern, preference or fact, detected by keywords, else note. "prefers" is not "prefer"."""
    lowered = content.lower()
    return next((kind for kind, pattern in _type_patterns() if pattern.search(lowered)), "note")


class ChunkingEngine:
    """Cuts texts into chunks. `count` returns a text's tokens; the default estimates (see `tokens.counter`)."""

    def __init__(
        self,
        min_tokens: int = MIN_TOKENS,
        max_tokens: int = MAX_TOKENS,
        count: Callable[[str], int] = tokens.estimate,
    ) -> None:
        """Raises ValueError for impossible limits."""
        if not (0 <= min_tokens <= max_tokens and max_tokens >= _LEAST):
            raise ValueError(f"no chunks can have {min_tokens} to {max_tokens} tokens")
        self.min_tokens, self.max_tokens = min_tokens, max_tokens
        self._count = count

    def count_tokens(self, text: str | None) -> int:
        """The number of tokens of a text; 0 for None."""
        return self._count(text) if text else 0

    def detect_content_type(self, content: str | None) -> str:
        """The kind of memory that a text seems to be."""
        return detect_type(content or "")

    def chunk(self, content: str, conversation_id: str = "", tags: list[str] | None = None) -> list[ChunkResult]:
        """The chunks of a text, in order, each with `tags`; none for a blank text."""
        del conversation_id  # part of the interface, but without effect
        pieces = self.split(content or "", detect_type)
        return [ChunkResult(text, self._count(text), detect_type(text), list(tags or [])) for text in pieces]

    def split(self, content: str, kind: Callable[[str], str] = lambda _: "") -> list[str]:
        """The pieces of a text. Short neighbours are joined if `kind` returns the same for both."""
        first = len(content) - len(content.lstrip("\n"))
        spans = [span for at in self._paragraphs(content, first) for span in self._fitting(content, *at)]
        return [content[start:end] for start, end in self._joined(content, spans, kind)]

    def _paragraphs(self, text: str, start: int) -> Iterator[tuple[int, int]]:
        for match in _PARAGRAPH.finditer(text, start):
            yield from _trimmed(text, start, match.start())
            start = match.end()
        yield from _trimmed(text, start, len(text))

    def _fits(self, text: str, start: int, end: int) -> bool:
        return self._count(text[start:end]) <= self.max_tokens

    def _fitting(self, text: str, start: int, end: int, level: int = 0) -> Iterator[tuple[int, int]]:
        """The span if it fits, else its pieces, cut at places of this level, and those too long at the next."""
        if level == len(_CUTS) or self._fits(text, start, end):
            yield start, end
            return
        cuts = [match.end() for match in _CUTS[level].finditer(text, start, end) if start < match.end() < end]
        if level < len(_CUTS) - 1:
            cuts = [at for at in cuts if not _is_within_sign(text, at)]
        cuts.append(end)
        at = 0
        while at < len(cuts):
            last = self._reach(text, start, cuts, at)
            for piece in _trimmed(text, start, cuts[last]):
                yield from self._fitting(text, *piece, level + 1)
            start, at = cuts[last], last + 1

    def _reach(self, text: str, start: int, cuts: list[int], at: int) -> int:
        """The index of the last cut up to which the text fits; `at` if it does not fit up to any."""
        low, step = at, 1  # what fits (or has to), and the step to the next try
        while low + step < len(cuts) and self._fits(text, start, cuts[low + step]):
            low, step = low + step, step * 2
        high = min(low + step, len(cuts))
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._fits(text, start, cuts[middle]) else (low, middle)
        return low

    def _joined(
        self, text: str, spans: list[tuple[int, int]], kind: Callable[[str], str]
    ) -> list[tuple[int, int]]:
        """The spans, with short ones joined to the next span, and a short last one to the one before it."""
        found: list[tuple[int, int]] = []
        for span in spans:
            if found and self._is_short(text, found[-1]) and self._belong(text, found[-1], span, kind):
                found[-1] = (found[-1][0], span[1])
            else:
                found.append(span)
        if len(found) > 1 and self._is_short(text, found[-1]) and self._belong(text, found[-2], found[-1], kind):
            found[-2:] = [(found[-2][0], found[-1][1])]
        return found

    def _is_short(self, text: str, span: tuple[int, int]) -> bool:
        return self._count(text[slice(*span)]) < self.min_tokens

    def _belong(self, text: str, one: tuple[int, int], other: tuple[int, int], kind: Callable[[str], str]) -> bool:
        alike = kind(text[slice(*one)]) == kind(text[slice(*other)])
        return alike and self._fits(text, one[0], other[1])


def _is_within_sign(text: str, at: int) -> bool:
    """Whether the position is within what a reader sees as one character."""
    sign = text[at]
    if sign <= "\x7f":
        return False
    return unicodedata.category(sign) in _JOINING or text[at - 1] == _JOINER or "\u1160" <= sign <= "\u11ff"


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The span without white space at its end; nothing if it is blank."""
    length = len(text[start:end].rstrip())
    if length:
        yield start, start + length
