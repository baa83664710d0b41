"""The layout of a vault: which files are memories, and where a new one goes."""

from __future__ import annotations

from functools import lru_cache
from posixpath import basename, dirname, join, normpath
from typing import TYPE_CHECKING, NamedTuple

from mdmem.note import patterns

if TYPE_CHECKING:
    from mdmem.store.config import VaultConfig

STATE = ".mdmem"  # index, usage, journal: local, never tracked
AGENT_FILES = frozenset({"AGENTS.md", "CLAUDE.md", "GEMINI.md", "GLOBAL_MEMORY.md"})
MIRROR_FOLDERS = ("chunks", "index", "archive")
GLOBAL_PAGES = ("GLOBAL_MEMORY.json", "GLOBAL_MEMORY.md")
TOPIC_PAGES = ("topic_memory.json", "topic_memory.md")
AUDIT_LOG = "audit.log"
RAW_FILE, META_FILE, SUMMARY_FILE = "raw.md", "meta.json", "summary.json"
ENTRY_PARTS = (RAW_FILE, META_FILE, SUMMARY_FILE)
CURATION, JUDGEMENTS = "curation.md", "judgements.jsonl"
ITEMS = "langgraph"  # the subfolder of the memories that holds the items of a LangGraph store
_ENTRY_ID = patterns.late(r"[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8}")
NOT_NOTES = frozenset({"conflict-files-obsidian-git.md"})  # file names


class Kind:
    """The kinds of files in a vault: RAW is append-only truth, not a memory; DERIVED is made from both."""

    MEMORY = "memory"
    RAW = "raw"
    DERIVED = "derived"
    OTHER = "other"


def kind_of(path: str, config: VaultConfig) -> str:
    """The `Kind` of the file at `path` (relative to the vault, with `/`)."""
    if is_raw(path, config):
        return Kind.RAW
    if is_topic_page(path, config):
        return Kind.DERIVED
    if _is_memory(path, config):
        return Kind.MEMORY
    if path in GLOBAL_PAGES or path == audit_log(config) or is_mirrored(path, config):
        return Kind.DERIVED
    return Kind.OTHER


def is_raw(path: str, config: VaultConfig) -> bool:
    """Whether the file at a path is append-only truth."""
    if not path.startswith(config.topics + "/"):
        return path == JUDGEMENTS
    return bool(entry_part(path, config)) or is_curation(path, config)


def is_memory(path: str, config: VaultConfig) -> bool:
    """Whether the file at a path is a memory."""
    return kind_of(path, config) == Kind.MEMORY


def is_indexed(path: str, config: VaultConfig) -> bool:
    """Whether the file at a path has rows in the index."""
    return kind_of(path, config) in (Kind.MEMORY, Kind.RAW)


def only_grows(path: str, config: VaultConfig) -> bool:
    """Whether lines are only ever added to a file: scores, and verdicts that changed no note."""
    return path == JUDGEMENTS or is_curation(path, config)


class EntryPart(NamedTuple):
    """One file of an entry: the folders `topic` and `entry_id`, and its name."""

    topic: str
    entry_id: str
    name: str


def entry_part(path: str, config: VaultConfig) -> EntryPart | None:
    """The part of an entry at `path`: `topics/<topic>/<entry id>/` and raw.md, meta.json or summary.json."""
    inner = _within_topics(path, config)
    if len(inner) == 3 and inner[2] in ENTRY_PARTS and is_entry_id(inner[1]):
        return EntryPart(*inner)
    return None


def entry_of(path: str, config: VaultConfig) -> str:
    """The folder of the entry that the file at `path` is a part of, "" if there is none."""
    return dirname(path) if entry_part(path, config) else ""


def entry_name(path: str) -> str:
    """`topic/entry id` for a path in the form of an entry's folder or one of its parts, "" for any other path."""
    parts = path.rstrip("/").split("/")
    if parts[-1] in ENTRY_PARTS:
        parts.pop()
    return "/".join(parts[-2:]) if len(parts) > 1 and is_entry_id(parts[-1]) else ""


