"""One Markdown file as a memory: parse it, write a new one. Editing one in place is `note.fields`.

A note comes in three forms: YAML frontmatter, the legacy bold header (`# Title`, `**Created:** ...`, `---`),
or neither. Parsing never fails for readable text: what is wrong with the header becomes a Problem and the
note stays findable by its body. Only bytes that are no text at all raise NoteError.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite
from posixpath import basename
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.errors import NoteError, Problem
from mdmem.note import blocks, links
from mdmem.text import moments, quickyaml

if TYPE_CHECKING:
    from mdmem.text.yaml12 import Value

MAX_BYTES = 10 * 2**20
BOM = b"\xef\xbb\xbf"
HEADER_PROBLEMS = frozenset(
    {"frontmatter-broken", "frontmatter-late", "frontmatter-open", "frontmatter-second", "header-twice"}
)

# The order in which mdmem writes properties; others follow in the order given.
ORDER = (
    *("id", "title", "created", "updated", "category", "type", "status", "tags", "topic", "project"),
    *("confidence", "importance", "salience", "pinned", "sensitivity", "scope", "source", "origin"),
    *("session", "actor"),
)

_LATE_FIX = "delete the blank lines above it"
_FRONTMATTER = re.compile(r"---[ \t]*\r?\n(?P<block>(?:.*\n)*?)---[ \t]*(?:\r?\n|\Z)")
_BOLD_TITLE = re.compile(r"\s*# +(?P<title>\S[^\n]*)\n")
BOLD_FIELD = re.compile(r"(?P<gap>\s*)\*\*(?P<key>[A-Za-z][\w -]*):\*\*(?P<value>[^\n]*)(?:\n|\Z)")
_BOLD_END = re.compile(r"\s*---[ \t]*(?:\r?\n|\Z)")
_BOLD_KNOWN = frozenset({"created", "category", "tags"})
_WIKILINK = re.compile(r"\[\[[^\[\]]+\]\]")
_WIKILINKS = re.compile(rf"{_WIKILINK.pattern}(?:\s*,\s*{_WIKILINK.pattern})*")


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
        """The `title` property, else the first heading, else the words of the name."""
        return self.text("title") or self.heading or name_words(self.name)

    @property
    def heading(self) -> str:
        """The text of the first heading of the body, or ""."""
        return next((found.text for found in blocks.headings(self.body)), "")

    @property
    def created(self) -> str:
        """RFC 3339 UTC, or "" where the note does not say (history may)."""
        return moments.normal(self.meta.get("created"))

    @property
    def updated(self) -> str:
        """RFC 3339 UTC, or "" where the note does not say (history does)."""
        return moments.normal(self.meta.get("updated"))

    @property
    def type(self) -> str:
        return self.text("type")

    @property
    def status(self) -> str:
        """active, deprecated, contested or retracted; absent means active, unless the text says DEPRECATED."""
        return self.text("status") or ("deprecated" if blocks.is_deprecated(self.body) else "active")

    @property
    def tags(self) -> tuple[str, ...]:
        """Without `#`, in the order written, each once."""
        listed = (tag.strip().lstrip("#") for tag in self.strings("tags"))
        return tuple(dict.fromkeys(tag for tag in listed if tag))

    def text(self, key: str) -> str:
        """A property as text: "" if absent, empty, or no single value."""
        return as_text(self.meta.get(key))

    def number(self, key: str) -> float | None:
        """A property as a number; None if absent or no finite number."""
        return as_number(self.meta.get(key))

    def flag(self, key: str) -> bool:
        """Whether a property is true."""
        return as_flag(self.meta.get(key))

    def strings(self, key: str) -> tuple[str, ...]:
        """A property as texts: the items of a list, or one text split at its commas."""
        value = self.meta.get(key)
        if isinstance(value, list):
            return tuple(text for item in value if (text := as_text(item)))
        return tuple(part for part in re.split(r"\s*,\s*", as_text(value).strip()) if part)


def stem(path: str) -> str:
    """The file name of `path` without `.md`."""
    return basename(path).removesuffix(".md")


def name_words(name: str) -> str:
    """`user_prefers_tables` as `User prefers tables`."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def as_text(value: Value) -> str:
    """A scalar as the text a person would type; "" for None, lists and mappings."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else ""


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
    """Whether a value says yes."""
    return value is True or (isinstance(value, str) and value.lower() in ("yes", "on"))


def is_nested(value: Value) -> bool:
    """Whether a value is more than a scalar or a flat list."""
    return isinstance(value, dict) or (
        isinstance(value, list) and any(isinstance(item, list | dict) for item in value)
    )


def parse(data: bytes, path: str, vault_id: str = "") -> Memory:
    """Read the bytes of a note.

    `path` is relative to the vault; `vault_id` keeps the derived ids of two vaults apart.
    Raises NoteError for what is no text: binary, another encoding than UTF-8, over MAX_BYTES.
    """
    text = decode(data, path)
    head = split(text, path)
    body = text[head.body_start :].replace("\r\n", "\n")
    body_line = text.count("\n", 0, head.body_start) + 1
    meta, problems = head.meta, list(head.problems)
    if head.form == "frontmatter" and not head.broken and _second_block(body):
        line = body_line + len(body) - len(body.lstrip("\n"))
        problems.append(_second_block_problem(path, line))
    if line := _conflict_line(text):
        problems.append(_marker_problem(path, line))
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
    from mdmem.text import yaml12

    known = [key for key in ORDER if key in meta]
    keys = [key for key in [*known, *(key for key in meta if key not in ORDER)] if meta[key] is not None]
    block = "".join(line + "\n" for key in keys for line in yaml12.lines(key, meta[key]))
    text = body.strip("\n")
    return f"---\n{block}---\n\n{text}\n".encode() if text else f"---\n{block}---\n".encode()


def derived_id(path: str, vault_id: str = "") -> str:
    """The id of a note that has none written: UUID v5 of vault and path, the same on every machine."""
    import uuid

    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"mdmem:{vault_id}/{path}"))


def decode(data: bytes, path: str) -> str:
    """The text of a note without its BOM. Raises NoteError with file, line and fix."""
    if len(data) > MAX_BYTES:
        raise NoteError(too_large(path, len(data)))
    return decode_any(data, path)


def decode_any(data: bytes, path: str) -> str:
    """The same for a text that is no note, such as the export of a chat: it may be of any size."""
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
                "keep binary files outside of the memories",
            )
        )
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{body[error.start]:02x} is not UTF-8"
        raise NoteError(Problem("note-encoding", path, line, message, "save it as UTF-8 in your editor")) from None


def too_large(path: str, size: int) -> Problem:
    """The problem of a file over MAX_BYTES (it need not be read to know)."""
    return Problem(
        "note-too-large",
        path,
        0,
        f"is {size / 2**20:.0f} MB, over the {MAX_BYTES // 2**20} MB a memory may have",
        "split it into notes of one concept each, or move it out of the memories",
    )


class Header(NamedTuple):
    """The header of a note: its form, properties and problems, and offsets into the decoded text.

    `start`..`end` is the text of the frontmatter block between the `---` lines, or of the bold fields;
    both are 0 for a note with no header. A broken header cannot be read; its lines count as body, so that
    the note stays findable by them.
    """

    form: str
    meta: dict[str, Value]
    problems: tuple[Problem, ...]
    start: int
    end: int
    body_start: int

    @property
    def broken(self) -> bool:
        return bool(self.problems)


def split(text: str, path: str) -> Header:
    """Find and read the header of a note's text."""
    match = _FRONTMATTER.match(text)
    if match:
        meta, problems = _frontmatter(match["block"], path)
        start, end = match.span("block")
        return Header("frontmatter", meta, problems, start, end, start if problems else match.end())
    if re.match(r"---[ \t]*\r?\n[A-Za-z_][\w -]*:(?:\s|$)", text):
        problem = Problem(
            "frontmatter-open",
            path,
            1,
            "the frontmatter is never closed",
            "add a line --- under the properties",
        )
        return Header("none", {}, (problem,), 0, 0, 0)
    if text.startswith(("\n", "\r\n")) and _second_block(text):
        line = 1 + text.count("\n", 0, len(text) - len(text.lstrip("\r\n")))
        message = "the frontmatter is not on the first line, so it does not count"
        return Header("none", {}, (Problem("frontmatter-late", path, line, message, _LATE_FIX),), 0, 0, 0)
    return _bold(text, path) or Header("none", {}, (), 0, 0, 0)


