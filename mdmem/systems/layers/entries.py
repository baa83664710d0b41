"""The entries of a vault: each is a folder, `topics/<topic>/<entry id>/`, with a dialog and its summary."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from posixpath import dirname
from typing import NamedTuple, TypeVar

from mdmem.errors import MdmemError, NoteError, NotFoundError, Problem, UsageError, warning
from mdmem.note import moments
from mdmem.note.memory import IMPORTED
from mdmem.note.terminal import cut
from mdmem.store import layout
from mdmem.store.config import VaultConfig
from mdmem.store.index import rows
from mdmem.store.index.port import ENTRY, Amendment, SourceRow
from mdmem.store.local import files
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import curation, dialog, documents
from mdmem.systems.layers.documents import EntryMeta, EntrySummary

_FROM_GIT = "bring the file back: git restore, or mdmem undo"


class EntryPlace(NamedTuple):
    """The location of an entry: its topic, its id, and its folder relative to the vault."""

    topic: str
    entry_id: str
    folder: str

    @property
    def name(self) -> str:
        """The entry's name in commits and lists: `topic/id`."""
        return f"{self.topic}/{self.entry_id}"

    def path(self, part: str) -> str:
        """The path of one of the entry's files, such as raw.md."""
        return f"{self.folder}/{part}"


def topics(vault: Vault) -> list[str]:
    """The names of the topic folders, sorted; symbolic links and hidden folders are not topics."""
    return _folders(os.path.join(vault.root, vault.config.topics))


def places(vault: Vault, topic: str = "") -> Iterator[EntryPlace]:
    """The locations of the entries of `topic`, or of all topics if it is "", by topic and time."""
    for name in [topic] if topic else topics(vault):
        for entry_id in ids(vault, name):
            yield place_of(vault, name, entry_id)


def place_of(vault: Vault, topic: str, entry_id: str) -> EntryPlace:
    """The location of the entry with that topic and id, whether it exists or not."""
    return EntryPlace(topic, entry_id, layout.entry_folder(topic, entry_id, vault.config))


def ids(vault: Vault, topic: str) -> list[str]:
    """The ids of a topic's entries, oldest first."""
    folders = _folders(os.path.join(vault.root, vault.config.topics, topic))
    return [name for name in folders if layout.is_entry_id(name)]


def find(vault: Vault, name: str) -> EntryPlace:
    """The entry that a path, `topic/id` or an id refers to.

    Raises NotFoundError, or UsageError if several topics have an entry with that id.
    """
    topic, _, entry_id = (layout.entry_name(name) or name).rpartition("/")
    matching = [place for place in places(vault) if place.entry_id == entry_id and topic in ("", place.topic)]
    if not matching:
        raise NotFoundError(f"there is no entry {name}", "mdmem topics lists what there is")
    if len(matching) > 1:
        shown = ", ".join(place.name for place in matching)
        raise UsageError(f"{len(matching)} topics have an entry {name}", f"say which: {shown}")
    return matching[0]


def read(vault: Vault, place: EntryPlace) -> tuple[EntryMeta, EntrySummary]:
    """The meta.json and summary.json of an entry. Raises NoteError if either is missing or damaged."""
    meta_path, summary_path = place.path(layout.META_FILE), place.path(layout.SUMMARY_FILE)
    meta = documents.read(EntryMeta, _part(vault, meta_path), meta_path)
    summary = documents.read(EntrySummary, _part(vault, summary_path), summary_path)
    for path, stated in ((meta_path, meta.entry_id), (summary_path, summary.entry_id)):
        if stated != place.entry_id:
            raise _damaged(path, f"belongs to entry {stated}, not to the entry in whose folder it is")
    return meta, summary


def raw(vault: Vault, place: EntryPlace) -> bytes:
    """The dialog of an entry, byte for byte. Raises NoteError if it is missing."""
    return _part(vault, place.path(layout.RAW_FILE))


class Holdings:
    """The entries of a vault as they are now, and those about to be added."""

    def __init__(self, vault: Vault) -> None:
        self._root = vault.root
        self._by_hash: dict[str, list[EntryPlace]] = {}  # the digits of the hash at the end of an id -> entries
        self._new: dict[str, EntryPlace] = {}  # sha256 of raw.md -> entry
        for place in places(vault):
            self._by_hash.setdefault(place.entry_id[-8:], []).append(place)

    def holder(self, data: bytes) -> EntryPlace | None:
        """The entry whose raw.md has exactly these bytes, None if there is none."""
        digest = documents.sha256(data)
        for place in self._by_hash.get(digest[:8], ()):
            if files.read_or_none(self._root, place.path(layout.RAW_FILE)) == data:
                return place
        return self._new.get(digest)

    def add(self, place: EntryPlace, data: bytes) -> None:
        """Take into account an entry that is not written yet."""
        self._new[documents.sha256(data)] = place


def problems(vault: Vault) -> Iterator[Problem]:
    """The problems of all entries: files missing, damaged or changed, ids used twice, bad lines of curation.md."""
    known: dict[str, EntryPlace] = {}
    for place in places(vault):
        yield from _problems_of(vault, place)
        if place.entry_id in known:
            message = f"has the id of {known[place.entry_id].folder}"
            fix = f"delete one of them: mdmem forget {place.folder}"
            yield warning("entry-twice", place.folder, message, fix)
        known.setdefault(place.entry_id, place)
    for topic in topics(vault):
        path = curation.path(topic, vault.config)
        yield from curation.read(files.read_or_none(vault.root, path), path)[1]


