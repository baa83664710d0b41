"""The calls of RUM's public implementation, on a vault: `from mdmem.compat.rum import RumMemory`.

They take and return the same JSON documents, in which times are milliseconds and actions are flat. Where that
implementation and RUM's page "Memory Schema" disagree, the page wins: `mdmem guide work` lists the cases. Every
write is a commit, so that deletions and `reset_all` can be undone (`mdmem undo --last 1`).
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from math import inf
from operator import itemgetter
from posixpath import basename
from statistics import mean
from typing import Any, Self

from mdmem.errors import NotFoundError, UsageError
from mdmem.history import lineage
from mdmem.note.excerpt import DEPTHS
from mdmem.note.memory import derived_id
from mdmem.note.shapes import objections
from mdmem.recall import meaning
from mdmem.store.local import usage
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import adding, keeping, recall, shelf, work
from mdmem.systems.rum.pages import CHAPTER, MIN_CHAPTERS, MIN_WORKS, WISDOM, PageKind
from mdmem.systems.rum.recall import WorkQuery
from mdmem.systems.rum.shelf import TYPES, RumView, Shelf, link
from mdmem.systems.rum.work import Record, flat_action
from mdmem.write import edit

TOKENS = {**recall.BUDGETS, "complete": 500}  # estimated, for a work at each depth
_LISTED = {
    "file": "files",
    "agent_id": "agents",
    "task_type": "task_types",
}  # argument of a call -> list of a query


# -- what is given -------------------------------------------------------------------------------------------


def given_of(given: Mapping[str, Any], *known: str) -> Record:
    """A call's arguments without nulls. Raises UsageError for an unknown one."""
    said = {name: value for name, value in given.items() if value is not None}
    for name in said.keys() - {*known}:
        raise UsageError(f"this call does not take '{name}'", f"it takes {', '.join(known)}")
    return said


def query_of(given: Mapping[str, Any]) -> WorkQuery:
    """The query for a call's arguments. Raises UsageError if they ask for both successes and failures only."""
    if given.get("success_only") and given.get("failures_only"):
        raise UsageError("success_only and failures_only leave nothing", "ask for one of them")
    success = True if given.get("success_only") else False if given.get("failures_only") else None
    lists: Any = {field: (given[name],) for name, field in _LISTED.items() if given.get(name)}
    return WorkQuery(
        words=" ".join(filter(None, (given.get("query"), given.get("intent")))),
        session=given.get("session_id", ""),
        since=moment_of(given.get("since")),
        before=moment_of(given.get("before"), 1),
        success=success,
        tags=given.get("tags", ()),
        **lists,
    )


def require_limit(limit: int) -> None:
    """Raise UsageError if a call asks for fewer than one result."""
    if limit < 1:
        raise UsageError(f"limit is {limit}", "ask for 1 or more")


def require_one(given: str, noun: str, allowed: Sequence[str]) -> None:
    """Raise UsageError if an argument is none of those that are allowed."""
    if given not in allowed:
        raise UsageError(f"'{given}' is not {noun}", f"use one of {', '.join(allowed)}")


def moment_of(value: float | None, later: int = 0) -> datetime | None:
    """A time in milliseconds or seconds, told apart by its size, plus `later` milliseconds.

    Raises UsageError if it is not a time, or too far from now for a datetime.
    """
    if value is None:
        return None
    try:
        return datetime.fromtimestamp(work.seconds(value) + later / 1000, UTC)
    except (ValueError, OverflowError, OSError, TypeError):
        raise UsageError(f"{value!r} is not a time", "give Unix milliseconds, such as 1705432800000") from None


def is_within(given: Mapping[str, Any], seconds: float) -> bool:
    """Whether a time (Unix seconds) lies between `since` and `before`, both included."""
    since, before = given.get("since", 0), given.get("before", inf)
    return bool(work.seconds(since) <= seconds <= work.seconds(before))


def merged(value: Mapping[str, Any], changes: Mapping[str, Any]) -> Record:
    """A work with changes: objects are merged, everything else is replaced."""
    result = dict(value)
    for name, item in changes.items():
        now = result.get(name)
        result[name] = merged(now, item) if isinstance(now, Mapping) and isinstance(item, Mapping) else item
    return result


# -- what is answered ----------------------------------------------------------------------------------------


def retrieved(work: Record, level: str) -> Record:
    """A work at a depth, as recall and trace return it."""
    return {**_flat(recall.at_depth(work, level)), "confidence": 1.0}


