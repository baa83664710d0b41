"""Ingesting: dialogs become entries, `topics/<topic>/<entry id>/` with raw.md, meta.json and summary.json.

All that is ingested at once is one commit, or nothing. What the vault holds already is not added again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mdmem.errors import ConflictError, MdmemError, NoteError, NotFoundError, Problem, StoppedError, UsageError
from mdmem.local import files
from mdmem.note import layout, naming
from mdmem.operation import Caller
from mdmem.systems.layers import choosing, dialog, entries, extract, schema
from mdmem.systems.layers.dialog import Dialog
from mdmem.systems.layers.entries import EntryPlace
from mdmem.systems.layers.schema import EntryMeta, Redaction
from mdmem.text import moments
from mdmem.vault.vault import Vault
from mdmem.write import secrets

AUTO = "auto"
_READ_ENDS = (".md", ".markdown", ".txt", ".json", ".jsonl", ".ndjson")
_ATTRIBUTES = ".gitattributes"
# Dialogs keep their bytes wherever git checks them out, and scores that two clones added are both kept.
_AS_IT_IS = b"raw.md -text\ncuration.md merge=union\n"
_PROFILED = 20  # newest entries of a topic that tell what it is about
_WITHOUT_IT = "take it out, or --redact replaces it; --allow-secret keeps it, and git's history does, too"

Progress = Callable[[int, int], None]


class DialogSource(NamedTuple):
    """A dialog to ingest: how it is named to the person, and how to read its bytes."""

    name: str
    read: Callable[[], bytes]


class IngestRequest(NamedTuple):
    """How to ingest: the `topic` or "auto", the time of dialogs that do not tell (RFC 3339 UTC, "": now)."""

    topic: str
    time: str = ""
    redact: bool = False


class Ingested(NamedTuple):
    """One dialog that the vault holds now; `known` if it did before.

    `sureness` (0-1) is how sure the choice of its topic is, None if a person gave it.
    """

    source: str
    place: EntryPlace
    known: bool
    redactions: tuple[Redaction, ...] = ()
    sureness: float | None = None
    is_new_topic: bool = False


class IngestReport(NamedTuple):
    """What was ingested, what was left out and why, and the commit, "" if nothing was new."""

    items: tuple[Ingested, ...]
    problems: tuple[Problem, ...]
    commit: str


# -- what to read ------------------------------------------------------------------------------------------


def sources_in(vault: Vault, folder: str) -> tuple[list[DialogSource], list[Problem]]:
    """The dialogs in a folder and those below it, by path, and the files there that are left out.

    Raises UsageError for the vault itself.
    """
    root = os.path.realpath(folder)
    if root == vault.root or vault.root.startswith(root + os.sep):
        raise UsageError(f"{folder} holds this vault itself", "give the folder in which the dialogs lie")
    problems: list[Problem] = []

    def unlisted(error: OSError) -> None:
        problems.append(Problem("dialog", str(error.filename), 0, "cannot be listed", "fix its permissions"))

    found = []
    for path in files.walk(root, lambda place: True, unlisted):  # noqa: ARG005
        place = os.path.join(root, path)
        if not path.lower().endswith(_READ_ENDS):
            continue
        if os.path.islink(place):
            problems.append(Problem("dialog", path, 0, "is a symbolic link", "give the file itself", "warning"))
            continue
        found.append(file_source(place, path))
    return sorted(found), problems


def file_source(place: str, name: str = "") -> DialogSource:
    """A file as a dialog to ingest."""
    name = name or os.path.basename(place)

    def read() -> bytes:
        try:
            with open(place, "rb") as file:
                return file.read(dialog.MOST_BYTES + 1)
        except OSError as error:
            raise NotFoundError(f"{name} cannot be read: {error.strerror}") from None

    return DialogSource(name, read)


# -- ingesting ---------------------------------------------------------------------------------------------


def ingest(
    vault: Vault,
    sources: Sequence[DialogSource],
    request: IngestRequest,
    caller: Caller,
    reason: str = "",
    progress: Progress = lambda done, total: None,  # noqa: ARG005
) -> IngestReport:
    """Ingest dialogs as one commit. What cannot be read, or holds a secret, is reported and left out.

    Raises UsageError for a topic that cannot be one, and what is wrong with a dialog that is the only one.
    """
    intake = _Intake(vault, request, caller)
    problems: list[Problem] = []
    done: list[Ingested] = []
    with vault.change(caller.does("create", reason)) as tx:
        intake.look_around()
        for number, source in enumerate(sources, 1):
            try:
                item, parts, told = intake.take(source)
            except (NoteError, UsageError, StoppedError, NotFoundError) as error:
                if len(sources) == 1:
                    raise
                problems.append(_left_out(source.name, error))
            else:
                done.append(item)
                problems += told
                for path, data in parts.items():
                    if tx.exists(path):
                        raise ConflictError(f"{path} is there already", "an entry is written once")
                    tx.write(path, data, screened=True)
            progress(number, len(sources))
        new = tuple(item.place.name for item in done if not item.known)
        attributes = f"{vault.config.topics}/{_ATTRIBUTES}"
        if new and not tx.exists(attributes):
            tx.write(attributes, _AS_IT_IS)
        tx.operation = tx.operation._replace(names=new)
    return IngestReport(tuple(done), tuple(problems), tx.commit)


class _Intake:
    """What is the same for all dialogs of one ingest, and what each of them changes for the next."""

    def __init__(self, vault: Vault, request: IngestRequest, caller: Caller) -> None:
        self._vault = vault
        self._request = request
        self._caller = caller
        self._actor = caller.actor or vault.repo.identity().name
        self._by_hash: dict[str, list[EntryPlace]] = {}  # the hash at the end of an id -> entries
        self._profiles: dict[str, choosing.Words] = {}
        self._texts: dict[str, list[str]] = {}  # what this ingest adds to topics
        self._sums: dict[str, str] = {}  # folder of an entry -> sha256 of its raw.md
        self._topic = "" if request.topic == AUTO else topic_named(vault, request.topic)

    def look_around(self) -> None:
        """Learn what the vault holds; called while nobody else can write."""
        for place in entries.places(self._vault):
            self._by_hash.setdefault(place.entry_id[-8:], []).append(place)
        if not self._topic:
            for topic in entries.topics(self._vault):
                self._texts[topic] = list(_said_in(self._vault, topic))
                self._profiles[topic] = choosing.profile(topic, self._texts[topic])

    def take(self, source: DialogSource) -> tuple[Ingested, Mapping[str, bytes], tuple[Problem, ...]]:
        """One dialog, the files of its entry, none if the vault has it, and its lines that cannot be read."""
        data = source.read()
        read = dialog.read(data, source.name)
        redactions: tuple[Redaction, ...] = ()
        if not self._caller.allow_secret:
            data, read, redactions = self._without_secrets(source.name, data, read)
        known = self._holder(data)
        if known:
            return Ingested(source.name, known, known=True), {}, ()
        choice = self._choice(read)
        time = read.time or self._request.time or moments.render(self._caller.now)
        meta = EntryMeta(
            entry_id=schema.entry_id(data, time),
            time=time,
            topic=choice.topic,
            source=source.name,
            format=read.format,
            sha256=schema.sha256(data),
            size=len(data),
            actor=self._actor,
            session=self._caller.session or read.session,
            topic_confidence=None if self._topic else choice.sureness,
            redactions=redactions,
        )
        place = self._place(meta)
        parts = {
            place.path(layout.RAW_FILE): data,
            place.path(layout.META_FILE): meta.to_bytes(),
            place.path(layout.SUMMARY_FILE): extract.summary_of(read, meta).to_bytes(),
        }
        item = Ingested(source.name, place, False, redactions, meta.topic_confidence, choice.is_new)
        return item, parts, read.problems

    def _place(self, meta: EntryMeta) -> EntryPlace:
        folder = layout.entry_folder(meta.topic, meta.entry_id, self._vault.config)
        place = EntryPlace(meta.topic, meta.entry_id, folder)
        self._by_hash.setdefault(meta.entry_id[-8:], []).append(place)
        self._sums[folder] = meta.sha256
        return place

    def _holder(self, data: bytes) -> EntryPlace | None:
        """The entry that holds these bytes already."""
        digest = schema.sha256(data)
        for place in self._by_hash.get(digest[:8], ()):
            if place.folder not in self._sums:
                text = files.read_or_none(self._vault.root, place.path(layout.RAW_FILE))
                self._sums[place.folder] = "" if text is None else schema.sha256(text)
            if self._sums[place.folder] == digest:
                return place
        return None

    def _choice(self, read: Dialog) -> choosing.TopicChoice:
        if self._topic:
            return choosing.TopicChoice(self._topic, 1.0, is_new=False)
        text = spoken(read)
        choice = choosing.choose(read.title, text, self._profiles)
        self._texts.setdefault(choice.topic, []).append(text)
        self._profiles[choice.topic] = choosing.profile(choice.topic, self._texts[choice.topic])
        return choice

    def _without_secrets(
        self, name: str, data: bytes, read: Dialog
    ) -> tuple[bytes, Dialog, tuple[Redaction, ...]]:
        """A dialog without its secrets, if that was asked for. Raises StoppedError for one that holds some."""
        leaks = _leaks(read)
        if not leaks:
            return data, read, ()
        if not self._request.redact:
            raise StoppedError(f"{name}:{leaks[0].line}: seems to hold a secret ({leaks[0].kind})", _WITHOUT_IT)
        text = secrets.redacted(read.text, dialog.leaks_of(read)[1:])
        clean = text.encode()
        reread = dialog.read(clean, name)
        if _leaks(reread) or (reread.format, len(reread.turns)) != (read.format, len(read.turns)):
            where = f"{name}:{leaks[0].line}: holds a secret ({leaks[0].kind}) that cannot be replaced by rule"
            raise StoppedError(where, "take it out by hand")
        return clean, reread, tuple(Redaction(leak.line, leak.kind) for leak in leaks)


def topic_named(vault: Vault, name: str) -> str:
    """The folder that the name of a topic means: one that there is, or a new one. Raises UsageError."""
    return name if name in entries.topics(vault) else naming.topic(name)


def spoken(read: Dialog) -> str:
    """What was said in a dialog; of a text in which nobody speaks, all of it."""
    said = [turn.text for turn in read.turns if turn.speaker in ("user", "assistant")]
    return "\n".join(said) if said else read.text


def _leaks(read: Dialog) -> list[secrets.Secret]:
    """The secrets of a dialog, each with its line in the text."""
    leaks = secrets.found(read.text)
    if read.format in dialog.JSON_FORMATS:
        for turn in read.turns:
            leaks += [leak._replace(line=turn.line) for leak in secrets.found(turn.text)]
    return sorted(set(leaks), key=lambda leak: (leak.line, leak.kind))


def _said_in(vault: Vault, topic: str) -> Iterator[str]:
    """What the newest entries of a topic say in short; those that are damaged are left out."""
    newest: Iterable[EntryPlace] = list(entries.places(vault, topic))[-_PROFILED:]
    for place in newest:
        try:
            summary = entries.read(vault, place).summary
        except MdmemError:  # doctor tells
            continue
        yield "\n".join([summary.summary, *(f"{fact.relation} {fact.object}" for fact in summary.facts)])


def _left_out(source: str, error: MdmemError) -> Problem:
    """Why a dialog was left out."""
    if isinstance(error, NoteError):
        return error.problem
    return Problem("dialog", source, 0, error.message, error.hint)
