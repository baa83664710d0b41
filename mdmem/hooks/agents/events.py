"""One function per kind of event: it takes the vault, the event and the caller, and returns the text to answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from mdmem.capture.inbox import reading
from mdmem.errors import MdmemError
from mdmem.hooks.agents import clients
from mdmem.hooks.agents.clients import CHARACTERS, HookEvent
from mdmem.store.git.folder import find_top
from mdmem.store.local import place
from mdmem.store.local.sessions import Sessions
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.store.vault.several import OpenVaults
    from mdmem.systems.rum.reminding import Reminders

_CAPTURING = 0.5  # share of an event's time for reading a transcript; the rest is left to the next start
_SYNCING = 0.3  # share of it for a sync at the end, if the settings of the clone ask for one
_READING_ON = 1.0  # seconds at a start, for transcripts that there was no time for before
_AGAIN = ("resume", "compact")  # sources of a start that continues a session


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
    with _beside(vault, who) as vaults:
        unread = vaults.unread if vaults else []
        told = place.TELL if event.shows_messages else "\0"  # by `message`
        left_out = "".join(f"{each.line}\n\n" for each in unread if not each.hint.startswith(told))
        room = CHARACTERS - len(left_out)
        return left_out + within.begun(vault, who, room, vaults, not event.shows_messages)


@contextmanager
def _beside(vault: Vault, who: Caller) -> Iterator[OpenVaults | None]:
    """The vault together with the others that questions go to; None if it is the only one."""
    if not place.may_be_several():
        yield None
        return
    from mdmem.store.vault import several

    def clear(other: Vault) -> None:
        other.clear_for(who.actor)

    with several.beside(vault, partial(several.enter, clear=clear)) as vaults:
        yield vaults


def _read_on(vault: Vault, who: Caller) -> None:
    """Read on in transcripts that there was no time to finish when their sessions ended."""
    if os.path.exists(os.path.join(vault.state, reading.FILE)):
        from mdmem.capture.inbox import filling

        with suppress(MdmemError, OSError):  # the session begins all the same
            filling.go_on(vault, who, _READING_ON)


def _prompt(vault: Vault, event: HookEvent, who: Caller) -> str:
    """The memories that a prompt touches, after the pack if the session begins with this prompt."""
    from mdmem.session import touching

    pack = _begun_late(vault, event, who)
    with _beside(vault, who) as vaults:
        about = touching.told(vault, event.prompt, who, CHARACTERS - len(pack), vaults)
    return "\n\n".join(filter(None, (pack, about)))


def _begun_late(vault: Vault, event: HookEvent, who: Caller) -> str:
    """The pack of a session whose client did not report its start; "" for a known session."""
    if not event.may_begin or not who.session:
        return ""
    from mdmem.session import within

    return "" if within.is_known(vault, who) else _begun(vault, event, who)


def _edit(vault: Vault, event: HookEvent, who: Caller) -> str:
    """What was tried before on the files that are about to be edited, and which memories name them."""
    from mdmem.recall import prompt
    from mdmem.session import touching
    from mdmem.systems.rum import reminding
    from mdmem.systems.rum.telling import reminder_lines

    files = [_within(event.folder, file) for file in event.files]
    if not files:
        return ""
    lines = list(reminder_lines(_new(vault, reminding.before(vault, files, "", who.now), who)))
    head = f"What is remembered of earlier work on these files. {prompt.DATA}\n"
    works = (head + prompt.quoted("\n".join(lines)))[:CHARACTERS] if lines else ""
    about = touching.told(vault, " ".join(files), who, CHARACTERS - len(works), of_files=True)
    return "\n\n".join(filter(None, (works, about)))


def _new(vault: Vault, reminders: Reminders, who: Caller) -> Reminders:
    """The reminders without works that this session was told of; those left count as told."""
    sessions = Sessions(vault.root, vault.repo, vault.tell)
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

    if event.reason != clients.IDLE:
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
    gone = clients.line(lost.message, lost.hint) if lost else ""
    return "\n".join(filter(None, (gone, store.notice(store.Inbox(vault).count()))))


DOES: Mapping[str, Callable[[Vault, HookEvent, Caller], str]] = {
    clients.START: _start,
    clients.PROMPT: _prompt,
    clients.EDIT: _edit,
    clients.COMPACT: _capture,
    clients.END: _end,
}
