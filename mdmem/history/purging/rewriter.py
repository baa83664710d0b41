"""The rules for rewriting each file, name and message of a history, as a value that git-filter-repo can be given.

This file is loaded twice: by mdmem, and by the Python that git-filter-repo runs in, which may be another one
without mdmem. So it uses only the standard library.
"""

from __future__ import annotations

import json
import re
from typing import Any

_TRAILER = re.compile(rb"[A-Za-z][A-Za-z-]*: .*")


class Rewriter:
    """The rules of one purge; `plan` is their JSON form.

    `everywhere` has (pattern, replacement) pairs, bytes as Latin-1, for files, names and messages; `in_messages`
    and `in_files` have those for messages or files only. `blobs` maps blob ids to new contents, `paths` maps old
    paths to new ones. `silenced` are the commits whose messages lose their text, `needles` patterns for files
    outside git.
    """

    def __init__(self, plan: dict[str, Any]) -> None:
        self.plan = plan
        everywhere = _compiled(plan["everywhere"])
        self._named = everywhere
        self._messages = [*everywhere, *_compiled(plan["in_messages"])]
        self._files = [*everywhere, *_compiled(plan["in_files"])]
        self._blobs = {id.encode(): _bytes(data) for id, data in plan["blobs"].items()}
        self._paths = {_bytes(old): _bytes(new) for old, new in plan["paths"].items()}
        self._elsewhere = [*everywhere, *_compiled((needle, "(purged)") for needle in plan["needles"])]
        self._silenced = {id.encode() for id in plan["silenced"]}

    def file(self, id: bytes, data: bytes) -> bytes:
        """The new content of a file."""
        return self._blobs.get(id) or _replaced(self._files, data)

    def path(self, path: bytes) -> bytes:
        """The new path of a file."""
        return self._paths.get(path) or _replaced(self._named, path)

    def name(self, name: bytes) -> bytes:
        """The new name or address of an author."""
        return _replaced(self._named, name)

    def message(self, id: bytes, message: bytes) -> bytes:
        """The new message of a commit.

        A silenced commit keeps its subject and trailers if mdmem made it; else its message is just "purged".
        """
        if id in self._silenced:
            subject, *parts = message.strip().split(b"\n\n")
            trailers = parts[-1] if parts and all(map(_TRAILER.fullmatch, parts[-1].split(b"\n"))) else b""
            ours = b"Memory-Action: " in trailers
            message = b"\n\n".join([subject, trailers] if ours else [b"purged"]) + b"\n"
        return _replaced(self._messages, message)

    def elsewhere(self, data: bytes) -> bytes:
        """The new content of a file outside git."""
        return _replaced(self._elsewhere, data)

    # -- callbacks for git-filter-repo -------------------------------------------------------------------------

    def blob(self, blob: Any) -> None:
        blob.data = self.file(blob.original_id, blob.data)

    def commit(self, commit: Any) -> None:
        commit.message = self.message(commit.original_id, commit.message)
        for part in ("author_name", "author_email", "committer_name", "committer_email"):
            setattr(commit, part, self.name(getattr(commit, part)))

    def tag(self, tag: Any) -> None:
        tag.message = self.message(b"", tag.message)
        tag.tagger_name, tag.tagger_email = (self.name(part) for part in (tag.tagger_name, tag.tagger_email))


def load(place: str) -> Rewriter:
    """The rules in a JSON file."""
    with open(place, encoding="utf-8") as file:
        return Rewriter(json.load(file))


def _compiled(rules: Any) -> list[tuple[re.Pattern[bytes], bytes]]:
    return [(re.compile(_bytes(pattern)), _bytes(replacement)) for pattern, replacement in rules]


def _replaced(rules: list[tuple[re.Pattern[bytes], bytes]], data: bytes) -> bytes:
    for pattern, replacement in rules:
        data = pattern.sub(lambda _: replacement, data)  # noqa: B023 - used at once
    return data


def _bytes(text: str) -> bytes:
    return text.encode("latin-1")
