"""Drafts works from transcript files, and offers a draft at the end of a session."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from mdmem.capture import proposals, reading
from mdmem.capture.transcripts import Transcript
from mdmem.errors import ConflictError, UsageError
from mdmem.store.index.port import IndexedNote
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum.drafting import session as sessions
from mdmem.systems.rum.drafting.session import DraftedWork
from mdmem.systems.rum.work import TYPE
from mdmem.write import secrets


def from_transcript(path: str, session: str = "", success: bool | None = None) -> DraftedWork:
    """A work drafted from the transcript at a path: of the given `session`, else of the last with tool calls.

    `success` is a person's verdict. Raises like `reading.read`, and UsageError for a transcript in which nobody
    says anything.
    """
    return _drafted(list(reading.sources(path, session)), path, session, success)


def require_new(vault: Vault, draft: DraftedWork) -> None:
    """Raise ConflictError if a work was drafted from the session of this draft before."""
    if known := _known(vault, draft):
        hint = f"mdmem edit {known.name} changes it; --name makes another one"
        raise ConflictError(f"{known.name} was drafted from that session already", hint)


def offer(vault: Vault, path: str, session: str) -> str:
    """The offer to draft a work from a session that changed files, "" if there is nothing to offer.

    Nothing is offered if a work was already drafted from the session.
    """
    found = list(reading.sources(path, session))
    if not any(chat.run.deeds for _, parsed in found for chat in parsed.conversations):
        return ""
    draft = _drafted(found, path, session)
    goal = draft.record["intent"].get("goal", "")
    if not draft.files or not goal or _known(vault, draft):
        return ""
    return f"a work note, {goal}: mdmem work add --from {shlex.quote(path)}"


def _drafted(
    found: Sequence[tuple[str, Transcript]], path: str, session: str = "", success: bool | None = None
) -> DraftedWork:
    chats = [chat for _, parsed in found for chat in parsed.conversations]
    if not chats:
        raise UsageError(
            f"nobody says anything in {path}", "give the transcript of a session in which something was done"
        )
    actor = proposals.actor_of(found[0][1].format)
    taken = sessions.chosen(chats, session)
    draft = sessions.drafted(taken, actor, secrets.redacted, success)
    others = [chat for chat in chats if chat not in taken and not chat.run.parent]
    if not session or not others or taken[0].id == session:
        return draft
    doubt = f"{path} has no session {session}; the draft is of {taken[0].id or 'its last one'}"
    return draft._replace(doubts=(doubt, *draft.doubts))


def _known(vault: Vault, draft: DraftedWork) -> IndexedNote | None:
    """The work drafted before from a draft's session; None if there is none, or if the session has no id."""
    id = draft.record.get("session_id", "")
    works = (note for note in vault.whole_index.records() if note.type == TYPE and note.session == id)
    return next((note for note in works if note.meta.get("drafted") is True), None) if id else None
