"""How text says that a part of it stands out, without knowing where it is shown."""

from __future__ import annotations

from collections.abc import Callable

# (text, look) -> text; a look is bold, dim, or the name of a colour: red, green, yellow, magenta, cyan
Style = Callable[[str, str], str]


def plain(text: str, look: str) -> str:
    """For a reader without colours: a prompt, a file, a program."""
    del look
    return text
