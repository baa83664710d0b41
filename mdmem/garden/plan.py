"""The garden: reads a vault's notes once, asks the gardeners about them, and makes one plan of their proposals.

No two proposals of a plan touch the same file, and none removes a file that another one links to, so each can be
accepted or skipped on its own. Those that have to wait for another are counted, and come up in the next plan.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

from mdmem import registry
from mdmem.config import VaultConfig
from mdmem.errors import NoteError, NotFoundError, Problem
from mdmem.garden import meanings, sight, toldfacts, verdicts
from mdmem.garden.decisions import ACCEPTED, NONE, REJECTED, Decisions
from mdmem.garden.gardeners import (
    care,
    conflicts,
    consolidate,
    decay,
    deprecate,
    facts,
    hygiene,
    never,
    note,
    refresh,
    split,
    twins,
)
from mdmem.garden.gardeners.note import Ground, Note
from mdmem.garden.gardeners.proposal import LIKELY, POSSIBLE, Findings, GardenSettings, Proposal
from mdmem.garden.noteshelf import Derivation, NoteShelf, derive_ahead
from mdmem.garden.pairs import judge, same, words
from mdmem.garden.verdicts import Judgement
from mdmem.index.edges import fold_target
from mdmem.local import usage
from mdmem.note import layout
from mdmem.progress import silent
from mdmem.vault.origin import created_by_mdmem
from mdmem.vault.vault import Vault

_NEVER_USED = usage.Use(0, 0)

Gardener = Callable[[Sequence[Note], GardenSettings, datetime], Findings]

# If several want the same file and their proposals are about as sure (`precedence`), the first of them gets it.
GARDENERS: Mapping[str, Gardener] = MappingProxyType(
    {
        "deprecate": deprecate.plan,
        "twins": twins.plan,
        "conflicts": conflicts.plan,
        "facts": facts.plan,
        "consolidate": consolidate.plan,
        "split": split.plan,
        "refresh": refresh.plan,
        "decay": decay.plan,
        "hygiene": hygiene.plan,
    }
)

# What they derive from each note alone; this is computed on every core.
_DERIVATIONS: Mapping[str, tuple[Derivation, ...]] = MappingProxyType(
    {
        "deprecate": (deprecate.claims_of,),
        "twins": (words.roots, words.runs, same.lines),
        "conflicts": (words.roots, words.runs),
    }
)
_ID = attrgetter("id")
_JUDGED = {"twins", "conflicts"}  # gardeners that compare pairs of notes, which are judged once for both


class GardenPlan(NamedTuple):
    """The gardeners' proposals, those that a person would care about most first, and problems for a person.

    `unsure` counts the further proposals in a plan of any confidence, `waiting` those that want the files of
    another proposal, `rejected` those that a person rejected; `accepted` are the ids of those that a person
    accepted; `withheld` counts what each rule of
    `garden.never` forbids.
    """

    proposals: tuple[Proposal, ...]
    problems: tuple[Problem, ...]
    unsure: int
    waiting: int
    rejected: int = 0
    accepted: frozenset[str] = frozenset()
    withheld: Mapping[str, int] = MappingProxyType({})


def settings_of(config: VaultConfig) -> GardenSettings:
    """The `[garden]` settings of a vault."""
    return GardenSettings(**config.garden._asdict())


class NoteReader:
    """Reads the notes of a vault; when asked again, only those whose file, dates or usage have changed."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._storage = NoteShelf()
        self._read: dict[str, tuple[int, Note]] = {}  # path -> hash of what the note depends on, the note

    def notes(
        self, progress: Callable[[int, int], None] = silent, only: Collection[str] | None = None
    ) -> list[Note]:
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
                notes.append(self._note(record.path, (record.created, record.updated, recall.last, used)))
            except (NoteError, NotFoundError):
                continue  # saved or removed since the index was refreshed; doctor reports it
        return notes

    def _note(self, path: str, about: tuple[str, str, float, int]) -> Note:
        depends_on = hash((*about, *_file_state(os.path.join(self._vault.root, path))))
        if path not in self._read or self._read[path][0] != depends_on:
            data = self._vault.read(path)
            found = note.read(self._vault.parse(data, path), data, *about, storage=self._storage)
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

    `ids` limits the plan to these proposals, however unsure they are, and whatever was decided about them.
    """

    only: tuple[str, ...] = ()
    topic: str = ""
    ids: frozenset[str] = frozenset()


def plan_vault(
    vault: Vault,
    settings: GardenSettings,
    now: datetime,
    wish: Wish = Wish(),  # noqa: B008 - a value
    progress: Callable[[int, int], None] = silent,
    decided: Decisions = NONE,
    reader: NoteReader | None = None,
) -> GardenPlan:
    """The plan for a vault as it is now, without the proposals that a person rejected."""
    found = look(vault, reaching(settings, wish, decided), now, wish, progress, reader)
    return choose(found, settings.min_confidence, wish, decided)


def reaching(settings: GardenSettings, wish: Wish, decided: Decisions) -> GardenSettings:
    """The settings, with the lowest threshold if proposals are named by id or accepted: these may be unlikely."""
    is_any = bool(wish.ids) or any(one.verdict == ACCEPTED for one in decided.values())
    return settings._replace(least=POSSIBLE) if is_any else settings


def look(
    vault: Vault,
    settings: GardenSettings,
    now: datetime,
    wish: Wish = Wish(),  # noqa: B008 - a value
    progress: Callable[[int, int], None] = silent,
    reader: NoteReader | None = None,
) -> Findings:
    """All findings of the requested gardeners about a vault as it is now; `reader` may have read its notes before.

    In an adopted vault (scope "own") only notes that mdmem created are looked at; the items of a graph never are.
    No file is removed that the other notes link to or share a name with.
    """
    files = frozenset(vault.file_paths())
    settings = settings._replace(elsewhere=files, boilerplate=_boilerplate(vault, files))
    settings = settings._replace(
        home=vault.config.memories,
        own_names=vault.config.has_own_names,
        judgements=(*verdicts.load(vault), *settings.judgements),
    )
    if vault.index.kinds():
        settings = settings._replace(facts=tuple(toldfacts.holding(vault)), retire=toldfacts.retiring(vault))
    if not wish.only or "refresh" in wish.only:
        settings = settings._replace(stale=tuple(registry.stale_notes(vault)))
    if not wish.only or not _JUDGED.isdisjoint(wish.only):
        settings = settings._replace(meant=meanings.nearest(vault))
    reader = reader or NoteReader(vault)
    own = _gardened(vault, settings.scope)
    if len(own) < vault.index.count():
        stale = tuple(page for page in settings.stale if page.path in own)
        settings = settings._replace(leaned_on=_leaned_on(vault, own), stale=stale)
    return sight.seen(vault, ask(reader.notes(progress, own), settings, now, wish))


def _gardened(vault: Vault, scope: str) -> frozenset[str]:
    """The paths of the notes that gardeners may change."""
    paths = [record.path for record in vault.index.records() if not layout.is_item(record.path, vault.config)]
    return frozenset(paths) if scope == "all" else created_by_mdmem(vault, paths)


def _boilerplate(vault: Vault, files: Iterable[str]) -> frozenset[str]:
    """The lines of the vault's templates."""
    templates = vault.config.templates
    pages = [path for path in files if templates and path.endswith(".md") and layout.within(path, templates)]
    texts = [vault.read(path).decode("utf-8", "replace") for path in pages]
    return frozenset(line.strip() for text in texts for line in text.splitlines())


