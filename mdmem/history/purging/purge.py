"""The purge: content is erased from all of history in a clone, whose history the vault then takes over."""

import os
import re
import sys
from contextlib import ExitStack
from typing import NamedTuple

from mdmem.errors import ConflictError, MdmemError, StoppedError
from mdmem.history.purging import erasing, objects, published, rewriter, survey
from mdmem.history.purging.rewriter import PurgeTarget
from mdmem.history.purging.survey import Census, OutsideFile, PurgeSurvey
from mdmem.note.plural import counted
from mdmem.store import operation
from mdmem.store.git import trees
from mdmem.store.git.repo import Repo
from mdmem.store.git.trees import Signed
from mdmem.store.operation import Caller, Operation
from mdmem.store.progress import Progress, silent
from mdmem.store.vault import following
from mdmem.store.vault.transaction import author_of
from mdmem.store.vault.vault import Vault

_COMMIT = re.compile(rb"\b[0-9a-f]{40,64}\b")
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
        program = survey.program()
        path = os.pathsep.join([os.path.dirname(program), os.path.dirname(sys.executable), os.environ["PATH"]])
        self._rename(_NOTES, _AS_ANY)
        # the clone's own git folder has no .git above it: git must not look for one further up
        self.clone.run("filter-repo", "--force", "--partial", *_NEVER, *callbacks, env={"PATH": path})
        self._rename(_AS_ANY, _NOTES)
        with open(os.path.join(self.clone.top, "filter-repo", "commit-map"), encoding="ascii") as file:
            pairs = [line.split() for line in file.read().splitlines()[1:]]
        if lost := [old for old, new in pairs if not new.strip("0")]:
            raise MdmemError(f"git-filter-repo dropped {counted(len(lost), 'commit')}; nothing was changed")
        self.renewed = {old: new for old, new in pairs if old != new}

    def _rename(self, start: str, becomes: str) -> None:
        """Move all refs of the clone from one namespace to another."""
        for ref in objects.refs(self.clone, start):
            self.clone.run("update-ref", becomes + ref.name.removeprefix(start), ref.commit)
            self.clone.run("update-ref", "-d", ref.name)

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
            files = {
                self.renew(commit): _COMMIT.sub(lambda id: self.renew(id[0].decode()).encode(), text)
                for commit, text in zip(out[1::2], self.clone.blobs(out[::2]), strict=True)
            }
            message = "Notes moved to the commits of a purge\n"
            made = trees.commit_files(self.clone, files, [ref.commit], message, by)
            self.clone.run("update-ref", ref.name, made)

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


class PurgeFailedError(MdmemError):
    """The rewritten history is wrong; nothing was changed."""

    def __init__(self, message: str) -> None:
        hint = "mdmem doctor --deep; then report this as a bug of mdmem"
        super().__init__(f"{message}; nothing was changed", hint)


def verify(rewriting: Rewriting, progress: Progress) -> None:
    """Raises PurgeFailedError for the first fault that is found; `progress` gets (done, total) objects."""
    clone, renew = rewriting.clone, rewriting.renew
    census = Census(clone, rewriting.target, progress)  # of the old objects, too: they are still in the clone
    old = list(objects.commits(rewriting.source, "--all"))
    new = {commit.id: commit for commit in census.history}
    for commit in old:
        other = new.get(renew(commit.id))
        if other is None:
            raise PurgeFailedError(f"commit {commit.id[:10]} has no successor")
        expected = tuple(map(renew, commit.parents)), rewriting.target.name(commit.who)
        if expected != (other.parents, other.who):
            raise PurgeFailedError(f"commit {commit.id[:10]} has other parents, people or times")
    if len(new) != len(old):
        raise PurgeFailedError(f"{len(new)} commits took the place of {len(old)}")
    moved = {ref.name: ref.commit for ref in objects.refs(clone)}
    for ref in rewriting.refs:
        if moved.get(ref.name) != renew(ref.commit):
            raise PurgeFailedError(f"{ref.name} is not where it should be")
    if left := [*census.holding, *census.refs(set())]:
        raise PurgeFailedError(f"{left[0]} still holds what is to be purged")
    if lines := clone.complaints("fsck", "--connectivity-only", "--no-dangling", "--no-progress"):
        raise PurgeFailedError(f"git fsck says of the rewritten history: {lines[0]}")


_PATIENCE = 5.0  # seconds to wait for another writer to finish


class Purged(NamedTuple):
    """The result of a purge: its commit, how many commits got another id, and what still holds the purged content.

    `commit` is "" if nothing in history held it. `objects` is how many objects in git still do, which is 0 unless
    something keeps them; `left` are files. `unreached` are sentences about what a purge cannot reach.
    """

    commit: str
    rewritten: int
    objects: int
    left: tuple[OutsideFile, ...]
    unreached: tuple[str, ...]


def purge(
    vault: Vault,
    found: PurgeSurvey,
    commits: int,
    who: Caller,
    reason: str = "",
    progress: Progress = silent,
) -> Purged:
    """Purge what was found. A person agreed to the number of `commits` to rewrite (`known` of the survey).

    `progress` gets (done, total). Raises StoppedError if the number is another one, ConflictError for obstacles,
    PurgeFailedError, GitError; nothing is changed then.
    """
    if commits != found.known:
        raise StoppedError(
            f"{counted(found.known, 'commit')} would be rewritten, not {commits}; nothing was changed",
            f"--yes --commits {found.known}@{found.at[:8]}",
        )
    with vault.locked(patience=_PATIENCE):
        if in_way := list(survey.obstacles(vault, found.whole_repository)):
            more = f" (and {counted(len(in_way) - 1, 'other thing')})" if len(in_way) > 1 else ""
            raise ConflictError(f"{in_way[0].message}{more}; nothing was changed", in_way[0].fix)
        what, identity = _operation(found, reason, who), vault.identity()
        assert what.when
        by = Signed(author_of(what.actor, identity), identity, what.when)
        with ExitStack() as on_failure:
            on_failure.callback(_take_back, vault)
            rewriting = Rewriting(vault.repo, erasing.begin(vault), found.target)
            rewriting.make()
            verify(rewriting, progress)
            moves_refs = rewriting.moves_refs()
            if moves_refs:
                rewriting.map_notes(by)
                rewriting.record(what, by)
            erasing.take_over(vault, rewriting.clone.top, rewriting.refs)
            on_failure.pop_all()
    for complaint in following.follow(vault):
        vault.tell(complaint)
    made = vault.repo.head()[0] if moves_refs else ""
    holding = sum(found.target.becomes(*item) != item.data for item in objects.stored(vault.repo, progress))
    left = survey.outside(vault, found.target.needles, found.home)
    return Purged(made, found.rewritten, holding, left, found.unreached)


def _take_back(vault: Vault) -> None:
    """Roll back after a failure before the refs have moved; after that, the next command completes the purge."""
    if os.path.isdir(erasing.folder(vault)) and not erasing.is_announced(vault):
        erasing.take_back(vault)


def _operation(found: PurgeSurvey, reason: str, who: Caller) -> Operation:
    """The operation of the commit that records the purge, without the purged content."""
    target = found.target
    count = counted(len(target.ids), "memory") if target.ids else "1 text"
    told = target.message("", reason.encode()).decode()
    return who.does("purge", told)._replace(names=(count,), ids=target.ids)
