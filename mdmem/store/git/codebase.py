"""A repository of code that memories speak of, read by its objects alone.

Its settings may have come with it, so none of them may start a program: no hook, no monitor of files, no external
diff, no conversion of texts, no fetching of what a partial clone lacks.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from mdmem.store.git import log
from mdmem.store.git.command import GitError
from mdmem.store.git.folder import GitFolder, find_top
from mdmem.store.local import files

_PATCH = ("-p", "--no-ext-diff", "--no-textconv", "--no-color", "--full-index", "-U3", "--no-renames")
_GREP = ("--full-name", "--no-color", "--no-column", "--no-recurse-submodules", "--no-textconv")
_HIT = re.compile(rb"HEAD:([^\0]*)\0(\d+)\0([^\n]*)\n")
_KINDS = ("blob", "tree", "commit", "tag")
_NOT_FETCHED = "not allowed"  # how git's message ends about a transport that is not allowed
_RENAMES = 2_000  # files that left times files that came, squared: git compares no more of them
_REWRITES = 1_000  # commits among which a squash is sought
_EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"  # the blob of every empty file
MAIN = ("main", "master")  # the usual default branches


class Ref(NamedTuple):
    """A ref: its commit, when that was committed (Unix seconds), and the ref it stands for, "" for itself."""

    commit: str
    when: int
    target: str


class Codebase(GitFolder):
    """A repository of code. Paths are relative to its top; `own` is where the vault is, if it is in it."""

    _always = ("-c", "core.fsmonitor=false")
    _around = MappingProxyType({"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "", "GIT_TERMINAL_PROMPT": "0"})

    def __init__(self, top: str, own: str = "") -> None:
        super().__init__(top, "")
        self.own = own

    @classmethod
    def around(cls, folder: str, vault: GitFolder) -> Codebase | None:
        """The repository in which the work in a folder is done; None if there is none but that of the vault."""
        top = (find_top(folder) or _bare(folder)) if os.path.isabs(folder) else None
        if top is None:
            return None
        theirs, ours = (os.path.realpath(place.common_dir()) for place in (GitFolder(top, ""), vault))
        is_own = theirs == ours  # in a linked worktree, too
        return None if is_own and not vault.prefix else cls(top, vault.prefix if is_own else "")

    @cached_property
    def files(self) -> dict[str, str]:
        """path -> blob of HEAD's files, without those of the vault. Raises GitError if there is no commit."""
        found = {}
        for entry in self.run("ls-tree", "-r", "-z", "--full-tree", "HEAD").split(b"\0"):
            meta, _, path = entry.partition(b"\t")
            if meta.startswith(b"100"):
                found[os.fsdecode(path)] = meta.split(b" ")[2].decode()
        return {path: blob for path, blob in found.items() if not (self.own and path.startswith(self.own))}

    def path_of(self, name: str, folder: str) -> str:
        """The file that a name means, said in full, from a folder or by its end alone; "" if it is not clear."""
        name = os.path.normpath(name)
        top = os.path.realpath(self.top)
        within = files.relative(os.path.join(os.path.realpath(folder), name), top)
        for path in (within, name):
            if path in self.files:
                return path
        ends = [path for path in self.files if path.endswith(f"/{name}")]
        return ends[0] if len(ends) == 1 else ""

    def named_once(self, words: Sequence[str]) -> dict[str, tuple[str, int]]:
        """word -> (path, line) of those words that stand in a single line of HEAD's files."""
        wanted = [part for word in words for part in ("-e", word)]
        out = self.run("grep", "-z", "-n", "-I", "-F", "-w", *_GREP, *wanted, "HEAD", "--", ok=(0, 1))
        places: dict[str, set[tuple[str, int]]] = {word: set() for word in words}
        alone = {word: re.compile(rb"(?<!\w)%s(?!\w)" % re.escape(word.encode()), re.ASCII) for word in words}
        for hit in _HIT.finditer(out):
            path = os.fsdecode(hit[1])
            for word, form in alone.items():
                if path in self.files and form.search(hit[3]):
                    places[word].add((path, int(hit[2])))
        return {word: next(iter(found)) for word, found in places.items() if len(found) == 1}

    def kinds(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """(type, id) of the object that each name stands for, such as `HEAD:path`; "" for none that is here."""
        asked = "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")
        try:
            out = self.run("cat-file", "--batch-check=%(objecttype) %(objectname)", stdin=asked)
        except GitError as error:
            if not error.message.endswith(_NOT_FETCHED):
                raise
            half = len(names) // 2  # before 2.44 git gives up when it may not fetch what a partial clone lacks
            return [*self.kinds(names[:half]), *self.kinds(names[half:])] if half else [("", "")]
        found = (line.partition(" ") for line in out.decode("utf-8", "replace").split("\n"))
        return [(kind, id) if kind in _KINDS and " " not in id else ("", "") for kind, _, id in found][:-1]

    # -- where files went ----------------------------------------------------------------------------------

    def moved(self, path: str, blob: str) -> str | None:
        """Where a file is now that HEAD does not have at `path` any more: "" if nowhere, None if git cannot say.

        The commit that removed the path tells it: as a rename, with edits or without, else by the content that the
        file had last, or had as `blob`.
        """
        contents, seen = {blob} - {""}, {path}
        waiting, known = [path], False
        while waiting:
            for number, (to, last, is_told) in enumerate(self._removals(waiting.pop())):
                if number and not (blob and last.startswith(blob)):
                    continue  # an earlier file of that name
                if not is_told:
                    return None
                known = True
                contents.add(last)
                if to in self.files:
                    return to
                if to and to not in seen:
                    seen.add(to)
                    waiting.append(to)
        wanted = tuple(contents - {_EMPTY})
        same = [place for place, id in self.files.items() if wanted and id.startswith(wanted)]
        name = os.path.basename(path)
        nearest = min(same, key=lambda place: (os.path.basename(place) != name, place), default="")
        return nearest or ("" if known else None)

    def _removals(self, path: str) -> Iterator[tuple[str, str, bool]]:
        """(new path or "", last blob, whether git compared everything) of a file in each commit that removed it.

        The one that git takes for the last comes first, then those of other lines of descent, which takes longer.
        """
        latest = self.run("rev-list", "-1", "HEAD", "--", path).decode().split()
        if latest and (told := self._change_of(path, latest[0])):
            yield told
        every = ("log", "--format=%H", "--no-color", "--full-history", "--no-merges", "--diff-filter=D")
        for commit in self.run(*every, "HEAD", "--", path).decode().split():
            if commit not in latest and (told := self._change_of(path, commit)):
                yield told

    def _change_of(self, path: str, commit: str) -> tuple[str, str, bool] | None:
        """What a commit did to a path that it removed; None if it did not."""
        args = ("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "-M50%", f"-l{_RENAMES}", "--no-color")
        out = self.run(*args, f"{commit}^", commit, "--", ok=(0, 128))
        changes = log.renaming_changes(self, iter(out.split(b"\0")))[1]
        told = next((change for change in changes if change.old_path == path and change.letter in "RD"), None)
        if told is None:
            return None
        letters = [change.letter for change in changes]
        is_told = told.letter == "R" or letters.count("A") * letters.count("D") <= _RENAMES**2
        return told.path if told.letter == "R" else "", told.before, is_told

    # -- branches ------------------------------------------------------------------------------------------

    def refs(self, branches: Sequence[str]) -> dict[str, Ref]:
        """name -> ref of what is known of branches, here and at remotes, and of the default branch."""
        every = [f"refs/{where}/{name}" for name in (*MAIN, *branches) for where in ("heads", "remotes/*")]
        form = "--format=%(refname)%00%(objectname)%00%(committerdate:unix)%00%(symref)"
        out = os.fsdecode(self.run("for-each-ref", form, "refs/remotes/*/HEAD", *every))
        words = (line.split("\0") for line in out.splitlines())
        return {name: Ref(commit, int(when or 0), target) for name, commit, when, target in words}

    def contained(self, commits: Sequence[str], heads: Sequence[str]) -> set[str]:
        """Those of some commits, by full id, that are part of the history of any of the heads."""
        if not (commits and heads):
            return set()
        return set(commits) - set(self.run("rev-list", *commits, "--not", *heads, "--").decode().split())

    def unreachable(self, commits: Sequence[str]) -> set[str]:
        """Those of some commits, by full id, that are in the history of no ref, nor of HEAD."""
        asked = ("rev-list", *commits, "--not", "--all", "HEAD", "--")
        return set(self.run(*asked).decode().split()) & set(commits) if commits else set()

    @cached_property
    def is_shallow(self) -> bool:
        """Whether its history is cut off."""
        return self.run("rev-parse", "--is-shallow-repository").strip() == b"true"

    def is_squashed(self, tip: str, heads: Sequence[str]) -> bool:
        """Whether commits of `heads` did again what a branch did up to `tip`, all at once or one by one."""
        log = ("log", *_PATCH, "--no-merges", "--format=medium", f"-{_REWRITES}", "--no-notes")
        again = self._patches(self.run(*log, *heads, "--not", tip, "--"))
        base = self.run("merge-base", tip, *heads, ok=(0, 1)).decode().split() if again else []
        if not base:
            return False
        whole = self._patches(self.run("diff-tree", *_PATCH, base[0], tip, "--"))
        if whole & again:
            return True
        parts = self._patches(self.run(*log, tip, "--not", *heads, "--"))
        return bool(parts) and parts <= again

    def _patches(self, patches: bytes) -> set[str]:
        """The patch ids of git's output."""
        lines = self.run("patch-id", "--stable", stdin=patches).decode().splitlines() if patches else []
        return {line.partition(" ")[0] for line in lines}


def default_branch(refs: Mapping[str, Ref]) -> str:
    """The name of the branch that others start from, "" if that is not known."""
    for name, ref in refs.items():
        if name.startswith("refs/remotes/") and name.endswith("/HEAD") and ref.target:
            return ref.target.split("/", 3)[3]
    return next((name for name in MAIN if tips_of(name, refs)), "")


def tips_of(branch: str, refs: Mapping[str, Ref]) -> list[Ref]:
    """What is known of a branch, here and at remotes."""
    above = {"heads": 2, "remotes": 3}  # parts of a ref's name that stand before the branch
    return [ref for name, ref in refs.items() if name.split("/", above[name.split("/")[1]])[-1] == branch]


def _bare(folder: str) -> str | None:
    """A folder that is a bare repository, None if it is none."""
    is_bare = all(os.path.exists(os.path.join(folder, name)) for name in ("HEAD", "objects", "refs"))
    return folder if is_bare else None
