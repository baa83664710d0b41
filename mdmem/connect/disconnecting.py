"""Disconnects a client: deletes mdmem's files, and removes its lines from the user's files."""

from __future__ import annotations

import os
from glob import escape, glob

from mdmem.connect import jsonc, programs
from mdmem.connect.connecting import Connected, holds, program_of, read_record, restored
from mdmem.connect.record import ConnectionRecord, SettingsChange, digest
from mdmem.connect.target import Target
from mdmem.connect.writing import Writing, bytes_of, remove_empty, text_of
from mdmem.errors import NotFoundError
from mdmem.store.local import place


def disconnect(target: Target) -> Connected:
    """Undo what `connect` wrote. The user's files are byte for byte as before, if nobody has changed them since.

    Files of mdmem that somebody changed are left. Raises NotFoundError if the client is not connected there,
    MdmemError for settings that cannot be read and for commands of the client that fail, OSError; nothing is
    deleted then.
    """
    old = read_record(target)
    if old is None:
        where = f"in {target.base}" if target.base else "for this user"
        raise NotFoundError(f"{target.client.title} is not connected {where}", "see mdmem connect --list")
    edits = _edits(target, old)
    known = {target.located(stored): known for stored, known in old.files.items()}
    files = [path for path in known if digest(bytes_of(path) or b"") == known[path]]
    left = [path for path in known if path not in files and os.path.exists(path)]
    commands = _unregister(target) if old.registered else ()
    with Writing() as writing:
        for path, text in edits.items():
            if text is None:
                writing.delete(path)
            else:
                writing.write(path, text.encode())
        for path in (*files, target.record):
            writing.delete(path)
        writing.done()
    remove_empty([target.located(folder) for folder in old.folders])
    return Connected(target.client.name, old.vault, target.base, tuple(files), tuple(edits), commands, tuple(left))


def _edits(target: Target, old: ConnectionRecord) -> dict[str, str | None]:
    """path -> new text of each file of the user; None for a file that did not exist before."""
    edits: dict[str, str | None] = {}
    for stored, change in old.settings.items():
        path = target.located(stored)
        # clients keep copies of settings that they write anew, such as `settings.json.orig`
        copies = [copy for copy in glob(f"{escape(path)}?*") if os.path.isfile(copy) and holds(copy, change)]
        for copy in (path, *copies):
            there = text_of(copy)
            text = restored(copy, there, change) if there is not None else there
            if text != there:
                edits[copy] = text if change.existed or text is None or not _is_empty(text, change) else None
    if old.excluded:
        path = place.excluding(target.base)
        there = text_of(path) or ""
        edits[path] = "".join(line for line in there.splitlines(True) if line.rstrip("\r\n") not in old.excluded)
    return edits


def _is_empty(text: str, change: SettingsChange) -> bool:
    """Whether nothing of the user is in settings; a member such as `$version` is about the file itself."""
    return not text.strip() or (bool(change.members) and all(key[0] == "$" for key in jsonc.parse(text).value))


def _unregister(target: Target) -> tuple[str, ...]:
    registration = target.plan.registration
    if registration is None or registration.mark not in (text_of(registration.kept_in) or ""):
        return ()
    program = program_of(target)
    for words in registration.remove:
        programs.run(program, words, target.environment, target.place.ours)
    return tuple(f"{target.client.program} {' '.join(words)}" for words in registration.remove)
