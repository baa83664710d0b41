"""Texts made safe for a terminal or a prompt: a note must not control what displays it."""

from mdmem.note import patterns

# Characters that control a terminal, or change the reading direction of all that follows; not line ends and tabs.
# None of them is printable.
_STEERING = patterns.late("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

_QUOTED = 80  # characters of a value in a message


def safe(text: str) -> str:
    """A text of several lines without control characters."""
    return text if text.isprintable() else _STEERING.sub("", text)


def safe_line(text: str) -> str:
    """A text on one line without control characters: text of a note must not look like output of mdmem."""
    return safe(" ".join(text.split()))


def cut(text: str, most: int) -> str:
    """A text cut to at most `most` characters; an ellipsis shows that there is more."""
    return text if len(text) <= most else text[: max(most - 1, 0)] + "…"


def quoted(text: str) -> str:
    """A text of any length as quoted in a message: on one line of at most _QUOTED characters."""
    return cut(safe_line(text), _QUOTED)


def safe_json(text: str) -> str:
    """JSON with control characters as escapes; it means the same."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
