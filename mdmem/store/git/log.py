"""The history of a vault as values: one `git log`, parsed once.

`commits` walks HEAD's history. Each `Commit` has the operation that its message describes and the changes in its
diff, so that a commit made by hand is understood as well as one of mdmem's.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import islice
from typing import NamedTuple, TypeVar

from mdmem.note import patterns
from mdmem.store import operation
from mdmem.store.git.folder import GitFolder
from mdmem.store.git.repo import Entry, PathChange, Repo, path_change, raw_changes
from mdmem.store.operation import ACTION_OF_STATUS, Operation

_T = TypeVar("_T")

_FIELDS = ("%H", "%P", "%an", "%ae", "%at", "%cn", "%ce", "%ct", "%B")
_FORMAT = "--format=" + "%x00".join(_FIELDS)
_CHANGE = patterns.late(rb":(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])(\d*)")
_LOOSE = patterns.late(  # a commit with one parent, as it is stored: not signed, and in UTF-8
    rb"tree (\w+)\nparent (\w+)\nauthor (.*?) ?<(.*?)> (\d+) \S+\ncommitter (.*?) ?<(.*?)> (\d+) \S+\n\n((?s:.*))"
)
_NULL = patterns.late(r"0+")
_RENAMES = "--find-renames=50%"
_CHANGES = ("--raw", "--no-abbrev", "--diff-merges=off", _RENAMES)
_FULL = "--full-history"  # git leaves out no side of a merge, so that a commit is told of wherever one starts
_AT_ONCE = 200  # commits


class FileChange(NamedTuple):
    """The change of a file in a commit. `before` and `after` are blob ids, "" for none.

    `old_path` differs from `path` on a rename. For an uncommitted change, `after` is "" too. `plain` is False for
    links and submodules.
    """

    letter: str
    path: str
    old_path: str
    before: str
    after: str
    plain: bool = True

    @property
    def action(self) -> str:
        """create, revise, delete, rename or fork, according to the diff."""
        return ACTION_OF_STATUS.get(self.letter, "revise")


class Commit(NamedTuple):
    """One commit. `when` is the author's time in UTC; `operation.action` is "" for a commit by another tool.

    `address` is the committer's: an agent is an author that acts in the name of a person.
    """

    oid: str
    parents: tuple[str, ...]
    author: str
    email: str
    when: datetime
    committed: datetime
    operation: Operation
    changes: tuple[FileChange, ...] = ()
    committer: str = ""
    address: str = ""

    @property
    def actor(self) -> str:
        """Who made it: the operation's actor, or git's author."""
        return self.operation.actor or self.author

    @property
    def actions(self) -> tuple[str, ...]:
        """The operation's action, or else those of its changes, each once."""
        if self.operation.action:
            return (self.operation.action,)
        return tuple(dict.fromkeys(change.action for change in self.changes))


def commits(
    repo: Repo, *options: str, only: Sequence[str] | None = None, paths: Sequence[str] = ()
) -> Iterator[Commit]:
    """The commits that touch the vault, newest first, or with `only` just these, in that order.

    With `paths`, only commits that touch these, each with only its changes to them. Merges come without changes.
    The commits are read lazily: a caller that stops early does not pay for the rest. `options` go to `git log`. A
    file that moved is one change "R", as guessed by git from similarity.
    """
    if repo.head_commit():
        wanted = [repo.prefix + path for path in paths] or repo.pathspec()
        if repo.promisor:
            found = _read(repo, (*_CHANGES, *options, "--no-renames"), only, wanted)
            repo.bring(
                blob for commit in found for change in commit.changes for blob in (change.before, change.after)
            )
        yield from _read(repo, (*_CHANGES, *options), only, wanted)


def messages(repo: Repo, *revisions: str, only: Sequence[str] | None = None) -> Iterator[Commit]:
    """The commits in a range (`OLD..NEW`) that touch the vault, newest first, or with `only` just these.

    They come without changes: no trees are compared for them. `revisions` may be other options of `git log`, too.
    """
    if repo.head_commit():
        yield from _read(repo, revisions, only, repo.pathspec() if only is None else ())


