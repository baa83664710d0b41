"""A preview of undoing a session or a commit, and the undo itself."""

from __future__ import annotations

from typing import Any

from mdmem.acts import past
from mdmem.errors import ConflictError, UsageError
from mdmem.page.links import Destination
from mdmem.page.reading import chronicle
from mdmem.page.request import PageRequest
from mdmem.store.local import files
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

_MOST_COMMITS, _MOST_DIFFS = 100, 20  # commits that are listed, files with a diff
_LONGEST = 20_000  # characters of both sides of a diff


def read(vault: Vault, request: PageRequest) -> dict[str, Any]:
    """What an undo would do, each file with its `diff`; `head` is the commit that it was worked out for.

    Raises NotFoundError if nothing matches, UsageError unless either a session or a commit is given.
    """
    wanted = _wanted(request)
    who = Caller(request.now)
    done = chronicle.kept(vault, f"page.undo.{wanted}", lambda: past.undo(vault, who, **wanted, dry_run=True))
    plan = done.plan
    titles = chronicle.titles(vault, plan.writes)
    return {
        **done.json(),
        "count": len(plan.commits),
        "session": request.text("session"),
        "of": request.text("commit"),
        "head": vault.repo.head()[0],
        "commits": chronicle.told(vault, plan.commits[:_MOST_COMMITS]),
        "files": [
            _changed(vault, path, titles[path], data, _LONGEST if at < _MOST_DIFFS else 0)
            for at, (path, data) in enumerate(plan.writes.items())
        ],
    }


def act(vault: Vault, request: PageRequest, who: Caller) -> Destination:
    """Undo the session or commit in one commit, as `mdmem undo` does.

    Raises ConflictError if the vault has changed since the preview was shown, UndoConflictError.
    """
    if request.text("head") != vault.repo.head()[0]:
        raise ConflictError("the vault has changed since this was shown; nothing was done", "look again")
    past.undo(vault, who, **_wanted(request), reason=request.text("reason"))
    return Destination("timeline")


def _wanted(request: PageRequest) -> dict[str, Any]:
    session, commit = request.text("session"), request.text("commit")
    if bool(session) == bool(commit):
        raise UsageError("name either a session or a commit to undo", "give session=ID or commit=ID")
    return {"session": session, "commits": (commit,) if commit else ()}


def _changed(vault: Vault, path: str, titled: tuple[str, bool], data: bytes | None, most: int) -> dict[str, Any]:
    """The change to one file: `kind` is deleted, restored or changed."""
    now = files.read_or_none(vault.root, path)
    is_edited = now is not None and data is not None
    told = chronicle.changed(vault, path, titled, now, data, most=most if is_edited else 0)
    return {**told, "kind": "restored"} if told["kind"] == "new" else told