def entry_folder(topic: str, entry_id: str, config: VaultConfig) -> str:
    """The path of an entry's folder."""
    return join(config.topics, topic, entry_id)


def is_entry_id(text: str) -> bool:
    """Whether a text has the form of an entry's id: `20260208T140500Z-0c7a6f3e`."""
    return bool(_ENTRY_ID.fullmatch(text))


def is_curation(path: str, config: VaultConfig) -> bool:
    """Whether a path is a topic's file of scores."""
    inner = _within_topics(path, config)
    return len(inner) == 2 and inner[1] == CURATION


def is_topic_page(path: str, config: VaultConfig) -> bool:
    """Whether a path is a page derived for a topic."""
    inner = _within_topics(path, config)
    return len(inner) == 2 and inner[1] in TOPIC_PAGES


def _within_topics(path: str, config: VaultConfig) -> tuple[str, ...]:
    """The parts of a path below the folder of topics; none if the path is not in it."""
    return tuple(path[len(config.topics) + 1 :].split("/")) if path.startswith(config.topics + "/") else ()


def audit_log(config: VaultConfig) -> str:
    """The path of the audit log, which is rendered from git; it is beside the indexes of the JSON mirror."""
    return normpath(join(config.mirror.folder, "index", AUDIT_LOG))


def is_mirrored(path: str, config: VaultConfig) -> bool:
    """Whether a path is a file of the JSON mirror."""
    return path.endswith(".json") and any(within(path, folder) for folder in mirror_folders(config))


def homes(config: VaultConfig) -> tuple[str, str]:
    """The folders that hold the truth: memories, and topics."""
    return config.memories, config.topics


def mirror_folders(config: VaultConfig) -> list[str]:
    """The folders of the JSON mirror."""
    return [normpath(join(config.mirror.folder, name)) for name in MIRROR_FOLDERS]


def _is_memory(path: str, config: VaultConfig) -> bool:
    """Whether a file is a memory.

    Memories are the `.md` files under the memories folder, except those in hidden folders, templates,
    excluded paths, and the files that address agents.
    """
    if not path.endswith(".md") or not within(path, config.memories):
        return False
    if "/." in "/" + path:
        return False
    if path in AGENT_FILES or basename(path) in NOT_NOTES:
        return False
    # a name that is not UTF-8; doctor reports it
    if not path.isascii() and any("\ud800" <= char <= "\udfff" for char in path):
        return False
    return not any(within(path, folder) for folder in (config.templates, *config.exclude) if folder)


_normal = lru_cache(64)(normpath)  # of the same few folders, for each path of the vault


def within(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or is in it; "." holds everything."""
    folder = _normal(folder)
    return folder in (".", path) or path.startswith(folder + "/")


def is_item(path: str, config: VaultConfig) -> bool:
    """Whether the memory at `path` is an item of a graph: it keeps its name, and nothing is merged into it."""
    return path.startswith(_items_in(config.memories))


@lru_cache
def _items_in(memories: str) -> str:
    return normpath(join(memories, ITEMS)) + "/"


def path_for(name: str, created: str, config: VaultConfig) -> str:
    """The path of a new memory; `created` (RFC 3339) only matters where memories are filed by month."""
    return normpath(join(folder_for(created, config), name + ".md"))


def folder_for(created: str, config: VaultConfig) -> str:
    """The folder of a new memory, relative to the vault."""
    month = f"{created[:4]}/{created[5:7]}" if config.layout == "month" and created else ""
    return normpath(join(config.memories, config.new, month)).removeprefix("./")


def relative(path: str, start: str) -> str:
    """`path` relative to the folder of the file `start`, as a link in that file would write it."""
    from posixpath import relpath

    return relpath(path, dirname(start) or ".")
