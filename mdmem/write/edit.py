"""Changing existing memories: update, edit, done, adopt, forget."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import NamedTuple

from mdmem.errors import ConflictError, NoteError, Problem, StoppedError, UsageError
from mdmem.note import fields, links, memory, moments, properties, titles
from mdmem.note.memory import Memory
from mdmem.note.yamltext import Value
from mdmem.store import layout, registry
from mdmem.store.index.port import IndexedNote
from mdmem.store.local import usage
from mdmem.store.operation import Caller, Written
from mdmem.store.vault.origin import created_by_mdmem
from mdmem.store.vault.vault import Vault
from mdmem.write import succession
from mdmem.write.remember import new_id

_VERSION = 12  # hexadecimal digits of a version


class Edit(NamedTuple):
    """The changes to a memory. A property set to None is removed; `body` replaces the text, `append` adds to it.

    `add` and `remove` are items of list properties. `swaps` are (old, new) parts of the text; each old one must
    occur in it exactly once.
    """

    changes: Mapping[str, Value] = {}
    add: Mapping[str, Sequence[Value]] = {}
    remove: Mapping[str, Sequence[Value]] = {}
    body: str | None = None
    append: str = ""
    swaps: tuple[tuple[str, str], ...] = ()


Check = Callable[[IndexedNote, bytes, bytes], None]  # a memory, its bytes before and after a change


def update_all(
    vault: Vault,
    records: Sequence[IndexedNote],
    edit: Edit,
    caller: Caller,
    reason: str = "",
    check: Check | None = None,
) -> Written:
    """Change properties or text of memories in one commit, keeping every other byte.

    Memories that they now supersede are deprecated, too. Raises NoteError for a header that cannot be edited
    safely, UsageError for values that a property cannot have, for a change of `id`, for a text that would not
    parse back to the same text, and for one that lacks sections of its type. `check` gets each memory with its
    bytes before and after, and may raise what it likes.
    """
    with vault.change(caller.does("revise", reason)) as tx:
        for record in records:
            if "id" in edit.changes:
                _require_same_id(record, edit.changes["id"])
            data = tx.require(record.path)
            if edit.swaps and not vault.clearance.is_full:  # hidden names are treated as if they did not occur
                apply_edit(vault.redacted(data), Edit(swaps=edit.swaps), record.path)
            is_owners = vault.config.is_adopted and record.path not in created_by_mdmem(vault, [record.path])
            changed = apply_edit(data, edit, record.path, own_words=is_owners)
            changed = _noticed_again(vault, edit, changed, record.path, caller)
            if check:
                check(record, data, changed)
            if record.type in properties.RECORD_TYPES and (wrong := lost_sections(record.path, data, changed)):
                raise UsageError(f"{record.name} {wrong}", f"mdmem edit {record.name}")
            tx.write(record.path, changed)
            if "supersedes" in (*edit.changes, *edit.add):
                succession.retire_superseded(vault, tx, memory.parse(changed, record.path))
    usage.add_opened(vault.root, [record.id for record in records])
    return Written(tuple(record.path for record in records), tx.commit)


def lost_sections(path: str, before: bytes, after: bytes) -> str:
    """Why a note may not change like that: its type has sections, and it would lose some; "" if it may."""
    old, new = (memory.parse(data, path) for data in (before, after))
    if old.type not in properties.RECORD_TYPES:
        return ""
    from mdmem.note import sections  # loads the parser of Markdown

    had, has = ({one.key for one in sections.split(note.body) if one.heading or one.text} for note in (old, new))
    return "" if had <= has else f"would lose sections that a {old.type} has"


def _noticed_again(vault: Vault, edit: Edit, data: bytes, path: str, caller: Caller) -> bytes:
    """A note with the code that its text names now, if the text was changed or `code` was taken out."""
    is_said_anew = edit.body is not None or edit.append or edit.swaps or edit.changes.get("code", "") is None
    if not caller.folder or not is_said_anew:
        return data
    from mdmem.write import evidence

    note = memory.parse(data, path)
    found = evidence.noticed(vault, note.body, note.meta, caller)
    if note.problems or found is None or found.get("code") == note.meta.get("code"):
        return data
    return fields.set_fields(data, {"code": found.get("code")}, path)


def ended(record: IndexedNote, now: datetime) -> dict[str, Value]:
    """The changes that make a task one that is done: it is past, and no longer holds at `now`.

    Raises UsageError for a memory that is not a task: those are of the category future or present.
    """
    if record.category not in ("future", "present"):
        category = record.category or "not said"
        hint = "only what is future or present can be done; mdmem forget deletes a memory"
        raise UsageError(f"{record.name} is not an open task: its category is {category}", hint)
    return {"category": "past", "valid_until": moments.render(now - timedelta(seconds=1))}


def done(
    vault: Vault, records: Sequence[IndexedNote], caller: Caller, reason: str = "", dry_run: bool = False
) -> Written:
    """Mark tasks as done, in one commit. Raises UsageError if one is not a task; nothing is written then."""
    edits = [(record.path, Edit(ended(record, caller.now))) for record in records]
    if dry_run:
        return Written(tuple(path for path, _ in edits), "")
    with vault.change(caller.does("revise", reason or "Done.")) as tx:
        for path, edit in edits:
            tx.write(path, apply_edit(tx.require(path), edit, path))
    return Written(tuple(path for path, _ in edits), tx.commit)


def _require_same_id(record: IndexedNote, identity: Value) -> None:
    if record.meta.get("id") not in (None, identity):
        raise UsageError("the id of a memory never changes", "make a new memory, and forget this one")


def apply_edit(data: bytes, edit: Edit, path: str, own_words: bool = False) -> bytes:
    """A note's bytes after an edit; `own_words` as in `properties.require_fit`. Raises NoteError, UsageError."""
    note = memory.parse(data, path)
    changes = dict(edit.changes)
    for key in dict.fromkeys([*edit.add, *edit.remove]):
        now = _items(note._replace(meta={**note.meta, **changes}), key)
        items = _edited(key, now, edit.add.get(key, ()), edit.remove.get(key, ()))
        if items != now:
            changes[key] = list(items) or None
    if "title" in changes and not own_words and "aliases" not in changes:
        aliases = note.strings("aliases")
        called = titles.among_aliases(memory.as_text(changes["title"]), note.text("title"), aliases, note.name)
        if called != list(aliases):
            changes["aliases"] = [*called] or None
    for key, value in changes.items():
        if value is not None:
            properties.require_fit(key, value, own_words)
    data = fields.set_fields(data, changes, path)
    if edit.body is not None:
        data = fields.set_body(data, edit.body, path)
    for old, new in edit.swaps:
        data = fields.swap_in_body(data, old, new, path)
    return fields.append_body(data, edit.append, path) if edit.append.strip() else data