def _read(
    repo: Repo, options: Sequence[str], only: Sequence[str] | None, wanted: Sequence[str]
) -> Iterator[Commit]:
    """The commits that `git log` tells of; those named are asked for some at a time, as few may be read."""
    if only is None:
        yield from _changing(repo, repo.stream("log", "-z", _FORMAT, _FULL, *options, "--", *wanted))
    for at in range(0, len(only or ()), _AT_ONCE):
        asked = "".join(f"{oid}\n" for oid in (only or ())[at : at + _AT_ONCE]).encode()
        way = ("--no-walk=unsorted", "--stdin", "--", *wanted)
        yield from _changing(repo, repo.stream("log", "-z", _FORMAT, *options, *way, stdin=asked))


def _changing(repo: Repo, tokens: Iterator[bytes]) -> Iterator[Commit]:
    for commit, changes in _parsed(repo, tokens, renaming_changes):
        yield commit._replace(changes=tuple(changes))


def _parsed(
    repo: Repo, tokens: Iterator[bytes], following: Callable[[Repo, Iterator[bytes]], tuple[bytes, list[_T]]]
) -> Iterator[tuple[Commit, list[_T]]]:
    """The commits in git's output, each with the changes `following` it; closing this ends git."""
    token = next(tokens, b"")
    while token:
        fields = [part.decode("utf-8", "replace") for part in (token, *islice(tokens, len(_FIELDS) - 1))]
        token, changes = following(repo, tokens)
        yield _commit(fields), changes


def former_names(repo: Repo, path: str, since: datetime | None = None) -> list[str]:
    """The earlier names of a file of the repository, latest first, as guessed by git from similarity.

    `path` is relative to the top of the repository, or absolute; a file outside the repository or never committed
    has none. With `since`, only commits from then on are searched, which is faster in a long history.
    """
    inner = os.path.relpath(path, repo.top) if os.path.isabs(path) else os.path.normpath(path)
    if not repo.head()[0] or inner.split(os.sep)[0] == os.pardir:
        return []
    bound = [f"--since={since.isoformat()}"] if since else []
    out = repo.run("log", "-z", "--follow", "--name-status", "--format=", *bound, "--", inner)
    fields = iter(out.decode("utf-8", "surrogateescape").split("\0"))
    names = [inner]
    for status in fields:
        name = next(fields, "")
        if (
            status.startswith("R") and next(fields, "") == names[-1]
        ):  # of a folder git tells the names of its files
            names.append(name)
    return names[1:]


def paths_ending(repo: Repo, end: str) -> list[str]:
    """The tracked files, relative to the top of the repository, whose path is `end` or ends with it."""
    magic = {"GIT_LITERAL_PATHSPECS": "0"}
    out = repo.run("ls-files", "-z", "--", f":(top,glob)**/{end}", env=magic)
    return [path for path in out.decode("utf-8", "surrogateescape").split("\0") if path]


def committers(repo: Repo) -> set[tuple[str, str]]:
    """(name, e-mail address) of everybody who made a commit in HEAD's history."""
    if not repo.head()[0]:
        return set()
    lines = repo.run("log", "--format=%cn%x00%ce", "--").decode("utf-8", "replace").splitlines()
    return {(name, address) for name, _, address in (line.partition("\0") for line in lines)}


def loose(repo: Repo, oid: str) -> tuple[str, Commit] | None:
    """(tree, commit with one parent) from its loose object; None where only git can say."""
    found = _LOOSE.fullmatch(repo.loose_commit(oid))
    if not found:
        return None
    tree, parent, *fields = (field.decode("utf-8", "replace") for field in found.groups())
    return tree, _commit((oid, parent, *fields))


def _commit(fields: Sequence[str]) -> Commit:
    oid, parents, author, email, authored, committer, address, committed, body = fields
    return Commit(
        oid=oid.strip(),
        parents=tuple(parents.split()),
        author=author,
        email=email,
        when=_moment(authored),
        committed=_moment(committed),
        operation=operation.parse(body),
        committer=committer,
        address=address,
    )


def uncommitted(repo: Repo) -> list[FileChange]:
    """The differences of the files from the last commit, including untracked files."""
    found = differing(repo, "", "")
    return [change._replace(after="") for change in found]  # git gives ids of blobs that it does not store


def differing(repo: Repo, old: str, new: str) -> list[FileChange]:
    """The differences of the vault between two commits; `old` "" is HEAD, `new` "" the files in the folder."""
    out = _diff(repo, old, new, ("-z", "--raw", "--no-abbrev"), repo.pathspec())
    return renaming_changes(repo, iter(out.split(b"\0")))[1]


