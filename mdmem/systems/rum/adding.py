"""Adds works, given or drafted: each is validated, named after its goal, and written as one note in one commit."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import NamedTuple

from mdmem.capture import proposals, reading
from mdmem.capture.turns import Transcript
from mdmem.errors import ConflictError, NoteError, UsageError
from mdmem.note import memory, sections
from mdmem.note.yamltext import Value
from mdmem.store.index.port import IndexedNote
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import drafting, work
from mdmem.systems.rum.drafting import DraftedWork
from mdmem.systems.rum.shelf import Shelf
from mdmem.systems.rum.work import Record
from mdmem.write import remember, secrets

_DRAFTED = "drafted"  # property of a note that nobody has vouched for yet
_DRAFT_NOTICE = "> [!note] Drafted from the transcript of a session: read it before you rely on it."
_GIVEN = "the text given"  # in place of a file's path


class AddedWork(NamedTuple):
    """A work that was written: its id is that in RUM, `files` the number of files by which it is found."""

    name: str
    title: str
    path: str
    id: str
    files: int
    commit: str


def parsed(text: str) -> Record:
    """A work from the text handed in: JSON, or a note like the template. Raises UsageError, NoteError."""
    if text.lstrip("\ufeff \r\n\t").startswith("{"):
        return work.checked(work.parsed_json(text, "", "give one JSON object; mdmem guide work shows one"))
    return _of_note(text.encode("utf-8", "surrogateescape"))


def _of_note(data: bytes) -> Record:
    """The work in a filled-in template; links stay as names. Raises UsageError, NoteError."""
    note = memory.parse(data, _GIVEN)
    layers = work.read(note.body, note.body_line - 1)
    for problem in work.form_problems(note, layers):
        raise NoteError(problem)
    said = work.record_of(note, work.Around("", lambda target: target), layers)
    lines = {**layers.lines, **work.property_lines(note, data)}
    stated = {"id": note.has_id, "created_at": note.created}
    kept = {name: value for name, value in said.items() if stated.get(name, True)}
    filled_in = kept | {name: work.without_blanks(kept[name]) for name in work.LAYERS}
    return work.checked(filled_in, lambda field: sections.line_of(lines, work.with_blanks(field, said)))


def add(
    vault: Vault, given: Record, caller: Caller, reason: str = "", name: str = "", is_draft: bool = False
) -> AddedWork:
    """Write a valid work as a new note, in one commit. Agent and session default to the caller's.

    Raises NotFoundError for a link to a memory that the vault does not have, UsageError and ConflictError like
    `remember`.
    """
    meta, body = _note(vault, given, is_draft)
    parent = {"parent_actor": caller.parent_actor, "parent_session": caller.parent_session}
    said = {name: value for name, value in parent.items() if value}
    meta = {"created": work.moment_of(caller.now.timestamp()), **said, **meta}
    draft = remember.Draft(body, meta, name, work.subject(given))
    (done,) = remember.remember_all(vault, [draft], caller, reason)
    id, files = work.rum_id(done.id), len(work.files_of(given))
    return AddedWork(memory.stem(done.path), done.title, done.path, id, files, done.commit)


def note_text(vault: Vault, given: Record, is_draft: bool) -> str:
    """The note that `add` would write for a valid work, without what only `add` adds, such as its id."""
    return memory.render(*_note(vault, given, is_draft)).decode()


def marks(is_draft: bool) -> dict[str, Value]:
    """The properties by which a note says that it is a draft."""
    return {_DRAFTED: True} if is_draft else {}


def is_draft(text: str) -> bool:
    """Whether a note is still a draft, after somebody has edited it."""
    return memory.parse(text.encode("utf-8", "surrogateescape"), _GIVEN).meta.get(_DRAFTED) is True


def _note(vault: Vault, given: Record, is_draft: bool) -> tuple[dict[str, Value], str]:
    """The properties and the body of a work's note. A draft begins with a notice that it is one."""
    properties, body = work.note_of(given, Shelf(vault).required_link)
    return {**properties, **marks(is_draft)}, f"{_DRAFT_NOTICE}\n\n{body}" if is_draft else body


# -- drafts from transcripts -----------------------------------------------------------------------------------


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
    taken = drafting.chosen(chats, session)
    draft = drafting.drafted(taken, actor, secrets.redacted, success)
    others = [chat for chat in chats if chat not in taken and not chat.run.parent]
    if not session or not others or taken[0].id == session:
        return draft
    doubt = f"{path} has no session {session}; the draft is of {taken[0].id or 'its last one'}"
    return draft._replace(doubts=(doubt, *draft.doubts))


def _known(vault: Vault, draft: DraftedWork) -> IndexedNote | None:
    """The work drafted before from a draft's session; None if there is none, or if the session has no id."""
    id = draft.record.get("session_id", "")
    works = (note for note in vault.whole_index.records() if note.type == work.TYPE and note.session == id)
    return next((note for note in works if note.meta.get(_DRAFTED) is True), None) if id else None
