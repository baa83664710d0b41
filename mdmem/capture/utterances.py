"""What somebody says in a turn, sentence by sentence, without code, logs, quoted lines and what mdmem put in."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice, takewhile
from typing import NamedTuple

from mdmem.capture import triggers
from mdmem.capture.turns import Turn
from mdmem.errors import Problem
from mdmem.note import blocks
from mdmem.note.sentences import split

MOST_READ, LONGEST = 2_000, 4_000  # sentences of a turn, characters of a sentence: what is longer is a paste

_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_LOG = re.compile(
    r"\s*(?:at \S+\(|File \"|Traceback|\$ |>>> |\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?(?:INFO|DEBUG|WARN|ERROR)\b)"
)
_CITED = re.compile(
    r"\.md:\d+(?:@[0-9a-f]{7,}| \(not committed\))|🧠 Past"
    r"|^[^\S\n]*(?:\d+[→\t|: ]+)?id: [\"']?[0-9a-f]{8}-[0-9a-f]{4}-",
    re.M,
)

# A quotation of someone else's words; a short one is just a word or a name.
_QUOTE = re.compile(r"\"[^\"]+\"|“[^“”]+”|„[^„“”\"]+[“”\"]|«[^«»]+»")
_LONG_QUOTE = 4  # words


class Sentence(NamedTuple):
    """A sentence of a turn: its speaker, its line in the transcript, and its position in the turn (`at`, from 0).

    `quoted` means that its words are somebody else's, or part of a text to work on.
    """

    text: str
    line: int
    at: int
    speaker: str = "user"
    name: str = ""
    quoted: bool = False


def is_recalled(text: str) -> bool:
    """Whether recall or a session's pack put a text into the chat: it has citations, or headers of notes."""
    return bool(_CITED.search(text))


def sentences(turn: Turn) -> Iterator[Sentence]:
    """The sentences of a turn, without code, logs and quoted lines; the first MOST_READ of them.

    `quoted` are those whose words are somebody else's, or part of a text to work on. A sentence has at most
    LONGEST characters.
    """
    return islice(_sentences(turn), MOST_READ)


def problems(turns: Iterable[Turn], source: str) -> Iterator[Problem]:
    """A warning for each turn of which not all is read."""
    for turn in turns:
        if len(turn.text) >= min(MOST_READ, LONGEST):
            read = list(islice(_sentences(turn), MOST_READ + 1))
            if len(read) > MOST_READ or any(len(sentence.text) == LONGEST for sentence in read):
                told = f"says too much at once: {MOST_READ:,} sentences of {LONGEST:,} characters are read"
                fix = "give what matters of it in parts"
                yield Problem("transcript", source, turn.line, told, fix, "warning")


def _sentences(turn: Turn) -> Iterator[Sentence]:
    at = 0
    is_handed_over = False
    for line in blocks.lines(turn.text):
        if line.kind in blocks.UNREAD or _is_pasted(line.text):
            continue
        said = _BULLET.sub("", line.text, count=1).strip()
        start = 0
        quotes = deque(quote for quote in _QUOTE.finditer(said) if len(quote[0].split()) >= _LONG_QUOTE)
        for text in split(said):
            start = said.index(text, start)
            while quotes and quotes[0].end() <= start:
                quotes.popleft()
            quoted = is_handed_over or _is_quoted(said, start, start + len(text), quotes)
            yield Sentence(text[:LONGEST], turn.line + line.number - 1, at, turn.speaker, turn.name, quoted=quoted)
            start += len(text)
            at += 1
        is_handed_over = is_handed_over or (said.endswith(":") and triggers.says(said, "hands over"))


def _is_quoted(line: str, start: int, end: int, quotes: Iterable[re.Match[str]]) -> bool:
    """Whether a sentence of a line begins within one of the long quotes that end after it, or is mostly one."""
    words = 0
    for quote in takewhile(lambda quote: quote.start() < end, quotes):
        if quote.start() <= start:
            return True
        words += len(line[max(start, quote.start()) : min(end, quote.end())].split())
    return words * 2 >= len(line[start:end].split())


def _is_pasted(line: str) -> bool:
    """Whether a line is from a log or quoted. In a chat, code is often indented without a blank line above."""
    return line.startswith(("    ", "\t", ">")) or bool(_LOG.match(line))
