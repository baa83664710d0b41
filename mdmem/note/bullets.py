"""Nested bullets as values, and back.

    - goal: Fix JWT expiry            {"goal": "Fix JWT expiry",
    - constraints:                     "constraints": ["Keep old sessions"],
      - Keep old sessions
    - steps:                           "steps": [{"step": "Read the log", "tool": "shell"}],
      - step: Read the log
        - tool: shell
    - error:                           "error": "line 1\\nline 2"}
      ```
      line 1
      line 2
      ```

Bullets are a mapping if every one reads `name: value`, else a list; a bullet `name: value` with more bullets below
it is an item that is a mapping. A shape (`shapes`), if there is one, decides instead. A value that would read back
as something else, or is nested deeper than MAX_LEVEL, is written as JSON on one line. `write` is right by
construction: nothing is parsed to check it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import dropwhile, takewhile
from typing import NamedTuple, NoReturn

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from mdmem.note.shapes import ANY, Objection, Shape, joined, of_json
from mdmem.note.terminal import quoted
from mdmem.note.yamltext import Value

MAX_LEVEL = 5
_JSON = "json"  # the info string of fenced code that is a value

_PAIR = re.compile(r"(?P<name>[^\W\d][\w -]*?|\"(?:[^\"\\]|\\.)*\")[ \t]*:(?:[ \t]+(?P<value>.*))?", re.S)
_PLAIN_NAME = re.compile(r"[^\W\d](?:[\w -]*[\w-])?")
_JSON_START = re.compile(r"[-\d\"{\[tfn]")
# A bullet beginning like this would be another bullet, a heading, a quote, code, a rule, a table, HTML or JSON.
_RISKY_START = re.compile(r"[-+*#>=~`<|_\[{\"\\:&]|\d{1,9}[.)]")
_NOT_WRITABLE = re.compile(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_FLAGS = {"true": True, "yes": True, "false": False, "no": False}


class Pair(NamedTuple):
    """A bullet that reads `name: value`; `text` is None if the value is below it."""

    name: str
    text: str | None
    bullet: Bullet

    def field(self, shape: Shape) -> str:
        """The field that a person means by the name."""
        return field_name(self.name, shape)

    @property
    def is_whole(self) -> bool:
        """Whether the value is in one place: not both beside the name and below it."""
        below = self.bullet.nested is not None or self.bullet.code is not None
        return self.bullet.source is None and (self.text is None or not below)


# -- reading -------------------------------------------------------------------------------------------------


class BulletReader:
    """Reads bullets as values; `lines` records where each field is, `faults` what cannot be read.

    `ignored` are lists that were left out: (field, line).

    `above` is the number of lines above the text, so that lines are those of the whole file (1-based).
    """

    def __init__(self, above: int = 0) -> None:
        self.above = above
        self.lines: dict[str, int] = {}
        self.faults: list[Objection] = []
        self.ignored: list[tuple[str, int]] = []

    def container(self, bullets: Sequence[Bullet], shape: Shape, field: str) -> Value:
        """A list or mapping, as the shape requires, or else as the bullets read."""
        pairs = [pair_of(bullet) for bullet in bullets]
        if shape.is_named:
            return self._named(bullets, pairs, shape, field)
        whole = [pair for pair in pairs if pair is not None and pair.is_whole]
        is_mapping = len(whole) == len(bullets) == len({pair.name for pair in whole})
        if shape.kind == "any" and is_mapping:
            return self._pairs(whole, shape, field)
        items = shape.items or ANY
        return [self._item(bullet, items, f"{field}[{index}]") for index, bullet in enumerate(bullets)]

    def _named(
        self, bullets: Sequence[Bullet], pairs: Sequence[Pair | None], shape: Shape, field: str
    ) -> dict[str, Value]:
        for bullet, pair in zip(bullets, pairs, strict=True):
            if pair is None or not pair.is_whole:
                self._note(field, bullet)
                names = ", ".join(shape.fields) or "name"
                self.faults.append(Objection(field, f"has a bullet '{_start(bullet)}'", f"write {names}: value"))
        return self._pairs([pair for pair in pairs if pair is not None and pair.is_whole], shape, field)

    def _pairs(self, pairs: Sequence[Pair], shape: Shape, field: str) -> dict[str, Value]:
        values: dict[str, Value] = {}
        for pair in pairs:
            name = pair.field(shape)
            inner = joined(field, name)
            if name in values:
                self.faults.append(Objection(inner, "is given twice", "delete one of them"))
            else:
                values[name] = self._value(pair.bullet, pair.text, shape.of(name), inner)
            self._note(inner, pair.bullet)
        return values

    def _value(self, bullet: Bullet, text: str | None, shape: Shape, field: str) -> Value:
        """The value of a text, or of what is below the bullet if there is none."""
        if text is None and bullet.nested is not None:
            return self.container(bullet.nested, shape, field)
        if text is None and bullet.code is not None:
            return code_value(bullet.code, shape)
        return scalar_value(text or "", shape)

    def _item(self, bullet: Bullet, shape: Shape, field: str) -> Value:
        self._note(field, bullet)
        pair = pair_of(bullet)
        if shape.is_named and bullet.text is not None:
            return self._named_item(bullet, pair, shape, field)
        if bullet.source is not None:
            return bullet.source
        if bullet.text is None or (bullet.nested is None and bullet.code is None):
            return self._value(bullet, bullet.text, shape, field)
        more = self._more_of(pair, field) if shape.kind == "any" else None
        return more if more is not None else _plain_source(bullet)

    def _more_of(self, pair: Pair | None, field: str) -> Value:
        """The mapping that `name: value` begins and the bullets below it continue; None if it is not one."""
        nested = pair.bullet.nested if pair else None
        if pair is None or pair.text is None or nested is None:
            return None
        rest = self.container(nested, ANY, field)
        if not isinstance(rest, dict) or pair.name in rest:
            return None
        return {pair.name: scalar_value(pair.text, ANY), **rest}

    def _named_item(self, bullet: Bullet, pair: Pair | None, shape: Shape, field: str) -> Value:
        """An item that is a mapping: its first line is a pair, or just the value of its first field."""
        text = bullet.text or ""
        if text.startswith("{") and (value := json_or_none(text)) is not None:
            return value
        is_pair = pair is not None and (not shape.fields or shape.is_open or pair.field(shape) in shape.fields)
        if pair is not None and is_pair and pair.text is None:
            return self._pairs([pair], shape, field)
        if is_pair:
            head = {name: scalar_value(said, shape.of(name)) for name, said in _fields_in(text, shape)}
        elif shape.fields:
            first = next(iter(shape.fields))
            head = {first: scalar_value(text, shape.of(first))}
        else:
            self.faults.append(Objection(field, f"is '{_start(bullet)}'", "write name: value"))
            head = {}
        rest = self.container(bullet.nested, shape, field) if bullet.nested else {}
        return {**head, **rest} if isinstance(rest, dict) else head

    def _note(self, field: str, bullet: Bullet) -> None:
        self.lines.setdefault(field, self.above + bullet.first + 1)


def _fields_in(text: str, shape: Shape) -> list[tuple[str, str]]:
    """(name, value) of each line of a paragraph that names a field; other lines continue the one above."""
    found: list[tuple[str, str]] = []
    for line in text.split("\n"):
        match = _PAIR.fullmatch(line.strip())
        name = field_name(match["name"], shape) if match else ""
        if match and (name in shape.fields or not found):
            found.append((_unquoted(name), match["value"] or ""))
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]}\n{line}")
    return found


def _unquoted(text: str) -> str:
    """The text that a JSON string stands for; any other text is its own."""
    value = json_or_none(text) if text.startswith('"') else None
    return value if isinstance(value, str) else text


def pair_of(bullet: Bullet) -> Pair | None:
    """A bullet as `name: value`; None if it does not have that form."""
    match = _PAIR.fullmatch(bullet.text) if bullet.text is not None else None
    if match is None:
        return None
    name = json_or_none(match["name"]) if match["name"].startswith('"') else match["name"]
    return Pair(name, match["value"], bullet) if isinstance(name, str) else None


def field_name(name: str, shape: Shape) -> str:
    """The field that a person means by a name: `event_kind` for `Event kind`."""
    plain = re.sub(r"[\s-]+", "_", name.strip()).lower()
    return plain if name not in shape.fields and plain in shape.fields else name


def _start(bullet: Bullet) -> str:
    return quoted((bullet.text or bullet.source or "").split("\n")[0])


def _plain_source(bullet: Bullet) -> str:
    """The text of a bullet that is neither a scalar nor a mapping: its own, and that of bullets below it."""
    below = (
        bullet.code.text if bullet.code else "\n".join(f"- {_plain_source(one)}" for one in bullet.nested or ())
    )
    return "\n".join(part for part in (bullet.text, below) if part)


def scalar_value(text: str, shape: Shape) -> Value:
    """The value that a text stands for according to a shape; the text itself if it does not fit that."""
    if shape.kind in ("text", "uuid", "moment", "choice"):
        return _unquoted(text)
    if shape.kind == "flag":
        return _FLAGS.get(text.lower(), text)
    if shape.kind in ("number", "integer"):
        number = json_or_none(text, exact=False)
        return number if isinstance(number, int | float) and not isinstance(number, bool) else text
    if not text and shape.kind != "any":
        return [] if shape.kind == "list" else {}
    if _JSON_START.match(text):
        value = json_or_none(text, exact=shape.kind == "any")
        if value is not None or text == "null":
            return value
    return text


def code_value(code: Code, shape: Shape) -> Value:
    """The value of fenced code: its text, or the JSON in it if its info string or the shape says so."""
    if shape.kind in ("list", "mapping", "record") or (shape.kind == "any" and code.info == _JSON):
        value = json_or_none(code.text, exact=False)
        if value is not None:
            return value
    return code.text


def json_or_none(text: str, exact: bool = True) -> Value:
    """The JSON value of a text; None if it is not JSON or, if `exact`, would be written differently."""
    integer, decimal = (_int, _float) if exact else (None, None)
    try:
        value: Value = of_json(text, parse_int=integer, parse_float=decimal)
    except (ValueError, RecursionError):
        return None
    return value


def _int(text: str) -> int:
    return int(text) if str(int(text)) == text else _refuse(text)


def _float(text: str) -> float:
    return float(text) if json.dumps(float(text)) == text else _refuse(text)


def _refuse(text: str) -> NoReturn:
    raise ValueError(text)


# -- writing -------------------------------------------------------------------------------------------------


def write(value: Value, shape: Shape = ANY, indent: str = "", level: int = 0) -> Iterator[str]:
    """The lines of a non-empty list or mapping, as bullets."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _pair_lines(name, item, shape.of(name), indent, level)
    elif isinstance(value, list):
        for item in value:
            yield from _item_lines(item, shape.items or ANY, indent, level)


