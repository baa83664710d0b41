"""Make one commit of exactly the given paths: no hooks run, and nothing else that is staged is included.

The next index and the tree are prepared in a copy of git's index. Then HEAD and the index move together, under
git's own index.lock, and only if neither has changed since the copy was made. So a commit that someone else makes
in the meantime is built upon, never lost, and nobody's `git commit` can include our files.

The committed bytes are those that the caller holds: a `git stash` or `git checkout` that puts an old file back
just before git reads it does not change the commit. And once HEAD has moved, the commit's objects survive even a
`git gc --prune=now` that began earlier: if need be, they are written again.
"""

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from stat import S_IMODE
from typing import NamedTuple

from mdmem.errors import BusyError, ConflictError
from mdmem.store import operation
from mdmem.store.git.command import GitError
from mdmem.store.git.folder import Identity, is_blob
from mdmem.store.git.indexfile import FEW, IndexFile, changes
from mdmem.store.git.log import Commit, Step
from mdmem.store.git.repo import FILE, PathChange, Repo, TreeFile, raw_changes
from mdmem.store.local import files

PATIENCE = 10.0  # seconds to wait for another git command's lock
_PATIENT = ("-c", f"core.filesRefLockTimeout={int(PATIENCE * 1000)}")  # git itself waits 0.1 s
_PAUSE = 0.02
_LAST_STEP = 2.0  # seconds for a git that outlived the process that called it
_ATTEMPTS = 20
MANY = 200  # files from which a commit's blobs go into one pack, see `storing`: fewer take longer that way
_LOOSE_SAMPLE = 27  # files in one of 256 folders; git itself packs at about 6,700 loose objects


class CommitDraft(NamedTuple):
    """A commit to make: `contents` maps paths to the bytes of their files, None for a file to delete.

    If a file does not hold these bytes any more, they are committed anyway, or with `only_as_saved` refused.
    """

    contents: Mapping[str, bytes | None]
    message: str
    author: Identity
    committer: Identity
    when: datetime
    only_as_saved: bool = False


def commit(repo: Repo, draft: CommitDraft, head: str) -> Step:
    """Commit `draft.contents`, which the files hold, on top of HEAD, be it on a branch or detached.

    `head` is the commit that HEAD was a moment ago, "" before the first one. Returns what the commit changed; its
    `oid` is "" if HEAD already holds exactly that, so that no commit is made. Raises BusyError if another git
    command keeps its lock, ConflictError if HEAD or the index keep moving, or a file is not as saved.
    """
    try:
        for _ in range(_ATTEMPTS):
            step = _attempt(repo, draft, head)
            if step is not None:
                return step
            head = repo.head()[0]
    finally:
        release(repo)
    raise ConflictError("other commits keep arriving on this branch", "try again")


def _attempt(repo: Repo, draft: CommitDraft, head: str) -> Step | None:
    """Try once to commit on top of `head`; None if someone else was faster."""
    index = repo.git_path("index")
    seen, packing = files.stamp(index), _packing(repo)
    tree, changed = _prepare(repo, draft, head)
    oid = _commit_object(repo, draft, tree, head) if changed else ""
    with locked(repo):
        if files.stamp(index) != seen or not move_both(repo, draft.message, oid, head):
            return None
    step = Step(_told(draft, oid, head), changed)
    new = [oid, tree, *(change.blob for change in changed if change.blob)]
    is_loose = all(os.path.exists(repo.loose_file(name)) for name in new)
    if oid and (_packing(repo) != packing or packing[0] or not is_loose):
        _secure(repo, draft, step, head)
    return step


def _told(draft: CommitDraft, oid: str, head: str) -> Commit:
    """The commit of a draft on top of `head`, as `log` tells of it."""
    author, committer = draft.author, draft.committer
    return Commit(
        oid=oid,
        parents=(head,) if head else (),
        author=author.name,
        email=author.email,
        when=draft.when,
        committed=draft.when,
        operation=operation.parse(draft.message),
        committer=committer.name,
        address=committer.email,
    )


