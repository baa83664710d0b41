"""Connects and disconnects a client: writes mdmem's files and adds its lines to the user's files, all or nothing.

`preview` shows what connecting would write, to look at or to paste elsewhere.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from glob import escape, glob
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from mdmem import __version__
from mdmem.connect import filling, jsonc, programs, record, settings
from mdmem.connect import target as targets
from mdmem.connect.filling import Names
from mdmem.connect.plan import SKILL, ConnectionPlan, Registration
from mdmem.connect.record import ConnectionRecord, SettingsChange, digest
from mdmem.connect.target import Target
from mdmem.errors import ConflictError, MdmemError, NotFoundError
from mdmem.store.local import place
from mdmem.store.local.files import bytes_of, save, text_of


class Connected(NamedTuple):
    """What connecting or disconnecting did.

    `files` of mdmem were written or deleted, `settings` are files of the user that were changed, `commands` of
    the client were run, `left` are files of mdmem that stay because somebody changed them; `found` says what else
    is to know about it, `advice` what the user has to do.
    """

    client: str
    vault: str
    project: str
    files: tuple[str, ...]
    settings: tuple[str, ...]
    commands: tuple[str, ...]
    left: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    found: tuple[str, ...] = ()


Wanted = Mapping[str, Any] | str  # members of a JSON file, or the block of a TOML file


class Preview(NamedTuple):
    """What would be written: texts of mdmem's files and of lines in the user's files, by path; commands to run."""

    client: str
    vault: str
    files: Mapping[str, str]
    settings: Mapping[str, str]
    commands: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()


def texts(plan: ConnectionPlan, names: Names) -> tuple[Mapping[str, str], Mapping[str, Wanted]]:
    """The filled templates of a plan, by path: mdmem's files, and what is added to the user's files."""
    fill = partial(filling.text_of, names=names)
    added: dict[str, Wanted] = {}
    for path, templates in plan.settings.items():
        filled = list(map(fill, templates))
        members = [] if path.endswith(".toml") else map(json.loads, filled)
        added[path] = {key: value for each in members for key, value in each.items()} or "".join(filled)
    return {path: fill(template) for path, template in plan.files.items()}, added


def preview(target: Target, vault: str) -> Preview:
    """What would connect a client to the vault (absolute path). Raises NotFoundError without a program mdmem."""
    plan, names = target.plan, target.names(programs.of_mdmem(target.environment), vault)
    files, added = texts(plan, names)
    shown = {
        path: value if isinstance(value, str) else json.dumps(value, indent=2) + "\n"
        for path, value in added.items()
    }
    commands = _as_lines(target, plan.registration.add if plan.registration else ())
    return Preview(names.client, vault, files, shown, commands, plan.advice)


def generic(vault: str, environment: Mapping[str, str]) -> Preview:
    """The texts to paste into a client that mdmem does not know."""
    names = Names(programs.of_mdmem(environment), vault, "generic", "")
    parts = {
        "an MCP server, in the settings of the client": "generic/mcp.json",
        "hooks, if the client has those of Claude Code": "plugin/hooks.json",
        "a skill, or instructions such as AGENTS.md": SKILL,
    }
    return Preview("generic", vault, {}, {title: filling.text_of(name, names) for title, name in parts.items()})


def connect(target: Target, vault: str) -> Connected:
    """Connect the client to the vault (absolute path). Doing it again changes nothing, or updates the connection.

    If anything fails, everything is restored. Raises ConflictError for an existing file that is not as mdmem
    wrote it, and for settings with other values; MdmemError for settings that cannot be read and for commands of
    the client that fail; NotFoundError if the client itself is needed and missing, or the package of the server;
    OSError.
    """
    if find_spec("mcp") is None:
        raise NotFoundError("the server of mdmem needs the package 'mcp'", "pip install 'mdmem[mcp]'")
    plan, old = target.plan, read_record(target)
    task = _task(target, target.names(programs.of_mdmem(target.environment), vault), plan, old)
    _refuse_others(target, task.files, old)
    contents = {**task.files, **task.settings}
    fresh = {path: data for path, data in contents.items() if bytes_of(path) != data}
    before = intact(target, old) if old else {}
    gone = tuple(path for path, is_ours in before.items() if is_ours and path not in task.files)
    with Writing() as writing:
        for path, data in fresh.items():
            writing.write(path, data)
        for path in gone:
            writing.delete(path)
        commands = _register(target, plan.registration, bool(fresh)) if plan.registration else ()
        if task.record != old:
            writing.write(target.record, record.render(task.record))
        writing.done()
    written = tuple(path for path in fresh if path in task.files)
    edited = tuple(path for path in fresh if path in task.settings)
    return Connected(
        target.client.name,
        vault,
        target.base,
        (*written, *gone),
        edited,
        commands,
        advice=plan.advice,
        found=tuple(_found(target, task)),
    )


def _found(target: Target, task: _Task) -> Iterator[str]:
    """Which vault is meant where, if the client is also connected elsewhere."""
    vault, project = task.record.vault, target.base or place.project_at(os.getcwd())
    if not target.client.project_folder:
        return
    other = read_record(targets.target(target.client, "" if target.base else project, target.environment))
    if other and os.path.realpath(other.vault) != os.path.realpath(vault):
        inner, outer = (vault, other.vault) if target.base else (other.vault, vault)
        yield f"in {project} the vault is {inner}, and {outer} is searched beside it; elsewhere it is {outer}"


class _Task(NamedTuple):
    """The bytes of mdmem's files and of the user's files, by path, and the record to keep of them."""

    files: Mapping[str, bytes]
    settings: Mapping[str, bytes]
    record: ConnectionRecord


def _task(target: Target, names: Names, plan: ConnectionPlan, old: ConnectionRecord | None) -> _Task:
    wanted, added = texts(plan, names)
    files = {path: text.encode() for path, text in wanted.items()}
    changes = {path: _changed(target, path, value, old) for path, value in added.items()}
    new = ConnectionRecord(
        client=names.client,
        program=names.program,
        vault=names.vault,
        version=__version__,
        files={target.stored(path): digest(data) for path, data in files.items()},
        settings={target.stored(path): change for path, (change, _) in changes.items()},
        folders=_folders(target, [*files, *changes, *(plan.registration.makes if plan.registration else ())], old),
        registered=plan.registration is not None,
    )
    edited = {path: data for path, (_, data) in changes.items()}
    if exclude := target.base and place.excluding(target.base):
        mine = [*files, *(path for path, (change, _) in changes.items() if not change.existed)]
        rules, edited[exclude] = _ignoring(target, mine, text_of(exclude) or "")
        new = new._replace(excluded=tuple(dict.fromkeys((*(old.excluded if old else ()), *rules))))
    return _Task(files, edited, new)


def _ignoring(target: Target, paths: list[str], text: str) -> tuple[list[str], bytes]:
    """(the new lines by which git ignores these files of a project, the bytes of a file with them)."""
    wanted = [target.stored(path) for path in paths if not path.startswith(target.ours)]
    wanted.append(f"{target.stored(target.ours)}/")
    rules = [f"/{path}" for path in wanted if f"/{path}" not in text.splitlines()]
    begin = "\n" if rules and text and not text.endswith("\n") else ""
    return rules, "".join((text, begin, *(f"{rule}\n" for rule in rules))).encode()


def read_record(target: Target) -> ConnectionRecord | None:
    """The record of what was written when the client was connected; None if it is not. Raises MdmemError."""
    target.located(target.stored(target.record))
    data = bytes_of(target.record)
    return record.parse(data, target.record) if data is not None else None


def _changed(
    target: Target, path: str, wanted: Wanted, old: ConnectionRecord | None
) -> tuple[SettingsChange, bytes]:
    """The record of the change to a user's file, and its bytes with new lines in place of those of `old`."""
    target.located(target.stored(path))
    there = text_of(path)
    earlier = old.settings.get(target.stored(path)) if old else None
    text = settings.restored(path, there or "", earlier) if earlier else there or ""
    insertions = settings.additions(path, text, wanted)
    data = jsonc.put_in(text, insertions).encode()
    existed = earlier.existed if earlier else there is not None
    members = {} if isinstance(wanted, str) else wanted
    return SettingsChange(existed, digest(data), tuple(insertions), members), data


