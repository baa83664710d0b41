"""What is answered at the events of an agent's client: a function for each kind.

It takes the vault, the event and the caller, and returns the text.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from mdmem.acts import hookevents
from mdmem.acts.face import Face
from mdmem.acts.hookevents import CHARACTERS, HookEvent
from mdmem.capture.inbox import reading
from mdmem.errors import MdmemError
from mdmem.note.terminal import safe_line
from mdmem.store import identity
from mdmem.store.git.folder import find_top
from mdmem.store.git.repo import Repo
from mdmem.store.local import clock, hookfailures, place
from mdmem.store.local.sessions import Sessions
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.systems.rum.recall import Reminders

_CAPTURING = 0.5  # share of an event's time for reading a transcript; the rest is left to the next start
_SYNCING = 0.3  # share of it for a sync at the end, if the settings of the clone ask for one
_READING_ON = 1.0  # seconds at a start, for transcripts that there was no time for before
_AGAIN = ("resume", "compact")  # sources of a start that continues a session


def answered(event: HookEvent, kind: str, client: str, asked: str, where: str) -> tuple[str, str]:
    """(the text with which the vault answers an event, its message to the person).

    `asked` is the client's own name for the event, `where` the vault that its settings name.
    """
    root = os.path.realpath(place.locate(where, folder=event.folder))
    repo = Repo.around(root)
    with Vault(root, repo=repo) as vault:
        actor = identity.actor_of(os.environ, client)
        session = identity.session_of(os.environ, actor, event.session)
        vault.clear_for(actor)
        project = safe_line(repo.project_at(event.folder))
        who = Caller(clock.now(), safe_line(actor), safe_line(session), project=project, folder=event.folder)
        text = DOES[kind](vault, event, who)
        told = message(vault) if event.shows_messages and kind == hookevents.START else ""
    hookfailures.clear(root, client, asked)
    return text, told


def _start(vault: Vault, event: HookEvent, who: Caller) -> str:
    """The pack of a new session, after the list of unread vaults; for a continued one, what is new to it."""
    text = _begun(vault, event, who)
    _read_on(vault, who)
    return text


def _begun(vault: Vault, event: HookEvent, who: Caller) -> str:
    from mdmem.session import within

    if event.source in _AGAIN and within.is_known(vault, who):
        is_forgotten = event.source == "compact"
        return within.continued(vault, who, CHARACTERS, is_forgotten, not event.shows_messages)
    with Face(actor=who.actor).beside(vault) as vaults:
        unread = vaults.unread if vaults else []
        told = place.TELL if event.shows_messages else "\0"  # by `message`
        left_out = "".join(f"{each.line}\n\n" for each in unread if not each.hint.startswith(told))
        room = CHARACTERS - len(left_out)
        return left_out + within.begun(vault, who, room, vaults, not event.shows_messages)


def _read_on(vault: Vault, who: Caller) -> None:
    """Read on in transcripts that there was no time to finish when their sessions ended."""
    if os.path.exists(os.path.join(vault.state, reading.FILE)):
        from mdmem.capture.inbox import filling

        with suppress(MdmemError, OSError):  # the session begins all the same
            filling.go_on(vault, who, _READING_ON)


def _prompt(vault: Vault, event: HookEvent, who: Caller) -> str:
    """The memories that a prompt touches, after the pack if the session begins with this prompt."""
    from mdmem.session import touching

    pack = ""
    if event.may_begin and who.session:  # some clients do not report the start of a session
        from mdmem.session import within

        if not within.is_known(vault, who):
            pack = _begun(vault, event, who)
    with Face(actor=who.actor).beside(vault) as vaults:
        about = touching.told(vault, event.prompt, who, CHARACTERS - len(pack), vaults)
    return "\n\n".join(filter(None, (pack, about)))


def _edit(vault: Vault, event: HookEvent, who: Caller) -> str:
    """What was tried before on the files that are about to be edited, and which memories name them."""
    from mdmem.recall import prompt
    from mdmem.session import touching
    from mdmem.systems.rum import recall
    from mdmem.systems.rum.recall import reminder_lines

    files = [_within(event.folder, file) for file in event.files]
    if not files:
        return ""
    lines = list(reminder_lines(_new(vault, recall.before(vault, files, "", who.now), who)))
    head = f"What is remembered of earlier work on these files. {prompt.DATA}\n"
    works = (head + prompt.quoted("\n".join(lines)))[:CHARACTERS] if lines else ""
    about = touching.told(vault, " ".join(files), who, CHARACTERS - len(works), of_files=True)
    return "\n\n".join(filter(None, (works, about)))


def _new(vault: Vault, reminders: Reminders, who: Caller) -> Reminders:
    """The reminders without works that this session was told of; those left count as told."""
    sessions = Sessions(vault)
    session = sessions.get(who.session) if who.session else None
    if session is None:
        return reminders
    works = [work for about in reminders.files for work in about.works]
    ids = {work.name: record.id for work in works for record in vault.index.named(work.name)}
    new = [
        about._replace(works=tuple(work for work in about.works if ids.get(work.name) not in session.shown))
        for about in reminders.files
    ]
    sessions.saw(session.id, list(ids.values()))
    return reminders._replace(files=tuple(about for about in new if about.works))


def _capture(vault: Vault, event: HookEvent, who: Caller) -> str:
    """Put what is worth a memory in the session's transcript into the inbox. There is nothing to answer."""
    from mdmem.capture.inbox import filling

    if event.transcript:
        filling.fill(vault, event.transcript, who, event.seconds * _CAPTURING)
    return ""


def _end(vault: Vault, event: HookEvent, who: Caller) -> str:
    """Capture, end the session unless it only pauses, sync, and have missing vectors made."""
    from mdmem.history.syncing import automatic
    from mdmem.recall import meaning
    from mdmem.session import within

    if event.reason != hookevents.IDLE:
        within.ended(vault, who)
    said = _capture(vault, event, who)
    automatic.sync_session(vault, who, event.seconds * _SYNCING)
    meaning.catch_up(vault)
    if os.path.exists(os.path.join(vault.state, "exports.json")):  # files of clients that are kept current
        from mdmem.session import agentfiles

        agentfiles.take_in(vault)
    return said


def _within(folder: str, file: str) -> str:
    """The path of a file as works name it: relative to the project, unchanged if it lies elsewhere."""
    top = find_top(folder) if os.path.isabs(folder) else None
    inner = os.path.relpath(file, top) if top and os.path.isabs(file) else file
    return file if inner.startswith("..") else inner.replace(os.sep, "/")


def message(vault: Vault) -> str:
    """What the person is told as a session begins: their own vault that is gone, and the proposals that wait."""
    from mdmem.capture.inbox import store

    lost = place.lost()
    gone = hookevents.line(lost.message, lost.hint) if lost else ""
    return "\n".join(filter(None, (gone, store.notice(store.Inbox(vault).count()))))


DOES: Mapping[str, Callable[[Vault, HookEvent, Caller], str]] = {
    hookevents.START: _start,
    hookevents.PROMPT: _prompt,
    hookevents.EDIT: _edit,
    hookevents.COMPACT: _capture,
    hookevents.END: _end,
}
