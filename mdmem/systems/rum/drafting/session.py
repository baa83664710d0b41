"""Drafts a work from a session and those of its subagents. A draft is marked as one and names what is unknown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from mdmem.capture import findings
from mdmem.capture.agentlogs.sessionlog import TASK
from mdmem.capture.turns import Conversation, Deed
from mdmem.note.plural import counted
from mdmem.note.trust.redaction import redacted_value
from mdmem.note.yamltext import Value
from mdmem.systems.rum import work
from mdmem.systems.rum.drafting import actions, outcome, request
from mdmem.systems.rum.schema import Record

_MOST_LEARNINGS = 5


class DraftedWork(NamedTuple):
    """A work that was drafted; `record` may lack fields that RUM requires.

    `properties` are those of the note that a record does not have: `drafted`, `output_tokens`, `elapsed_seconds`.
    `parent` is the session of the agent it was done for. `doubts` are points that a person should check. `files`
    is the number of files that were changed.
    """

    record: Record
    properties: dict[str, Value]
    parent: str = ""
    doubts: tuple[str, ...] = ()
    files: int = 0


def chosen(chats: Sequence[Conversation], session: str = "") -> list[Conversation]:
    """A session and those of its subagents: the one with that id, else the last with tool calls, else the last."""
    asked = [chat for chat in chats if session and chat.id == session]
    mains = [chat for chat in chats if not chat.run.parent] or list(chats)
    active = [chat for chat in mains if chat.run.deeds]
    main = (asked or active or mains)[-1:]
    return [*main, *(chat for chat in chats if main and main[0].id and chat.run.parent == main[0].id)]


def drafted(
    chats: Sequence[Conversation], actor: str, redact: Callable[[str], str], success: bool | None = None
) -> DraftedWork:
    """Draft the work of a session, the first of `chats`, and of its subagents, the others.

    `redact` removes secrets from a text; `success` is a person's verdict, None if there is none.
    """
    main = chats[0]
    deeds = _in_order(chats)
    told = actions.drafted(deeds, main.run.folder)
    is_changing = any(actions.changes(deed) for deed in deeds)
    asked = [turn.text for turn in main.turns if turn.speaker == "user" or turn.name == TASK]
    result = outcome.drafted(main.turns, deeds, success)
    learnings = [said for said in _learnings(main) if said.rstrip(".") not in result.get("summary", "")]
    record: Record = {
        "agent_id": actor,
        "project_id": main.project,
        "session_id": main.id,
        "created_at": _end(chats),
        "intent": request.drafted(asked, is_changing),
        "reasoning": _reasoning(main, deeds),
        "actions": told.actions,
        "outcome": {**result, "learnings": learnings} if learnings else result,
    }
    record = {name: value for name, value in record.items() if value not in ("", None)}
    clean = redacted_value(record, redact)
    doubts = list(_doubts(result, told.left_out, is_cleaned=clean != record))
    paths = {action["details"]["file_path"] for action in told.actions if action["type"] in actions.CHANGES}
    return DraftedWork(clean, _properties(chats), main.run.parent, tuple(doubts), len(paths))


def _in_order(chats: Sequence[Conversation]) -> list[Deed]:
    """The tool calls of all sessions, by time if all have one; the `turn` of each is one of the first session."""
    deeds = [deed for chat in chats for deed in chat.run.deeds]
    if len(chats) > 1 and all(deed.when for deed in deeds):
        heard = [turn.when for turn in chats[0].turns]
        others = {id(deed) for chat in chats[1:] for deed in chat.run.deeds}
        deeds = [
            deed._replace(turn=sum(when <= deed.when for when in heard)) if id(deed) in others else deed
            for deed in deeds
        ]
        deeds.sort(key=lambda deed: deed.when)
    return deeds


def _end(chats: Sequence[Conversation]) -> Any:
    moment = max(_moments(chats), default="")
    return work.seconds_of(moment) if moment else None


def _moments(chats: Sequence[Conversation]) -> list[str]:
    """When something was said or done, except by the client program itself."""
    said = [turn.when for chat in chats for turn in chat.turns if turn.speaker != "system"]
    done = [deed.when for chat in chats for deed in chat.run.deeds]
    return [when for when in (*said, *done) if when]


def _properties(chats: Sequence[Conversation]) -> dict[str, Value]:
    properties: dict[str, Value] = {"drafted": True}
    if tokens := sum(chat.run.output_tokens for chat in chats):
        properties["output_tokens"] = tokens
    moments = _moments(chats)
    if moments:
        first, last = (datetime.fromisoformat(moment) for moment in (min(moments), max(moments)))
        properties["elapsed_seconds"] = int((last - first).total_seconds())
    return properties


def _reasoning(chat: Conversation, deeds: Sequence[Deed]) -> Record:
    """The agent's last thought before it first changed something, if the transcript has thoughts."""
    first = next((deed.turn for deed in deeds if actions.changes(deed)), None)
    thoughts = [thought.text for thought in chat.run.thoughts if first is None or thought.turn <= first]
    return {"approach_chosen": actions.beginning(thoughts[-1])} if thoughts else {}


def _learnings(chat: Conversation) -> list[str]:
    found = [finding.quote for finding in findings.find(chat) if finding.trigger == "learning"]
    return list(dict.fromkeys(found))[:_MOST_LEARNINGS]


def _doubts(result: Record, left_out: int, is_cleaned: bool) -> list[str]:
    doubts = []
    if str(result.get("failure_reason", "")).startswith("not known"):
        doubts.append(f"success is not known: {outcome.UNKNOWN}; --success or --failure says it")
    if left_out:
        doubts.append(f"{counted(left_out, 'action')} left out, of those that changed nothing")
    if is_cleaned:
        doubts.append("what looks like a secret was left out")
    return doubts
