"""Publishing from a hub: the bare repository that others push to, and every vault in it.

The hub keeps a working copy of its branch within the repository's own folder, with the local index of each vault.
A publication that fails is said in a line and caught up by the next; a push never fails for it.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress

from mdmem import config
from mdmem.errors import MdmemError, UsageError
from mdmem.git.command import Git, GitError
from mdmem.git.folder import find_top
from mdmem.git.repo import Repo
from mdmem.local import lock
from mdmem.team.publish import Publication, PublishRequest, publish
from mdmem.team.server import DSN, Server, dsn_of
from mdmem.vault.vault import Vault

_COPY, _LOCK = "mdmem-team", "mdmem-team.lock"
_PATIENCE = 300.0  # seconds to wait for a publication that an earlier push began
_NO_LOG = ("-c", "core.logAllRefUpdates=false")  # a log would keep purged commits


def environment(environ: Mapping[str, str]) -> Mapping[str, str]:
    """The environment in which the server is named: as it is, or by the file of the hub's operator.

    The file is `team-dsn` in `$XDG_CONFIG_HOME/mdmem` or ~/.config/mdmem. It holds one line, what $MDMEM_TEAM_DSN
    would, and nobody but its owner may read it. Raises UsageError if others may, or if no server is named.
    """
    with suppress(UsageError):
        dsn_of(environ)
        return environ
    place = os.path.join(environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"), "mdmem", "team-dsn")
    if not os.path.isfile(place):
        dsn_of(environ)
    if os.stat(place).st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UsageError(f"others may read {place}", f"chmod 600 {place}")
    if find_top(os.path.dirname(os.path.realpath(place))):
        raise UsageError(f"{place} lies in a git repository", "keep passwords out of those")
    with open(place, encoding="utf-8") as file:
        return {**environ, DSN: file.read().strip()}


def is_asked_for(environ: Mapping[str, str]) -> bool:
    """Whether a server is named at all: a hub may have the hook for later."""
    try:
        environment(environ)
    except UsageError as error:
        return not error.message.startswith("no team's server")
    return True


def publish_all(folder: str, environ: Mapping[str, str] = os.environ) -> Iterator[Publication]:
    """Publish every vault of the bare repository at a folder, at the commit that its HEAD is.

    Raises MdmemError for the first that cannot be published; those before it are.
    """
    folder = os.path.realpath(folder)
    with lock.held(os.path.join(folder, _LOCK), patience=_PATIENCE), Server.open(environment(environ)) as server:
        top = _checked_out(folder)
        for prefix in _vaults(top):
            name = os.path.basename(folder).removesuffix(".git")
            with Vault(os.path.join(top, prefix)) as vault:
                asked = PublishRequest(rewind=True, name="/".join(filter(None, (name, prefix))))
                yield publish(vault, server, asked, lambda done, total: None)  # noqa: ARG005


def _checked_out(folder: str) -> str:
    """The working copy, at the commit that HEAD of the bare repository is; made again after a forced push."""
    git = Git(folder)
    top = os.path.join(folder, _COPY)
    head = git.run("rev-parse", "--verify", "HEAD^{commit}").decode().strip()
    if os.path.isdir(top) and not _follows(top, head):
        shutil.rmtree(top)
    if not os.path.isdir(top):
        git.run("worktree", "prune")
        git.run(*_NO_LOG, "worktree", "add", "--quiet", "--force", "--detach", top, head)
    Git(top).run(*_NO_LOG, "-c", "core.symlinks=false", "checkout", "--quiet", "--force", "--detach", head)
    return top


def _follows(top: str, head: str) -> bool:
    """Whether a commit is that of the working copy, or comes after it; what was purged must not stay in a copy."""
    try:
        return Git(top).asks("merge-base", "--is-ancestor", "HEAD", head)
    except GitError:
        return False


def _vaults(top: str) -> list[str]:
    """The folders of the vaults in a working copy, "" for its own."""
    files = Repo(top, "").files("HEAD")
    return sorted(os.path.dirname(file.path) for file in files if os.path.basename(file.path) == config.FILE)


def said(error: Exception) -> str:
    """What a push is told."""
    hint = f" ({error.hint})" if isinstance(error, MdmemError) and error.hint else ""
    return f"the team's index is behind: {error}{hint}; the next push catches up"
