"""The LiveHud: one line of four gauges for what a session knows, does and will do next, and for its memory."""

from __future__ import annotations

from collections.abc import Sequence

from mdmem.note import stopwords, tokens
from mdmem.note.gauges import Gauges
from mdmem.note.terminal import safe_line

MIN_WORDS, MAX_WORDS = 3, 9  # of a gauge
_MOST = 24  # tokens of a gauge, for texts without spaces
_EMPTY = "none yet"
_JOINS = frozenset("and or but because since so when while if until which who und oder weil wenn y et".split())

NO_ACCESS = "No tool access"  # the states of the Memory gauge besides the count of files
NOTHING = "No memories yet"
READ_ONLY = "Read only"


def line(gauges: Gauges) -> str:
    """The LiveHud, of at most about 130 tokens."""
    names = ("🧠 Past", "👁️ Present", "🔮 Future", "📂 Memory")
    return " | ".join(
        f"{name}: {short(text).replace('|', '/') or _EMPTY}" for name, text in zip(names, gauges, strict=True)
    )


def short(text: str) -> str:
    """A text as a gauge shows it: at most MAX_WORDS words, of a longer text up to the end of a phrase."""
    words = safe_line(text).split()
    kept = words[:MAX_WORDS]
    if len(words) == len(kept):
        return tokens.cut(" ".join(kept).removesuffix("."), _MOST)
    ends = [at for at in range(MIN_WORDS, MAX_WORDS + 1) if _may_end(words, at)]
    clauses = [at for at in ends if words[at - 1].endswith((";", ":", ".", "?", "!"))]
    clauses = clauses or [at for at in ends if words[at].lower() in _JOINS]
    said = " ".join(kept[: (clauses or ends or [MAX_WORDS])[-1]])
    return tokens.cut(said.rstrip(" .,;:–—-"), _MOST)


def _may_end(words: Sequence[str], at: int) -> bool:
    """Whether so many words leave no quotation open and no phrase unfinished: the next begins with a stop word."""
    said = " ".join(words[:at])
    is_closed = not any(said.count(mark) % 2 for mark in '"`') and said.count("(") == said.count(")")
    last, following = (words[place].lower() in stopwords.QUESTION for place in (at - 1, at))
    return is_closed and not last and not said[-1].isdigit() and (following or words[at - 1][-1] in ",;:.?!")


def count(shown: int, total: int) -> str:
    """The Memory gauge: how many of all files the session has read."""
    return f"{shown} of {total} {'file' if total == 1 else 'files'}" if total else NOTHING
