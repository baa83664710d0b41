"""Which memories an act is about: filters on their properties, the same for every act that selects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

from mdmem.acts.signature import Arg, Opt
from mdmem.store.index.port import ALL_KINDS

if TYPE_CHECKING:
    from mdmem.note.filters import Filter
    from mdmem.store.index.port import IndexedNote
    from mdmem.store.vault.vault import Vault


Where = Annotated[Sequence[str], Opt("key=value, key>value, key~part, key, !key ...", metavar="FILTER")]


class Selection(NamedTuple):
    """Filters on properties; all must hold."""

    types: Annotated[
        Sequence[str], Opt("Only this type; repeat it to allow others.", flags="--type", completes="type")
    ] = ()
    tags: Annotated[Sequence[str], Opt("Only with this tag; may be repeated.", flags="-t --tag --tags")] = ()
    status: Annotated[Sequence[str], "Only this status: active, deprecated, contested or retracted."] = ()
    category: Annotated[Sequence[str], "Only this category: past, present or future."] = ()
    topic: Annotated[Sequence[str], "Only this topic; repeat it to allow others."] = ()
    where: Where = ()

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
Agreed = Annotated[bool, Opt("Do it even if it deletes many memories.", flags="-y --yes")]
DryRun = Annotated[bool, "Only show what would be done."]
Limit = Annotated[int, Opt("At most this many.", flags="-n --limit", least=1)]
Archived = Annotated[bool, "Also what is archived (mdmem work archive); --where archived finds only that."]
Kinds = Annotated[
    Sequence[str],
    Opt(
        "Only memories, or entries (ingested dialogs), or facts; repeat it to allow others.",
        flags="--kind",
        choices=ALL_KINDS,
    ),
]
PathsOnly = Annotated[bool, "Print only paths, one per line."]
Name = Annotated[str, Arg(completes="name")]
Names = Annotated[Sequence[str], Arg(completes="name")]
Word = Annotated[str, Arg()]
Words = Annotated[Sequence[str], Arg()]


def named(vault: Vault, names: Sequence[str]) -> list[IndexedNote]:
    """The memories of exactly these names, each once, in order. Raises as `lookup.named` does."""
    from mdmem.recall import lookup

    return list({record.path: record for record in (lookup.named(vault, name) for name in names)}.values())