def _pair_lines(name: str, value: Value, shape: Shape, indent: str, level: int) -> Iterator[str]:
    label = f"{indent}- {written_name(name)}:"
    if _nests(value, level):
        yield label
        yield from write(value, shape, indent + "  ", level + 1)
    elif isinstance(value, str) and _fits_code(value):
        yield label
        yield from code_lines(value, indent + "  ")
    else:
        yield f"{label} {scalar_text(value, shape)}"


def _item_lines(value: Value, shape: Shape, indent: str, level: int) -> Iterator[str]:
    begin = f"{indent}- "
    if _nests(value, level):
        yield from _nested_item(value, shape, begin, level)
    elif isinstance(value, str) and _fits_code(value):
        first, *rest = code_lines(value, indent + "  ")
        yield begin + first.lstrip()
        yield from rest
    else:
        yield begin + scalar_text(value, shape, in_list=True)


def _nested_item(value: Value, shape: Shape, begin: str, level: int) -> Iterator[str]:
    """An item that is a list or mapping. The first pair of a mapping is on its first line if that is clear."""
    indent = " " * len(begin)
    if isinstance(value, dict):
        (name, head), *rest = value.items()
        if (
            (rest or shape.is_named)
            and not _nests(head, level)
            and not (isinstance(head, str) and _fits_code(head))
        ):
            yield f"{begin}{written_name(name)}: {scalar_text(head, shape.of(name))}"
            yield from write(dict(rest), shape, indent, level + 1)
            return
    first, *others = write(value, shape, indent, level + 1)
    yield begin + first.lstrip()
    yield from others


