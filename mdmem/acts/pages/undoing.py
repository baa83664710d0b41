"""A preview of undoing a session or a commit, and the undo itself."""

from __future__ import annotations

from typing import Any

from mdmem.acts import past
from mdmem.acts.pages import chronicle
from mdmem.acts.pages.request import Destination, PageRequest
from mdmem.errors import ConflictError, UsageError
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
            chronicle.changed(
                vault,
                path,
                titles[path],
                files.read_or_none(vault.root, path),
                data,
                most=_LONGEST * (at < _MOST_DIFFS),
            )
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
