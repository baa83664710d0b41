"""What an agent's client reports at its events, and what goes wrong there. Little is loaded: a client waits."""

import os
from typing import NamedTuple

from mdmem.errors import MdmemError
from mdmem.note import moments
from mdmem.note.terminal import safe_line
from mdmem.store import identity
from mdmem.store.git.command import GUARD
from mdmem.store.local import clock, hookfailures, place
from mdmem.store.local.hookfailures import HookFailure

START, PROMPT, EDIT, COMPACT, END = "start", "prompt", "edit", "compact", "end"
IDLE = "idle"  # the reason given for an end that is only a pause
CHARACTERS = 9500  # of an answer: Claude Code accepts 10,000, and no other client is known to accept fewer
TELL = place.TELL  # before what only the person can put right


class HookEvent(NamedTuple):
    """An event as the client reports it; "" or () for what it does not say.

    `name` is the name to answer with, `seconds` the time that the event may take. If it `may_begin`, a prompt
    starts the session when mdmem does not know it yet. For `shows_messages` see HookClient.
    """

    name: str
    session: str = ""
    transcript: str = ""
    folder: str = ""
    source: str = ""
    reason: str = ""
    prompt: str = ""
    files: tuple[str, ...] = ()
    seconds: float = 0.0
    may_begin: bool = False
    shows_messages: bool = False


def line(message: str, hint: str) -> str:
    """What is wrong and what helps, for the person."""
    return safe_line(f"mdmem: {message}; {hint.removeprefix(TELL)}")


def trouble(message: str) -> str:
    """What is wrong, in the line that a hook writes to standard error."""
    return safe_line(f"mdmem hook: {message}")


def is_own() -> bool:
    """Whether mdmem itself started what reports an event."""
    return bool(os.environ.get(GUARD))


def agent() -> str:
    """The agent that the environment names, "" for none."""
    return identity.actor_of(os.environ)


def record(client: str, event: str, vault: str, error: MdmemError) -> None:
    """Keep what went wrong at an event, for doctor. Raises MdmemError, OSError."""
    kept = HookFailure(client, event, moments.render(clock.now()), safe_line(error.message), safe_line(error.hint))
    hookfailures.add(os.path.realpath(place.locate(vault)), kept)
