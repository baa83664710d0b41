"""Drafts a work from a session and those of its subagents: its intent, its actions, its outcome, and the whole.

A draft is marked as one and names what is unknown. Tool calls are classified whatever a client names its tools:
reading, editing, running, searching ... Each file becomes one action, each command one per result.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.capture import findings
from mdmem.capture.agentlogs.forms import command_line
from mdmem.capture.agentlogs.sessionlog import TASK
from mdmem.capture.turns import Conversation, Deed, Turn
from mdmem.note import tsv
from mdmem.note.plural import counted
from mdmem.note.sentences import split
from mdmem.note.trust.redaction import redacted_value
from mdmem.systems.rum import work
from mdmem.systems.rum.work import Record

# -- what tool calls did ---------------------------------------------------------------------------------------

READ, EDIT, CREATE, DELETE = "file_read", "file_edit", "file_create", "file_delete"
COMMAND, SEARCH, QUERY = "command_run", "search", "external_query"

_TYPES = {name: type for type, names in tsv.rows(__file__, "tools.tsv", 2) for name in names.split()}
_PATHS = "file_path filePath path absolute_path notebook_path target_file filename".split()
_PATTERNS = "query pattern glob_pattern url prompt".split()
_SCOPES = "path dir_path include glob".split()
_OPERATIONS = {"edit": EDIT, "create": CREATE, "delete": DELETE}
_PATCHED = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+?)\s*$", re.M)
_OF_PATCH = {"Add": CREATE, "Update": EDIT, "Delete": DELETE}
# Agents without such tools read and search by shell commands: those of a single program, without a pipe.
_READING = re.compile(
    r"(?:cat|head|tail|nl|sed -n)(?: -\S+| '[^']*'| \d+(?:,\d+)?p?)* (?P<path>[^\s|;&<>'\"-][^\s|;&<>'\"]*)"
)
_SEARCHING = re.compile(r"(?:rg|grep|find|ls|fd|git grep)(?: [^|;&<>]*)?")
_UPDATED = re.compile(r"\b(?:updated|overwr\w+|overwrote)\b", re.I)


def touches(deed: Deed) -> Iterator[tuple[str, Record]]:
    """(type of action, details) of all that a tool call did.

    Nothing for a tool that only manages the agent's own state, such as a task list.
    """
    arguments = deed.arguments
    type = _TYPES.get(re.sub(r"[^a-z]", "", deed.tool.lower()), "")
    if changed := list(_changed(deed)):
        yield from ((kind, {"file_path": path}) for kind, path in changed)
    elif type == COMMAND:
        yield from _of_command(command_of(arguments).strip())
    elif type in (SEARCH, QUERY):
        if asked := _first(arguments, _PATTERNS):
            scope = _first(arguments, _SCOPES) if type == SEARCH else ""
            yield type, {"query": asked, "scope": scope} if scope else {"query": asked}
    elif type and (path := _first(arguments, _PATHS)):
        is_there = type == CREATE and _UPDATED.search(deed.result[:200])
        yield EDIT if is_there else type, {"file_path": path}


def command_of(arguments: Mapping[str, Any]) -> str:
    """The command line that a tool was given, "" if there is none."""
    return command_line(arguments.get("command", arguments.get("cmd")))


def _changed(deed: Deed) -> Iterator[tuple[str, str]]:
    """(type of action, path) of the files that a tool changed, according to the client, or else to the patch."""
    if deed.changed:
        yield from ((_OPERATIONS.get(operation, EDIT), path) for path, operation in deed.changed)
        return
    patch = deed.arguments.get("input", deed.arguments.get("patch"))
    text = patch if isinstance(patch, str) else command_of(deed.arguments)
    if "*** Begin Patch" in text:
        yield from ((_OF_PATCH[kind], path) for kind, path in _PATCHED.findall(text))


def _of_command(command: str) -> Iterator[tuple[str, Record]]:
    if match := _READING.fullmatch(command):
        yield READ, {"file_path": match["path"]}
    elif _SEARCHING.fullmatch(command):
        yield SEARCH, {"query": command}
    elif command:
        yield COMMAND, {"command": command}


def _first(arguments: Mapping[str, Any], names: Sequence[str]) -> str:
    """The first string that is not blank among the arguments with these names."""
    given = (arguments.get(name) for name in names)
    return next((value for value in given if isinstance(value, str) and value.strip()), "")


# -- as actions of a work ------------------------------------------------------------------------------------

MOST = 40  # most actions of a draft, since a person reads it
_LONGEST = 300  # characters of a command, an error or a summary
CHANGES = (EDIT, CREATE, DELETE)


def changes(deed: Deed) -> bool:
    """Whether a tool call changed a file."""
    return deed.failed is not True and any(type in CHANGES for type, _ in touches(deed))


def actions_of(deeds: Sequence[Deed], folder: str) -> tuple[list[Record], int]:
    """The actions of tool calls, in order, and how many were left out; paths within `folder` are relative to it.

    A file that was changed is not listed as read as well. Of several attempts one that succeeded counts. Of too
    many actions reads, searches and commands are left out.
    """
    found: dict[tuple[Any, ...], Record] = {}
    for deed in deeds:
        for type, said in touches(deed):
            places: Record = {
                name: relative(said[name], folder) for name in ("file_path", "scope") if name in said
            }
            details = {**said, **places}
            result = deed.failed if type == COMMAND else None
            key = ("change", *details.values()) if type in CHANGES else (type, *details.values(), result)
            action = _action(type, details, deed)
            if key not in found or _outweighs(action, found[key]):
                found[key] = action
    changed = {_path(action) for action in found.values() if action["type"] in CHANGES and _succeeded(action)}
    told = [action for action in found.values() if action["type"] != READ or _path(action) not in changed]
    return _within(told)


def _succeeded(action: Record) -> bool:
    return action["result"].get("success") is not False


def _outweighs(action: Record, known: Record) -> bool:
    """Whether a later action replaces an earlier one with its key: it succeeded at last, or deleted the file."""
    return _succeeded(action) and (not _succeeded(known) or action["type"] == DELETE != known["type"])


def _path(action: Record) -> Any:
    return action["details"].get("file_path")


def _action(type: str, details: Record, deed: Deed) -> Record:
    result: Record = {} if deed.failed is None else {"success": not deed.failed}
    if deed.failed and (error := first_error(deed.result)):
        result["error"] = error
    if deed.milliseconds:
        result["duration_ms"] = deed.milliseconds
    time = {"timestamp": work.seconds_of(deed.when)} if deed.when else {}
    short = {name: shortened(details[name]) for name in ("command", "query") if name in details}
    return {"type": type, **time, "details": {**details, **short}, "result": result}


def relative(path: str, folder: str) -> str:
    """A path relative to the project's folder; unchanged if it is outside."""
    plain = path.replace("\\", "/") if "\\" in folder else path
    root = folder.replace("\\", "/").rstrip("/")
    if root and plain.rstrip("/") == root:
        return "."
    inside = plain.removeprefix(f"{root}/") if root else plain
    return posixpath.normpath(inside) if inside else path


