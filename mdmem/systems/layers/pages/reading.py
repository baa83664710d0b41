"""Reads the pages after bringing them up to date, in memory if nothing can be written."""

from __future__ import annotations

import errno
from difflib import get_close_matches

from mdmem.errors import NotFoundError, StoppedError
from mdmem.note import naming
from mdmem.store.local import files
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers.pages import tree
from mdmem.systems.layers.pages.aggregates import TopicMemory

_READ_ONLY = (errno.EACCES, errno.EPERM, errno.EROFS)


def _require_sight(vault: Vault) -> None:
    """Raise StoppedError if the pages may hold memories that the reader may not see.

    A person with a higher clearance may have generated them.
    """
    limit = vault.for_derived("pages").clearance.limit
    if vault.clearance.at_most(limit).limit != limit:
        raise StoppedError(
            f"the pages of topics hold memories up to '{limit}'; what is shown here is up to"
            f" '{vault.clearance.limit}'",
            "a person can read them",
        )


class CurrentPages:
    """The pages, up to date with their sources. `report` is that of the update."""

    def __init__(self, vault: Vault) -> None:
        """Bring the pages up to date. Raises as `tree.update`, except for a vault that cannot be written.

        Raises StoppedError if the pages may hold memories that the reader may not see.
        """
        _require_sight(vault)
        self._vault = vault
        self._unwritten: dict[str, bytes] = {}
        try:
            self.report = tree.update(vault)
        except OSError as error:
            if error.errno not in _READ_ONLY:
                raise
            self.report, self._unwritten = tree.unwritten(vault)
        self.topics = [one.topic for one in self.report.topics]

    def read(self, path: str) -> bytes:
        """The bytes of a page. Raises NotFoundError, NoteError."""
        return self._unwritten.get(path) or files.read(self._vault.root, path)

    def named(self, name: str) -> str:
        """The topic whose name is given as people write it. Raises NotFoundError, UsageError."""
        topic = name if name in self.topics else naming.topic(name)
        if topic in self.topics:
            return topic
        near = get_close_matches(topic, self.topics, 1)
        raise NotFoundError(f"there is no topic {topic}", f"did you mean {near[0]}?" if near else "mdmem topics")

    def topic(self, name: str) -> TopicMemory:
        """The memory of one of the `topics`. Raises as `read`."""
        path, _ = tree.paths_of(name, self._vault.config)
        return TopicMemory.from_bytes(self.read(path), path)


def topic_page(vault: Vault, name: str) -> tuple[bytes, bytes]:
    """The pages of a topic, whose name is given as people write it: JSON, Markdown.

    Raises as `CurrentPages`, and as its `named`.
    """
    pages = CurrentPages(vault)
    as_json, as_page = tree.paths_of(pages.named(name), vault.config)
    return pages.read(as_json), pages.read(as_page)


def global_page(vault: Vault) -> tuple[bytes, bytes]:
    """The global pages: JSON, Markdown. Raises NotFoundError if there are no topics, and as `CurrentPages`."""
    pages = CurrentPages(vault)
    if not pages.topics:
        raise NotFoundError("there are no topics yet", "mdmem ingest FILE --topic NAME makes one")
    return pages.read(tree.GLOBAL_JSON), pages.read(tree.GLOBAL_MD)
