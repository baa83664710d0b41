"""The garden: reads a vault's notes once, asks the gardeners about them, and makes one plan of their proposals.

No two proposals of a plan touch the same file, and none removes a file that another one links to, so each can be
accepted or skipped on its own. Those that have to wait for another are counted, and come up in the next plan.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from mdmem.errors import NoteError, NotFoundError, Problem, UsageError
from mdmem.garden import meanings, verdicts
from mdmem.garden.gardeners import (
    care,
    conflicts,
    consolidate,
    decay,
    deprecate,
    facts,
    hygiene,
    note,
    split,
    twins,
)
from mdmem.garden.gardeners.note import Ground, Note
from mdmem.garden.gardeners.proposal import (
    LIKELY,
    POSSIBLE,
    FileEdit,
    Findings,
    Found,
    GardenSettings,
    Proposal,
    findings,
)
from mdmem.garden.noteshelf import NoteShelf
from mdmem.garden.pairs import judge
from mdmem.garden.verdicts import PAIRED, Judgement
from mdmem.note import fields
from mdmem.store import layout, registry
from mdmem.store.config import VaultConfig
from mdmem.store.index.edges import fold_target
from mdmem.store.index.port import MEMORIES
from mdmem.store.local import files, usage
from mdmem.store.progress import Progress, silent
from mdmem.store.vault.origin import created_by_mdmem
from mdmem.store.vault.vault import Vault

_NEVER_USED = usage.Use(0, 0)

Gardener = Callable[[Ground, GardenSettings, datetime], Iterator[Found]]

# If several want the same file and their proposals are about as sure (`precedence`), the first of them gets it.
GARDENERS: Mapping[str, Gardener] = MappingProxyType(
    {
        "deprecate": deprecate.plan,
        "twins": twins.plan,
        "conflicts": conflicts.plan,
        "facts": facts.plan,
        "consolidate": consolidate.plan,
        "split": split.plan,
        "refresh": facts.refresh,
        "decay": decay.plan,
        "hygiene": hygiene.plan,
    }
)


class GardenPlan(NamedTuple):
    """The gardeners' proposals, those that a person would care about most first, and problems for a person.

    `unsure` counts the further proposals in a plan of any confidence, `waiting` those that want the files of
    another proposal, `rejected` those of which somebody said that nothing is to be done; `withheld` counts what
    each rule of `garden.never` forbids.
    """

    proposals: tuple[Proposal, ...]
    problems: tuple[Problem, ...]
    unsure: int
    waiting: int
    rejected: int = 0
    withheld: Mapping[str, int] = MappingProxyType({})


def settings_of(config: VaultConfig) -> GardenSettings:
    """The `[garden]` settings of a vault."""
    return GardenSettings(**config.garden._asdict())


class NoteReader:
    """Reads the notes of a vault; when asked again, only those whose file, dates or usage have changed."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._shelf = NoteShelf()
        self._read: dict[str, tuple[int, Note]] = {}  # path -> hash of what the note depends on, the note

    def notes(self, progress: Progress = silent, only: Collection[str] | None = None) -> list[Note]:
        """Every readable note, by path, or `only` those at these paths; `progress` gets (done, total)."""
        recalled, opened = usage.counts(self._vault.root), usage.opened(self._vault.root)
        total = self._vault.index.count() if only is None else len(only)
        wanted = (one for one in self._vault.index.records() if only is None or one.path in only)
        notes = []
        for done, record in enumerate(wanted, 1):
            progress(done, total)
            recall = recalled.get(record.id, _NEVER_USED)
            used = recall.times + opened.get(record.id, 0)
            try:
                notes.append(self._note(record.path, (record.created, recall.last, used)))
            except (NoteError, NotFoundError):
                continue  # saved or removed since the index was refreshed; doctor reports it
        return notes

    def _note(self, path: str, about: tuple[str, float, int]) -> Note:
        depends_on = hash((*about, *_file_state(os.path.join(self._vault.root, path))))
        if path not in self._read or self._read[path][0] != depends_on:
            data = self._vault.read(path)
            found = note.read(self._vault.parse(data, path), data, *about, self._shelf)
            self._read[path] = depends_on, found
        return self._read[path][1]