def _leaned_on(vault: Vault, own: Container[str]) -> frozenset[str]:
    """The folded names of the notes outside `own`, and of what these link to."""
    names = {fold_target(record.path) for record in vault.whole_index.records() if record.path not in own}
    targets = {target for path, target, *_ in vault.whole_index.all_links() if path not in own}
    return frozenset(names | targets)


def plan(notes: Sequence[Note], settings: GardenSettings, now: datetime, wish: Wish = Wish()) -> GardenPlan:  # noqa: B008
    """The plan for these notes."""
    return choose(ask(notes, settings, now, wish), settings.min_confidence, wish)


def ask(notes: Sequence[Note], settings: GardenSettings, now: datetime, wish: Wish) -> Findings:
    """All findings of the requested gardeners about these notes."""
    wished = wish.only or tuple(GARDENERS)
    derivations = dict.fromkeys(derive for name in wished for derive in _DERIVATIONS.get(name, ()))
    derive_ahead(notes, list(derivations))
    ground = Ground(notes, settings.elsewhere)
    said = verdicts.standing(settings.judgements, ground.by_path)
    ruled = {paths: one for (about, paths), one in said.items() if about == "pair"}
    settings = settings._replace(ground=ground, asked=bool(wish.only), ruled=ruled)
    settings = _with_judgement(notes, settings, wish)
    found = [work(notes, settings, now) for name, work in GARDENERS.items() if not wish.only or name in wish.only]
    proposals = [
        proposal
        for findings in found
        for proposal in findings.proposals
        if settings.leaned_on.isdisjoint(map(fold_target, proposal.removed))
    ]
    proposals = _told_of(proposals, said, settings)
    if wish.topic:
        on_topic = _on_topic(wish.topic.casefold(), notes, settings)
        proposals = [proposal for proposal in proposals if not on_topic.isdisjoint(_about(proposal))]
    weighed = never.described(care.weighed(proposals, ground.by_path), ground.by_path, settings.home)
    withheld = never.withheld(weighed, ground.by_path, settings.never)
    forbidden = {each.proposal.id for each in withheld}
    allowed = tuple(proposal for proposal in weighed if proposal.id not in forbidden)
    problems = {problem for findings in found for problem in findings.problems}
    return Findings(allowed, tuple(sorted(problems)), tuple(withheld))