def memory_of(work: Record) -> Record:
    """A work with all its fields; empty links are left out."""
    return _flat({name: value for name, value in work.items() if name != "links" or value})


def _flat(work: Mapping[str, Any]) -> Record:
    told = in_milliseconds(work)
    if "actions" in told:
        told["actions"] = [in_milliseconds(flat_action(action)) for action in told["actions"]]
    return told


def row_of(work: Record) -> Record:
    """A work as `list` returns it."""
    return {
        "id": work["id"],
        "created_at": milliseconds(work["created_at"]),
        "intent_goal": work["intent"]["goal"],
        "outcome_success": work["outcome"]["success"],
        "outcome_summary": work["outcome"]["summary"],
        "importance": work["importance"],
        "access_count": work["access_count"],
    }


def agent_of(registered: Record, works: Sequence[Record]) -> Record:
    """An agent with figures on its works; `success_rate` is 0-1."""
    succeeded = sum(work["outcome"]["success"] for work in works)
    latest = max([registered.get("created_at", 0), *(work["created_at"] for work in works)])
    return {
        "agent_id": registered["id"],
        "type": registered["type"],
        "created_at": milliseconds(registered.get("created_at", 0)),
        "memory_count": len(works),
        "last_active": milliseconds(latest),
        "session_count": max(1, len({work["session_id"] for work in works})),
        "success_rate": succeeded / len(works) if works else 0,
    }


def page_of(value: Record, kind: PageKind) -> Record:
    """A chapter with its number of works, or wisdom."""
    hidden = {"project_id", kind.joined}
    told = in_milliseconds({name: item for name, item in value.items() if name not in hidden})
    lists = [name for name, shape in kind.shape.fields.items() if shape.items and name not in hidden]
    told |= {name: told.get(name, []) for name in lists}
    return {**told, "memory_count": len(value[kind.joined])} if kind is CHAPTER else told


def notification(about: recall.FileReminder) -> Record:
    """The works known for a file, in the form of RUM's file trigger."""
    message, *_ = recall.reminder_lines(recall.Reminders((about._replace(file=basename(about.file)),)))
    memories = [
        {
            "id": work.id,
            "agent_id": work.agent,
            "age_description": work.age,
            "intent_goal": work.goal,
            "outcome_success": work.success,
            "outcome_summary": work.summary,
        }
        for work in about.works
    ]
    hint = f'recall({{ file: "{about.file}", depth: "reasoning" }})'
    return {"type": "memory_available", "message": message, "memories": memories, "recall_hint": hint}


def in_milliseconds(value: Mapping[str, Any]) -> Record:
    """A record with its times in milliseconds."""
    times = {name: milliseconds(item) for name, item in value.items() if name.endswith(work.TIMES) and item}
    return {**value, **times}


def milliseconds(seconds: float) -> int:
    """A time in Unix seconds as whole milliseconds."""
    return round(seconds * 1000)


# -- the calls -----------------------------------------------------------------------------------------------


CONFIRMATION = "RESET_ALL"
_ALL = 1_000_000  # more works than a vault has

_SORTS = ("recent", "importance", "access_count")
_RECALL = (
    "memory_id file intent task_type agent_id query success_only failures_only since before tags include_links"
    " strategy"
).split()
_REGISTER = "agent_id type parent_id project_id specialization capabilities metadata".split()


def _first(views: Sequence[RumView], limit: int, kind: PageKind, name: str) -> Record:
    told = [page_of(view.value, kind) for view in views[:limit]]
    return {name: told, "total": len(told)}


