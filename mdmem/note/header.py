"""The header of a note: YAML frontmatter, the legacy bold header (`# Title`, `**Created:** ...`, `---`), or none.

Reading a header never fails: an error becomes a Problem, and the lines of the header then count as text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.errors import Problem
from mdmem.note import blocks, links, patterns

if TYPE_CHECKING:
    from mdmem.note.yamltext import Value

CATEGORIES = ("past", "present", "future")  # of memories; each was once a folder
HEADER_PROBLEMS = frozenset(
    {"frontmatter-broken", "frontmatter-late", "frontmatter-open", "frontmatter-second", "header-twice"}
)

_WRITTEN: dict[str, dict[str, Value]] = {}  # block -> what it says
_MOST_WRITTEN = 16
_LATE_FIX = "delete the blank lines above it"
_FRONTMATTER = patterns.late(r"---[ \t]*\r?\n(?P<block>(?:.*\n)*?)---[ \t]*(?:\r?\n|\Z)")
_NOTICE = patterns.late(r"[\s>]*(?:\[!\w+\][-+]?\s*)?[*_]*DEPRECATED:[^\n]*\n")  # above or below the title
_NAMED_IN_NOTICE = patterns.late(r"\[\[?(?P<name>[^\[\]|!][^\[\]|]*)")
_BOLD_TITLE = patterns.late(r"\s*# +(?P<title>\S[^\n]*)\n")
BOLD_FIELD = patterns.late(r"(?P<gap>\s*)\*\*(?P<key>[A-Za-z][\w -]*):\*\*(?P<value>[^\n]*)(?:\n|\Z)")
_BOLD_END = patterns.late(r"\s*---[ \t]*(?:\r?\n|\Z)")
_BOLD_KNOWN = frozenset({"created", "category", "tags"})
_ID_LINE = patterns.late(r"(?m)^id:[ \t]*[\"']?(?P<id>[\w-]+)[\"']?[ \t]*\r?$")
_WIKILINK = patterns.late(r"\[\[[^\[\]]+\]\]")
_WIKILINKS = patterns.late(rf"{_WIKILINK.pattern}(?:\s*,\s*{_WIKILINK.pattern})*")


class Header(NamedTuple):
    """The header of a note: its form, properties and problems, and offsets into the decoded text.

    `start`..`end` is the text of the frontmatter block between the `---` lines, or of the bold fields;
    both are 0 for a note with no header. A broken header cannot be read: its lines count as body, so that the
    note can still be found by them, and its only property is the id. `notice` is the DEPRECATED line of a legacy
    header.
    """

    form: str
    meta: dict[str, Value]
    problems: tuple[Problem, ...]
    start: int = 0
    end: int = 0
    body_start: int = 0
    notice: str = ""

    @property
    def broken(self) -> bool:
        return bool(self.problems)


def property_line(text: str, key: str, body_line: int) -> int:
    """The 1-based line of a property in the frontmatter, which is above line `body_line`; 0 if it is not there."""
    rows = text.split("\n")[: body_line - 1]
    return next((number for number, row in enumerate(rows, 1) if row.startswith(f"{key}:")), 0)


def split(text: str, path: str) -> Header:
    """Find and read the header of a note's text."""
    match = _FRONTMATTER.match(text)
    if match:
        meta, problems = _frontmatter(match["block"], path)
        start, end = match.span("block")
        return Header("frontmatter", meta, problems, start, end, start if problems else match.end())
    if text.startswith("---") and re.match(r"---[ \t]*\r?\n[A-Za-z_][\w -]*:(?:\s|$)", text):
        problem = Problem(
            "frontmatter-open",
            path,
            1,
            "the frontmatter is never closed",
            "add a line --- under the properties",
        )
        return Header("none", _written_id(re.split(r"\r?\n[ \t]*\r?\n", text, maxsplit=1)[0]), (problem,))
    if text.startswith(("\n", "\r\n")) and second_block(text):
        line = 1 + text.count("\n", 0, len(text) - len(text.lstrip("\r\n")))
        message = "the frontmatter is not on the first line, so it does not count"
        return Header("none", {}, (Problem("frontmatter-late", path, line, message, _LATE_FIX),))
    titled = _bold(text, path) if "# " in text else None
    return titled or Header("none", {}, ())