def written_name(name: str) -> str:
    """A name as written before its colon."""
    return name if _PLAIN_NAME.fullmatch(name) and name.isprintable() else as_json(name)


def _nests(value: Value, level: int) -> bool:
    return isinstance(value, dict | list) and bool(value) and level < MAX_LEVEL


def scalar_text(value: Value, shape: Shape, in_list: bool = False) -> str:
    """A value on one line: as plain text if it reads back as that text, else as JSON."""
    if not isinstance(value, str) or value != value.strip() or not value or not value.isprintable():
        return as_json(value)
    if in_list and (
        _RISKY_START.match(value) or (shape.kind in ("any", "record", "mapping") and _PAIR.fullmatch(value))
    ):
        return as_json(value)
    return value if scalar_value(value, shape) == value else as_json(value)


def _fits_code(text: str) -> bool:
    """Whether fenced code in a bullet preserves a text: several printable lines without trailing blanks."""
    rows = text.split("\n")
    is_ragged = any(row != row.rstrip() or not (row.isprintable() or not row) for row in rows)
    return len(rows) > 1 and not is_ragged and bool(rows[0]) and bool(rows[-1])


def code_lines(text: str, indent: str) -> Iterator[str]:
    """Fenced code; its fence is longer than any in the text."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    yield indent + fence
    yield from (indent + row if row else "" for row in text.split("\n"))
    yield indent + fence


def as_json(value: Value) -> str:
    """A value as JSON on one line, for a text file. Raises ValueError for infinities and NaN, TypeError."""
    written = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _NOT_WRITABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", written)


# -- the bullets and code of a Markdown text -------------------------------------------------------------------
#
# The only module that parses with markdown-it-py.


MAX_NESTING = 36  # nested blocks that are read; each bullet counts for several

# A bullet of one line of plain words, which is a paragraph whatever stands above or below it.
_PLAIN_BULLET = re.compile(r"(?P<indent>(?:\x20\x20){0,7})- (?P<text>(?:[^\W\d_]|\"|\d(?!\d{0,8}[.)]))(?:.*\S)?)")


class Code(NamedTuple):
    """Fenced code: its info string, and its text."""

    info: str
    text: str


class Bullet(NamedTuple):
    """A bullet of a text: lines `first` (0-based) up to `end`.

    `text` is its first paragraph, `code` and `nested` are what follows that. `source` is the whole bullet, if it
    has more than those.
    """

    first: int
    end: int
    text: str | None
    code: Code | None
    nested: tuple[Bullet, ...] | None
    source: str | None = None


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).disable(["reference", "html_block", "inline"])


def whole_list(text: str) -> tuple[Bullet, ...]:
    """The bullets of a text that is just one list, numbered or not; () for any other."""
    if plain := _plain_list(text):
        return plain
    nodes = SyntaxTreeNode(_parser().parse(text)).children
    return _bullets(nodes[0], text.split("\n")) if len(nodes) == 1 and _is_list(nodes[0]) else ()


def first_list(text: str) -> tuple[Bullet, ...]:
    """The bullets of the first lists in a text, whatever their markers; () if it has none."""
    if plain := _plain_list(text):
        return plain
    rows = text.split("\n")
    blocks = dropwhile(lambda node: not _is_list(node), SyntaxTreeNode(_parser().parse(text)).children)
    return tuple(bullet for node in takewhile(_is_list, blocks) for bullet in _bullets(node, rows))


def code_of(text: str) -> Code | None:
    """The fenced code that makes up a text; None if there is anything else in it."""
    nodes = SyntaxTreeNode(_parser().parse(text)).children
    return _code(nodes[0]) if len(nodes) == 1 and nodes[0].type == "fence" else None


def _plain_list(text: str) -> tuple[Bullet, ...]:
    """The bullets of a text that is one list in the form that `bullets.write` gives it without code; else ()."""
    rows = text.split("\n")
    matches = [match for row in rows if row.isprintable() and (match := _PLAIN_BULLET.fullmatch(row))]
    if len(matches) < len(rows):
        return ()
    levels = [len(match["indent"]) // 2 for match in matches]
    is_nested_by_steps = all(level <= above + 1 for above, level in zip([-1, *levels], levels, strict=False))
    return _plain_bullets(levels, [match["text"] for match in matches], 0, len(rows)) if is_nested_by_steps else ()


def _plain_bullets(levels: Sequence[int], texts: Sequence[str], start: int, end: int) -> tuple[Bullet, ...]:
    """The bullets in the lines from `start` up to `end` that are of the same level as the first."""
    level = levels[start]
    places = [place for place in range(start, end) if levels[place] == level]
    ends = [*places[1:], end]
    return tuple(
        Bullet(
            place,
            below,
            texts[place],
            None,
            _plain_bullets(levels, texts, place + 1, below) if below > place + 1 else None,
        )
        for place, below in zip(places, ends, strict=True)
    )


def _is_list(node: SyntaxTreeNode) -> bool:
    return node.type in ("bullet_list", "ordered_list")


def _code(node: SyntaxTreeNode) -> Code:
    return Code(node.info.strip(), node.content.removesuffix("\n"))


def _bullets(node: SyntaxTreeNode, rows: Sequence[str]) -> tuple[Bullet, ...]:
    return tuple(_bullet(item, rows) for item in node.children)


def _bullet(item: SyntaxTreeNode, rows: Sequence[str]) -> Bullet:
    first, end = item.map or (0, 0)
    blocks = list(item.children)
    head = blocks.pop(0) if blocks and blocks[0].type == "paragraph" else None
    below = blocks.pop(0) if blocks and (_is_list(blocks[0]) or blocks[0].type == "fence") else None
    return Bullet(
        first,
        _end_of(rows, first, end),
        head.children[0].content if head else None,
        _code(below) if below and below.type == "fence" else None,
        _bullets(below, rows) if below and _is_list(below) else None,
        _source_of(rows[first:end]) if blocks else None,
    )


def _end_of(rows: Sequence[str], first: int, end: int) -> int:
    """The line after the last line of a bullet that is not blank."""
    while end > first + 1 and not rows[end - 1].strip():
        end -= 1
    return end


def _source_of(rows: Sequence[str]) -> str:
    """The text of a bullet that holds more than a value, without its indentation."""
    indent = len(rows[0]) - len(rows[0].lstrip()) + 2
    rest = [row[indent:] if not row[:indent].strip() else row for row in rows[1:]]
    return "\n".join([rows[0].strip()[1:].strip(), *rest]).strip()