def move_both(repo: Repo, message: str, oid: str, head: str) -> bool:
    """Move HEAD to `oid` ("": it stays) and put the next index in place; False if HEAD has left `head`."""
    moved: bool | None = None  # None: interrupted, so ask git
    try:
        moved = not oid or _move_head(repo, message, oid, head)
    finally:
        if moved or (moved is None and repo.head()[0] == (oid or head)):
            os.replace(repo.git_path("index.lock"), repo.git_path("index"))
    return moved


def _move_head(repo: Repo, message: str, oid: str, head: str) -> bool:
    """Move HEAD from `head` to `oid`; False if it is elsewhere by now."""
    subject = message.split("\n", 1)[0]
    try:
        repo.run(*_PATIENT, "update-ref", "-m", f"mdmem: {subject}", "HEAD", oid, head)
    except (GitError, BusyError):
        if repo.head()[0] == head:
            raise
        return False
    return True


@contextmanager
def locked(repo: Repo) -> Iterator[None]:
    """Hold git's lock on its index. The lock file is the next index already, as with git's own commands.

    Being the same file as `next_index` or a copy, it can be recognised even after our process has died.
    """
    lock = repo.git_path("index.lock")
    deadline = time.monotonic() + PATIENCE
    while not _claim(repo.next_index(), lock):
        if time.monotonic() > deadline:
            raise BusyError(
                f"another git command holds this repository's lock: {lock}",
                "try again when it is done; if none is running, delete that .lock file",
            )
        time.sleep(_PAUSE)
    try:
        yield
    finally:
        _unlock(repo)


def _unlock(repo: Repo) -> None:
    """Release git's lock if it is ours."""
    if _locked_at(repo):
        files.discard(repo.git_path("index.lock"))


def _locked_at(repo: Repo) -> int:
    """When we took git's lock on its index, in nanoseconds since 1970; 0 if that is not ours, or not there."""
    lock, ours = repo.git_path("index.lock"), repo.next_index()
    try:
        is_ours = os.path.samefile(lock, ours) or files.bytes_at(lock) == files.bytes_at(ours)
        return os.stat(lock).st_ctime_ns if is_ours else 0
    except FileNotFoundError:
        return 0


def _claim(source: str, lock: str) -> bool:
    """Create `lock` as a link to `source` or a copy of it; False if `lock` exists."""
    try:
        os.link(source, lock)
    except FileExistsError:
        return False
    except OSError:  # a file system without hard links
        return _claim_by_copy(source, lock)
    return True


def _claim_by_copy(source: str, lock: str) -> bool:
    import shutil

    try:
        with open(source, "rb") as data, open(lock, "xb") as target:
            target.write(data.read())
    except FileExistsError:
        return False
    shutil.copystat(source, lock)
    return True


def recover(repo: Repo) -> None:
    """Clean up what a process that died left: `release`, and git's locks on HEAD and its branch.

    Those are ours that were made while our lock on the index was held.
    """
    if since := _locked_at(repo):
        free(repo.head_locks(), since)
    release(repo)


def free(locks: Iterable[str], since: int) -> None:
    """Delete those of git's locks that were made since a moment (ns), which are those of a process that died.

    If git outlived the process that called it, it is done with them within moments.
    """
    deadline = time.monotonic() + _LAST_STEP
    for lock in locks:
        while _is_made_since(lock, since) and time.monotonic() < deadline:
            time.sleep(_PAUSE)
        if _is_made_since(lock, since):
            files.discard(lock)


def _is_made_since(path: str, since: int) -> bool:
    made = files.stamp(path)
    return made is not None and made[2] >= since


def release(repo: Repo) -> None:
    """Clean up what a commit by mdmem left in the git folder, its lock included; never another command's lock."""
    _unlock(repo)
    for leftover in ("", ".lock", ".tree", ".tree.lock"):
        files.discard(repo.next_index() + leftover)