def _told_of(
    proposals: Iterable[Proposal], said: Mapping[tuple[str, frozenset[str]], Judgement], settings: GardenSettings
) -> list[Proposal]:
    """The proposals that nobody denied, each with what was said of it and with its heaviest figures."""
    figures = {frozenset((one.older, one.newer)): one.why for one in settings.judged if one.why}
    found = []
    for one in proposals:
        told = said.get(one.asks)
        if told is None:
            found.append(one._replace(figures=figures.get(one.asks[1], ())))
        elif told.verdict not in (verdicts.BOTH, verdicts.NO):
            found.append(one._replace(judged=told.told, backed=told.changes, figures=figures.get(one.asks[1], ())))
    return found


def _on_topic(topic: str, notes: Sequence[Note], settings: GardenSettings) -> set[str]:
    """The paths of the files with notes or facts on a topic, which is given in lower case."""
    of_notes = {note.path for note in notes if note.text("topic").casefold() == topic}
    return of_notes | {fact.file for fact in settings.facts if fact.topic.casefold() == topic}


def _with_judgement(notes: Sequence[Note], settings: GardenSettings, wish: Wish) -> GardenSettings:
    """The settings with the judged pairs of notes, if a gardener that compares pairs was requested."""
    if wish.only and _JUDGED.isdisjoint(wish.only):
        return settings
    return settings._replace(judged=judge.judged(notes, settings.meant, settings.least, settings.explained))


def _about(one: Proposal) -> set[str]:
    """The paths of the files that a proposal touches and, for facts, of those that state them."""
    return {*one.paths, *(why.path for why in one.evidence if one.gardener == "facts")}


def possible(found: Findings, decided: Decisions) -> list[Proposal]:
    """All undecided twins and conflicts, also those that are too unlikely for a plan, the likeliest first."""
    pairs = (one for one in found.proposals if one.gardener in _JUDGED)
    return sorted((one for one in pairs if one.id not in decided), key=lambda one: (-one.confidence, one.title))


def choose(
    found: Findings,
    least: float,
    wish: Wish,
    decided: Decisions = NONE,
) -> GardenPlan:
    """The plan: proposals that are at least so sure, were accepted or have a model's yes, without rejected ones.

    If several touch the same file, accepted proposals come before others. Texts that a person edited replace those
    of the proposals.
    """
    decided = standing(found, decided)
    sure: list[Proposal] = []
    unsure: list[Proposal] = []
    rejected = 0
    for proposal in found.proposals:
        is_named = proposal.id in wish.ids
        verdict = decided[proposal.id].verdict if proposal.id in decided else ""
        if wish.ids and not is_named:
            continue
        if verdict == REJECTED and not is_named:
            rejected += 1
        elif is_named or verdict == ACCEPTED or proposal.confidence >= least or proposal.backed:
            sure.append(proposal)
        else:
            unsure.append(proposal)
    accepted = frozenset(id for id, decision in decided.items() if decision.verdict == ACCEPTED)
    chosen = _apart(sure, first=accepted)
    every = map(_ID, _apart([*sure, *unsure], first=accepted))
    return GardenPlan(
        proposals=tuple(_worded(proposal, decided) for proposal in sorted(chosen, key=care.order)),
        problems=found.problems,
        unsure=len({*every}.difference(map(_ID, chosen))),
        waiting=len(sure) - len(chosen),
        rejected=rejected,
        accepted=accepted,
        withheld=Counter(one.rule for one in found.withheld if one.proposal.confidence >= least),
    )


def standing(found: Findings, decided: Decisions) -> Decisions:
    """The decisions that still hold: a text that a person edited does only while its file is what it was then.

    An edited file may be one that only links to the notes of a proposal; the proposal's id does not depend on it.
    """
    bases = {one.id: one.bases for one in found.proposals}
    return {id: one for id, one in decided.items() if one.bases.items() <= bases.get(id, {}).items()}


def _worded(one: Proposal, decided: Decisions) -> Proposal:
    """A proposal with the texts that a person edited."""
    edited = decided[one.id].edited if one.id in decided else {}
    edits = tuple(edit._replace(after=edited.get(edit.path, edit.after)) for edit in one.edits)
    return one._replace(edits=edits)


def precedence(one: Proposal) -> tuple[bool, bool, bool, int, float, str, str]:
    """A sort key: which proposal gets a file that several want, and in which order they are applied.

    What is certain comes before what needs a judgement, and that before what is unlikely.
    """
    needs_review, is_unlikely = one.confidence < GardenSettings().min_confidence, one.confidence < LIKELY
    place = list(GARDENERS).index(one.gardener)
    return not one.certain, needs_review, is_unlikely, place, -one.confidence, one.title, one.id


def _apart(proposals: Iterable[Proposal], first: Container[str] = ()) -> list[Proposal]:
    """The proposals that do not collide, taken in order: first those with ids in `first`, then by `precedence`.

    No two touch the same file, and none removes a file that another one rests on.
    """
    taken: set[str] = set()
    gone: set[str] = set()
    needed: set[str] = set()
    chosen = []
    for one in sorted(proposals, key=lambda one: (one.id not in first, *precedence(one))):
        if taken.isdisjoint(one.paths) and gone.isdisjoint(one.rests_on) and needed.isdisjoint(one.removed):
            taken.update(one.paths)
            gone.update(one.removed)
            needed.update(one.rests_on)
            chosen.append(one)
    return chosen