def version_of(vault: Vault, data: bytes) -> str:
    """The version of a memory's bytes: git's blob id of them, shortened."""
    return vault.repo.blob_id(data)[:_VERSION]


def unchanged_since(vault: Vault, record: IndexedNote, version: str) -> Check:
    """A `check` for `update` that a memory is still as it was in a version (see `version_of`) or at a commit.

    It raises ConflictError if not.
    """

    def check(of: IndexedNote, before: bytes, after: bytes) -> None:
        del of, after
        if version_of(vault, before) == version:
            return
        with suppress(UsageError):  # the version may be no revision
            if vault.repo.read(vault.resolve(version), record.path) == before:
                return
        raise ConflictError(
            f"{record.name} was changed since {version}; nothing was written", "read it again, then change it"
        )

    return check


def _items(note: Memory, key: str) -> list[Value]:
    """The items of a list property, as written. Raises UsageError for a property that is not a list."""
    value = note.meta.get(key)
    if not properties.is_list(key) or isinstance(value, dict):
        raise UsageError(f"{key} is not a list", f"--set {key}=... gives it another value")
    if isinstance(value, list):
        return value
    return list(note.strings(key)) if value is None or isinstance(value, str) else [value]


def _edited(key: str, now: list[Value], add: Sequence[Value], remove: Sequence[Value]) -> list[Value]:
    gone = [_essence(key, item) for item in remove]
    items = [item for item in now if _essence(key, item) not in gone]
    for item in add:
        if _essence(key, item) not in [_essence(key, other) for other in items]:
            items.append(item)
    return items


