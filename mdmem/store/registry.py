"""Registries: how a room uses what a room below it provides, without importing it.

Their table is `REGISTRIES` in `mdmem/__init__`. Each entry is imported when a setting enables it, or a call asks
for it by name.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import mdmem

if TYPE_CHECKING:
    from mdmem.errors import Problem
    from mdmem.note.memory import Memory
    from mdmem.store.config import VaultConfig
    from mdmem.store.operation import Caller, Operation

Paths = frozenset[str]
OpenVault = Any  # a `mdmem.store.vault.vault.Vault`, which this module does not import: the vault asks it


# Runs after the changes of a command are committed: it gets the paths that were changed, None if that is not
# known, and the seconds to wait for other processes. Raises MdmemError or OSError if it fails.
Follower = Callable[[OpenVault, Paths | None, float], None]


class Rewritten(NamedTuple):
    """A file that a change writes: its text `before` ("" for a new one) and `after`, and its former path."""

    before: str
    after: str
    origin: str = ""


# May object to a change before it is made, whose files it gets by path: it raises MdmemError to refuse the
# change, or tells the function that it gets what people should know.
Guard = Callable[[OpenVault, "Operation", Mapping[str, Rewritten], Callable[[str], None]], None]


class DerivedTree(Protocol):
    """Files derived from memories. A tree may also have `brief(vault, budget) -> str` for a session's pack.

    `mdmem.store.vault.derived` has what trees share: trees with folders of their own, and trees among other files.
    """

    name: str
    again: str  # the command that rebuilds it
    elsewhere: str  # how a person can move it elsewhere

    def files(self, vault: OpenVault) -> Iterator[tuple[str, bytes]]:
        """Path and bytes of every file that it should have."""

    def owns(self, path: str) -> bool:
        """Whether a file at that path would belong to this tree."""

    def claim(self, vault: OpenVault, ours: Collection[str]) -> None:
        """Have git ignore its files, of which `ours` are known. Raises ConflictError if a place is in use."""

    def present(self, vault: OpenVault, known: Iterable[str]) -> Mapping[str, Any]:
        """path -> stamp of each existing file that may be its own, including those `known` to be."""

    def top(self, path: str) -> str:
        """The folder that is left when a file is removed together with the folders that become empty."""

    def wrote(self, vault: OpenVault, path: str) -> bool:
        """Whether an unknown file looks as if the tree wrote it: the record of its files may be lost."""


class StaleNote(NamedTuple):
    """A note that is generated from others and out of date: generated again, its bytes would be `after`.

    `sources` are the paths of the notes it is generated from.
    """

    path: str
    name: str
    before: bytes
    after: bytes
    sources: tuple[str, ...]


class ImportedItem(Protocol):
    """Something to import."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """Its fields in JSON: `source`, `path` and any others; `renamed` and `archived` are flags."""


class ImportPlan(Protocol):
    """What an import would do. `known` maps each source that is in the vault already to its memory there."""

    @property
    def items(self) -> Sequence[ImportedItem]: ...
    @property
    def known(self) -> Mapping[str, str]: ...
    @property
    def problems(self) -> Sequence[Problem]: ...


class ImporterOption(NamedTuple):
    """An option `--name` of an importer's command, passed to `plan` as a keyword: one of `choices`, else ""."""

    name: str
    choices: tuple[str, ...]
    help: str


class Importer(Protocol):
    """A source of memories: read into a plan first, then written. It is the command `mdmem import NAME`.

    `NOUN` is the noun for one of its items, `HELP` the help text of its command. It may also have `OPTIONS`, a
    tuple of `ImporterOption`.
    """

    NOUN: str
    HELP: str
    TAKES: str  # what it reads: "folder", "path" (a folder or a file), or "file", of which "-" is standard input

    def plan(
        self, vault: OpenVault, given: str, progress: Callable[[int, int], None], allow_secret: bool = False
    ) -> Any:
        """The ImportPlan of the folder `given`; `progress` gets (done, total)."""

    def write(self, vault: OpenVault, planned: Any, caller: Caller, reason: str = "") -> str:
        """Write what was planned; returns the id of the commit, "" if there was nothing to do."""


class RowReader(Protocol):
    """Turns raw files into rows of the index.

    One is created for each reading of the vault, with a function that reads files, and the settings.
    """

    def sources(self, path: str) -> Iterable[str]:
        """The files whose rows depend on the raw file at a path; none if it is not for this reader."""

    def rows(self, source: str) -> Iterator[Any]:
        """The rows of a source and the amendments that it makes (see mdmem.store.index.port); none if it is gone.

        Content that cannot be understood gives no rows; `doctor` reports it. Raises NoteError for a file that
        cannot be read.
        """


class Retirement(Protocol):
    """Where and how to record that a fact no longer holds."""

    def path(self, topic: str, config: VaultConfig) -> str:
        """The file that records this for the facts of a topic."""

    def retired(self, before: bytes | None, fact_id: str, why: str, when: str) -> bytes:
        """The bytes of that file with the fact recorded; `before` are its current ones, None for no file."""


