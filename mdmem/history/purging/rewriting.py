"""The rewriting itself, by git-filter-repo in a fresh clone with all refs. The vault is not touched."""

from __future__ import annotations

import os
import re
import sys

from mdmem.errors import MdmemError
from mdmem.history.purging import objects, obstacles, published, rewriter
from mdmem.history.purging.rewriter import PurgeTarget
from mdmem.note.plural import counted
from mdmem.store import operation
from mdmem.store.git import trees
from mdmem.store.git.repo import Repo
from mdmem.store.git.trees import Signed
from mdmem.store.operation import Operation

_NOTES = "refs/notes/"
_AS_ANY = "refs/mdmem-notes/"  # git-filter-repo maps no commits of git's notes and rewrites no messages of theirs
_NEVER = ("--prune-empty", "never", "--prune-degenerate", "never", "--replace-refs", "delete-no-add")
_CALL = (
    "g = globals(); '_mdmem_purge' in g or g.update(_mdmem_purge="
    "__import__('runpy').run_path({module!r})['load']({plan!r})); "
)
_CALLBACKS = {
    "blob": "_mdmem_purge.on_blob(blob)",
    "commit": "_mdmem_purge.on_commit(commit)",
    "tag": "_mdmem_purge.on_tag(tag)",
    "filename": "return _mdmem_purge.on_filename(filename)",
}


class Rewriting:
    """A clone in which history is rewritten. `renewed` maps each commit that changed to its successor."""

    def __init__(self, repo: Repo, folder: str, target: PurgeTarget) -> None:
        """`folder` is an empty one; the patterns of the purged content stay in it until the purge is over."""
        self.source, self.target, self.folder = repo, target, folder
        self.plan = os.path.join(folder, rewriter.PLAN)
        self.clone = Repo(os.path.join(folder, "clone.git"), repo.prefix)
        self.renewed: dict[str, str] = {}
        self.refs = objects.refs(repo)  # the refs to rewrite; if one moves meanwhile, that is noticed

    def make(self) -> None:
        """Clone the repository, and rewrite all refs.

        Raises GitError, MdmemError if git-filter-repo drops commits.
        """
        handle = os.open(self.plan, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(repr(self.target._asdict()))
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

    def map_notes(self, by: Signed) -> None:
        """Attach git's notes to the new commits, and replace commit ids in their texts."""
        for ref in objects.refs(self.clone, _NOTES):
            out = self.clone.run("notes", f"--ref={ref.name}", "list").decode().split()
            texts = map(self._renewed_ids, self.clone.blobs(out[::2]))
            files = dict(zip(map(self.renew, out[1::2]), texts, strict=True))
            made = trees.commit_files(
                self.clone, files, [ref.commit], "Notes moved to the commits of a purge\n", by
            )
            self.clone.run("update-ref", ref.name, made)

    def _renewed_ids(self, text: bytes) -> bytes:
        return re.sub(rb"\b[0-9a-f]{40,64}\b", lambda id: self.renew(id[0].decode()).encode(), text)

    def record(self, what: Operation, by: Signed) -> None:
        """Add the commit that records the purge, and publish which commit replaced which.

        Its tree has no tombstones of the purged memories: these stay in history only.
        """
        branch = self.source.run("symbolic-ref", "HEAD").decode().strip()
        head = self.clone.ref(branch)
        gone = dict.fromkeys(self.target.paths.values())
        made = trees.commit(self.clone, head, gone, {}, [head], operation.message(what).encode(), by.people)
        self.clone.run("update-ref", branch, made)
        message = operation.message(what._replace(reason="", ids=()))
        published.publish(self.clone, self.renewed, self.first_changed(), message, by)
