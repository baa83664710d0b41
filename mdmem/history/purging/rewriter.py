"""What to purge, and the rules by which each file, name and message of a history is rewritten.

This file is loaded twice: by mdmem, and by the Python that git-filter-repo runs in, which may be another one
without mdmem. So it uses only the standard library.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

PLAN = "plan"  # the file with the rules, in the folder of a purge
MARK = b"(purged)"  # needs no escaping in YAML, JSON, links and file names
_TRAILER = re.compile(rb"[A-Za-z][A-Za-z-]*: .*")

Rule = tuple[bytes, bytes]


class PurgeTarget(NamedTuple):
    """What to purge: `kind` is "text" or "memory"; `ids` are those of the memories.

    `everywhere`, `in_messages` and `in_files` are (pattern, replacement) pairs. `blobs` maps blob ids to new
    contents, `paths` the paths that the memories had to new ones; `kept_paths` stay. `silenced` are the commits
    whose messages lose their text. `needles` are patterns that find copies outside git.
    """

    kind: str
    ids: tuple[str, ...] = ()
    everywhere: tuple[Rule, ...] = ()
    in_messages: tuple[Rule, ...] = ()
    in_files: tuple[Rule, ...] = ()
    blobs: Mapping[str, bytes] = {}
    paths: Mapping[str, str] = {}
    kept_paths: tuple[str, ...] = ()
    silenced: Mapping[str, None] = {}
    needles: tuple[bytes, ...] = ()

    def with_other(self, other: PurgeTarget) -> PurgeTarget:
        """One target for the memories of both."""
        pairs: Iterable[tuple[Any, Any]] = zip(self[1:], other[1:], strict=True)
        merged = (a + b if isinstance(a, tuple) else {**a, **b} for a, b in pairs)
        return PurgeTarget._make([self.kind, *merged])

    def becomes(self, id: str, kind: str, data: bytes) -> bytes:
        """The new content of an object of git's that is not a tree."""
        if kind == "blob":
            return self.file(id, data)
        head, gap, message = data.partition(b"\n\n")
        return self.name(head) + gap + self.message(id, message)

    def file(self, id: str, data: bytes) -> bytes:
        """The new content of a file."""
        return self.blobs.get(id) or _replaced((*self.everywhere, *self.in_files), data)

    def path(self, path: str) -> str:
        """The new path of a file."""
        return self.paths.get(path) or self.shown(path)

    def shown(self, path: str) -> str:
        """A path as it may be shown."""
        return self.name(path.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")

    def name(self, name: bytes) -> bytes:
        """The new name or address of an author."""
        return _replaced(self.everywhere, name)

    def message(self, id: str, message: bytes) -> bytes:
        """The new message of a commit.

        A silenced commit keeps its subject and trailers if mdmem made it; else its message is just "purged".
        """
        if id in self.silenced:
            subject, *parts = message.strip().split(b"\n\n")
            trailers = parts[-1] if parts and all(map(_TRAILER.fullmatch, parts[-1].split(b"\n"))) else b""
            ours = b"Memory-Action: " in trailers
            message = b"\n\n".join([subject, trailers] if ours else [b"purged"]) + b"\n"
        return _replaced((*self.everywhere, *self.in_messages), message)

    def elsewhere(self, data: bytes) -> bytes:
        """The new content of a file outside git."""
        return _replaced((*self.everywhere, *((needle, MARK) for needle in self.needles)), data)

    # -- callbacks for git-filter-repo -------------------------------------------------------------------------

    def on_blob(self, blob: Any) -> None:
        blob.data = self.file(blob.original_id.decode(), blob.data)

    def on_commit(self, commit: Any) -> None:
        commit.message = self.message(commit.original_id.decode(), commit.message)
        for part in ("author_name", "author_email", "committer_name", "committer_email"):
            setattr(commit, part, self.name(getattr(commit, part)))

    def on_tag(self, tag: Any) -> None:
        tag.message = self.message("", tag.message)
        tag.tagger_name, tag.tagger_email = (self.name(part) for part in (tag.tagger_name, tag.tagger_email))

    def on_filename(self, path: bytes) -> bytes:
        return self.path(path.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def load(place: str) -> PurgeTarget:
    """The rules in a file, which holds the `repr` of their fields."""
    with open(place, encoding="utf-8") as file:
        return PurgeTarget(**ast.literal_eval(file.read()))


def _replaced(rules: Iterable[Rule], data: bytes) -> bytes:
    for pattern, replacement in rules:
        data = re.sub(pattern, lambda _: replacement, data)  # noqa: B023 - used at once
    return data
