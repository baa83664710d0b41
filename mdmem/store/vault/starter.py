"""Making a vault: the starter vault for an empty folder, a few files beside the notes for a folder with notes."""

from __future__ import annotations

import json
import os
import re
import shutil
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from datetime import datetime
from importlib import resources
from posixpath import basename, join, normpath
from shlex import quote
from typing import Any, NamedTuple

from mdmem.errors import ConflictError, MdmemError, NotFoundError, UsageError
from mdmem.note import fields, header, moments
from mdmem.note.yamltext import Value
from mdmem.store import config as settings
from mdmem.store import layout
from mdmem.store.config import VaultConfig, editing
from mdmem.store.git import repo
from mdmem.store.git.folder import find_top
from mdmem.store.git.repo import Entry
from mdmem.store.local import place
from mdmem.store.local.files import bytes_at, every, is_plain, relative, save
from mdmem.store.operation import Caller, Written
from mdmem.store.vault.vault import Vault, tell_nobody

_AGENT_FILES = ("AGENTS.md", "CLAUDE.md")
_BEGIN, _END = b"<!-- mdmem:begin -->", b"<!-- mdmem:end -->"
_TITLE_MARK = "\ue000"  # from the private use area: plain text to YAML, and not used in templates


class Made(NamedTuple):
    """What `init` did. `kind` is "new", "adopted" or "existing"; `notes` is the number of memories now.

    `new` is the folder of new memories. `left` are the existing files for agents that do not mention the memories;
    `left_out` has the numbers of Markdown files that are not memories, by folder or file. `scope` is what the
    gardeners look at.
    """

    root: str
    kind: str
    new_repository: bool
    memories: str
    new: str
    notes: int
    untracked: int
    left: tuple[str, ...]
    left_out: Mapping[str, int]
    scope: str
    commit: str


def share(name: str) -> str:
    """The path of a folder that ships with mdmem: vault, templates or hooks."""
    package = str(resources.files("mdmem"))
    installed = os.path.join(package, "_share", name)
    return installed if os.path.isdir(installed) else os.path.join(os.path.dirname(package), name)


def fill(template: str, title: str, now: datetime) -> str:
    """A note template with Obsidian's placeholders filled in; the title is quoted where YAML needs it."""
    stamp = {"{{date:YYYY-MM-DDTHH:mm:ssZ}}": moments.render(now)}
    stamp |= {"{{date}}": f"{now:%Y-%m-%d}", "{{time}}": f"{now:%H:%M}", "{{title}}": _TITLE_MARK}
    for mark, text in stamp.items():
        template = template.replace(mark, text)
    head = header.split(template, "the template")
    if title and not head.broken:
        titled = {key: new for key, value in head.meta.items() if (new := _titled(value, title)) != value}
        template = fields.set_fields(template.encode(), titled, "the template").decode()
    return template.replace(_TITLE_MARK, title)


def _titled(value: Value, title: str) -> Value:
    if isinstance(value, list):
        return [_titled(item, title) for item in value]
    return value.replace(_TITLE_MARK, title) if isinstance(value, str) else value


