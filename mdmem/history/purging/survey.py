"""What a purge would do: what it finds, what it would rewrite, and what it cannot reach. Nothing is changed."""

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from mdmem.errors import MdmemError, NotFoundError
from mdmem.history.purging import objects
from mdmem.history.purging.objects import RawCommit
from mdmem.history.purging.rewriter import PurgeTarget
from mdmem.note.plural import counted, some
from mdmem.store import layout, registry
from mdmem.store.git import log, remotes
from mdmem.store.git.repo import MODULE, PathChange, Repo
from mdmem.store.local import files, state
from mdmem.store.local.sessions import JOINED_HOURS, Sessions
from mdmem.store.progress import Progress
from mdmem.store.vault.vault import Vault

_SIGNED = (b"\ngpgsig ", b"\ngpgsig-sha256 ")


class HoldingCommit(NamedTuple):
    """A commit with the content to purge: who made it, when, and its subject as it will be."""

    id: str
    when: datetime
    author: str
    subject: str


class OutsideFile(NamedTuple):
    """A file that holds purged content; `path` is relative to the vault if it lies there.

    `kind` is "local" (git's and mdmem's own, which a purge cleans), "file" or "transcript".
    """

    path: str
    kind: str


class Obstacle(NamedTuple):
    """Why a purge cannot be done, and what to do about it first."""

    message: str
    fix: str


class PurgeSurvey(NamedTuple):
    """What was found. Names and subjects are given as they will be, without the text to purge.

    `holding` are the commits that introduce the content; `rewritten` is how many get another id (those and all
    after them), `known` how many of them there were at the commit `at`: a person agrees to those, even if
    others write meanwhile; `signed` is how many lose their signature. `files` hold the content now, `past_files`
    only in the past. `refs` will move. `loose` is how many unreachable objects hold the content. `unreached` are
    sentences for the person about what a purge cannot change. `home` and `whole_repository` are as it was asked.
    """

    target: PurgeTarget
    holding: tuple[HoldingCommit, ...]
    rewritten: int
    known: int
    at: str
    signed: int
    files: tuple[str, ...]
    past_files: tuple[str, ...]
    refs: tuple[str, ...]
    loose: int
    outside: tuple[OutsideFile, ...]
    obstacles: tuple[Obstacle, ...]
    unreached: tuple[str, ...]
    home: str
    whole_repository: bool

    @property
    def agree(self) -> str:
        """The value of --commits that agrees to this, even if others write meanwhile."""
        return f"{self.known}@{self.at[:8]}"


def survey(
    vault: Vault,
    target: PurgeTarget,
    now: datetime,
    home: str,
    whole_repository: bool,
    progress: Progress,
    at: str = "",
) -> PurgeSurvey:
    """Search everywhere; agents' transcripts are looked for under `home`. `progress` gets (done, total).

    The commits to agree to are counted at the commit `at`, by default the last one. Raises NotFoundError if the
    content is neither in git nor in a file.
    """
    at = at or vault.repo.head()[0]
    census = Census(vault.repo, target, progress)
    hits = outside(vault, target.needles, home)
    if not (census.holding or census.stored or hits):
        raise NotFoundError("nothing in this repository holds that", "check the spelling: case matters")
    rewritten = census.rewritten()
    since = vault.repo.reached("HEAD") - vault.repo.reached(at) if at else set()
    now_at, once_at = census.files()
    return PurgeSurvey(
        target,
        tuple(census.told(commit) for commit in census.history if commit.id in census.holding),
        len(rewritten),
        len(rewritten - since),
        at,
        len(rewritten & census.signed),
        now_at,
        once_at,
        census.refs(rewritten),
        len(census.stored - census.reached()),
        hits,
        tuple(obstacles(vault, whole_repository)),
        tuple(_unreached(vault, now)),
        home,
        whole_repository,
    )