def _problems_of(vault: Vault, place: EntryPlace) -> Iterator[Problem]:
    if not os.listdir(os.path.join(vault.root, place.folder)):
        return  # nothing is missing from a folder that was left behind empty
    try:
        meta, _ = read(vault, place)
        text = raw(vault, place)
    except MdmemError as error:
        yield problem_of(error, place.folder)
        return
    if (documents.sha256(text), len(text)) != (meta.sha256, meta.size):
        message = "is not the text that was ingested: it was changed since"
        yield warning("entry-changed", place.path(layout.RAW_FILE), message, _FROM_GIT)


def problem_of(error: MdmemError, path: str) -> Problem:
    """The problem of an entry, at this path, that cannot be read."""
    if isinstance(error, NoteError):
        return error.problem
    return Problem("entry-damaged", path, 0, error.message, _FROM_GIT)


def _part(vault: Vault, path: str) -> bytes:
    try:
        return files.read(vault.root, path)
    except NotFoundError:
        raise _damaged(path, "is missing from its entry") from None


def _damaged(path: str, message: str) -> NoteError:
    return NoteError(Problem("entry-damaged", path, 0, message, _FROM_GIT))


def _folders(place: str) -> list[str]:
    """The names of the subfolders of a folder, sorted, without links and hidden ones; none if it is missing."""
    found = (entry for entry in files.listed(place) if entry.is_dir(follow_symlinks=False))
    return sorted(entry.name for entry in found if not entry.name.startswith("."))


# -- rows of the index, and the scores of facts as amendments to those rows ----------------------------------
#
# An entry is cited by its raw.md. Of a chat in JSON the spoken words are indexed and shown, not the JSON. A fact
# whose last score is 0 is retracted: recall ranks it far down.

WRONG = 0  # the score of a fact that is not true
MOST_CHARS = 1_000_000  # of a dialog that are indexed
_TITLE_CHARS = 200

Reading = Callable[[str], bytes | None]
_T = TypeVar("_T", EntryMeta, EntrySummary)


class EntryReader:
    """Makes index rows from the files of entries, and amendments from scores; see `store.registry.RowReader`."""

    def __init__(self, read: Reading, config: VaultConfig) -> None:
        self._read = read
        self._config = config

    def sources(self, path: str) -> Iterable[str]:
        """The source of a path: raw.md for any file of an entry, the file itself for scores, else none."""
        if layout.entry_part(path, self._config):
            return [f"{dirname(path)}/{layout.RAW_FILE}"]
        return [path] if layout.is_curation(path, self._config) else []

    def rows(self, source: str) -> Iterator[SourceRow | Amendment]:
        """The rows of a source. Damaged files are skipped; `doctor` reports them."""
        part = layout.entry_part(source, self._config)
        if part is None:
            yield from self._amendments(source)
        elif (raw := self._read(source)) is not None:
            yield from self._of_entry(source, part, raw)

    def _of_entry(self, source: str, part: layout.EntryPart, raw: bytes) -> Iterator[SourceRow]:
        folder = dirname(source)
        meta = self._part(f"{folder}/{layout.META_FILE}", EntryMeta)
        summary = self._part(f"{folder}/{layout.SUMMARY_FILE}", EntrySummary)
        text, lines = _spoken(raw, source, meta)
        entry = SourceRow(
            kind=ENTRY,
            file=source,
            id=part.entry_id,
            title=_title(summary.summary if summary else "", text),
            text=text,
            topic=part.topic,
            session=meta.session if meta else "",
            created=_time_of(part.entry_id),
            meta={"origin": IMPORTED} | ({"actor": meta.actor, "source": meta.source} if meta else {}),
            lines=lines,
        )
        yield entry
        for fact in summary.facts if summary else ():
            yield rows.fact_row(fact, entry)

    def _part(self, path: str, made: type[_T]) -> _T | None:
        data = self._read(path)
        try:
            return documents.read(made, data, path) if data is not None else None
        except NoteError:
            return None

    def _amendments(self, source: str) -> Iterator[Amendment]:
        topic = dirname(source).rpartition("/")[2]
        verdicts, _ = curation.read(self._read(source), source)
        for verdict in curation.latest(verdicts).values():
            status = "retracted" if verdict.score == WRONG else "active"
            yield Amendment(topic, verdict.fact_id, status, {"score": verdict.score})


def _spoken(raw: bytes, source: str, meta: EntryMeta | None) -> tuple[str, tuple[int, ...]]:
    """The text of a dialog, and for each of its lines the line in raw.md; () if the text is raw.md itself."""
    text = raw.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    if meta is None or meta.format not in dialog.JSON_FORMATS:
        return text[:MOST_CHARS], ()
    try:
        turns = dialog.read(raw, source).turns
    except MdmemError:
        return text[:MOST_CHARS], ()
    said: list[str] = []
    lines: list[int] = []
    for turn in turns:
        spoken = f"{turn.name or turn.speaker}: {turn.text}".split("\n")
        said += spoken
        lines += [turn.line] * len(spoken)
    kept = "\n".join(said)[:MOST_CHARS]
    return kept, tuple(lines[: kept.count("\n") + 1])


def _title(summary: str, text: str) -> str:
    """The first line of a summary, else of the text."""
    line = next((line.strip() for line in f"{summary}\n{text}".split("\n") if line.strip()), "")
    return cut(line, _TITLE_CHARS)


def _time_of(entry_id: str) -> str:
    """The time (RFC 3339) at the start of an entry id, "" if it is not a valid one."""
    digits = entry_id[:15]
    return moments.normal(f"{digits[:4]}-{digits[4:6]}-{digits[6:11]}:{digits[11:13]}:{digits[13:15]}Z")
