"""One Markdown file as a memory: parses it, renders a new one. `note.fields` edits one in place.

A note comes in three forms: YAML frontmatter, the legacy bold header (`# Title`, `**Created:** ...`, `---`),
or neither. Parsing never fails for readable text: an error in the header becomes a Problem, and the note can
still be found by its body. Only bytes that are not text at all raise NoteError.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from posixpath import basename
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from mdmem.errors import NoteError, Problem
from mdmem.note import moments, patterns

if TYPE_CHECKING:
    from mdmem.note.yamltext import Value

# The values of properties that readers of memories check for; `note.properties` has the full table.
STATUSES = ("active", "deprecated", "contested", "retracted")
ATTRIBUTION = "\n\n— "  # between a quotation and its speaker
_LONGEST_SPEAKER = 400  # characters, with what is answered
SENSITIVITIES = ("public", "low", "medium", "high", "hyper")
IMPORTED = "import"  # an origin
TRUSTED = ("", "user", "agent")  # origins; text of any other origin is data to its reader, never instructions
ARCHIVED = "archived"
_EXAMPLE_ID = patterns.late(r"019aa000-(\d{4})-7000-8000-\d{8}\1")

MAX_BYTES = 10 * 2**20
BOM = b"\xef\xbb\xbf"
# git's markers; they are longer where lines of the text look like them
_CONFLICT_BEGIN, _CONFLICT_END = patterns.late(r"<{7,} "), patterns.late(r">{7,} ")
_COMMAS = patterns.late(r"\s*,\s*")
_MARKERS_FIX = "mdmem judge shows and settles them; or delete the lines you do not want, and the markers"
_CONFLICT_MIDDLE = patterns.late(r"={7,}\r?$")
# The order in which mdmem writes properties; others follow in the order given.
ORDER = (
    "id title created updated category due type status tags topic project confidence importance salience pinned "
    "sensitivity scope source origin session actor branch code"
).split()


class Memory(NamedTuple):
    """A parsed note. `path` is relative to the vault, with `/`.

    `id` is the `id` property, or else one derived from vault and path (see `has_id`). `meta` holds every
    property as read, known or not. `form` is "frontmatter", "bold" or "none". `body` is the text under the
    header with `\\n` line ends; its first line is line `body_line` (1-based) of the file.
    """

    path: str
    id: str
    meta: Mapping[str, Value]
    body: str
    form: str
    body_line: int
    problems: tuple[Problem, ...] = ()

    @property
    def name(self) -> str:
        """The file name without folders and `.md`."""
        return stem(self.path)

    @property
    def has_id(self) -> bool:
        """Whether the id is written in the note."""
        return self.text("id") == self.id

    @property
    def title(self) -> str:
        """The title that is shown: the `title` property, else one made of the text (`titles.derived`)."""
        if given := self.text("title"):
            return given
        from mdmem.note import titles

        return titles.derived(self) or name_words(self.name)

    @property
    def heading(self) -> str:
        """The text of the first heading that is of level 1, or alone of its level at the top; "" if there is none.

        Other headings are titles of parts.
        """
        from mdmem.note import header, titles

        # the last line of a header that cannot be read, above its `---`, looks like an underlined heading
        underlined = not any(problem.code in header.HEADER_PROBLEMS for problem in self.problems)
        return titles.heading_of(self.body, underlined)

    @property
    def created(self) -> str:
        """The time of creation (RFC 3339 UTC), or "" if the note has none (its history may)."""
        return moments.normal(self.meta.get("created"))

    @property
    def updated(self) -> str:
        """The time of the last update (RFC 3339 UTC), or "" if the note has none (its history does)."""
        return moments.normal(self.meta.get("updated"))

    @property
    def type(self) -> str:
        return self.text("type")

    @property
    def status(self) -> str:
        """active, deprecated, contested or retracted; absent means active, unless the text says DEPRECATED."""
        from mdmem.note import blocks

        return self.text("status") or ("deprecated" if blocks.is_deprecated(self.body) else "active")

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags without `#`, in the order written, each once."""
        listed = (tag.strip().lstrip("#") for tag in self.strings("tags"))
        return tuple(dict.fromkeys(tag for tag in listed if tag))

    @property
    def aliases(self) -> tuple[str, ...]:
        """The further names of the note; see `aliases_of`."""
        return aliases_of(self.meta)

    def text(self, key: str) -> str:
        """A property as text: "" if absent, empty, or not a single value."""
        return as_text(self.meta.get(key))

    def number(self, key: str) -> float | None:
        """A property as a number; None if absent or not a finite number."""
        return as_number(self.meta.get(key))

    def flag(self, key: str) -> bool:
        """Whether a property is true."""
        return as_flag(self.meta.get(key))

    def strings(self, key: str) -> tuple[str, ...]:
        """A property as texts: the items of a list, or one text split at its commas."""
        return as_texts(self.meta.get(key))


