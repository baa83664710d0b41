"""The garden: reads a vault's notes once, has the gardeners look at them, and makes one plan of what they say.

Proposals of one plan never touch the same file, nor does one remove what another leads to, so that each can be
taken or left alone; what has to wait for another is counted and comes in the next plan.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from mdmem import registry
from mdmem.config import VaultConfig
from mdmem.errors import NoteError, NotFoundError, Problem
from mdmem.garden import meanings, rivals, sight, toldfacts
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
from mdmem.garden.pairing import judge, texts
from mdmem.index.edges import fold_target
from mdmem.local import usage
from mdmem.models.judging import YES, ModelVerdict
from mdmem.note import layout
from mdmem.progress import silent
from mdmem.values import NamedTuple
from mdmem.vault.origin import created_by_mdmem
from mdmem.vault.vault import Vault

_NEVER_USED = usage.Use(0, 0)
_UNHEARD: Mapping[str, ModelVerdict] = MappingProxyType({})

Gardener = Callable[[Sequence[Note], GardenSettings, datetime], Findings]

# In the order in which their proposals get a file that several of them want, where both are sure or neither is.
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

# What they ask of each note alone, which is found out on every core.
_DERIVATIONS: Mapping[str, tuple[Derivation, ...]] = MappingProxyType(
    {
        "deprecate": (deprecate.claims_of,),
        "twins": (texts.roots, judge.spelled),
        "conflicts": (texts.roots, judge.spelled, rivals.roots, conflicts.things),
    }
)
_JUDGED = {"twins", "conflicts"}  # gardeners of pairs of notes, which are judged once for both


class GardenPlan(NamedTuple):
    """What the gardeners propose, in the order in which a person would care, and problems for a person.

    `unsure` counts proposals below the confidence asked for, `waiting` those for files of another proposal,
    `rejected` those that a person refused; `accepted` are the ids of those they accepted.
    `verdicts` are what a model says of proposals, by their ids; `withheld` counts what each rule of `garden.never`
    forbids.
    """

    proposals: tuple[Proposal, ...]
    problems: tuple[Problem, ...]
    unsure: int
    waiting: int
    rejected: int = 0
    accepted: frozenset[str] = frozenset()
    verdicts: Mapping[str, ModelVerdict] = _UNHEARD
    withheld: Mapping[str, int] = MappingProxyType({})


def settings_of(config: VaultConfig) -> GardenSettings:
    """The `[garden]` settings of a vault."""
    return GardenSettings(**config.garden._asdict(), settled=config.garden.min_confidence)


class NoteReader:
    """Reads the notes of a vault; asked again, it reads only those whose files have changed."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._storage = NoteShelf()
        self._read: dict[str, tuple[int, Note]] = {}  # path -> hash of what the note depends on, the note

    def notes(
        self, progress: Callable[[int, int], None] = silent, only: Collection[str] | None = None
    ) -> list[Note]:
        """Every note that can be read, by path, or `only` those at these paths; `progress` gets (done, total)."""
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
                continue  # saved or removed since the index was freshened; doctor tells of it
        return notes

    def _note(self, path: str, about: tuple[str, str, int, int]) -> Note:
        depends_on = hash((*about, *_file_state(os.path.join(self._vault.root, path))))
        if path not in self._read or self._read[path][0] != depends_on:
            data = self._vault.read(path)
            found = note.read(self._vault.parse(data, path), data, *about, storage=self._storage)
            self._read[path] = depends_on, found
        return self._read[path][1]


def _file_state(place: str) -> tuple[int, ...]:
    """What tells a file from the same one after it was saved again; empty if it is not there."""
    try:
        state = os.lstat(place)
    except FileNotFoundError:
        return ()
    return state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino


