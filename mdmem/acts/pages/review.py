"""What waits for a person: the gardeners' proposals, memories captured from sessions, and the answers to both."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from mdmem.acts import write
from mdmem.acts.checks import queue, taking
from mdmem.acts.checks.queue import (
    CAPTURED,
    FACT,
    KEEP,
    KINDS,
    MERGE,
    OURS,
    PROPOSAL,
    THEIRS,
    Waiting,
    Wanted,
)
from mdmem.acts.pages import chronicle, excerpts, fields, planning
from mdmem.acts.pages.planning import KnownPlan, Planner
from mdmem.acts.pages.request import Destination, PageRequest
from mdmem.acts.telling import encode
from mdmem.capture.inbox import deciding
from mdmem.capture.inbox.store import InboxItem
from mdmem.errors import ConflictError, NotFoundError, UsageError
from mdmem.garden import judging, verdicts
from mdmem.garden import plan as garden
from mdmem.garden.gardeners import care
from mdmem.garden.gardeners.care import REASONS, Lesson
from mdmem.garden.gardeners.proposal import Findings, Proposal, digest
from mdmem.garden.judging import Said
from mdmem.note import moments
from mdmem.note.facts import HIGHEST_SCORE
from mdmem.note.memory import stem
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers.knownfacts import KnownFact

_AT_ONCE, _FACTS = 20, 5  # of each kind, and of facts, of which there may be thousands
_EVERY = 1000  # more than an inbox holds
_MOST_FILES, _MOST_EVIDENCE, _MOST_REJECTED = 8, 5, 10
_ROOM = 80_000  # bytes of files, before and after, that are compared on one page
_LONGEST = 20_000  # of one file
TEXT = "text"  # stands for the path of a captured proposal's only file
ACCEPT, REJECT, UNDO, LEARN, AGREE = "accept", "reject", "undo", "learn", "agree"
_SCORES = tuple(map(str, range(HIGHEST_SCORE + 1)))
ANSWERS = (ACCEPT, REJECT, UNDO, LEARN, AGREE, OURS, THEIRS, KEEP, *_SCORES)
FILE = "file:"  # prefix of the form fields of reworded files; the path follows
_WORD = re.compile(r"([^\s,:;()]+)(?::\d+)?")
_GONE = "look at what is proposed now"
_VERDICTS = {ACCEPT: verdicts.YES, REJECT: verdicts.NO, UNDO: verdicts.AGAIN}


def read(vault: Vault, request: PageRequest) -> dict[str, Any]:
    """The first proposals of each kind, without those whose ids are in `later`.

    `proposals` are the gardeners', each with the changes to its files; `mark` identifies exactly what was shown.
    `captured` are those in this machine's inbox, and `rejected` those rejected on it: an export has neither.
    `agreed` are those that an agent or a model wants taken, by who that is. `conflicts` are what merges could not
    decide, and `facts` the first without a score. `pasted` is how many memories were found in a chat just now.
    `editing` is the form to reword the proposal with the id `edit`.
    `planned` is when the gardeners last looked at the vault, "" if they have not; `is_whole` is true if nothing
    has changed since. `planning` is the progress of their next look, null if there is none, and `trouble` what
    keeps them from it. `lessons` are rules that the rejection of the proposal `rejected`, with earlier ones,
    suggests; `learned` is the rule that was just adopted, as a sentence.
    """
    later, learned = ids_in(request.text("later")), request.text("learned")
    known = _known_plan(vault, request)
    found = _found(vault, known)
    least = 0.0 if request.text("unsure") else vault.config.garden.min_confidence
    plan = garden.choose(found, least)
    waiting = [one for one in plan.proposals if one.id not in later]
    captured = () if request.is_kept else _waiting(vault, request, CAPTURED).items
    items = [one for one in captured if one.id not in later]
    shown = queue.proposed(vault, waiting[:_AT_ONCE])
    conflicts = _waiting(vault, request, MERGE, _AT_ONCE)
    facts = _waiting(vault, request, FACT, _FACTS)
    advised = {} if request.is_kept else _advised(vault, request, found)
    return {
        "agreed": [
            {"by": by, "mark": _mark(*these), "items": _in_full(vault, these)} for by, these in advised.items()
        ],
        "conflicts": _told(conflicts.items),
        "facts": _facts(vault, facts.items),
        "total_facts": facts.counts[FACT],
        "pasted": request.text("pasted"),
        "proposals": _in_full(vault, shown),
        "captured": _told(items[:_AT_ONCE]),
        "total": len(waiting),
        "total_captured": len(items),
        "unsure": plan.unsure,
        "later": sorted(later),
        "reasons": list(REASONS.values()),
        "rejected": [] if request.is_kept else _rejected(vault, found),
        "editing": _editing([*shown, *items], request.text("edit")) if request.text("edit") else None,
        "planned": known.plan.when if known.plan else "",
        "is_whole": known.plan is not None and known.plan.is_whole,
        "planning": progress(known.in_making),
        "trouble": known.trouble,
        "lessons": [
            {**one._asdict(), "sentence": one.sentence} for one in _taught(vault, {request.text("rejected")})
        ],
        "learned": Lesson(learned, "", 0).sentence if learned in vault.config.garden.never else "",
    }


def counts(vault: Vault, request: PageRequest) -> dict[str, int]:
    """How much waits of each kind, as far as it is known without looking: an export knows nothing of machines."""
    kinds = (MERGE, FACT) if request.is_kept else (MERGE, CAPTURED, FACT)
    found = queue.counts(vault, kinds)
    plan = request.plans.known(vault, request.now) if request.plans else None
    if plan is None:
        return found
    told = garden.told(vault, plan.findings)
    chosen = garden.choose(told, vault.config.garden.min_confidence)
    return {**found, PROPOSAL: len(chosen.proposals)}


def _advised(vault: Vault, request: PageRequest, found: Findings) -> dict[str, list[Waiting]]:
    """What waits and is agreed to, by the agent or model that agrees."""
    plan = garden.choose(found, vault.config.garden.min_confidence)
    proposals = queue.proposed(vault, [one for one in plan.proposals if one.backed])
    later, groups = ids_in(request.text("later")), dict[str, list[Waiting]]()
    for one in (*_waiting(vault, request, CAPTURED).items, *proposals):
        if one.agreed and one.id not in later:
            groups.setdefault(one.agreed, []).append(one)
    return groups


def ids_in(text: str) -> set[str]:
    """The comma-separated ids in a parameter."""
    return {id for id in text.split(",") if id}


def _known_plan(vault: Vault, request: PageRequest) -> KnownPlan:
    """What is known so far of the gardeners' plan."""
    return request.plans.refresh(vault, request.now) if request.plans else planning.settled(vault, request.now)