def make(
    root: str,
    caller: Caller,
    memories: str | None = None,
    examples: bool = False,
    agents: bool = False,
    tell: Callable[[str], None] = tell_nobody,
) -> Made:
    """Make `root` a vault, in the repository that it is in or in a new one.

    An empty folder gets the starter vault (with its memories if `examples`). A folder with notes is
    adopted: its files keep their bytes; only mdmem.toml, AGENTS.md and CLAUDE.md are added where missing, and in a
    new repository its notes are committed. `memories` is the folder of the memories, None to guess it. With
    `agents`, an existing AGENTS.md gets a section on the memories, between marks, and stays the same otherwise.
    Doing it again changes nothing. If anything fails, everything is as before.

    Raises UsageError for a memories folder that is not allowed, or that an existing vault does not use, and for a
    folder within another vault.
    """
    root = os.path.abspath(root)
    existing = os.path.exists(os.path.join(root, settings.FILE))
    filled = os.path.isdir(root) and bool(set(os.listdir(root)) - BESIDE_NOTHING)
    config = _settings_for(root, filled, memories)
    _refuse_links(root, config)
    kind = "existing" if existing else "adopted" if filled else "new"
    made: Iterable[tuple[str, bytes]] = ()
    if not existing:
        _refuse_nesting(root)
        made = _adopted_files(root, config, agents) if filled else _starter_files(config, examples)
    files = {path: data for path, data in made if not os.path.lexists(os.path.join(root, path))}
    if agents:
        files |= _whole(_sections(root, config))
    with ExitStack() as on_failure:  # the change rolls back its files; the rest is done here
        on_failure.callback(_remove_folders, _missing_folders(root, [*files, f"{layout.STATE}/x"]))
        os.makedirs(root, exist_ok=True)
        fresh = find_top(root) is None or repo.is_ignored(root)
        if fresh:
            on_failure.callback(shutil.rmtree, os.path.join(root, ".git"), ignore_errors=True)
            repo.init(root)
        vault = on_failure.enter_context(Vault(root, tell))
        vault.config = config
        commit = _commit(vault, files, caller, kind, fresh and filled)
        on_failure.pop_all()
    with vault:
        if kind == "new":
            os.makedirs(os.path.join(root, layout.folder_for("", config)), exist_ok=True)
        return Made(
            root=root,
            kind=kind,
            new_repository=fresh,
            memories=config.memories,
            new=layout.folder_for("", config),
            notes=vault.index.count(),
            untracked=sum(entry.staged == "?" for entry in _loose_notes(vault)),
            left=tuple(_sections(root, config)),
            left_out=left_out(root, config) if kind == "adopted" else {},
            scope=config.garden.scope,
            commit=commit,
        )


def _settings_for(root: str, filled: bool, memories: str | None) -> VaultConfig:
    """The settings of the vault that `root` is or will be: an old RLM-MEM tree, an Obsidian vault, or any folder.

    `memories` is the folder of the memories, None to guess it. If the folder has notes already, the gardeners get
    the scope "own". Raises MdmemError for Obsidian settings that cannot be read.
    """
    wanted = None if memories is None else settings.checked("memories", memories)
    file = os.path.join(root, settings.FILE)
    if os.path.exists(file):
        config, _ = settings.read(bytes_at(file))
        if wanted not in (None, config.memories):
            raise UsageError(
                f"{root} is a vault already, with its memories in {config.memories}", "see mdmem.toml"
            )
        return config
    config = _guess(root) if filled and wanted is None else VaultConfig()
    config = config if wanted is None else config._replace(memories=wanted)
    if filled and any(layout.is_memory(path, config) for path in _markdown_files(root)):
        config = config._replace(garden=config.garden._replace(scope="own"))  # they are their owner's
    return settings.parse(editing.render(config._replace(id=str(uuid.uuid4()))))[0]


def _refuse_nesting(root: str) -> None:
    """Raises UsageError for a folder within a vault: both would regard the inner one's notes as theirs."""
    outer = place.find(os.path.dirname(root))
    if outer is not None:
        raise UsageError(
            f"{root} lies in the vault {outer}",
            "use that one, or make a vault somewhere else",
        )


def _refuse_links(root: str, config: VaultConfig) -> None:
    folder = root
    for part in layout.folder_for("", config).split("/"):
        folder = os.path.join(folder, part)
        if os.path.islink(folder):
            raise UsageError(
                f"{folder} is a symbolic link, and git does not follow it",
                "put the real folder there, or mdmem init the folder it leads to",
            )


def _missing_folders(root: str, paths: Iterable[str]) -> list[str]:
    """The folders needed for the files at `paths` that do not exist, deepest first."""
    folders = {os.path.dirname(os.path.join(root, path)) for path in paths} | {root}
    above = {os.path.dirname(folder) for folder in folders if folder.startswith(root + os.sep)}
    missing = {folder for folder in folders | above if folder.startswith(root) and not os.path.isdir(folder)}
    return sorted(missing, key=len, reverse=True)