def _unreached(vault: Vault, now: datetime) -> Iterator[str]:
    """What a purge here cannot change, as sentences."""
    yield "other clones: each moves over with its next mdmem sync; until then it holds the old history"
    for remote in remotes.remotes(vault.repo).values():
        place = f"{remote.name} at {remotes.masked(remote.url)}"
        yield f"the host of {place}: forks, cached pages and pull requests stay with it"
    yield "backups, synchronised folders, search indexes of the system, and what was copied or printed"
    for session in Sessions(vault).open_since(now - timedelta(hours=JOINED_HOURS)):
        yield f"what session {session.id} of {session.actor} has in its context, until it ends"


# -- in git ------------------------------------------------------------------------------------------------


class Census:
    """Every object and commit of a repository, and which of them a purge would change.

    `stored` are the ids of objects with the content to purge, `holding` the commits that introduce it.
    """

    def __init__(self, repo: Repo, target: PurgeTarget, progress: Progress) -> None:
        self.repo, self.target = repo, target
        self.stored: set[str] = set()
        self.signed: set[str] = set()
        self.subjects: dict[str, bytes] = {}
        for item in objects.stored(repo, progress):
            becomes = target.becomes(*item)
            if becomes != item.data:
                self.stored.add(item.id)
            if item.kind != "blob":
                self.subjects[item.id] = becomes.partition(b"\n\n")[2].partition(b"\n")[0]
                if any(mark in item.data.partition(b"\n\n")[0] for mark in _SIGNED):
                    self.signed.add(item.id)
        self.history = list(objects.commits(repo, "--all"))
        self.holding = {
            commit.id
            for commit in self.history
            if commit.id in self.stored or any(map(self._holds, commit.changes))
        }

    def _holds(self, change: PathChange) -> bool:
        """Whether a file has the content to purge after a change, or its name has."""
        return change.blob in self.stored or self.target.path(change.path) != change.path

    def rewritten(self) -> set[str]:
        """The commits that get another id: those that add or remove the content, and all after them."""
        found: set[str] = set()
        for commit in reversed(self.history):
            removes = any(change.old_blob in self.stored for change in commit.changes)
            if commit.id in self.holding or removes or not found.isdisjoint(commit.parents):
                found.add(commit.id)
        return found

    def reached(self) -> set[str]:
        """The objects in some commit, and the commits and refs themselves."""
        changes = [change for commit in self.history for change in commit.changes]
        files = {blob for change in changes for blob in (change.old_blob, change.blob)}
        return files | {commit.id for commit in self.history} | {ref.id for ref in objects.refs(self.repo)}

    def files(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """(now, past): the paths of files with the content, as they will be."""
        once = {change.path for commit in self.history for change in commit.changes if self._holds(change)}
        files = log.changed(self.repo.whole, "", "HEAD") if self.repo.head_commit() else []
        head = {change.path for change in files if self._holds(change)}
        return self._shown(head), self._shown(once - head)

    def _shown(self, paths: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted({self.target.shown(path).removeprefix(self.repo.prefix) for path in paths}))

    def refs(self, rewritten: set[str]) -> tuple[str, ...]:
        """The refs that will move."""
        changed = rewritten | self.stored
        return tuple(ref.name for ref in objects.refs(self.repo) if {ref.id, ref.commit} & changed)

    def told(self, commit: RawCommit) -> HoldingCommit:
        """A commit as it may be shown, without the content to purge."""
        fields = self.target.name(commit.who).split(b"\x02")
        author, subject = fields[0], self.subjects.get(commit.id, b"")
        when = datetime.fromtimestamp(int(fields[2].split()[0]), UTC)
        return HoldingCommit(commit.id, when, *(part.decode("utf-8", "replace") for part in (author, subject)))


# -- outside git's history ---------------------------------------------------------------------------------

_AT_ONCE = 16_000_000  # bytes of a file to search at a time
_OVERLAP = 10_000  # how many of them to search again with the next ones
GIT_MEMOS = ("COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG", "ORIG_HEAD", "FETCH_HEAD", "AUTO_MERGE", "gc.log")
# Where programs keep chats and command histories, relative to a person's home.
_TRANSCRIPTS = (
    *(".claude/projects", ".codex/sessions", ".copilot/session-state", ".gemini/tmp", ".qwen/projects"),
    *(".local/share/opencode", ".pi/agent/sessions"),
    *(".claude/history.jsonl", ".codex/history.jsonl", ".bash_history", ".zsh_history", ".python_history"),
)


def outside(vault: Vault, needles: Sequence[bytes], home: str) -> tuple[OutsideFile, ...]:
    """The files outside git's history that match one of the patterns; transcripts are looked for under `home`."""
    if not needles:
        return ()
    wanted = re.compile(b"|".join(needles))
    places = [(path, "local") for path in local_files(vault)]
    places += [(path, "") for path in _loose_files(vault.repo)]
    places += [(path, "transcript") for path in _files([os.path.join(home, name) for name in _TRANSCRIPTS])]
    return tuple(
        OutsideFile(path.removeprefix(vault.root + os.sep), kind or _kind(vault, path))
        for path, kind in places
        if _matches(path, wanted)
    )


def local_files(vault: Vault) -> list[str]:
    """The files in mdmem's own folder, except those of a purge in progress."""
    return list(_files([vault.state], {os.path.join(vault.state, state.PURGE)}))


def _loose_files(repo: Repo) -> Iterator[str]:
    """The files in the working tree that git does not track, and those in git's folder that are not objects."""
    tracked = {os.path.join(repo.top, os.fsdecode(path)) for path in repo.run("ls-files", "-z").split(b"\0")}
    skipped = {os.path.join(repo.common_dir(), "objects"), os.path.join(repo.top, repo.prefix, layout.STATE)}
    yield from (path for path in _files([repo.top], skipped) if path not in tracked)
    if not repo.common_dir().startswith(repo.top + os.sep):
        yield from _files([repo.common_dir()], skipped)


def _kind(vault: Vault, path: str) -> str:
    """ "local" for a file that a purge deletes, as git or mdmem makes it again: git's notes, what is derived."""
    inner = files.relative(path, vault.root)
    of_git = files.relative(path, vault.repo.common_dir())
    is_remade = (
        of_git in (*GIT_MEMOS, "index", "packed-refs")
        or of_git.startswith("logs/")
        or any(tree.owns(inner) and tree.wrote(vault, inner) for tree in registry.all_trees(vault))
    )
    return "local" if is_remade else "file"


def _files(places: Iterable[str], skipped: Iterable[str] = ()) -> Iterator[str]:
    """The regular files at and under some paths; symbolic links are not followed."""
    skipped = {os.path.normpath(place) for place in skipped}
    for place in places:
        if os.path.isfile(place):
            yield place
        for folder, folders, names in os.walk(place):
            folders[:] = sorted(name for name in folders if os.path.join(folder, name) not in skipped)
            inside = (os.path.join(folder, name) for name in sorted(names))
            yield from filter(files.is_plain, inside)


def _matches(path: str, wanted: re.Pattern[bytes]) -> bool:
    """Whether a file matches a pattern; one that cannot be read counts as if it did."""
    try:
        with open(path, "rb") as file:
            rest = b""
            while chunk := file.read(_AT_ONCE):
                if wanted.search(rest + chunk):
                    return True
                rest = chunk[-_OVERLAP:]
    except OSError as error:
        return not isinstance(error, FileNotFoundError)
    return False


# -- in the way --------------------------------------------------------------------------------------------

_PROGRAM = "git-filter-repo"
_SECONDS = 20.0  # time limit for asking one remote
_NAMED = 3


def program() -> str:
    """The path of git-filter-repo: beside this Python, or on PATH; "" if it is not installed."""
    beside = os.path.join(os.path.dirname(sys.executable), _PROGRAM)
    return beside if os.path.isfile(beside) else shutil.which(_PROGRAM) or ""


def obstacles(vault: Vault, whole_repository: bool) -> Iterator[Obstacle]:
    """Everything that is in the way of a purge; `whole_repository` permits rewriting files outside the vault.

    Untracked files are not: they are reported later.
    """
    repo = vault.repo
    if not program():
        fix = "pip install 'mdmem[purge]', or install git-filter-repo with your system's packages"
        yield Obstacle(f"{_PROGRAM} is not installed", fix)
    if not repo.is_sha1:
        fix = f"{_PROGRAM} reads SHA-1 only: export the vault into a new repository, without what is to go"
        yield Obstacle("the ids of this repository are SHA-256", fix)
    yield from entangled(repo)
    if edited := [entry.path for entry in repo.whole.status().entries if entry.staged != "?"]:
        message = f"{counted(len(edited), 'edited file')} not committed: {some(edited, _NAMED)}"
        yield Obstacle(message, "git commit or git restore them")
    yield from _incomplete(repo)
    for remote in remotes.remotes(repo):
        try:
            heads = remotes.refs(repo, remote, "refs/heads/*", seconds=_SECONDS)
        except MdmemError:
            continue  # reported among what was not reached
        if ahead := sorted(
            name.removeprefix("refs/heads/") for name, id in heads.items() if not repo.has_commit(id)
        ):
            message = f"{remote} has commits that are not here: {some(ahead, _NAMED)}"
            yield Obstacle(message, f"git pull {remote}, then try again")
    if repo.prefix and not whole_repository:
        message = f"the vault is the folder {repo.prefix} of a bigger repository, which would be rewritten too"
        yield Obstacle(message, "if all who use that repository agree: --whole-repository")


def entangled(repo: Repo) -> Iterator[Obstacle]:
    """Unfinished git operations, a HEAD that is not a commit on a branch, and whatever holds on to old commits."""
    for what, how in repo.unfinished():
        yield Obstacle(f"{what} is in progress", how)
    if not repo.head()[0]:
        yield Obstacle("the vault has no commits", "there is no history to purge: delete the file")
    elif repo.off_branch():
        yield Obstacle("HEAD is detached", "git switch to the branch that the vault is on")
    lines = repo.run("worktree", "list", "--porcelain").decode("utf-8", "replace").splitlines()
    places = [line.removeprefix("worktree ") for line in lines if line.startswith("worktree ")]
    if linked := [place for place in places if os.path.realpath(place) != os.path.realpath(repo.top)]:
        message = f"{counted(len(linked), 'linked worktree')}: {some(linked, _NAMED)}"
        yield Obstacle(message, "git worktree remove each, or prune")
    if stashes := repo.run("stash", "list").splitlines():
        yield Obstacle(counted(len(stashes), "stash"), "git stash pop and commit each, or drop it")
    shared = repo.common_dir()
    if os.path.isdir(os.path.join(shared, "modules")) or any(file.mode == MODULE for file in repo.files("HEAD")):
        yield Obstacle("the repository has submodules", "purge in each of them, and take them out first")
    if objects.refs(repo, "refs/replace/") or os.path.exists(os.path.join(shared, "info", "grafts")):
        yield Obstacle("the repository has replacements or grafts of commits", "git replace -d each")


def _incomplete(repo: Repo) -> Iterator[Obstacle]:
    """Clones that do not have all of the history, or have some of it elsewhere."""
    if repo.shallow():
        yield Obstacle("this is a shallow clone", "git fetch --unshallow")
    if any(map(repo.setting, ("extensions.partialclone", "remote.origin.promisor"))):
        yield Obstacle("this is a partial clone, which does not have every version", "purge in a complete clone")
    folder = os.path.join(repo.common_dir(), "objects")
    if os.path.exists(os.path.join(folder, "info", "alternates")):
        fix = "git repack -a -d, then delete .git/objects/info/alternates"
        yield Obstacle("git keeps objects of this clone in another repository", fix)
    packs = os.path.join(folder, "pack")
    if any(entry.name.endswith(".keep") for entry in files.listed(packs)):
        yield Obstacle("one of git's packs is marked to be kept", f"delete the .keep files in {packs}")
