"""Changes the values of a structured body, and only the lines of values that differ.

Bullets that stay keep their lines, markers and indents; new ones are written like their neighbours. If that
would not read back as asked, the whole section is written again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from mdmem.note.structured import sections, structure
from mdmem.note.structured.bullets import BulletReader, pair_of
from mdmem.note.structured.bullets import write as write_bullets
from mdmem.note.structured.shapes import ANY, Shape
from mdmem.note.structured.structure import Bullet
from mdmem.note.yamltext import Value

_MARKERS = ("-", "*", "+")


def edit(body: str, values: Mapping[str, Value], shape: Shape) -> str:
    """A body (`\\n` line endings) with new `values`; only the lines of values that differ change.

    A field that is not in `values` loses its section, a new one gets one in the order of the table. Sections
    that are not fields of the shape stay where they are.
    """
    current = sections.read(body, shape).values
    parts: list[str] = []
    left = {key: value for key, value in values.items() if key not in current}
    for section in sections.split(body):
        rows = body.split("\n")[section.line : section.end]
        is_field = section.heading and section.key in current
        if is_field and section.key not in values:
            continue
        text = "\n".join(rows)
        if is_field and not sections.same(current.pop(section.key), values[section.key]):
            text = _edited_section(section, rows, values[section.key], shape.of(section.key))
        if rows:
            parts.append(text)
    return _with_new_sections(parts, left, shape)


def _with_new_sections(parts: list[str], new: Mapping[str, Value], shape: Shape) -> str:
    body = "\n".join(parts)
    for key in sorted(new, key=_place_in(shape)):
        text = sections.render({key: new[key]}, shape).rstrip("\n")
        before = [
            one
            for one in sections.split(body)
            if one.heading and _place_in(shape)(one.key) > _place_in(shape)(key)
        ]
        rows = body.split("\n")
        if before and before[0].key in shape.fields:
            at = before[0].line
            body = "\n".join([*rows[:at], *text.split("\n"), "", *rows[at:]])
        else:
            body = f"{body.rstrip()}\n\n{text}\n" if body.strip() else f"{text}\n"
    return body


def _place_in(shape: Shape) -> Callable[[str], int]:
    order = {key: place for place, key in enumerate(shape.fields)}
    return lambda key: order.get(key, len(order))


def _edited_section(section: sections.Section, rows: Sequence[str], value: Value, shape: Shape) -> str:
    """The lines of a section with another value."""
    head, below = list(rows[: section.start - section.line]), list(rows[section.start - section.line :])
    bullets = _bullets_of(below)
    if isinstance(value, list | dict) and value and bullets:
        first, end = bullets[0].first, bullets[-1].end
        edited = [*below[:first], *_edited_bullets(below, bullets, value, shape, 0), *below[end:]]
        new = "\n".join([*head, *edited])
        if sections.same(sections.value_of(sections.split(new)[-1], shape, BulletReader()), value):
            return new
    text = sections.section_text(value, shape)
    ending = len(rows) - len("\n".join(rows).rstrip().split("\n"))
    return "\n".join([*head, *(["", *text.split("\n")] if text else []), *[""] * ending])


def _bullets_of(rows: Sequence[str]) -> Sequence[Bullet]:
    """The bullets of a section whose lines can be edited; none if the list is numbered."""
    found = structure.first_list("\n".join(rows))
    return found if all(bullet.marker in _MARKERS for bullet in found) else ()


def _gaps(rows: Sequence[str], bullets: Sequence[Bullet]) -> list[Sequence[str]]:
    """The blank lines between each bullet and the next one."""
    following = [bullet.first for bullet in bullets[1:]]
    return [*(rows[one.end : first] for one, first in zip(bullets, following, strict=False)), []]


def _edited_bullets(
    rows: Sequence[str], bullets: Sequence[Bullet], value: Value, shape: Shape, level: int
) -> Iterator[str]:
    """The lines of bullets with a new value: unchanged lines are kept, the others written again."""
    pairs = [pair for bullet in bullets if (pair := pair_of(bullet))]
    wanted: list[Value]
    if isinstance(value, dict) and len(pairs) == len(bullets):
        was = [pair.field(shape) for pair in pairs]
        now = [
            *(name for name in dict.fromkeys(was) if name in value),
            *(name for name in value if name not in was),
        ]
        wanted = [{name: value[name]} for name in now]
    elif isinstance(value, list):
        old = BulletReader().container(bullets, shape)
        was = [json.dumps(item, sort_keys=True) for item in old] if isinstance(old, list) else [""] * len(bullets)
        now = [json.dumps(item, sort_keys=True) for item in value]
        wanted = [[item] for item in value]
    else:
        yield from _written(value, shape, bullets[0], level)
        return
    gaps = _gaps(rows, bullets)
    for _, start, end, new_start, new_end in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        parts = wanted[new_start:new_end]
        if end - start == len(parts):
            for place, part in zip(range(start, end), parts, strict=True):
                yield from _edited(rows, bullets[place], part, shape, level)
                yield from gaps[place]
        else:
            for part in parts:
                yield from _written(part, shape, bullets[0], level)


def _edited(rows: Sequence[str], bullet: Bullet, part: Value, shape: Shape, level: int) -> Iterator[str]:
    """The lines of a bullet whose pair or item is now `part`, a mapping or a list of one."""
    kind = "mapping" if isinstance(part, dict) else "list"
    below, inner = _below(bullet, part, shape)
    if sections.same(BulletReader().container([bullet], shape._replace(kind=kind)), part):
        yield from rows[bullet.first : bullet.end]
    elif below and bullet.nested:
        yield from rows[bullet.first : bullet.nested[0].first]
        yield from _edited_bullets(rows, bullet.nested, below, inner, level + 1)
    else:
        yield from _written(part, shape, bullet, level)


def _below(bullet: Bullet, part: Value, shape: Shape) -> tuple[Value, Shape]:
    """What the bullets below one have to say, and its shape, if its first line can stay; else None."""
    if isinstance(part, dict):
        ((name, new),) = part.items()
        pair = pair_of(bullet)
        stays = pair and pair.text is None and pair.field(shape) == name and isinstance(new, list | dict)
        return new if stays else None, shape.of(name)
    said = BulletReader().container([bullet._replace(nested=None)], shape)
    head = said[0] if isinstance(said, list) else said
    item = part[0] if isinstance(part, list) else part
    is_apart = bullet.nested and bullet.nested[0].first > bullet.first
    if is_apart and isinstance(item, dict) and isinstance(head, dict):
        kept = {name: item[name] for name in head if name in item}
        if sections.same(kept, head):
            return {name: value for name, value in item.items() if name not in head}, shape.items or ANY
    return None, ANY


def _written(value: Value, shape: Shape, like: Bullet, level: int) -> Iterator[str]:
    """A value as bullets in the place of another bullet, with its marker and column."""
    marker = like.marker if like.marker in _MARKERS else "-"
    yield from write_bullets(value, shape, " " * like.column, level, marker)
