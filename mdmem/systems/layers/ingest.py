"""Ingests dialogs as entries: `topics/<topic>/<entry id>/` with raw.md, meta.json and summary.json.

Each ingest is one commit, or changes nothing. Dialogs that the vault already holds are not added again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mdmem.errors import ConflictError, MdmemError, NoteError, NotFoundError, Problem, StoppedError, UsageError
from mdmem.note import moments, naming
from mdmem.store import layout
from mdmem.store.operation import Caller
from mdmem.store.progress import Progress, silent
from mdmem.store.vault.transaction import Transaction
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import choosing, dialog, documents, entries, extract
from mdmem.systems.layers.dialog import Dialog, DialogSource
from mdmem.systems.layers.documents import EntryMeta, EntrySummary, Redaction
from mdmem.systems.layers.entries import EntryPlace, Holdings
from mdmem.write.remember import Draft

AUTO = "auto"
_ATTRIBUTES = ".gitattributes"
# Git checks dialogs out byte for byte, and a merge keeps the scores that both sides added.
_AS_IT_IS = b"raw.md -text\ncuration.md merge=union\nwordings.jsonl merge=union\n"
_PROFILED = 20  # newest entries of a topic from which its profile is made

Draw = Callable[[Dialog, EntryMeta], EntrySummary]


def noted(draw: Draw, drawn: list[Draft], read: Dialog, meta: EntryMeta) -> EntrySummary:
    """The summary that `draw` makes of a dialog; it is also added to `drawn`, as a memory."""
    made = draw(read, meta)
    drawn.append(Draft(made.summary, {"tags": [meta.topic]}))
    return made


class IngestRequest(NamedTuple):
    """How to ingest dialogs.

    `topic` is a name or "auto". `time` (RFC 3339 UTC, "" for now) is for dialogs that state none. With `redact`
    secrets are replaced; otherwise a dialog that holds one is left out.
    """

    topic: str
    time: str = ""
    redact: bool = False


class Ingested(NamedTuple):
    """A dialog and its entry; `known` if the vault held it before.

    `sureness` (0-1) is the confidence in the topic chosen for it, None if a person named the topic.
    """

    source: str
    place: EntryPlace
    known: bool
    redactions: tuple[Redaction, ...] = ()
    sureness: float | None = None
    is_new_topic: bool = False


class IngestReport(NamedTuple):
    """The dialogs ingested, problems with them and with those left out, and the commit, "" if none is new."""

    items: tuple[Ingested, ...]
    problems: tuple[Problem, ...]
    commit: str


def ingest(
    vault: Vault,
    sources: Sequence[DialogSource],
    request: IngestRequest,
    caller: Caller,
    reason: str = "",
    progress: Progress = silent,
    draw: Draw = extract.summary_of,
) -> IngestReport:
    """Ingest dialogs in one commit. Those that cannot be read or that hold a secret are reported and left out.

    `draw` makes each summary, by rule or with a model. All dialogs are read before the write lock is taken.
    Raises UsageError for an invalid topic name. If there is only one dialog, an error in it is raised, too.
    """
    intake = _Intake(vault, request, caller, draw)
    problems: list[Problem] = []
    prepared: list[_Prepared] = []
    for number, source in enumerate(sources, 1):
        try:
            prepared.append(intake.prepare(source))
        except (NoteError, UsageError, StoppedError, NotFoundError) as error:
            if len(sources) == 1:
                raise
            problems.append(_left_out(source.name, error))
        progress(number, len(sources))
    problems += [problem for one in prepared for problem in one.problems]
    done: list[Ingested] = []
    with vault.change(caller.does("create", reason)) as tx:
        holdings = Holdings(vault)  # another process may have written meanwhile
        for one in prepared:
            done.append(_write(tx, one, holdings))
        new = tuple(item.place.name for item in done if not item.known)
        attributes = f"{vault.config.topics}/{_ATTRIBUTES}"
        if new and not tx.exists(attributes):
            tx.write(attributes, _AS_IT_IS)
        tx.operation = tx.operation._replace(names=new)
    return IngestReport(tuple(done), tuple(problems), tx.commit)


class _Prepared(NamedTuple):
    """A dialog ready to be written: its item in the report, the files of its entry, problems with its lines."""

    item: Ingested
    raw: bytes
    parts: Mapping[str, bytes]
    problems: tuple[Problem, ...]


def _write(tx: Transaction, prepared: _Prepared, holdings: Holdings) -> Ingested:
    """Stage the files of an entry, unless the vault holds the dialog by now."""
    item = prepared.item
    known = holdings.holder(prepared.raw)
    if known:
        return Ingested(item.source, known, known=True)
    for path, data in prepared.parts.items():
        if tx.exists(path):
            raise ConflictError(f"{path} is there already", "an entry is written once")
        tx.write(path, data, screened=True)
    holdings.add(item.place, prepared.raw)
    return item


class _Intake:
    """The state of one ingest: the settings its dialogs share, and the topics and holdings that each adds to."""

    def __init__(self, vault: Vault, request: IngestRequest, caller: Caller, draw: Draw) -> None:
        self._vault = vault
        self._draw = draw
        self._request = request
        self._caller = caller
        self._actor = caller.actor or vault.repo.identity().name
        self._topics = entries.topics(vault)
        named = request.topic
        self._topic = "" if named == AUTO else named if named in self._topics else naming.topic(named)
        self._holdings = Holdings(vault)
        self._profiles: dict[str, choosing.Words] = {}
        self._said: dict[str, Counter[str]] = {}  # topic -> its words, including those of this ingest
        for topic in self._topics if not self._topic else ():
            self._hear(topic, "\n".join(_said_in(vault, topic)))

    def prepare(self, source: DialogSource) -> _Prepared:
        """Read a dialog. Raises NoteError, UsageError, NotFoundError or StoppedError if it has to be left out."""
        data = source.read()
        read = dialog.read(data, source.name)
        redactions: tuple[Redaction, ...] = ()
        if not self._caller.allow_secret:
            data, read, redactions = dialog.without_secrets(source.name, data, read, self._request.redact)
        known = self._holdings.holder(data)
        if known:
            return _Prepared(Ingested(source.name, known, known=True), data, {}, ())
        choice = self._choice(read)
        meta = self._meta(source.name, data, read, choice)._replace(redactions=redactions)
        place = entries.place_of(self._vault, meta.topic, meta.entry_id)
        self._holdings.add(place, data)
        # a dialog that holds a secret is not sent to a model
        holds_secret = self._caller.allow_secret and dialog.leaks_in(read)
        summary = (extract.summary_of if holds_secret else self._draw)(read, meta)
        parts = {
            place.path(layout.RAW_FILE): data,
            place.path(layout.META_FILE): documents.render(meta),
            place.path(layout.SUMMARY_FILE): documents.render(summary),
        }
        item = Ingested(source.name, place, False, redactions, meta.topic_confidence, choice.is_new)
        return _Prepared(item, data, parts, read.problems)

    def _meta(self, source: str, data: bytes, read: Dialog, choice: choosing.TopicChoice) -> EntryMeta:
        time = read.time or self._request.time or moments.render(self._caller.now)
        return EntryMeta(
            entry_id=documents.entry_id(data, time),
            time=time,
            topic=choice.topic,
            source=source,
            format=read.format,
            sha256=documents.sha256(data),
            size=len(data),
            actor=self._actor,
            session=self._caller.session or read.session,
            topic_confidence=None if self._topic else choice.sureness,
        )

    def _choice(self, read: Dialog) -> choosing.TopicChoice:
        if self._topic:
            return choosing.TopicChoice(self._topic, 1.0, is_new=self._topic not in self._topics)
        text = "\n".join(turn.text for turn in read.said) or read.text
        choice = choosing.choose(read.title, text, self._profiles)
        self._hear(choice.topic, text)
        return choice

    def _hear(self, topic: str, text: str) -> None:
        """Add the words of a text to the profile of a topic."""
        said = self._said.setdefault(topic, Counter())
        said.update(choosing.words_of(text))
        self._profiles[topic] = choosing.profile(topic, said)


def _said_in(vault: Vault, topic: str) -> Iterator[str]:
    """The summary and facts of each of the topic's newest entries, as texts; damaged entries are skipped."""
    for place in list(entries.places(vault, topic))[-_PROFILED:]:
        try:
            summary = entries.read(vault, place).summary
        except MdmemError:  # doctor reports it
            continue
        yield "\n".join([summary.summary, *(f"{fact.relation} {fact.object}" for fact in summary.facts)])


def _left_out(source: str, error: MdmemError) -> Problem:
    """The problem that reports why a dialog was left out."""
    if isinstance(error, NoteError | dialog.SecretInDialogError):
        return error.problem
    return Problem("dialog", source, 0, error.message.removeprefix(f"{source} "), error.hint)
