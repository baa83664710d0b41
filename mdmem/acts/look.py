"""Looking at memories: list, show, lineage."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from mdmem.acts.selecting import ALL, Selection
from mdmem.acts.style import Aside, Lines, Raw, Style, phrase, plain
from mdmem.acts.telling import Told, encode
from mdmem.acts.text.notes import (
    answer_json,
    note_json,
    record_json,
    record_line,
    record_table,
    source_lines,
    stub_lines,
)
from mdmem.errors import UsageError
from mdmem.note.memory import Memory, render, stem
from mdmem.note.terminal import safe_line
from mdmem.store.index.port import ALL_KINDS, ENTRY, MEMORIES, MEMORY, IndexedNote, qualified

if TYPE_CHECKING:
    from datetime import datetime

    from mdmem.acts.places import Places, TeamIndex
    from mdmem.history.lineage import Incoming, Lineage, Outgoing, Reached
    from mdmem.note.trust.sensitivity import Stub
    from mdmem.recall.ask import ShownSource
    from mdmem.store.operation import Caller
    from mdmem.store.vault.several import UnreadVault
    from mdmem.store.vault.vault import Vault

_FEW = 2_000  # memories that are listed at once
SORTS = ("name", "path", "title", "created", "updated", "type", "status")


_HEADS = {"causes": "came of", "effects": "what came of it"}


class Listed(NamedTuple):
    """Memories, and the stubs of those that may not be shown."""

    records: Collection[IndexedNote]
    stubs: Sequence[Stub]
    unread: Sequence[UnreadVault]
    now: datetime
    paths_only: bool = False

    @property
    def is_streamed(self) -> bool:
        """Whether the memories are read as they are told, while the vault is still open."""
        return not isinstance(self.records, list)

    def json(self) -> Iterator[Any]:
        """The memories, the stubs, and the vaults that could not answer."""
        yield from (record_json(record, self.now) for record in self.records)
        yield from (*self.stubs, *self.unread)

    def lines(self, style: Style = plain) -> Lines:
        """A line for each."""
        if not (self.records or self.stubs):
            yield Aside("no memories")
        elif self.paths_only:
            yield from (Raw(qualified(record.vault, record.path)) for record in self.records)
        else:
            yield from record_table(self.records, style)
            yield from stub_lines(self.stubs, style)


def _counted(counts: Mapping[str, int]) -> Lines:
    """`  12  formatting` for each value, the most frequent first."""
    widest = len(str(max(counts.values(), default=0)))
    for value, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:>{widest}}  {safe_line(value)}"


def list_(
    places: Places,
    who: Caller,
    *,
    sort: Annotated[str, SORTS] = "name",
    reverse: bool = False,
    limit: int = 0,
    count: str = "",
    paths_only: bool = False,
    kinds: Annotated[Sequence[str], ALL_KINDS] = MEMORIES,
    archived: bool = False,
    chosen: Selection = ALL,
) -> Listed | Told:
    """List memories by their properties.

    Memories one level more sensitive than you may see are listed with id, type and level only: a person can
    show them. `mdmem guide privacy` says more.

    \b
    Filters (--where): key=value  key!=value  key>value  key<=value  key~part  key (is set)  !key (is not)
    Examples:
      mdmem list --type preference --sort created --reverse
      mdmem list --where "confidence<0.5" --where "!supersedes"
      mdmem list --count tags
      mdmem list --kind fact --type preference
      mdmem list --in team --tag ops --sort updated
    """
    from mdmem.acts import places as looking
    from mdmem.store.index import port, selection

    with looking.catalogue(places) as catalogue:
        conditions = selection.understood(catalogue, chosen.conditions(), who.now, tuple(kinds))
        found = selection.each(catalogue, conditions, tuple(kinds), archived=archived)
        if count:
            counts = selection.counts(catalogue, found, count)
            return Told(counts, _counted(counts) if counts else [Aside(f"no memory has {safe_line(count)}")])
        stubs = selection.stubs(catalogue, conditions)
        shown = ((port.local(one) if one.vault else one, one.path) for one in found)
        order = sorted(((getattr(one, sort), one.path, key) for one, key in shown), reverse=reverse)
        records: Collection[IndexedNote] = port.RecordsAt(catalogue, [key for *_, key in order][: limit or None])
        if len(order) <= _FEW or isinstance(places, looking.TeamIndex):  # their connection ends here
            records = list(records)
    return Listed(records, stubs, getattr(places, "unread", ()), who.now, paths_only)


def show(places: Places, who: Caller, words: Sequence[str]) -> Told:
    """Print a memory, now or as it was: NAME or NAME@REV.

    NAME is its name, path, id, or a part of a name that no other memory has. REV is a commit or a date. A dialog
    that was ingested is named by its path, id or TOPIC/ID, a fact by its id.

    \b
    Examples:
      mdmem show user_prefers_tables
      mdmem show user_prefers_tables@2026-03-01
      mdmem show user_prefers_tables@HEAD~3
      mdmem show travel/20260208T140500Z-0c7a6f3e
      mdmem show --in team handbook:deploy_days
    """
    from mdmem.acts import places as looking
    from mdmem.history import past
    from mdmem.note import moments
    from mdmem.recall import ask
    from mdmem.store.local import usage
    from mdmem.store.vault import lookup

    if isinstance(places, looking.TeamIndex):
        return _published(places, phrase(words), who)
    vault, called, text = lookup.holder(places, phrase(words))
    name, rev = lookup.split_revision(vault, text)
    exact, names = lookup.find_exact(vault, name), name.split()
    if not exact and len(names) > 1 and all(lookup.find_exact(vault, one) for one in names):
        raise UsageError(f"these are {len(names)} memories, and show prints one", "name one after the other")
    source = ask.source(vault, name, rev, who.now)
    if source:
        hit = source.answer.hit
        hit = hit._replace(record=hit.record._replace(vault=called))
        return _source(source._replace(answer=source.answer._replace(hit=hit)), who.now)
    if rev:
        note, data, commit = past.version(vault, name, moments.dated(rev, who.now))
        return _shown(note, data, commit, who.now, called)
    record = past.living(vault, name)
    if not exact:
        vault.tell(f"there is no memory '{name}'; this is {record.name}")
    data = vault.shown(record.path)
    usage.add_opened(vault.root, [record.id])
    return _shown(vault.parse(data, record.path), data, "", who.now, called)


def _shown(note: Memory, data: bytes, commit: str, now: datetime, vault: str = "", link: str = "") -> Told:
    """A memory and its file; `commit` is the version shown, "" for the file as it is."""
    return Told(note_json(note, commit, now, vault, link), Raw(data.decode("utf-8-sig", "replace")))


def _source(source: ShownSource, now: datetime) -> Told:
    """An ingested dialog, byte for byte, or what a fact in one states."""
    value = {**answer_json(source.answer, now), "properties": source.answer.hit.record.meta}
    dialog = Raw(source.data.decode("utf-8-sig", "replace"))
    return Told(value, dialog or partial(source_lines, source))


def _published(team: TeamIndex, name: str, who: Caller) -> Told:
    """What a team has published of that name."""
    from mdmem.recall import ask
    from mdmem.team import published

    answer = published.show(team.server, name, team.reader)
    text = answer.text
    record = answer.hit.record
    if record.kind != MEMORY:
        return _source(ask.ShownSource(answer, text.encode() if record.kind == ENTRY else b""), who.now)
    note = Memory(record.path, record.id, record.meta, text, "frontmatter", record.body_line)
    return _shown(note, render(record.meta, text), answer.commit, who.now, record.vault, answer.link)


def lineage(
    vault: Vault,
    name: str,
    *,
    direction: str = "both",
    max_depth: int = 0,
    predicates: Sequence[str] = (),
    form: str = "text",
) -> Told:
    """Show what a memory came of, what came of it, and what else it links to or is linked from.

    Links count from whichever end they are written at: supersedes and superseded_by, caused_by and led_to,
    derived_from and source_of, contests and contested_by, blocked_by and blocks.

    \b
    Examples:
      mdmem links deploys_run_on_mondays
      mdmem lineage deploys_run_on_mondays --direction causes --max-depth 3
      mdmem lineage deploys_run_on_mondays --format mermaid
    """
    from mdmem.history import lineage as walking
    from mdmem.store.vault import lookup

    walk = walking.Walk(direction, tuple(predicates) or walking.Walk().predicates, max_depth)
    record = lookup.find(vault, name)
    out = walking.outgoing(vault.index, vault.parse(vault.shown(record.path), record.path))
    back = walking.incoming(vault.index, record.path)
    found = walking.trace(vault.index, record, walk)
    to = [{"target": each, "predicate": predicate, "path": one and one.path} for each, predicate, one in out]
    links = {"out": to, "in": [{"path": one.path, "line": line} for one, line in back]}
    draw = {"dot": lineage_dot, "mermaid": lineage_mermaid}.get(form)
    said = draw(found) if draw else partial(lineage_lines, found, out, back)
    return Told({**encode(found), "links": links}, said)


def lineage_lines(lineage: Lineage, out: Outgoing, back: Incoming, style: Style) -> Lines:
    """The memory, its causes and effects, each indented below the one it was reached from, and its other links."""
    yield record_line(lineage.start, style)
    known = {item.record.path for item in lineage.reached}
    lines = [
        record_line(record, style) if record else f"{safe_line(target)} (no memory has that name)"
        for target, _, record in out
        if not record or record.path not in known
    ]
    linking = [record_line(record, style) for record, _ in back if record.path not in known]
    if not (known or lines or linking):
        yield "  no links"
    for way, head in _HEADS.items():
        reached = [item for item in lineage.reached if item.direction == way]
        if reached:
            yield f"  {head}:"
            yield from _branches(reached, lineage.start.path, style)
    for head, others in (("links to", lines), ("linked from", linking)):
        yield from (f"  {head}:", *(f"    - {line}" for line in others)) if others else ()


def _branches(reached: Sequence[Reached], start: str, style: Style) -> Lines:
    """The lines of a tree, depth first. Not recursive: a lineage may be longer than Python's stack is deep."""
    children: dict[str, list[Reached]] = {}
    for item in reversed(reached):
        children.setdefault(item.origin, []).append(item)
    waiting = children.pop(start, [])
    while waiting:
        item = waiting.pop()
        yield f"{'  ' * (item.distance + 1)}- {item.relation} {record_line(item.record, style)}"
        waiting += children.pop(item.record.path, [])


