"""What to purge: a text wherever it occurs, or one memory with all its versions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import reduce
from posixpath import dirname, join

from mdmem.history import past, trail
from mdmem.history.purging import forms, objects
from mdmem.history.purging.objects import RawCommit
from mdmem.history.purging.rewriter import MARK, PurgeTarget
from mdmem.note import memory, moments
from mdmem.note.trust import tombstone
from mdmem.store.git.repo import MODULE
from mdmem.store.vault.vault import Vault

_NAME_MARK = b"purged"
_SHORT_ID = 8
_LINE = 30  # the fewest characters of a memory's line to search for elsewhere
_LINES = 20  # how many of these lines, the longest
_WORDS = re.compile(r"[^\W_]+")


def of_text(text: str) -> PurgeTarget:
    """The target for a text in all its forms. Raises UsageError if the text is too short."""
    rules = [(forms.pattern(text), MARK)]
    if named := forms.name_pattern(text):
        rules.append((named, _NAME_MARK))
    return PurgeTarget("text", (), tuple(rules), needles=tuple(found for found, _ in rules))


def of_memories(vault: Vault, names: Iterable[str], now: datetime) -> PurgeTarget:
    """The target for memories, living or deleted, with all their versions in all of history.

    Each file becomes a tombstone, and the name goes too: it may say as much as the text. As nothing brings them
    back, a near name is not enough. Raises NotFoundError with the nearest names, or UsageError for a name that
    several memories have.
    """
    return reduce(PurgeTarget.with_other, [_of_memory(vault, name, now) for name in names])


def _of_memory(vault: Vault, name: str, now: datetime) -> PurgeTarget:
    path, id = past.identify(vault, name, exactly=True)
    changes = [change for commit in past.history(vault, path, id) for change in commit.changes]
    had = {path, *(change.path for change in changes), *(change.old_path for change in changes)}
    return _Versions(vault, id, had).target(now)


class _Versions:
    """All versions of a memory: files with its id, and files without an id at paths that it had."""

    def __init__(self, vault: Vault, id: str, paths: set[str]) -> None:
        self.vault, self.id = vault, id
        self.paths = paths
        self.blobs: dict[str, bytes] = {}  # blob id -> bytes
        history = list(objects.commits(vault.repo, "--all"))
        self._find_by_id(history)
        self._find_by_path(history)
        self.commits = {commit.id for commit, _, _ in _places(history, self.blobs)}

    def _find_by_id(self, history: Iterable[RawCommit]) -> None:
        """Find the files with its id, wherever they are, and add their paths to those that it had."""
        line = id_line(self.id.encode())
        self.blobs |= {
            item.id: item.data
            for item in objects.stored(self.vault.repo)
            if item.kind == "blob" and line.search(item.data)
        }
        self.paths |= {path.removeprefix(self.vault.repo.prefix) for _, path, _ in _places(history, self.blobs)}

    def _find_by_path(self, history: Iterable[RawCommit]) -> None:
        """Find the files without an id at its paths: its versions from before it got one."""
        repo = self.vault.repo
        wanted = {repo.prefix + path: path for path in self.paths}
        places = {
            blob: wanted[change.path]
            for commit in history
            for change in commit.changes
            for mode, blob in ((change.old_mode, change.old_blob), (change.mode, change.blob))
            if change.path in wanted and blob and blob not in self.blobs and mode != MODULE
        }
        for (blob, path), data in zip(places.items(), repo.blobs(list(places)), strict=True):
            if trail.written_id(self.vault, data, path) in ("", self.id):
                self.blobs[blob] = data

    def target(self, now: datetime) -> PurgeTarget:
        """The target that purges all these versions."""
        stone = tombstone.written(self.id, moments.render(now)[:10])
        taken = self._taken()
        names = self._new_names(memory.stem(path) for path in self.paths - taken)
        moved = {
            path: join(dirname(path), names[memory.stem(path)] + ".md") for path in sorted(self.paths - taken)
        }
        titles = [title for title in self._titles() if len(_WORDS.findall(title)) > 1]
        words = dict.fromkeys(sorted(titles), tombstone.TITLE) | names
        prefix = self.vault.repo.prefix
        return PurgeTarget(
            "memory",
            (self.id,),
            in_messages=tuple((forms.word_pattern(word), new.encode()) for word, new in words.items()),
            in_files=tuple((forms.link_pattern(word), new.encode()) for word, new in names.items()),
            blobs=dict.fromkeys(self.blobs, stone),
            paths={prefix + old: prefix + new for old, new in moved.items()},
            kept_paths=tuple(sorted(taken & self.paths)),
            silenced=self.commits,
            needles=tuple(self._needles(words)),
        )

    def _taken(self) -> set[str]:
        """The paths where there is another memory now: its name stays."""
        records = self.vault.whole_index.records_at(sorted(self.paths))
        return {record.file for record in records if record.id != self.id}

    def _new_names(self, names: Iterable[str]) -> dict[str, str]:
        """name -> new name; all of them differ, so that no two files get the same path."""
        start = f"purged_memory_{self.id.replace('-', '')[-_SHORT_ID:]}"
        ordered = sorted(set(names))
        return {name: f"{start}_{at}" if at else start for at, name in enumerate(ordered)}

    def _titles(self) -> set[str]:
        notes = (self.vault.parse(data, "purged.md") for data in self.blobs.values())
        return {note.title for note in notes if note.title}

    def _needles(self, names: Iterable[str]) -> list[bytes]:
        """Patterns for the names, and for lines so long that they are surely a copy wherever they occur."""
        lines = {
            line.strip() for data in self.blobs.values() for line in data.decode("utf-8", "replace").split("\n")
        }
        long = sorted((line for line in lines if len(line) >= _LINE and self.id not in line), key=len)
        return [forms.word_pattern(name) for name in sorted(names)] + [
            forms.pattern(line) for line in long[-_LINES:]
        ]


def _places(history: Iterable[RawCommit], blobs: Iterable[str]) -> Iterator[tuple[RawCommit, str, str]]:
    """(commit, path, blob) for each change that has one of these blobs before or after it."""
    wanted = set(blobs)
    for commit in history:
        for change in commit.changes:
            for blob in {change.old_blob, change.blob} & wanted:
                yield commit, change.path, blob


def id_line(id: bytes) -> re.Pattern[bytes]:
    """A pattern for the line of a note that gives its id."""
    return re.compile(rb"(?m)^id:[ \t]*[\"']?%s\b" % re.escape(id))
