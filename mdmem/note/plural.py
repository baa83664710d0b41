"""Numbers with their nouns."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`, `3 memories`."""
    return f"{number} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """`files`, `memories`, `stashes`."""
    if noun.endswith(("sh", "ch")):
        return noun + "es"
    return noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