class RumMemory:
    """An agent's access to the works of a vault. Use it in a `with` block, or call `close`.

    Each call takes the fields of its document as arguments: `memory.recall(**document)`.
    """

    def __init__(self, vault: str | Vault, session_id: str = "", now: datetime | None = None) -> None:
        """Open the vault in a folder, or take an open one. `now` fixes the time of what is written.

        Raises NotFoundError.
        """
        self.vault = vault if isinstance(vault, Vault) else Vault.open(vault)
        self.session_id = session_id
        self._now = now
        self._writer = ""
        self._agent: Record | None = None

    def turn_to(self, vault: Vault, who: Caller) -> None:
        """Go on with another open vault, in the session and at the time of `who`; the active agent stays.

        While no agent is active, `who` is the author of what is written.
        """
        self.vault, self.session_id, self._now, self._writer = vault, who.session, who.now, who.actor

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the vault."""
        self.vault.close()

    # -- agents ------------------------------------------------------------------------------------------------

    def identity(self, action: str, **given: Any) -> Record:
        """Register an agent, resume one, or describe the active one; returns a description of it.

        {agent_id, type, created_at, memory_count, last_active, session_count, success_rate}

        `register` takes type, parent_id, specialization and capabilities, and agent_id, project_id and metadata;
        `resume` takes agent_id, or resumes the main agent that was active last; `info` takes nothing. The first
        two begin a session, unless one was given. Raises UsageError, NotFoundError.
        """
        if action == "register":
            self._agent = self._register(given_of(given, *_REGISTER))
        elif action == "resume":
            self._agent = self._known(given_of(given, "agent_id").get("agent_id"))
        elif action != "info":
            raise UsageError(f"identity has no action '{action}'", "use register, resume or info")
        self.session_id = self.session_id or f"session_{uuid.uuid4()}"
        return agent_of(self._active(), self._works_of(self._active()["id"]))

    def _register(self, given: Mapping[str, Any]) -> Record:
        more = {name: given[name] for name in ("specialization", "capabilities") if name in given}
        agent = {"type": "main", "project_id": "", "created_at": work.seconds(self._clock().timestamp())}
        agent |= {name: value for name, value in given.items() if name not in {"agent_id", *more}}
        agent |= {"metadata": {**given.get("metadata", {}), **more}} if more else {}
        agent["id"] = given.get("agent_id") or f"agent_{uuid.uuid4()}"
        for fault in objections(agent, work.SHAPES["agent"]):
            raise UsageError(f"agent: {fault.field} {fault.message}", fault.fix)
        if agent["type"] == "subagent" and agent.get("parent_id") not in shelf.agents(self.vault):
            raise UsageError("a subagent needs a registered parent", "give the id of its parent as parent_id")
        with self.vault.change(self._caller(agent["id"]).does("create", f"Register {agent['id']}")) as tx:
            shelf.put_agents(tx, [agent])
        return agent

    def _known(self, id: str | None) -> Record:
        agents = shelf.agents(self.vault)
        if id is None:
            mains = [agent for agent in agents.values() if agent["type"] == "main"]
            last = (agent_of(agent, self._works_of(agent["id"])) for agent in mains)
            id = max(last, key=itemgetter("last_active"), default={"agent_id": ""})["agent_id"]
        if id not in agents:
            raise NotFoundError(f"there is no agent '{id}'", "register it first")
        return agents[id]

    def _works_of(self, agent: str) -> Sequence[Record]:
        return self._listed(WorkQuery(agents=(agent,), limit=_ALL, archived=True))

    def _listed(self, query: WorkQuery) -> Sequence[Record]:
        return [view.value for view in recall.listed(self.vault, query, self._clock())[0]]

    def _active(self) -> Record:
        if self._agent is None:
            raise UsageError("No active agent. Call identity first.", "identity('register', agent_id=...)")
        return self._agent

    # -- works -------------------------------------------------------------------------------------------------

    def store(self, params: Mapping[str, Any] | None = None, target_agent_id: str = "", **given: Any) -> Record:
        """Write a work: {memory_id, stored_at, indexed_files}. Raises UsageError that names what is invalid."""
        said = {**(params or {}), **given}
        target = said.pop("target_agent_id", "") or target_agent_id
        agent = self._known(target) if target else self._active()
        by_default = {"project_id": agent.get("project_id", ""), "session_id": self.session_id}
        named = {name: value for name, value in by_default.items() if value}
        value = work.checked({**named, **said, "agent_id": agent["id"]})
        parent = self._active().get("parent_id") or ""
        done = adding.add(self.vault, value, self._caller()._replace(parent_actor=parent))
        stored = milliseconds(self._clock().timestamp())
        return {"memory_id": done.id, "stored_at": stored, "indexed_files": list(work.files_of(value))}

    def update_memory(self, memory_id: str, changes: Mapping[str, Any] | None = None, **given: Any) -> Record:
        """Change a work, and return all of it: objects are merged, lists replaced, links replaced type by type."""
        shelf = Shelf(self.vault, as_stated=True)
        note, read, value, *_ = shelf.require(memory_id)
        wanted = work.checked(merged(value, {**(changes or {}), **given}))
        data = self.vault.read(note.path)
        after = work.applied(data, wanted, read, shelf.around(note), shelf.required_link)
        with self.vault.change(self._caller().does("revise")) as tx:
            tx.write(note.path, after)
        return memory_of(Shelf(self.vault).require(memory_id).value)

    def recall(self, depth: str = "summary", limit: int = 5, **given: Any) -> Record:
        """The works that answer: {memories, query_strategy_used, confidence, total_matches, token_estimate}.

        The question is a `memory_id`, or else any of `file`, `query` or `intent` (words), `agent_id`, `task_type`,
        `success_only` or `failures_only`, `tags`, `since` and `before` (milliseconds, inclusive). Each work
        returned counts as read once.
        """
        require_one(depth, "a depth", DEPTHS)
        require_limit(limit)
        asked = given_of(given, *_RECALL)
        shelf = Shelf(self.vault)
        if asked.get("memory_id"):
            note = shelf.note_of(asked["memory_id"])
            ranked = [recall.RankedWork(note, 1.0)] if note and note.type == work.TYPE else []
        else:
            ranked = recall.ranking(self.vault, query_of(asked), self._clock())
        relevance = {each.note.path: each.relevance for each in ranked}
        views, _ = shelf.first_valid((each.note for each in ranked), limit)
        usage.add(self.vault.root, [view.note.id for view in views], self._clock())
        strategy, confidence = self._strategy(asked, [relevance[view.note.path] for view in views])
        return {
            "memories": [retrieved(view.value, depth) for view in views],
            "query_strategy_used": strategy,
            "confidence": confidence if views else 0,
            "total_matches": len(ranked),
            "token_estimate": len(views) * TOKENS[depth],
        }

    def _strategy(self, asked: Mapping[str, Any], relevance: Sequence[float]) -> tuple[str, float]:
        """The strategy that answers a question, and its confidence (0-1), in the implementation's terms."""
        if asked.get("memory_id"):
            return "direct", 1.0
        if asked.get("file"):
            return "file", 0.95
        if asked.get("query") and meaning.is_on(self.vault):
            return "semantic", round(mean(relevance), 3) if relevance else 0.0
        return "query", 0.9

    def list(
        self, session_id: str = "", since: float | None = None, limit: int = 20, sort: str = "recent"
    ) -> Record:
        """The active agent's own works: {memories, total}. `sort` is recent, importance or access_count."""
        require_limit(limit)
        require_one(sort, "an order", _SORTS)
        asked = query_of({"agent_id": self._active()["id"], "session_id": session_id, "since": since})
        works = self._listed(asked._replace(limit=_ALL))
        if sort != "recent":
            works = sorted(works, key=lambda value: -value[sort])
        rows = [row_of(value) for value in works[:limit]]
        return {"memories": rows, "total": len(rows)}

    def check_file(self, file_path: str) -> Record | None:
        """The works known for a file that is about to be touched: {type, message, memories, recall_hint}.

        None if there are none, or if they were reported in the last 300 seconds. Does not count as reading.
        """
        told = recall.before(self.vault, [file_path], "", self._clock())
        return notification(told.files[0]) if told.files else None

    def link(self, source_id: str, target_id: str, link_type: str) -> Record:
        """Link two works: {created, link_id}; `created` is False if the link exists already."""
        require_one(link_type, "a type of link", work.LINK_TYPES)
        done = link(self.vault, source_id, link_type, target_id, self._caller())
        id = derived_id(f"{source_id} {link_type} {target_id}", "rum")
        return {"created": bool(done.commit), "link_id": f"link_{id}"}

    def trace(self, memory_id: str, direction: str = "both", max_depth: int = 3, depth: str = "summary") -> Record:
        """What a work came from and led to: {origin, chain: [{memory, relationship, distance}], total_nodes}."""
        require_one(depth, "a depth", DEPTHS)
        require_one(direction, "a direction", lineage.DIRECTIONS)
        shelf = Shelf(self.vault)
        start = shelf.require(memory_id)
        found = lineage.trace(self.vault.index, start.note, lineage.Walk(direction, ("caused_by",), max_depth))
        chain = []
        for each in found.reached:
            view = shelf.view(each.record) if each.record.type == work.TYPE else None
            if view and view.is_valid:
                told = retrieved(view.value, depth)
                chain.append({"memory": told, "relationship": each.relation, "distance": each.distance})
        return {
            "origin": retrieved(start.value, depth),
            "chain": chain,
            "total_nodes": len(chain) + 1,
        }

    # -- chapters and wisdom -------------------------------------------------------------------------------------

    def create_chapter(
        self,
        memory_ids: Sequence[str] = (),
        title: str = "",
        auto_detect: bool = False,
        min_memories: int = MIN_WORKS,
        **given: Any,
    ) -> Record:
        """Make a chapter from works, or detect chapters with `auto_detect`: {chapters, total_created}.

        Unknown ids are skipped; raises UsageError if all are. Detection groups works that have something in
        common; detected again, a chapter grows. It looks among the latest `limit` works from `since` to `before`
        (milliseconds, inclusive), or among all.
        """
        asked = given_of(given, "since", "before", "limit")
        if auto_detect:
            among = self._latest(asked) if asked else None
            done = keeping.detect(self.vault, self._caller(), least=min_memories, among=among)
        else:
            shelf = Shelf(self.vault)
            there = [id for id in memory_ids if (note := shelf.note_of(id)) and note.type == work.TYPE]
            done = keeping.create(self.vault, there, self._caller(), title)
        written = {change.path for change in done.pages}
        chapters = [view.value for view in self._pages(CHAPTER) if view.note.path in written]
        return {"chapters": [page_of(value, CHAPTER) for value in chapters], "total_created": len(chapters)}

    def _latest(self, asked: Mapping[str, Any]) -> set[str]:
        """The ids of the latest works that match the arguments of a call."""
        limit = asked.get("limit", _ALL)
        require_limit(limit)
        wanted = query_of(asked)._replace(limit=limit, archived=True)
        return {value["id"] for value in self._listed(wanted)}

    def list_chapters(self, limit: int = 20, sort: str = "recent", **given: Any) -> Record:
        """The chapters, the latest first, or sorted by their start with sort "start": {chapters, total}.

        `since`, `before` (milliseconds, inclusive) and `tags` narrow them down.
        """
        require_limit(limit)
        views = self._pages(CHAPTER, given)
        if sort == "start":
            views = sorted(views, key=lambda view: view.value["start_ts"])
        return _first(views, limit, CHAPTER, "chapters")

    def synthesize(
        self, chapter_ids: Sequence[str] = (), min_chapters: int = MIN_CHAPTERS, **given: Any
    ) -> Record:
        """Make wisdom from chapters: {wisdom}. Without ids, from those from `since` to `before` with all `tags`.

        Raises UsageError for fewer chapters than two, or than `min_chapters`.
        """
        ids = list(chapter_ids) or [view.value["id"] for view in self._pages(CHAPTER, given)]
        least = max(min_chapters, MIN_CHAPTERS)
        if len(ids) < least:
            raise UsageError(f"wisdom needs {least} chapters at least", "list_chapters() shows those there are")
        (change,) = keeping.synthesize(self.vault, ids, self._caller()).pages
        (made,) = [view for view in self._pages(WISDOM) if view.note.path == change.path]
        return {"wisdom": page_of(made.value, WISDOM)}

    def recall_wisdom(self, wisdom_id: str = "", limit: int = 20, **given: Any) -> Record:
        """The wisdom, the latest first, or that with an id: {wisdom, total}. Raises NotFoundError.

        `since`, `before` (milliseconds, inclusive) and `tags` narrow it down.
        """
        require_limit(limit)
        views = [Shelf(self.vault).page(wisdom_id, WISDOM)] if wisdom_id else self._pages(WISDOM, given)
        return _first(views, limit, WISDOM, "wisdom")

    def _pages(self, kind: PageKind, given: Mapping[str, Any] | None = None) -> Sequence[RumView]:
        """The valid chapters or wisdom that match the arguments of a call, the latest first."""
        wanted = given_of(given or {}, "since", "before", "tags")
        fitting = [
            view
            for view in Shelf(self.vault).pages(kind)
            if view.is_valid
            and is_within(wanted, view.value["created_at"])
            and set(wanted.get("tags", ())) <= set(view.value.get("tags", ()))
        ]
        return sorted(fitting, key=lambda view: (view.value["created_at"], view.note.path), reverse=True)

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
        """Delete all works, chapters, wisdom and agents in one commit: {reset}. Needs "RESET_ALL" as confirmation.

        `mdmem undo --last 1` takes it back.
        """
        if confirmation != CONFIRMATION:
            raise UsageError("reset_all was not confirmed", f'call reset_all("{CONFIRMATION}")')
        paths = [note.path for note in self.vault.index.records() if note.type in TYPES]
        with self.vault.change(self._caller().does("delete", "Reset all of RUM"), allow_loss=True) as tx:
            for path in paths:
                tx.delete(path)
            if tx.exists(shelf.AGENTS):
                tx.delete(shelf.AGENTS)
        self._agent = None
        return {"reset": True}

    # -- who and when --------------------------------------------------------------------------------------------

    def _clock(self) -> datetime:
        return self._now or datetime.now(UTC)

    def _caller(self, actor: str = "") -> Caller:
        return Caller(self._clock(), actor or (self._agent or {}).get("id", "") or self._writer, self.session_id)