class Wish(NamedTuple):
    """What to plan: only the gardeners of these names (all if empty), only what touches notes of that topic.

    `ids` names proposals, if any: then only these, however sure, and whatever was decided about them.
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
    """The plan for a vault as it is now, without what a person decided against."""
    found = look(vault, reaching(settings, wish, decided), now, wish, progress, reader)
    return choose(found, settings.min_confidence, wish, decided)


def reaching(settings: GardenSettings, wish: Wish, decided: Decisions) -> GardenSettings:
    """The settings by which all that is wished for by id, or was accepted, is found, however unlikely it is."""
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
    """All that the gardeners wished for say about a vault as it is now; a `reader` has read it before.

    In an adopted vault (scope "own") that is only about notes that mdmem created, and never about the items of a
    graph. No file that the others link to, or share a name with, is removed.
    """
    files = frozenset(vault.file_paths())
    settings = settings._replace(elsewhere=files, boilerplate=_boilerplate(vault, files))
    settings = settings._replace(home=vault.config.memories)
    if vault.index.kinds():
        settings = settings._replace(facts=tuple(toldfacts.holding(vault)), retire=toldfacts.retiring(vault))
    if not wish.only or "refresh" in wish.only:
        settings = settings._replace(stale=tuple(registry.stale_notes(vault)))
    if not wish.only or "twins" in wish.only:
        settings = settings._replace(meant=meanings.mutual(vault))
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
    """The folded names that the notes other than `own` have or link to."""
    names = {fold_target(record.path) for record in vault.whole_index.records() if record.path not in own}
    targets = {target for path, target, *_ in vault.whole_index.all_links() if path not in own}
    return frozenset(names | targets)


def plan(notes: Sequence[Note], settings: GardenSettings, now: datetime, wish: Wish = Wish()) -> GardenPlan:  # noqa: B008
    """What the gardeners propose about these notes."""
    return choose(ask(notes, settings, now, wish), settings.min_confidence, wish)


def ask(notes: Sequence[Note], settings: GardenSettings, now: datetime, wish: Wish) -> Findings:
    """All that the gardeners wished for say about these notes."""
    wished = wish.only or tuple(GARDENERS)
    derivations = dict.fromkeys(derive for name in wished for derive in _DERIVATIONS.get(name, ()))
    derive_ahead(notes, list(derivations))
    ground = Ground(notes, settings.elsewhere)
    settings = _with_judgement(notes, settings._replace(ground=ground), wish)
    found = [work(notes, settings, now) for name, work in GARDENERS.items() if not wish.only or name in wish.only]
    proposals = [
        proposal
        for findings in found
        for proposal in findings.proposals
        if settings.leaned_on.isdisjoint(map(fold_target, proposal.removed))
    ]
    if wish.topic:
        on_topic = _on_topic(wish.topic.casefold(), notes, settings)
        proposals = [proposal for proposal in proposals if not on_topic.isdisjoint(_about(proposal))]
    weighed = never.described(care.weighed(proposals, ground.by_path), ground.by_path, settings.home)
    withheld = never.withheld(weighed, ground.by_path, settings.never)
    forbidden = {each.proposal.id for each in withheld}
    allowed = tuple(proposal for proposal in weighed if proposal.id not in forbidden)
    problems = {problem for findings in found for problem in findings.problems}
    return Findings(allowed, tuple(sorted(problems)), tuple(withheld))


def _on_topic(topic: str, notes: Sequence[Note], settings: GardenSettings) -> set[str]:
    """The files of notes and facts on a topic, given in lower case."""
    of_notes = {note.path for note in notes if note.text("topic").casefold() == topic}
    return of_notes | {fact.file for fact in settings.facts if fact.topic.casefold() == topic}


def _with_judgement(notes: Sequence[Note], settings: GardenSettings, wish: Wish) -> GardenSettings:
    """The settings with what is judged of pairs of notes, if a gardener of pairs was wished for."""
    if wish.only and _JUDGED.isdisjoint(wish.only):
        return settings
    return settings._replace(judged=judge.judged(notes, settings.least))


def _about(one: Proposal) -> set[str]:
    """The files that a proposal touches, and those of facts that it is about."""
    return {*one.paths, *(why.path for why in one.evidence if one.gardener == "facts")}


def possible(found: Findings, least: float, decided: Decisions) -> list[Proposal]:
    """The twins and conflicts too unlikely for a plan from `least` on, and not decided about; likeliest first."""
    unlikely = min(least, LIKELY)
    pairs = (one for one in found.proposals if one.gardener in _JUDGED and one.confidence < unlikely)
    return sorted((one for one in pairs if one.id not in decided), key=lambda one: (-one.confidence, one.title))


def choose(
    found: Findings,
    least: float,
    wish: Wish,
    decided: Decisions = NONE,
    verdicts: Mapping[str, ModelVerdict] = _UNHEARD,
) -> GardenPlan:
    """The plan: what is at least so sure, was accepted or has a model's yes, without what was rejected.

    For the files that several touch, accepted proposals come before others, with the words that a person gave
    them.
    """
    decided = standing(found, decided)
    sure: list[Proposal] = []
    unsure = rejected = 0
    for proposal in found.proposals:
        is_named = proposal.id in wish.ids
        verdict = decided[proposal.id].verdict if proposal.id in decided else ""
        if wish.ids and not is_named:
            continue
        if verdict == REJECTED and not is_named:
            rejected += 1
        elif is_named or verdict == ACCEPTED or proposal.confidence >= least or _is_backed(proposal, verdicts):
            sure.append(proposal)
        else:
            unsure += 1
    accepted = frozenset(id for id, decision in decided.items() if decision.verdict == ACCEPTED)
    chosen = _apart(sure, first=accepted)
    return GardenPlan(
        proposals=tuple(_worded(proposal, decided) for proposal in sorted(chosen, key=care.order)),
        problems=found.problems,
        unsure=unsure,
        waiting=len(sure) - len(chosen),
        rejected=rejected,
        accepted=accepted,
        verdicts=verdicts,
        withheld=Counter(one.rule for one in found.withheld if one.proposal.confidence >= least),
    )


def _is_backed(one: Proposal, verdicts: Mapping[str, ModelVerdict]) -> bool:
    return one.id in verdicts and verdicts[one.id].verdict == YES


def standing(found: Findings, decided: Decisions) -> Decisions:
    """The decisions that hold: the words that a person gave a file do while it is what it was then.

    Among these files are some that only link to what a proposal is about, and that its id tells nothing of.
    """
    bases = {one.id: one.bases for one in found.proposals}
    return {id: one for id, one in decided.items() if one.bases.items() <= bases.get(id, {}).items()}


def _worded(one: Proposal, decided: Decisions) -> Proposal:
    """A proposal with the words that a person gave it."""
    edited = decided[one.id].edited if one.id in decided else {}
    edits = tuple(edit._replace(after=edited.get(edit.path, edit.after)) for edit in one.edits)
    return one._replace(edits=edits)


def precedence(one: Proposal) -> tuple[bool, bool, int, float, str, str]:
    """A key that sorts proposals as they get a file that several want, and as they are carried out.

    What is sure enough to be applied by default comes before what needs review, and that before what is only
    possible.
    """
    needs_review = one.confidence < GardenSettings().min_confidence
    is_unlikely = one.confidence < LIKELY
    place = list(GARDENERS).index(one.gardener)
    return needs_review, is_unlikely, place, -one.confidence, one.title, one.id


def _apart(proposals: Iterable[Proposal], first: Container[str] = ()) -> list[Proposal]:
    """The proposals that agree with all before them: first those of the ids `first`, then by `precedence`.

    No two touch the same file, and none removes a file that another one leads to.
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
