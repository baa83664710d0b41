"""A folder of Markdown files: one note per file, or one per heading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from posixpath import basename, dirname, splitext

from mdmem.errors import Problem
from mdmem.note import titles
from mdmem.note.memory import Memory
from mdmem.store.registry import ImporterOption
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers import folders, sections
from mdmem.systems.importers.planning import NoteImporter, SourceNote

_OPTIONS = (ImporterOption("split", ("headings",), "Make a note of each section instead of each file."),)
_HELP = """Copy Markdown files, of Obsidian or any other program, into the vault, in one commit.

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


def _read(vault: Vault, given: str, problems: list[Problem], split: str = "") -> list[SourceNote]:
    """The folder or file; with `split` "headings" each section is a note."""
    read = folders.read(vault, given, problems)
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
    for title, text in sections.of(note.body):
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


IMPORTER = NoteImporter("markdown", _HELP, _read, folders.at, OPTIONS=_OPTIONS)
