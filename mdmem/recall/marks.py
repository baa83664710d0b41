"""What git says of the code that memories speak of: that it is gone, changed or moved, and on which branch.

Only memories of the project that is worked on are judged, and only by what its repository has: of an object that
it lacks, as another repository of the same name or a shallow clone does, nothing is said.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple

from mdmem.errors import MdmemError
from mdmem.note import codenames, moments
from mdmem.note.codenames import CodeItem, Lines
from mdmem.note.memory import project_of
from mdmem.store.git import codebase
from mdmem.store.git.codebase import Codebase, Ref
from mdmem.store.index.port import MEMORY, IndexedNote
from mdmem.store.local import files
from mdmem.store.vault.vault import Vault

_FILE, _KINDS, _UNCLEAR = "code.json", ("merged", "apart", "moved", "asked"), "?"
_MOST = 1_000  # verdicts of each kind that are kept
_Key = tuple[str, str, str]  # branch, its commit when a memory was written, and when that was
GONE, CHANGED, MOVED = "gone", "changed since", "moved to"


class CodeMark(NamedTuple):
    """The verdict on a place in code, or on a commit; `to` is where it moved."""

    item: CodeItem
    state: str
    to: str = ""

    def __str__(self) -> str:
        what = self.item.place or f"commit {self.item.object}"
        return " ".join(filter(None, (what, self.state, self.to)))


class BranchMark(NamedTuple):
    """A branch that is not merged, as far as git knows; it may be lost, if that does not have it any more."""

    branch: str
    is_lost: bool = False

    def __str__(self) -> str:
        return f"branch {self.branch}" + (", which git does not have here" if self.is_lost else "")


class Standpoint:
    """The repository in which a session works, and what it says of memories; asks git once for each of them."""

    def __init__(self, vault: Vault, folder: str) -> None:
        self._vault = vault
        self._folder = folder
        self._known: dict[_Key, BranchMark | None] = {}
        self._head = ""  # HEAD's commit, once files were looked for

    @cached_property
    def base(self) -> Codebase | None:
        """The repository; None if the folder is in none, or just in the vault's."""
        return Codebase.around(self._folder, self._vault.repo)

    @cached_property
    def project(self) -> str:
        """The name of the project, "" for the one that all memories of the vault are of."""
        return self._vault.repo.project_at(self._folder)

    @cached_property
    def _before(self) -> _Verdicts:
        return _Verdicts(self._vault)

    def _is_own(self, record: IndexedNote) -> bool:
        """Whether a memory is of the project of this repository."""
        is_same = project_of(record.meta).casefold() == self.project.casefold()
        return record.kind == MEMORY and is_same and self.base is not None

    def told(self, records: Sequence[IndexedNote]) -> list[tuple[str, ...]]:
        """What to say of each memory, () for nothing; also if git cannot read the repository."""
        try:
            branches, marks = self.branches(records), self.marks(records)
        except MdmemError:
            return [()] * len(records)
        self._before.save()
        return [
            tuple(map(str, (*filter(None, [branch]), *said))) for branch, said in zip(branches, marks, strict=True)
        ]

    def aside(self, records: Sequence[IndexedNote]) -> set[str]:
        """The keys of memories of another branch that is not merged; none if git cannot read the repository."""
        try:
            branches = self.branches(records)
        except MdmemError:
            return set()
        return {record.path for record, branch in zip(records, branches, strict=True) if branch}

    # -- code ----------------------------------------------------------------------------------------------

    def marks(self, records: Sequence[IndexedNote]) -> list[list[CodeMark]]:
        """The verdicts on what each memory names, where there is something to say. Raises GitError."""
        named = [codenames.items_of(record.meta) if self._is_own(record) else [] for record in records]
        every = list(dict.fromkeys(item for items in named for item in items))
        verdicts = self.judged(every) if every else {}
        return [[verdicts[item] for item in items if item in verdicts] for items in named]

    def judged(self, items: Sequence[CodeItem]) -> dict[CodeItem, CodeMark]:
        """The verdicts on places in code and commits, where there is something to say. Raises GitError."""
        assert self.base
        names = [name for item in items for name in (item.object or "-", f"HEAD:{item.path}")]
        (_, self._head), *answers = self.base.kinds(["HEAD", *names])
        places, commits = list[_Place](), {}
        for item, was, now in zip(items, answers[::2], answers[1::2], strict=True):
            if not item.path and was[0] == "commit":
                commits[was[1]] = item
            elif item.path:
                places += self._differing(item, was[1], now[1] if now[0] == "blob" else "")
        cited = {id for place in places if place.item.lines.first for id in (place.was, place.now)} - {""}
        texts = dict(zip(cited, self.base.blobs(list(cited)), strict=True))
        marks = {place.item: mark for place in places if (mark := _verdict(place, texts))}
        lost = self.base.unreachable(list(commits))
        return marks | {commits[id]: CodeMark(commits[id], GONE) for id in lost}

    def _differing(self, item: CodeItem, was: str, now: str) -> Iterator[_Place]:
        """Where a file is, if it differs from what a memory recorded and git can say so.

        `was` is the blob that was recorded, `now` the one at its path, each "" if it is not there.
        """
        assert self.base
        if now and now != was and item.object and (was or self.base.is_shallow):
            yield _Place(item, item.path, was, now)
        elif not now and (was or not item.object) and (to := self._moved(item.path, was)) is not None:
            needs_text = bool(to and item.lines.first)
            yield _Place(item, to, was, self.base.kinds([f"HEAD:{to}"])[0][1] if needs_text else "")

    def _moved(self, path: str, was: str) -> str | None:
        """See `Codebase.moved`; that walks through the history, so it is asked once for each HEAD."""
        assert self.base
        asked = self._head, path, was
        known = next((each[3] for each in self._before.moved if each[:3] == asked), None)
        if known is None:
            to = self.base.moved(path, was)
            known = _UNCLEAR if to is None else to
            self._before.moved.append((*asked, known))
        return None if known == _UNCLEAR else known

    # -- branches ------------------------------------------------------------------------------------------

    def branches(self, records: Sequence[IndexedNote]) -> list[BranchMark | None]:
        """The branch that each memory is of, None if that is everybody's or the current one. Raises GitError."""
        keys = [
            (*codenames.branch_of(record.meta), record.created) if self._is_own(record) else ("", "", "")
            for record in records
        ]
        if unknown := {key for key in keys if key[0] and key not in self._known}:
            self._known |= self._judged(sorted(unknown))
        return [self._known.get(key) for key in keys]

    def lost(self, records: Sequence[IndexedNote], again: bool = True) -> dict[str, list[str]]:
        """Branch -> names of its memories, of branches that git lost unmerged; with `again`, known ones, too."""
        found: dict[str, list[str]] = {}
        with suppress(MdmemError):
            for record, mark in zip(records, self.branches(records), strict=True):
                if mark and mark.is_lost and (again or (self.project, mark.branch) not in self._before.asked):
                    found.setdefault(mark.branch, []).append(record.name)
        if not again:
            self._before.asked += [(self.project, branch) for branch in found]
            self._before.save()
        return found

    def _judged(self, keys: Sequence[_Key]) -> dict[_Key, BranchMark | None]:
        """The verdict on each branch of a memory. What was merged once is everybody's for good."""
        assert self.base
        verdicts: dict[_Key, BranchMark | None] = dict.fromkeys(keys)
        current, before = self.base.branch_name(), self._before
        others = [key for key in keys if key[0] != current and (self.project, *key) not in before.merged]
        refs = self.base.refs(list(dict.fromkeys(branch for branch, *_ in others))) if others else {}
        default = codebase.default_branch(refs)
        heads = sorted({ref.commit for ref in codebase.tips_of(default, refs)})
        ends = self._ends(others, refs)
        every = sorted({end for each in ends.values() for end in each})
        merged = self.base.contained(every, heads)
        here = self.base.contained(every, ["HEAD"]) if current != default else merged
        for key, own in ends.items():
            if not own.isdisjoint(merged) or any(self._is_squashed(end, heads) for end in sorted(own)):
                before.merged.append((self.project, *key))
            elif own.isdisjoint(here):
                verdicts[key] = BranchMark(key[0], not codebase.tips_of(key[0], refs))
        return verdicts

    def _ends(self, keys: Sequence[_Key], refs: Mapping[str, Ref]) -> dict[_Key, set[str]]:
        """The commits of which one has to be merged: that of the memory, and those at which its branch is now.

        A branch that had no commit of its own, and got none, is at a commit of another one: it has no end.
        """
        assert self.base
        asked = self.base.kinds([f"{commit or '-'}^{{commit}}" for _, commit, _ in keys])
        return {
            key: {id} - {""}
            | {tip.commit for tip in codebase.tips_of(key[0], refs) if key[1] or _is_newer(tip, key[2])}
            for key, (_, id) in zip(keys, asked, strict=True)
        }

    def _is_squashed(self, end: str, heads: Sequence[str]) -> bool:
        assert self.base
        if not heads or (end, *heads) in self._before.apart:
            return False
        if self.base.is_squashed(end, heads):
            return True
        self._before.apart.append((end, *heads))
        return False