def unstage(repo: Repo, paths: Sequence[str], old: str, new: str) -> None:
    """Make git's index agree with HEAD at `paths`, or, if there is a commit `new`, at all that differ from `old`.

    Those may be outside the vault. Raises BusyError.
    """
    names = repo.nul_ended(paths)
    if new:
        names = repo.run("diff-tree", "-r", "-z", "--name-only", "--no-renames", old or repo.empty_tree, new, "--")
    repo.run("reset", "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul", stdin=names, ok=(0, 1))


def tidy(repo: Repo) -> None:
    """Let git pack loose objects if there are many, as `git commit` does; plumbing commands never do."""
    if len(files.listed(os.path.join(repo.common_dir(), "objects", "17"))) >= _LOOSE_SAMPLE:
        repo.run("gc", "--auto", "--quiet", ok=(0, 1, 128))  # another gc may be running; then git does it later


def _prepare(repo: Repo, draft: CommitDraft, head: str) -> tuple[str, tuple[PathChange, ...]]:
    """Make the next index; (the tree of `head` with the contents of the draft, its changes): "" for no changes."""
    release(repo)
    index, paths = repo.next_index(), tuple(draft.contents)
    copy_index(repo, index, head)
    clean = _clean_index(repo, index, head) if len(paths) <= FEW else None
    _update(repo, index, paths)
    changed, others = _staged_changes(repo, index, head, paths, clean)
    if misread := _misread(repo, draft, head, changed):
        if draft.only_as_saved:
            raise ConflictError(f"{misread[0].path} was saved by another program just now", "try again")
        enter(repo, index, misread)
        changed, others = _staged_changes(repo, index, head, paths, clean)
        _check_entered(repo, head, misread, changed)
    if not changed:
        return "", ()
    if others:  # other staged files stay in the index, but not in the tree
        return _tree(repo, head, changed), changed
    return _write_tree(repo, index), changed


def _tree(repo: Repo, head: str, changed: Iterable[PathChange]) -> str:
    """The tree of `head` with these changes, made in an index of its own."""
    index = repo.next_index() + ".tree"
    repo.run("read-tree", head or "--empty", env={"GIT_INDEX_FILE": index})
    enter(repo, index, _entries(changed))
    return _write_tree(repo, index)


def _write_tree(repo: Repo, index: str) -> str:
    # all other objects in the tree are in HEAD, so git need not check each of them
    return repo.run("write-tree", "--missing-ok", env={"GIT_INDEX_FILE": index}).decode().strip()


def _misread(repo: Repo, draft: CommitDraft, head: str, changed: Sequence[PathChange]) -> list[TreeFile]:
    """The right index entries for files that someone changed or reverted before git read them."""
    read = {file.path: file for file in _entries(changed)}
    same = [path for path in draft.contents if path not in read]  # according to git, as in `head`
    if head and same:
        read |= {file.path: file for file in repo.files(head, same)}
    misread = []
    for path, data in draft.contents.items():
        file = read.get(path, gone(path))
        if not is_blob(file.blob, data):
            held = _held(repo, file, data)
            misread += [held] if held != file else []
    return misread


def _check_entered(repo: Repo, head: str, entered: Sequence[TreeFile], changed: Sequence[PathChange]) -> None:
    """Raises GitError for a file that git silently left out, for instance one named `.Git`."""
    written = [file.path for file in entered if file.blob]
    taken = {change.path for change in changed} | repo.blob_ids(head, written).keys()
    if refused := [path for path in written if path not in taken]:
        raise GitError(f"git accepts no file named {refused[0]}", "give it another name")


def _held(repo: Repo, file: TreeFile, data: bytes | None) -> TreeFile:
    """The index entry for a file with these bytes, after the filters for its path."""
    if data is None:
        return gone(file.path)
    mode = file.mode if file.blob else FILE
    return TreeFile(file.path, mode, repo.keep(file.path, data))


