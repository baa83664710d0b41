"""Which memory a person means by NAME: its stem, path, id, a link to it, or a unique near match."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from posixpath import basename
from typing import TYPE_CHECKING

from mdmem.errors import MdmemError, NoteError, NotFoundError, StoppedError, UsageError
from mdmem.note import links, memory
from mdmem.note.patterns import late
from mdmem.note.plural import some
from mdmem.store import layout
from mdmem.store.index import port
from mdmem.store.index.port import ENTRY, FACT, Catalogue, IndexedNote
from mdmem.store.local import files, place
from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    from datetime import datetime

    from mdmem.note.filters import Filter
    from mdmem.store.vault.several import NamedVault, OpenVaults

_NEAR, _GAP = 85.0, 5.0  # of 100: how alike a name must be to be meant, and how far ahead of the next
_SHOWN = 8
_CALLED = 50  # memories with the most words of a title that are looked at
_SOURCES = (ENTRY, FACT)
_ADDRESS = late(r"([\w-]+):(\S.*)")
_OTHER = "name its vault with --vault"
_FACT_ID = re.compile(r"[0-9a-f]{16}")


def find(vault: Vault, name: str, exactly: bool = False) -> IndexedNote:
    """The memory that NAME means, near matches included unless `exactly`: for commands that only read.

    Raises NotFoundError with the nearest names if nothing matches, UsageError with the candidates if several do,
    NoteError for a file that cannot be read as a note.
    """
    name = within(vault, name)
    if exact := find_exact(vault, name):
        return exact
    for problem in vault.index.problems():  # a file that is not text, or too large, is not a memory
        if problem.path == name or memory.stem(problem.path) == memory.stem(name):
            raise NoteError(problem)
    near = [] if exactly else near_names(vault.index.names(), name)
    if len(near) > 1:
        raise UsageError(f"'{name}' may mean {len(near)} memories", "say which: " + ", ".join(near[:_SHOWN]))
    if not near:
        raise _missing(vault, name)
    return _only(vault.index.named(near[0]), near[0])


def named(vault: Vault, name: str) -> IndexedNote:
    """The memory with exactly that name, path or id: for commands that write, which must not act on a near match.

    Raises as `find`.
    """
    return find(vault, name, exactly=True)


def meant(
    vault: Vault, names: Sequence[str], conditions: Sequence[Filter], now: datetime, verb: str, agreed: bool
) -> list[IndexedNote]:
    """The memories of these names, each once, or those that pass the filters.

    What filters select has to be `agreed` to: else StoppedError says which would be changed. Raises UsageError
    for names and filters, or neither, NotFoundError if there is no such memory.
    """
    if bool(names) == bool(conditions):
        raise UsageError("say which memories", "give names, or filters such as --where tags=draft")
    if names:
        return list({(record := named(vault, name)).path: record for name in names}.values())
    from mdmem.store.index import selection

    wanted = selection.understood(vault.index, conditions, now)
    found = list(selection.each(vault.index, wanted, archived=False))
    if not found:
        raise NotFoundError("no memory passes the filters", "mdmem list with the same filters shows what does")
    if not agreed:
        said = some([record.name for record in found], _SHOWN)
        hint = "--yes does it; mdmem list with the same filters shows them"
        raise StoppedError(f"{len(found)} of {vault.index.count()} memories would be {verb}: {said}", hint)
    return found


def within(vault: Vault, text: str) -> str:
    """The name by which a text means a memory of this vault: NAME, if it is an address `VAULT:NAME` of this vault.

    Answers of several vaults have such addresses. Raises NotFoundError for an address of another vault or of none,
    and for a path that leads out of this one. A memory whose own name looks like an address is still found by it.
    """
    # nobody is to learn here whether anything is there
    may_lead_out = os.path.isabs(text) or text.startswith("..")
    if may_lead_out and not os.path.realpath(text).startswith(f"{vault.root}{os.sep}"):
        raise NotFoundError(f"there is no memory '{text}': that is not in this vault", _OTHER)
    address = _ADDRESS.fullmatch(text.strip())
    if not address or not place.may_be_several() or find_exact(vault, text):
        return text
    called, name = address.groups()
    root = next((each.root for each in place.several(vault.root).every if each.name == called), None)
    if root is None:
        missing = f"there is no memory '{text}', and no vault is called {called}"
        raise NotFoundError(missing, "mdmem vaults shows the list")
    if os.path.realpath(root) != vault.root:
        raise NotFoundError(f"{text} is not in this vault, but in {root}", _OTHER)
    return name


def _missing(vault: Vault, name: str) -> NotFoundError:
    for stub in vault.index.concealed.stubs:
        if name.strip() == stub.id:
            limit = vault.clearance.limit
            return NotFoundError(
                f"memory {stub.id} is of sensitivity {stub.sensitivity}; what is shown here is up to {limit}",
                "ask a person to show it: mdmem show " + stub.id,
            )
    names = vault.index.names()
    closest = near_names(names, name)[:_SHOWN] or _closest(names, name)
    hint = "nearest: " + ", ".join(closest) if closest else "mdmem list shows what there is"
    return NotFoundError(f"there is no memory '{name}'", hint)


def near_names(names: list[str], text: str) -> list[str]:
    """The names that contain every word of a text, else those that are nearly it."""
    words = memory.stem(text).lower().replace("_", " ").split()
    return [name for name in names if words and all(word in name.lower() for word in words)] or _alike(names, text)


def find_exact(vault: Vault, name: str, of: Catalogue | None = None) -> IndexedNote | None:
    """The memory with exactly that path, name, id, title or alias, now or in the catalogue `of` another time.

    Blanks in a name stand for its underscores. None for none; raises UsageError for several.
    """
    target = links.wikilink_target(name) or name.strip()
    index = of or vault.index
    record = index.record(inner_path(vault, target)) or index.record(inner_path(vault, target) + ".md")
    if record:
        return record
    found = index.named(memory.stem(target)) if "/" not in target else []
    found = found or index.with_id(target) or _called(index, target)
    return _only(found, name) if found else None


def _called(index: Catalogue, text: str) -> list[IndexedNote]:
    """The memories that have a text as name with blanks, else as title or alias, in any letter case."""
    from mdmem.store.index import alike

    wanted = memory.fold(text)
    found = index.named(wanted.replace(" ", "_")) if " " in wanted else []
    return found or [
        record
        for record in alike.candidates(index, text, _CALLED)
        if wanted in map(memory.fold, (record.title, *memory.aliases_of(record.meta)))
    ]


def may_mean_source(name: str) -> bool:
    """Whether a name has the form of an entry's or a fact's; see `find_sources`."""
    last = basename(name.strip().rstrip("/")).rpartition("#")[2]
    return last == layout.RAW_FILE or layout.is_entry_id(last) or bool(_FACT_ID.fullmatch(last))


def find_sources(vault: Vault, name: str, catalogue: Catalogue) -> list[IndexedNote]:
    """The rows that a key, a path, `topic/id` or an id of an entry or fact means, the latest first; [] for none.

    A fact that is stated in several places has a row for each. Raises UsageError for an entry in several topics.
    """
    target = inner_path(vault, name.strip().rstrip("/"))
    for key in (target, f"{target}/{layout.RAW_FILE}"):
        if record := catalogue.record(key, _SOURCES):
            return [record]
    topic = basename(target.rpartition("/")[0])
    named = [record for record in catalogue.with_id(basename(target), _SOURCES) if topic in ("", record.topic)]
    entries = [record for record in named if record.kind == ENTRY]
    if len(entries) > 1:
        paths = ", ".join(record.path for record in entries)
        raise UsageError(f"{len(entries)} topics have an entry {name}", f"name one by its path: {paths}")
    return sorted(named, key=lambda record: (record.created, record.path), reverse=True)


def split_revision(vault: Vault, text: str) -> tuple[str, str]:
    """NAME@REV as (NAME, REV); REV is "" if none is given. A name that contains an @ is first tried as a whole."""
    name, at, rev = text.rpartition("@")
    if not at or not name or find_exact(vault, text):
        return text, ""
    return name, rev


def inner_path(vault: Vault, path: str) -> str:
    """A path as typed, made relative to the vault: an absolute one, or one relative to the current folder."""
    if os.path.isabs(path):
        return files.relative(path, vault.root)
    here = files.relative(os.path.abspath(path), vault.root)
    return here if "/" in path and os.path.exists(path) and not here.startswith("..") else path


def _only(found: list[IndexedNote], name: str) -> IndexedNote:
    if len(found) > 1:
        paths = ", ".join(record.path for record in found[:_SHOWN])
        raise UsageError(f"{len(found)} memories are called '{name}'", f"name one by its path: {paths}")
    return found[0]


def _alike(names: list[str], text: str) -> list[str]:
    from rapidfuzz import fuzz, process

    wanted = memory.stem(text).lower().replace(" ", "_")
    found = process.extract(
        wanted, names, scorer=fuzz.ratio, processor=str.lower, score_cutoff=_NEAR, limit=_SHOWN
    )
    if len(found) > 1 and found[0][1] - found[1][1] >= _GAP:
        found = found[:1]
    return [name for name, _, _ in found]


def _closest(names: list[str], text: str) -> list[str]:
    from rapidfuzz import fuzz, process

    wanted = memory.stem(text).lower()
    found = process.extract(wanted, names, scorer=fuzz.WRatio, processor=str.lower, score_cutoff=50, limit=3)
    return sorted((name for name, _, _ in found), key=lambda name: -fuzz.ratio(wanted, name.lower()))


def holder(vaults: Vault | OpenVaults, text: str) -> tuple[Vault, str, str]:
    """(vault, its name among several or "", the text within it) for the memory that a text names.

    If no vault has it exactly, it is the one with a near match; a revision stays part of the text.

    Raises NotFoundError if none has it, UsageError if several have, and MdmemError if the vault that the text
    names cannot be read.
    """
    if isinstance(vaults, Vault):
        return vaults, "", text
    asked, _, own = text.partition(":")
    for name, vault in vaults.every:
        if name == asked and own:
            return vault, name, own
    for unread in vaults.unread:
        if unread.name == asked and own:
            raise MdmemError(f"{asked} cannot be read: {unread.message}", unread.hint)
    having = [each for each in vaults.every if _has(each.vault, text)]
    if not having:
        having = _nearly(vaults, text)
    if len(having) > 1:
        names = " or ".join(port.qualified(each.name, text) for each in having)
        raise UsageError(f"{len(having)} vaults have '{text}'", f"write {names}")
    return having[0].vault, having[0].name, text


def _has(vault: Vault, text: str) -> bool:
    """Whether a vault has a memory, entry or fact of exactly that name."""
    name, _ = split_revision(vault, text)
    return bool(find_exact(vault, name) or (may_mean_source(name) and find_sources(vault, name, vault.index)))


def _nearly(vaults: OpenVaults, text: str) -> list[NamedVault]:
    """The vaults that have a near match. Raises NotFoundError if none has, if possible with nearest names."""
    having, missing = [], []
    for each in vaults.every:
        try:
            find(each.vault, split_revision(each.vault, text)[0])
            having.append(each)
        except NotFoundError as error:
            missing.append(error)
    if not having:
        raise next((error for error in missing if error.hint.startswith("nearest")), missing[0])
    return having
