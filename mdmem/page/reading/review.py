"""What waits for a person: the gardeners' proposals, memories captured from sessions, and the answers to both."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from mdmem.acts.json.capture import inbox_json
from mdmem.acts.json.garden import proposal_json
from mdmem.errors import ConflictError, NotFoundError, UsageError
from mdmem.garden import apply, decisions, lessons
from mdmem.garden import plan as garden
from mdmem.garden import review as reviewing
from mdmem.garden.apply import Request
from mdmem.garden.decisions import NONE, REJECTED, Decisions
from mdmem.garden.gardeners.proposal import Findings, Proposal, digest
from mdmem.garden.lessons import REASONS, Lesson
from mdmem.garden.plan import GardenPlan, Wish
from mdmem.garden.review import Review
from mdmem.git import log
from mdmem.history import past
from mdmem.inbox import deciding
from mdmem.inbox.store import Inbox, InboxItem
from mdmem.local import files
from mdmem.operation import Caller
from mdmem.page import planning
from mdmem.page.links import Destination
from mdmem.page.planner import Planner
from mdmem.page.planning import KnownPlan
from mdmem.page.reading import chronicle
from mdmem.page.request import PageRequest
from mdmem.text import moments
from mdmem.text.terminal import safe
from mdmem.vault.vault import Vault

_AT_ONCE = 20  # proposals of each kind
_MOST_FILES, _MOST_EVIDENCE, _MOST_REJECTED = 8, 5, 10
_ROOM = 80_000  # bytes of files, before and after, that are compared on one page
_LONGEST = 20_000  # of one file
TEXT = "text"  # stands for the path of a captured proposal's only file
ACCEPT, REJECT, UNDO, LEARN = ANSWERS = ("accept", "reject", "undo", "learn")
FILE = "file:"  # prefix of the form fields of reworded files; the path follows
_GONE = "look at what is proposed now"


def read(vault: Vault, request: PageRequest) -> dict[str, Any]:
    """The first proposals of each kind, without those whose ids are in `later`.

    `proposals` are the gardeners', each with the changes to its files; `mark` identifies exactly what was shown.
    `captured` are those in this machine's inbox, and `rejected` those rejected on it: an export has neither.
    `editing` is the form to reword the proposal with the id `edit`. `done` is the commit of the last answer.
    `planned` is when the gardeners last looked at the vault, "" if they have not; `is_whole` is true if nothing
    has changed since. `planning` is the progress of their next look, null if there is none, and `trouble` what
    keeps them from it. `lessons` are rules that the rejection of the proposal `rejected`, with earlier ones,
    suggests; `learned` is the rule that was just adopted, as a sentence.
    """
    later = ids_in(request.text("later"))
    decided = NONE if request.is_kept else decisions.load(vault)
    known = _known_plan(vault, request)
    found = known.plan.findings if known.plan else Findings()
    plan = _planned(vault, found, decided)
    waiting = [one for one in plan.proposals if one.id not in later]
    items = [] if request.is_kept else [item for item in Inbox(vault).items() if item.id not in later]
    return {
        "proposals": _proposals(vault, waiting[:_AT_ONCE], plan),
        "captured": _captured(vault, items[:_AT_ONCE]),
        "total": len(waiting),
        "total_captured": len(items),
        "unsure": plan.unsure,
        "later": sorted(later),
        "reasons": list(REASONS.values()),
        "rejected": [*_rejected_items(vault, request), *_rejected(found, decided)][:_MOST_REJECTED],
        "editing": _editing(vault, request.text("edit"), waiting, items) if request.text("edit") else None,
        "done": _done(vault, request.text("done")),
        "planned": known.plan.when if known.plan else "",
        "is_whole": known.plan is not None and known.plan.is_whole,
        "planning": progress(known.in_making),
        "trouble": known.trouble,
        "lessons": [
            {**one._asdict(), "sentence": one.sentence}
            for one in _taught(vault, decided, {request.text("rejected")})
        ],
        "learned": _learned(vault, request.text("learned")),
    }


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


def _planned(vault: Vault, found: Findings, decided: Decisions) -> GardenPlan:
    """The proposals to ask a person about, with any wording that they gave before."""
    return garden.choose(found, vault.config.garden.min_confidence, Wish(), decided)


def _taught(vault: Vault, decided: Decisions, now: Collection[str]) -> list[Lesson]:
    """The rules suggested by rejections that include one of the ids in `now`, the narrowest rules first."""
    return [lesson for choices in lessons.lessons(decided, now, vault.config.garden.never) for lesson in choices]


def _learned(vault: Vault, rule: str) -> str:
    """A rule of `garden.never` as a sentence, "" if it is not one."""
    return Lesson(rule, "", 0).sentence if rule in vault.config.garden.never else ""


def _mark(one: Proposal) -> str:
    """A digest of everything a proposal would change, so that a form can tell whether it is still as shown."""
    states = (
        (digest(data) if data is not None else "" for data in (edit.before, edit.after)) for edit in one.edits
    )
    return digest("\n".join(" ".join(state) for state in states).encode())


def _mark_of_item(vault: Vault, item: InboxItem) -> str:
    """The same for a proposal from the inbox, with the memory that it would replace."""
    records = vault.index.with_id(item.replaces) if item.replaces else []
    replaced = [files.read_or_none(vault.root, record.path) or b"" for record in records]
    return digest(b"\n".join([deciding.as_note(item), *replaced]))


# -- what the gardeners propose ----------------------------------------------------------------------------


def _proposals(vault: Vault, proposals: Sequence[Proposal], plan: GardenPlan) -> list[dict[str, Any]]:
    named = (path for one in proposals for path in (*one.paths, *(why.path for why in one.evidence)))
    titles = chronicle.titles(vault, named)
    room = _ROOM
    told = []
    for one in proposals:
        changed = []
        for edit in one.edits[:_MOST_FILES]:
            size = len(edit.before or b"") + len(edit.after or b"")
            fits = size <= min(room, _LONGEST)
            room -= size if fits else 0
            changed.append(
                chronicle.changed(
                    vault, edit.path, titles[edit.path], edit.before, edit.after, most=_LONGEST if fits else 0
                )
            )
        told.append({**_proposal(one, titles), "files": changed, "accepted": one.id in plan.accepted})
    return told


def _proposal(one: Proposal, titles: Mapping[str, tuple[str, bool]]) -> dict[str, Any]:
    told = proposal_json(one)
    del told["diff"]
    return {
        **told,
        "evidence": [{**why, "title": titles[why["path"]][0]} for why in told["evidence"][:_MOST_EVIDENCE]],
        "more_evidence": max(0, len(one.evidence) - _MOST_EVIDENCE),
        "more_files": max(0, len(one.edits) - _MOST_FILES),
        "mark": _mark(one),
    }


def _rejected(found: Findings, decided: Decisions) -> list[dict[str, Any]]:
    """Proposals that were rejected, and stay so as long as their notes do not change; the latest first."""
    refused = [
        {
            "id": one.id,
            "title": one.title,
            "when": decided[one.id].when,
            "reason": decided[one.id].reason,
            "captured": False,
        }
        for one in found.proposals
        if one.id in decided and decided[one.id].verdict == REJECTED
    ]
    return sorted(refused, key=lambda one: one["when"], reverse=True)


def _rejected_items(vault: Vault, request: PageRequest) -> list[dict[str, Any]]:
    """Captured proposals that were rejected on this machine, the latest first."""
    items = [] if request.is_kept else Inbox(vault).rejected()
    return [{"id": item.id, "title": item.title, "when": "", "reason": "", "captured": True} for item in items]


# -- captured proposals ------------------------------------------------------------------------------------


def _captured(vault: Vault, items: Sequence[InboxItem]) -> list[dict[str, Any]]:
    replaced = {item.id: deciding.would_replace(vault, item) for item in items}
    told = inbox_json(items, replaced, past.undone_sessions(vault, (item.session for item in items)))
    return [{**each, "mark": _mark_of_item(vault, item)} for each, item in zip(told, items, strict=True)]


# -- rewording ---------------------------------------------------------------------------------------------


def _editing(vault: Vault, id: str, proposals: Iterable[Proposal], items: Iterable[InboxItem]) -> dict[str, Any]:
    """The files that a proposal would write, for a person to reword. Raises NotFoundError."""
    for item in items:
        if item.id == id:
            text = deciding.as_note(item).decode()
            return _form(id, item.title, _mark_of_item(vault, item), True, {TEXT: text})
    for one in proposals:
        if one.id == id:
            return _form(id, one.title, _mark(one), False, _editable(one))
    raise NotFoundError("that proposal is no longer waiting", "look again")


def _form(id: str, title: str, seen: str, is_captured: bool, texts: dict[str, str]) -> dict[str, Any]:
    told = [{"path": path, "text": text} for path, text in texts.items()]
    return {"id": id, "title": title, "mark": seen, "captured": is_captured, "files": told}


def _editable(one: Proposal) -> dict[str, str]:
    """path -> text of the files that a proposal would write, if a form can hold the text without changing it."""
    shown = {edit.path: _as_shown(edit.after or b"") for edit in one.edits}
    return {path: text for path, text in shown.items() if text}


def _as_shown(data: bytes) -> str:
    """A text as a form holds it, "" for one that the form would not return unchanged."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return ""
    plain = text.replace("\r\n", "\n")
    is_mixed = text != plain and plain.replace("\n", "\r\n") != text
    return "" if is_mixed or len(text) > _LONGEST or safe(plain) != plain else plain


