"""Texts as a terminal or a prompt may have them: a note must not steer what shows it."""

from __future__ import annotations

from mdmem.text import patterns

# What steers a terminal, or turns the reading direction of all that follows; line ends and tabs are none of it.
# Nothing of it is printable.
_STEERING = patterns.late("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

_QUOTED = 80  # characters of a value in a message


def safe(text: str) -> str:
    """A text of several lines without control characters."""
    return text if text.isprintable() else _STEERING.sub("", text)


def safe_line(text: str) -> str:
    """A text without control characters in one line: what a note says must not look like a line of ours."""
    return safe(" ".join(text.split()))


def cut(text: str, most: int) -> str:
    """A text in so many characters; an ellipsis tells that there is more."""
    return text if len(text) <= most else text[: max(most - 1, 0)] + "…"


def quoted(text: str, most: int = _QUOTED) -> str:
    """A text of any length as a message quotes it: in one line of so many characters."""
    return cut(safe_line(text), most)


def safe_json(text: str) -> str:
    """JSON with control characters as escapes; it means the same."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