def progress(planner: Planner | None) -> dict[str, Any] | None:
    """The progress of a plan in the making, None if there is none."""
    if planner is None:
        return None
    return {"since": moments.render(planner.since), "done": planner.done, "total": planner.total}


def _found(vault: Vault, known: KnownPlan) -> Findings:
    """What the gardeners found, with what has been said of it by now."""
    return garden.told(vault, known.plan.findings) if known.plan else Findings()


def _waiting(vault: Vault, request: PageRequest, kind: str, most: int = _EVERY) -> queue.Queue:
    """The first of a kind that wait, and how many there are."""
    return queue.waiting(vault, Caller(request.now), Wanted((kind,), limit=most))


def _taught(vault: Vault, now: Collection[str]) -> list[Lesson]:
    """The rules suggested by rejections that include one of the ids in `now`, the narrowest rules first."""
    found = care.lessons(verdicts.load(vault), now, vault.config.garden.never)
    return [lesson for choices in found for lesson in choices]


def _mark(*items: Waiting) -> str:
    """A digest of what an answer would do, so that a form can tell whether it is still as shown."""
    return digest(repr(sorted((one.texts, one.would, one.change) for one in items)).encode())


def _told(items: Sequence[Waiting]) -> list[dict[str, Any]]:
    return [{**told, "mark": _mark(one)} for told, one in zip(encode(items), items, strict=True)]