def _entries(changed: Iterable[PathChange]) -> list[TreeFile]:
    """Changes as index entries: a deleted file has mode 0."""
    return [change.after or gone(change.path) for change in changed]


def gone(path: str) -> TreeFile:
    """The entry with which `enter` removes a file from an index."""
    return TreeFile(path, "0", "")


def enter(repo: Repo, index: str, entries: Sequence[TreeFile], refresh: bool = False) -> None:
    """Put entries into an index without looking at the files; entries of mode 0 are removed.

    With `refresh`, git then notes which files are as they are in the index.
    """
    env = {"GIT_INDEX_FILE": index}
    flags: list[str] = []
    if refresh and len(entries) <= FEW:  # one command does both
        put = [f"{file.mode},{file.blob},{repo.prefix}{file.path}" for file in entries if file.blob]
        removed = [f"./{repo.prefix}{file.path}" for file in entries if not file.blob]
        flags = ["--add", "--force-remove", *removed, *(part for entry in put for part in ("--cacheinfo", entry))]
        entries = ()
    if entries:
        _enter_all(repo, entries, env)
    if refresh:
        repo.run("update-index", "-q", *flags, "--refresh", env=env, ok=(0, 1))


def _enter_all(repo: Repo, entries: Sequence[TreeFile], env: Mapping[str, str]) -> None:
    nothing = "0" * len(repo.empty_tree) if any(not file.blob for file in entries) else ""
    ordered = sorted(entries, key=lambda file: bool(file.blob))  # what goes first: a file may become a folder
    lines = [f"{file.mode} {file.blob or nothing}\t".encode() + repo.full(file.path) + b"\0" for file in ordered]
    repo.run("update-index", "-z", "--index-info", stdin=b"".join(lines), env=env)


def copy_index(repo: Repo, copy: str, head: str) -> None:
    """Copy git's index with its modification time, from which git knows which files to compare by content."""
    try:
        with open(repo.git_path("index"), "rb") as source, open(copy, "wb") as target:
            was = os.fstat(source.fileno())
            target.write(source.read())
    except FileNotFoundError:
        repo.run("read-tree", head or "--empty", env={"GIT_INDEX_FILE": copy})
    else:
        os.chmod(copy, S_IMODE(was.st_mode))
        os.utime(copy, ns=(was.st_atime_ns, was.st_mtime_ns))


def _clean_index(repo: Repo, index: str, head: str) -> IndexFile | None:
    """An index, if its format can be read here and it matches `head`, with nothing staged; else None."""
    file = IndexFile(index)
    return file if head and file.is_plain(repo) and file.tree() == repo.root_tree(head) else None


def _staged_changes(
    repo: Repo, index: str, head: str, paths: Sequence[str], clean: IndexFile | None
) -> tuple[tuple[PathChange, ...], bool]:
    """(the changes of `paths` in an index from `head`, whether anything else is staged in it).

    `clean` is the index before the update, if it matched `head`.
    """
    if clean and (now := IndexFile(index)).is_plain(repo):
        return tuple(changes(repo, clean, now, paths)), False
    base = head or repo.empty_tree
    args = ("diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=none")
    tokens = repo.run(*args, base, "--", env={"GIT_INDEX_FILE": index}).split(b"\0")[:-1]
    wanted = {repo.full(path) for path in paths}
    pairs = zip(tokens[::2], tokens[1::2], strict=True)
    ours = [token for meta, path in pairs if path in wanted for token in (meta, path)]
    return tuple(raw_changes(ours, repo.prefix)), len(ours) < len(tokens)


def _update(repo: Repo, index: str, paths: Sequence[str]) -> None:
    folders = [path for path in paths if os.path.isdir(os.path.join(repo.top, repo.prefix, path))]
    enter(repo, index, [gone(path) for path in folders])  # git wants to look into a folder in place of a file
    flags = ("--add", "--remove", "--ignore-skip-worktree-entries", "-z", "--stdin")
    stdin = repo.nul_ended(path for path in paths if path not in folders)
    repo.run("update-index", *flags, stdin=stdin, env={"GIT_INDEX_FILE": index})


