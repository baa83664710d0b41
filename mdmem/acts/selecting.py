"""Which memories an act is about: filters on their properties, the same for every act that selects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from mdmem.note.filters import Filter
    from mdmem.store.index.port import IndexedNote
    from mdmem.store.vault.vault import Vault


class Selection(NamedTuple):
    """Filters on properties; all must hold."""

    types: Sequence[str] = ()
    tags: Sequence[str] = ()
    status: Sequence[str] = ()
    category: Sequence[str] = ()
    topic: Sequence[str] = ()
    where: Sequence[str] = ()

    def conditions(self) -> tuple[Filter, ...]:
        """The filters. Raises UsageError for one that cannot be read."""
        from mdmem.note import filters
        from mdmem.note.filters import Filter

        any_of = {"type": self.types, "status": self.status, "category": self.category, "topic": self.topic}
        tags = [tag.strip() for listed in self.tags for tag in listed.split(",") if tag.strip()]
        return (
            *(Filter(key, "=", of[0], alternatives=tuple(of[1:])) for key, of in any_of.items() if of),
            *(Filter("tags", "=", tag) for tag in tags),
            *map(filters.parse, self.where),
        )


ALL = Selection()


def named(vault: Vault, names: Sequence[str]) -> list[IndexedNote]:
    """The memories of exactly these names, each once, in order. Raises as `lookup.named` does."""
    from mdmem.store.vault import lookup

    return list({record.path: record for record in (lookup.named(vault, name) for name in names)}.values())
