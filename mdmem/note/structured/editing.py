"""Changes the values of a structured body, and only the lines of values that differ.

Bullets that stay keep their lines, markers and indents; new ones are written like their neighbours. If that
would not read back as asked, the whole section is written again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from mdmem.note.structured import sections, structure
from mdmem.note.structured.bullets import BulletReader, Pair, pair_of
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
    if not body:
        return sections.render({key: values[key] for key in sorted(values, key=_place_in(shape))}, shape)
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


def _edited_bullets(
    rows: Sequence[str], bullets: Sequence[Bullet], value: Value, shape: Shape, level: int
) -> Iterator[str]:
    """The lines of bullets with a new value: unchanged lines are kept, the others written again."""
    if isinstance(value, dict) and all(pair_of(bullet) for bullet in bullets):
        yield from _edited_pairs(rows, bullets, value, shape, level)
    elif isinstance(value, list):
        yield from _edited_items(rows, bullets, value, shape, level)
    else:
        yield from _written(value, shape, bullets[0], level)


def _gaps(rows: Sequence[str], bullets: Sequence[Bullet]) -> list[Sequence[str]]:
    """The blank lines between each bullet and the next one."""
    following = [bullet.first for bullet in bullets[1:]]
    return [*(rows[one.end : first] for one, first in zip(bullets, following, strict=False)), []]


def _edited_pairs(
    rows: Sequence[str], bullets: Sequence[Bullet], value: Mapping[str, Value], shape: Shape, level: int
) -> Iterator[str]:
    left = dict(value)
    for bullet, gap in zip(bullets, _gaps(rows, bullets), strict=True):
        pair = pair_of(bullet)
        name = pair.field(shape) if pair else ""
        if pair is None or name not in left:
            continue
        yield from _edited_pair(rows, pair, {name: left.pop(name)}, shape, level)
        yield from gap
    yield from _written(left, shape, bullets[0], level)


def _edited_pair(
    rows: Sequence[str], pair: Pair, wanted: dict[str, Value], shape: Shape, level: int
) -> Iterator[str]:
    ((name, new),) = wanted.items()
    bullet = pair.bullet
    if sections.same(BulletReader().container([bullet], shape._replace(kind="mapping")), wanted):
        yield from rows[bullet.first : bullet.end]
    elif pair.text is None and bullet.nested and isinstance(new, list | dict) and new:
        yield from rows[bullet.first : bullet.nested[0].first]
        yield from _edited_bullets(rows, bullet.nested, new, shape.of(name), level + 1)
    else:
        yield from _written(wanted, shape, bullet, level)


def _edited_items(
    rows: Sequence[str], bullets: Sequence[Bullet], value: Sequence[Value], shape: Shape, level: int
) -> Iterator[str]:
    old = BulletReader().container(bullets, shape)
    was = [json.dumps(item, sort_keys=True) for item in old] if isinstance(old, list) else [""] * len(bullets)
    new = [json.dumps(item, sort_keys=True) for item in value]
    gaps = _gaps(rows, bullets)
    for action, start, end, new_start, new_end in SequenceMatcher(None, was, new, autojunk=False).get_opcodes():
        if action == "equal":
            for bullet, gap in zip(bullets[start:end], gaps[start:end], strict=True):
                yield from (*rows[bullet.first : bullet.end], *gap)
        elif end - start == new_end - new_start:
            for place, item in zip(range(start, end), value[new_start:new_end], strict=True):
                yield from _edited_item(rows, bullets[place], item, shape, level)
                yield from gaps[place]
        else:
            yield from _written(list(value[new_start:new_end]), shape, bullets[0], level)


def _edited_item(rows: Sequence[str], bullet: Bullet, item: Value, shape: Shape, level: int) -> Iterator[str]:
    """An item that keeps its first line if that still says the same; else the item is written again."""
    said = BulletReader().container([bullet._replace(nested=None)], shape)
    head = said[0] if isinstance(said, list) else said
    nested = bullet.nested if bullet.nested and bullet.nested[0].first > bullet.first else ()
    if nested and isinstance(item, dict) and isinstance(head, dict):
        rest = {name: value for name, value in item.items() if name not in head}
        if rest and all(name in item and sections.same(value, item[name]) for name, value in head.items()):
            yield from rows[bullet.first : nested[0].first]
            yield from _edited_bullets(rows, nested, rest, shape.items or ANY, level + 1)
            return
    yield from _written([item], shape, bullet, level)


def _written(value: Value, shape: Shape, like: Bullet, level: int) -> Iterator[str]:
    """A value as bullets in the place of another bullet, with its marker and column."""
    marker = like.marker if like.marker in _MARKERS else "-"
    yield from write_bullets(value, shape, " " * like.column, level, marker)