def _file_state(place: str) -> tuple[int, ...]:
    """Size, times and inode of a file, which tell whether it was saved again; empty if there is no such file."""
    try:
        state = os.lstat(place)
    except FileNotFoundError:
        return ()
    return state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino


class Wish(NamedTuple):
    """What to plan: `only` these gardeners (all if empty), and only what touches notes on `topic` (any if "").

    `ids` limits the plan to these proposals, however unsure they are.
    """

    only: tuple[str, ...] = ()
    topic: str = ""
    ids: frozenset[str] = frozenset()

    @property
    def gardeners(self) -> tuple[str, ...]:
        return self.only or tuple(GARDENERS)


def look(
    vault: Vault,
    settings: GardenSettings,
    now: datetime,
    wish: Wish = Wish(),  # noqa: B008 - a value
    progress: Progress = silent,
    reader: NoteReader | None = None,
) -> Findings:
    """All findings of the requested gardeners about a vault as it is now; `reader` may have read its notes before.

    In an adopted vault (scope "own") only notes that mdmem created are looked at; the items of a graph never are.
    No file is removed that the other notes link to or share a name with. Proposals that were named or accepted by
    id may be unlikely.
    """
    there, own = frozenset(vault.file_paths()), _gardened(vault, settings.scope)
    judgements = (*verdicts.load(vault), *settings.judgements)
    is_named = bool(wish.ids) or any(one.changes and one.about != "pair" for one in judgements)
    stale = registry.stale_notes(vault) if "refresh" in wish.gardeners else ()
    settings = settings._replace(
        elsewhere=there - own,
        boilerplate=_boilerplate(vault, there),
        home=vault.config.memories,
        own_names=vault.config.has_own_names,
        judgements=judgements,
        least=POSSIBLE if is_named else settings.least,
        facts=tuple(facts.holding(vault)) if vault.index.kinds() else (),
        retire=facts.retiring(vault),
        stale=tuple(page for page in stale if page.path in own),
        meant=() if PAIRED.isdisjoint(wish.gardeners) else meanings.nearest(vault),
        leaned_on=_leaned_on(vault, own) if len(own) < vault.index.count() else frozenset(),
    )
    notes = (reader or NoteReader(vault)).notes(progress, own)
    del there, own  # a plan of a large vault has room for one text of each path
    return _seen(vault, ask(notes, settings, now, wish))


def _seen(vault: Vault, found: Findings) -> Findings:
    """The findings without those that change, rest on or name a memory above the reader's clearance."""
    if vault.clearance.is_full:
        return found
    hidden = vault.index.concealed

    def is_seen(paths: Iterable[str], *texts: str) -> bool:
        return hidden.paths.isdisjoint(paths) and all(hidden.redact(text) == text for text in texts)

    def is_shown(one: Proposal) -> bool:
        return is_seen(one.concerns, one.title, one.lost, one.diff, *(why.text for why in one.evidence))

    return Findings(
        tuple(filter(is_shown, found.proposals)),
        tuple(one for one in found.problems if is_seen((one.path,), one.message, one.fix)),
        tuple(one for one in found.withheld if is_shown(one.proposal)),
        tuple(one for one in found.denied if is_seen(one.paths)),
    )


def _gardened(vault: Vault, scope: str) -> frozenset[str]:
    """The paths of the notes that gardeners may change."""
    paths = [path for path in vault.index.keys(kinds=MEMORIES) if not layout.is_item(path, vault.config)]
    return frozenset(paths) if scope == "all" else created_by_mdmem(vault, paths)


