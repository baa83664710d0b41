"""Agents' hooks that failed: nobody sees that happen, so failures are recorded here until the hook works again.

The record is local, never tracked, and may be lost; a damaged file counts as empty.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from mdmem.errors import MdmemError
from mdmem.store import layout
from mdmem.store.git.repo import Repo
from mdmem.store.local import state

_FILE = "hook-failures.json"
_MOST = 40  # how many failing hooks are kept, the latest
_LONG = 500  # characters of a message that are kept


class HookFailure(NamedTuple):
    """A client's hook that failed at an event: when last (RFC 3339), how many times in a row, and what to do."""

    client: str
    event: str
    when: str
    message: str
    hint: str = ""
    times: int = 1


def load(root: str) -> list[HookFailure]:
    """The hooks that do not work, latest last."""
    try:
        with open(_place(root), encoding="utf-8") as file:
            kept = json.load(file)
        return [_failure(**fields) for fields in kept]
    except (OSError, ValueError, TypeError, RecursionError):
        return []


def _failure(client: str, event: str, when: str, message: str, hint: str, times: int) -> HookFailure:
    return HookFailure(str(client), str(event), str(when), str(message), str(hint), int(times))


def add(root: str, failure: HookFailure) -> None:
    """Record a failure, if that is possible."""
    before = load(root)
    times = sum(known.times for known in before if _is_same(known, failure))
    failure = failure._replace(message=failure.message[:_LONG], hint=failure.hint[:_LONG], times=times + 1)
    others = [known for known in before if not _is_same(known, failure)]
    with suppress(OSError, MdmemError):
        state.prepare(root, Repo.around(root))
        _save(root, [*others, failure][-_MOST:])


def clear(root: str, client: str, event: str) -> None:
    """Delete the failure of a hook that works again."""
    if not os.path.exists(_place(root)):
        return
    before = load(root)
    left = [known for known in before if (known.client, known.event) != (client, event)]
    with suppress(OSError):
        if not left:
            os.unlink(_place(root))
        elif left != before:
            _save(root, left)


def _is_same(one: HookFailure, other: HookFailure) -> bool:
    return (one.client, one.event) == (other.client, other.event)


def _save(root: str, failures: Sequence[HookFailure]) -> None:
    scratch = f"{_place(root)}.{os.getpid()}"
    with open(scratch, "w", encoding="utf-8") as file:
        json.dump([failure._asdict() for failure in failures], file)
    os.replace(scratch, _place(root))


def _place(root: str) -> str:
    return os.path.join(root, layout.STATE, _FILE)
