"""The rewriting itself, by git-filter-repo in a fresh clone with all refs. The vault is not touched."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from typing import NamedTuple

from mdmem.errors import MdmemError
from mdmem.history.purging import objects, obstacles, published, rewriter
from mdmem.history.purging.target import PurgeTarget
from mdmem.note.plural import counted
from mdmem.store import operation
from mdmem.store.git.folder import Identity
from mdmem.store.git.repo import Repo
from mdmem.store.operation import Operation

_NOTES = "refs/notes/"
_AS_ANY = "refs/mdmem-notes/"  # git-filter-repo maps no commits of git's notes and rewrites no messages of theirs
_NEVER = ("--prune-empty", "never", "--prune-degenerate", "never", "--replace-refs", "delete-no-add")
_CALL = (
    "g = globals(); '_mdmem_purge' in g or g.update(_mdmem_purge="
    "__import__('runpy').run_path({module!r})['load']({plan!r})); "
)
_CALLBACKS = {
    "blob": "_mdmem_purge.blob(blob)",
    "commit": "_mdmem_purge.commit(commit)",
    "tag": "_mdmem_purge.tag(tag)",
    "filename": "return _mdmem_purge.path(filename)",
}


class Signature(NamedTuple):
    """Who purges, in git's terms: the author may be an agent that acts in the name of the committer."""

    author: Identity
    committer: Identity
    seconds: int

    @property
    def env(self) -> dict[str, str]:
        stamp = f"@{self.seconds} +0000"
        return {
            "GIT_AUTHOR_NAME": self.author.name,
            "GIT_AUTHOR_EMAIL": self.author.email,
            "GIT_AUTHOR_DATE": stamp,
            "GIT_COMMITTER_NAME": self.committer.name,
            "GIT_COMMITTER_EMAIL": self.committer.email,
            "GIT_COMMITTER_DATE": stamp,
        }


class Rewriting:
    """A clone in which history is rewritten. `renewed` maps each commit that changed to its successor."""

    def __init__(self, repo: Repo, folder: str, target: PurgeTarget) -> None:
        """`folder` is an empty one; the patterns of the purged content stay in it until the purge is over."""
        self.source, self.target, self.folder = repo, target, folder
        self.plan = os.path.join(folder, "plan.json")
        self.clone = Repo(os.path.join(folder, "clone.git"), repo.prefix)
        self.renewed: dict[str, str] = {}
        self.refs = objects.refs(repo)  # the refs to rewrite; if one moves meanwhile, that is noticed

    def make(self) -> None:
        """Clone the repository, and rewrite all refs.

        Raises GitError, MdmemError if git-filter-repo drops commits.
        """
        handle = os.open(self.plan, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(self.target.plan(), file)
        self.source.run(
            "clone", "--quiet", "--no-local", "--mirror", "--", self.source.common_dir(), self.clone.top
        )
        start = _CALL.format(module=rewriter.__file__, plan=self.plan)
        callbacks = [part for name, call in _CALLBACKS.items() for part in (f"--{name}-callback", start + call)]
        program = obstacles.program()
        path = os.pathsep.join([os.path.dirname(program), os.path.dirname(sys.executable), os.environ["PATH"]])
        self._rename(_NOTES, _AS_ANY)
        # the clone's own git folder has no .git above it: git must not look for one further up
        self.clone.run("filter-repo", "--force", "--partial", *_NEVER, *callbacks, env={"PATH": path})
        self._rename(_AS_ANY, _NOTES)
        self.renewed = self._commit_map()

    def _rename(self, start: str, becomes: str) -> None:
        """Move all refs of the clone from one namespace to another."""
        for ref in objects.refs(self.clone, start):
            self.clone.run("update-ref", becomes + ref.name.removeprefix(start), ref.commit)
            self.clone.run("update-ref", "-d", ref.name)

    def _commit_map(self) -> dict[str, str]:
        place = os.path.join(self.clone.top, "filter-repo", "commit-map")
        with open(place, encoding="ascii") as file:
            pairs = [line.split() for line in file.read().splitlines()[1:]]
        lost = [old for old, new in pairs if not new.strip("0")]
        if lost:
            raise MdmemError(f"git-filter-repo dropped {counted(len(lost), 'commit')}; nothing was changed")
        return {old: new for old, new in pairs if old != new}

    def renew(self, id: str) -> str:
        """The commit that replaced this one, or the same if it did not change."""
        return self.renewed.get(id, id)

    def first_changed(self) -> list[str]:
        """The commits that changed while none of their parents did."""
        out = self.source.run("rev-list", "--parents", "--stdin", stdin="\n".join(self.renewed).encode())
        lines = (line.split() for line in out.decode().splitlines())
        return [id for id, *parents in lines if id in self.renewed and not any(map(self.renewed.get, parents))]

    def moves_refs(self) -> bool:
        """Whether any ref has another value now: otherwise no commit, tag or note of git held the content."""
        now = {ref.name: ref.id for ref in objects.refs(self.clone)}
        return any(now.get(ref.name, ref.id) != ref.id for ref in self.refs)

    def map_notes(self, env: Mapping[str, str]) -> None:
        """Attach git's notes to the new commits, and replace commit ids in their texts."""
        for ref in objects.refs(self.clone, _NOTES):
            out = self.clone.run("notes", f"--ref={ref.name}", "list").decode().splitlines()
            lines = []
            for note, about in (line.split() for line in out):
                (text,) = self.clone.blobs([note])
                lines.append(f"100644 blob {self._written(self._renewed_ids(text))}\t{self.renew(about)}\n")
            tree = self.clone.run("mktree", stdin="".join(sorted(lines)).encode()).decode().strip()
            message = b"Notes moved to the commits of a purge\n"
            made = self.clone.run("commit-tree", "-p", ref.commit, tree, stdin=message, env=env).decode().strip()
            self.clone.run("update-ref", ref.name, made)

    def _renewed_ids(self, text: bytes) -> bytes:
        return re.sub(rb"\b[0-9a-f]{40,64}\b", lambda id: self.renew(id[0].decode()).encode(), text)

    def _written(self, data: bytes) -> str:
        return self.clone.run("hash-object", "-w", "--stdin", stdin=data).decode().strip()

    def record(self, what: Operation, by: Signature) -> None:
        """Add the commit that records the purge, and publish which commit replaced which."""
        branch = self.source.run("symbolic-ref", "HEAD").decode().strip()
        head = self.clone.ref(branch)
        message = operation.message(what)
        tree = self._tree_without_stones(head)
        made = self.clone.run("commit-tree", "-p", head, tree, stdin=message.encode(), env=by.env).decode().strip()
        self.clone.run("update-ref", branch, made)
        before = published.Purges(self.clone)
        what = what._replace(reason="", ids=())
        public = published.publish(
            self.clone, before, self.renewed, self.first_changed(), operation.message(what), by.env
        )
        self.clone.run("update-ref", published.REF, public)

    def _tree_without_stones(self, head: str) -> str:
        """The tree of a commit without the tombstones of purged memories: these stay in history only."""
        env = {"GIT_INDEX_FILE": os.path.join(self.folder, "index")}
        self.clone.run("read-tree", head, env=env)
        nothing = "0" * len(head)
        gone = [f"0 {nothing}\t{path}\0" for path in self.target.paths.values()]
        names = "".join(gone).encode("utf-8", "surrogateescape")
        self.clone.run("update-index", "-z", "--index-info", stdin=names, env=env)
        return self.clone.run("write-tree", env=env).decode().strip()