def _as_written(text: str, data: bytes) -> bytes:
    """The text that a form sent, as bytes with the line endings of `data`."""
    plain = text.replace("\r\n", "\n")
    return (plain.replace("\n", "\r\n") if b"\r\n" in data else plain).encode()


def _done(vault: Vault, commit: str) -> dict[str, Any] | None:
    """The commit of the last answer, with the titles of what it changed."""
    if not commit or commit not in log.order(vault.repo, f"--max-count={_AT_ONCE}"):
        return None
    told = chronicle.told(vault, chronicle.some(vault, [commit]))
    return told[0] if told else None


# -- a person's answers, carried out as `mdmem garden` and `mdmem inbox` do ---------------------------------


def act(vault: Vault, request: PageRequest, who: Caller) -> Destination:
    """Accept a proposal, as it is or reworded, reject it with a reason, or take a rejection back.

    A rule learned from rejections can also be adopted. Raises UsageError, and ConflictError before anything is
    changed if the answer would do something other than what was shown.
    """
    answer = request.text("do")
    if answer not in ANSWERS:
        raise UsageError(f"'{answer[:20]}' is not an answer", f"give do={', do='.join(ANSWERS)}")
    later = {"later": request.text("later")}
    if answer == LEARN:
        return Destination("review", given={"learned": _learn(vault, request, who), **later})
    if request.text("captured"):
        commit, rejected = _answer_item(vault, request, who, answer), ""
    else:
        commit = _answer_proposal(vault, request, who, answer)
        rejected = request.text("proposal") if answer == REJECT and request.text("reason") else ""
    return Destination("review", given={"done": commit, "rejected": rejected, **later})


