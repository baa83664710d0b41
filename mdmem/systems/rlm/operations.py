"""What programs of RLM-MEM do with a chunk store: `AutoLinker`, `RememberOperation`, `RecallOperation`.

An `AutoLinker` has little to write, since links by conversation, time and tag are computed. Recall is that of the
vault, as `mdmem recall` does it.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from mdmem.errors import NotFoundError
from mdmem.note import fields
from mdmem.note.filters import Filter
from mdmem.store import identity
from mdmem.store.local import files, place
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.systems.rlm import chunkstore, importing
from mdmem.systems.rlm.chunkstore import ChunkStore
from mdmem.systems.rlm.cut import MAX_TOKENS, MIN_TOKENS, ChunkingEngine, ChunkResult
from mdmem.systems.rlm.linking import WINDOW
from mdmem.systems.rlm.schema import DEFAULT_CONFIDENCE, Chunk, ChunkType, stamp_of

logger = logging.getLogger("mdmem.chunks")
_MORE = 4  # times as many memories as wanted are searched for, since some may be too uncertain


class AutoLinker:
    """Gives new chunks their links.

    With a window of five minutes these are the links that `ChunkStore` computes anyway. A longer window gives more
    `follows` links, which are written; a shorter one only hides some.
    """

    def __init__(self, chunk_store: ChunkStore, temporal_window_minutes: float = WINDOW / 60) -> None:
        self.store = chunk_store
        self.temporal_window = timedelta(minutes=temporal_window_minutes)

    def link_on_create(self, new_chunk: Chunk) -> Chunk:
        """The chunk with its links as the store has it, or `new_chunk` itself if the store has it no longer."""
        chunk = self.store.peek(new_chunk.id)
        if chunk is None:
            return new_chunk
        if self.temporal_window.total_seconds() == WINDOW:
            return chunk
        end = datetime.fromisoformat(chunk.metadata.created)
        within = self.store.list_chunks(chunk.metadata.conversation_id, None, end - self.temporal_window, end)
        follows = [id for id in reversed(within) if id != chunk.id] if chunk.metadata.conversation_id else []
        links = replace(chunk.links, follows=follows)
        if self.temporal_window.total_seconds() > WINDOW:
            return self.store.update_chunk(chunk.id, links=links) or chunk
        return replace(chunk, links=links)


def create_chunk_with_links(  # noqa: PLR0913, PLR0917 - the signature that programs know
    store: ChunkStore,
    linker: AutoLinker,
    content: str,
    chunk_type: str,
    conversation_id: str,
    tokens: int,
    tags: Sequence[str] | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
) -> Chunk:
    """Write a new chunk with its links, in one commit."""
    with store.batch():
        made = store.create_chunk(content, chunk_type, conversation_id, tokens, tags, confidence)
        return linker.link_on_create(made)


def calculate_link_strength(source: Chunk, target: Chunk, link_type: str) -> float:
    """The weight of a link, 0.3 to 1: greater for chunks close in time, or with more tags in common."""
    if link_type == "context_of":
        return 1.0
    if link_type == "follows":
        one, other = (datetime.fromisoformat(chunk.metadata.created) for chunk in (source, target))
        return max(0.3, 1.0 - abs((one - other).total_seconds()) / WINDOW)
    if link_type == "related_to":
        return min(0.9, 0.3 + 0.2 * len({*source.tags} & {*target.tags}))
    return 0.5


class RememberOperation:
    """Remembers texts in a chunk store."""

    def __init__(self, store: ChunkStore, linker: AutoLinker | None = None) -> None:
        self.store = store
        self.engine = ChunkingEngine()
        self.linker = linker or AutoLinker(store)

    def remember(
        self,
        content: str,
        conversation_id: str,
        tags: Sequence[str] | None = None,
        confidence: float = DEFAULT_CONFIDENCE,
        chunk_type: str | None = None,
    ) -> dict[str, Any]:
        """A dict with success, chunk_ids, total_tokens, chunks_created, and error if there is nothing to remember.

        The type of each chunk is detected from its words unless `chunk_type` is given. Raises TypeError for
        content that is not text, ValueError for a missing conversation, a confidence outside 0 to 1, and an
        unknown type.
        """
        _require_fit(content, conversation_id, confidence, chunk_type)
        pieces = self.engine.chunk(content, conversation_id, list(tags or []))
        with self.store.batch():
            made = _stored(self.store, pieces, conversation_id, confidence, chunk_type)
            linked = [self.linker.link_on_create(one) for one in made]
        logger.info("remembered %d chunks of %s", len(linked), conversation_id)
        return {
            "success": bool(linked),
            "chunk_ids": [one.id for one in linked],
            "total_tokens": sum(one.tokens for one in linked),
            "chunks_created": len(linked),
            **({} if linked else {"error": "the content is blank"}),
        }


def chunk_and_store(
    content: str,
    conversation_id: str,
    store: ChunkStore,
    tags: Sequence[str] | None = None,
    min_tokens: int = MIN_TOKENS,
    max_tokens: int = MAX_TOKENS,
) -> list[Chunk]:
    """Cut a text into chunks and write them in one commit. Raises ValueError for impossible limits."""
    pieces = ChunkingEngine(min_tokens, max_tokens).chunk(content, conversation_id, list(tags or []))
    return _stored(store, pieces, conversation_id)


def _stored(
    store: ChunkStore,
    pieces: Sequence[ChunkResult],
    conversation_id: str,
    confidence: float = DEFAULT_CONFIDENCE,
    kind: str | None = None,
) -> list[Chunk]:
    with store.batch():
        return [
            store.create_chunk(one.content, kind or one.type, conversation_id, one.tokens, one.tags, confidence)
            for one in pieces
        ]


def _require_fit(content: object, conversation_id: str, confidence: float, chunk_type: str | None) -> None:
    if not isinstance(content, str):
        raise TypeError(f"the content has to be a str, not {type(content).__name__}")
    if not conversation_id:
        raise ValueError("conversation_id is required")
    if not 0.0 <= confidence <= 1.0:
        raise ValueError(f"confidence has to be from 0 to 1, not {confidence}")
    if chunk_type is not None and chunk_type not in set(ChunkType):
        raise ValueError(f"chunk_type has to be one of {', '.join(ChunkType)}, not {chunk_type!r}")


@dataclass
class RecallResult:
    """The result of a recall: `answer` joins the contents of `source_chunks` (ids, best first) by blank lines.

    `confidence` is the mean of theirs, weighted by score; `traversal_path` lists the ids of all chunks looked at.
    """

    answer: str
    confidence: float = 0.0
    source_chunks: list[str] = field(default_factory=list)
    traversal_path: list[str] = field(default_factory=list)
    iterations_used: int = 0
    cost_usd: float = 0.0


class RecallOperation:
    """Recalls chunks of a store. No model is asked: an `llm_client` is accepted and ignored."""

    def __init__(
        self,
        chunk_store: ChunkStore,
        llm_client: Any = None,
        max_iterations: int = 10,
        timeout_seconds: float = 60,
    ) -> None:
        if chunk_store is None:
            raise ValueError("chunk_store is required")
        self.chunk_store, self.llm_client = chunk_store, llm_client
        self.max_iterations, self.timeout_seconds = max_iterations, timeout_seconds
        if llm_client is not None:
            logger.info("recall asks no model; the llm_client is not used")

    def recall(
        self,
        query: str,
        conversation_id: str | None = None,
        max_results: int = 5,
        min_confidence: float = 0.5,
    ) -> RecallResult:
        """The chunks that best answer a query; one use of each is counted.

        They are limited to a conversation, if one is given, and to chunks of at least `min_confidence`.
        """
        if not query or not query.strip():
            return RecallResult("No query provided")
        filters = [Filter("session", "=", conversation_id)] if conversation_id else []
        found = self.chunk_store.recalled(query, filters, _MORE * max_results)
        sure = [(score, one) for score, one in found if one.metadata.confidence >= min_confidence][:max_results]
        if not sure:
            return RecallResult("No relevant memories found", iterations_used=1)
        self.chunk_store.count_uses([one.id for _, one in sure])
        logger.info("recalled %d chunks", len(sure))
        return RecallResult(
            answer="\n\n".join(one.content for _, one in sure),
            confidence=_weighted(sure),
            source_chunks=[one.id for _, one in sure],
            traversal_path=[one.id for _, one in found],
            iterations_used=1,
        )


def _weighted(found: list[tuple[float, Chunk]]) -> float:
    weights = [max(score, 1e-9) for score, _ in found]
    sure = (min(max(one.metadata.confidence, 0.0), 1.0) for _, one in found)
    return sum(weight * each for weight, each in zip(weights, sure, strict=True)) / sum(weights)


# -- records of the layered memory ------------------------------------------------------------------------------
#
# `memory_schema` of RLM-MEM: checks the records of its layered memory, one JSON object per line.


REQUIRED_FIELDS = ("id", "created_at", "scope", "entry_type", "content", "project_id")
AGENT_SCOPES = frozenset({"project_agent", "user_agent"})
ALLOWED_SCOPES = AGENT_SCOPES | {"project_global", "user_global"}
_DEFAULTS: dict[str, Any] = {"tags": [], "confidence": 0.7, "source": "unknown", "expires_at": None}

Found = dict[str, Any]


def validate_record(
    record: Any, line_number: int, source_path: str | os.PathLike[str]
) -> tuple[Found | None, Found | None]:
    """(the record with its defaults filled in, None), or (None, what is wrong with it).

    What is wrong is a dict of code, message, path and line, and of further fields that depend on the code.
    """

    def wrong(code: str, message: str, **more: Any) -> tuple[None, Found]:
        return None, {"code": code, "message": message, "path": str(source_path), "line": line_number, **more}

    if not isinstance(record, dict):
        kind = type(record).__name__
        return wrong("invalid_record_type", "A memory record has to be a JSON object.", actual_type=kind)
    if missing := [name for name in REQUIRED_FIELDS if not record.get(name)]:
        return wrong("missing_required_fields", "The record lacks required fields.", missing_fields=missing)
    scope = record["scope"]
    if not isinstance(scope, str) or scope not in ALLOWED_SCOPES:
        allowed = sorted(ALLOWED_SCOPES)
        return wrong("invalid_scope", "There is no such scope.", scope=scope, allowed_scopes=allowed)
    if scope in AGENT_SCOPES and not record.get("agent_id"):
        return wrong("invalid_agent_scope", "A record of an agent's scope has to have an agent_id.", scope=scope)
    defaults = deepcopy(_DEFAULTS)
    given = {key: value for key, value in record.items() if value is not None or key not in defaults}
    if not given.get("source"):
        given.pop("source", None)
    return {**defaults, **given}, None


def load_jsonl_records(path: str | os.PathLike[str]) -> tuple[list[Found], list[Found]]:
    """(records, what is wrong with the other lines) of a file; two empty lists if there is no file."""
    records, warnings = [], []
    for number, line in enumerate(files.bytes_at(os.fspath(path)).split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            parsed = json.loads(line)
        except (ValueError, RecursionError) as error:
            where = {"path": str(path), "line": number, "error": str(error)}
            warnings.append({"code": "invalid_json", "message": "The line is not JSON.", **where})
            continue
        record, warning = validate_record(parsed, number, path)
        if record is not None:
            records.append(record)
        if warning is not None:
            warnings.append(warning)
    return records, warnings


# -- the tool that brings chunks over --------------------------------------------------------------------------
#
# `migration_tool` of RLM-MEM: here it is `mdmem import rlm`.


_FOLDER = "brain/memory"


def migrate_chunks(
    src_dir: str | os.PathLike[str],
    dest_layer: str,
    default_scope: str,
    dry_run: bool = False,
    backup: bool = False,
) -> None:
    """Import a tree of JSON chunks into the vault here, and print what was done.

    Where there is no vault, brain/memory becomes one. The memories get `default_scope`. A vault has no layers, and
    git keeps earlier versions, so `dest_layer` and `backup` are accepted but change nothing. Raises MdmemError if
    the vault cannot be written.
    """
    del dest_layer, backup
    if not os.path.isdir(src_dir):
        print(f"{os.fspath(src_dir)} is not a folder")
        return
    caller = Caller(datetime.now(UTC), identity.actor_of(os.environ))
    with _vault(caller) as vault:
        plan = importing.plan(vault, os.fspath(src_dir), silent)
        if not dry_run:
            scope = {"scope": default_scope}
            items = (item._replace(data=fields.set_fields(item.data, scope, item.path)) for item in plan.items)
            importing.write(vault, replace(plan, items=tuple(items)), caller)
    left_out = [problem for problem in plan.problems if problem.severity == "error"]
    print(f"{'would import' if dry_run else 'imported'} {len(plan.items)}, there already {len(plan.known)}")
    for problem in left_out:
        print(problem)


def _vault(caller: Caller) -> Vault:
    try:
        return Vault(place.locate())
    except NotFoundError:
        return chunkstore.opened(_FOLDER, caller)


# -- an index of a program's own -------------------------------------------------------------------------------
#
# `ChunkIndex`: a JSON file in which a program written for RLM-MEM keeps entries and lists of its own.
#
# A vault has no such files: its indexes are computed (`ChunkStore.metadata_index` and the others).


class ChunkIndex:
    """The index at `path`, saved after each change. A missing or damaged file counts as an empty index.

    It holds `entries` (key -> any JSON), `lists` (key -> strings) and `updated` (ISO 8601 UTC, "" at first).
    """

    def __init__(
        self, path: str | os.PathLike[str], clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self.path = os.fspath(path)
        self._clock = clock
        self.entries: dict[str, Any] = {}
        self.lists: dict[str, list[str]] = {}
        self.updated = ""
        self._load()

    def add(self, key: str, entry: Any) -> None:
        """Set the entry of a key."""
        self.entries[key] = entry
        self._save()

    def get(self, key: str, default: Any = None) -> Any:
        """The entry of a key; `default` if it has none."""
        return self.entries.get(key, default)

    def remove(self, key: str) -> bool:
        """Remove the entry of a key. Returns whether there was one."""
        was_there = key in self.entries
        if was_there:
            del self.entries[key]
            self._save()
        return was_there

    def add_to_list(self, key: str, item: str) -> None:
        """Add a string to the list of a key, unless the list has it already."""
        items = self.lists.setdefault(key, [])
        if item not in items:
            items.append(item)
            self._save()

    def get_list(self, key: str) -> list[str]:
        """The strings in the list of a key; empty for a key without a list."""
        return list(self.lists.get(key, ()))

    def remove_from_list(self, key: str, item: str) -> bool:
        """Remove a string from the list of a key, and a list that is then empty. Returns whether it was there."""
        items = self.lists.get(key, [])
        if item not in items:
            return False
        items.remove(item)
        if not items:
            del self.lists[key]
        self._save()
        return True

    def get_all_keys(self) -> list[str]:
        """The keys of all entries and lists, each once."""
        return list(dict.fromkeys([*self.entries, *self.lists]))

    def _load(self) -> None:
        try:
            with open(self.path, encoding="utf-8") as file:
                document = json.load(file)
            self.entries, lists = dict(document["entries"]), dict(document["lists"])
            self.lists = {key: [str(item) for item in items] for key, items in lists.items()}
            self.updated = str(document["updated"] or "")
        except FileNotFoundError:
            return
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            self.entries, self.lists = {}, {}
            logger.warning("the index %s cannot be read, so it is empty: %s", self.path, error)

    def _save(self) -> None:
        """Write a temporary file, then rename it into place. Raises UsageError if that fails."""
        self.updated = stamp_of(self._clock())
        document = {"entries": self.entries, "lists": self.lists, "updated": self.updated}
        os.makedirs(os.path.dirname(self.path) or ".", exist_ok=True)
        with files.replacing(self.path) as aside, open(aside, "w", encoding="utf-8") as file:
            json.dump(document, file, indent=2, ensure_ascii=False)
        logger.info("saved the index %s", self.path)
