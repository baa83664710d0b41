"""The LiveHud: one line of four gauges for what a session knows, does and will do next, and for its memory."""

from __future__ import annotations

from mdmem.note.gauges import Gauges
from mdmem.text import stopwords, tokens
from mdmem.text.terminal import safe_line

MIN_WORDS, MAX_WORDS = 3, 9  # of a gauge
_MOST = 24  # tokens of a gauge, for texts without spaces
_EMPTY = "none yet"

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
    """A text as a gauge shows it: one line of at most MAX_WORDS words. A cut text does not end in a stop word."""
    words = safe_line(text).split()
    kept = words[:MAX_WORDS]
    while len(words) > len(kept) > MIN_WORDS and kept[-1].lower() in stopwords.QUESTION:
        kept.pop()
    said = " ".join(kept)
    return tokens.cut(said.rstrip(" .,;:–—-") if len(words) > len(kept) else said.removesuffix("."), _MOST)


def count(shown: int, total: int) -> str:
    """The Memory gauge: how many of all files the session has read."""
    return f"{shown} of {total} {'file' if total == 1 else 'files'}" if total else NOTHING