def _boilerplate(vault: Vault, paths: Iterable[str]) -> frozenset[str]:
    """The lines of the vault's templates."""
    templates = vault.config.templates
    pages = [path for path in paths if templates and path.endswith(".md") and layout.within(path, templates)]
    texts = [vault.read(path).decode("utf-8", "replace") for path in pages]
    return frozenset(line.strip() for text in texts for line in text.splitlines())


def _leaned_on(vault: Vault, own: Container[str]) -> frozenset[str]:
    """The folded names of the notes outside `own`, and of what these link to."""
    names = {fold_target(record.path) for record in vault.whole_index.records() if record.path not in own}
    targets = {target for path, target, *_ in vault.whole_index.all_links() if path not in own}
    return frozenset(names | targets)


def ask(notes: Sequence[Note], settings: GardenSettings, now: datetime, wish: Wish) -> Findings:
    """All findings of the requested gardeners about these notes."""
    wished = wish.gardeners
    ground = Ground(notes, settings.elsewhere)
    read = partial(_data, ground)
    said = verdicts.standing(settings.judgements, read)
    settings = settings._replace(asked=bool(wish.only), ruled=verdicts.on_pairs(said.values()))
    if not PAIRED.isdisjoint(wished):
        judged = judge.judged(notes, settings.meant, settings.least, settings.explained)
        settings = settings._replace(judged=judged)
    found = findings(one for name in GARDENERS if name in wished for one in GARDENERS[name](ground, settings, now))
    proposals = list(_told_of(_removable(found.proposals, settings), said, read))
    if wish.topic:
        on_topic = _on_topic(wish.topic.casefold(), notes, settings)
        proposals = [one for one in proposals if not on_topic.isdisjoint(_about(one))]
    described = care.described(proposals, ground.by_path, settings.home)
    allowed, withheld = care.parted(described, ground.by_path, settings.never)
    return Findings(allowed, tuple(sorted({*found.problems})), withheld, _denied(said))


def _removable(proposals: Iterable[Proposal], settings: GardenSettings) -> Iterator[Proposal]:
    """The proposals that remove no file that is leaned on, each with its heaviest figures."""
    figures = {frozenset((one.older, one.newer)): one.why for one in settings.judged if one.why}
    for one in proposals:
        if settings.leaned_on.isdisjoint(map(fold_target, one.removed)):
            yield one._replace(figures=figures.get(one.asks[1], ()))


def _data(ground: Ground, path: str) -> bytes | None:
    return ground.by_path[path].data if path in ground.by_path else None


_Said = Mapping[tuple[str, frozenset[str]], Judgement]


def _denied(said: _Said) -> tuple[Judgement, ...]:
    return tuple(one for one in said.values() if one.denies)


_Read = Callable[[str], bytes | None]  # the bytes of a file, None if there is none


def _told_of(proposals: Iterable[Proposal], said: _Said, read: _Read) -> Iterator[Proposal]:
    """The proposals that nobody denied, each with what was said of it, and in the words that were given for it."""
    for one in proposals:
        told = said.get(one.asks) or said.get((one.id, frozenset()))
        if told is None or told.verdict == verdicts.AGAIN:
            yield one._replace(said=None)
        elif not told.denies:
            yield worded(one._replace(said=told), told, read)


def worded(one: Proposal, told: Judgement, read: _Read) -> Proposal:
    """A proposal whose merged note has the text of a verdict, and which says what that leaves out."""
    if not (told.text and one.merged):
        return one
    edits = {edit.path: edit for edit in one.edits}
    there = edits.get(one.merged) or FileEdit(one.merged, read(one.merged), read(one.merged))
    text = fields.set_body(there.after or b"", told.text, one.merged)
    edits[one.merged] = there._replace(after=text)
    left_out = [f"what {told.by or 'you'} left out: {part}" for part in told.drops]
    return one._replace(edits=tuple(edits.values()), lost="; ".join(filter(None, [one.lost, *left_out])))