def difference(repo: Repo, old: str, new: str, paths: Sequence[str], without: Sequence[str] = ()) -> str:
    """git's diff of `paths` (empty: the whole vault) between two commits; `old` "" is HEAD, `new` "" the files.

    The paths `without` are left out.
    """
    wanted = [repo.prefix + path for path in paths] or repo.pathspec()
    wanted = [f":(top,literal){path}" for path in wanted] if without else wanted
    wanted += [f":(top,exclude,literal){repo.prefix}{path}" for path in without]
    magic = {"GIT_LITERAL_PATHSPECS": "0"} if without else {}
    out = _diff(repo, old, new, ("--no-color",), wanted, **magic)
    return out.decode("utf-8", "replace").rstrip("\n")


def _diff(
    repo: Repo, old: str, new: str, options: Sequence[str], wanted: Sequence[str], **environment: str
) -> bytes:
    """What `git diff` prints of the paths `wanted`, between two commits as in `differing`."""
    entries = () if new else repo.status().entries
    if not (old or new or entries):
        return b""
    with _all_known(repo, entries) as (base, env):
        revisions = [old or base, *([new] if new else [])]
        return repo.run("diff", *_DIFF, *options, *revisions, "--", *wanted, env={**env, **environment})


_DIFF = ("--no-ext-diff", "--no-textconv", "--ignore-submodules=all", _RENAMES)


@contextmanager
def _all_known(repo: Repo, entries: Iterable[Entry]) -> Iterator[tuple[str, dict[str, str]]]:
    """(HEAD or the empty tree, an environment with a copy of git's index that has untracked `entries`, too)."""
    import shutil
    import tempfile

    base = repo.head()[0] or repo.empty_tree
    new = [entry.path for entry in entries if entry.staged == "?"]
    if not new:
        yield base, {}
        return
    with tempfile.TemporaryDirectory(prefix="mdmem-") as folder:
        copy = os.path.join(folder, "index")
        env = {"GIT_INDEX_FILE": copy}
        with suppress(FileNotFoundError):  # a repository to which nothing was ever added
            shutil.copyfile(repo.git_path("index"), copy)
        args = ("add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul")
        repo.run(*args, stdin=repo.nul_ended(new), env=env)
        yield base, env


class BlamedLine(NamedTuple):
    """One line of a file: number (1-based), the commit that wrote it ("": uncommitted), its time and author."""

    number: int
    commit: str
    when: datetime
    author: str
    text: str


_BLAMED = patterns.late(r"([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?")


def blame(repo: Repo, path: str, grafts: Sequence[tuple[str, str]] | None = None) -> list[BlamedLine]:
    """Who wrote each line of the current file, followed through renames. Raises GitError if HEAD has no such file.

    `grafts` are commits, each with the commit to treat as its only parent.
    """
    import tempfile

    with tempfile.NamedTemporaryFile("w", prefix="mdmem-", encoding="ascii") as listed:
        listed.writelines(f"{commit} {parent}\n" for commit, parent in grafts or ())
        listed.flush()
        way = ("-S", listed.name) if grafts else ()
        told = repo.run("blame", "--line-porcelain", "--encoding=UTF-8", *way, "--", repo.prefix + path)
    return _blamed(told)


def _blamed(told: bytes) -> list[BlamedLine]:
    """Parse the output of `git blame --line-porcelain`."""
    lines: list[BlamedLine] = []
    number, oid, about = 0, "", dict[str, str]()
    for line in told.decode("utf-8", "replace").split("\n"):
        if line.startswith("\t"):
            lines.append(
                BlamedLine(number, oid, _moment(about["author-time"]), about["author"], line[1:].rstrip("\r"))
            )
        elif match := _BLAMED.fullmatch(line):
            number, oid = int(match[2]), _blob(match[1])
        else:
            key, _, about[key] = line.partition(" ")
    return lines


def touched(repo: Repo, path: str, line: int, rev: str = "") -> str:
    """The commit that wrote one line (1-based) of a file in `rev`, or of the current file.

    "" if the line is not committed, or the file has no such line or does not exist.
    """
    wanted = f"-L{line},{line}"
    args = ("blame", "--porcelain", wanted, *([rev] if rev else []), "--", repo.prefix + path)
    match = _BLAMED.match(repo.run(*args, ok=(0, 128)).decode("utf-8", "replace"))
    return _blob(match[1]) if match else ""


