"""Edits properties and body of a note in place: only the lines of what changes are touched.

Comments, quotes, key order, CRLF, BOM and a missing final newline stay as they are. After each
edit the header is parsed again; if any other property came out different the edit is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from mdmem.errors import NoteError, Problem, UsageError
from mdmem.note import blocks, moments, patterns, yamltext
from mdmem.note.header import BOLD_FIELD, HEADER_PROBLEMS, Header, bold_key, is_nested, split
from mdmem.note.memory import BOM, Memory, as_text, decode, parse, render
from mdmem.note.yamltext import Value

_QUOTED = 60  # characters of a text quoted in an error

_ROW = patterns.late(r"[^\n]*\n|[^\n]+")
_LITERAL = patterns.late(r"[ \t]*:[ \t]+[|>]")
_DOUBLE, _SINGLE, _PLAIN = r"\"(?:[^\"\\]|\\.)*\"", r"'(?:[^']|'')*'", r"[^\s#\"'\[{|>]\S*(?:[ \t]+[^\s#]\S*)*"
_FLOW = rf"\[(?:{_DOUBLE}|{_SINGLE}|\[[^\[\]\"'#]*\]|[^\[\]\"'#])*\]"
_WRITTEN = patterns.late(  # behind a name: the colon, a value on one line or none, and what follows it
    rf"([ \t]*:[ \t]*)((?:{_DOUBLE}|{_SINGLE}|{_FLOW}|{_PLAIN})?)((?:[ \t]+#[^\n]*)?\s*)"
)


def compose(meta: Mapping[str, Value], body: str, path: str, vault_id: str = "") -> tuple[bytes, Memory]:
    """A new note: its bytes, and the memory that they parse to.

    Raises UsageError for a body that would not read back as the body.
    """
    text = _given_text(body).strip("\n") if body.strip() else ""
    with _fitting():
        data = render(meta, text)
        note = parse(data, path, vault_id)
    if note.form != "frontmatter" or note.body.strip("\n") != text:
        raise _like_a_header()
    _require_no_more_problems(note, known=())
    return data, note


def set_fields(data: bytes, changes: Mapping[str, Value], path: str) -> bytes:
    """The note's bytes with properties set; a value of None removes the property.

    A note with a bold header keeps that form; one with no header gets frontmatter. Raises NoteError if the
    header is broken, uses anchors, or the result would not read back as asked.
    """
    bom, text, head = _open(data, path)
    changes = {key: value for key, value in changes.items() if value is not None or key in head.meta}
    return bom + _with_fields(text, head, changes, path).encode() if changes else data


def _with_fields(text: str, head: Header, changes: Mapping[str, Value], path: str) -> str:
    """A note's text with some properties changed, as `set_fields` does it."""
    if head.form == "frontmatter":
        new = text[: head.start] + _edit_block(text, head, changes, path) + text[head.end :]
    elif head.form == "bold":
        new = _edit_bold(text, head, changes, path)
    else:
        new = _add_header(text, changes)
    _verify(head, changes, split(new, path), path)
    return new


def set_body(data: bytes, body: str, path: str) -> bytes:
    """The note's bytes with a new body. The header keeps its bytes; the body takes on the file's line endings.

    Raises NoteError if the header is broken, UsageError for a body that would not read back as the body.
    """
    bom, text, head = _open(data, path)
    eol = _eol(text)
    header = text[: head.body_start]
    gap = _gap(header, eol)
    body = _given_text(body).strip("\n") if body.strip() else ""
    new = header + gap + body.replace("\n", eol) + eol if body else header
    return _checked(data, bom, new, body, path)


def append_body(data: bytes, addition: str, path: str) -> bytes:
    """The note's bytes with a paragraph appended, in the file's line endings. Raises like `set_body`."""
    bom, text, head = _open(data, path)
    eol = _eol(text)
    ending = text[len(text.rstrip("\r\n")) :].count("\n")
    gap = eol * (2 - min(ending, 2)) if text else ""
    addition = _given_text(addition).strip("\n") + "\n"
    body = (text[head.body_start :] + gap).replace("\r\n", "\n") + addition
    return _checked(data, bom, text + gap + addition.replace("\n", eol), body, path)


