"""A person's answers on the page of proposals, carried out as `mdmem garden` and `mdmem inbox` do."""

from __future__ import annotations

import os
from collections.abc import Mapping

from mdmem.errors import ConflictError, UsageError
from mdmem.garden import apply, decisions, lessons
from mdmem.garden import plan as garden
from mdmem.garden import review as reviewing
from mdmem.garden.apply import Request
from mdmem.garden.gardeners.proposal import Findings, Proposal
from mdmem.garden.plan import Wish
from mdmem.garden.review import Review
from mdmem.inbox import deciding
from mdmem.inbox.store import Inbox, InboxItem
from mdmem.operation import Caller
from mdmem.page.links import Destination
from mdmem.page.reading import review
from mdmem.page.request import PageRequest
from mdmem.vault.vault import Vault

ACCEPT, REJECT, UNDO, LEARN = ANSWERS = ("accept", "reject", "undo", "learn")
FILE = "file:"  # prefix of the form fields of reworded files; the path follows
_GONE = "look at what is proposed now"


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
    for lesson in review.taught(vault, decided, decided.keys()):
        if lesson.rule == rule:
            lessons.learn(vault, lesson, who)
            return rule
    raise UsageError("that rule was not offered", _GONE)


def _words(request: PageRequest) -> dict[str, str]:
    """path -> text of the files that were reworded."""
    return {name.removeprefix(FILE): text for name, text in request.given.items() if name.startswith(FILE)}


# -- what the gardeners propose ----------------------------------------------------------------------------


def _answer_proposal(vault: Vault, request: PageRequest, who: Caller, answer: str) -> str:
    """Carry out an answer to a gardener's proposal; return the commit, "" if none was made."""
    if answer == UNDO:
        decisions.forget(vault, [request.text("proposal")])
        return ""
    known = review.known_plan(vault, request).plan
    found = known.findings if known else Findings()
    if request.plans:
        request.plans.answered(request.now)
    settings = garden.settings_of(vault.config)
    talk = Review(vault, found, settings.min_confidence, Wish(), who.now)
    one = _shown(vault, request, found)
    if answer == REJECT:
        talk.reject(one, lessons.reason_in(request.text("reason")))
        return ""
    talk.accept(one, _reworded(vault, one, _words(request)))
    return _apply(vault, found, one.id, who, request.text("reason"))


def _shown(vault: Vault, request: PageRequest, found: Findings) -> Proposal:
    """The proposal that a form is about, if it is still as it was shown. Raises ConflictError."""
    plan = review.planned(vault, found, decisions.load(vault))
    for one in plan.proposals:
        if one.id == request.text("proposal") and review.mark(one) == request.text("mark"):
            return one
    raise ConflictError("the notes have changed since this was shown; nothing was done", _GONE)


def _reworded(vault: Vault, one: Proposal, words: Mapping[str, str]) -> dict[str, bytes]:
    """path -> new bytes of the files that the person changed. Raises NoteError, UsageError."""
    changed = {}
    for edit in one.edits:
        if edit.path in words and edit.after is not None:
            data = review.as_written(words[edit.path], edit.after)
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


# -- captured proposals ------------------------------------------------------------------------------------


def _answer_item(vault: Vault, request: PageRequest, who: Caller, answer: str) -> str:
    if answer == UNDO:
        Inbox(vault).take_back([request.text("captured")])
        return ""
    [item] = Inbox(vault).chosen([request.text("captured")])
    if review.mark_of_item(vault, item) != request.text("mark"):
        raise ConflictError("what it replaces has changed since this was shown; nothing was done", _GONE)
    if answer == REJECT:
        deciding.reject(vault, [item], who.now)
        return ""
    return _keep(vault, _reworded_item(vault, item, _words(request)), who, request.text("reason"))


def _reworded_item(vault: Vault, item: InboxItem, words: Mapping[str, str]) -> InboxItem:
    text = words.get(review.TEXT)
    return deciding.reworded(vault, item, review.as_written(text, b"")) if text is not None else item


def _keep(vault: Vault, item: InboxItem, who: Caller, reason: str) -> str:
    """Write a captured proposal as a memory; return the commit. Raises ConflictError on failure: it waits on."""
    [kept] = deciding.keep(vault, [item], who, reason)
    if not kept.is_settled:
        raise ConflictError(f"the proposal was not kept: {kept.decision.reason}", "edit it, or reject it")
    return kept.commit