class _Verdicts:
    """What git said before and took long for: local, never tracked; a damaged file counts as empty.

    `merged` are the project, branch, commit and time of memories whose branch was merged, which git cannot tell
    any more once that is deleted; `apart` is an end of a branch that was not squashed into these heads; `moved`
    are HEAD, the path and blob of a file that it does not have, and where that is now; `asked` are the project and
    name of a lost branch that somebody was asked about.
    """

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._kept: dict[str, list[tuple[str, ...]]] = {name: [] for name in _KINDS}
        with suppress(OSError, ValueError, TypeError, KeyError, RecursionError):
            with open(os.path.join(vault.state, _FILE), "rb") as file:
                kept = json.load(file)
            self._kept |= {name: [tuple(map(str, one)) for one in kept[name]] for name in _KINDS if name in kept}
        self.merged, self.apart, self.moved, self.asked = self._kept.values()
        self._size = sum(map(len, self._kept.values()))

    def save(self) -> None:
        """Keep what is new, if that is possible."""
        if sum(map(len, self._kept.values())) == self._size:
            return
        kept = {name: verdicts[-_MOST:] for name, verdicts in self._kept.items()}
        with suppress(OSError, MdmemError):
            folder = self._vault.prepare_state()
            files.save(os.path.join(folder, _FILE), json.dumps(kept).encode(), os.path.join(folder, "tmp"))


