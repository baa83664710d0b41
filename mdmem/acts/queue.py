"""One queue: all that waits for somebody's verdict, whatever it is, and the verdicts.

Captured memories wait in the inbox, proposals are made anew from the notes, facts without a score stand in their
topics, and conflicts of a merge in their notes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from mdmem.capture.inbox import deciding
from mdmem.capture.inbox.store import Inbox, InboxItem
from mdmem.errors import MdmemError, NoteError, NotFoundError, UsageError
from mdmem.garden import apply as gardening
from mdmem.garden import judges, judging, verdicts
from mdmem.garden import plan as garden
from mdmem.garden.gardeners.proposal import POSSIBLE, Findings, Proposal, diff
from mdmem.garden.judging import ACT, Judged, Said
from mdmem.garden.verdicts import AGAIN, NO, YES
from mdmem.history import past
from mdmem.history.merging import unsettled
from mdmem.history.merging.unsettled import Unsettled
from mdmem.index.port import FACT as FACTS
from mdmem.note import memory
from mdmem.note.facts import HIGHEST_SCORE
from mdmem.operation import Caller
from mdmem.progress import silent
from mdmem.recall import lookup
from mdmem.systems.layers import keeping
from mdmem.systems.layers.pages import knownfacts
from mdmem.systems.layers.pages.knownfacts import FactFilter, KnownFact
from mdmem.vault.vault import Vault
from mdmem.write import edit

KINDS = CAPTURED, PROPOSAL, FACT, MERGE = ("captured", "proposal", "fact", "merge")
KEEP, REJECT, REWORD = "keep", "reject", "reword"
OURS, THEIRS = "ours", "theirs"
LIMIT = 10  # of each kind
_NOTES = 6  # notes of a proposal that are shown


class Told(NamedTuple):
    """A text that a verdict is about: `which` it is, whose (a note's name), from when, and by whom."""

    which: str
    name: str
    date: str
    by: str
    text: str


class Waiting(NamedTuple):
    """Something that waits: its `kind`, what it is `of` (a trigger, a gardener, a type), and by whom it came.

    `sure` is 0-1. `texts` are what there is to read; `would` is what taking it does, `change` the same as a diff,
    `lost` what no file holds afterwards. `answers` are the verdicts to choose from; `said` is one that was given,
    in a line, and `agreed` who gave it, if they want it taken. A captured memory may have one that it `replaces`,
    and its session may be `undone`. `source` is the thing itself.
    """

    id: str
    kind: str
    of: str
    title: str
    by: str
    why: str
    would: str
    answers: tuple[str, ...]
    source: InboxItem | Proposal | KnownFact | Unsettled
    texts: tuple[Told, ...] = ()
    sure: float = 1.0
    change: str = ""
    lost: str = ""
    said: str = ""
    agreed: str = ""
    replaces: str = ""
    undone: bool = False


class Queue(NamedTuple):
    """What waits: the first of each kind, and how many there are."""

    items: tuple[Waiting, ...]
    counts: Mapping[str, int]


class Wanted(NamedTuple):
    """Which of what waits: of these kinds or gardeners (all if empty), on a topic, so many of each kind.

    Proposals are at least `least` sure, by default as the settings say; `open` leaves out what somebody judged.
    With `ids` only what has one of these, or one that begins so.
    """

    kinds: tuple[str, ...] = ()
    topic: str = ""
    limit: int = LIMIT
    least: float | None = None
    open: bool = False
    ids: tuple[str, ...] = ()

    @property
    def gardeners(self) -> tuple[str, ...]:
        return tuple(kind for kind in self.kinds if kind in garden.GARDENERS)

    def includes(self, kind: str) -> bool:
        return not self.kinds or kind in self.kinds or (kind == PROPOSAL and bool(self.gardeners))


def waiting(
    vault: Vault,
    who: Caller,
    wanted: Wanted = Wanted(),  # noqa: B008 - a value
    progress: Callable[[int, int], None] = silent,
) -> Queue:
    """What waits for a verdict; nothing is changed. Raises UsageError for a kind that there is not."""
    if unknown := set(wanted.kinds) - {*KINDS, *garden.GARDENERS}:
        raise UsageError(
            f"nothing waits that is '{min(unknown)}'", f"there is {', '.join((*KINDS, *garden.GARDENERS))}"
        )
    kinds: dict[str, Callable[[Vault, Wanted], Makers]] = {
        MERGE: _merges,
        CAPTURED: _captured,
        PROPOSAL: partial(_proposals, who=who, progress=progress),
        FACT: _facts,
    }
    items: list[Waiting] = []
    counts: dict[str, int] = {}
    for kind, find in kinds.items():
        if wanted.includes(kind):
            found = [(id, make) for id, make in find(vault, wanted) if not wanted.ids or id.startswith(wanted.ids)]
            counts[kind] = len(found)
            items += (make() for _, make in found[: wanted.limit])
    if wanted.ids and not items:
        raise NotFoundError(f"nothing waits with the id {', '.join(wanted.ids)}", "mdmem waiting lists what does")
    return Queue(tuple(items), counts)


Makers = list[tuple[str, Callable[[], Waiting]]]  # by id: all is listed, and only what is shown is read


def _merges(vault: Vault, wanted: Wanted) -> Makers:
    found = [] if wanted.topic else unsettled.find(vault)
    return [(memory.stem(one.path), partial(_merge, one)) for one in found]


def _merge(one: Unsettled) -> Waiting:
    name = memory.stem(one.path)
    of = one.key or one.about
    stopped = "; git has stopped there" if one.in_merge else ""
    where = f"{one.path}{f':{one.line}' if one.line else ''}{stopped}"
    texts = tuple(Told(side, "", "", "", text) for side, text in ((OURS, one.ours), (THEIRS, one.theirs)))
    return Waiting(name, MERGE, of, name, "a merge", where, "one side stays", (OURS, THEIRS, REWORD), one, texts)


def _captured(vault: Vault, wanted: Wanted) -> Makers:
    items = [item for item in Inbox(vault).items() if wanted.topic in ("", item.properties.get("topic"))]
    items = [item for item in items if not (wanted.open and item.said)]
    undone = past.undone_sessions(vault, (item.session for item in items[: wanted.limit]))
    return [(item.id, partial(_item, vault, item, item.session in undone)) for item in items]


def _item(vault: Vault, item: InboxItem, undone: bool) -> Waiting:
    replaced = deciding.would_replace(vault, item)
    said = item.said
    told = (
        verdicts.Judgement(said["verdict"], "", (), (), by=said["by"], why=said.get("why", "")).told
        if said
        else ""
    )
    place = item.place or f"line {item.line}"
    project = f", {item.project}" if item.project else ""
    return Waiting(
        *(item.id, CAPTURED, item.trigger, item.title, f"{item.actor}, session {item.session}{project}, {place}"),
        *(
            item.why,
            f"a memory that replaces {replaced}" if replaced else "a memory",
            (KEEP, REJECT, REWORD),
            item,
        ),
        texts=(Told("text", "", item.added, "", item.text),),
        sure=item.confidence,
        said=told,
        agreed=said.get("by", ""),
        replaces=replaced,
        undone=undone,
    )


def _proposals(vault: Vault, wanted: Wanted, who: Caller, progress: Callable[[int, int], None]) -> Makers:
    settings = garden.settings_of(vault.config)
    least = settings.min_confidence if wanted.least is None else wanted.least
    wish = garden.Wish(wanted.gardeners, wanted.topic)
    found = garden.look(
        vault, settings._replace(least=max(min(least, settings.least), POSSIBLE)), who.now, wish, progress
    )
    found = garden.told(vault, found, judges.answered(vault, found.proposals))
    plan = garden.choose(found, least, wish)
    ordered = [one for one in plan.proposals if not (wanted.open and one.judged)]
    ordered = sorted(ordered, key=lambda one: -one.confidence) if wanted.open else ordered
    return [(one.id, partial(proposed, vault, one)) for one in ordered]


def proposed(vault: Vault, one: Proposal) -> Waiting:
    """A proposal as something that waits, with the notes that it is about."""
    is_pair = one.asks[0] == "pair"
    paths = one.pair if is_pair else one.about or one.paths
    which = ("first", "second") if is_pair else ("note",) * len(paths)
    why = "; ".join(" ".join(each.text.split()) for each in one.evidence)
    return Waiting(
        *(one.id, PROPOSAL, one.gardener, one.title, f"the gardener {one.gardener}", why, _done_by(one)),
        verdicts.OF_PAIRS if is_pair else verdicts.OF_OTHERS,
        one,
        texts=tuple(_note(vault, *each) for each in zip(which[:_NOTES], paths, strict=False)),
        sure=one.confidence,
        change=diff(one.edits),
        lost=one.lost,
        said=one.judged,
        agreed=one.said.by if one.said and one.backed else "",
    )


def _done_by(one: Proposal) -> str:
    """Which files a proposal writes and removes."""
    written = ", ".join(memory.stem(each.path) for each in one.edits if each.after is not None)
    gone = ", ".join(memory.stem(each.path) for each in one.edits if each.after is None)
    return "; ".join(filter(None, [written and f"write {written}", gone and f"remove {gone}"]))


def _note(vault: Vault, which: str, path: str) -> Told:
    try:
        note = memory.parse(vault.shown(path), path)
    except (NoteError, NotFoundError):
        return Told(which, path, "", "", "")
    return Told(
        which, note.name, note.created[:10], judging.last_writer(vault, path) or "not committed", note.body.strip()
    )


def _facts(vault: Vault, wanted: Wanted) -> Makers:
    facts: list[KnownFact] = []
    if FACTS in vault.index.kinds():
        with suppress(NotFoundError):
            facts, _ = knownfacts.find(vault, FactFilter(wanted.topic, unscored=True))
    return [(one.known.id, partial(_fact, vault, one)) for one in facts]


def _fact(vault: Vault, one: KnownFact) -> Waiting:
    [cited] = knownfacts.cited(vault, [one])
    fact = one.known.fact
    title = f"{fact.subject} {fact.relation} {fact.object}"
    texts = (Told("sentence", "", one.known.first_entry_ts[:10], "", fact.sentence),) if fact.sentence else ()
    would = f"a score of {one.topic}: 0 is wrong, {HIGHEST_SCORE} never to be forgotten; keep makes a memory"
    answers = (f"0-{HIGHEST_SCORE}", KEEP)
    return Waiting(
        one.known.id, FACT, fact.type, title, cited.citation, "", would, answers, cited, texts, fact.confidence
    )


# -- verdicts ----------------------------------------------------------------------------------------------


def judge(
    vault: Vault,
    said: Sequence[Said],
    who: Caller,
    kind: str = "",
    for_user: bool = False,
    dry_run: bool = False,
    found: Findings | None = None,
) -> list[Judged]:
    """Take verdicts, many at once; one that cannot be taken spoils no other, and tells why.

    An agent's word on what a person wrote or said waits for the person, unless it is `for_user`, or the settings
    let agents act. `found` is what the gardeners found, if that is known.
    """
    desk = _Desk(vault, who, for_user, dry_run)
    by_kind: dict[str, list[tuple[int, Said]]] = {}
    for at, one in enumerate(said):
        by_kind.setdefault(kind if kind in KINDS else desk.kind_of(one), []).append((at, one))
    done: dict[int, Judged] = {}
    takers: dict[str, Callable[[Sequence[Said]], list[Judged]]] = {
        CAPTURED: desk.captured,
        FACT: desk.facts,
        MERGE: desk.merges,
        PROPOSAL: partial(desk.proposals, found=found),
    }
    for each, items in by_kind.items():
        done.update(zip((at for at, _ in items), takers[each]([one for _, one in items]), strict=True))
    return [done[at] for at in range(len(said))]


def taken_back(vault: Vault, wanted: Wanted) -> list[str]:
    """The ids of all of which a verdict can be taken back."""
    items = Inbox(vault).rejected() if wanted.includes(CAPTURED) else []
    denied = garden.told(vault, Findings()).denied if wanted.includes(PROPOSAL) else ()
    return [*(item.id for item in items), *(one.proposal for one in denied)]


def agreed(queue: Queue, actor: str) -> list[Said]:
    """What an agent or model wants done of what waits, as verdicts for a person to give."""
    return [_as_advised(one) for one in queue.items if one.agreed and one.agreed == actor]


def _as_advised(one: Waiting) -> Said:
    if isinstance(one.source, InboxItem):
        advice = one.source.said
        return Said(one.id, advice["verdict"], one.said, advice.get("text", ""))
    told = one.source.said if isinstance(one.source, Proposal) else None
    assert told is not None
    return Said(one.id, told.verdict, one.said, told.text, told.drops)


class _Desk:
    """Takes the verdicts of one call, by what they are about."""

    def __init__(self, vault: Vault, who: Caller, for_user: bool, dry_run: bool) -> None:
        self._vault, self._who, self._for_user, self._dry_run = vault, who, for_user, dry_run
        self._inbox = Inbox(vault)
        self._ids = {item.id for item in (*self._inbox.items(), *self._inbox.rejected())}
        self._sessions = {item.session for item in self._inbox.items()}

    def kind_of(self, said: Said) -> str:
        """What a verdict is about, by its words and its id."""
        if said.verdict.isdecimal():
            return FACT
        if said.verdict in (OURS, THEIRS):
            return MERGE
        if said.id and (said.id in self._sessions or any(id.startswith(said.id) for id in self._ids)):
            return CAPTURED
        if said.verdict == KEEP:
            return FACT if FACTS in self._vault.index.kinds() else CAPTURED
        return {REWORD: MERGE, REJECT: CAPTURED}.get(said.verdict, PROPOSAL)

    def proposals(self, said: Sequence[Said], found: Findings | None) -> list[Judged]:
        run = gardening.run_id(self._who.now, os.urandom(2).hex())
        return judging.judge(self._vault, said, self._who, run, found, self._for_user, self._dry_run)

    def captured(self, said: Sequence[Said]) -> list[Judged]:
        """Verdicts on captured memories: what is kept with one reason is written at once."""
        done: dict[int, list[Judged]] = {}
        kept: dict[str, list[tuple[int, Said, InboxItem]]] = {}
        for at, one in enumerate(said):
            try:
                verdict = {YES: KEEP, NO: REJECT}.get(one.verdict, one.verdict)
                for found in self._meant(one):
                    is_new = verdict == REWORD
                    item = deciding.reworded(self._vault, found, one.text.encode()) if is_new else found
                    if verdict in (KEEP, REWORD) and not self._dry_run and self._may_take(item, verdict):
                        kept.setdefault(one.why, []).append((at, one, item))
                    else:
                        done.setdefault(at, []).append(self._without_memory(one, item, verdict))
            except MdmemError as error:
                done[at] = [Judged(one, fault=error)]
        for why, group in kept.items():
            written = deciding.keep(self._vault, [item for _, _, item in group], self._who, why)
            outcomes = {each.item.id: each for each in written}
            for at, one, item in group:
                done.setdefault(at, []).append(_kept(one, outcomes[item.id]))
        return [_joined(done[at]) for at in range(len(said))]

    def _meant(self, one: Said) -> list[InboxItem]:
        """The captured memories that are meant. Raises NotFoundError, UsageError."""
        if one.verdict == AGAIN:
            return [] if self._dry_run else self._inbox.take_back([one.id])
        items = self._inbox.chosen([one.id])
        if one.verdict not in (KEEP, REJECT, REWORD, YES, NO):
            raise UsageError(
                f"{one.verdict!r} cannot be a verdict here", f"say one of: {KEEP}, {REJECT}, {REWORD}"
            )
        if one.verdict == REWORD and not one.text.strip():
            raise UsageError("the text is empty", "give the text that is to be kept, or reject it")
        return items

    def _may_take(self, item: InboxItem, verdict: str) -> bool:
        """Whether a verdict is carried out: an agent's only as the settings say, and never to keep orders."""
        if not self._who.actor or self._for_user:
            return True
        return self._vault.config.garden.agents == ACT and (verdict == REJECT or not deciding.gives_orders(item))

    def _without_memory(self, one: Said, item: InboxItem, verdict: str) -> Judged:
        """Reject a captured memory, keep an agent's advice on it, or only say so."""
        acts = self._may_take(item, verdict)
        if verdict != AGAIN and not self._dry_run:
            if acts:
                deciding.reject(self._vault, [item], self._who.now)
            else:
                [found] = self._inbox.chosen([item.id])
                advice = {"verdict": verdict, "by": self._who.actor, "session": self._who.session, "why": one.why}
                self._inbox.advise([found._replace(said={**advice, "text": one.text})])
        return Judged(one, item.title, waits=verdict == AGAIN or not acts)

    def facts(self, said: Sequence[Said]) -> list[Judged]:
        """Scores, all of one reason in one commit, and facts that become memories."""
        done: dict[int, Judged] = {}
        scores: dict[str, list[tuple[int, Said, list[KnownFact]]]] = {}
        for at, one in enumerate(said):
            try:
                facts = knownfacts.with_id(self._vault, one.id)
                if one.verdict == KEEP and not self._dry_run:
                    made = keeping.keep(self._vault, one.id, self._who, "", one.why)
                    done[at] = Judged(one, made.title, made.commit, path=made.path)
                elif one.verdict.isdecimal() and int(one.verdict) <= HIGHEST_SCORE:
                    scores.setdefault(one.why, []).append((at, one, facts))
                elif one.verdict != KEEP:
                    hint = "0 is wrong, 10 never to forget"
                    raise UsageError(f"the score {one.verdict} is not from 0 to {HIGHEST_SCORE}", hint)
            except MdmemError as error:
                done[at] = Judged(one, fault=error)
        for why, group in scores.items():
            given = [(facts, int(one.verdict)) for _, one, facts in group]
            commit = "" if self._dry_run else knownfacts.score(self._vault, given, self._who, why).commit
            for at, one, facts in group:
                fact = facts[0].known.fact
                done[at] = Judged(one, f"{fact.subject} {fact.relation} {fact.object}", commit)
        return [done.get(at, Judged(one)) for at, one in enumerate(said)]

    def merges(self, said: Sequence[Said]) -> list[Judged]:
        """Conflicts settled, one commit each."""
        return [self._settled(one) for one in said]

    def _settled(self, one: Said) -> Judged:
        try:
            first = unsettled.of(self._vault, one.id)[0]
            if one.verdict not in (OURS, THEIRS, REWORD):
                raise UsageError(
                    f"{one.verdict!r} cannot be a verdict here", f"say one of: {OURS}, {THEIRS}, {REWORD}"
                )
            if self._dry_run:
                return Judged(one, first.path)
            if one.verdict != REWORD:
                done = unsettled.settle(self._vault, one.id, one.verdict, self._who, one.why)
                names = ", ".join(map(memory.stem, done.paths))
                return Judged(one, names, done.commit, why="" if done.commit else "staged; conclude with git")
            if first.in_merge:
                raise UsageError(f"git has stopped at {first.path}", f"edit it, then: git add {first.path}")
            before = self._vault.read(first.path)
            record = lookup.named(self._vault, first.path)
            written = edit.replace(self._vault, record, before, one.text.encode(), self._who, one.why)
            return Judged(one, memory.stem(first.path), written.commit)
        except MdmemError as error:
            return Judged(one, fault=error)


def _kept(one: Said, kept: deciding.KeptItem) -> Judged:
    known = kept.decision.record
    why = f"{known.name} says it already" if kept.is_settled and not kept.path and known else ""
    if not kept.is_settled:
        fault = MdmemError(f"{kept.item.id} cannot be written: {kept.decision.reason}", "reword it, or reject it")
        return Judged(one, kept.item.title, fault=fault)
    return Judged(one, kept.item.title, kept.commit if kept.path else "", path=kept.path, why=why)


def _joined(parts: Sequence[Judged]) -> Judged:
    """What became of a verdict that was about several, as that on a session is."""
    if len(parts) < 2:
        return parts[0] if parts else Judged(Said("", AGAIN), waits=True)
    faults = [each.fault for each in parts if each.fault]
    paths = ", ".join(each.path for each in parts if each.path)
    title = f"{len(parts)} captured memories"
    return parts[0]._replace(title=title, path=paths, fault=faults[0] if faults else None)