def _remove_folders(folders: list[str]) -> None:
    """Delete the folders that a failed `make` created, if nobody has put anything into them."""
    for folder in folders:
        if os.path.basename(folder) == layout.STATE:
            shutil.rmtree(folder, ignore_errors=True)
        elif os.path.isdir(folder) and not os.listdir(folder):
            os.rmdir(folder)


def _commit(vault: Vault, files: dict[str, bytes], caller: Caller, kind: str, take_notes: bool) -> str:
    """Commit the files, and with `take_notes` the existing notes: as adopted, not as created."""
    reason = "Templates and settings." if kind == "new" else "The notes keep their bytes."
    what = caller.does("adopt" if take_notes else "create", reason)
    with vault.change(what._replace(names=("memory vault",))) as tx:
        for path, data in files.items():
            tx.write(path, data)
        for entry in _loose_notes(vault) if take_notes else ():
            tx.include(entry.path)
    return tx.commit


def _loose_notes(vault: Vault) -> list[Entry]:
    """The notes that differ from git or are not in it."""
    return [
        entry
        for entry in vault.repo.status().entries
        if layout.is_memory(entry.path, vault.config) and is_plain(os.path.join(vault.root, entry.path))
    ]


def _starter_files(config: VaultConfig, examples: bool) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of each file of the starter vault, including the note templates."""
    usual = VaultConfig().memories
    for folder, into in (("vault", ""), ("templates", "templates/")):
        source = share(folder)
        for path in every(source):
            is_example = folder == "vault" and layout.within(path, usual)
            if (is_example and not examples) or (folder == "vault" and layout.within(path, "templates")):
                continue
            data = bytes_at(os.path.join(source, path))
            if is_example:
                yield normpath(config.memories + path.removeprefix(usual)), data
            else:
                yield into + path, _fitted(path, data.decode(), config).encode() if folder == "vault" else data


def _fitted(path: str, text: str, config: VaultConfig) -> str:
    """A file of the starter vault, adapted to the folders of this vault."""
    usual, whole = VaultConfig().memories, config.memories == "."
    new = layout.folder_for("", config)
    if path == settings.FILE:
        text = f'id = "{config.id}"\n' + text
        line = f"memories = {json.dumps(config.memories, ensure_ascii=False)}"
        return text if config.memories == usual else re.sub(r"(?m)^# memories = \S+", lambda _: line, text)
    if path == "memories.base" and whole:
        return text.replace(f'file.inFolder("{usual}")', f"'!file.inFolder(\"{config.templates}\")'")
    if path == ".obsidian/app.json":
        return text.replace(f'"{usual}"', json.dumps("/" if new == "." else new, ensure_ascii=False))
    if path in _AGENT_FILES:
        text = text.replace(f"`{usual}/NAME.md`", f"`{normpath(new + '/NAME.md')}`")
        return text.replace(f"`{usual}/`", "this folder and those below it" if whole else f"`{config.memories}/`")
    return text.replace(usual, config.memories)


def _agent_pages(config: VaultConfig) -> dict[str, bytes]:
    texts = {name: bytes_at(os.path.join(share("vault"), name)).decode() for name in _AGENT_FILES}
    return {name: _fitted(name, text, config).encode() for name, text in texts.items()}


def _sections(root: str, config: VaultConfig) -> dict[str, bytes | None]:
    """Existing files for agents that do not mention the memories -> their bytes with a section on them."""
    found = {}
    for name in _AGENT_FILES:
        path = os.path.join(root, name)
        if is_plain(path):
            old = bytes_at(path)
            if (new := _with_section(old, _page_for(config, name, old))) != old:
                found[name] = new
    return found


def _with_section(old: bytes, page: bytes) -> bytes | None:
    """`old` with the page's section between its marks, or at the end; of a page without marks, its last line.

    None if the marks in `old` are not a pair: then the bounds of the section are not known.
    """
    eol = b"\r\n" if b"\r\n" in old else b"\n"
    if _BEGIN not in page:
        return old if b"AGENTS.md" in old else old.rstrip() + eol * 2 + page.splitlines()[-1] + eol
    section = page[page.index(_BEGIN) : page.index(_END)].replace(b"\n", eol)
    if _BEGIN not in old and _END not in old:
        return (old.rstrip() + eol * 2 if old.strip() else b"") + section + _END + eol
    if (old.count(_BEGIN), old.count(_END)) != (1, 1) or old.index(_END) < old.index(_BEGIN):
        return None
    return old[: old.index(_BEGIN)] + section + old[old.index(_END) :]


def _whole(sections: Mapping[str, bytes | None]) -> dict[str, bytes]:
    """The files with their sections. Raises ConflictError for one whose marks are not a pair."""
    found = {}
    for path, data in sections.items():
        if data is None:
            raise ConflictError(
                f"the mdmem marks in {path} are not a pair",
                f"leave one {_BEGIN.decode()} and below it one {_END.decode()}, or delete them all",
            )
        found[path] = data
    return found


def refresh(vault: Vault, file: str | None, caller: Caller, reason: str = "") -> Written:
    """Renew the section on the memories in a file (absolute path), or in the vault's own files for agents.

    In the vault, this is one commit; elsewhere a file is just written. Raises ConflictError for marks that are not
    a pair, UsageError for a symbolic link or a memory in the vault, NotFoundError if there is no such file.
    """
    target = os.path.join(os.path.realpath(os.path.dirname(file)), os.path.basename(file)) if file else ""
    inner = relative(target, vault.root) if target else ""
    if inner == ".." or inner.startswith("../") or os.path.isabs(inner):
        return _refresh_elsewhere(vault, os.path.realpath(target))
    if layout.is_memory(inner, vault.config):
        raise UsageError(f"{inner} is a memory", "name a file for agents, such as AGENTS.md")
    if inner:
        old = vault.read(inner)
        new = _with_section(old, _page_for(vault.config, inner, old))
        sections = {} if new == old else {inner: new}
    else:
        sections = _sections(vault.root, vault.config)
        if not any(os.path.isfile(os.path.join(vault.root, name)) for name in _AGENT_FILES):
            raise NotFoundError("the vault has no AGENTS.md and no CLAUDE.md", "make an empty one, then try again")
    with vault.change(caller.does("revise", reason or "The section on the memories, renewed.")) as tx:
        for path, data in _whole(sections).items():
            tx.write(path, data)
    return Written(tuple(sections), tx.commit)


def _refresh_elsewhere(vault: Vault, target: str) -> Written:
    with open(target, "rb") as file:
        old = file.read()
    way = relative(vault.root, os.path.dirname(target))
    data = _whole({target: _with_section(old, _page_from(vault.config, way))})[target]
    if data == old:
        return Written((), "")
    save(target, data)
    return Written((target,), "")


def _page_for(config: VaultConfig, path: str, old: bytes) -> bytes:
    """The page for a file of the vault: the one with its name; if the file has marks, the one with marks."""
    pages = _agent_pages(config)
    if path in pages and _BEGIN not in old:
        return pages[path]
    way = layout.relative(".", path)
    return pages["AGENTS.md"] if way == "." else _page_from(config, way)


def _page_from(config: VaultConfig, way: str) -> bytes:
    """The page as read from a folder elsewhere, from which `way` is the relative path to the vault."""
    text = _agent_pages(config)["AGENTS.md"].decode()
    folder, new = (normpath(f"{way}/{part}") for part in (config.memories, layout.folder_for("", config)))
    command = f"`mdmem --vault {quote(way)} "
    text = text.replace("This folder is", f"The folder `{way}` is").replace("`mdmem ", command)
    text = text.replace("this folder and those below it", f"`{folder}/` and the folders below it")
    text = text.replace(f"`{normpath(layout.folder_for('', config) + '/NAME.md')}`", f"`{new}/NAME.md`")
    text = text.replace("`GLOBAL_MEMORY.md`", f"`{normpath(f'{way}/GLOBAL_MEMORY.md')}`")
    return text.replace(f"`{config.memories}/`", f"`{folder}/`").encode()


def _adopted_files(root: str, config: VaultConfig, agents: bool) -> Iterator[tuple[str, bytes]]:
    """The files that an adopted folder gets.

    CLAUDE.md refers to AGENTS.md, unless that exists without a section on the memories and does not get one.
    """
    yield settings.FILE, editing.render(config).encode()
    pages = _agent_pages(config)
    theirs = os.path.join(root, "AGENTS.md")
    if os.path.isfile(theirs) and not agents:
        pages["CLAUDE.md"] = pages["CLAUDE.md" if _BEGIN in bytes_at(theirs) else "AGENTS.md"]
    yield from pages.items()


_ABOVE = ("", "memory", "brain/memory")  # folders in which an old RLM-MEM tree may hold its memories
# A folder with nothing but these counts as empty: a repository just created on a git host.
BESIDE_NOTHING = frozenset(
    {".git", ".gitignore", ".gitattributes", "README", "README.md", "LICENSE", "LICENSE.md"}
)


def left_out(root: str, config: VaultConfig) -> dict[str, int]:
    """The number of Markdown files that are not memories, by first folder of their path, or by file at the top.

    The largest numbers come first. Files in git's and mdmem's folders, and files for agents, are not counted.
    """
    outside = [path for path in _markdown_files(root) if not layout.is_memory(path, config)]
    counts = Counter(path.split("/", 1)[0] for path in outside if path not in layout.AGENT_FILES)
    return dict(counts.most_common())


def _guess(root: str) -> VaultConfig:
    default = VaultConfig()
    for above in _ABOVE:
        if os.path.isdir(os.path.join(root, above, default.memories)):
            return default._replace(memories=join(above, default.memories))
    notes, others = _count(root)
    if not os.path.isdir(os.path.join(root, ".obsidian")) and notes <= others:
        return default
    config = default._replace(memories=".", new=default.memories)
    templates, new = _obsidian(root, "templates.json").get("folder"), _new_notes(_obsidian(root, "app.json"))
    if isinstance(templates, str) and templates:
        config = _if_fit(config._replace(templates=templates.strip("/")), config)
    if isinstance(new, str):
        config = _if_fit(config._replace(new=new.strip("/")), config)
    return config


def _new_notes(app: Mapping[str, Any]) -> object:
    """The folder into which Obsidian puts new notes, None if its settings do not name one."""
    places = {"folder": app.get("newFileFolderPath"), "root": ""}
    return places.get(str(app.get("newFileLocation")))


def _if_fit(wanted: VaultConfig, otherwise: VaultConfig) -> VaultConfig:
    """The settings `wanted`, or `otherwise` if a folder in them is not allowed."""
    try:
        return settings.parse(editing.render(wanted))[0]
    except UsageError:
        return otherwise


def _obsidian(root: str, name: str) -> Mapping[str, Any]:
    """The content of one of Obsidian's settings files, empty if it does not exist."""
    path = os.path.join(root, ".obsidian", name)
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError, OSError) as error:
        raise MdmemError(f"{path} cannot be read: {error}", "fix or delete it, then try again") from None
    if not isinstance(found, dict):
        raise MdmemError(f"{path} cannot be read: it is not an object", "fix or delete it, then try again")
    return found


def _count(root: str) -> tuple[int, int]:
    """(notes, other files) in a folder, without those in dot folders."""
    visible = every(root, lambda name: not name.startswith("."))
    names = [name for name in map(basename, visible) if name not in BESIDE_NOTHING | layout.AGENT_FILES]
    notes = sum(name.endswith(".md") for name in names)
    return notes, len(names) - notes


def _markdown_files(root: str) -> Iterator[str]:
    """The path of every Markdown file in a folder, except for those in git's and mdmem's own folders."""
    own = (".git", layout.STATE)
    return (path for path in every(root, lambda name: name not in own) if path.endswith(".md"))
