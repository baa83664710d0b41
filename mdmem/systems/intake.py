"""Notes of another format on their way into a vault: what an import would do, and the commit that does it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from mdmem.errors import ConflictError, Problem
from mdmem.note import memory, naming
from mdmem.note.memory import Memory
from mdmem.note.naming import NameFinding
from mdmem.store import layout
from mdmem.store.local import usage
from mdmem.store.local.usage import Use
from mdmem.store.operation import Caller
from mdmem.store.registry import Rewritten
from mdmem.store.vault.transaction import Transaction
from mdmem.store.vault.vault import Vault
from mdmem.write import guard, remember

_T = TypeVar("_T")
Rule = Callable[[str], list[NameFinding]]


class Item(NamedTuple):
    """A note to import: its path in the vault, its bytes, its `facts` in JSON output, the parsed note if any.

    `before` are the bytes of a memory that it updates, None for a new one.
    """

    path: str
    data: bytes
    facts: Mapping[str, Any]
    note: Memory | None = None
    before: bytes | None = None


@dataclass(frozen=True)
class Intake:
    """What an import would do. `known` maps what is in the vault already, by its name at the source.

    Problems of severity error are about what is left out; warnings are about anything else a person should know.
    `trailers` (key, value) go into the message of the commit, and `also` adds to it. `uses` are the former uses of
    memories, by id.
    """

    items: tuple[Item, ...]
    known: Mapping[str, str]
    problems: tuple[Problem, ...]
    trailers: Sequence[tuple[str, str]] = field(default=(), kw_only=True)
    also: Callable[[Transaction], None] = field(default=lambda _: None, kw_only=True)
    uses: Mapping[str, Use] = field(default_factory=dict, kw_only=True)


class ImportProblems(list[Problem]):
    """The problems of an import, in the order in which they came up."""

    def left_out(self, source: str, message: str, fix: str, line: int = 0) -> None:
        """A note, or a whole file, cannot be imported. The others still are."""
        self.append(Problem("import", source, line, message, fix))

    def not_carried(self, source: str, message: str, fix: str, line: int = 0) -> None:
        """Something in a source is not imported."""
        self.append(Problem("import", source, line, message, fix, "warning"))

    def another_text(self, source: str, path: str) -> None:
        """A source is the memory at a path already, which has another text."""
        self.not_carried(
            source,
            f"is in the vault as {path}, with another text; that one stays",
            "compare them, and mdmem edit it if need be",
        )


def distinct(given: Iterable[_T], identity: Callable[[_T], str]) -> tuple[list[_T], list[tuple[_T, _T]]]:
    """(what is given, each identity once, what has the identity of an earlier one, with that one)."""
    first: dict[str, _T] = {}
    pairs = [(one, first.setdefault(identity(one), one)) for one in given]
    return list(first.values()), [(one, other) for one, other in pairs if one is not other]


def without_secrets(
    vault: Vault,
    given: Iterable[_T],
    said: Callable[[_T], tuple[str, str]],
    problems: list[Problem],
    allow_secret: bool,
) -> list[_T]:
    """What is given, without what holds a secret, which becomes a problem, unless `allow_secret`.

    `said` gives (source, text) of one thing.
    """
    kept = []
    for one in given:
        leak = None if allow_secret else guard.secret_in(vault, *said(one))
        if leak:
            problems.append(leak)
        else:
            kept.append(one)
    return kept


def write(vault: Vault, planned: Intake, caller: Caller, reason: str = "") -> str:
    """Write a plan in one commit and return its id, "" if there was nothing to do.

    Raises ConflictError if one of the files has been created or changed since.
    """
    with vault.change(caller.does("import", reason, *planned.trailers)) as tx:
        for item in planned.items:
            _stage(tx, item)
        planned.also(tx)
    if planned.uses:
        usage.put(vault.root, planned.uses)
    return tx.commit


def _stage(tx: Transaction, item: Item) -> None:
    """Stage a file of a plan, from which notes with secrets were left out already."""
    path, data = item.path, item.data
    if tx.read(path) != item.before:
        done = "is there already" if item.before is None else "was changed"
        raise ConflictError(f"{path} {done}", "try again")
    tx.write(path, data, item.note, screened=True)
    written = {path: Rewritten("", data.decode("utf-8", "replace"))}
    guard.tell_orders(tx.vault, tx.operation, written, tx.vault.tell)


# -- names ---------------------------------------------------------------------------------------------------


class NewNames:
    """Names for the notes of one import, unique among them and among the memories of the vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._used: set[str] = set()
        self._rule = remember.name_rule(vault)

    def made(self, title: str, text: str, path_of: Callable[[str], str], old: str = "") -> str:
        """The `old` name if it is good and free, else one from the title or text. `path_of` gives its path."""
        name = new_name(old, title, text, lambda wanted: self._is_taken(wanted, path_of), self._rule)
        self._used.add(memory.fold(name))
        return name

    def _is_taken(self, name: str, path_of: Callable[[str], str]) -> bool:
        if memory.fold(name) in self._used or remember.is_taken(self._vault, name):
            return True
        return os.path.lexists(os.path.join(self._vault.root, path_of(name)))  # such as a note that cannot be read


def path_for(vault: Vault, names: NewNames, title: str, text: str, created: str) -> str:
    """A free path for a new note, named after its title or text, in the folder for its time (RFC 3339)."""

    def path_of(name: str) -> str:
        return layout.path_for(name, created, vault.config)

    return path_of(names.made(title, text, path_of))


def new_name(old: str, title: str, text: str, taken: Callable[[str], bool], rule: Rule = naming.check) -> str:
    """A good name that is free: the old one, if need be in lower case, or else one made from the title."""
    for name in (old, "_".join(naming.words_of(old))):  # the second with its words as the protocol writes them
        if name and is_good(name, rule) and not taken(name):
            return name
    return naming.make(title, text, taken)


@lru_cache(1 << 14)  # each name of an import is checked several times
def is_good(name: str, rule: Rule = naming.check) -> bool:
    """Whether a name follows the protocol, or another `rule`."""
    return not any(finding.severity == "error" for finding in rule(name))
