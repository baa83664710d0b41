"""What a reader may see of a vault's past: its commits, changes and deleted memories.

The sensitivity that a memory has now applies to all of its past, under every name it had; for a deleted memory,
that of its last version. A commit that is only about hidden memories is left out; of other commits, the changes
to hidden memories are.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from mdmem.errors import NoteError
from mdmem.note.trust import redaction, sensitivity
from mdmem.store.git.log import Commit
from mdmem.store.index.edges import fold_target
from mdmem.store.vault.vault import Vault


class PastSight:
    """What the clearance of a vault allows its reader to see of the past."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self.is_full = vault.clearance.is_full

    @cached_property
    def hidden(self) -> frozenset[str]:
        """The paths, old ones included, of memories that the reader may not see."""
        if self.is_full:
            return frozenset()
        now = self._vault.index.concealed.paths
        hidden = {*now, *self._gone()}
        origins = self._vault.whole_index.origins() if hidden else {}
        pending = list(hidden)
        while pending:
            older = origins.get(pending.pop(), set()) - hidden
            hidden |= older
            pending += older
        there = {record.file for record in self._vault.index.records_at(sorted(hidden))}
        return frozenset(hidden - there)

    @cached_property
    def redact(self) -> Callable[[str], str]:
        """Removes the names of hidden memories, living or deleted, from a text."""
        return redaction.redactor({fold_target(path) for path in self.hidden}, fold_target)

    @property
    def mark(self) -> str:
        """A checksum that differs if other memories are hidden; "" if none are."""
        import zlib

        return f"{zlib.crc32(chr(0).join(sorted(self.hidden)).encode()):08x}" if self.hidden else ""

    def shows(self, path: str) -> bool:
        """Whether the reader may see the file at a path."""
        return self.is_full or path not in self.hidden

    def shows_content(self, data: bytes, path: str) -> bool:
        """Whether the reader may see a version of a file, judged by its own properties."""
        return self.is_full or self._vault.clearance.shows(*self._marking(data, path))

    def _marking(self, data: bytes, path: str) -> tuple[str, str]:
        """The (level, scope) of a version of a file. One that cannot be read as a note is hidden from nobody."""
        if not sensitivity.may_be_marked(data):
            return sensitivity.UNMARKED, ""
        try:
            level, scope = sensitivity.marking(self._vault.parse(data, path))
        except NoteError:
            return sensitivity.LOWEST, ""
        return level or sensitivity.UNMARKED, scope

    def commits(self, commits: Iterable[Commit]) -> Iterator[Commit]:
        """The commits, as far as the reader may see them."""
        for commit in commits:
            yield from self.commit(commit)

    def commit(self, commit: Commit) -> Iterator[Commit]:
        """The commit, as far as the reader may see it; nothing if it is only about hidden memories."""
        if self.is_full:
            yield commit
            return
        kept = tuple(each for each in commit.changes if self.shows(each.path) and self.shows(each.old_path))
        operation = commit.operation
        if kept == commit.changes:
            yield commit._replace(operation=operation._replace(reason=self.redact(operation.reason)))
        elif kept:
            yield commit._replace(
                changes=kept, operation=operation._replace(reason="", names=(), ids=(), extra=())
            )

    def _gone(self) -> Iterator[str]:
        """The paths of deleted or moved files whose last version the reader may not see."""

        def read(versions: Mapping[str, str]) -> Iterator[tuple[str, str]]:
            return map(self._marking, self._vault.repo.blobs(list(versions.values())), versions)

        markings = self._vault.whole_index.markings_gone(read)
        return (path for path, marking in markings.items() if not self._vault.clearance.shows(*marking))

    def value(self, value: Any) -> Any:
        """A value made of texts, lists and dicts, without the names of hidden memories."""
        return value if self.is_full else redaction.redacted_value(value, self.redact)
