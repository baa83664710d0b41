"""The calls of RUM's public implementation over a vault: `from mdmem.compat.rum import RumMemory`.

They take and give the same JSON documents; times are in milliseconds there, and actions flat. Where that
implementation and RUM's page "Memory Schema" disagree, the page wins: `mdmem guide work` lists the cases.
Every write is a commit, so that deletions and `reset_all` can be undone (`mdmem undo --last 1`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Self

from mdmem.errors import NotFoundError, UsageError
from mdmem.history import lineage
from mdmem.history.lineage import Walk
from mdmem.index.port import IndexedNote
from mdmem.local import usage
from mdmem.note.excerpt import DEPTHS
from mdmem.note.structured.shapes import objections
from mdmem.operation import Caller
from mdmem.systems.rum import adding, depth, linking, recall, roster, schema, work
from mdmem.systems.rum.chapters import keeping
from mdmem.systems.rum.chapters.pages import CHAPTER, WISDOM, PageKind
from mdmem.systems.rum.chapters.shelf import Shelf
from mdmem.systems.rum.recall import WorkQuery
from mdmem.systems.rum.schema import Record
from mdmem.vault.vault import Vault
from mdmem.write import edit

TOKENS = dict(zip(DEPTHS, (20, 50, 150, 300, 500), strict=True))  # of a work at each depth, as an estimate
CONFIRMATION = "RESET_ALL"
_ALL = 1_000_000  # more works than a vault has
_TYPES = (work.TYPE, CHAPTER.type, WISDOM.type)
_SORTS = ("recent", "importance", "access_count")


class RumMemory:
    """An agent's access to the works of a vault. Use it in a `with` block, or call `close`."""

    def __init__(self, vault: str, session_id: str = "", now: datetime | None = None) -> None:
        """Open the vault in a folder. `now` fixes the time of what is written. Raises NotFoundError."""
        self.vault = Vault.open(vault)
        self.session_id = session_id
        self._now = now
        self._agent: Record | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the vault."""
        self.vault.close()

    # -- agents ------------------------------------------------------------------------------------------------

    def identity(self, action: str, **given: Any) -> Record:
        """Register, resume or ask for the active agent.

        `register` takes agent_id, type, parent_id, project_id and metadata; `resume` takes agent_id, or resumes
        the main agent that was registered last; `info` takes nothing. Raises UsageError, NotFoundError.
        """
        if action == "register":
            self._agent = self._register(given)
        elif action == "resume":
            self._agent = self._known(given.get("agent_id"))
        elif action != "info":
            raise UsageError(f"identity has no action '{action}'", "use register, resume or info")
        return _in_milliseconds(self._active())

    def _register(self, given: Mapping[str, Any]) -> Record:
        agent = {"type": "main", "project_id": "", "created_at": self._clock().timestamp(), **given}
        agent = {("id" if name == "agent_id" else name): value for name, value in agent.items()}
        agent["created_at"] = schema.seconds(agent["created_at"])
        agent.setdefault("id", f"agent_{int(self._clock().timestamp() * 1000)}")
        for fault in objections(agent, schema.AGENT):
            raise UsageError(f"agent: {fault.field} {fault.message}", fault.fix)
        parent = agent.get("parent_id")
        if agent["type"] == "subagent" and parent not in roster.registered(self.vault):
            raise UsageError("a subagent needs a registered parent", "give the id of its parent as parent_id")
        with self.vault.change(self._caller(agent["id"]).does("create", f"Register {agent['id']}")) as tx:
            roster.put(tx, [agent])
        return agent

    def _known(self, id: str | None) -> Record:
        agents = roster.registered(self.vault)
        if id is None:
            mains = [agent for agent in agents.values() if agent["type"] == "main"]
            id = max(mains, key=lambda agent: agent.get("created_at", 0))["id"] if mains else ""
        if id not in agents:
            raise NotFoundError(f"there is no agent '{id}'", "register it first")
        return agents[id]

    def _active(self) -> Record:
        if self._agent is None:
            raise UsageError("No active agent. Call identity first.", "identity('register', agent_id=...)")
        return self._agent

    # -- works -------------------------------------------------------------------------------------------------

    def store(self, params: Mapping[str, Any], target_agent_id: str = "") -> Record:
        """Write a work: {memory_id, stored_at, indexed_files}. Raises UsageError that names what is not valid."""
        agent = self._known(target_agent_id) if target_agent_id else self._active()
        by_default = {"project_id": agent.get("project_id", ""), "session_id": self.session_id}
        named = {name: value for name, value in by_default.items() if value}
        given = schema.checked({**named, **params, "agent_id": agent["id"]})
        parent = self._active().get("parent_id") or ""
        done = adding.add(self.vault, given, self._caller()._replace(parent_actor=parent))
        return {
            "memory_id": done.id,
            "stored_at": _milliseconds(self._clock().timestamp()),
            "indexed_files": done.files,
        }

    def update_memory(self, memory_id: str, changes: Mapping[str, Any]) -> Record:
        """Change a work: objects are merged, lists replaced, links replaced type by type. {memory_id, updated}."""
        shelf = Shelf(self.vault)
        note = shelf.works.find(memory_id)
        now = shelf.require(memory_id)
        data = self.vault.read(note.path)
        read = self.vault.parse(data, note.path)
        said = {**now, "links": work.links_of(read, shelf.works.id_of)}
        wanted = schema.checked(_merged(said, changes))
        after = work.applied(data, wanted, read, shelf.works.around(note), shelf.works.link_of)
        with self.vault.change(self._caller().does("revise")) as tx:
            tx.write(note.path, after)
        return {"memory_id": memory_id, "updated": after != data}

    def recall(self, **given: Any) -> Record:
        """Works that answer: {memories, query_strategy_used, confidence, total_matches, token_estimate}.

        By `memory_id`, else by `query`, `files`, `agent_id`, `project_id`, `task_types`, `success`, `tags`,
        `since` and `before` (milliseconds, inclusive); at a `depth`, at most `limit`. Each counts as read once.
        """
        told = given.get("depth", "summary")
        strategy, confidence = _strategy(given)
        shelf = Shelf(self.vault)
        if given.get("memory_id"):
            note = shelf.note_of(given["memory_id"])
            notes = [note] if note and note.type == work.TYPE else []
        else:
            notes = [each.note for each in recall.ranking(self.vault, _query(given), self._clock())]
        chosen = notes[: given.get("limit", 5)]
        views = [view for view in map(shelf.works.view, chosen) if view.is_valid]
        usage.add(self.vault.root, [view.note.id for view in views], self._clock())
        return {
            "memories": [{**_told(view.work, told), "confidence": confidence} for view in views],
            "query_strategy_used": strategy,
            "confidence": confidence if views else 0,
            "total_matches": len(notes),
            "token_estimate": len(views) * TOKENS[told],
        }

    def list(self, limit: int = 20, sort: str = "recent", offset: int = 0) -> Record:
        """The active agent's own works: {memories, total}. `sort` is recent, importance or access_count."""
        if sort not in _SORTS:
            raise UsageError(f"'{sort}' is not an order", f"use one of {', '.join(_SORTS)}")
        query = WorkQuery(agents=(self._active()["id"],), limit=_ALL)
        works = [view.work for view in recall.listed(self.vault, query, self._clock()).views]
        if sort != "recent":
            works.sort(key=lambda value: -value[sort])
        shown = works[offset : offset + limit]
        return {"memories": [_told(value, "summary") for value in shown], "total": len(works)}

    def check_file(self, file_path: str, limit: int = 3) -> Record:
        """What is known of a file: {file_path, count, failed, memories}. Does not count as reading."""
        query = WorkQuery(files=(file_path,), limit=_ALL)
        works = [view.work for view in recall.listed(self.vault, query, self._clock()).views]
        failed = [value for value in works if not value["outcome"]["success"]]
        memories = [_told(value, "summary") for value in works[:limit]]
        return {"file_path": file_path, "count": len(works), "failed": len(failed), "memories": memories}

    def link(self, source_id: str, target_id: str, link_type: str) -> Record:
        """Link two works: {created, link_id}; `created` is False for a link that is there."""
        if link_type not in schema.LINK_TYPES:
            raise UsageError(f"'{link_type}' is not a type of link", f"use one of {', '.join(schema.LINK_TYPES)}")
        done = linking.link(self.vault, source_id, link_type, target_id, self._caller())
        return {"created": bool(done.commit), "link_id": f"{source_id}:{link_type}:{target_id}"}

    def trace(self, memory_id: str, direction: str = "both", max_depth: int = 3, depth: str = "summary") -> Record:
        """What a work came of and led to: {origin, chain: [{memory, relationship, distance}], total_nodes}."""
        if direction not in lineage.DIRECTIONS:
            raise UsageError(f"'{direction}' is not a direction", f"use one of {', '.join(lineage.DIRECTIONS)}")
        shelf = Shelf(self.vault)
        start = shelf.works.find(memory_id)
        found = lineage.trace(self.vault.index, start, Walk(direction, ("caused_by",), max_depth))
        reached = [
            (each, shelf.works.view(each.record)) for each in found.reached if each.record.type == work.TYPE
        ]
        chain = [
            {"memory": _told(view.work, depth), "relationship": each.relation, "distance": each.distance}
            for each, view in reached
            if view.is_valid
        ]
        origin = _told(shelf.require(memory_id), depth)
        return {"origin": origin, "chain": chain, "total_nodes": len(chain) + 1}

    # -- chapters and wisdom -------------------------------------------------------------------------------------

    def create_chapter(self, memory_ids: Sequence[str] = (), title: str = "", auto_detect: bool = False) -> Record:
        """Make a chapter of works, or with `auto_detect` all that works have in common: {chapters}.

        Ids that are not there are skipped; raises UsageError if none is.
        """
        if auto_detect:
            done = keeping.detect(self.vault, self._caller())
        else:
            shelf = Shelf(self.vault)
            there = [id for id in memory_ids if (note := shelf.note_of(id)) and note.type == work.TYPE]
            done = keeping.create(self.vault, there, self._caller(), title)
        return {"chapters": self._pages(CHAPTER, [page.path for page in done.pages])}

    def list_chapters(self, project_id: str = "", limit: int = 20) -> Record:
        """The chapters, the latest first: {chapters, total}."""
        chapters = self._pages(CHAPTER)
        chosen = [value for value in chapters if not project_id or value.get("project_id") == project_id]
        return {"chapters": chosen[:limit], "total": len(chosen)}

    def synthesize(self, chapter_ids: Sequence[str] = ()) -> Record:
        """Make wisdom of chapters, at least two; without ids of all chapters of each project: {wisdom}."""
        done = keeping.synthesize(self.vault, chapter_ids, self._caller())
        return {"wisdom": self._pages(WISDOM, [page.path for page in done.pages])}

    def recall_wisdom(self, project_id: str = "", limit: int = 5) -> Record:
        """The wisdom, the latest first: {wisdom, total}."""
        found = [value for value in self._pages(WISDOM) if not project_id or value.get("project_id") == project_id]
        return {"wisdom": found[:limit], "total": len(found)}

    def _pages(self, kind: PageKind, paths: Sequence[str] | None = None) -> Sequence[Record]:
        views = [view for view in Shelf(self.vault).all(kind) if paths is None or view.note.path in paths]
        views.sort(key=lambda view: (view.value.get("end_ts", 0), view.note.path), reverse=True)
        return [_in_milliseconds(view.value) for view in views]

    # -- deleting ------------------------------------------------------------------------------------------------

    def delete_memory(self, memory_id: str) -> Record:
        """Delete a work: {deleted}; False if it is not there. `mdmem restore` brings it back."""
        return self._delete(memory_id, work.TYPE)

    def delete_chapter(self, chapter_id: str) -> Record:
        """Delete a chapter, not its works: {deleted}."""
        return self._delete(chapter_id, CHAPTER.type)

    def delete_wisdom(self, wisdom_id: str) -> Record:
        """Delete wisdom, not its chapters: {deleted}."""
        return self._delete(wisdom_id, WISDOM.type)

    def _delete(self, id: str, type: str) -> Record:
        note = Shelf(self.vault).note_of(id)
        if note is None or note.type != type:
            return {"deleted": False}
        edit.forget(self.vault, [note], self._caller())
        return {"deleted": True}

    def reset_all(self, confirmation: str) -> Record:
        """Delete every work, chapter, wisdom and agent in one commit: {deleted}. Needs "RESET_ALL".

        `mdmem undo --last 1` takes it back.
        """
        if confirmation != CONFIRMATION:
            raise UsageError("reset_all was not confirmed", f'call reset_all("{CONFIRMATION}")')
        notes: list[IndexedNote] = [note for note in self.vault.index.records() if note.type in _TYPES]
        with self.vault.change(self._caller().does("delete", "Reset all of RUM"), allow_loss=True) as tx:
            for note in notes:
                tx.delete(note.path)
            roster.clear(tx)
        self._agent = None
        return {"deleted": len(notes)}

    # -- who and when --------------------------------------------------------------------------------------------

    def _clock(self) -> datetime:
        return self._now or datetime.now(UTC)

    def _caller(self, actor: str = "") -> Caller:
        return Caller(self._clock(), actor or (self._agent or {}).get("id", ""), self.session_id)


