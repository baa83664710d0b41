"""Which memories a new one cites: that counts as a use of them, like opening them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from mdmem.note import links, memory
from mdmem.note.yamltext import Value
from mdmem.store.local import usage
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

# Relations that build on a memory; a memory that is replaced or contradicted was not used.
_BUILDS_ON = ("supports", "related_to", "derived_from")
# recall's form of citing a line: path:line@commit; like a name, it is only tried where a run of its signs begins
_PLACE = re.compile(r"(?<![^\s/\[\]()`\"'])([^\s/\[\]()`\"']+)\.md:\d+")
_NAME = re.compile(r"(?<![^\W_])[^\W_]+(?:_[^\W_]+){2,}")  # the name of a note, which has at least three words


def count(vault: Vault, notes: Iterable[tuple[str, Mapping[str, Value]]], caller: Caller) -> None:
    """Count a use of each memory that new notes (text, properties) of a session link to or name.

    Without a session, nothing says that the vault was asked before, so nothing is counted.
    """
    if not caller.session:
        return
    names = {name for text, properties in notes for name in _named(text, properties)}
    bearers = [vault.whole_index.named(name) for name in sorted(names)]
    usage.add_opened(vault.root, [records[0].id for records in bearers if len(records) == 1])


def _named(text: str, properties: Mapping[str, Value]) -> Iterator[str]:
    """The names of notes that occur in a text or in its relations."""
    yield from (memory.stem(link.target) for link in links.to_notes(text))
    yield from _PLACE.findall(text)
    yield from _NAME.findall(text)
    for key in _BUILDS_ON:
        value = properties.get(key)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, str):
                yield memory.stem(links.wikilink_target(item) or item)
