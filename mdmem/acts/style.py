"""How text marks parts to highlight, without knowing where it will be shown."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

# (text, look) -> text; a look is bold, dim, or the name of a colour: red, green, yellow, magenta, cyan
Style = Callable[[str, str], str]
Lines = Iterator[str]  # what is told to a person
Json = dict[str, Any]  # what is told to a program


def plain(text: str, look: str) -> str:
    """No highlighting: for a prompt, a file or a program."""
    del look
    return text


def phrase(words: Sequence[str]) -> str:
    """What was said: in words, as a shell splits them, or as a program has it, in one text."""
    return words if isinstance(words, str) else " ".join(words)


def committed(commit: str) -> str:
    """A commit behind what it did: `  (1a2b3c4d)`; "" for none."""
    return f"  ({commit[:8]})" if commit else ""


def few(said: Sequence[str], most: int, more: str = "... and {} more") -> Lines:
    """The first lines, then how many more there are, if there are any."""
    yield from said[:most]
    if len(said) > most:
        yield more.format(len(said) - most)


class Aside(str):
    """A line that is said beside a result: a remark, or why there is none."""


class Raw(str):
    """A text of somebody else's, printed as it is, for programs."""
