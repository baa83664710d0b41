"""Publishing from a hub: the bare repository that others push to, and every vault in it.

The hub keeps a working copy of its branch within the repository's own folder, with the local index of each
vault. A publication that fails is reported in one line, and the next one catches up; it never makes a push fail.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress

from mdmem.errors import MdmemError, StoppedError, UsageError
from mdmem.store import config
from mdmem.store.git.command import Git, GitError
from mdmem.store.git.folder import find_top
from mdmem.store.git.repo import Repo
from mdmem.store.local import lock
from mdmem.store.local.place import settings_folder
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.team.publish import Publication, PublishRequest, publish
from mdmem.team.server import DSN, NoServerError, Server, dsn_of

_COPY, _LOCK = "mdmem-team", "mdmem-team.lock"
_PATIENCE = 300.0  # seconds to wait for a publication that an earlier push began
_ANSWER = 3  # seconds that a push waits for a server to answer
_NO_LOG = ("-c", "core.logAllRefUpdates=false")  # a log would keep purged commits


def environment(environ: Mapping[str, str]) -> Mapping[str, str]:
    """The environment that names the server: as given, or with the DSN from a file of the hub's operator.

    The file is `team-dsn` in the platform's folder for settings, ~/.config/mdmem on Linux. It holds one line,
    the value for $MDMEM_TEAM_DSN, and only its owner may read it. Raises UsageError if others may read it, or if
    it is in a git repository; NoServerError without such a file.
    """
    with suppress(NoServerError):
        dsn_of(environ)
        return environ
    place = os.path.join(settings_folder(environ), "team-dsn")
    if not os.path.isfile(place):
        dsn_of(environ)  # raises
    if os.stat(place).st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UsageError(f"others may read {place}", f"chmod 600 {place}")
    if find_top(os.path.dirname(os.path.realpath(place))):
        raise UsageError(f"{place} lies in a git repository", "keep passwords out of those")
    with open(place, encoding="utf-8", errors="replace") as file:
        return {**environ, DSN: file.read().strip()}


def publish_all(folder: str) -> Iterator[tuple[str, Publication | MdmemError]]:
    """Publish every vault in the bare repository at a folder, as of the commit at its HEAD.

    Yields the name of each vault and its publication, or the error. Raises MdmemError if none can be published,
    NoServerError if no server is named: a hub may have the hook before it has a server.
    """
    folder = os.path.realpath(folder)
    named = environment(os.environ)
    with lock.held(os.path.join(folder, _LOCK), patience=_PATIENCE), Server.open(named, _ANSWER) as server:
        top = _checked_out(folder)
        own = os.path.basename(folder).removesuffix(".git")
        for prefix in _vaults(top):
            name = "/".join(filter(None, (own, prefix)))
            asked = PublishRequest(rewind=True, name=name, hub=os.path.join(folder, prefix))
            try:
                with Vault(os.path.join(top, prefix)) as vault:
                    done = publish(vault, server, asked, silent)
                yield name, done
            except MdmemError as error:
                yield name, error


def _checked_out(folder: str) -> str:
    """The working copy, at the commit at HEAD of the bare repository; made again after a forced push."""
    git = Git(folder)
    top = os.path.join(folder, _COPY)
    head = Repo(folder, "").head_commit()
    if not head:
        branch = git.run("symbolic-ref", "--short", "HEAD").decode().strip()
        raise StoppedError(
            f"HEAD of this repository is {branch}, which has no commit", "git symbolic-ref HEAD refs/heads/NAME"
        )
    if os.path.isdir(top) and not _follows(top, head):
        shutil.rmtree(top)
    if not os.path.isdir(top):
        git.run("worktree", "prune")
        git.run(*_NO_LOG, "worktree", "add", "--quiet", "--force", "--detach", top, head)
    Git(top).run(*_NO_LOG, "-c", "core.symlinks=false", "checkout", "--quiet", "--force", "--detach", head)
    return top


def _follows(top: str, head: str) -> bool:
    """Whether a commit is that of the working copy or a descendant; purged files must not stay in the copy."""
    try:
        return Git(top).asks("merge-base", "--is-ancestor", "HEAD", head)
    except GitError:
        return False


def _vaults(top: str) -> list[str]:
    """The folders of the vaults in a working copy, "" for its root."""
    files = Repo(top, "").files("HEAD")
    return sorted(os.path.dirname(file.path) for file in files if os.path.basename(file.path) == config.FILE)


def said(name: str, done: Publication | Exception) -> str:
    """The line that a push prints for a vault, or for all of them ("")."""
    if isinstance(done, Publication):
        return f"{name} is published at {done.head[:10]}"
    of = f" with {name}" if name else ""
    why = done.line if isinstance(done, MdmemError) else done
    return f"the team's index is behind{of}: {why}; the next push catches up"
