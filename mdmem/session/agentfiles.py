"""The memories that matter in files that an agent reads by itself, and back: for clients without hooks and server.

The table of files is `data/agentfiles.json`: where each lies, and how much of it its client reads.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import NamedTuple

from mdmem.errors import ConflictError, MdmemError, NotFoundError, UsageError
from mdmem.history.news import News
from mdmem.note import marked, tokens
from mdmem.note.marked import Marked
from mdmem.note.terminal import safe_line
from mdmem.recall import prompt
from mdmem.session import choosing, pack
from mdmem.session.choosing import Wanted
from mdmem.session.sources import Sources
from mdmem.store import registry
from mdmem.store.local import clock, files, lock, place, state
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault

_FOLLOWED = "exports.json"  # in the local folder of the vault: the files that are kept current
_MOST = 200  # memories of a file
_LEAST = 20  # tokens of a memory in one, with its source
_FIRST = (*choosing.REASONS[:3], choosing.DECISION, choosing.TASK)  # preferences and decisions, then tasks


class AgentFile(NamedTuple):
    """A file that a client reads: `path` with marks for folders, and what is read of it at most, 0 for no limit.

    `tokens` limits what mdmem writes, since all of it is in every context. `head` begins a new file; `importer`
    is that for what the client itself writes there.
    """

    name: str
    path: str
    lines: int = 0
    bytes: int = 0
    characters: int = 0
    tokens: int = 0
    head: str = ""
    importer: str = ""

    def sizes(self, text: str) -> dict[str, tuple[int, int]]:
        """unit -> (size of a text, limit), for each unit that has one."""
        sizes = {"lines": text.count("\n"), "bytes": len(text.encode()), "characters": len(text)}
        return {unit: (size, limit) for unit, size in sizes.items() if (limit := getattr(self, unit))}

    def fits(self, text: str) -> bool:
        """Whether the client reads a text to its end."""
        return all(size <= limit for size, limit in self.sizes(text).values())


class Exported(NamedTuple):
    """A file as it is now: how many memories it shows and leaves out, its sizes, and whether it `changed`."""

    path: str
    shown: int
    left_out: int
    sizes: Mapping[str, tuple[int, int]]
    changed: bool


def names() -> list[str]:
    """The names of the files that there are."""
    return list(_table())


def _table() -> dict[str, AgentFile]:
    text = resources.files("mdmem.session").joinpath("data", "agentfiles.json").read_text("utf-8")
    return {name: AgentFile(name, **fields) for name, fields in json.loads(text).items()}


def export(vault: Vault, name: str, given: str, who: Caller, follows: bool = False) -> Exported:
    """Write the memories that matter into a file: at `given`, else where its client looks for it.

    `vault` is open with the clearance of what may leave it. With `follows` it is kept current from now on. Raises
    ConflictError if somebody edited between the marks, or if the other lines are all that the client reads;
    UsageError for a file of the vault or one that is not UTF-8, OSError, BusyError.
    """
    target = _table()[name]
    path = os.path.realpath(given or _usual(target, who.folder or os.getcwd()))
    if os.path.isdir(path):
        path = os.path.join(path, os.path.basename(target.path))
    if path.startswith(os.path.realpath(vault.root) + os.sep):
        raise UsageError(
            f"{path} is in the vault", "agents find the memories themselves there: mdmem agents refresh"
        )
    vault.prepare_state()
    with lock.held(os.path.join(vault.state, "exports.lock")):
        done = _written(vault, target, path, who)
        if follows:
            entry = {"name": name, "path": path, "project": who.project, "folder": who.folder}
            _keep(vault, [*(one for one in _followed(vault) if one["path"] != path), entry])
    return done


def _usual(target: AgentFile, folder: str) -> str:
    home, project = os.path.expanduser("~"), place.project_at(folder)
    return target.path.format(
        claude=os.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude"),
        codex=os.environ.get("CODEX_HOME") or os.path.join(home, ".codex"),
        project=project,
        slug=re.sub(r"[^a-zA-Z0-9]", "-", os.path.realpath(project)),
    )


def _written(vault: Vault, target: AgentFile, path: str, who: Caller) -> Exported:
    before = files.text_of(path)
    found = marked.split(target.head if before is None else before)
    if not found.is_whole:
        hint = "move your lines out of the marks, or delete the marks and what is between them; then try again"
        raise ConflictError(f"{path}, line {found.line}: somebody edited between the marks", hint)
    head = f"Memories from the vault {safe_line(os.path.basename(vault.root))}."
    if found.inner and not found.inner.startswith(head):
        hint = "name another file, or delete the marks and what is between them"
        raise ConflictError(f"{path}, line {found.line}: these are the memories of another vault", hint)
    text, shown, left_out = _composed(vault, target, found, head, who)
    if text != before:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        files.save(path, text.encode())
    return Exported(path, shown, left_out, target.sizes(text), text != before)


def _composed(vault: Vault, target: AgentFile, found: Marked, head: str, who: Caller) -> tuple[str, int, int]:
    """(the text of the file with the memories that matter, how many it shows, how many found no room)."""
    inner = f"{head} {prompt.DATA} `mdmem recall` finds more.\n\n"
    if not target.fits(marked.joined(found, inner)):
        limits = ", ".join(f"{limit:,} {unit}" for unit, (_, limit) in target.sizes("").items())
        raise ConflictError(f"the other lines leave no room: of {target.name} {limits} are read", "shorten them")
    sources = Sources(vault)
    left, shown = target.tokens or 10**9, 0
    wanted = Wanted("", (), min(_MOST, left // _LEAST), frozenset(), who)
    items = choosing.choose(sources, wanted, choosing.marked(sources, (), who.now), News("", None))
    items.sort(key=lambda item: _FIRST.index(item.why) if item.why in _FIRST else len(_FIRST))
    for item in items:
        if left < _LEAST:
            break
        line = f"{pack.item_line(pack.with_text(sources, item), who.project)}\n"
        price = tokens.estimate(line)
        if price <= left and target.fits(marked.joined(found, inner + line)):
            inner, left, shown = inner + line, left - price, shown + 1
    return marked.joined(found, inner), shown, len(items) - shown


# -- files that are kept current --------------------------------------------------------------------------------


def follow(vault: Vault, paths: frozenset[str] | None, patience: float) -> None:
    """Write the followed files again after a write, as a follower (see `store.registry`).

    A file that is gone, or whose marks are, is followed no longer.
    """
    del paths, patience
    failed = []
    for entry, who in _each(vault):
        if marked.split(files.text_of(entry["path"]) or "").inner is None:
            _keep(vault, [one for one in _followed(vault) if one["path"] != entry["path"]])
            vault.tell(f"{entry['path']} has no memories any more, and is left alone from now on")
            continue
        try:
            export(vault.for_derived("export"), entry["name"], entry["path"], who)
        except MdmemError as error:
            failed.append(error.message)
    if failed:
        raise ConflictError("; ".join(failed), "mdmem export says what to do")


def take_in(vault: Vault) -> None:
    """Import what clients wrote themselves into the followed files, or beside them. Raises like an import."""
    for entry, who in _each(vault):
        target = _table()[entry["name"]]
        if target.importer and os.path.exists(entry["path"]):
            importer = registry.importer(target.importer)
            given = os.path.dirname(entry["path"]) if importer.TAKES == "folder" else entry["path"]
            try:
                importer.write(
                    vault, importer.plan(vault, given, silent), who, "What a client wrote into its memory."
                )
            except NotFoundError:
                continue


def _each(vault: Vault) -> Iterator[tuple[dict[str, str], Caller]]:
    for entry in _followed(vault):
        yield entry, Caller(clock.now(), "mdmem", project=entry["project"], folder=entry["folder"])


def _followed(vault: Vault) -> list[dict[str, str]]:
    try:
        with open(os.path.join(vault.state, _FOLLOWED), encoding="utf-8") as file:
            known = json.load(file)
        return [{key: str(one[key]) for key in ("name", "path", "project", "folder")} for one in known]
    except (OSError, ValueError, TypeError, KeyError):
        return []


def _keep(vault: Vault, entries: list[dict[str, str]]) -> None:
    place = os.path.join(vault.state, _FOLLOWED)
    if entries:
        state.save(vault.root, vault.repo, _FOLLOWED, (json.dumps(entries, indent=1) + "\n").encode())
    elif os.path.exists(place):
        os.unlink(place)
