"""The catalogues of several vaults as one, which recall uses as it uses any other.

How rare a word is counts over all of them, so that their scores compare: a vault split in two answers nearly as
the whole does. A key is `VAULT:/PATH`. Links, names and sessions stay within their vault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import merge
from itertools import chain
from typing import Any, TypeVar

from mdmem.recall.gather import Likeness, RecallContext
from mdmem.store.index.concealment import Concealed
from mdmem.store.index.port import (
    ALL_KINDS,
    MEMORIES,
    Catalogue,
    IndexedNote,
    Kinds,
    Neighbours,
    NoteText,
    Trait,
    apart,
    key,
)
from mdmem.store.vault.several import OpenVaults

_T = TypeVar("_T")
_LEAST_SHARE = 0.25  # of what is gathered for a question, even for a small vault


def context(each: Mapping[str, RecallContext]) -> RecallContext:
    """The context of an answer of several vaults, from theirs."""
    opened: Counter[str] = Counter()
    for own in each.values():
        opened.update(own.opened)
    likeness = {name: own.likeness for name, own in each.items() if own.likeness}
    near = JoinedLikeness(likeness) if len(likeness) == len(each) else None
    return RecallContext(max(own.now for own in each.values()), opened=opened, likeness=near)


def of(vaults: OpenVaults) -> JoinedCatalogue:
    """The joined catalogue of open vaults as they are now, without what the reader may not see."""
    return JoinedCatalogue(vaults, {name: vault.index for name, vault in vaults.every})


class Member:
    """One of several catalogues, which returns memories with the keys that they have among all of them."""

    def __init__(self, vault: str, catalogue: Catalogue, others: tuple[str, ...] = ()) -> None:
        """`vault` is the name of its vault; what lies in the folders `others` belongs to other vaults."""
        self.vault = vault
        self.catalogue = catalogue
        self._others = others

    def own(self, paths: list[str]) -> list[str]:
        """The keys of those of the paths that no other vault has."""
        return self.keys(path for path in paths if not path.startswith(self._others))

    def key(self, path: str) -> str:
        """The key of a path in this vault."""
        return key(self.vault, path)

    def keys(self, paths: Iterable[str]) -> list[str]:
        """The keys of paths in this vault."""
        return list(map(self.key, paths))

    def joined(self, records: Iterable[IndexedNote]) -> Iterator[IndexedNote]:
        """Records of this vault with their keys, without those that another vault has."""
        return (
            record._replace(path=self.key(record.path), vault=self.vault)
            for record in records
            if not record.path.startswith(self._others)
        )


class JoinedCatalogue(Catalogue):
    """The catalogues of several vaults; a `port.Catalogue`.

    Search results are taken from the vaults in turns, more often from a larger one: their ranks by BM25 cannot be
    compared, since each vault has its own rarity of a word. The scores of recall then decide.
    """

    def __init__(self, vaults: OpenVaults, catalogues: Mapping[str, Catalogue]) -> None:
        """`catalogues` are by the names of their vaults, the nearest vault first."""
        self._members = {
            name: Member(name, catalogue, vaults.inner_folders(name)) for name, catalogue in catalogues.items()
        }
        self._every = list(self._members.values())

    def retry_as_one(self, action: Callable[[], _T]) -> _T:
        for member in self._every:
            action = partial(member.catalogue.retry_as_one, action)
        return action()

    def kept(self, what: str) -> dict[Any, Any]:
        # a catalogue drops what it keeps, also this token, as soon as anything in it changes
        tokens = [member.catalogue.kept("token").setdefault("token", object()) for member in self._every]
        shelf = self._every[0].catalogue.kept("joined")
        if shelf.get("tokens") != tokens:
            shelf.clear()
            shelf["tokens"] = tokens
        kept: dict[Any, Any] = shelf.setdefault(what, {})
        return kept

    @property
    def concealed(self) -> Concealed:
        stubs = chain.from_iterable(member.catalogue.concealed.stubs for member in self._every)
        return Concealed(stubs=tuple(stubs))

    def _by_vault(self, keys: Iterable[str]) -> Iterator[tuple[Member, list[str]]]:
        """Each member with the paths of those keys that are of its vault."""
        paths = _by_vault(keys)
        return ((self._members[vault], own) for vault, own in paths.items() if vault in self._members)

    def home(self, path: str) -> str:
        return apart(path)[0]

    # -- records -------------------------------------------------------------------------------------------

    def sizes(self) -> Mapping[str, int]:
        return _summed(member.catalogue.sizes() for member in self._every)

    def select(self, kinds: Kinds, name: str = "", id: str = "", newest: bool = False) -> Iterator[IndexedNote]:
        each = (member.joined(member.catalogue.select(kinds, name, id, newest)) for member in self._every)
        return (
            merge(*each, key=lambda record: record.created, reverse=True) if newest else chain.from_iterable(each)
        )

    def records_at(self, paths: Sequence[str]) -> list[IndexedNote]:
        each = (member.joined(member.catalogue.records_at(own)) for member, own in self._by_vault(paths))
        known = {record.path: record for record in chain.from_iterable(each)}
        return [known[path] for path in paths if path in known]

    def property_names(self, kinds: Kinds = MEMORIES) -> set[str]:
        return set().union(*(member.catalogue.property_names(kinds) for member in self._every))

    def links_to(self, targets: Iterable[str], predicate: str = "") -> list[tuple[IndexedNote, int]]:
        wanted = list(targets)
        return [
            (joined, line)
            for member in self._every
            for record, line in member.catalogue.links_to(wanted, predicate)
            for joined in member.joined([record])
        ]

    def with_trait(self, name: str, key: str = "") -> list[tuple[str, Trait]]:
        return [
            (member.key(path), trait)
            for member in self._every
            for path, trait in member.catalogue.with_trait(name, key)
        ]

    # -- texts ---------------------------------------------------------------------------------------------

    def texts(self, paths: Sequence[str]) -> dict[str, NoteText]:
        texts = (
            text._replace(path=member.key(path))
            for member, own in self._by_vault(paths)
            for path, text in member.catalogue.texts(own).items()
        )
        return {text.path: text for text in texts}

    def digests(self, kinds: Kinds = MEMORIES) -> dict[str, bytes]:
        return {
            member.key(path): digest
            for member in self._every
            for path, digest in member.catalogue.digests(kinds).items()
        }

    def neighbours(self, of: Iterable[NoteText], reach: int) -> dict[str, Neighbours]:
        notes = {note.path: note for note in of}
        around: dict[str, Neighbours] = {}
        for member, own in self._by_vault(notes):
            local = [notes[member.key(path)]._replace(path=path) for path in own]
            for path, (before, after) in member.catalogue.neighbours(local, reach).items():
                around[member.key(path)] = member.keys(before), member.keys(after)
        return around

    # -- words ---------------------------------------------------------------------------------------------

    def search(
        self,
        expression: str,
        limit: int,
        spans: Collection[tuple[str, str]] | None = None,
        kinds: Kinds = MEMORIES,
    ) -> list[str]:
        found = [member.own(member.catalogue.search(expression, limit, spans, kinds)) for member in self._every]
        return self._in_turns(found, limit)

    def matching(self, expression: str) -> int:
        return sum(member.catalogue.matching(expression) for member in self._every)

    def created_within(self, first: str, last: str, limit: int, kinds: Kinds = MEMORIES) -> list[str]:
        found = [member.own(member.catalogue.created_within(first, last, limit, kinds)) for member in self._every]
        return self._in_turns(found, limit)

    def _in_turns(self, lists: Sequence[Sequence[str]], limit: int) -> list[str]:
        """The first `limit` (-1: all) of several lists, one for each vault, mixed by the shares of the vaults."""
        shares = self.kept("shares")
        if not shares:
            counts = {member.vault: member.catalogue.count(ALL_KINDS) for member in self._every}
            most = max(1, sum(counts.values()))
            shares |= {vault: max(count / most, _LEAST_SHARE) for vault, count in counts.items()}
        turns = [
            ((place + 0.5) / shares[member.vault], path)
            for member, paths in zip(self._every, lists, strict=True)
            for place, path in enumerate(paths)
        ]
        every = [path for _, path in sorted(turns, key=lambda turn: turn[0])]
        return every if limit < 0 else every[:limit]

    def years(self) -> tuple[int, int]:
        each = [years for member in self._every if (years := member.catalogue.years()) != (0, 0)]
        return (min(first for first, _ in each), max(last for _, last in each)) if each else (0, 0)

    def frequencies(self, stems: Sequence[str]) -> dict[str, int]:
        return _summed(member.catalogue.frequencies(stems) for member in self._every)

    def vocabulary(self, beginnings: Sequence[str]) -> dict[str, dict[str, int]]:
        each = [member.catalogue.vocabulary(beginnings) for member in self._every]
        return {
            beginning: dict(sorted(_summed(known[beginning] for known in each).items()))
            for beginning in beginnings
        }


class JoinedLikeness:
    """How near texts of several vaults are to a text by meaning, by one model; a `gather.Likeness`."""

    def __init__(self, each: Mapping[str, Likeness]) -> None:
        self._each = each
        self.weight = max(likeness.weight for likeness in each.values())

    def nearest(self, text: str, count: int, kind: str) -> list[str]:
        return [key(vault, path) for vault, each in self._each.items() for path in each.nearest(text, count, kind)]

    def of(self, text: str, paths: Sequence[str]) -> Mapping[str, Sequence[float]]:
        return {
            key(vault, path): cosines
            for vault, own in _by_vault(paths).items()
            for path, cosines in self._each[vault].of(text, own).items()
        }


def _by_vault(paths: Iterable[str]) -> dict[str, list[str]]:
    """vault -> the paths in it for which keys of a joined catalogue stand."""
    own: dict[str, list[str]] = {}
    for vault, path in map(apart, paths):
        own.setdefault(vault, []).append(path)
    return own


def _summed(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return dict(total)