def lineage_dot(lineage: Lineage) -> str:
    """A digraph for Graphviz; each arrow goes from the later memory to the earlier one, with the predicate."""
    nodes = [f"  {_quoted(path)} [label={_quoted(stem(path))}];" for path in _paths(lineage)]
    arrows = [
        f"  {_quoted(edge.later)} -> {_quoted(edge.earlier)} [label={_quoted(edge.predicate)}];"
        for edge in lineage.edges
    ]
    return "\n".join(["digraph lineage {", *nodes, *arrows, "}"])


def _quoted(text: str) -> str:
    escaped = safe_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def lineage_mermaid(lineage: Lineage) -> str:
    """A Mermaid flowchart with the same arrows, which Obsidian and git hosts can show."""
    numbers = {path: f"m{number}" for number, path in enumerate(_paths(lineage))}
    nodes = [f'  {number}["{_entities(stem(path))}"]' for path, number in numbers.items()]
    arrows = [f"  {numbers[edge.later]} -->|{edge.predicate}| {numbers[edge.earlier]}" for edge in lineage.edges]
    return "\n".join(["flowchart LR", *nodes, *arrows])


def _entities(text: str) -> str:
    """A text escaped for a Mermaid label, which supports entities but no backslashes."""
    return safe_line(text).replace("#", "#35;").replace('"', "#quot;").replace("<", "#lt;")


def _paths(lineage: Lineage) -> list[str]:
    """The paths of the memories, that of the start first."""
    ends = [path for edge in lineage.edges for path in (edge.later, edge.earlier)]
    others = sorted({*ends, *(item.record.path for item in lineage.reached)} - {lineage.start.path})
    return [lineage.start.path, *others]