def stem(path: str) -> str:
    """The file name of `path` without `.md`."""
    return basename(path).removesuffix(".md")


def spoken(body: str) -> str:
    """A text without the lines that say who said it, and what that answers."""
    said, mark, by = body.rpartition(ATTRIBUTION)
    return said if mark and len(by) <= _LONGEST_SPEAKER else body


def fold(name: str) -> str:
    """The case-folded form of a name, equal for two names of the same file on a case-insensitive system."""
    if name.isascii():
        return name.lower()
    from unicodedata import normalize

    return normalize("NFC", name).casefold()


def name_words(name: str) -> str:
    """`user_prefers_tables` as `User prefers tables`."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def is_example(id: str) -> bool:
    """Whether an id is that of a memory that `mdmem init --examples` writes, to show what one looks like."""
    return _EXAMPLE_ID.fullmatch(id) is not None


def as_text(value: Value) -> str:
    """A scalar as the text a person would type; "" for None, lists and mappings."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else ""


def as_texts(value: Value) -> tuple[str, ...]:
    """The items of a list as texts, or one text split at its commas; empty for anything else."""
    if isinstance(value, list):
        return tuple(text for item in value if (text := as_text(item)))
    return tuple(part for part in _COMMAS.split(as_text(value).strip()) if part)


def project_of(properties: Mapping[str, Value]) -> str:
    """The project that a memory belongs to; "" for one that is everybody's, such as by `project: none`."""
    project = as_text(properties.get("project")).strip()
    return "" if project.casefold() == "none" else project


def is_of_another(properties: Mapping[str, Value], project: str) -> bool:
    """Whether a memory belongs to a project, and to another one than `project`."""
    return project_of(properties).casefold() not in ("", project.casefold())


def aliases_of(meta: Mapping[str, Value]) -> tuple[str, ...]:
    """The further names that properties give a note, in `aliases` or `alias` as Obsidian reads them, each once."""
    if "aliases" not in meta and "alias" not in meta:
        return ()
    return tuple(dict.fromkeys((*as_texts(meta.get("aliases")), *as_texts(meta.get("alias")))))


def titles(title: str, aliases: Sequence[str]) -> str:
    """What a note is called, as it is searched: its title and its aliases, one a line."""
    return "\n".join(dict.fromkeys((title, *aliases)))