def _frontmatter(block: str, path: str) -> tuple[dict[str, Value], tuple[Problem, ...]]:
    found = quickyaml.read(block)
    if found is not None:
        return found, ()
    from mdmem.text import yaml12

    try:
        return yaml12.load(block), ()
    except yaml12.YamlError as error:
        problem = Problem(
            "frontmatter-broken",
            path,
            error.line + 1,
            f"the frontmatter cannot be read: {error.message}",
            "mend that line; quote values that hold ': ' or begin with a sign",
        )
        return {}, (problem,)


def _bold(text: str, path: str) -> Header | None:
    """The legacy header: fields in one block of lines, or with gaps between them where a rule closes it."""
    title = _BOLD_TITLE.match(text)
    if title is None:
        return None
    fields = _bold_fields(text, title.end())
    rule = _BOLD_END.match(text, fields[-1].end()) if fields else None
    if rule is None:
        gap = next((at for at, field in enumerate(fields) if at and field["gap"].strip(" \t")), len(fields))
        fields = fields[:gap]
    meta: dict[str, Any] = {"title": blocks.heading_text(title["title"])}
    problem: tuple[Problem, ...] = ()
    for field in fields:
        key = bold_key(field["key"])
        if key in meta and not problem:
            line = text.count("\n", 0, field.start("key")) + 1
            problem = (_twice_problem(path, line, field["key"]),)
        meta.setdefault(key, _bold_value(field["value"].strip()))
    if not _BOLD_KNOWN & meta.keys():
        return None
    end = fields[-1].end()
    body_start = 0 if problem else rule.end() if rule else end
    return Header("bold", meta, problem, fields[0].start("key") - 2, end, body_start)