def shortened(text: str) -> str:
    """The first line of a text, cut if it is long."""
    line = text.strip().split("\n", 1)[0].rstrip()
    cut = line[:_LONGEST].rstrip()
    return f"{cut} …" if cut != text.strip() else cut


def beginning(text: str) -> str:
    """The first sentences of a text, as many as are not too long together."""
    kept = ""
    for sentence in split(" ".join(text.split())):
        if kept and len(kept) + len(sentence) > _LONGEST:
            break
        kept = f"{kept} {sentence}".strip()
    return shortened(kept)


def first_error(result: str) -> str:
    """The most telling line of a failed call's result: the last one that names an error, else the last one."""
    lines = [line.strip() for line in result.split("\n") if line.strip()]
    telling = [line for line in lines if any(word in line.lower() for word in ("error", "fail", "not found"))]
    return shortened((telling or lines or [""])[-1])


def _within(actions: list[Record]) -> tuple[list[Record], int]:
    """At most MOST actions: searches go first, then reads, queries and commands, of each the earliest."""
    extra = len(actions) - MOST
    left_out: set[int] = set()
    for type in (SEARCH, READ, QUERY, COMMAND):
        places = [at for at, action in enumerate(actions) if action["type"] == type]
        left_out |= set(places[: max(extra - len(left_out), 0)])
    kept = [action for at, action in enumerate(actions) if at not in left_out]
    return kept, len(left_out)


