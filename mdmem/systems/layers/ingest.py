"""Ingests dialogs as entries: `topics/<topic>/<entry id>/` with raw.md, meta.json and summary.json.

Each ingest is one commit, or changes nothing. Dialogs that the vault already holds are not added again.

The topic of a dialog is an existing one that shares its words, or a new one named after the dialog.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mdmem.errors import ConflictError, MdmemError, NoteError, NotFoundError, Problem, StoppedError, UsageError
from mdmem.language.roots import root
from mdmem.language.words import synonyms
from mdmem.note import moments, naming, segment, stopwords
from mdmem.store import layout
from mdmem.store.operation import Caller
from mdmem.store.progress import Progress, silent
from mdmem.store.vault.transaction import Transaction
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import dialog, documents, entries, extract
from mdmem.systems.layers.dialog import Dialog, DialogSource
from mdmem.systems.layers.documents import EntryMeta, EntrySummary, Redaction
from mdmem.systems.layers.entries import EntryPlace, Holdings
from mdmem.write.remember import Draft

Words = Mapping[str, float]

_MOST_TEXT = 40_000  # characters of a dialog that are looked at
_NAME_WEIGHT = 6.0  # of a word in a topic's name; one said once in its texts weighs 1
_SYNONYM_WEIGHT = 1.5
_ENOUGH = 0.1  # cosine similarity from which a dialog joins an existing topic
_CERTAIN = 0.35  # similarity above which the sureness grows no further
_NEW_SURENESS = (0.3, 0.6)  # of a new topic: at least; if a title or a frequent word names it
_NO_WORDS = "notes"  # the topic of a dialog without descriptive words
_OFTEN = 3  # occurrences from which a word says what a dialog is about


class TopicChoice(NamedTuple):
    """The topic chosen for a dialog, the confidence in it (`sureness`, 0-1), and whether the topic is new."""

    topic: str
    sureness: float
    is_new: bool


def words_of(text: str) -> Counter[str]:
    """How often each descriptive word occurs in a text, counted by its root."""
    counted: Counter[str] = Counter()
    for word, count in Counter(segment.terms(text[:_MOST_TEXT])).items():
        if len(word) > 1 and word not in stopwords.DIALOG and not word.isdigit():
            counted[root(word)] += count
    return counted


def profile(topic: str, said: Mapping[str, int]) -> Words:
    """The weighted words that identify a topic: those of its name and their synonyms, and those `said` in it."""
    known = defaultdict(float, {word: math.sqrt(count) for word, count in said.items()})
    for word in segment.words(topic.replace("_", " ")):
        for other in synonyms(word):
            known[root(other)] += _SYNONYM_WEIGHT
        known[root(word)] += _NAME_WEIGHT
    return known


def choose(title: str, text: str, profiles: Mapping[str, Words]) -> TopicChoice:
    """Choose a dialog's topic among those in `profiles` (topic -> weighted words), or propose a new one."""
    said = {word: math.sqrt(count) for word, count in words_of(f"{title}\n{text}").items()}
    having = Counter(word for known in profiles.values() for word in said.keys() & known.keys())
    ranked = sorted(((_likeness(said, known, having), topic) for topic, known in profiles.items()), reverse=True)
    if not ranked or ranked[0][0] < _ENOUGH:
        proposed, sureness = _proposal(title, text)
        return TopicChoice(proposed, sureness, is_new=proposed not in profiles)
    likeness, topic = ranked[0]
    second = ranked[1][0] if len(ranked) > 1 else 0.0
    lead = (likeness - second) / likeness
    sureness = 0.5 + 0.25 * min(1.0, likeness / _CERTAIN) + 0.25 * lead
    return TopicChoice(topic, round(min(sureness, 0.99), 2), is_new=False)


def _likeness(said: Words, known: Words, having: Mapping[str, int]) -> float:
    """The cosine similarity of two sets of weighted words (0-1).

    `having` maps a word to the number of topics that have it: the more have it, the less it counts.
    """
    shared = said.keys() & known.keys()
    product = sum(said[word] * known[word] / having[word] for word in sorted(shared))
    return product / (math.hypot(*said.values()) * math.hypot(*known.values())) if shared else 0.0


def _proposal(title: str, text: str) -> tuple[str, float]:
    """A topic named after the title, or else after the two most frequent words of the text; and its sureness."""
    low, high = _NEW_SURENESS
    titled = [word for word in naming.words_of(title) if word not in stopwords.DIALOG]
    if titled:
        return _named(titled[:3]), high
    counts = Counter(
        word
        for word in naming.words_of(text[:_MOST_TEXT])
        if len(word) > 2 and word not in stopwords.DIALOG and not word.isdigit()
    )
    frequent = counts.most_common(2)  # of equally frequent words those said first
    if not frequent:
        return _NO_WORDS, low
    (_, most), (_, second) = frequent[0], frequent[-1]
    named = [word for word, count in frequent if count == most or 2 * second > most]
    return _named(named), high if most >= _OFTEN else low


def _named(words: list[str]) -> str:
    """Words joined into the name of a topic, as many as fit."""
    kept = words[0][: naming.LONG_CHARS]
    for word in words[1:]:
        if len(f"{kept}_{word}") <= naming.LONG_CHARS:
            kept = f"{kept}_{word}"
    try:
        return naming.topic(kept)
    except UsageError:  # a word that cannot name a folder on every system
        return _NO_WORDS


# -- the entries ---------------------------------------------------------------------------------------------

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
    with vault.change(caller.does("create", reason)) as tx:
        holdings = Holdings(vault)  # another process may have written meanwhile
        done = [_write(tx, one, holdings) for one in prepared]
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
        self._profiles: dict[str, Words] = {}
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
        time = read.time or self._request.time or moments.render(self._caller.now)
        meta = EntryMeta(
            entry_id=documents.entry_id(data, time),
            time=time,
            topic=choice.topic,
            source=source.name,
            format=read.format,
            sha256=documents.sha256(data),
            size=len(data),
            actor=self._actor,
            session=self._caller.session or read.session,
            topic_confidence=None if self._topic else choice.sureness,
            redactions=redactions,
        )
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

    def _choice(self, read: Dialog) -> TopicChoice:
        if self._topic:
            return TopicChoice(self._topic, 1.0, is_new=self._topic not in self._topics)
        text = "\n".join(turn.text for turn in read.said) or read.text
        choice = choose(read.title, text, self._profiles)
        self._hear(choice.topic, text)
        return choice

    def _hear(self, topic: str, text: str) -> None:
        """Add the words of a text to the profile of a topic."""
        said = self._said.setdefault(topic, Counter())
        said.update(words_of(text))
        self._profiles[topic] = profile(topic, said)


def _said_in(vault: Vault, topic: str) -> Iterator[str]:
    """The summary and facts of each of the topic's newest entries, as texts; damaged entries are skipped."""
    for place in list(entries.places(vault, topic))[-_PROFILED:]:
        try:
            _, summary = entries.read(vault, place)
        except MdmemError:  # doctor reports it
            continue
        yield "\n".join([summary.summary, *(f"{fact.relation} {fact.object}" for fact in summary.facts)])


def _left_out(source: str, error: MdmemError) -> Problem:
    """The problem that reports why a dialog was left out."""
    if isinstance(error, NoteError | dialog.SecretInDialogError):
        return error.problem
    return Problem("dialog", source, 0, error.message.removeprefix(f"{source} "), error.hint)
