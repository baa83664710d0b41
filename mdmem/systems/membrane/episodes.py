"""Episodic records state what happened: no revision may rewrite their text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mdmem.errors import UsageError
from mdmem.note import appendonly, memory
from mdmem.operation import Operation
from mdmem.registry import Rewritten


def immutable(name: str) -> UsageError:
    """The error for a revision of an episodic record."""
    hint = f"remember what is known now, and link it: mdmem remember ... --related-to {name}"
    return UsageError(f"{name} is episodic: what happened is not rewritten", hint)


def refuse_rewriting(what: Operation, written: Mapping[str, Rewritten], tell: Callable[[str], None]) -> None:
    """A guard of every change (see `mdmem.registry`): refuses to rewrite the text of an episodic record.

    Raises UsageError. Undoing, restoring and moving are other actions and are allowed, as are new properties.
    """
    del tell
    if what.action != "revise" or what.get("Gardener"):
        return
    for path, text in written.items():
        before, after = (side.encode("utf-8", "surrogateescape") for side in text[:2])
        if appendonly.is_rewritten(path, before, after):
            raise immutable(memory.stem(path))
