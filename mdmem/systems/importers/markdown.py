"""Folders of Markdown files, of any program or of one whose habits are known here; see `folders`."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from posixpath import basename, dirname, splitext

from mdmem.capture import concepts
from mdmem.errors import Problem
from mdmem.note import blocks, links, marked, memory, titles
from mdmem.note.blocks import Heading
from mdmem.note.memory import Memory
from mdmem.note.titles import MOST_CHARS
from mdmem.note.yamltext import Value
from mdmem.store.registry import ImporterOption
from mdmem.systems.importers import folders, values
from mdmem.systems.importers.planning import ImportRun, NoteImporter, SourceNote

_OPTIONS = (ImporterOption("split", ("headings",), "Make a note of each section instead of each file."),)
_MARKDOWN_HELP = """Copy Markdown files, of Obsidian or any other program, into the vault, in one commit.

PATH is a folder, or one file. Properties, tags, dates and subfolders are kept, file names are brought to the
protocol, and links between the notes follow. Other files, such as images, are named and left where they are. What
is already there is skipped: importing again changes nothing.

With --split headings each section of a file becomes a note: those under its topmost headings, or, where one
heading titles the whole file, under those one level below it.

\b
Examples:
  mdmem import markdown ~/Documents/notes --dry-run
  mdmem import markdown journal.md --split headings
"""


def _read_markdown(run: ImportRun, split: str = "") -> list[SourceNote]:
    """The folder or file; with `split` "headings" each section is a note."""
    read = folders.read(run)
    return [part for note in read for part in (_sections(note) if split else [of_file(note)])]


def of_file(note: Memory) -> SourceNote:
    """A file as a note. It keeps its name, folder and properties; its other names become aliases."""
    properties = {**note.meta, "title": given_title(note)}
    names = (*note.aliases, note.text("title"))
    return SourceNote(
        note.path,
        note.body,
        properties,
        name=_stem(note.path),
        folder=dirname(note.path),
        aliases=tuple(name for name in names if name),
    )


def given_title(note: Memory) -> str | None:
    """The title that somebody gave a file: the property, or its name where no heading titles the text."""
    return note.text("title") or (not note.heading and titles.named(_stem(note.path))) or None


def _sections(note: Memory) -> Iterator[SourceNote]:
    """The sections of a file as notes; the text above the first one becomes the note of the file itself."""
    whole = of_file(note)
    shared = {key: value for key, value in whole.properties.items() if key not in ("id", "aliases", "title")}
    seen: Counter[str] = Counter()
    for title, text in sections_of(note.body):
        if not title:
            yield whole._replace(body=text)
            seen[""] += 1
            continue
        seen[title] += 1
        section = f"{title} ({seen[title]})" if seen[title] > 1 else title
        is_first = seen.total() == 1  # links to the file lead to its first note
        yield SourceNote(
            source=note.path if is_first else f"{note.path}#{section}",
            body=text,
            properties={**shared, "title": title},
            folder=whole.folder,
            aliases=whole.aliases if is_first else (),
        )


def _stem(path: str) -> str:
    return splitext(basename(path))[0]


MARKDOWN = NoteImporter("markdown", _MARKDOWN_HELP, _read_markdown, folders.at, OPTIONS=_OPTIONS)


# -- basic-memory: lines that state observations and relations ----------------------------------------------

_BASIC_MEMORY_HELP = """Import the notes of basic-memory, in one commit.

PATH is the folder of a project, or one note. Observations keep their lines, relations become links that recall
follows, and links by title or permalink lead to the notes. Its SQLite index is not needed. What is already there
is skipped, or updated where it has changed: importing the same again changes nothing.

\b
Examples:
  mdmem import basic-memory ~/basic-memory --dry-run
"""

# `- relation_type [[Target]] (context)`, see https://docs.basicmemory.com; more words make it a sentence
_RELATION = re.compile(
    r"\s*[-*+]\s+(?P<type>[^\[\]`\s]+(?: [^\[\]`\s]+){0,3})"
    r"\s*\[\[(?P<target>[^\[\]|#]+)[^\[\]]*\]\]\s*(?:\([^()]*\))?\s*"
)


def _read_basic_memory(run: ImportRun) -> Iterator[SourceNote]:
    """The folder of a project, or one note."""
    return map(_of_basic_memory, folders.read(run))


def _of_basic_memory(note: Memory) -> SourceNote:
    permalink = note.text("permalink")
    of_project = permalink.partition("/")[2]  # newer versions put the name of the project first
    names = (note.title, permalink, of_project)
    return of_file(note)._replace(
        identity=permalink,
        aliases=tuple(name for name in names if name),
        relations=tuple(_relations(note.body)),
    )


def _relations(body: str) -> Iterator[tuple[str, str]]:
    for _, line in blocks.prose_lines(body):
        if match := _RELATION.fullmatch(line):
            yield match["type"], match["target"].strip()


BASIC_MEMORY = NoteImporter("basic-memory", _BASIC_MEMORY_HELP, _read_basic_memory, folders.at)


# -- palinode: entities, in a folder for each kind -----------------------------------------------------------

_PALINODE_HELP = """Import the memories of palinode, in one commit.

