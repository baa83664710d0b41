"""Exports the records of a vault as JSON for other programs. The same records give the same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from mdmem.errors import Problem
from mdmem.note import moments
from mdmem.store.index.port import IndexedNote
from mdmem.store.progress import Progress
from mdmem.store.vault.vault import Vault
from mdmem.systems.membrane.view import VaultRecords


class Exported(NamedTuple):
    """The valid records, oldest first, and the problems of the notes that were left out."""

    records: tuple[Mapping[str, Any], ...]
    problems: tuple[Problem, ...]


def records(vault: Vault, wanted: Callable[[IndexedNote], bool], progress: Progress) -> Exported:
    """Every memory that is `wanted`, as a record. `progress` gets (done, total)."""
    found, problems = [], []
    for view in VaultRecords(vault).all(wanted, progress):
        errors = [problem for problem in view.problems if problem.severity == "error"]
        problems += errors
        if not errors:
            found.append(view.value)
    found.sort(key=lambda value: (moments.normal(value["created_at"]), value["id"]))
    return Exported(tuple(found), tuple(problems))


def as_text(values: Iterable[Mapping[str, Any]], lines: bool = False) -> Iterator[str]:
    """The records as lines of JSON Lines if `lines`, else as the text of one JSON array."""
    if lines:
        for value in values:
            yield json.dumps(value, ensure_ascii=False)
    else:
        yield json.dumps(list(values), indent=2, ensure_ascii=False)
