"""What is asked of the pages: each is brought up to date before it is shown."""

from __future__ import annotations

from difflib import get_close_matches
from typing import NamedTuple

from mdmem.errors import NotFoundError, StoppedError
from mdmem.local import files
from mdmem.note import naming
from mdmem.systems.layers.pages import tree
from mdmem.systems.layers.pages.aggregates import GlobalMemory, TopicMemory
from mdmem.vault.vault import Vault


class TopicPage(NamedTuple):
    """A topic as its files have it: the memory, and the page for people."""

    memory: TopicMemory
    text: str


class GlobalPage(NamedTuple):
    """The same of all topics."""

    memory: GlobalMemory
    text: str


def _require_sight(vault: Vault) -> None:
    """Refuse pages that hold what may not be seen: a person made them so. Raises StoppedError."""
    limit = vault.for_derived("pages").clearance.limit
    if vault.clearance.at_most(limit).limit != limit:
        raise StoppedError(
            f"the pages of topics hold memories up to '{limit}'; what is shown here is up to"
            f" '{vault.clearance.limit}'",
            "a person can read them",
        )


def topic_page(vault: Vault, name: str) -> TopicPage:
    """The page of a topic, given as people write it. Raises NotFoundError, and as `tree.update`."""
    _require_sight(vault)
    topic = naming.topic(name)
    known = [one.topic for one in tree.update(vault).topics]
    if topic not in known:
        near = get_close_matches(topic, known, 1)
        raise NotFoundError(f"there is no topic {topic}", f"did you mean {near[0]}?" if near else "mdmem topics")
    as_json, as_page = tree.paths_of(topic, vault.config)
    memory = TopicMemory.from_bytes(files.read(vault.root, as_json), as_json)
    return TopicPage(memory, files.read(vault.root, as_page).decode())


def global_page(vault: Vault) -> GlobalPage:
    """The page of all topics. Raises NotFoundError if there are none, and as `tree.update`."""
    _require_sight(vault)
    if not tree.update(vault).topics:
        raise NotFoundError("there are no topics yet", "mdmem ingest FILE --topic NAME makes one")
    memory = GlobalMemory.from_bytes(files.read(vault.root, tree.GLOBAL_JSON), tree.GLOBAL_JSON)
    return GlobalPage(memory, files.read(vault.root, tree.GLOBAL_MD).decode())
