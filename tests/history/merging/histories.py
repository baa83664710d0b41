"""Random histories of a note: a base, and what several writers made of it, each by a few edits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st

WORDS = ("apple", "bread", "cloud", "delta", "ember", "frost", "grape", "honey")
TAGS = ("alpha", "beta", "gamma", "delta", '"1.10"', '"[[a_note]]"')
TITLES = ("", "Intent", "Timeline", "Notes", "Outcome", "Sources")


class Model(NamedTuple):
    """A note as its parts: properties as lines, tags, and sections as a heading and lines."""

    properties: dict[str, str]
    tags: list[str]
    sections: list[tuple[str, list[str]]]

    def render(self) -> str:
        head = "".join(f"{key}: {value}\n" for key, value in self.properties.items())
        tags = "".join(f"  - {tag}\n" for tag in self.tags)
        body = ""
        for title, lines in self.sections:
            body += f"\n## {title}\n" if title else ""
            body += "".join(_spaced(lines))
        return f"---\n{head}{'tags:' + chr(10) + tags if tags else ''}---\n{body}"


def _spaced(rows: list[str]) -> Iterator[str]:
    """Lines as people write them: bullets below each other, all else with a blank line above."""
    before = ""
    for row in rows:
        yield row + "\n" if row.startswith("-") and before.startswith("-") else f"\n{row}\n"
        before = row


def line_of(words: list[str], bullet: bool) -> str:
    return ("- " if bullet else "") + " ".join(words)


texts = st.lists(st.sampled_from(WORDS), min_size=2, max_size=5)
fences = st.lists(st.sampled_from(("x = 1", "", "- no item", "# no heading", "===")), min_size=1, max_size=3).map(
    lambda rows: "\n".join(["```", *rows, "```"])
)
lines = st.one_of(st.builds(line_of, texts, st.just(True)), st.builds(line_of, texts, st.just(False)), fences)


@st.composite
def models(draw: st.DrawFn) -> Model:
    titles = draw(st.lists(st.sampled_from(TITLES[1:]), max_size=3, unique=True))
    sections = [(title, draw(st.lists(lines, max_size=4, unique=True))) for title in ["", *titles]]
    properties = {"id": "0192f3c4-7d1e-7c3a-9d53-000000000001", "title": "A # b  # comment"}
    properties |= draw(
        st.dictionaries(st.sampled_from(("confidence", "topic")), st.sampled_from("12"), max_size=2)
    )
    return Model(properties, draw(st.lists(st.sampled_from(TAGS), max_size=3, unique=True)), sections)


@st.composite
def edited(draw: st.DrawFn, base: Model, most: int = 4) -> Model:
    """The note after some edits of one writer."""
    note = deepcopy(base)
    for _ in range(draw(st.integers(0, most))):
        note = _edit(draw, note)
    return note


def _edit(draw: st.DrawFn, note: Model) -> Model:
    kind = draw(st.sampled_from(("tag", "untag", "set", "add", "add", "change", "delete", "section", "move")))
    if kind == "tag":
        tag = draw(st.sampled_from(TAGS))
        note.tags[:] = [*note.tags, *([] if tag in note.tags else [tag])]
    elif kind == "untag" and note.tags:
        note.tags.pop(draw(st.integers(0, len(note.tags) - 1)))
    elif kind == "set":
        key = draw(st.sampled_from(("confidence", "updated", "status", "pinned")))
        choices = {"updated": ("2026-03-02", "2026-03-03T10:00:00Z"), "status": ("contested", "deprecated")}
        note.properties[key] = draw(st.sampled_from(choices.get(key, ("0.5", "0.75"))))
    elif kind in ("add", "change", "delete"):
        _edit_lines(draw, kind, draw(st.sampled_from(note.sections))[1])
    elif kind == "section":
        title = draw(st.sampled_from(TITLES[1:]))
        if title not in [name for name, _ in note.sections]:
            at = draw(st.integers(1, len(note.sections)))
            note.sections.insert(at, (title, draw(st.lists(lines, max_size=2, unique=True))))
    elif kind == "move" and len(note.sections) > 2:
        at = draw(st.integers(1, len(note.sections) - 1))
        note.sections.append(note.sections.pop(at))
    return note


def _edit_lines(draw: st.DrawFn, kind: str, rows: list[str]) -> None:
    if kind == "add":
        new = draw(lines)
        if new not in rows:
            rows.insert(draw(st.integers(0, len(rows))), new)
    elif rows:
        at = draw(st.integers(0, len(rows) - 1))
        if kind == "delete":
            rows.pop(at)
        elif not rows[at].startswith("```"):
            rows[at] += " " + draw(st.sampled_from(WORDS))


@st.composite
def histories(draw: st.DrawFn, sides: int = 2) -> list[str]:
    """The texts of a base and of its sides."""
    base = draw(models())
    return [base.render(), *(draw(edited(base)).render() for _ in range(sides))]


WILD = """---
# above
id: 0192f3c4-7d1e-7c3a-9d53-000000000001   # mine
title: 'It''s "old"'
tags:   # the tags
  - a # first
  # about b
  - b
flow: [x,  y]
empty:
literal: |
  line
  # no comment

decay:
  curve: linear
  half_life_seconds: 3
provenance:
- kind: event
  ref: "x"
multi: "a
  b"
---

# Head

Para one
goes on.

- item
  - nested
    more

```py
code

- x
```

Setext
======

| a | b |
|---|---|
| 1 | 2 |

<!-- c
c2 -->

> quote
lazy
"""
ODD_LINES = (
    *("tags: [z]", "tags:", "tags: x", "  - c", '  - "[[n]]"', "# comment", "new: {a: 1}", "---"),
    *("updated: 2026-01-01", "status: deprecated", "pinned: true", "- kind: third", "literal: >-", "  folded"),
    *("flow: []", "- bullet", "  - deep", "```", "~~~", "## New", "# Head", "====", "", "line", "<<<<<<< ours"),
    *("=======", ">>>>>>> theirs", "%%", "<div>", "\ttabbed", "> q", "id: 5", 'title: "x: y"', "k: &a 1"),
    *("l: *a", "\u2028odd", "? k"),
)


def wild_histories(seeds: Iterable[int]) -> Iterator[tuple[str, str, str]]:
    """A base and two sides, each with odd lines put in, taken out or moved; the same for a seed each time."""
    for seed in seeds:
        random = Random(seed)
        base = _wild(random, WILD, random.choice((0, 0, 1)))
        yield base, _wild(random, base, random.randint(0, 4)), _wild(random, base, random.randint(0, 4))


def _wild(random: Random, text: str, edits: int) -> str:
    rows = text.split("\n")
    for _ in range(edits):
        at = random.randrange(len(rows))
        kind = random.choice(("insert", "insert", "delete", "append", "replace", "move"))
        if kind == "insert":
            rows.insert(at, random.choice(ODD_LINES))
        elif kind == "append":
            rows[at] += random.choice((" x", "1", " # c", ":"))
        elif kind == "replace":
            rows[at] = random.choice(ODD_LINES)
        else:
            row = rows.pop(at)
            if kind == "move":
                rows.insert(random.randrange(len(rows)), row)
    end = random.choice(("\n", "\n", "\n", "\r\n"))
    return end.join(rows)
