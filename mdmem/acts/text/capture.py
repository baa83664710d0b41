"""Proposals from chats, the end of a session, imports and the inbox, as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mdmem.acts.style import Style, plain
from mdmem.note import tokens
from mdmem.note.memory import stem
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line

if TYPE_CHECKING:
    from mdmem.capture.proposals import CaptureDecision
    from mdmem.session.end import Ending
    from mdmem.store.registry import ImportPlan

_SAID = 60  # tokens of a memory that would be written
_LEFT_OUT = {"twin": "left out, known", "secret": "refused", "problem": "left out, cannot be written"}


def decision_lines(decision: CaptureDecision, path: str = "", style: Style = plain) -> str:
    """A proposal of capture: its trigger and quote, and its outcome; `path` is the file that was written."""
    proposal = decision.proposal
    place = safe_line(proposal.place) or f"line {proposal.line}"
    head = f"{style(proposal.trigger, 'bold')}  {proposal.confidence:.2f}  {place}"
    if proposal.quote:
        head += f'  "{safe_line(proposal.quote)}"'
    about = f" {decision.record.name}" if decision.record and decision.verdict == "twin" else ""
    return f"{head}\n   {_outcome(decision, path)} ({safe_line(decision.reason)}{about})"


def _outcome(decision: CaptureDecision, path: str) -> str:
    if path:
        return f"remembered {safe_line(path)}"
    if decision.verdict in ("new", "update"):
        return f"would remember: {safe_line(decision.proposal.draft.title)}"
    return _LEFT_OUT.get(decision.verdict, "left out")


def ending_lines(ending: Ending) -> Iterator[str]:
    """What the end of a session wrote or would write, and what it left out."""
    from mdmem.capture.proposals import paths_of

    for decision, path in zip(ending.decisions, paths_of(ending.decisions, ending.done), strict=True):
        yield _kept_line(decision, path, ending.done.commit)
    for offer in ending.offers:
        yield f"could be added: {safe_line(offer)}"


def _kept_line(decision: CaptureDecision, path: str, commit: str) -> str:
    from mdmem.capture import proposals
    from mdmem.session import end

    draft = decision.proposal.draft
    title = safe_line(draft.name or draft.title)
    if decision.verdict not in proposals.WRITTEN:
        about = f" as {decision.record.name}" if decision.record and decision.verdict == "twin" else ""
        source = end.source(decision.proposal)
        name = f"{title} ({source})" if title else source
        return f"left out: {name}: {safe_line(decision.reason + about)}"
    replaced = f", replaces {safe_line(decision.record.name)}" if decision.record else ""
    if not path:
        return f"would remember: {tokens.cut(safe_line(draft.text), _SAID)}{replaced}"
    return f"remembered {safe_line(path)}  ({commit[:8]}){replaced}"


def import_lines(plan: ImportPlan, noun: str, commit: str, dry_run: bool) -> Iterator[str]:
    """The items that an import renames, then how many there are in all."""
    facts = [item.facts for item in plan.items]
    for one in facts:
        if one.get("renamed"):
            yield f"{safe_line(one['source'])} -> {safe_line(stem(one['path']))}"
    archived = sum(bool(one.get("archived")) for one in facts)
    updated = sum(bool(one.get("updated")) for one in facts)
    told = f"{'would import' if dry_run else 'imported'} {counted(len(facts) - updated, noun)}"
    told += f", {'would update' if dry_run else 'updated'} {updated}" if updated else ""
    told += f", {archived} of them archived" if archived else ""
    told += f", {len(plan.known)} there already" if plan.known else ""
    yield told + (f"  ({commit[:8]})" if commit else "")
