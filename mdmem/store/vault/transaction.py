"""One change to a vault: its files are staged in memory, then applied as a whole (see `Vault.change`).

All checks come first; then the files are replaced under a journal, and one commit is made of exactly them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from mdmem.errors import ConflictError, MdmemError, NoteError, NotFoundError, StoppedError
from mdmem.note import memory
from mdmem.note.memory import Memory
from mdmem.store import appendonly, layout, operation, registry
from mdmem.store.git import commits
from mdmem.store.git.folder import Identity
from mdmem.store.git.log import Step
from mdmem.store.git.repo import Entry
from mdmem.store.local import files
from mdmem.store.operation import Operation
from mdmem.store.vault import origin

if TYPE_CHECKING:
    from mdmem.store.vault.vault import Vault

_TAKING_BACK = ("undo", "restore", "merge")  # actions that may rewrite files that are otherwise written only once
_UNREADABLE = "unreadable"  # the form of a note that cannot be parsed


class Touched(NamedTuple):
    """A memory before and after a change; None where it did not or does not exist."""

    before: Memory | None
    after: Memory | None

    @property
    def subject(self) -> Memory:
        found = self.after or self.before
        assert found is not None
        return found


class Transaction:
    """The files of one change, staged in memory. Once it is applied, `commit` is its id and `paths` its files."""

    def __init__(self, vault: Vault, what: Operation, head: str) -> None:
        """`head` is the current commit, "" before the first one."""
        self.vault = vault
        self._head = head
        self.operation = what
        self._when = what.when or datetime.now(UTC)
        self.commit = ""
        self.paths: tuple[str, ...] = ()
        self._staged: dict[str, bytes | None] = {}
        self._notes: dict[str, Memory] = {}  # the staged memories that were parsed
        self._before: dict[str, bytes | None] = {}  # the files as this change first read them
        self._included: list[str] = []
        self._screened: set[str] = set()  # paths that the guards need not check
        self._origin: dict[str, str] = {}  # new path -> old path of moved files

    def read(self, path: str) -> bytes | None:
        """A file as this change leaves it; None if it does not exist."""
        before = self._met(path)
        return self._staged.get(path, before)

    def require(self, path: str) -> bytes:
        """A file as this change leaves it. Raises NotFoundError if it does not exist."""
        data = self.read(path)
        if data is None:
            raise NotFoundError(f"there is no file {path}")
        return data

    def exists(self, path: str) -> bool:
        """Whether a file exists after this change."""
        return self.read(path) is not None

    def write(self, path: str, data: bytes, note: Memory | None = None, screened: bool = False) -> None:
        """Create or replace a file; `note` is the memory that its bytes parse to, if the caller knows.

        A caller that has `screened` the bytes itself, to report on each file separately, saves the guards that
        work. Raises UsageError for a path that leads out of the vault.
        """
        self._met(path)
        self._screened.discard(path)
        if screened:
            self._screened.add(path)
        self._stage(path, data)
        if note is not None:
            self._notes[path] = note

    def _stage(self, path: str, data: bytes | None) -> None:
        self._staged[path] = data
        self._notes.pop(path, None)

    def _met(self, path: str) -> bytes | None:
        if path not in self._before:
            self._before[path] = files.read_or_none(self.vault.root, path)
        return self._before[path]

    def delete(self, path: str) -> None:
        """Delete a file. Raises NotFoundError if there is none."""
        self.require(path)
        self._stage(path, None)

    def move(self, old: str, new: str) -> None:
        """Rename a file. Raises NotFoundError, and ConflictError if `new` exists."""
        data = self.require(old)
        if self.exists(new):
            raise ConflictError(f"{new} already exists", "choose another name")
        self.write(new, data)
        self._stage(old, None)
        self._origin[new] = old

    def include(self, path: str, even_gone: bool = False) -> None:
        """Commit a file as it is, for instance an untracked one; with `even_gone`, its deletion too.

        Raises NotFoundError.
        """
        if not even_gone:
            self.require(path)
        self._included.append(path)

    # -- applying ------------------------------------------------------------------------------------------

    def apply(self, allow_loss: bool) -> None:
        """Apply the change; called once, by `Vault.change`."""
        changed = {path: data for path, data in self._staged.items() if data != self._before[path]}
        included = {path: self.read(path) for path in self._included}
        if not changed and not included:
            return
        touched = self._touched({**included, **changed})
        if self.operation.action not in _TAKING_BACK:
            for path, data in origin.dropped(self.vault, touched, changed):
                changed[path] = data
                self._stage(path, data)
        if not allow_loss:
            self._check_loss(touched)
        self._check_append_only(changed)
        self._check_seen([*included, *changed])
        subjects = {item.subject.id: item.subject.name for item in touched}
        names = self.operation.names or tuple(subjects.values())
        self.operation = self.operation._replace(names=names, ids=tuple(subjects))
        self._ask_guards({**included, **changed})
        identity = self.vault.identity()
        with ExitStack() as on_failure:
            on_failure.callback(self.vault.journal.settle, layout.homes(self.vault.config))
            self._commit_hand_edits([path for path in changed if self._before[path] is not None], identity)
            step = self._write_and_commit(changed, included, identity)
            on_failure.pop_all()
        self.vault.journal.close()
        self.paths = tuple({**included, **changed})
        self.vault.follow(step, self._notes)
        commits.tidy(self.vault.repo)

    def _touched(self, changed: Mapping[str, bytes | None]) -> list[Touched]:
        """The memories of the change, each before and after. They are matched by path, by move, or by id."""
        found: list[Touched] = []
        gone: dict[str, Memory] = {}
        made: dict[str, Memory] = {}
        for path, data in changed.items():
            if not layout.is_memory(path, self.vault.config):
                continue
            origin = self._origin.get(path, path)
            old, new = self._parsed(self._before.get(origin), origin), self._staged_note(path, data)
            if old and new:
                found.append(Touched(old, new))
            elif old and path not in self._origin.values():
                gone[old.id] = old
            elif new:
                made[new.id] = new
        return found + [Touched(gone.get(id), made.get(id)) for id in {**made, **gone}]

    def _staged_note(self, path: str, data: bytes | None) -> Memory | None:
        """A file as this change leaves it, as a memory; parsed at most once."""
        if path not in self._notes:
            note = self._parsed(data, path)
            if note is None or note.form == _UNREADABLE:
                return note
            self._notes[path] = note
        return self._notes[path]

    def _parsed(self, data: bytes | None, path: str) -> Memory | None:
        if data is None:
            return None
        try:
            return self.vault.parse(data, path)
        except NoteError:  # it still counts, by its name, as an empty note
            return Memory(path, memory.derived_id(path, self.vault.config.id), {}, "", _UNREADABLE, 1)

    def _check_loss(self, touched: list[Touched]) -> None:
        """The circuit breaker for memories that this change deletes or empties. Raises StoppedError."""
        lost = [
            item.before
            for item in touched
            if item.before and (item.after is None or (item.before.body.strip() and not item.after.body.strip()))
        ]
        if len(lost) < 2:
            return
        from mdmem.store.index.freshness import breaks

        if breaks(len(lost), total := self.vault.index.count()):
            names = ", ".join(note.name for note in lost[:3])
            raise StoppedError(
                f"this would delete or empty {len(lost)} of {total} memories ({names} ...); nothing was changed",
                "if that is what you want, say so with --yes",
            )

    def _check_append_only(self, changed: Mapping[str, bytes | None]) -> None:
        """Raises ConflictError unless raw files are written once, scores only added to, and entries deleted whole.

        Undoing, restoring and merging may do more.
        """
        if self.operation.action in _TAKING_BACK:
            return
        for path, data in changed.items():
            wrong = appendonly.objection(path, self._before[path], data, self.vault.config)
            if wrong:
                raise ConflictError(f"{path} {wrong}", "write a new entry; nothing was changed")
        deleted = [path for path, data in changed.items() if data is None]
        entries = {layout.entry_of(path, self.vault.config) for path in deleted} - {""}
        parts = (f"{entry}/{part}" for entry in entries for part in layout.ENTRY_PARTS)
        left = [path for path in parts if path not in deleted and self.exists(path)]
        for folder in appendonly.torn(deleted, left, self.vault.config):
            raise ConflictError(f"{folder} would lose a part", f"delete all of it: mdmem forget {folder}")

    def _ask_guards(self, changed: Mapping[str, bytes | None]) -> None:
        """Show every guard what this change writes; a guard that objects raises."""
        written = {}
        for path, data in changed.items():
            if data is None or path in self._screened:
                continue
            origin = self._origin.get(path, path)
            before = self._before.get(origin)
            origin = "" if before is None else origin
            written[path] = registry.Rewritten(_as_text(before or b""), _as_text(data), origin)
        for _, guard in registry.guards(self.vault.config):
            guard(self.vault, self.operation, written, self.vault.tell)

    def _check_seen(self, paths: Sequence[str]) -> None:
        """Raises ConflictError for files that git was told to skip: nobody would see that they are overwritten."""
        if unseen := self.vault.repo.unseen(paths):
            raise ConflictError(
                f"{min(unseen)} is in git, but git was told to skip it here",
                "git sparse-checkout add its folder; or git update-index --no-skip-worktree",
            )

    def _commit_hand_edits(self, paths: list[str], identity: Identity) -> None:
        """Commit a person's uncommitted edits to these files separately first, in their name."""
        if not paths:
            return
        vault = self.vault
        entries = vault.repo.status(paths).entries
        _check_staged(entries)
        if entries:
            edited = {entry.path: self._before[entry.path] for entry in entries}
            self._ask_about_hand_edits(edited)
            names = ", ".join(memory.stem(entry.path) for entry in entries[:3])
            message = f"edit by hand: {names}\n\nCommitted before mdmem changed the same file.\n"
            draft = commits.CommitDraft(edited, message, identity, identity, self._when, only_as_saved=True)
            vault.journal.begin(self._head, message, {path: (data, data) for path, data in edited.items()})
            step = commits.commit(vault.repo, draft, self._head)
            vault.follow(step, {})
            self._head = step.commit.oid or self._head

    def _ask_about_hand_edits(self, edited: Mapping[str, bytes | None]) -> None:
        """Show every guard what a person wrote. Complaints are reported; a strict vault raises the first one."""
        vault = self.vault
        committed = {path: vault.repo.read(self._head, path) if self._head else None for path in edited}
        written = {
            path: registry.Rewritten(_as_text(committed[path] or b""), _as_text(data), path)
            for path, data in edited.items()
            if data is not None
        }
        complaints: list[str] = []
        by_hand = Operation("", allow_secret=self.operation.allow_secret)
        for _, guard in registry.guards(vault.config):
            guard(vault, by_hand, written, complaints.append)
        if complaints and vault.config.hooks.strict:
            hint = "fix it in the file; --allow-secret commits it all the same ([hooks] strict = true)"
            raise StoppedError(f"{complaints[0]}, edited by hand; nothing was written", hint)
        for complaint in complaints:
            vault.tell(f"{complaint}, edited by hand")

    def _write_and_commit(
        self, changed: Mapping[str, bytes | None], included: Mapping[str, bytes | None], identity: Identity
    ) -> Step:
        """Replace the files under the journal, and make the commit."""
        vault, what = self.vault, self.operation
        message = operation.message(what._replace(actor=what.actor or identity.name))
        author = author_of(what.actor, identity)
        draft = commits.CommitDraft({**included, **changed}, message, author, identity, self._when)
        changes = {path: (self._before[path], data) for path, data in changed.items()}
        vault.journal.begin(self._head, message, changes)
        with commits.storing(vault.repo, draft.contents):
            vault.journal.replace(changes, layout.homes(vault.config))
        step = commits.commit(vault.repo, draft, self._head)
        self.commit = step.commit.oid
        if changed and not step.commit.oid:
            vault.tell("git has exactly this already, from another program; so there is no commit of its own")
        self._replace_again(changes)
        return step

    def _replace_again(self, changes: Mapping[str, tuple[bytes | None, bytes | None]]) -> None:
        """Write files again that another program (`git stash`, `git checkout`) reverted during the commit."""
        vault = self.vault
        try:
            reverted = {
                path: (before, after)
                for path, (before, after) in changes.items()
                if files.read_or_none(vault.root, path) == before
            }
            vault.journal.replace(reverted, layout.homes(vault.config))
        except (MdmemError, OSError) as error:
            vault.tell(f"saved, but another program put an old file back in the folder ({error}): see git status")


def _as_text(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\r\n", "\n")


def _check_staged(entries: Sequence[Entry]) -> None:
    """Raises ConflictError for files with a merge conflict, or that are staged in another version than saved."""
    for entry in entries:
        if entry.staged == "U":
            raise ConflictError(f"{entry.path} has a merge conflict", "resolve it first, then try again")
        if entry.staged not in ".?" and entry.worktree != ".":
            raise ConflictError(
                f"{entry.path} is staged in one version and saved in another",
                "git add it, or commit or unstage it, then try again",
            )


def author_of(actor: str, identity: Identity) -> Identity:
    """The git author for an actor: the person's identity, or the agent under its own name."""
    name = "".join(char for char in actor if char.isprintable() and char not in "<>").strip()
    if not name or name == identity.name or not any(char.isalnum() for char in name):
        return identity
    address = "".join(char if char.isalnum() and char.isascii() else "-" for char in name.lower()).strip("-")
    return Identity(name, f"{address or 'agent'}@agents.mdmem.invalid")