def _facts(vault: Vault, items: Sequence[Waiting]) -> list[dict[str, Any]]:
    """Facts, each with the path and title of the file that states it, and whether that is `there` as a memory."""
    paths = [one.source.known.source for one in items if isinstance(one.source, KnownFact)]
    titles = chronicle.titles(vault, paths)
    return [
        {**told, "path": path, "where": titles[path][0], "there": titles[path][1]}
        for told, path in zip(_told(items), paths, strict=True)
    ]


def _in_full(vault: Vault, items: Sequence[Waiting]) -> list[dict[str, Any]]:
    """What waits, each proposal with the changes to its files as far as the page has room."""
    sources = [one.source for one in items if isinstance(one.source, Proposal)]
    named = (path for one in sources for path in (*one.paths, *(why.path for why in one.evidence)))
    titles = chronicle.titles(vault, named)
    room = _ROOM
    told = []
    for item, common in zip(items, _told(items), strict=True):
        one = item.source
        if not isinstance(one, Proposal):
            told.append(common)
            continue
        changed = []
        for edit in one.edits[:_MOST_FILES]:
            size = len(edit.before or b"") + len(edit.after or b"")
            fits = size <= min(room, _LONGEST)
            room -= size if fits else 0
            sides = titles[edit.path], edit.before, edit.after
            changed.append(chronicle.changed(vault, edit.path, *sides, most=_LONGEST if fits else 0))
        told.append(
            {
                **common,
                "title": _titled(one.title, titles),
                "evidence": [
                    {**why._asdict(), "title": titles[why.path][0], "text": _titled(why.text, titles, marked=True)}
                    for why in one.evidence[:_MOST_EVIDENCE]
                ],
                "more_evidence": max(len(one.evidence) - _MOST_EVIDENCE, 0),
                "more_files": max(len(one.edits) - _MOST_FILES, 0),
                "files": changed,
                "accepted": one.accepted,
                "diff": "",
            }
        )
    return told


def _titled(text: str, titles: Mapping[str, tuple[str, bool]], marked: bool = False) -> str:
    """A text with the titles of memories in place of their names; if `marked`, only of links and paths."""
    quoted = "‘{}’" if marked else "“{}”"  # what is marked stands in quotation marks itself
    names = {stem(path): quoted.format(excerpts.plain(title)) for path, (title, _) in titles.items()}

    def said(found: re.Match[str]) -> str:
        name = stem(found[1].strip("[]"))
        return names.get(name, found[0]) if name != found[1] or not marked else found[0]

    return _WORD.sub(said, text)


def _rejected(vault: Vault, found: Findings) -> list[dict[str, Any]]:
    """The first of what was rejected, each with a title: of a proposal, the titles of its memories."""
    denied = taking.denied(vault, Wanted(), found)[:_MOST_REJECTED]
    titles = chronicle.titles(vault, (path for one in denied for path in one["paths"]))
    for one in denied:
        named = ", ".join(f"“{excerpts.plain(titles[path][0])}”" for path in one["paths"])
        one["title"] = one["title"] or f"{named}: {one['verdict']}"
    return denied


# -- rewording ---------------------------------------------------------------------------------------------


def _editing(items: Iterable[Waiting], id: str) -> dict[str, Any]:
    """The files that a proposal would write, for a person to reword. Raises NotFoundError."""
    for one in items:
        if one.id == id:
            return {
                "id": id,
                "title": one.title,
                "mark": _mark(one),
                "captured": one.kind == CAPTURED,
                "files": [{"path": path, "text": text} for path, text in _editable(one.source).items()],
            }
    raise NotFoundError("that proposal is no longer waiting", "look again")


def _editable(one: Any) -> dict[str, str]:
    """path -> text of the files that one would write, if a form can hold the text without changing it."""
    if isinstance(one, InboxItem):
        return {TEXT: deciding.as_note(one).decode()}
    shown = {edit.path: fields.as_text(edit.after or b"") for edit in one.edits}
    return {path: text for path, text in shown.items() if 0 < len(text) <= _LONGEST}


# -- a person's answers, carried out as `mdmem judge` does ----------------------------------------------------