def _learn(vault: Vault, request: PageRequest, who: Caller) -> str:
    """Write a rule that was offered into the settings. Raises UsageError if it was not offered."""
    decided = decisions.load(vault)
    rule = request.text("rule")
    for lesson in _taught(vault, decided, decided.keys()):
        if lesson.rule == rule:
            lessons.learn(vault, lesson, who)
            return rule
    raise UsageError("that rule was not offered", _GONE)


def _answer_proposal(vault: Vault, request: PageRequest, who: Caller, answer: str) -> str:
    """Carry out an answer to a gardener's proposal; return the commit, "" if none was made."""
    if answer == UNDO:
        decisions.forget(vault, [request.text("proposal")])
        return ""
    known = _known_plan(vault, request).plan
    found = known.findings if known else Findings()
    if request.plans:
        request.plans.answered(request.now)
    settings = garden.settings_of(vault.config)
    talk = Review(vault, found, settings.min_confidence, Wish(), who.now)
    one = _shown(vault, request, found)
    if answer == REJECT:
        talk.reject(one, lessons.reason_in(request.text("reason")))
        return ""
    talk.accept(one, _reworded(vault, one, request.given))
    return _apply(vault, found, one.id, who, request.text("reason"))


def _shown(vault: Vault, request: PageRequest, found: Findings) -> Proposal:
    """The proposal that a form is about, if it is still as it was shown. Raises ConflictError."""
    plan = _planned(vault, found, decisions.load(vault))
    for one in plan.proposals:
        if one.id == request.text("proposal") and _mark(one) == request.text("mark"):
            return one
    raise ConflictError("the notes have changed since this was shown; nothing was done", _GONE)


def _reworded(vault: Vault, one: Proposal, given: Mapping[str, str]) -> dict[str, bytes]:
    """path -> new bytes of the files that the person changed. Raises NoteError, UsageError."""
    changed = {}
    for edit in one.edits:
        text = given.get(FILE + edit.path)
        if text is not None and edit.after is not None:
            data = _as_written(text, edit.after)
            if data != edit.after:
                reviewing.check_words(vault, edit, data)
                changed[edit.path] = data
    return changed


def _apply(vault: Vault, found: Findings, id: str, who: Caller, reason: str) -> str:
    """Carry out an accepted proposal; return the commit. Raises ConflictError on failure: it stays accepted."""
    request = Request(garden.settings_of(vault.config), Wish(ids=frozenset([id])), reason=reason)
    [one] = garden.choose(found, 0.0, request.wish, decisions.load(vault)).proposals
    outcome = apply.carry_out(vault, one, request, who, apply.run_id(who.now, os.urandom(2).hex()))
    if not outcome.commit:
        raise ConflictError(f"{outcome.why}; it is accepted and waits", _GONE)
    return outcome.commit


def _answer_item(vault: Vault, request: PageRequest, who: Caller, answer: str) -> str:
    """The same for a captured proposal. Raises ConflictError for one that could not be kept: it waits on."""
    if answer == UNDO:
        Inbox(vault).take_back([request.text("captured")])
        return ""
    [item] = Inbox(vault).chosen([request.text("captured")])
    if _mark_of_item(vault, item) != request.text("mark"):
        raise ConflictError("what it replaces has changed since this was shown; nothing was done", _GONE)
    if answer == REJECT:
        deciding.reject(vault, [item], who.now)
        return ""
    text = request.given.get(FILE + TEXT)
    if text is not None:
        item = deciding.reworded(vault, item, _as_written(text, b""))
    [kept] = deciding.keep(vault, [item], who, request.text("reason"))
    if not kept.is_settled:
        raise ConflictError(f"the proposal was not kept: {kept.decision.reason}", "edit it, or reject it")
    return kept.commit