PATH is its folder, or one file. Types, dates, confidence, priority and entities become properties; those that are
core are pinned. Hashes and the list of links that palinode computes are left out. What is already there is
skipped, or updated where it has changed: importing the same again changes nothing.

\b
Examples:
  mdmem import palinode ~/palinode --dry-run
"""

_FOOTER = re.compile(r"\n*## See also\n+<!-- palinode-auto-footer -->\n(?P<links>(?:[-*] .*\n?)*)\s*\Z")
_COMPUTED = ("content_hash", "auditable_memory", "description_pending")
_HIGHEST = 5  # highest priority; the lowest is 1
_RETIRED = ("superseded", "archived", "expired", "retired")  # states of a memory that no longer holds
_LINKS = (
    "superseded_by",
    "supersedes",
    "contradicts",
    "backed_by",
)  # name memories as `decisions/tabs-in-the-shop`
_PALINODE_TYPES = {"Decision": "decision", "PersonMemory": "fact", "ActionItem": "note", "Insight": "note"}
_PALINODE_PROJECT = "project/"


def _read_palinode(run: ImportRun) -> list[SourceNote]:
    """The folder, or one file."""
    read = folders.read(run)
    stems = {note.name for note in read}
    return [_of_palinode(note, stems) for note in read]


def _of_palinode(note: Memory, stems: Collection[str]) -> SourceNote:
    footer = _FOOTER.search(note.body)
    body = note.body[: footer.start()] if footer else note.body
    listed = links.to_notes(footer["links"]) if footer else ()
    related = [("related_to", link.target) for link in listed if link.target in stems]
    related += [(key, target) for key in _LINKS for target in note.strings(key)]
    return of_file(note)._replace(
        body=body,
        identity=note.text("id"),
        properties=dict(_properties(note)),
        relations=tuple(related),
    )


def _properties(note: Memory) -> Iterator[tuple[str, Value]]:
    """The properties of a memory in mdmem's terms, without those that palinode computes."""
    for key, value in note.meta.items():
        if key not in (*_COMPUTED, *_LINKS, "type", "source", "status"):
            yield key, value
    kind, source, status = note.text("type"), note.text("source"), note.text("status")
    yield "type", _PALINODE_TYPES.get(kind, "note" if kind else "")
    yield f"{values.KEPT_AS}type", kind
    yield f"{values.KEPT_AS}source", source
    yield "status", "deprecated" if status in _RETIRED else ""
    yield f"{values.KEPT_AS}status", status
    if note.text("title"):
        yield "title", note.text("title")
    projects = [
        entity.removeprefix(_PALINODE_PROJECT)
        for entity in note.strings("entities")
        if entity.startswith(_PALINODE_PROJECT)
    ]
    if len(projects) == 1:
        yield "project", projects[0]
    if note.flag("core"):
        yield "pinned", True
    priority = memory.as_number(note.meta.get("priority"))
    if priority is not None and 0 < priority <= _HIGHEST:
        yield "importance", priority / _HIGHEST


PALINODE = NoteImporter("palinode", _PALINODE_HELP, _read_palinode, folders.at)


# -- the memory of Claude Code: one file for each fact, and an index of them ---------------------------------

_CLAUDE_MEMORY_HELP = """Import the memory that Claude Code keeps of a project, in one commit.

PATH is a folder of one-fact files with MEMORY.md, such as ~/.claude/projects/-home-me-shop/memory, or the folder
around it. The name, description, type, session and date of each become properties. MEMORY.md is the index of the
others; where it says more than that, it becomes a note, without what `mdmem export` wrote there. What is already
there is skipped, or updated where its file has changed: importing the same again changes nothing.

\b
Examples:
  mdmem import claude-memory ~/.claude/projects/-home-me-shop --dry-run
"""

INDEX = "MEMORY.md"
_FOLDER = "memory"  # in the folder of a project
_CLAUDE_TYPES = {"user": "fact", "feedback": "preference", "project": "fact", "reference": "note"}
_SCOPES = {"user": "user", "project": "project"}
_CLAUDE_NAMES = {"originSessionId": "session", "modified": "updated", "created": "created"}
_OF_INDEX = re.compile(r"\s*(?:#.*|[-*+]\s+.*\]\([^()]*\.md\).*|[-*+]\s+\[\[.*|)")


def _read_claude_memory(run: ImportRun) -> list[SourceNote]:
    """The folder, or `memory` in it."""
    folder = _inner(run.given)
    read = folders.read(run._replace(given=folder))
    facts = [_fact(note) for note in read if note.path != INDEX]
    pages = [page for note in read if note.path == INDEX if (page := _page(note, run))]
    project = _project(folder)
    return [note._replace(identity=f"{project}/{note.source}" if project else "") for note in (*facts, *pages)]


