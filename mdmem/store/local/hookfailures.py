"""Agents' hooks that failed: nobody sees that happen, so failures are recorded here until the hook works again.

The record is local, never tracked, and may be lost; a damaged file counts as empty.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from mdmem.errors import MdmemError
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
        return [HookFailure(**fields) for fields in state.load(root, _FILE) or ()]
    except TypeError:
        return []


def add(root: str, failure: HookFailure) -> None:
    """Record a failure, if that is possible."""
    before = {known[:2]: known for known in load(root)}
    last = before.pop(failure[:2], None)
    failure = failure._replace(
        message=failure.message[:_LONG], hint=failure.hint[:_LONG], times=1 + (last.times if last else 0)
    )
    with suppress(OSError, MdmemError):
        _save(root, [*before.values(), failure][-_MOST:])


def clear(root: str, client: str, event: str) -> None:
    """Delete the failure of a hook that works again."""
    before = load(root)
    left = [known for known in before if known[:2] != (client, event)]
    with suppress(OSError, MdmemError):
        if left != before:
            _save(root, left)


def _save(root: str, failures: Sequence[HookFailure]) -> None:
    data = json.dumps([failure._asdict() for failure in failures]).encode()
    state.save(root, Repo.around(root), _FILE, data)