class _Place(NamedTuple):
    """What became of a file that a memory names: its path now, "" if it is gone, and its blobs then and now."""

    item: CodeItem
    path: str
    was: str
    now: str


def _verdict(place: _Place, texts: Mapping[str, bytes]) -> CodeMark | None:
    item = place.item
    if not place.path:
        return CodeMark(item, GONE)
    lines = Lines()
    if item.lines.first and place.was and place.now:
        lines = _found_again(item.lines, texts[place.was], texts[place.now])
    if place.path != item.path or lines not in (Lines(), item.lines):
        return CodeMark(item, MOVED, codenames.at(place.path, lines))
    return None if lines.first else CodeMark(item, CHANGED)


def _found_again(lines: Lines, was: bytes, now: bytes) -> Lines:
    """Where lines of a file stand in another version of it: in the same place, or in the only other one."""
    wanted, those = (text.replace(b"\r", b"").removesuffix(b"\n").split(b"\n") for text in (was, now))
    wanted = wanted[lines.first - 1 : lines.last]
    if not any(wanted):
        return Lines()
    if those[lines.first - 1 : lines.last] == wanted:
        return lines
    size = len(wanted)
    starts = (at for at, line in enumerate(those) if line == wanted[0])
    places = [at for at in starts if those[at : at + size] == wanted]
    return Lines(places[0] + 1, places[0] + size) if len(places) == 1 else Lines()


def _is_newer(tip: Ref, created: str) -> bool:
    """Whether a branch had a commit after a memory was written on it."""
    when = moments.parse(created)
    return when is not None and tip.when > when.timestamp()