def _strategy(given: Mapping[str, Any]) -> tuple[str, float]:
    """How a question is answered, and how sure that is (0-1), as the implementation says it."""
    if given.get("memory_id"):
        return "direct", 1.0
    if given.get("files"):
        return "file", 0.95
    return ("semantic", 0.8) if given.get("query") else ("query", 0.9)


def _query(given: Mapping[str, Any]) -> WorkQuery:
    """A question as mdmem asks it; times are milliseconds, `before` inclusive."""
    return WorkQuery(
        words=given.get("query") or "",
        files=tuple(given.get("files") or ()),
        agents=(given["agent_id"],) if given.get("agent_id") else (),
        projects=(given["project_id"],) if given.get("project_id") else (),
        since=_moment(given.get("since")),
        before=_moment(given.get("before"), 1),
        task_types=tuple(given.get("task_types") or ()),
        success=given.get("success"),
        tags=tuple(given.get("tags") or ()),
    )


def _moment(value: float | None, later: int = 0) -> datetime | None:
    """A time in milliseconds or seconds, by its size; `later` by that many milliseconds."""
    return None if value is None else datetime.fromtimestamp(schema.seconds(value) + later / 1000, UTC)


def _merged(value: Mapping[str, Any], changes: Mapping[str, Any]) -> Record:
    """Objects are merged, all else replaced."""
    merged = dict(value)
    for name, item in changes.items():
        now = merged.get(name)
        is_both = isinstance(now, Mapping) and isinstance(item, Mapping)
        merged[name] = _merged(now, item) if is_both and now is not None else item
    return merged


def _told(value: Record, level: str) -> Record:
    """A work at a depth, its times in milliseconds and its actions flat."""
    if level not in DEPTHS:
        raise UsageError(f"'{level}' is not a depth", f"use one of {', '.join(DEPTHS)}")
    told = _in_milliseconds(depth.at_depth(value, level))
    if "actions" in told:
        told["actions"] = [_in_milliseconds(schema.flat_action(action)) for action in told["actions"]]
    return told


def _in_milliseconds(value: Mapping[str, Any]) -> Record:
    """A record with its times in milliseconds."""
    return {name: _milliseconds(item) if _is_time(name, item) else item for name, item in value.items()}


def _is_time(name: str, item: Any) -> bool:
    return name.endswith(("_at", "_ts", "last_accessed", "timestamp")) and isinstance(item, int | float)


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
