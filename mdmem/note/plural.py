"""Numbers with their nouns, and lists of names."""

from collections.abc import Sequence


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`, `3 memories`."""
    return f"{number} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """`files`, `memories`, `stashes`."""
    if noun.endswith(("sh", "ch")):
        return noun + "es"
    return noun[:-1] + "ies" if noun.endswith("y") else noun + "s"


def some(names: Sequence[str], most: int) -> str:
    """`one, two and 3 more`."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