def _essence(key: str, item: Value) -> Value:
    """What identifies an item of a list: for a tag its word, for a link its target."""
    if not isinstance(item, str):
        return item
    return item.strip().lstrip("#") if key == "tags" else links.wikilink_target(item) or item


def replace(
    vault: Vault, record: IndexedNote, base: bytes, data: bytes, caller: Caller, reason: str = ""
) -> Written:
    """Replace a memory with `data`, which a person made of `base` in an editor; one commit.

    Changes that others made in the meantime are merged. Raises ConflictError if they changed the same lines,
    NoteError if the header of the result cannot be read, UsageError if the text is empty or the id was lost: the
    memory then stays as it was.
    """
    if not data.strip():
        raise UsageError("the text is empty; nothing was changed", f"mdmem forget {record.name} deletes a memory")
    with vault.change(caller.does("revise", reason)) as tx:
        now = tx.require(record.path)
        if now not in (base, data):
            merged = registry.merge_rule(layout.Kind.MEMORY)(base, now, data)
            if merged.conflicts or not base.strip():  # a note was never empty: this edit is of no version of it
                raise ConflictError(f"{record.name} was changed meanwhile in the same place", "edit it again")
            data = merged.data
        note = vault.parse(data, record.path)
        if note.problems:
            raise NoteError(note.problems[0])
        _require_same_id(record, note.meta.get("id"))
        tx.write(record.path, data)
    return Written((record.path,), tx.commit)


class Adoption(NamedTuple):
    """What `adopt` did: the paths that got a header, the commit, and the problems of notes that it left alone."""

    paths: tuple[str, ...]
    commit: str
    problems: tuple[Problem, ...]


def adopt(vault: Vault, records: Iterable[IndexedNote] | None, caller: Caller, reason: str = "") -> Adoption:
    """Give hand-made notes the frontmatter they lack (id, created), in one commit; bodies keep their bytes.

    The title is written where it is the name of the file: with an id, a note is shown with what its text says.
    None for `records` means every note. A legacy bold header becomes frontmatter. Notes that cannot be read, or
    whose header cannot be parsed, are left alone and reported.
    """
    done, problems = [], []
    if records is None:
        records = list(vault.index.records())
        known = {record.path for record in records}
        problems += [problem for problem in vault.index.problems() if problem.path not in known]
    with vault.change(caller.does("revise", reason or "Added the properties that were missing.")) as tx:
        for record in records:
            try:
                data = tx.require(record.path)
                title = record.title if record.title == titles.named(record.name) else ""
                note = memory.parse(data, record.path)
                if titles.is_copy(note._replace(meta={**note.meta, "title": title})):
                    title = ""  # the text says it, too
                missing: dict[str, Value] = {"id": new_id(caller.now), "title": title, "created": record.created}
                new = fields.to_frontmatter(data, missing, record.path)
            except NoteError as error:
                problems.append(error.problem)
                continue
            if new != data:
                tx.write(record.path, new)
                done.append(record.path)
    return Adoption(tuple(done), tx.commit, tuple(problems))


def forget(
    vault: Vault,
    records: Sequence[IndexedNote],
    caller: Caller,
    reason: str = "",
    allow_loss: bool = False,
    entries: Sequence[str] = (),
) -> Written:
    """Delete memories in one commit; `restore` can bring them back. `entries` are folders of raw entries.

    Raises StoppedError for a memory whose `deletion_policy` is never, and for more than the circuit breaker allows
    (unless `allow_loss`).
    """
    for record in records:
        require_deletable(record.name, record.meta)
    with vault.change(caller.does("delete", reason), allow_loss) as tx:
        for record in records:
            tx.delete(record.path)
        for folder in entries:
            for part in filter(tx.exists, (f"{folder}/{name}" for name in layout.ENTRY_PARTS)):
                tx.delete(part)
        names = [*(record.name for record in records), *map(layout.entry_name, entries)]
        tx.operation = tx.operation._replace(names=tuple(names))
    return Written((*(record.path for record in records), *entries), tx.commit)


def require_deletable(name: str, meta: Mapping[str, Value]) -> None:
    """Raises StoppedError for a memory whose `deletion_policy` is never."""
    if meta.get("deletion_policy") == "never":
        raise StoppedError(f"{name} says deletion_policy: never", f"mdmem update {name} --unset deletion_policy")