def keep_written(block: str, meta: dict[str, Value]) -> None:
    """Keep what a block says that was just written, if of plain words: the reader of YAML takes long to load."""
    from mdmem.note import yamltext

    if len(_WRITTEN) == _MOST_WRITTEN:
        _WRITTEN.clear()
    if all(map(yamltext.is_plain, (*meta, *meta.values()))):
        _WRITTEN[block] = meta


def _frontmatter(block: str, path: str) -> tuple[dict[str, Value], tuple[Problem, ...]]:
    if (meta := _WRITTEN.get(block)) is not None:
        return {key: [*value] if isinstance(value, list) else value for key, value in meta.items()}, ()
    from mdmem.note import yaml12

    try:
        return yaml12.load(block), ()
    except yaml12.YamlError as error:
        problem = Problem(
            "frontmatter-broken",
            path,
            error.line + 1,
            f"the frontmatter cannot be read: {error.message}",
            "fix that line; quote values that contain ': ' or start with a special character",
        )
        return _written_id(block), (problem,)


def _written_id(block: str) -> dict[str, Value]:
    """The id in a header that cannot be read as a whole, so that a damaged note is still the same memory."""
    line = _ID_LINE.search(block)
    return {"id": line["id"]} if line else {}


def _bold(text: str, path: str) -> Header | None:
    """The legacy header: fields in one block of lines, or with blank lines between them if a rule closes it."""
    above = _NOTICE.match(text)
    title = _BOLD_TITLE.match(text, above.end() if above else 0)
    if title is None:
        return None
    below = _NOTICE.match(text, title.end())
    fields = _bold_fields(text, below.end() if below else title.end())
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
            said, fix = f"the header says {field['key']} twice", "keep one of the two lines"
            problem = (Problem("header-twice", path, line, said, fix),)
        meta.setdefault(key, _bold_value(field["value"].strip()))
    if not _BOLD_KNOWN & meta.keys():
        return None
    meta |= _bold_category(meta.get("category"))
    notice = next((match[0].strip() for match in (above, below) if match), "")
    end = fields[-1].end()
    body_start = 0 if problem else rule.end() if rule else end
    return Header(
        "bold", {**_implied_by(notice), **meta}, problem, fields[0].start("key") - 2, end, body_start, notice
    )


def _bold_category(value: Value) -> dict[str, Value]:
    """The category in lower case and without brackets, as the template has it; nothing if it is not known."""
    if isinstance(value, list) and len(value) == 1:
        (value,) = value
    written = value.lower() if isinstance(value, str) else ""
    return {"category": written} if written in CATEGORIES else {}


def _implied_by(notice: str) -> dict[str, Value]:
    """The properties that a DEPRECATED line implies; fields of the header override them."""
    if not notice:
        return {}
    said: dict[str, Value] = {"status": "deprecated"}
    if successor := _NAMED_IN_NOTICE.search(notice.partition("DEPRECATED:")[2]):
        said["superseded_by"] = [f"[[{successor['name'].strip()}]]"]
    return said


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
    """The value of a bold field: a flat list, or a text, quoted or verbatim."""
    is_list, is_quoted = _is_between(text, "[", "]"), _is_between(text, '"', '"')
    if not (is_list or is_quoted) or links.wikilink_target(text):
        return text
    for listed in (text, text[1:-1].strip()):
        if _WIKILINKS.fullmatch(listed):
            return list(_WIKILINK.findall(listed))
    value = _yaml_value(text)
    if isinstance(value, str) or (isinstance(value, list) and not is_nested(value)):
        return value
    if is_quoted:
        return text
    items = (part.strip(" '\"#") for part in text[1:-1].split(","))
    return [item for item in items if item]


def _is_between(text: str, first: str, last: str) -> bool:
    return len(text) > 1 and text.startswith(first) and text.endswith(last)


def _yaml_value(text: str) -> Value:
    """The text parsed as YAML; None if it is not valid."""
    from mdmem.note import yaml12

    try:
        return yaml12.load_value(text)
    except yaml12.YamlError:
        return None


def second_block(body: str) -> bool:
    """Whether the body begins with what looks like another frontmatter block."""
    match = _FRONTMATTER.match(body.lstrip("\r\n"))
    if match is None or not match["block"].strip():
        return False
    return all(
        re.match(r"\s|-\s|#|[\w\"'][^:]*:(?:\s|$)", line) for line in match["block"].splitlines() if line.strip()
    )


def is_nested(value: Value) -> bool:
    """Whether a value is more than a scalar or a flat list."""
    return isinstance(value, dict) or (
        isinstance(value, list) and any(isinstance(item, list | dict) for item in value)
    )