def _bold_fields(text: str, at: int) -> list[re.Match[str]]:
    found = []
    while (field := BOLD_FIELD.match(text, at)) is not None:
        found.append(field)
        at = field.end()
    return found


def bold_key(label: str) -> str:
    """`Last seen` as the property name `last_seen`."""
    return label.strip().lower().replace(" ", "_")


def _bold_value(text: str) -> Value:
    """A flat list, or a text: quoted, or just as it stands there."""
    bracketed, quoted = (len(text) > 1 and text[0] == a and text[-1] == z for a, z in ("[]", '""'))
    if not (bracketed or quoted) or links.wikilink_target(text):
        return text
    for listed in (text, text[1:-1].strip()):
        if _WIKILINKS.fullmatch(listed):
            return list(_WIKILINK.findall(listed))
    from mdmem.text import yaml12

    try:
        value = yaml12.load_value(text)
    except yaml12.YamlError:
        value = None
    if isinstance(value, str) or (isinstance(value, list) and not is_nested(value)):
        return value
    parts = (part.strip(" '\"#") for part in text[1:-1].split(","))
    return text if quoted else [part for part in parts if part]


def _second_block(body: str) -> bool:
    """Whether the body begins with what looks like one more frontmatter block."""
    match = _FRONTMATTER.match(body.lstrip("\r\n"))
    if match is None or not match["block"].strip():
        return False
    return all(
        re.match(r"\s|-\s|#|[\w\"'][^:]*:(?:\s|$)", line) for line in match["block"].splitlines() if line.strip()
    )


def _second_block_problem(path: str, line: int) -> Problem:
    return Problem(
        "frontmatter-second",
        path,
        line,
        "a second frontmatter block; only the first one counts",
        "move its lines into the first block",
    )


def _twice_problem(path: str, line: int, label: str) -> Problem:
    return Problem(
        "header-twice",
        path,
        line,
        f"the header says {label} twice",
        "keep one of the two lines",
    )


def _conflict_line(text: str) -> int:
    """The line where a merge conflict begins, 0 if there is none. Code may show markers; it holds no conflict."""
    if "<<<<<<< " not in text:
        return 0
    start = 0
    divided = False
    for number, line, kind, *_ in blocks.lines(text):
        if kind in blocks.CODE:
            continue
        if line.startswith("<<<<<<< "):
            start, divided = number, False
        elif start and line.rstrip("\r") == "=======":
            divided = True
        elif divided and line.startswith(">>>>>>> "):
            return start
    return 0


def _marker_problem(path: str, line: int) -> Problem:
    return Problem(
        "merge-markers",
        path,
        line,
        "holds merge conflict markers",
        "keep the lines you want and delete the <<<<<<<, ======= and >>>>>>> lines",
    )
