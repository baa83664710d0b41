"""Which memories a new one cites: that counts as use of them, as having been opened does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from mdmem.local import usage
from mdmem.note import links, memory
from mdmem.operation import Caller
from mdmem.text.yamltext import Value
from mdmem.vault.vault import Vault

# Relations that build on a memory; what a note replaces or contradicts was not of use to it.
_BUILDS_ON = ("supports", "related_to", "derived_from")
_PLACE = re.compile(r"([^\s/\[\]()`\"']+)\.md:\d+")  # how recall cites a line: path:line@commit
_NAME = re.compile(r"[^\W_]+(?:_[^\W_]+){2,}")  # the name of a note, which has three words or more


def count(vault: Vault, notes: Iterable[tuple[str, Mapping[str, Value]]], caller: Caller) -> None:
    """Count a use of each memory that notes (text, properties) written in a session link to or name.

    Without a session nobody says that the vault was asked before; nothing is counted then.
    """
    if not caller.session:
        return
    names = {name for text, properties in notes for name in _named(text, properties)}
    bearers = [vault.whole_index.named(name) for name in sorted(names)]
    usage.add_opened(vault.root, [records[0].id for records in bearers if len(records) == 1])


def _named(text: str, properties: Mapping[str, Value]) -> Iterator[str]:
    """The names of notes that a text or its relations have."""
    yield from (memory.stem(link.target) for link in links.to_notes(text))
    yield from _PLACE.findall(text)
    yield from _NAME.findall(text)
    for key in _BUILDS_ON:
        value = properties.get(key)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, str):
                yield memory.stem(links.wikilink_target(item) or item)