# -- the intent, from the requests -----------------------------------------------------------------------------

_LONGEST_GOAL = 200  # characters
_LONGEST_CONTEXT = 1500
_FEWEST_WORDS = 3  # of a request that says what to do: "go on" does not
_VERBS = (
    "fix add make change implement create write build remove delete rename refactor update upgrade move extract"
    " split test document explain find investigate check review optimi[sz]e speed clean convert migrate replace"
    " use support configure set install improve simplify debug repair sort show allow prevent stop look run bump"
)
_ASKS = re.compile(
    rf"^(?:{'|'.join(_VERBS.split())})\b|\bplease\b|\b(?:can|could|would|will) you\b|\bI(?:'d like| want| need)\b"
    r"|\b(?:we|you) (?:need|should|must|have) to\b|\blet's\b|\?$",
    re.I,
)
_POINTS = re.compile(r"\b(?:it|this|that|them|these|those|so)\b", re.I)
_POLITE = re.compile(
    r"^(?:please|can you|could you|would you|hi|hello|hey)[,!]?\s+(?:please\s+)?|,?\s+please(?=[.!?]?$)", re.I
)
_OF_TYPE = [
    (type, re.compile(rf"\b(?:{words})\b", re.I)) for type, words in tsv.rows(__file__, "task_types.tsv", 2)
]


def intent_of(requests: Sequence[str], is_changing: bool) -> Record:
    """The intent of the requests, which are in order; empty if there are none.

    `is_changing` tells whether files were changed, so that it was more than a question.
    """
    telling = [text for text in requests if len(text.split()) >= _FEWEST_WORDS] or list(requests)
    if not telling:
        return {}
    intent = {"goal": goal_of(telling[0]), "task_type": task_type(telling[0], is_changing)}
    context = "\n\n".join(telling).strip()
    if len(context) > len(intent["goal"]) + len(", please."):
        intent["context"] = _cut(" ".join(context.split()), _LONGEST_CONTEXT)
    return intent


def goal_of(request: str) -> str:
    """The sentence that asks for something, with the sentences before it if it only points back to them."""
    sentences = [sentence.strip() for sentence in split(request) if sentence.strip()]
    if not sentences:
        return request.strip()
    asking = next((at for at, sentence in enumerate(sentences) if _ASKS.search(_polite(sentence))), 0)
    start = asking
    while start > 0 and _POINTS.search(sentences[start]):
        start -= 1
    goal = " ".join(_polite(sentence) for sentence in sentences[start : asking + 1])
    return _cut(goal, _LONGEST_GOAL).rstrip(".")


def task_type(request: str, is_changing: bool) -> str:
    """The task type of a request, "other" if none matches; without changes it was an investigation."""
    if not is_changing:
        return "investigation"
    found = (type for type, words in _OF_TYPE if words.search(request))
    return next(found, "other")


def _polite(sentence: str) -> str:
    bare = _POLITE.sub("", _POLITE.sub("", sentence)).strip() or sentence
    return bare[:1].upper() + bare[1:]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0] + " …"