def _refuse_others(target: Target, files: Mapping[str, bytes], old: ConnectionRecord | None) -> None:
    """Raise ConflictError rather than overwrite a file that somebody else wrote, or changed since."""
    known = old.files if old else {}
    for path, data in files.items():
        target.located(target.stored(path))
        there = bytes_of(path)
        if there is not None and there != data and digest(there) != known.get(target.stored(path)):
            raise ConflictError(f"{path} is there, and not as mdmem wrote it", "move it away, then try again")


def holds(path: str, change: SettingsChange) -> bool:
    """Whether a file of settings has mdmem's lines."""
    try:
        return settings.holds(text_of(path) or "", change)
    except MdmemError:  # it is not UTF-8
        return False


def intact(target: Target, known: ConnectionRecord) -> dict[str, bool]:
    """The paths of mdmem's files, and whether each is as it was written."""
    files = {target.located(stored): written for stored, written in known.files.items()}
    return {path: digest(bytes_of(path) or b"") == written for path, written in files.items()}


def is_registered(registration: Registration) -> bool:
    """Whether the client knows mdmem's files."""
    return registration.mark in (text_of(registration.kept_in) or "")


def _as_lines(target: Target, commands: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Commands of the client as a person types them."""
    return tuple(f"{target.client.program} {' '.join(words)}" for words in commands)


def _folders(target: Target, paths: list[str], old: ConnectionRecord | None) -> tuple[str, ...]:
    """The folders created for files, including those of an earlier connection."""
    made = [target.stored(folder) for folder in missing_folders([*paths, target.record])]
    return tuple(dict.fromkeys((*(old.folders if old else ()), *made)))


def _register(target: Target, registration: Registration, changed: bool) -> tuple[str, ...]:
    """Have the client register mdmem's files, again if they changed (it may hold a copy); the commands run."""
    known = is_registered(registration)
    if known and not changed:
        return ()
    run = partial(programs.run, program_of(target), environment=target.environment, cwd=target.ours)
    for words in registration.remove if known else ():
        run(words)
    try:
        for words in registration.add:
            run(words)
    except MdmemError:
        for words in reversed(registration.remove):
            with suppress(MdmemError):
                run(words)
        raise
    return _as_lines(target, registration.add)


def program_of(target: Target) -> str:
    """The path of the client's program. Raises NotFoundError."""
    found = programs.find(target.client.program, target.environment)
    if not found:
        raise NotFoundError(
            f"{target.client.program} is not on PATH, and {target.client.title} can only be connected by it",
            f"put it there, or name its folder in {programs.FOLDER}; --print shows what would be written",
        )
    return found


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
    known = intact(target, old)
    files = [path for path, is_ours in known.items() if is_ours]
    left = [path for path, is_ours in known.items() if not is_ours and os.path.exists(path)]
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
            text = settings.restored(copy, there, change) if there is not None else there
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
    if registration is None or not is_registered(registration):
        return ()
    program = program_of(target)
    for words in registration.remove:
        programs.run(program, words, target.environment, target.ours)
    return _as_lines(target, registration.remove)


# -- writing


class Writing(ExitStack):
    """Files outside the vault, written and deleted in a block; if it fails, they are restored. Raises OSError."""

    def write(self, path: str, data: bytes) -> None:
        """Replace a whole file; a symbolic link is followed."""
        place = os.path.realpath(path)
        before = bytes_of(place)
        for folder in missing_folders([place]):
            os.mkdir(folder)
            self.callback(os.rmdir, folder)
        if before is None:
            self.callback(Path(place).unlink, missing_ok=True)
        else:
            self.callback(save, place, before)
        save(place, data)

    def delete(self, path: str) -> None:
        """Delete a file, if it exists."""
        before = bytes_of(path)
        if before is not None:
            self.callback(save, path, before)
            os.unlink(path)

    def done(self) -> None:
        """Keep everything: nothing is undone any more."""
        self.pop_all()


def missing_folders(paths: list[str]) -> list[str]:
    """The folders that these files need and that do not exist, the outermost first."""
    missing: set[str] = set()
    for path in paths:
        folder = os.path.dirname(path)
        while not os.path.isdir(folder):
            missing.add(folder)
            folder = os.path.dirname(folder)
    return sorted(missing, key=len)


def remove_empty(folders: list[str]) -> None:
    """Remove those of the folders that are empty, the innermost first."""
    for folder in sorted(folders, key=len, reverse=True):
        if os.path.isdir(folder) and not os.path.islink(folder) and not os.listdir(folder):
            os.rmdir(folder)
