"""Reads the pages after bringing them up to date, in memory if nothing can be written."""

from __future__ import annotations

import errno
from difflib import get_close_matches
from typing import NamedTuple

from mdmem.errors import NotFoundError, StoppedError
from mdmem.note import naming
from mdmem.store.local import files
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers.pages import tree
from mdmem.systems.layers.pages.aggregates import GlobalMemory, TopicMemory

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

    def topic(self, name: str) -> TopicMemory:
        """The memory of one of the `topics`. Raises as `read`."""
        path, _ = tree.paths_of(name, self._vault.config)
        return TopicMemory.from_bytes(self.read(path), path)


class TopicPage(NamedTuple):
    """The two pages of a topic: the memory, and the Markdown for people."""

    memory: TopicMemory
    text: str


class GlobalPage(NamedTuple):
    """The two global pages: the memory, and the Markdown for people."""

    memory: GlobalMemory
    text: str


def topic_page(vault: Vault, name: str) -> TopicPage:
    """The pages of a topic, whose name is given as people write it.

    Raises NotFoundError, UsageError for a name that cannot be a topic's, and as `CurrentPages`.
    """
    topic = naming.topic(name)
    pages = CurrentPages(vault)
    if topic not in pages.topics:
        near = get_close_matches(topic, pages.topics, 1)
        raise NotFoundError(f"there is no topic {topic}", f"did you mean {near[0]}?" if near else "mdmem topics")
    _, as_page = tree.paths_of(topic, vault.config)
    return TopicPage(pages.topic(topic), pages.read(as_page).decode())


def global_page(vault: Vault) -> GlobalPage:
    """The global pages. Raises NotFoundError if there are no topics, and as `CurrentPages`."""
    pages = CurrentPages(vault)
    if not pages.topics:
        raise NotFoundError("there are no topics yet", "mdmem ingest FILE --topic NAME makes one")
    memory = GlobalMemory.from_bytes(pages.read(tree.GLOBAL_JSON), tree.GLOBAL_JSON)
    return GlobalPage(memory, pages.read(tree.GLOBAL_MD).decode())
