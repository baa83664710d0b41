"""What was done to memories, by day and by session."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from mdmem.acts.pages import chronicle
from mdmem.acts.pages.request import PageRequest
from mdmem.acts.telling import encode
from mdmem.errors import NotFoundError
from mdmem.history import past
from mdmem.store.git import log
from mdmem.store.git.log import Commit
from mdmem.store.local.sessions import Sessions
from mdmem.store.vault.vault import Vault

_AT_ONCE = 50  # commits per part
_OF_A_SESSION = 500


def read(vault: Vault, request: PageRequest) -> dict[str, Any]:
    """Commits, the latest first: part `page` of `pages`. `total` also counts commits of other files only."""
    part, counts = request.part(chronicle.order(vault), _AT_ONCE)
    commits = chronicle.kept(vault, f"page.timeline.{counts['page']}", lambda: chronicle.some(vault, part))
    return {"commits": chronicle.told(vault, commits), **counts}


def read_session(vault: Vault, request: PageRequest) -> dict[str, Any]:
    """A session with the commits by it and its subagents; `session` is null if this machine does not know it.

    Raises NotFoundError for a session that is unknown here and wrote nothing.
    """
    wrote = chronicle.kept(vault, f"page.session.{request.key}", lambda: _written_in(vault, request.key))
    known = None if request.is_kept else Sessions(vault.root, vault.repo, vault.tell).get(request.key)
    if not wrote and known is None:
        raise NotFoundError(f"there is no session {request.key}", "the timeline shows which there are")
    return {
        "id": request.key,
        "session": encode(known),
        "commits": chronicle.told(vault, list(islice(wrote, _OF_A_SESSION))),
        "total": len(wrote),
    }


def _written_in(vault: Vault, session: str) -> Sequence[Commit]:
    """The commits of a session and its subagents; only commits whose message names one of them are read."""
    family = past.family(vault, session)
    wanted = [f"--grep=Memory-Session: {name}" for name in sorted(family)]
    commits = chronicle.some(vault, log.order(vault.repo, "--fixed-strings", *wanted))
    return [commit for commit in commits if past.by_any(commit, "", family)]


def sessions(vault: Vault) -> list[str]:
    """The ids of all sessions that wrote something, sorted."""
    return sorted({commit.operation.session for commit in chronicle.events(vault)} - {""})