# -- the outcome, from the end of the session ----------------------------------------------------------------
#
# Unknown success does not count as success. Success is known from a check that ran after the last change, or from
# what a person said after it. What the agent says about its own work does not count.

UNKNOWN = "no check ran after the last change, and nobody said whether it works"
_OF_CHECK = {
    type: (category, re.compile(rf"(?<![\w./-])(?:{words})(?![\w-])"))
    for type, category, words in tsv.rows(__file__, "checks.tsv", 3)
}
_NO_PROSE = ("#", "```", "|")  # how paragraphs begin that are not prose
_PRAISE = re.compile(r"\b(?:works|working now|perfect|great|thanks|thank you|looks good|lgtm|well done)\b", re.I)
_BLAME = re.compile(
    r"\b(?:still (?:fails|broken|wrong|not|the same)|does(?:n't| not) (?:work|help|pass|compile|run)|not working"
    r"|wrong|broken|fails|failing|revert|undo)\b",
    re.I,
)


class SessionVerdict(NamedTuple):
    """Whether a session succeeded (None if unknown), why, and the check that shows it (None if no check does)."""

    success: bool | None
    why: str = ""
    check: Record | None = None


def outcome_of(turns: Sequence[Turn], deeds: Sequence[Deed], given: bool | None) -> Record:
    """The outcome of a session, without a summary if the agent said nothing; `given` is a person's verdict."""
    verdict = judged(turns, deeds)
    success = verdict.success if given is None else given
    outcome: Record = {"success": success is True}
    if said := summary_of(turns):
        outcome["summary"] = said if success is not None else f"Not known whether it succeeded. {said}"
    if success is None:
        outcome["failure_reason"] = f"not known: {UNKNOWN}"
    if success is False and verdict.success is False:
        outcome["failure_reason"] = verdict.why
    if verdict.check and verdict.success is success:
        outcome["verified_by"] = verdict.check
        if success is False:
            outcome["failure_category"] = _OF_CHECK[verdict.check["type"]][0]
    return outcome


def summary_of(turns: Sequence[Turn]) -> str:
    """The first paragraph of prose in the last message of the agent, "" if it said nothing."""
    last = next((turn.text for turn in reversed(turns) if turn.speaker == "assistant" and turn.text.strip()), "")
    parts = [part.strip() for part in last.split("\n\n")]
    return beginning(next((part for part in parts if part and not part.startswith(_NO_PROSE)), ""))


def judged(turns: Sequence[Turn], deeds: Sequence[Deed]) -> SessionVerdict:
    """Whether the work succeeded, as far as the session shows; what a person said last comes first."""
    last = max((at for at, deed in enumerate(deeds) if changes(deed)), default=-1)
    word = _word_of_user(turns[deeds[last].turn :]) if deeds else SessionVerdict(None)
    return word if word.success is not None else _checked(deeds[last + 1 :])


def _word_of_user(turns: Sequence[Turn]) -> SessionVerdict:
    """The verdict in a person's last message; none if it is a question, or both praises and blames."""
    said = next((turn.text for turn in reversed(turns) if turn.speaker == "user"), "")
    praises, blames = bool(_PRAISE.search(said)), bool(_BLAME.search(said))
    if praises == blames or said.rstrip().endswith("?"):
        return SessionVerdict(None)
    return SessionVerdict(praises, f"the user said: {shortened(said)}")


def _checked(deeds: Sequence[Deed]) -> SessionVerdict:
    """The verdict of the checks: the last run of each counts, and a failed one outweighs the others."""
    runs: dict[str, tuple[str, Deed]] = {}
    for deed in deeds:
        command = command_of(deed.arguments)
        if type := check_of(command, deed.failed is True):
            runs[command] = type, deed
    failed = [(type, deed) for type, deed in runs.values() if deed.failed]
    passed = [(type, deed) for type, deed in runs.values() if deed.failed is False and type != "lint"]
    for success, told in ((False, failed), (True, passed)):
        if told:
            type, deed = told[-1]
            command = shortened(command_of(deed.arguments))
            error = first_error(deed.result)
            result = "passed" if success else f"failed: {error}" if error else "failed"
            return SessionVerdict(
                success, f"{command} {result}", {"type": type, "command": command, "result": result}
            )
    return SessionVerdict(None)