def _inner(given: str) -> str:
    inner = os.path.join(given, _FOLDER)
    return inner if os.path.isdir(inner) else given


def _at(given: str, problems: Sequence[Problem]) -> tuple[Problem, ...]:
    return folders.at(_inner(given), problems)


def _project(folder: str) -> str:
    """The project whose memory is in a folder, as Claude Code names its folder; "" for any other folder."""
    place = os.path.realpath(folder)
    return os.path.basename(os.path.dirname(place)) if os.path.basename(place) == _FOLDER else ""


def _fact(note: Memory) -> SourceNote:
    given = {key.strip(): value for key, value in note.meta.items()}
    nested = given.pop("metadata", None)
    said: dict[str, Value] = {**given, **(nested if isinstance(nested, dict) else {"metadata": nested})}
    kind = memory.as_text(said.pop("type", "")).strip()
    said |= {"type": _CLAUDE_TYPES.get(kind, kind), "scope": _SCOPES.get(kind), f"{values.KEPT_AS}type": kind}
    if said.get("node_type") == "memory":
        del said["node_type"]
    said = {_CLAUDE_NAMES.get(key, key): value for key, value in said.items()}
    return of_file(note)._replace(properties={**said, "title": _title(note, said)})


def _title(note: Memory, said: Mapping[str, Value]) -> str | None:
    """The description, since it is what a person would say, unless it is long; the name is that of a file."""
    described = memory.as_text(said.get("description"))
    if described and len(described) <= MOST_CHARS:
        return described
    return (
        None
        if note.heading
        else memory.name_words((memory.as_text(said.get("name")) or note.name).replace("-", "_"))
    )


def _page(note: Memory, run: ImportRun) -> SourceNote | None:
    """MEMORY.md as a note; None, and a problem, if it only lists the other files."""
    note = note._replace(body=marked.around(note.body))
    rows = note.body.split("\n")
    if any(not _OF_INDEX.fullmatch(row) for row in rows):
        return of_file(note)
    named = len(links.places(note.body))
    run.problems.not_carried(note.path, f"lists {named} of the others; not carried", "nothing is lost")
    return None


CLAUDE_MEMORY = NoteImporter("claude-memory", _CLAUDE_MEMORY_HELP, _read_claude_memory, _at, TAKES="folder")


# -- a file into which an agent writes: a note for each bullet and paragraph ---------------------------------

_AGENT_FILE_HELP = """Import what an agent wrote into a memory file of its own, in one commit.

PATH is a file such as GEMINI.md, AGENTS.md or memory_summary.md: each bullet and each paragraph becomes a note.
Where a client writes below a heading of its own ("Gemini Added Memories"), only what is there. What `mdmem export`
wrote, between its marks, is left out. What is already there is skipped: importing again changes nothing.

\b
Examples:
  mdmem import agent-file ~/.gemini/GEMINI.md --dry-run
"""
_OWN = re.compile(r"(?ms)^## Gemini Added Memories[ \t]*\r?$(.*?)(?=^#{1,2} |\Z)")


def _read_agent_file(run: ImportRun) -> Iterator[SourceNote]:
    for note in folders.read(run):
        text = marked.around(note.body)
        own = _OWN.findall(text)
        for said in concepts.split("\n".join(own) if own else text):
            if any(map(str.isalpha, said.text)):
                yield SourceNote(note.path, said.text, {})


AGENT_FILE = NoteImporter("agent-file", _AGENT_FILE_HELP, _read_agent_file, folders.at, TAKES="file")


# -- a text as its sections, each under a heading ------------------------------------------------------------


def sections_of(text: str) -> Iterator[tuple[str, str]]:
    """(title, text with its heading) of each section. Text above the first heading is a section without a title.

    Sections begin at the topmost headings, or, if one heading titles the whole text, at those one level below.
    """
    from mdmem.note import sections  # loads the parser of Markdown

    headings = list(blocks.headings(text))
    above, *found = sections.split(text, _level(headings))
    rows = text.split("\n")
    if not found or _says_something(rows[: above.end], headings):
        yield "", above.text
    for one in found:
        yield one.heading, "\n".join(rows[one.line : one.end]).strip()


def _level(headings: Sequence[Heading]) -> int:
    """The level of the headings that begin a section; 0 if there are none."""
    levels = [heading.level for heading in headings]
    top = min(levels, default=0)
    deeper = [level for level in levels if level > top]
    is_title = levels.count(top) == 1 and levels[:1] == [top] and bool(deeper)
    return min(deeper) if is_title else top


def _says_something(rows: Sequence[str], headings: Sequence[Heading]) -> bool:
    of_headings = {row for heading in headings for row in range(heading.line - 1, heading.end)}
    return any(row.strip() for number, row in enumerate(rows) if number not in of_headings)