class MergedFile(NamedTuple):
    """The merge of two versions of a file: its bytes.

    `conflicts` are `mdmem.history.merging.conflict.MergeConflict`s, which are also marked in `data`. `two` are
    two files of one name that are both to be kept: the bytes of the one that keeps it, and of the one that needs
    another.
    """

    data: bytes
    conflicts: tuple[Any, ...] = ()
    two: tuple[bytes, bytes] | None = None


# Merges the base (None if the two have no common ancestor), our and their version of a kind of file. It is pure,
# and is only called if both sides changed the file.
MergeRule = Callable[[bytes | None, bytes, bytes], MergedFile]


class RegistryEntry(NamedTuple):
    """One line of the table: `place` is "module" or "module:attribute".

    `setting` enables it: "" is always, "mirror.enabled" a setting that is true, "topics/" a setting that names a
    folder of the vault that exists, ".mdmem/x" a file that does, "loaded" a module that this process has loaded.
    """

    name: str
    place: str
    setting: str = ""

    def load(self) -> Any:
        """Import what the entry names, and return it."""
        module, _, attribute = self.place.partition(":")
        __import__(module)  # as importlib does, which has to be loaded first
        loaded = sys.modules[module]
        return getattr(loaded, attribute) if attribute else loaded

    def is_wanted(self, config: VaultConfig, root: str = "") -> bool:
        """Whether the settings of a vault, and what is in its folder `root`, enable it."""
        if self.setting == "loaded":
            return self.place.partition(":")[0] in sys.modules
        if self.setting.endswith("/"):
            return bool(root) and os.path.isdir(os.path.join(root, getattr(config, self.setting[:-1])))
        if "/" in self.setting:
            return bool(root) and os.path.isfile(os.path.join(root, self.setting))
        section, _, name = self.setting.partition(".")
        return not section or bool(getattr(getattr(config, section), name))


def entries(kind: str) -> list[RegistryEntry]:
    """The lines of the table for one kind; nothing is imported."""
    return [RegistryEntry(*line) for line in mdmem.REGISTRIES[kind]]


def followers(vault: OpenVault) -> Iterator[tuple[str, Follower]]:
    """The followers that a vault enables, by name."""
    return _wanted("followers", vault.config, vault.root)


def guards(config: VaultConfig) -> Iterator[tuple[str, Guard]]:
    """The guards of every change, by name."""
    return _wanted("guards", config)


def trees(vault: OpenVault) -> Iterator[DerivedTree]:
    """The derived trees that a vault enables."""
    for _, make in _wanted("trees", vault.config, vault.root):
        yield make(vault.config)


def all_trees(vault: OpenVault) -> Iterator[DerivedTree]:
    """Every derived tree, including those that the vault does not enable: a command may have written them once."""
    for entry in entries("trees"):
        yield entry.load()(vault.config)


def row_readers(read: Callable[[str], bytes | None], config: VaultConfig) -> Iterator[RowReader]:
    """The readers of raw files; `read` gives them the bytes of a file, None if it is gone."""
    for _, make in _wanted("readers", config):
        yield make(read, config)


def traits(note: Memory) -> Iterable[Any]:
    """The traits by which the index finds a memory, besides words and properties: `index.port.Trait`s."""
    for entry in entries("traits"):
        if entry.name == note.type:
            yield from entry.load()(note)


def retirement() -> Retirement:
    """How facts are retired."""
    loaded: Retirement = _named("retirement")
    return loaded


def stale_notes(vault: OpenVault) -> Iterator[StaleNote]:
    """The outdated ones of the notes that are made by rule."""
    for _, stale in _wanted("made_notes", vault.config, vault.root):
        yield from stale(vault)


def merge_rule(name: str) -> MergeRule:
    """The merge rule of that name."""
    loaded: MergeRule = _named("merge_rules", name)
    return loaded


def settle_purge(vault: OpenVault) -> None:
    """Complete or undo a purge that was interrupted; the caller holds the vault's lock."""
    _named("purges")(vault)


def offers(vault: OpenVault, path: str, session: str) -> Iterator[str]:
    """What the transcript at a path could become, each with its command."""
    for _, offer in _wanted("offers", vault.config, vault.root):
        if text := offer(vault, path, session):
            yield text


def tell_undone(vault: OpenVault, sessions: Collection[str]) -> None:
    """Have the rooms above tell what they still hold of sessions that were undone."""
    for _, tell in _wanted("undone", vault.config):
        tell(vault, sessions)


def importer(name: str) -> Importer:
    """The importer of that name."""
    loaded: Importer = _named("importers", name)
    return loaded


def names(kind: str) -> Collection[str]:
    """The names of the entries of a kind."""
    return [entry.name for entry in entries(kind)]


def _named(kind: str, name: str = "") -> Any:
    """What the entry of a kind with that name is, or its only entry."""
    (entry,) = [entry for entry in entries(kind) if name in ("", entry.name)]
    return entry.load()


def _wanted(kind: str, config: VaultConfig, root: str = "") -> Iterator[tuple[str, Any]]:
    for entry in entries(kind):
        if entry.is_wanted(config, root):
            yield entry.name, entry.load()
