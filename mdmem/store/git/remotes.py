"""The remotes of a repository: fetching from them and pushing to them, without ever prompting or hanging.

No command here can prompt: it has no terminal and no program that asks for passwords, and ssh is told not to ask.
Each has a time limit. git's own credential helpers are used.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from typing import NamedTuple

from mdmem.errors import ConflictError, UsageError
from mdmem.note.patterns import late
from mdmem.store.git.command import AwayError, GitReply, error_of
from mdmem.store.git.folder import PURGES, GitFolder, purges_of

SECONDS = 120.0  # time limit for one command that talks to a remote
_SCHEMES = ("https", "http", "ssh", "git", "file", "git+ssh", "ssh+git")
_URL = late(r"([A-Za-z][A-Za-z0-9+.-]*)://(?:[^/]*@)?(.*)", re.S)
_HELPER = late(r"[A-Za-z0-9][A-Za-z0-9+.-]*::")
_LOGIN = late(r"(?<=://)[^/\s']+@")
_TOKEN = late(r"(?i)([?&](?:[a-z_]*token|key|password|secret)=)[^&\s']+")
_NO_BRANCH = "couldn't find remote ref"
# git's messages when someone else was faster, on the other side or in this clone.
_OVERTAKEN = late(
    r"\((?:fetch first|non-fast-forward|stale info|incorrect old value provided|reference already exists"
    r"|failed to (?:update ref|lock|read)|cannot lock ref)|cannot lock ref|Unable to create '.*\.lock'"
)


class Remote(NamedTuple):
    """A repository that git knows by a name, with its URLs for fetching and pushing, credentials included."""

    name: str
    url: str
    push_url: str


class Refusal(NamedTuple):
    """Why a push was rejected; `overtaken` is true if someone else pushed first."""

    message: str
    overtaken: bool


def remotes(repo: GitFolder) -> dict[str, Remote]:
    """The remotes of a repository by name. A clone has only the one it was cloned from."""
    urls: dict[tuple[str, str], str] = {}
    for key, value in repo.known_under("remote"):
        name, _, kind = key.removeprefix("remote.").rpartition(".")
        urls.setdefault((name, kind), value)
    names = dict.fromkeys(name for name, kind in urls if kind == "url")
    return {name: Remote(name, url := urls[name, "url"], urls.get((name, "pushurl"), url)) for name in names}


def masked(text: str) -> str:
    """A text whose URLs are safe to show: names, passwords and tokens are masked."""
    return _TOKEN.sub(r"\1***", _LOGIN.sub("***@", text))


def public(url: str) -> str:
    """A URL for others to follow: without names, passwords and tokens."""
    return _TOKEN.sub("", _LOGIN.sub("", url))


def check_url(url: str) -> None:
    """Raises UsageError for a URL that names a program or an option instead of a repository."""
    found = _URL.fullmatch(url)
    host = found[2] if found else url.rpartition("@")[2] if "@" in url.partition("/")[0] else url
    if (
        not url.strip()
        or any(ord(char) < 32 for char in url)
        or url.startswith("-")
        or host.startswith("-")
        or _HELPER.match(url)
        or (found and found[1].lower() not in _SCHEMES)
    ):
        raise UsageError(
            f"{masked(url)!r} is not a URL that mdmem accepts",
            "give a path, https://HOST/PATH, ssh://HOST/PATH or USER@HOST:PATH",
        )


def fetch(repo: GitFolder, remote: str, branch: str, seconds: float = SECONDS) -> str:
    """Fetch one branch, and any published purges; the branch's commit there, "" if the remote has no such branch.

    Raises AwayError for a remote that cannot be reached, BusyError when the time is over, GitError.
    """
    tracking = tracking_ref(remote, branch)
    options = ("--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-maintenance")
    purges = f"+{PURGES}*:{purges_of(remote)}*"  # it is not an error if there are none
    reply = _talk(repo, seconds, "fetch", *options, "--", remote, f"+refs/heads/{branch}:{tracking}", purges)
    if reply.code and _NO_BRANCH in reply.err:
        return ""
    if reply.code and _OVERTAKEN.search(reply.err):
        raise AwayError(f"another git is fetching from {remote}: {masked(reply.err)}", "try again later")
    _require(reply, repo)
    return repo.ids([tracking])[0]


def branches(repo: GitFolder, remote: str, seconds: float = SECONDS) -> list[str]:
    """The names of a remote's branches. Raises like `fetch`."""
    return [name.removeprefix("refs/heads/") for name in refs(repo, remote, "refs/heads/*", seconds=seconds)]


def refs(repo: GitFolder, remote: str, *patterns: str, seconds: float = SECONDS) -> dict[str, str]:
    """name -> id of a remote's refs that match; for an annotated tag also `name^{}`. Raises like `fetch`."""
    reply = _talk(repo, seconds, "ls-remote", "--", remote, *patterns)
    _require(reply, repo)
    return {name: id for id, _, name in (line.partition("\t") for line in reply.out.splitlines())}


