"""A catalogue as a reader may see it: without the rows that a clearance hides, and without their names.

It works on the same file as the whole catalogue; every caller, from recall to completion, sees the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from mdmem.errors import Problem
from mdmem.note import memory
from mdmem.note.trust import redaction
from mdmem.note.trust.sensitivity import Clearance
from mdmem.store.index import concealment
from mdmem.store.index.catalogue import SqliteCatalogue
from mdmem.store.index.concealment import Concealed
from mdmem.store.index.freshness import Index
from mdmem.store.index.port import ALL_KINDS, MEMORIES, Edition, IndexedNote, Kinds, Neighbours, NoteText

_C = TypeVar("_C", bound=SqliteCatalogue)


class ClearedCatalogue(SqliteCatalogue):
    """A catalogue seen with a clearance; made by `seen_with`."""

    _clearance: Clearance
    _seen_at: Edition | None
    _last: Concealed
    _besides: Concealed

    @property
    def concealed(self) -> Concealed:
        """The rows that are hidden now."""
        edition = self.edition()
        if edition != self._seen_at:
            self._last = concealment.concealed(self._db, self._clearance).together(self._besides)
            self._seen_at = edition
        return self._last

    def _clean(self, record: IndexedNote) -> IndexedNote:
        redact = self._last.redact
        meta = redaction.redacted_value(dict(record.meta), redact)
        return record._replace(title=redact(record.title), meta=meta)

    # -- records -------------------------------------------------------------------------------------------

    def _records(self, clauses: str, values: Sequence[object] = ()) -> Iterator[IndexedNote]:
        hidden = self.concealed.paths
        return (record for record in super()._records(clauses, values) if record.path not in hidden)

    def _record(self, row: Sequence[Any]) -> IndexedNote:
        """A row as the reader may see it; callers have just brought `_last` up to date."""
        record = super()._record(row)
        return self._clean(record) if self._last.paths else record

    def _rows_at(self, columns: str, paths: Sequence[str]) -> Iterator[Sequence[Any]]:
        return super()._rows_at(columns, self.shown(paths))

    def shown(self, paths: Iterable[str]) -> list[str]:
        hidden = self.concealed.paths
        return [path for path in paths if path not in hidden]

    def count(self, kinds: Kinds = MEMORIES) -> int:
        if not self.concealed.paths:
            return super().count(kinds)
        return sum(1 for _ in self.records(kinds))

    def kinds(self) -> list[str]:
        return [kind for kind in super().kinds() if not self.concealed.paths or self.count((kind,))]

    def keys(self, files: Collection[str] | None = None, kinds: Kinds = ALL_KINDS) -> list[str]:
        return self.shown(super().keys(files, kinds))

    def names(self) -> list[str]:
        if not self.concealed.paths:
            return super().names()
        return sorted({memory.stem(record.path) for record in self.records()})

    def property_names(self, kinds: Kinds = MEMORIES) -> set[str]:
        if not self.concealed.paths:
            return super().property_names(kinds)
        return {key for record in self.records(kinds) for key in record.meta}

    def committers(self) -> dict[str, int]:
        if not self.concealed.paths:
            return super().committers()
        return dict(Counter(address for path, address in self._last_committers() if self.shown([path])))

    def problems(self) -> list[Problem]:
        hidden, redact = self.concealed.paths, self.concealed.redact
        shown = [problem for problem in super().problems() if problem.path not in hidden]
        return [each._replace(message=redact(each.message), fix=redact(each.fix)) for each in shown]

    # -- texts ---------------------------------------------------------------------------------------------

    def body(self, path: str) -> str:
        seen = self.concealed
        return "" if path in seen.paths else seen.redact(super().body(path))

    def texts(self, paths: Sequence[str]) -> dict[str, NoteText]:
        redact = self.concealed.redact
        return {
            path: text._replace(
                title=redact(text.title), body=redact(text.body), aliases=tuple(map(redact, text.aliases))
            )
            for path, text in super().texts(paths).items()
        }

    def digests(self, kinds: Kinds = MEMORIES) -> dict[str, bytes]:
        hidden = self.concealed.paths
        return {path: digest for path, digest in super().digests(kinds).items() if path not in hidden}

    def marks(self) -> dict[str, str]:
        seen = self.concealed
        return {path: mark + seen.mark for path, mark in super().marks().items() if path not in seen.paths}

    def neighbours(self, of: Iterable[NoteText], reach: int) -> dict[str, Neighbours]:
        around = super().neighbours(of, reach)
        return {path: (self.shown(before), self.shown(after)) for path, (before, after) in around.items()}

    # -- links ---------------------------------------------------------------------------------------------

    def links_to(self, targets: Iterable[str], predicate: str = "") -> list[tuple[IndexedNote, int]]:
        hidden = self.concealed.paths
        return [link for link in super().links_to(targets, predicate) if link[0].path not in hidden]

    def links_from(self, paths: Sequence[str]) -> Iterator[tuple[str, str, str, int]]:
        return self._without_hidden(super().links_from(paths))

    def all_links(self) -> Iterator[tuple[str, str, str, int]]:
        return self._without_hidden(super().all_links())

    def _without_hidden(self, links: Iterable[tuple[str, str, str, int]]) -> Iterator[tuple[str, str, str, int]]:
        """The links that neither start from nor lead to a hidden memory."""
        seen = self.concealed
        for path, target, predicate, line in links:
            if path not in seen.paths and seen.redact(f"[[{target}]]") == f"[[{target}]]":
                yield path, target, predicate, line

    # -- words ---------------------------------------------------------------------------------------------

    def search(
        self,
        expression: str,
        limit: int,
        spans: Collection[tuple[str, str]] | None = None,
        kinds: Kinds = MEMORIES,
    ) -> list[str]:
        return self._best(limit, lambda most: super(ClearedCatalogue, self).search(expression, most, spans, kinds))

    def created_within(self, first: str, last: str, limit: int, kinds: Kinds = MEMORIES) -> list[str]:
        found = super().created_within
        return self._best(limit, lambda most: found(first, last, most, kinds))

    def _best(self, limit: int, find: Callable[[int], list[str]]) -> list[str]:
        """The first `limit` keys (-1: all) of those found that the reader may see."""
        if limit < 0:
            return self.shown(find(limit))
        return self.shown(find(limit + len(self.concealed.paths)))[:limit]

    # -- commits -------------------------------------------------------------------------------------------

    def changed_in(self, commits: Iterable[str]) -> dict[str, list[str]]:
        hidden = self.concealed.paths
        return {path: oids for path, oids in super().changed_in(commits).items() if path not in hidden}


class ClearedIndex(ClearedCatalogue, Index):
    """The index of a vault seen with a clearance. It is the whole index that is kept fresh."""

    _whole: Index

    def freshen(self, *args: Any, **options: Any) -> int:
        return self._whole.freshen(*args, **options)

    def follow_head(self, allow_loss: bool = False) -> None:
        self._whole.follow_head(allow_loss)

    def rebuild(self, allow_loss: bool, progress: Callable[[int, int], None]) -> int:
        return self._whole.rebuild(allow_loss, progress)

    def catch_up(self, at_most: int) -> None:
        self._whole.catch_up(at_most)

    def uncommitted(self) -> set[str]:
        return set(self.shown(super().uncommitted()))


def seen_with(catalogue: _C, clearance: Clearance, besides: Concealed = concealment.NOTHING) -> _C:
    """A catalogue as a reader with this clearance may see it. `besides` is hidden as well, for other reasons."""
    if clearance.is_full:
        return catalogue
    kind: Any = ClearedIndex if isinstance(catalogue, Index) else ClearedCatalogue
    seen = kind.__new__(kind)
    seen.__dict__.update(catalogue.__dict__)
    seen._whole, seen._clearance, seen._seen_at = catalogue, clearance, None
    seen._last, seen._besides = concealment.NOTHING, besides
    seen._kept, seen._kept_since = {}, None
    return seen  # type: ignore[no-any-return]