def named(repo: Repo, oids: Iterable[str]) -> dict[str, Commit]:
    """commit id -> the commit, without its changes; an empty id is passed over."""
    return {commit.oid: commit for commit in messages(repo, only=sorted(set(oids) - {""}))}


class Step(NamedTuple):
    """A commit, and its changes with renames split: none for a merge."""

    commit: Commit
    changed: tuple[PathChange, ...]


_SPLIT = ("log", "-z", _FORMAT, "--raw", "--no-abbrev", "--no-renames", "--diff-merges=off")


def step(repo: Repo, oid: str) -> Step:
    """One commit compared with its parent, by one git command, whether it touched the vault or not."""
    (found,) = _steps(repo, repo.run(*_SPLIT, "--max-count=1", oid, "--").split(b"\0"))
    return found


def steps(repo: Repo, *revisions: str) -> Iterator[Step]:
    """The commits of a history that touch the vault, after their parents; they are read lazily.

    Their parents are the nearest ones that touch it, too.
    """
    way = (_FULL, "--parents", "--topo-order", "--reverse", *revisions, "--", *repo.pathspec())
    if repo.promisor:
        repo.bring(blob for step in _steps(repo, repo.stream(*_SPLIT, *way)) for blob in _perhaps_moved(step))
    yield from _steps(repo, repo.stream(*_SPLIT, *way))


def _perhaps_moved(step: Step) -> set[str]:
    """The contents that a commit added and deleted, but for those that it only moved."""
    added = {change.blob for change in step.changed if not change.old_blob}
    gone = {change.old_blob for change in step.changed if not change.blob}
    return added ^ gone if added - gone and gone - added else set()


def _steps(repo: Repo, tokens: Iterable[bytes]) -> Iterator[Step]:
    for commit, changes in _parsed(repo, iter(tokens), _split_changes):
        yield Step(commit, tuple(changes))


def _split_changes(repo: GitFolder, tokens: Iterator[bytes]) -> tuple[bytes, list[PathChange]]:
    """(the token after them, the next changes of the vault) in git's raw format without renames."""
    changes = []
    token = next(tokens, b"")
    while token.lstrip(b"\n").startswith(b":"):
        path = next(tokens)
        if _inside(repo, path):
            changes.append(path_change(token, path, repo.prefix))
        token = next(tokens, b"")
    return token, changes


def changed(repo: Repo, old: str, new: str) -> Iterator[PathChange]:
    """Each path of the vault that differs between two commits ("": one without files), with renames split."""
    args = ("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", old or repo.empty_tree, new, "--")
    return raw_changes(repo.run(*args, *repo.pathspec()).split(b"\0"), repo.prefix)


def renaming_changes(repo: GitFolder, tokens: Iterator[bytes]) -> tuple[bytes, list[FileChange]]:
    """(the token after them, the next changes) in git's raw format with renames."""
    changes = []
    token = next(tokens, b"")
    while match := _CHANGE.fullmatch(token.lstrip(b"\n")):
        paths = [next(tokens) for _ in range(2 if match[5] in b"RC" else 1)]
        if any(_inside(repo, path) for path in paths):
            changes.append(_change(repo, match, paths))
        token = next(tokens, b"")
    return token, changes


def _change(repo: GitFolder, match: re.Match[bytes], paths: list[bytes]) -> FileChange:
    """A change from the vault's view: a move across its border is a creation or a deletion."""
    old, new = paths[0], paths[-1]
    before, after, letter = _blob(match[3].decode()), _blob(match[4].decode()), match[5].decode()
    plain = all(mode.startswith(b"100") or not mode.strip(b"0") for mode in match.group(1, 2))
    if letter in "RC" and not _inside(repo, old):
        return FileChange("A", repo.strip(new), repo.strip(new), "", after, plain)
    if letter == "R" and not _inside(repo, new):
        return FileChange("D", repo.strip(old), repo.strip(old), before, "", plain)
    return FileChange(letter, repo.strip(new), repo.strip(old), before, after, plain)


def _inside(repo: GitFolder, path: bytes) -> bool:
    return path.startswith(repo.full(""))


def _blob(oid: str) -> str:
    return "" if _NULL.fullmatch(oid) else oid


def _moment(seconds: str) -> datetime:
    """The time of a commit; git accepts any number, even outside of the calendar."""
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.max.replace(tzinfo=UTC)
