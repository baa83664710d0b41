"""What somebody says in a turn, sentence by sentence: no code, logs, quoted lines, or what mdmem put in itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mdmem.capture.referents import Sentence
from mdmem.capture.transcripts import Turn
from mdmem.note import blocks
from mdmem.text.sentences import split

_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_LOG = re.compile(
    r"\s*(?:at \S+\(|File \"|Traceback|\$ |>>> |\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?(?:INFO|DEBUG|WARN|ERROR)\b)"
)
_CITED = re.compile(
    r"\.md:\d+(?:@[0-9a-f]{7,}| \(not committed\))|🧠 Past"
    r"|^\s*(?:\d+[→\t|: ]+)?id: [\"']?[0-9a-f]{8}-[0-9a-f]{4}-",
    re.M,
)


def is_recalled(text: str) -> bool:
    """Whether recall or a session's pack put a text into the chat: it has citations, or headers of notes."""
    return bool(_CITED.search(text))


def sentences(turn: Turn) -> Iterator[Sentence]:
    """The sentences of a turn without code, logs and quoted lines."""
    at = 0
    for line in blocks.lines(turn.text):
        if line.kind in blocks.UNREAD or _is_pasted(line.text):
            continue
        for text in split(_BULLET.sub("", line.text, count=1).strip()):
            yield Sentence(text, turn.line + line.number - 1, at, turn.speaker, turn.name)
            at += 1


def _is_pasted(line: str) -> bool:
    """Whether a line is from a log or a quote; in a chat, code is often indented without a blank line above."""
    return line.startswith(("    ", "\t", ">")) or bool(_LOG.match(line))
