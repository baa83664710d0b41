"""Finding commits by revision, ref and date, and moving refs."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime

from mdmem.errors import BusyError, UsageError
from mdmem.note import patterns
from mdmem.store.git.command import GitError
from mdmem.store.git.folder import GitFolder

PURGES = "refs/mdmem/purges"  # published by purges: which commit replaced which
_COMMIT = patterns.late(r"[0-9a-f]{40,64}")
_NAME_OF_COMMIT = patterns.late(r"[0-9a-f]{7,64}")
_BRANCH = patterns.late(r"ref: (refs/heads/.+)")
_UNFINISHED = {  # files in git's folder while an operation is unfinished
    "MERGE_HEAD": ("a merge", "git merge --continue, or --abort"),
    "rebase-merge": ("a rebase", "git rebase --continue, or --abort"),
    "rebase-apply": ("a rebase", "git rebase --continue, or --abort"),
    "CHERRY_PICK_HEAD": ("a cherry-pick", "git cherry-pick --continue, or --abort"),
    "REVERT_HEAD": ("a revert", "git revert --continue, or --abort"),
    "BISECT_LOG": ("a bisect", "git bisect reset"),
}


def purges_of(remote: str) -> str:
    """The ref that holds the purges published by a remote, as last fetched."""
    return f"refs/mdmem/remotes/{remote}/purges"


class RefReader(GitFolder):
    """The commits of a repository by name, date and ancestry."""

    def head(self) -> tuple[str, str]:
        """(commit, tree) of HEAD, both "" before the first commit. Raises GitError for a broken branch."""
        words = self.run("rev-parse", "--revs-only", "HEAD", "HEAD^{tree}").decode().split()
        if len(words) == 2:
            return words[0], words[1]
        branch = self.run("symbolic-ref", "--quiet", "HEAD", ok=(0, 1)).decode("utf-8", "surrogateescape").strip()
        if words or not branch or os.path.lexists(os.path.join(self.common_dir(), branch)):
            raise GitError(
                f"{branch or 'HEAD'} of this repository is broken: it names no commit",
                "git reflog and git fsck show what there was; git update-ref repairs it",
            )
        return "", ""

    def branch_name(self) -> str:
        """The current branch, "" if HEAD is detached."""
        with open(self.git_path("HEAD"), encoding="utf-8", errors="surrogateescape") as file:
            branch = _BRANCH.fullmatch(file.read().rstrip())
        return branch[1].removeprefix("refs/heads/") if branch else ""

    def branch_file(self) -> str:
        """The commit in the file of HEAD's branch, read without git; "" if there is none (packed, detached)."""
        with suppress(OSError, UnicodeDecodeError):
            with open(self.git_path("HEAD"), encoding="utf-8") as file:
                branch = _BRANCH.fullmatch(file.read().rstrip())
            if branch:
                with open(os.path.join(self.common_dir(), branch[1]), encoding="utf-8") as file:
                    return file.read().strip()
        return ""

    def head_commit(self) -> str:
        """The commit at HEAD, "" before the first; git is only asked if the commit is not a loose object."""
        commit = self.branch_file()
        place = os.path.join(self.common_dir(), "objects", commit[:2], commit[2:])
        return commit if _COMMIT.fullmatch(commit) and os.path.isfile(place) else self.head()[0]

    def lineage(self, older: str, newer: str) -> list[str] | None:
        """The commits after `older` up to `newer`, oldest first; None if they are not a single line of descent."""
        try:
            out = self.run("rev-list", "--reverse", "--topo-order", "--parents", f"{older}..{newer}", "--")
        except GitError:  # one of the two does not exist any more
            return None
        commits = [older]
        for line in out.decode().splitlines():
            commit, *parents = line.split()
            if parents != commits[-1:]:
                return None
            commits.append(commit)
        return commits[1:] if commits[-1] == newer else None

    def has_commit(self, oid: str) -> bool:
        """Whether a commit recorded earlier still exists (it may have been garbage collected)."""
        return self.asks("cat-file", "-e", f"{oid}^{{commit}}", no=(1, 128))

    def resolve(self, rev: str) -> str:
        """The commit that a person means by `rev`. Raises UsageError."""
        try:
            return (
                self.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{rev}^{{commit}}")
                .decode()
                .strip()
            )
        except GitError:
            if place := self._successor(rev):
                message = f"'{rev}' is from before a purge, which is not undone"
                raise UsageError(message, f"{place[:10]} has its place, without what was purged") from None
            raise UsageError(f"'{rev}' is not a commit here", "`mdmem log` lists them") from None

    def _successor(self, rev: str) -> str:
        """The commit that replaced one in a purge; "" if no purged commit has that id."""
        if not _NAME_OF_COMMIT.fullmatch(rev) or not self.ref(PURGES):
            return ""
        lines = self.run("cat-file", "blob", f"{PURGES}:commit-map").decode("ascii", "replace").splitlines()
        return next((line.partition(" ")[2] for line in lines if line.startswith(rev)), "")

    def reached(self, rev: str) -> set[str]:
        """The commit `rev` and all its ancestors."""
        return set(self.run("rev-list", rev, "--").decode().split())

    def unfinished(self) -> list[tuple[str, str]]:
        """What git is in the middle of, each with how to end it."""
        return [told for name, told in _UNFINISHED.items() if os.path.exists(self.git_path(name))]

    def shallow(self) -> set[str]:
        """The commits at which a shallow clone was cut off: they look as if they had created every file."""
        try:
            with open(self.git_path("shallow"), encoding="ascii") as file:
                return set(file.read().split())
        except FileNotFoundError:
            return set()

    def commit_before(self, when: datetime) -> str:
        """The last commit in HEAD's history at or before `when`, "" if there is none."""
        seconds = int(when.timestamp())  # git accepts years from 1970 to 2099
        if seconds < 0 or not self.head()[0]:
            return ""
        return self.run("rev-list", "-1", f"--before=@{seconds} +0000", "HEAD", "--").decode().strip()

    def ref(self, name: str) -> str:
        """The id that a ref (`refs/...`) names, even if that object does not exist; "" if there is no such ref."""
        return self.run("rev-parse", "--verify", "--quiet", name, ok=(0, 1, 128)).decode().strip()

    def move_ref(self, name: str, new: str, old: str) -> bool:
        """Move a ref to the commit `new`; False if it is not at `old` ("": does not exist) any more."""
        try:
            self.run("update-ref", "-m", "mdmem", name, new, old)
        except (GitError, BusyError):
            if self.ref(name) == old:
                raise
            return False
        return True

    def tree(self, commit: str, folder: str = "") -> str:
        """The id of the vault's folder, or one in it, in a commit; "" if it did not exist. Raises GitError."""
        place = f"{commit}:{self.prefix}{folder}"
        return self.run("rev-parse", "--verify", "--quiet", place, ok=(0, 1)).decode().strip()

    def root_tree(self, commit: str) -> str:
        """The tree of a commit for the whole repository. git is only asked if the commit's object file cannot say.

        That is the case if there is no such file, or if `git replace` may have replaced the commit.
        """
        held = b"" if self._has_replacements() else self.loose_commit(commit)
        named = held.partition(b"\n")[0].removeprefix(b"tree ").decode("ascii", "replace")
        return named if _COMMIT.fullmatch(named) else self.run("rev-parse", f"{commit}^{{tree}}").decode().strip()

    def _has_replacements(self) -> bool:
        """Whether this repository may have objects that replace others (`git replace`)."""
        folder = self.common_dir()
        try:
            with open(os.path.join(folder, "packed-refs"), "rb") as file:
                is_packed = b" refs/replace/" in file.read()
        except FileNotFoundError:
            is_packed = False
        return is_packed or os.path.isdir(os.path.join(folder, "refs", "replace"))

    def loose_commit(self, commit: str) -> bytes:
        """The content of a commit, read from its loose object; b"" if there is none."""
        from zlib import decompress, error

        try:
            with open(os.path.join(self.common_dir(), "objects", commit[:2], commit[2:]), "rb") as file:
                return decompress(file.read()).partition(b"\0")[2]
        except (OSError, error):
            return b""

    def time_of(self, commit: str) -> int:
        """The time of a commit, in Unix seconds. Raises GitError."""
        return int(self.run("show", "--no-patch", "--no-show-signature", "--format=%ct", commit))

    def is_ancestor(self, older: str, newer: str) -> bool:
        """Whether `older` is `newer` or one of its ancestors. Raises GitError if one does not exist."""
        return self.asks("merge-base", "--is-ancestor", older, newer)
