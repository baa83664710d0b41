"""A vault's facts as the gardener sees them: rows of the index, wherever they were stated."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mdmem.garden.gardeners.proposal import FileEdit, StatedFact
from mdmem.store import registry
from mdmem.store.index.port import FACT
from mdmem.store.local import files
from mdmem.store.vault.vault import Vault

_NOT_NOW = ("past", "future")  # time spans of facts that say nothing about the present


def holding(vault: Vault) -> Iterator[StatedFact]:
    """The active facts that are not about the past or the future, by the key of their rows."""
    for record in vault.index.records((FACT,)):
        told = record.meta
        if record.status == "active" and told["time_span"] not in _NOT_NOW:
            yield StatedFact(
                path=record.path,
                id=record.id,
                topic=record.topic,
                subject=told["subject"],
                relation=told["relation"],
                object=told["object"],
                file=record.file,
                line=record.file_line(1),
                sentence=vault.index.body(record.path),
                created=record.created,
                confidence=told["confidence"],
            )


def retiring(vault: Vault) -> Callable[[StatedFact, str, str], FileEdit]:
    """The function (fact, why, when) that makes the edit by which a fact no longer holds."""

    def edit(fact: StatedFact, why: str, when: str) -> FileEdit:
        retirement = registry.retirement()
        path = retirement.path(fact.topic, vault.config)
        before = files.read_or_none(vault.root, path)
        return FileEdit(path, before, retirement.retired(before, fact.id, why, when))

    return edit
