"""Structured bodies: `## Section` headings with nested bullets as data, and back.

    ## Intent                          {"intent": {"goal": "Fix JWT expiry",
                                                   "constraints": ["Keep old sessions"]},
    - goal: Fix JWT expiry
    - constraints:
      - Keep old sessions

    ## Timeline                         "timeline": [{"t": "10:30", "event_kind": "user_input"}],

    - - t: 10:30
      - event_kind: user_input

    ## Summary                          "summary": "Plain text is text."}

    Plain text is text.

`parse` and `render` are twins: `parse(render(data)) == data` for every JSON-like mapping, and rendering what
was parsed from hand-written text reaches a fixed point. Bullets are a mapping if every one reads
`name: value`, else a list. A text that would read back as something else is written as a JSON string;
values nested deeper than MAX_LEVEL are written as JSON on one line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NoReturn

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from mdmem.note import blocks
from mdmem.text.yaml12 import Value

MAX_LEVEL = 5
INTRO = ""  # the key of the text above the first section

_NAME = re.compile(
    r"(?P<name>[A-Za-z_][A-Za-z0-9_ -]*?|\"(?:[^\"\\]|\\.)*\")[ \t]*:(?:[ \t]+(?P<value>.*))?", re.S
)
_JSON_START = re.compile(r"[-\d\"{\[tfn]")
_SAFE_TEXT = re.compile(
    r"[^\s\x00-\x2f:;<=>?@\[\\\]^`{|}~\x7f-\x9f][^\x00-\x1f\x7f-\x9f\u2028\u2029]*(?<!\s)|[^\W_]"
)
_PLAIN_NAME = re.compile(r"[A-Za-z_](?:[A-Za-z0-9_ -]*[A-Za-z0-9_-])?")
_KEY_HEADING = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")


def parse(body: str) -> dict[str, Value]:
    """The sections of a body (`\\n` line ends) as data, in order; text above the first one is under INTRO."""
    data: dict[str, Value] = {}
    for key, text in _sections(body):
        if key != INTRO or text:
            data[_unused(key, data)] = _section_value(text)
    return data


def render(data: Mapping[str, Value]) -> str:
    """A body whose sections say `data`, INTRO first. Raises TypeError for what JSON could not hold."""
    parts = [_render_section(data[INTRO]) or '""'] if INTRO in data else []
    for key, value in data.items():
        if key != INTRO:
            text = _render_section(value)
            parts.append(f"## {heading_of(key)}" + (f"\n\n{text}" if text else ""))
    return "\n\n".join(parts) + "\n" if parts else ""


def heading_of(key: str) -> str:
    """`tool_graph` as `Tool graph`; a key that would not come back is written as a JSON string."""
    if _KEY_HEADING.fullmatch(key):
        return key.replace("_", " ").capitalize()
    return json.dumps(key)


def key_of(heading: str) -> str:
    """`Tool graph` as `tool_graph`."""
    if heading.startswith('"'):
        value = _json_or_none(heading)
        if isinstance(value, str):
            return value
    return re.sub(r"[\s-]+", "_", heading.strip()).lower()


# -- reading -----------------------------------------------------------------------------------------------


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"maxNesting": 4 * (MAX_LEVEL + 4)}).disable(["reference", "html_block"])


def _sections(body: str) -> Iterator[tuple[str, str]]:
    """(key, text) of what is above the first heading of the second level, and of what is under each."""
    lines = body.split("\n")
    key, start = INTRO, 0
    for heading in blocks.headings(body):
        if heading.level == 2:
            yield key, "\n".join(lines[start : heading.line - 1]).strip()
            key, start = key_of(heading.text), heading.end
    yield key, "\n".join(lines[start:]).strip()


def _unused(key: str, data: Mapping[str, Value]) -> str:
    """`key`, or `key_2` and so on if a heading is used twice: nothing is dropped."""
    name, number = key, 2
    while name in data:
        name, number = f"{key}_{number}", number + 1
    return name


def _section_value(text: str) -> Value:
    if not re.match(r"[-*+] ", text):
        return _scalar_value(text)
    root = SyntaxTreeNode(_parser().parse(text))
    if len(root.children) == 1 and root.children[0].type == "bullet_list":
        return _list_value(root.children[0], text)
    return text


def _list_value(node: SyntaxTreeNode, source: str) -> Value:
    pairs = [_pair(item) for item in node.children]
    names = [pair[0] for pair in pairs if pair is not None]
    if len(names) == len(pairs) == len(set(names)):
        return {pair[0]: _pair_value(pair, source) for pair in pairs if pair is not None}
    return [_item_value(item, source) for item in node.children]


def _pair(item: SyntaxTreeNode) -> tuple[str, str | None, SyntaxTreeNode] | None:
    """(name, text behind the colon or None, the item) of a bullet `name: value`, else None."""
    if not item.children or item.children[0].type != "paragraph":
        return None
    match = _NAME.fullmatch(item.children[0].children[0].content)
    nested = item.children[1:]
    if match is None or (match["value"] is not None and nested):
        return None
    if nested and (len(nested) > 1 or nested[0].type != "bullet_list"):
        return None
    name = match["name"]
    if name.startswith('"'):
        decoded = _json_or_none(name)
        if not isinstance(decoded, str):
            return None
        name = decoded
    return name, match["value"], item


def _pair_value(pair: tuple[str, str | None, SyntaxTreeNode], source: str) -> Value:
    _, text, item = pair
    if text is None and len(item.children) == 2:
        return _list_value(item.children[1], source)
    return _scalar_value(text or "")


def _item_value(item: SyntaxTreeNode, source: str) -> Value:
    children = item.children
    if len(children) == 1 and children[0].type == "bullet_list":
        return _list_value(children[0], source)
    if len(children) == 1 and children[0].type == "paragraph":
        return _scalar_value(children[0].children[0].content)
    return _source_of(item, source)


def _source_of(item: SyntaxTreeNode, source: str) -> str:
    """The text of a bullet that holds more than one block, its indentation taken away."""
    start, end = item.map or (0, 0)
    lines = source.split("\n")[start:end]
    indent = len(lines[0]) - len(lines[0].lstrip()) + 2
    rest = [line[indent:] if not line[:indent].strip() else line for line in lines[1:]]
    return "\n".join([lines[0].strip()[1:].strip(), *rest]).strip()


def _scalar_value(text: str) -> Value:
    if _JSON_START.match(text):
        value: Value = _json_or_none(text)
        if value is not None or text == "null":
            return value
    return text


def _json_or_none(text: str) -> Any:
    """The JSON value that a text is, None if writing that value would not say the same."""
    try:
        return json.loads(
            text, parse_constant=_refuse, parse_int=_int, parse_float=_float, object_pairs_hook=_mapping
        )
    except (ValueError, RecursionError):
        return None


def _int(text: str) -> int:
    return int(text) if str(int(text)) == text else _refuse(text)


def _float(text: str) -> float:
    return float(text) if json.dumps(float(text)) == text else _refuse(text)


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _refuse(str(pairs))


def _refuse(text: str) -> NoReturn:
    raise ValueError(text)


# -- writing -----------------------------------------------------------------------------------------------


def _render_section(value: Value) -> str:
    if isinstance(value, dict | list) and value:
        text = "\n".join(_bullets(value, 0))
    elif isinstance(value, str):
        text = value
    else:
        text = _json(value)
    if _reads_back(text, value):
        return text
    return _json(value)


def _reads_back(text: str, value: Value) -> bool:
    sections = list(_sections(f"## K\n\n{text}\n\n## L\n"))
    return [key for key, _ in sections] == [INTRO, "k", "l"] and _same(_section_value(sections[1][1]), value)


def _same(a: Any, b: Any) -> bool:
    """Equal, with 1, 1.0 and true told apart."""
    return bool(a == b) and json.dumps(a) == json.dumps(b)


def _bullets(value: Any, level: int) -> Iterator[str]:
    indent = "  " * level
    if isinstance(value, dict):
        for key, item in value.items():
            name = key if _PLAIN_NAME.fullmatch(key) else json.dumps(key)
            if _nests(item, level):
                yield f"{indent}- {name}:"
                yield from _bullets(item, level + 1)
            else:
                yield f"{indent}- {name}: {_scalar_text(item)}".rstrip(" ")
        return
    for item in value:
        if _nests(item, level):
            first, *rest = _bullets(item, level + 1)
            yield f"{indent}- {first.lstrip()}"
            yield from rest
        else:
            yield f"{indent}- {_scalar_text(item, in_list=True)}"


def _nests(item: Value, level: int) -> bool:
    return isinstance(item, dict | list) and bool(item) and level < MAX_LEVEL


def _scalar_text(value: Value, in_list: bool = False) -> str:
    if not isinstance(value, str):
        return _json(value)
    plain = _SAFE_TEXT.fullmatch(value) and _scalar_value(value) is value
    if plain and not (in_list and _NAME.match(value)):
        return value
    return _json(value)


def _json(value: Value) -> str:
    return (
        json.dumps(value, ensure_ascii=False)
        .replace("\x7f", "\\u007f")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
        .replace("\x85", "\\u0085")
    )
