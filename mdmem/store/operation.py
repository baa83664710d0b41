"""An operation and its commit message: what a write did, to which memories, by whom, why.

    revise: user_prefers_structured_output

    User asked for tables in every report.

    Memory-Action: revise
    Memory-Id: 0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11
    Memory-Actor: claude-code
    Memory-Session: conv-abc123

`parse` reads what `message` writes. Commits made by other tools have no trailers; `parse` then returns an
empty action, and their actions are read off the diff (`ACTION_OF_STATUS`).
"""

from datetime import datetime
from typing import NamedTuple

from mdmem.errors import UsageError, is_text
from mdmem.note.plural import some

ACTION_OF_STATUS = {"A": "create", "M": "revise", "T": "revise", "D": "delete", "R": "rename", "C": "fork"}

_TRAILER = r"(?m)^Memory-([A-Za-z-]+): (.*)$"
_CONTROL = r"[\x00-\x1f\x7f\x85\u2028\u2029]+"  # none of these is printable
_SUBJECT_NAMES = 3
_MAX_IDS = 200  # a commit of more memories has only their number; the diff names them


class Caller(NamedTuple):
    """Who asks: the `actor` (an agent's name, "" for the person at the keyboard), its session, and the time.

    With `allow_secret`, text that looks like a password or key is written all the same. A subagent has a
    `parent_session`, that of the `parent_actor` it works for. `project` is the name of the one that is worked on,
    "" if it is not known or is all that the vault is about; `folder` is where they work, "" if it is not known.
    """

    now: datetime
    actor: str = ""
    session: str = ""
    allow_secret: bool = False
    parent_session: str = ""
    parent_actor: str = ""
    project: str = ""
    folder: str = ""

    def does(self, action: str, reason: str = "", *extra: tuple[str, str]) -> "Operation":
        """An operation of this caller. Raises UsageError for text that is not UTF-8."""
        if not is_text(self.actor + self.session + reason):
            raise UsageError("the actor, the session or the reason is not UTF-8", "type it again, in UTF-8")
        parents = (("Parent-Session", self.parent_session),) if self.parent_session else ()
        return Operation(
            action,
            reason.strip(),
            self.actor,
            self.session,
            self.now,
            extra=(*parents, *extra),
            allow_secret=self.allow_secret,
        )


class Operation(NamedTuple):
    """One write. `names` and `ids` are those of the memories it touches, in the same order.

    If it is not about memories but, say, about the vault itself, `names` has that instead. `extra` are further
    trailers, such as ("Undoes", sha) for `Memory-Undoes: sha`. `allow_secret` is not recorded.
    """

    action: str
    reason: str = ""
    actor: str = ""
    session: str = ""
    when: datetime | None = None
    names: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    extra: tuple[tuple[str, str], ...] = ()
    allow_secret: bool = False

    def get(self, trailer: str) -> list[str]:
        """The values of an extra trailer (`Undoes` for `Memory-Undoes`)."""
        return [value for key, value in self.extra if key == trailer]


class Written(NamedTuple):
    """What a write did: the paths it touched and the commit's id, "" if there is none."""

    paths: tuple[str, ...]
    commit: str


def message(operation: Operation) -> str:
    """The commit message of an operation."""
    trailers = [("Action", operation.action)]
    if len(operation.ids) <= _MAX_IDS:
        trailers += [("Id", one) for one in operation.ids]
    else:
        trailers += [("Count", str(len(operation.ids)))]
    trailers += [("Actor", operation.actor)] if operation.actor else []
    trailers += [("Session", operation.session)] if operation.session else []
    trailers += operation.extra
    block = "\n".join(f"Memory-{key}: {_one_line(value)}" for key, value in trailers)
    reason = operation.reason.replace("\r\n", "\n").replace("\0", "").strip()
    return "\n\n".join(part for part in (_subject(operation), reason, block) if part) + "\n"


def parse(text: str) -> Operation:
    """The operation that a commit message records; its action is "" if there are no Memory- trailers.

    Names are only in the subject, shortened; they are read off the diff instead and are empty here.
    """
    import re

    parts = text.rstrip().split("\n\n")
    pairs = re.findall(_TRAILER, parts[-1])
    fields = {key: value for key, value in pairs if key in ("Action", "Actor", "Session")}
    if "Action" not in fields or len(parts) < 2:
        return Operation("", reason=text.strip())
    return Operation(
        action=fields["Action"],
        reason="\n\n".join(parts[1:-1]).strip(),
        actor=fields.get("Actor", ""),
        session=fields.get("Session", ""),
        ids=tuple(value for key, value in pairs if key == "Id"),
        extra=tuple(pair for pair in pairs if pair[0] not in ("Action", "Id", "Actor", "Session")),
    )


def _subject(operation: Operation) -> str:
    names = some(list(map(_one_line, operation.names)), _SUBJECT_NAMES)
    return f"{operation.action}: {names}" if names else operation.action


def _one_line(text: str) -> str:
    if text.isprintable():
        return text.strip()
    import re

    return re.sub(_CONTROL, " ", text).strip()