def swap_in_body(data: bytes, old: str, new: str, path: str) -> bytes:
    """The note's bytes with one passage of the body replaced, in the file's line endings.

    Raises like `set_body`, and UsageError unless `old` occurs in the body exactly once.
    """
    bom, text, head = _open(data, path)
    eol = _eol(text)
    header, body = text[: head.body_start], text[head.body_start :]
    there = _given_text(old).replace("\n", eol)
    times = body.count(there) if there else 0
    if times != 1:
        how_often = f"stands {times} times in the text" if times else "is not in the text"
        hint = "give more of the text around it" if times else "give it just as the text has it"
        raise UsageError(f"'{old[:_QUOTED]}' {how_often} of {path}", hint)
    changed = body.replace(there, _given_text(new).replace("\n", eol))
    return _checked(data, bom, header + changed, changed.replace("\r\n", "\n"), path)


def prepend_body(data: bytes, addition: str, path: str) -> bytes:
    """The note's bytes with a paragraph put above its text, in the file's line endings. Raises like `set_body`."""
    bom, text, head = _open(data, path)
    eol = _eol(text)
    header, rest = text[: head.body_start], text[head.body_start :]
    gap = _gap(header, eol)
    addition = _given_text(addition).strip("\n") + "\n"
    below = _set_off(rest, eol)
    new = header + gap + addition.replace("\n", eol) + below
    return _checked(data, bom, new, (addition + below).replace("\r\n", "\n"), path)


def to_frontmatter(data: bytes, additions: Mapping[str, Value], path: str) -> bytes:
    """The note's bytes in frontmatter form, with `additions` for the properties it lacks.

    The body keeps its bytes. The title and fields of a bold header become properties, its date in the usual form;
    its DEPRECATED line becomes the first line of the body. Raises NoteError.
    """
    bom, text, head = _open(data, path)
    missing = {key: value for key, value in additions.items() if value and head.meta.get(key) in (None, "", [])}
    if head.form != "bold":
        return bom + _with_fields(text, head, missing, path).encode() if missing else data
    meta = {**head.meta, **missing}
    if created := moments.normal(meta.get("created")):
        meta["created"] = created
    eol = _eol(text)
    notice = f"{eol}{head.notice}{eol}" if head.notice else ""
    rest = notice + text[head.body_start :]
    new = render(meta, "").decode().replace("\n", eol) + _set_off(rest, eol)
    if split(new, path).meta != meta:
        raise _too_unusual(path)
    return bom + new.encode()


