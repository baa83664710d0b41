"""Turns session logs into proposals in the inbox: what capture finds in them, weighed against the vault."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdmem.capture import proposals, reading, weighing
from mdmem.capture.inbox.reading import Piece, ReadLog, ReadLogs, next_piece
from mdmem.capture.inbox.store import Inbox, InboxItem
from mdmem.capture.proposals import WRITTEN, CaptureDecision, CapturedTranscript, CaptureProposal
from mdmem.errors import Problem, UsageError
from mdmem.note import moments
from mdmem.note.trust import sensitivity
from mdmem.store.local.sessions import Sessions
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.write import guard, remember
from mdmem.write.remember import Draft


class Filled(NamedTuple):
    """The result of reading a log: the number of proposals added, and the paths of memories kept at once.

    `is_done` is False if the log has to be read further.
    """

    added: int = 0
    kept: tuple[str, ...] = ()
    is_done: bool = True


def fill(vault: Vault, path: str, who: Caller, seconds: float) -> Filled:
    """Read on in a session log for about so many seconds, and take in what is worth a memory.

    A missing log yields nothing. The session is the one that the log names, else that of `who`. What the settings
    allow to keep is written at once. Raises UsageError for a log that cannot be read, OSError, BusyError.
    """
    if not os.path.isfile(path):
        return Filled()
    path = os.path.realpath(path)
    until = time.monotonic() + seconds
    if reading.is_database(path):
        transcript = reading.read(path, session=who.session, outcome=True)
        return _take_in(vault, transcript, 0, path, who)
    log = ReadLogs(vault).get(path) or ReadLog(path)
    log = log._replace(
        session=log.session or who.session, actor=log.actor or who.actor, is_done=False, project=who.project
    )
    ReadLogs(vault).save(log)
    return _read_on(vault, log, who, until)


def take(vault: Vault, text: str, who: Caller) -> Filled:
    """Take in what is worth a memory in a pasted text. Raises UsageError for one in which nobody speaks."""
    transcript = proposals.read(text, "what was pasted", session=who.session)
    return _take_in(vault, transcript, 0, "pasted", who)


def offer(vault: Vault, drafts: Sequence[Draft], who: Caller) -> int:
    """Have what an agent would remember wait for a person; how many do that neither waited nor were rejected."""
    wanted = [CaptureProposal("remember", one.text, 0, 1.0, "the agent would keep it", one) for one in drafts]
    return len(Inbox(vault).add(_item(vault, CaptureDecision(one, "new", ""), "remember", who) for one in wanted))


def go_on(vault: Vault, who: Caller, seconds: float) -> None:
    """Read on in the logs that there was no time to finish. Raises what `fill` raises."""
    until = time.monotonic() + seconds
    for log in ReadLogs(vault).unfinished():
        if time.monotonic() >= until:
            return
        _read_on(vault, log, who, until)


def _read_on(vault: Vault, log: ReadLog, who: Caller, until: float) -> Filled:
    who = who._replace(session=log.session, actor=log.actor, project=log.project)
    added, kept = 0, list[str]()
    understood = log.place.offset > 0
    while piece := next_piece(log.path, log.place):
        if Inbox(vault).is_full:
            return Filled(added, tuple(kept), is_done=False)
        transcript = _transcript(piece, log)
        if transcript:
            understood = True
            done = _take_in(vault, transcript, piece.start.line, log.path, who)
            added += done.added
            kept += done.kept
        log = log._replace(place=piece.end)
        ReadLogs(vault).save(log)
        if time.monotonic() >= until:
            return Filled(added, tuple(kept), is_done=False)
    ReadLogs(vault).save(log._replace(is_done=True))
    if not understood:
        raise UsageError(f"{log.path} is not a transcript that can be read", "mdmem capture FILE says more")
    return Filled(added, tuple(kept))


def _transcript(piece: Piece, log: ReadLog) -> CapturedTranscript | None:
    """What capture finds in a piece; None if nobody says anything in it."""
    try:
        return reading.read_piece(piece.text, log.path)
    except UsageError:
        return None


def _take_in(vault: Vault, transcript: CapturedTranscript, known: int, source: str, who: Caller) -> Filled:
    """Take in the proposals of a transcript that come after its first `known` lines, which were read before."""
    new = [item._replace(project=who.project) for item in transcript.proposals if item.line > known or not known]
    shown = [*transcript.recalled, *_shown(vault, who.session)]
    session = {one.session or who.session for one in new}
    waiting = sum(item.session in session for item in Inbox(vault).items())
    found = proposals.best(weighing.weigh(vault, new, shown), max(proposals.MOST - waiting, 0))
    decisions = [one for one in found if one.verdict in WRITTEN]
    who = who._replace(actor=who.actor or transcript.actor)
    sure = [one for one in decisions if _is_kept_at_once(vault, one.proposal)]
    done = proposals.write(vault, sure, who, "Kept by the settings, from a session") if sure else None
    asked = [_item(vault, one, source, who) for one in decisions if one not in sure]
    return Filled(len(Inbox(vault).add(asked)), done.paths if done else ())


def _is_kept_at_once(vault: Vault, proposal: CaptureProposal) -> bool:
    settings = vault.config.capture
    sure = proposal.confidence >= settings.keep_above
    return settings.keep == "auto" and sure and not orders(proposal)


def orders(proposal: CaptureProposal) -> list[Problem]:
    """The orders to a model in what was said, and in what would be written."""
    return [*guard.orders_in("", "", proposal.quote), *guard.orders_in("", "", proposal.draft.text)]


def _shown(vault: Vault, session: str) -> Iterator[str]:
    known = Sessions(vault).get(session) if session else None
    return weighing.texts_of(vault, known.shown if known else ())


def _item(vault: Vault, decision: CaptureDecision, source: str, who: Caller) -> InboxItem:
    proposal, record = decision.proposal, decision.record
    found = orders(proposal)
    placed = remember.in_place(vault, proposal.placed, who)
    made_of = sensitivity.inherited(proposal.draft.properties, [record.meta] if record else [])
    return InboxItem(
        id=identity(proposal),
        added=moments.render(who.now),
        actor=who.actor,
        session=proposal.session or who.session,
        source=os.path.basename(source),
        trigger=proposal.trigger,
        confidence=proposal.confidence,
        why=", ".join(dict.fromkeys([proposal.why, *(problem.message for problem in found)])),
        text=proposal.draft.text,
        properties=dict(placed.properties),
        name=proposal.draft.name,
        quote=proposal.quote,
        line=proposal.line,
        context=proposal.context,
        spoken=proposal.spoken,
        place=proposal.place,
        replaces=record.id if record else "",
        level=made_of.get("sensitivity", sensitivity.UNMARKED),
        scope=made_of.get("scope", ""),
    )


def identity(proposal: CaptureProposal) -> str:
    """The id of a proposal, made from its words: the same words always have the same id."""
    import hashlib

    said = remember.normal(proposal.draft.text)
    return hashlib.blake2b(said.encode("utf-8", "replace"), digest_size=6).hexdigest()