def as_number(value: Value) -> float | None:
    """A number, or the text of one; None for anything else, infinities and NaN included."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None


def as_flag(value: Value) -> bool:
    """Whether a value means true: true itself, or the text yes or on."""
    return value is True or (isinstance(value, str) and value.lower() in ("yes", "on"))


def parse(data: bytes, path: str, vault_id: str = "") -> Memory:
    """Parse the bytes of a note.

    `path` is relative to the vault; `vault_id` keeps the derived ids of two vaults apart.
    Raises NoteError for bytes that are not text (binary, an encoding other than UTF-8) or are over MAX_BYTES.
    """
    from mdmem.note import header

    text = decode(data, path)
    head = header.split(text, path)
    body = text[head.body_start :].replace("\r\n", "\n")
    body_line = text.count("\n", 0, head.body_start) + 1
    meta, problems = head.meta, list(head.problems)
    if head.form == "frontmatter" and not head.broken and header.second_block(body):
        line = body_line + len(body) - len(body.lstrip("\n"))
        message = "a second frontmatter block; only the first one counts"
        problems.append(Problem("frontmatter-second", path, line, message, "move its lines into the first block"))
    if line := conflict_line(text):
        problems.append(Problem("merge-markers", path, line, "holds merge conflict markers", _MARKERS_FIX))
    return Memory(
        path=path,
        id=as_text(meta.get("id")) or derived_id(path, vault_id),
        meta=MappingProxyType(meta),
        body=body,
        form=head.form,
        body_line=body_line,
        problems=tuple(problems),
    )


def render(meta: Mapping[str, Value], body: str) -> bytes:
    """A new note in frontmatter form: `parse` reads back the same properties and body.

    Properties that are None are left out; those of ORDER come first.
    """
    from mdmem.note import header, yamltext

    known = [key for key in ORDER if key in meta]
    keys = [key for key in [*known, *(key for key in meta if key not in ORDER)] if meta[key] is not None]
    block = "".join(line + "\n" for key in keys for line in yamltext.lines(key, meta[key]))
    header.keep_written(block, {key: meta[key] for key in keys})
    text = body.strip("\n")
    return f"---\n{block}---\n\n{text}\n".encode() if text else f"---\n{block}---\n".encode()


def derived_id(path: str, vault_id: str = "") -> str:
    """The id of a note that has none written: UUID v5 of vault and path, the same on every machine."""
    import uuid

    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"mdmem:{vault_id}/{path}"))


def decode(data: bytes, path: str) -> str:
    """The text of a note without its BOM. Raises NoteError if the bytes are over MAX_BYTES or not UTF-8 text."""
    if len(data) > MAX_BYTES:
        raise NoteError(too_large(path, len(data)))
    return decode_any(data, path)


def decode_any(data: bytes, path: str) -> str:
    """The text of a file of any size, such as the export of a chat. Raises NoteError if it is not UTF-8 text."""
    body = data.removeprefix(BOM)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise NoteError(
            Problem("note-encoding", path, 1, "is UTF-16, not UTF-8", "save it as UTF-8 in your editor")
        )
    if b"\0" in body:
        line = body.count(b"\n", 0, body.index(b"\0")) + 1
        raise NoteError(
            Problem(
                "note-binary",
                path,
                line,
                "holds NUL bytes: not a text",
                "mdmem reads files of text; move a binary one out of the memories",
            )
        )
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{body[error.start]:02x} is not UTF-8"
        raise NoteError(Problem("note-encoding", path, line, message, "save it as UTF-8 in your editor")) from None


def too_large(path: str, size: int) -> Problem:
    """The problem of a file of `size` bytes, over MAX_BYTES; the file need not be read for this."""
    return Problem(
        "note-too-large",
        path,
        0,
        f"is {size / 2**20:.0f} MB, over the {MAX_BYTES // 2**20} MB a memory may have",
        "split it into notes of one concept each, or move it out of the memories",
    )


def conflict_line(text: str) -> int:
    """The line where a merge conflict begins, 0 if there is none. Markers shown in code are not a conflict."""
    if "<<<<<<< " not in text:
        return 0
    from mdmem.note import blocks

    start = 0
    divided = False
    for number, line, kind, *_ in blocks.lines(text):
        if kind in blocks.CODE:
            continue
        if _CONFLICT_BEGIN.match(line):
            start, divided = number, False
        elif start and _CONFLICT_MIDDLE.match(line):
            divided = True
        elif divided and _CONFLICT_END.match(line):
            return start
    return 0