def _given_text(text: str) -> str:
    """A text as given by a caller, with `\\n` line endings and without a BOM."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _checked(before: bytes, bom: bytes, text: str, body: str, path: str) -> bytes:
    """The bytes of an edited text. Raises UsageError unless they parse to the old header and to `body`."""
    was = parse(before, path)
    with _fitting():
        data = bom + text.encode()
        note = parse(data, path)
    if (note.form, note.meta) != (was.form, was.meta) or note.body.strip("\n") != body.strip("\n"):
        raise _like_a_header()
    _require_no_more_problems(note, was.problems)
    return data


def _require_no_more_problems(note: Memory, known: Sequence[Problem]) -> None:
    """Raise UsageError if a note has a problem of a kind that is not among the known ones."""
    codes = {problem.code for problem in known}
    new = [problem for problem in note.problems if problem.code not in codes]
    if any(problem.code in HEADER_PROBLEMS for problem in new):
        raise _like_a_header()
    if new:
        raise _unfit(new[0])


@contextmanager
def _fitting() -> Iterator[None]:
    """Raises UsageError for a text that is none of UTF-8, or that no note can have."""
    try:
        yield
    except UnicodeEncodeError:
        raise UsageError("the text is not UTF-8", "convert it: iconv -f latin1 -t utf-8") from None
    except NoteError as error:
        raise _unfit(error.problem) from None


def _like_a_header() -> UsageError:
    return UsageError(
        "the text begins with what would be read as properties of the note",
        "begin it with a sentence or a heading; --set changes properties",
    )


def _unfit(problem: Problem) -> UsageError:
    return UsageError(f"this text cannot stand in {problem.path}: it {problem.message}", problem.fix)


def _open(data: bytes, path: str) -> tuple[bytes, str, Header]:
    bom = BOM if data.startswith(BOM) else b""
    text = decode(data, path)
    head = split(text, path)
    if head.broken:
        raise NoteError(head.problems[0])
    return bom, text, head


def _eol(text: str) -> str:
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def _gap(header: str, eol: str) -> str:
    """What stands between a header and a text put below it."""
    return "" if not header else eol if header.endswith("\n") else eol + eol


def _set_off(text: str, eol: str) -> str:
    """A text as it stands below something else: with a blank line above it, unless it is empty."""
    return text if text.startswith(("\n", "\r\n")) or not text else eol + text


def _add_header(text: str, changes: Mapping[str, Value]) -> str:
    eol = _eol(text)
    header = render(changes, "").decode().replace("\n", eol)
    return header + _set_off(text, eol)


def _verify(before: Header, changes: Mapping[str, Value], after: Header, path: str) -> None:
    """Raise NoteError unless every property is as before, except for the changes."""
    expected: dict[str, Any] = {**before.meta, **changes}
    expected = {key: value for key, value in expected.items() if key not in changes or value is not None}
    form = before.form if before.form != "none" else "frontmatter"
    same = after.meta == expected or (
        form == "bold" and {k: _bold_form(v) for k, v in after.meta.items()} == _bold_forms(expected)
    )
    if after.form != form or after.broken or not same:
        raise _too_unusual(path)


def _too_unusual(path: str) -> NoteError:
    message = "this header is too unusual to edit without changing something else"
    fix = "edit it by hand, or write it as plain 'name: value' lines"
    return NoteError(Problem("frontmatter-edit", path, 1, message, fix))


# -- frontmatter -------------------------------------------------------------------------------------------


def _edit_block(text: str, head: Header, changes: Mapping[str, Value], path: str) -> str:
    """The frontmatter block of a text with some properties changed; new ones come last."""
    block, eol = text[head.start : head.end], _eol(text)
    if "&" in block:
        from mdmem.note import yaml12

        if yaml12.has_anchors(block):
            problem = "uses YAML anchors"
            raise NoteError(
                Problem("frontmatter-anchor", path, 2, problem, "write the values out, then try again")
            )
    for key, value in changes.items():
        if key in head.meta:
            block = _edit_key(block, key, head.meta[key], value, eol)
        else:
            block += "".join(line + eol for line in yamltext.lines(key, value))
    return block


def _edit_key(block: str, key: str, old: Value, value: Value, eol: str) -> str:
    """The block with a new value for a property that it has; None removes the property.

    A name that is written in an unusual way is not found, and the block stays as it is.
    """
    rows = _ROW.findall(block)
    names = (key, yamltext.quoted(key), "'" + key.replace("'", "''") + "'")
    label = re.compile(rf"(?:{'|'.join(map(re.escape, names))})(?=[ \t]*:\s)")
    at, name = next(((at, found[0]) for at, row in enumerate(rows) if (found := label.match(row))), (0, ""))
    if not name:
        return block
    end = at + 1
    while end < len(rows) and (not rows[end].strip() or rows[end][0] in " \t#-]}"):
        end += 1
    is_literal = bool(_LITERAL.match(rows[at], len(name)))
    while end > at + 1 and _is_trivia(rows[end - 1], is_literal):
        end -= 1
    region = [] if value is None else _new_region(rows[at:end], name, old, value, eol)
    return "".join([*rows[:at], *region, *rows[end:]])


def _is_trivia(row: str, in_literal: bool) -> bool:
    """Whether a row below a property is blank or a comment, and so does not belong to it."""
    bare = row.strip()
    return not bare or (bare.startswith("#") and not (in_literal and row[0] in " \t"))


def _new_region(region: Sequence[str], name: str, old: Value, value: Value, eol: str) -> Sequence[str]:
    """The rows of a property with a new value, changed as little as the two values allow."""
    head, *below = yamltext.lines("k", value)
    whole = [line + eol for line in (name + head[1:], *below)]
    written = _WRITTEN.fullmatch(region[0], len(name))
    if written is None:
        return whole
    colon, was, rest = written.groups()
    if isinstance(value, list) and value:
        if was.startswith("[") and not is_nested(value):
            return [name + colon + yamltext.flow_list(value) + rest]
        return ([] if was else _new_items(region, old, value, eol)) or whole
    if isinstance(value, list | dict) or was.startswith("[") or len(region) > 1:
        return whole
    gap = colon if was else colon.rstrip() + " "
    return [name + gap + _in_style(value, was[:1]) + rest]


def _in_style(value: str | int | float | bool | None, style: str) -> str:
    """A scalar in the quotes of the old value, if they can hold it."""
    if isinstance(value, str) and style == '"':
        return yamltext.quoted(value)
    if isinstance(value, str) and style == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    return yamltext.scalar(value)


def _new_items(region: Sequence[str], old: Value, value: list[Value], eol: str) -> list[str]:
    """The rows of a block list with new items: those of items that stay are kept. [] if it is no such list."""
    first = next((row for row in region[1:] if not _is_trivia(row, in_literal=False)), "")
    indent = first[: len(first) - len(first.lstrip())]
    starts = [at for at, row in enumerate(region) if at and re.match(rf"{indent}-\s", row)]
    if not isinstance(old, list) or len(starts) != len(old):
        return []
    starts = [_with_comments(region, start) for start in starts]
    pool = [(item, region[start:end]) for item, start, end in zip(old, starts, [*starts[1:], None], strict=True)]
    rows = list(region[: starts[0]])
    for item in value:
        kept = next((pair for pair in pool if pair[0] == item and type(pair[0]) is type(item)), None)
        if kept:
            pool.remove(kept)
        rows += kept[1] if kept else [line + eol for line in yamltext.item_lines(item, indent)]
    return rows


def _with_comments(region: Sequence[str], start: int) -> int:
    """The first row of the comments above an item, which belong to it; they are not in row 0."""
    while start > 1 and region[start - 1].lstrip().startswith("#"):
        start -= 1
    return start


# -- the legacy bold header --------------------------------------------------------------------------------


def _edit_bold(text: str, head: Header, changes: Mapping[str, Value], path: str) -> str:
    if any(is_nested(value) for value in changes.values()):
        problem = "a header of bold fields cannot hold nested values"
        raise NoteError(Problem("header-nested", path, 1, problem, "mdmem adopt turns it into frontmatter"))
    title, fields, rest = text[: head.start], text[head.start : head.end], text[head.end :]
    eol = _eol(text)
    for key, value in changes.items():
        if key == "title":
            title = title.replace(str(head.meta["title"]), as_text(value), 1)
        else:
            fields = _edit_bold_field(fields, key, value, eol)
    return title + fields + rest


def _edit_bold_field(fields: str, key: str, value: Value, eol: str) -> str:
    at = 0
    while (match := BOLD_FIELD.match(fields, at)) is not None:
        at = match.end()
        if bold_key(match["key"]) == key:
            if value is None:
                return fields[: match.start("key") - 2] + fields[match.end() :]
            tail = match["value"][len(match["value"].rstrip()) :]
            return f"{fields[: match.start('value')]} {_bold_form(value)}{tail}{fields[match.end('value') :]}"
    if value is None:
        return fields
    label = key.replace("_", " ").capitalize()
    return f"{fields}{'' if fields.endswith(chr(10)) else eol}**{label}:** {_bold_form(value)}{eol}"


def _bold_form(value: Value) -> str:
    """A value as one line of a bold header."""
    if isinstance(value, list):
        return yamltext.flow_list(value)
    text = as_text(value)
    plain = text and text == text.strip() and text.isprintable() and text[0] not in '[{"'
    return text if plain else yamltext.quoted(text)


def _bold_forms(meta: Mapping[str, Value]) -> dict[str, str]:
    return {
        key: blocks.heading_text(as_text(value)) if key == "title" else _bold_form(value)
        for key, value in meta.items()
    }
