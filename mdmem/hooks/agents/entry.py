"""`mdmem hook EVENT --client NAME [--vault DIR]`: what the clients of agents run at their events.

It reads the event as JSON from standard input and prints the answer as JSON. The exit code is always 0, so that
the agent's session goes on whatever happens. Errors are recorded for `mdmem doctor`.
"""

import json
import os
import re
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from mdmem.acts import hookevents
from mdmem.errors import BusyError, MdmemError, UsageError
from mdmem.hooks.agents import clients
from mdmem.hooks.agents.clients import HookClient

_USAGE = """Usage: mdmem hook EVENT [--client NAME] [--vault DIR]

  Run by the client of an agent at an event, such as SessionStart. It reads the event as JSON and answers in the
  form that this client accepts; mdmem connect writes the settings for it. The exit code is always 0, and mdmem
  doctor shows what went wrong.

  NAME is one of {names}. Without it, the environment decides.

  Examples:
    echo '{{"prompt": "how do we deploy?"}}' | mdmem hook UserPromptSubmit --client claude-code
    mdmem hook SessionStart --client codex < event.json
"""
_LONGEST = 16_000_000  # maximum bytes of an event; that of an edit contains the whole file
_AGAIN = 0.5  # seconds after which a late answer is interrupted again


class HookCall(NamedTuple):
    """The command line of a hook."""

    event: str
    client: HookClient
    vault: str = ""

    @property
    def kind(self) -> str:
        """The kind of the event, see `HookClient.kind`."""
        return self.client.kind(self.event)


class HookLateError(BusyError):
    """The time that a client gives a hook is up."""


def run(arguments: Sequence[str]) -> int:
    """Answer an event, and return 0. Handles MdmemError and OSError; `failed` is for any other exception."""
    if not arguments or {"-h", "--help"} & set(arguments):
        print(_USAGE.format(names=", ".join(client.name for client in clients.CLIENTS)), end="")
        return 0
    try:
        call = parsed(arguments)
        if call.client not in clients.CLIENTS:
            like = f"it is answered like {clients.CLIENTS[0].name} (see mdmem hook --help)"
            print(hookevents.trouble(f"no client is known as {call.client.name}: {like}"), file=sys.stderr)
        text = _answered(call)
    except (MdmemError, OSError) as error:
        return failed(arguments, error)
    _say(text)
    return 0


def failed(arguments: Sequence[str], error: Exception) -> int:
    """Answer with nothing, or at a start with what only the person can put right; record it, and return 0."""
    known = error if isinstance(error, MdmemError) else MdmemError(f"{type(error).__name__}: {error}")
    message, hint = known.message, known.hint
    said: Mapping[str, Any] = {}
    if hint.startswith(hookevents.TELL):
        call = parsed(arguments)
        if call.kind == hookevents.START or (call.client.skips_ends and call.kind == hookevents.PROMPT):
            said = clients.notice(call.client, call.event, hookevents.line(message, hint))
    _say(json.dumps(said, ensure_ascii=False))
    with suppress(MdmemError, OSError):
        print(hookevents.trouble(message), file=sys.stderr)
        call = parsed(arguments)
        hookevents.record(call.client.name, call.event, call.vault, known)
    return 0


def parsed(arguments: Sequence[str]) -> HookCall:
    """The command line of a hook. Raises UsageError."""
    options = {"--client": "", "--vault": ""}
    events = []
    left = iter(arguments)
    for argument in left:
        name, equals, value = argument.partition("=")
        if name in options:
            options[name] = value if equals else next(left, "")
        elif argument.startswith("-"):
            raise UsageError(f"there is no option {argument}", "mdmem hook --help")
        else:
            events.append(argument)
    if len(events) != 1:
        raise UsageError("give exactly one event", "mdmem hook --help")
    name = options["--client"] or hookevents.agent() or clients.CLIENTS[0].name
    return HookCall(events[0], clients.named(name), options["--vault"])


def _answered(call: HookCall) -> str:
    """The answer as JSON. Raises MdmemError, HookLateError, OSError."""
    seconds = call.client.time_for(call.kind)
    with _within(seconds):
        event = clients.told(call.event, _read_event())
        event = event._replace(
            seconds=seconds,
            transcript=event.transcript or _log(call.client, event.session),
            may_begin=call.client.skips_ends,
            shows_messages=call.client.shows_messages,
        )
        said = ("", "")
        if call.kind and not hookevents.is_own():
            from mdmem.acts import agentevents

            said = agentevents.answered(event, call.kind, call.client.name, call.event, call.vault)
    return json.dumps(clients.answer(call.client, event, *said), ensure_ascii=False)


def _log(client: HookClient, session: str) -> str:
    """The transcript of a session, for a client whose events do not give its path; "" if that is not known."""
    if not client.log or not re.fullmatch(r"[\w-]+", session):
        return ""
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return os.path.expanduser(client.log.format(session=session, data=data))


def _read_event() -> Mapping[str, Any]:
    """The event on standard input; {} if there is none. Raises UsageError if it is not JSON, or too long.

    Some clients keep the pipe open, so a JSON value is taken as soon as it is complete.
    """
    if sys.stdin.isatty():
        return {}
    data, handle = b"", sys.stdin.fileno()
    while chunk := os.read(handle, 1 << 16):
        data += chunk
        if len(data) > _LONGEST:
            raise UsageError(f"the event is longer than {_LONGEST} bytes", "nothing was done for it")
        if chunk.rstrip().endswith(b"}"):
            with suppress(ValueError, RecursionError):
                return _as_event(json.loads(data))
    if not data.strip():
        return {}
    try:
        return _as_event(json.loads(data))
    except (ValueError, RecursionError):
        hint = "a hook is run by the client of an agent; mdmem connect writes the settings"
        raise UsageError("standard input is not the JSON of an event", hint) from None


def _as_event(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise UsageError("standard input is JSON, but not an event", "an event is a JSON object")
    return value


def _say(text: str) -> None:
    """Print the one line of an answer. A client that no longer listens is not an error."""
    with suppress(OSError):
        print(text, flush=True)


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Raise HookLateError in the block when the time is up, where the system can do that."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def interrupt(_number: int, _frame: object) -> None:
        hint = "mdmem status in the vault brings the index up to date, which may be what takes so long"
        raise HookLateError(f"was not done after {seconds:g} s", hint)

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
