"""Changing memories: update, done, adopt, rename, forget."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from mdmem.acts.face import Face
from mdmem.acts.selecting import ALL, Selection
from mdmem.acts.signature import NONE
from mdmem.acts.style import Aside, Lines, Style, committed
from mdmem.acts.telling import Told
from mdmem.acts.text.notes import problem_lines
from mdmem.errors import ConflictError, Problem, UsageError
from mdmem.note import filters, links, properties
from mdmem.note.plural import counted
from mdmem.note.properties import RECORD_TYPES_OF
from mdmem.store import layout
from mdmem.store.index.port import IndexedNote
from mdmem.store.operation import Caller, Written
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault
from mdmem.write import edit as editing
from mdmem.write import rename as renaming
from mdmem.write import succession
from mdmem.write.edit import Edit


def changed(done: Written, verb: str, is_dry: bool = False) -> Told:
    """The files that a write touched, in one line; `verb` says what was done."""
    names = ", ".join(done.paths)
    if is_dry:
        return Told(done, f"would be {verb}: {names}")
    return Told(done, f"{verb} {names}{committed(done.commit)}" if done.commit else f"nothing to change: {names}")


def update(
    vault: Vault,
    who: Caller,
    name: str = "",
    *,
    set: Mapping[str, Any] = NONE,
    unset: Sequence[str] = (),
    add: Mapping[str, Sequence[Any]] = NONE,
    remove: Mapping[str, Sequence[Any]] = NONE,
    tags: Sequence[str] = (),
    body: str | None = None,
    append: str = "",
    replace: Sequence[tuple[str, str]] = (),
    expect: str = "",
    base: str | None = None,
    where: Sequence[str] = (),
    yes: bool = False,
    done: bool = False,
    reason: str = "",
) -> Told:
    """Change properties or text of a memory, or of all that pass the filters; every other byte of a file stays.

    What filters select is only named, until you add --yes. A typed record (mdmem guide records) stays valid, and
    an episodic one stays as it is.

    \b
    Examples:
      mdmem update user_prefers_tables --set confidence=0.9 --add tags=style
      mdmem update user_prefers_tables --append "User changed mind 2026-02-08."
      mdmem update user_prefers_tables --replace "long prose" "prose" --expect HEAD~1
      mdmem update --where tags=draft --where "created<2026-01" --set status=retracted --yes
    """
    edit = Edit(
        changes={key: _typed(key, value) for key, value in set.items()} | dict.fromkeys(unset),
        add=_items(add if not tags else {**add, "tags": [*add.get("tags", ()), *tags]}),
        remove=_items(remove),
        body=body,
        append=append,
        swaps=tuple(replace),
    )
    if edit == Edit() and not done:
        raise UsageError("nothing to change", "say what: properties to set, or a text to append or replace")
    names, conditions = [name] if name else [], [filters.parse(text) for text in where]
    records = lookup.meant(vault, names, conditions, who.now, "changed", yes)
    ended = editing.ended(records[0], who.now) if done else {}
    edit = edit._replace(
        changes={**ended, **succession.resolved(vault, edit.changes)},
        add=succession.resolved(vault, edit.add),
    )
    before = None if base is None else as_file(base, _whole(vault, records[0]))
    is_record = any(record.type in RECORD_TYPES_OF.values() for record in records)
    if before is not None and not is_record:
        after = editing.apply_edit(before, edit, records[0].path)
        return changed(editing.replace(vault, records[0], before, after, who, reason), "updated")
    expect = expect if before is None else editing.version_of(vault, before)
    check = editing.unchanged_since(vault, records[0], expect) if expect else None
    if is_record:
        from mdmem.systems.membrane import revision

        return changed(revision.revise(vault, records, edit, who, reason, check), "updated")
    return changed(editing.update_all(vault, records, edit, who, reason, check), "updated")


def _whole(vault: Vault, record: IndexedNote) -> bytes:
    """The file of a memory. Raises ConflictError if the reader may not see all of it."""
    data = vault.read(record.path)
    if data != vault.shown(record.path):
        raise ConflictError(f"{record.name} has words that are not shown here", "edit it on the command line")
    return data


def as_file(text: str, data: bytes) -> bytes:
    """A text that a form sent, with the line endings and the BOM of `data`."""
    text = text.replace("\r\n", "\n")
    bom = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    return bom + (text.replace("\n", "\r\n") if b"\r\n" in data else text).encode()


def _typed(key: str, value: Any) -> Any:
    """A value as it is written; a text, also each of some tags, is read like one that a person types."""
    if key == "tags" and isinstance(value, list):
        return _items({key: value}).get(key, [])
    return properties.parse_value(key, value) if isinstance(value, str) else value


def _items(given: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
    """Property -> items of it."""
    found: dict[str, list[Any]] = {}
    for key, items in given.items():
        name = "tags" if key == "tag" else key
        for value in (_typed(name, item) for item in items):
            found.setdefault(name, []).extend(value if isinstance(value, list) else [value])
    return found


def edit(
    vault: Vault,
    who: Caller,
    face: Face,
    name: str,
    *,
    opens: bool = False,
    reason: str = "",
) -> Told:
    """Change a memory in $EDITOR; saving commits it, leaving without saving changes nothing.

    If what you saved is not a valid note, nothing is written and your text is kept aside.

    \b
    Example:
      EDITOR=nano mdmem edit user_prefers_tables
      mdmem open user_prefers_tables
    """
    record = lookup.named(vault, name)
    path = os.path.join(vault.root, record.path)
    if opens and os.path.isdir(os.path.join(vault.root, ".obsidian")):
        link = links.in_obsidian(path)
        if not face.is_there:
            return Told({"link": link}, link)
        if face.opens(link):
            return Told({"link": link})
    face.require_editor(f"give the text: mdmem update {name} --body -")
    before = vault.read(record.path)
    with face.edited(vault, record.name, before) as written:  # bytes keep line endings, BOM and final newline
        return changed(editing.replace(vault, record, before, written, who, reason), "edited")


def done(
    vault: Vault,
    who: Caller,
    names: Sequence[str],
    *,
    dry_run: bool = False,
    reason: str = "",
) -> Told:
    """Mark tasks as done, in one commit: they become past, and no session is told of them any more.

    \b
    Examples:
      mdmem done next_write_migration
      mdmem done dentist_tomorrow_9 call_ada_about_key -m "both this morning"
    """
    records = lookup.meant(vault, names, (), who.now, "done", agreed=True)
    return changed(editing.done(vault, records, who, reason, dry_run), "done", dry_run)


def adopt(
    vault: Vault,
    who: Caller,
    names: Sequence[str] = (),
    *,
    everything: bool = False,
    reason: str = "",
) -> Told:
    """Give hand-made notes the properties they lack (id, title, created), in one commit.

    A legacy header (# Title, **Created:** ...) becomes frontmatter. Texts keep their bytes.

    \b
    Examples:
      mdmem adopt --all
      mdmem adopt "Meeting with Ada" ideas/later.md
    """
    if bool(names) == everything:
        raise UsageError("say which notes", "give names, or --all")
    records = None if everything else [lookup.named(vault, name) for name in names]
    done = editing.adopt(vault, records, who, reason)

    def said(style: Style) -> Lines:
        yield from (Aside(problem_lines(problem, style)) for problem in done.problems)
        yield f"adopted {counted(len(done.paths), 'note')}{committed(done.commit)}"

    return Told(
        done, said, failed=bool(names and done.problems)
    )  # of notes that were named, a problem is an error


def rename(
    vault: Vault,
    who: Caller,
    name: str,
    new_name: str = "",
    *,
    reason: str = "",
) -> Told:
    """Rename a memory; links in other notes follow, in the same commit.

    \b
    Example:
      mdmem rename project_uses_python project_uses_rust
    """
    if not new_name:
        raise UsageError("rename needs the new name, too", f"mdmem rename {name} NEW_NAME")
    old = lookup.named(vault, name)
    done = renaming.rename(vault, old, new_name, who, reason)
    tell_left(vault, done.left)
    path = done.moves[old.path]
    value = {"old_path": old.path, "path": path, "relinked": done.relinked, "commit": done.commit}
    links = f", {counted(len(done.relinked), 'note')} relinked" if done.relinked else ""
    return Told(value, f"renamed {old.path} to {path}{links}{committed(done.commit)}")


def tell_left(vault: Vault, left: Sequence[Problem]) -> None:
    """Tell of links that could not follow a memory."""
    for problem in left:
        vault.tell(str(problem))


def forget(
    vault: Vault,
    who: Caller,
    names: Sequence[str] = (),
    *,
    chosen: Selection = ALL,
    yes: bool = False,
    reason: str = "",
) -> Told:
    """Delete memories, in one commit; `mdmem restore` brings them back. A NAME may be that of an ingested dialog.

    What filters select is only named, until you add --yes.

    \b
    Examples:
      mdmem forget project_uses_python -m "rewritten in Rust"
      mdmem forget topics/travel/20260208T140500Z-0c7a6f3e
      mdmem forget --tag mdmem --yes
      mdmem restore project_uses_python
    """
    dialogs = [name for name in names if layout.entry_name(name) or layout.is_entry_id(name)]
    folders = _folders(vault, dialogs)
    wanted, conditions = [name for name in names if name not in dialogs], chosen.conditions()
    is_only_dialogs = bool(dialogs) and not wanted and not conditions
    records = [] if is_only_dialogs else lookup.meant(vault, wanted, conditions, who.now, "forgotten", yes)
    return changed(editing.forget(vault, records, who, reason, yes, folders), "forgot")


def _folders(vault: Vault, names: Sequence[str]) -> list[str]:
    """The folders of ingested dialogs."""
    if not names:
        return []
    from mdmem.systems.layers import entries

    return list(dict.fromkeys(entries.find(vault, name).folder for name in names))