def told(vault: Vault, found: Findings, more: Iterable[Judgement] = ()) -> Findings:
    """Earlier findings, with what has been said of them by now, and with what of these holds."""
    read = partial(files.read_or_none, vault.root)
    said = verdicts.standing((*more, *verdicts.load(vault)), read)
    return found._replace(proposals=tuple(_told_of(found.proposals, said, read)), denied=_denied(said))


def _on_topic(topic: str, notes: Sequence[Note], settings: GardenSettings) -> set[str]:
    """The paths of the files with notes or facts on a topic, which is given in lower case."""
    of_notes = {note.path for note in notes if note.text("topic").casefold() == topic}
    return of_notes | {fact.file for fact in settings.facts if fact.topic.casefold() == topic}


def _about(one: Proposal) -> set[str]:
    """The paths of the files that a proposal touches and, for facts, of those that state them."""
    return {*one.paths, *(why.path for why in one.evidence if one.gardener == "facts")}


def possible(found: Findings) -> list[Proposal]:
    """All twins and conflicts, also those that are too unlikely for a plan, the likeliest first."""
    pairs = (one for one in found.proposals if one.gardener in PAIRED)
    return sorted(pairs, key=lambda one: (-one.confidence, one.title))


def choose(found: Findings, least: float, wish: Wish = Wish()) -> GardenPlan:  # noqa: B008 - a value
    """The plan: proposals that are at least so sure, or that somebody wants done.

    If several touch the same file, those that a person accepted come before others.
    """
    sure: list[Proposal] = []
    unsure: list[Proposal] = []
    for proposal in found.proposals:
        is_named = proposal.id in wish.ids
        if wish.ids and not is_named:
            continue
        is_sure = is_named or proposal.backed or proposal.confidence >= least
        (sure if is_sure else unsure).append(proposal)
    chosen = _apart(sure)
    return GardenPlan(
        proposals=tuple(sorted(chosen, key=care.order)),
        problems=found.problems,
        unsure=len({one.id for one in _apart([*sure, *unsure])} - {one.id for one in chosen}),
        waiting=len(sure) - len(chosen),
        rejected=len(found.denied),
        withheld=Counter(one.rule for one in found.withheld if one.proposal.confidence >= least),
    )


def one_of(known: Iterable[Proposal | Judgement], id: str, key: str) -> Any:
    """The one whose id, under `key`, begins so. Raises NotFoundError, UsageError."""
    found = {getattr(one, key): one for one in known if id and getattr(one, key).startswith(id)}
    if not found:
        hint = (
            "mdmem garden --min-confidence 0 lists them; an id changes with its notes, `again` reopens an answer"
        )
        raise NotFoundError(f"there is no proposal {id}", hint)
    if len(found) > 1:
        raise UsageError(f"{len(found)} proposals have an id that begins with {id}", "give more of it")
    return next(iter(found.values()))


def precedence(one: Proposal) -> tuple[Any, ...]:
    """A sort key: which proposal gets a file that several want, and in which order they are applied.

    What is certain comes before what needs a judgement, and that before what is unlikely.
    """
    needs_review, is_unlikely = one.confidence < GardenSettings().min_confidence, one.confidence < LIKELY
    place = list(GARDENERS).index(one.gardener)
    return not one.certain, needs_review, is_unlikely, place, -one.confidence, one.title, one.id


def _apart(proposals: Iterable[Proposal]) -> list[Proposal]:
    """The proposals that do not collide, taken in order: first those that a person accepted, then by `precedence`.

    No two touch the same file, and none removes a file that another one rests on.
    """
    taken: set[str] = set()
    gone: set[str] = set()
    needed: set[str] = set()
    chosen = []
    for one in sorted(proposals, key=lambda one: (not one.accepted, *precedence(one))):
        if taken.isdisjoint(one.paths) and gone.isdisjoint(one.rests_on) and needed.isdisjoint(one.removed):
            taken.update(one.paths)
            gone.update(one.removed)
            needed.update(one.rests_on)
            chosen.append(one)
    return chosen