def act(vault: Vault, request: PageRequest, who: Caller) -> Destination:
    """Accept a proposal, as it is or reworded, reject it with a reason, or take a rejection back.

    A rule learned from rejections can also be adopted. Raises UsageError, and ConflictError before anything is
    changed if the answer would do something other than what was shown.
    """
    answer = request.text("do")
    if answer not in ANSWERS:
        raise UsageError(f"'{answer[:20]}' is not an answer", f"give do={', do='.join(ANSWERS)}")
    if answer == LEARN:
        given = {"learned": _learn(vault, request, who)}
    elif answer == AGREE:
        given = {"done": _agree(vault, request, who)}
    else:
        rejected = request.text("proposal") if answer == REJECT and request.text("reason") else ""
        given = {"done": _answer(vault, request, who, answer), "rejected": rejected}
    return Destination("review", given={**given, "later": request.text("later")})


def _agree(vault: Vault, request: PageRequest, who: Caller) -> str:
    """Accept all that an agent or a model agrees to; return the commits. Raises ConflictError."""
    by, found = request.text("by"), _found(vault, _known_plan(vault, request))
    items = _advised(vault, request, found).get(by, [])
    if not items or _mark(*items) != request.text("mark"):
        raise ConflictError("what waits has changed since this was shown; nothing was done", _GONE)
    if request.plans:
        request.plans.answered(request.now)
    done = taking.judge(vault, taking.agreed(items, by), who, for_user=True, found=found)
    commits = list(dict.fromkeys(each.commit for each in done if each.commit))
    faults = [each.fault for each in done if each.fault]
    if faults and not commits:
        raise faults[0]
    return ",".join(commits)


def _learn(vault: Vault, request: PageRequest, who: Caller) -> str:
    """Write a rule that was offered into the settings. Raises UsageError if it was not offered."""
    rule = request.text("rule")
    for lesson in _taught(vault, {one.proposal for one in verdicts.load(vault)}):
        if lesson.rule == rule:
            care.learn(vault, lesson, who)
            return rule
    raise UsageError("that rule was not offered", _GONE)


def _answer(vault: Vault, request: PageRequest, who: Caller, answer: str) -> str:
    """Carry out an answer; return the commit, "" if none was made. Raises what a verdict does, ConflictError."""
    kind = next((kind for kind in KINDS if request.text(kind)), PROPOSAL)
    found = _found(vault, _known_plan(vault, request)) if kind == PROPOSAL else None
    if request.plans:
        request.plans.answered(request.now)
    said = Said(request.text(kind), _VERDICTS.get(answer, answer), request.text("reason"))
    if answer == REJECT:
        said = said._replace(why=care.reason_in(said.why))
    if answer == ACCEPT or (answer == REJECT and found) or kind == MERGE:
        one = _shown(vault, request, found, kind, said.id)
        if answer == ACCEPT:
            said = _reworded(vault, one, said, request.given)
    [done] = taking.judge(vault, [said], who, kind, for_user=True, found=found)
    if done.fault:
        raise done.fault
    if answer == ACCEPT and found and not done.commit:
        raise ConflictError(done.why, _GONE)
    return done.commit


def _shown(vault: Vault, request: PageRequest, found: Findings | None, kind: str, id: str) -> Waiting:
    """What a form is about, if it is still as it was shown. Raises NotFoundError, ConflictError."""
    if found is None:
        items = [one for one in _waiting(vault, request, kind).items if one.id == id]
        if not items:
            raise NotFoundError("that is no longer waiting", "look again")
    else:
        plan = garden.choose(found, 0.0)
        items = queue.proposed(vault, [one for one in plan.proposals if one.id == id])
    for one in items:
        if _mark(one) == request.text("mark"):
            return one
    raise ConflictError("the notes have changed since this was shown; nothing was done", _GONE)


def _reworded(vault: Vault, one: Waiting, said: Said, given: Mapping[str, str]) -> Said:
    """The verdict with what the person changed. Raises NoteError, UsageError."""
    if not isinstance(one.source, Proposal):
        text = given.get(FILE + TEXT)
        return said if text is None else said._replace(verdict=queue.REWORD, text=text.replace("\r\n", "\n"))
    changed = {}
    for edit in one.source.edits:
        text = given.get(FILE + edit.path)
        if text is not None and edit.after is not None:
            data = write.as_file(text, edit.after)
            if data != edit.after:
                judging.check_words(vault, edit, data)
                changed[edit.path] = data
    return said._replace(edited=changed)