def push(repo: GitFolder, remote: str, commit: str, branch: str, seconds: float = SECONDS) -> Refusal | None:
    """Push a commit to a remote's branch; None, or why it was rejected. The person's pre-push hook runs.

    Never forced. Raises like `fetch`.
    """
    options = ("--porcelain", "--no-follow-tags", "--recurse-submodules=no")
    reply = _talk(repo, seconds, "push", *options, "--", remote, f"{commit}:refs/heads/{branch}", hooks=True)
    if not reply.code:
        return None
    said = f"{reply.out}\n{reply.err}"
    refused = re.search(r"(?m)^!\t\S+\t(.*)$", reply.out)
    if refused or _OVERTAKEN.search(said):
        told = "\n".join(line for line in reply.err.splitlines() if not line.startswith(("To ", "hint:")))
        return Refusal(masked(f"{refused[1] if refused else ''} {told}".strip()), bool(_OVERTAKEN.search(said)))
    _require(reply, repo)
    return None


def replace(
    repo: GitFolder, remote: str, wanted: Sequence[tuple[str, str, str]], seconds: float = SECONDS
) -> None:
    """Move refs of a remote, all or none, given as (ref, id that it has there or "" for none, new id).

    Raises ConflictError if one has another id by now, and like `fetch`.
    """
    leases = [f"--force-with-lease={ref}:{there}" for ref, there, _ in wanted]
    moves = [f"+{new}:{ref}" for ref, _, new in wanted]
    reply = _talk(repo, seconds, "push", "--porcelain", "--atomic", "--no-verify", *leases, "--", remote, *moves)
    refused = re.findall(r"(?m)^!\t\S+\t(.*)$", reply.out)
    if refused:
        raise ConflictError(f"{remote} did not take it: {masked(refused[0])}", "mdmem sync, then try again")
    _require(reply, repo)


def clone(url: str, folder: str, seconds: float) -> None:
    """Clone into a folder that is empty or does not exist. Raises UsageError for an odd URL, and like `fetch`."""
    check_url(url)
    repo = GitFolder(os.path.dirname(os.path.abspath(folder)), "")
    os.makedirs(repo.top, exist_ok=True)
    place = os.path.abspath(url) if os.path.exists(url) else url
    _require(_talk(repo, seconds, "clone", "--quiet", "--no-recurse-submodules", "--", place, folder), repo)


def tracking_ref(remote: str, branch: str) -> str:
    """The ref that holds a remote's branch as last fetched."""
    return f"refs/remotes/{remote}/{branch}"


def _talk(repo: GitFolder, seconds: float, *args: str, hooks: bool = False) -> GitReply:
    return repo.talk(*args, seconds=seconds, env=_mute(repo), hooks=hooks)


def _require(reply: GitReply, repo: GitFolder) -> None:
    if not reply.code:
        return
    message = masked(reply.err or reply.out.strip() or f"git ended with {reply.code}")
    raise error_of(message, repo.top, "remote_errors.tsv")


def _mute(repo: GitFolder) -> dict[str, str]:
    """The environment that keeps git, ssh and credential helpers from prompting."""
    quiet = {
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS_REQUIRE": "never",
        "GCM_INTERACTIVE": "never",
    }
    if os.environ.get("GIT_SSH"):
        return quiet
    command = os.environ.get("GIT_SSH_COMMAND") or repo.known("core.sshcommand") or "ssh"
    if os.path.basename(shlex.split(command)[0]).startswith("ssh"):
        quiet["GIT_SSH_COMMAND"] = f"{command} -o BatchMode=yes -o ConnectTimeout=20"
    return quiet


_HTTP = late(r"https?://(?P<host>[^/?#]+)/(?P<path>[^?#]+)")
_SSH = late(r"(?:git\+)?ssh://(?:[^@/\s]+@)?(?P<host>[^/@:\s]+)(?::\d+)?/(?P<path>[^?#]+)")
_SCP = late(r"(?:[^@/:\s]+@)?(?P<host>[\w-]+(?:\.[\w-]+)+):(?P<path>[^?#]+)")


# The part of a host's name that identifies it -> the format of its URLs of files.
_FORMS = {
    "github": "https://{host}/{project}/blob/{commit}/{path}#L{line}",
    "gitlab": "https://{host}/{project}/-/blob/{commit}/{path}#L{line}",
    **dict.fromkeys(
        ("gitea", "forgejo", "codeberg"), "https://{host}/{project}/src/commit/{commit}/{path}#L{line}"
    ),
}


def page_of(url: str, commit: str, path: str, line: int) -> str:
    """The URL of a line (1-based) of a file at a commit; "" if the host's format is not known.

    Names, passwords and tokens in `url` are left out. The scheme is https, even if git uses ssh.
    """
    found = _HTTP.match(public(url)) or _SSH.match(url) or _SCP.match(url)
    if not found or not commit:
        return ""
    from urllib.parse import quote

    host = found["host"].lower()
    project = found["path"].strip("/").removesuffix(".git")
    form = next((form for mark, form in _FORMS.items() if mark in host), "")
    return form.format(host=host, project=quote(project), commit=commit, path=quote(path), line=line)