def _commit_object(repo: Repo, draft: CommitDraft, tree: str, head: str) -> str:
    env = people(draft.author, draft.committer, draft.when)
    parent = ["-p", head] if head else []
    return repo.run("commit-tree", *parent, tree, stdin=draft.message.encode(), env=env).decode().strip()


def people(author: Identity, committer: Identity, when: datetime) -> dict[str, str]:
    """The environment variables that tell git who makes a commit."""
    env: dict[str, str] = {}
    for role, who in (("AUTHOR", author), ("COMMITTER", committer)):
        stamp = f"@{int(when.timestamp())} +0000"
        env |= {f"GIT_{role}_NAME": who.name, f"GIT_{role}_EMAIL": who.email, f"GIT_{role}_DATE": stamp}
    return env


# -- git gc beside a commit ----------------------------------------------------------------------------------


def _packing(repo: Repo) -> tuple[object, object]:
    """A state that changes whenever `git gc` begins, packs or ends; its first part is None while none runs."""
    place = repo.common_dir()
    return files.stamp(os.path.join(place, "gc.pid")), files.stamp(os.path.join(place, "objects", "pack"))


def _secure(repo: Repo, draft: CommitDraft, step: Step, head: str) -> None:
    """Make sure that all objects of a commit exist and stay, even if git is deleting unused ones.

    While it may be doing so, they are put in a pack, which it does not touch. Raises GitError.
    """
    oid = step.commit.oid
    wanted = f"{oid}\n^{head}\n" if head else f"{oid}\n"
    pack = os.path.join(repo.common_dir(), "objects", "pack", "pack")
    for left in reversed(range(_ATTEMPTS)):
        try:
            if _packing(repo)[0]:
                repo.run("pack-objects", "--quiet", "--revs", pack, stdin=wanted.encode())
            else:
                repo.run("rev-list", "--objects", "--quiet", "--stdin", stdin=wanted.encode())
        except GitError:
            if not left:
                raise
            _write_again(repo, draft, step, head)
        else:
            return


def _write_again(repo: Repo, draft: CommitDraft, step: Step, head: str) -> None:
    """Write all objects of a commit again; they get the same ids."""
    for path, data in draft.contents.items():
        if data is not None:
            repo.keep(path, data)
    _commit_object(repo, draft, _tree(repo, head, step.changed), head)


# Compress as git does with loose objects, and never unpack the pack into them.
_SETTINGS = ("-c", "pack.compression=1", "-c", "fastimport.unpackLimit=0")


@contextmanager
def storing(repo: Repo, contents: Mapping[str, bytes | None]) -> Iterator[None]:
    """Store the contents of many files in a pack while the block runs, so that git finds them when they are added.

    A few are stored when they are added. None stands for a deleted file. If any of the files has a filter, nothing
    is stored here: what the filter encrypts must not be stored unencrypted. Raises GitError when the block ends.
    """
    if len(contents) < MANY:
        yield
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as thread:
        stored = thread.submit(_store, repo, contents)
        yield
        stored.result()


def _store(repo: Repo, contents: Mapping[str, bytes | None]) -> None:
    written = {path: data for path, data in contents.items() if data is not None}
    if _is_filtered(repo, written):
        return
    parts = (part for data in written.values() for part in (b"blob\ndata %d\n" % len(data), data, b"\n"))
    repo.run(*_SETTINGS, "fast-import", "--quiet", "--depth=0", stdin=b"".join(parts))


def _is_filtered(repo: Repo, paths: Iterable[str]) -> bool:
    """Whether the attributes of any of these files name a filter."""
    told = repo.run("check-attr", "--stdin", "-z", "filter", stdin=repo.nul_ended(paths)).split(b"\0")
    return any(value not in (b"unspecified", b"unset") for value in told[2::3])
