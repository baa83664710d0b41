"""How each client names its events, what it sends with them, and which form of answer it accepts."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.acts.hookevents import COMPACT, PROMPT, HookEvent

with open(f"{__file__.removesuffix('clients.py')}data/clients.json", encoding="utf-8") as _file:
    _DATA = json.load(_file)
# A client's name for an event, reduced to lower-case letters -> its kind. All other events are ignored.
EVENTS: Mapping[str, str] = _DATA["events"]
SECONDS: Mapping[str, float] = _DATA["seconds"]  # by kind, after which an answer is too late
_ANSWERED = "stop"  # the event after each answer

STRUCTURED, TOP, SNAKE = "structured", "top", "snake"  # forms of an answer
_KEYS = {TOP: "additionalContext", SNAKE: "additional_context"}
_GIVEN = re.compile(
    r"<hook_context>.*?</hook_context>\s*", re.S
)  # Gemini CLI puts what hooks said before the prompt
_PATCHED = re.compile(r"(?m)^\*\*\* (?:Add|Update|Delete) File: (.+?)\s*$")
_MOST = 20  # files of one edit that are looked at


class HookClient(NamedTuple):
    """A client: its name as an actor in commits, and its aliases.

    `forms` are the forms of answer that it accepts, all at once. `ignored` are events that mean something else to
    it. `seconds` overrides SECONDS. `log` is the transcript of a session, for clients whose events do not give its
    path: `{session}` stands for the session's id, `{data}` for the user's data folder. A client that `skips_ends`
    may leave out the events at the start and the end of a session: its first prompt is the start, and each answer
    may be the last. One that `shows_messages` shows the person what an answer says in `systemMessage`.
    """

    name: str
    aliases: Sequence[str] = ()
    forms: Sequence[str] = (TOP, STRUCTURED)
    ignored: Sequence[str] = ()
    seconds: Mapping[str, float] = {}
    log: str = ""
    skips_ends: bool = False
    shows_messages: bool = False

    def kind(self, event: str) -> str:
        """The kind of an event, given the client's name for it: one of those in EVENTS, or "" to do nothing."""
        name = re.sub(r"[^a-z]", "", event.lower())
        if name == _ANSWERED and self.skips_ends:
            return COMPACT
        return "" if name in self.ignored else EVENTS.get(name, "")

    def time_for(self, kind: str) -> float:
        """How many seconds an event of this kind may take."""
        return self.seconds.get(kind) or SECONDS.get(kind, SECONDS[PROMPT])


# codex: an unknown key fails the hook, and SessionEnd is stopped after 3 seconds. gemini-cli fires PreCompress
# before every call of the model. qwen-code is known as `qwen -p`, 0.15.
CLIENTS = [HookClient(name, **about) for name, about in _DATA["clients"].items()]


def named(name: str) -> HookClient:
    """The client with this name or alias. An unknown one is answered like Claude Code, under its own name."""
    for client in CLIENTS:
        if name in (client.name, *client.aliases):
            return client
    return HookClient(name)


def told(event: str, given: Mapping[str, Any]) -> HookEvent:
    """The event in a client's JSON, whose keys may be in snake case or in camel case."""
    return HookEvent(
        name=_text(given, "hook_event_name", "hookEventName") or event,
        session=_text(given, "session_id", "sessionId", "conversation_id"),
        transcript=_text(given, "transcript_path", "transcriptPath"),
        folder=_text(given, "cwd") or _first(given.get("workspace_roots")),
        source=_text(given, "source"),
        reason=_text(given, "reason"),
        prompt=_GIVEN.sub("", _text(given, "prompt")),
        files=tuple(_edited(given))[:_MOST],
    )


def answer(client: HookClient, event: HookEvent, text: str, message: str = "") -> dict[str, Any]:
    """The JSON that adds a text to the context, in the form the client accepts, and a message to the person."""
    said: dict[str, Any] = {"systemMessage": message} if message else {}
    if not text:
        return said
    said |= {_KEYS[form]: text for form in client.forms if form in _KEYS}
    if STRUCTURED in client.forms:
        said["hookSpecificOutput"] = {"hookEventName": event.name, "additionalContext": text}
    return said


def notice(client: HookClient, event: str, line: str) -> dict[str, Any]:
    """The JSON that tells the person a line: through the client if it can, else through the agent."""
    if client.shows_messages:
        return {"systemMessage": line}
    return answer(client, HookEvent(event), f"{line} (tell the user)")


def _text(given: Mapping[str, Any], *names: str) -> str:
    """The text under the first of the names that has one. Half a character, as of a cut emoji, is replaced."""
    text: str = next((given[name] for name in names if isinstance(given.get(name), str)), "")
    return text.encode("utf-8", "replace").decode()


def _first(value: object) -> str:
    return value[0] if isinstance(value, list) and value and isinstance(value[0], str) else ""


def _edited(given: Mapping[str, Any]) -> Iterator[str]:
    """The files that a tool is about to change; none for a tool that does not edit."""
    tool = _text(given, "tool_name", "toolName").rpartition("__")[2].lower()
    arguments = next((given[name] for name in ("tool_input", "toolArgs", "args") if given.get(name)), None)
    if tool not in _DATA["edits"]:
        return
    if isinstance(arguments, dict):
        yield from (arguments[name] for name in _DATA["files"] if isinstance(arguments.get(name), str))
        patches = [text for text in arguments.values() if isinstance(text, str) and "*** " in text]
    else:
        patches = [arguments] if isinstance(arguments, str) else []
    for patch in patches:
        yield from _PATCHED.findall(patch)
