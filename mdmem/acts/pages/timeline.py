"""What was done to memories, by day and by session; taking it back, with a preview; what was deleted."""

from itertools import islice

from mdmem import acts
from mdmem.acts.pages import chronicle
from mdmem.acts.pages.request import Destination, PageRequest
from mdmem.acts.style import Json
from mdmem.acts.telling import encode
from mdmem.errors import ConflictError, NotFoundError, UsageError
from mdmem.history import past
from mdmem.store.local import files
from mdmem.store.local.sessions import Sessions
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

_AT_ONCE = 50  # commits per part
_OF_A_SESSION = 500
_MOST_COMMITS, _MOST_DIFFS = 100, 20  # of an undo: commits that are listed, files with a diff
_LONGEST = 20_000  # characters of both sides of a diff


def read(vault: Vault, request: PageRequest) -> Json:
    """Commits, the latest first: part `page` of `pages`. `total` also counts commits of other files only."""
    part, counts = request.part(vault.whole_index.told(), _AT_ONCE)
    return {"commits": chronicle.told(vault, chronicle.some(vault, part)), **counts}


def read_session(vault: Vault, request: PageRequest) -> Json:
    """A session with the commits by it and its subagents; `session` is null if this machine does not know it.

    Raises NotFoundError for a session that is unknown here and wrote nothing.
    """
    wrote = list(past.events(vault, session=request.key))
    known = None if request.is_kept else Sessions(vault).get(request.key)
    if not wrote and known is None:
        raise NotFoundError(f"there is no session {request.key}", "the timeline shows which there are")
    return {
        "id": request.key,
        "session": encode(known),
        "commits": chronicle.told(vault, list(islice(wrote, _OF_A_SESSION))),
        "total": len(wrote),
    }


def sessions(vault: Vault) -> list[str]:
    """The ids of all sessions that wrote something, sorted."""
    return sorted({commit.operation.session for commit in past.events(vault)} - {""})


def read_undo(vault: Vault, request: PageRequest) -> Json:
    """What an undo would do, each file with its `diff`; `head` is the commit that it was worked out for.

    Raises NotFoundError if nothing matches, UsageError unless either a session or a commit is given.
    """
    wanted = _wanted(request)
    who = Caller(request.now)
    told = chronicle.kept(vault, f"page.undo.{wanted}", lambda: acts.undo(vault, who, **wanted, dry_run=True))
    done = told.value
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


def act_undo(vault: Vault, request: PageRequest, who: Caller) -> Destination:
    """Undo the session or commit in one commit, as `mdmem undo` does.

    Raises ConflictError if the vault has changed since the preview was shown, UndoConflictError.
    """
    if request.text("head") != vault.repo.head()[0]:
        raise ConflictError("the vault has changed since this was shown; nothing was done", "look again")
    acts.undo(vault, who, **_wanted(request), reason=request.text("reason"))
    return Destination("timeline")


def _wanted(request: PageRequest) -> Json:
    session, commit = request.text("session"), request.text("commit")
    if bool(session) == bool(commit):
        raise UsageError("name either a session or a commit to undo", "give session=ID or commit=ID")
    return {"session": session, "commits": (commit,) if commit else ()}


def read_trash(vault: Vault, request: PageRequest) -> Json:
    """Deleted memories and dialogs, the latest deletion first: part `page` of `pages`."""
    items, counts = request.part(acts.trash(vault).items, 2 * _AT_ONCE)
    return {"items": encode(items), **counts}
