"""Episodic records state what happened: no revision may rewrite them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mdmem.errors import UsageError
from mdmem.note import memory
from mdmem.store import appendonly
from mdmem.store.operation import Operation
from mdmem.store.registry import OpenVault, Rewritten


def immutable(name: str) -> UsageError:
    """The error for a revision of an episodic record."""
    hint = f"remember what is known now, and link it: mdmem remember ... --related-to {name}"
    return UsageError(f"{name} is episodic: what happened is not rewritten", hint)


def refuse_rewriting(
    vault: OpenVault, what: Operation, written: Mapping[str, Rewritten], tell: Callable[[str], None]
) -> None:
    """A guard of every change (see `store.registry`): refuses to rewrite an episodic record.

    Raises UsageError; tells what a person rewrote by hand. Undoing, restoring and moving are other actions and
    are allowed.
    """
    del vault
    if what.action not in ("revise", "") or what.get("Gardener"):
        return
    for path, text in written.items():
        before, after = (side.encode("utf-8", "surrogateescape") for side in text[:2])
        if not appendonly.is_rewritten(path, before, after):
            continue
        if what.action:
            raise immutable(memory.stem(path))
        tell(f"{path} {appendonly.EPISODE}")