def check_of(command: str, failed: bool) -> str:
    """The kind of check that a command runs; "" if none, or if its success is that of another program."""
    last = re.split(r";|\n", command.strip().rstrip(";"))[-1]
    if not failed and "|" in last:
        return ""
    told = command if failed else last
    return next((type for type, (_, words) in _OF_CHECK.items() if words.search(told)), "")


# -- the whole work ------------------------------------------------------------------------------------------

_MOST_LEARNINGS = 5


class DraftedWork(NamedTuple):
    """A work that was drafted; `record` may lack fields that RUM requires.

    `parent` is the session of the agent it was done for. `doubts` are points that a person should check. `files`
    is the number of files that were changed.
    """

    record: Record
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
    chats: Sequence[Conversation], actor: str, redact: Callable[[str], str], success: bool | None
) -> DraftedWork:
    """Draft the work of a session, the first of `chats`, and of its subagents, the others.

    `redact` removes secrets from a text; `success` is a person's verdict, None if there is none.
    """
    main = chats[0]
    deeds = _in_order(chats)
    told, left_out = actions_of(deeds, main.run.folder)
    is_changing = any(changes(deed) for deed in deeds)
    asked = [turn.text for turn in main.turns if turn.speaker == "user" or turn.name == TASK]
    result = outcome_of(main.turns, deeds, success)
    learnings = [said for said in _learnings(main) if said.rstrip(".") not in result.get("summary", "")]
    record: Record = {
        "agent_id": actor,
        "project_id": main.project,
        "session_id": main.id,
        "created_at": _end(chats),
        "intent": intent_of(asked, is_changing),
        "reasoning": _reasoning(main, deeds),
        "actions": told,
        "outcome": {**result, "learnings": learnings} if learnings else result,
    }
    record = {name: value for name, value in record.items() if value not in ("", None)}
    clean = redacted_value(record, redact)
    doubts = list(_doubts(result, left_out, is_cleaned=clean != record))
    paths = {action["details"]["file_path"] for action in told if action["type"] in CHANGES}
    return DraftedWork(clean, main.run.parent, tuple(doubts), len(paths))


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
    """When something was said or done last, except by the client program itself; None if that is not known."""
    said = [turn.when for chat in chats for turn in chat.turns if turn.speaker != "system"]
    moment = max([*said, *(deed.when for chat in chats for deed in chat.run.deeds)], default="")
    return work.seconds_of(moment) if moment else None


def _reasoning(chat: Conversation, deeds: Sequence[Deed]) -> Record:
    """The agent's last thought before it first changed something, if the transcript has thoughts."""
    first = next((deed.turn for deed in deeds if changes(deed)), None)
    thoughts = [thought.text for thought in chat.run.thoughts if first is None or thought.turn <= first]
    return {"approach_chosen": beginning(thoughts[-1])} if thoughts else {}


def _learnings(chat: Conversation) -> list[str]:
    found = [finding.quote for finding in findings.find(chat) if finding.trigger == "learning"]
    return list(dict.fromkeys(found))[:_MOST_LEARNINGS]


def _doubts(result: Record, left_out: int, is_cleaned: bool) -> list[str]:
    doubts = []
    if str(result.get("failure_reason", "")).startswith("not known"):
        doubts.append(f"success is not known: {UNKNOWN}; --success or --failure says it")
    if left_out:
        doubts.append(f"{counted(left_out, 'action')} left out, of those that changed nothing")
    if is_cleaned:
        doubts.append("what looks like a secret was left out")
    return doubts
