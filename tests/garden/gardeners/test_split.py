"""Oversized notes are split into their sections: nothing is lost, links follow, and it can be undone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.garden.gardeners import note, split
from mdmem.garden.gardeners.note import Ground
from mdmem.garden.gardeners.proposal import GardenSettings, Proposal, findings
from mdmem.note import memory
from tests.conftest import NOW

Run = Callable[..., Any]
PATH = "allmemories/house_on_the_hill.md"
SETTINGS = GardenSettings(oversize_tokens=100)
HEAD = """\
---
id: 00000000-0000-7000-8000-000000000001
title: House on the hill
aliases: [The house]
created: 2026-01-01T00:00:00Z
category: past
type: fact
tags: [house, hill]
sensitivity: high
project: home
session: conv-1
supersedes: ["[[house_in_town]]"]
provenance:
  - kind: document
    ref: deed.pdf
decay:
  half_life_seconds: 2592000
---

"""
WORDS = "The {} was looked after by Huber in the spring, and he wrote down all that he did there. "


def section(heading: str, thing: str, more: str = "") -> str:
    return f"## {heading}\n\n{WORDS.format(thing) * 3}\n{more}\n"


BODY = "\n".join(
    [
        "# House on the hill\n\nIt stands alone.\n",
        section("Roof", "roof", "\nIts tiles are red. ^tiles\n\n### Gutter\n\nSee [[#Cellar]].\n"),
        "## Door\n\nGreen.\n",
        section(
            "Cellar of the house", "cellar", "\nSee [[#Roof]], ![[#^tiles]] and [[house_on_the_hill#Door]].\n"
        ),
    ]
).replace("[[#Cellar]]", "[[#Cellar of the house]]")


def proposals(**texts: str) -> list[Proposal]:
    """What is proposed about notes: name -> the whole file."""
    notes = []
    for name, text in texts.items():
        path = f"allmemories/{name}.md"
        notes.append(note.read(memory.parse(text.encode(), path), text.encode()))
    return list(findings(split.plan(Ground(notes), SETTINGS, NOW)).proposals)


def parts_of(one: Proposal) -> dict[str, str]:
    """name -> text of each file as it would be."""
    return {memory.stem(edit.path): (edit.after or b"").decode() for edit in one.edits}


def test_sections_become_notes_with_the_properties_of_the_whole_and_links_both_ways() -> None:
    (one,) = proposals(house_on_the_hill=HEAD + BODY)
    parts = parts_of(one)
    page = parts.pop("house_on_the_hill")
    assert list(parts) == ["cellar_of_the_house", "house_hill_roof"]
    for name, text in parts.items():
        assert f"- [[{name}]]" in page
        meta = memory.parse(text.encode(), f"{name}.md").meta
        assert meta["derived_from"] == ["[[house_on_the_hill]]"]
        told = {key: meta[key] for key in ("category", "type", "tags", "sensitivity", "project", "session")}
        assert told == {
            **{"category": "past", "type": "fact", "tags": ["house", "hill"], "sensitivity": "high"},
            **{"project": "home", "session": "conv-1"},
        }
        assert meta["provenance"] == [{"kind": "document", "ref": "deed.pdf"}]
        assert meta["decay"] == {"half_life_seconds": 2592000}
        assert not {"supersedes", "aliases"} & meta.keys()
    assert 'supersedes: ["[[house_in_town]]"]' in page  # what the whole replaces, the parts do not
    titles = {memory.parse(text.encode(), "x.md").title for text in parts.values()}
    assert titles == {"House on the hill: Roof", "Cellar of the house"}
    assert "## Door\n\nGreen." in page  # too little for a note of its own
    assert one.lost == ""
    assert one.confidence < 0.8  # a person decides


def test_links_to_a_section_lead_to_the_note_that_it_is_in() -> None:
    linking = "---\ntitle: Works\n---\n\n[[house_on_the_hill#Roof|the roof]], [[house_on_the_hill#Roof#Gutter]], "
    linking += "![[house_on_the_hill#^tiles]], [c](house_on_the_hill.md#Cellar%20of%20the%20house), "
    linking += "[[house_on_the_hill#Door]], [[house_on_the_hill]] and `[[house_on_the_hill#Roof]]`.\n"
    (one,) = proposals(house_on_the_hill=HEAD + BODY, works_of_the_year=linking)
    parts = parts_of(one)
    roof, cellar = (
        next(name for name, text in parts.items() if f"\n## {word}" in text) for word in ("Roof", "Cell")
    )
    told = parts["works_of_the_year"].split("\n\n", 1)[1]
    assert told == (
        f"[[{roof}#Roof|the roof]], [[{roof}#Roof#Gutter]], ![[{roof}#^tiles]], "
        f"[c](house_on_the_hill.md#Cellar%20of%20the%20house), [[house_on_the_hill#Door]], [[house_on_the_hill]] "
        "and `[[house_on_the_hill#Roof]]`.\n"
    )
    assert f"See [[{cellar}#Cellar of the house]]." in parts[roof]
    assert f"See [[{roof}#Roof]], ![[{roof}#^tiles]] and [[house_on_the_hill#Door]]." in parts[cellar]


def test_of_headings_of_one_name_a_link_means_the_one_in_its_section_and_else_the_first() -> None:
    more = "\n### Notes\n\nDry.\n"
    parts = ["## Door\n\nGreen.\n\n### Notes\n", section("Roof", "roof", more), section("Cellar", "cellar", more)]
    linking = "[[house_on_the_hill#Notes]], [[house_on_the_hill#Cellar#Notes]], [[house_on_the_hill#Attic]]"
    (one,) = proposals(
        house_on_the_hill=HEAD + "\n".join(parts), works_of_the_year=f"---\ntitle: W\n---\n\n{linking}\n"
    )
    told = parts_of(one)["works_of_the_year"]
    assert told.endswith(
        "[[house_on_the_hill#Notes]], [[house_hill_cellar#Cellar#Notes]], [[house_on_the_hill#Attic]]\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        HEAD.replace("type: fact", "type: work") + BODY,
        HEAD.replace("type: fact", "type: episodic") + BODY,
        HEAD.replace("type: fact", "type: chapter") + BODY,
        HEAD.replace("project: home", "source: derived") + BODY,
        HEAD.replace("project: home", "status: deprecated") + BODY,
        HEAD.replace("hill]", "diary]") + BODY,
        HEAD + BODY.replace("## Roof", "## 2026-01-01").replace("## Cellar", "## 2026-02-01, cellar"),
        HEAD + BODY + "\n[^1]: A footnote that a section refers to.\n",
        HEAD + BODY.replace("## ", ""),
        HEAD + "```\n" + BODY + "```\n",
        HEAD + "## Roof\n\nRed.\n\n## Cellar\n\nDamp.\n",
    ],
    ids="work episode chapter derived deprecated diary days footnote plain code small".split(),
)
def test_what_is_a_record_a_log_made_by_rule_or_in_one_piece_stays(text: str) -> None:
    assert proposals(house_on_the_hill=text) == []


LINES = st.sampled_from(
    ["Text.", "- an item", "  - deeper", "> quoted", "| a | b |", "", "%% hidden %%", "***", "a\tb"]
)
PIECES = st.one_of(
    st.builds(
        lambda level, word: f"{'#' * level} {word}", st.integers(1, 4), st.sampled_from(["Roof", "Door", "Yard"])
    ),
    st.builds("\n".join, st.lists(LINES, max_size=4)),
    st.sampled_from(
        ["```\n# no heading\n```", "Setext\n======", "Other\n-----", "    # code", WORDS.format("gate") * 3]
    ),
)


@given(st.lists(PIECES, min_size=6, max_size=24))
def test_every_line_stands_in_exactly_one_of_the_new_notes(pieces: list[str]) -> None:
    long = WORDS.format("fence") * 6
    body = "\n\n".join(["# First", long, *pieces, "# Last", long])
    (one,) = proposals(house_on_the_hill=HEAD + body)
    after = [memory.parse(edit.after or b"", edit.path).body for edit in one.edits]
    added = {f"- [[{memory.stem(edit.path)}]]" for edit in one.edits if edit.before is None}
    lines = Counter(line for text in after for line in text.split("\n") if line.strip() and line not in added)
    assert lines == Counter(line for line in body.split("\n") if line.strip())
    assert sum(text.count("- [[") for text in after) == len(added)


def test_a_split_is_applied_undone_byte_for_byte_and_not_taken_back_by_another_gardener(
    root: Path, write: Run, git: Run, mdmem: Run
) -> None:
    things = "roof cellar attic kitchen garage garden".split()
    body = "\n".join(section(f"The {thing} of the house", thing) for thing in things)
    write("mdmem.toml", 'id = "test"\n[garden]\noversize_tokens = 100\n')
    write(PATH, HEAD.replace("project: home", "topic: house").replace('["[[house_in_town]]"]', "[]") + body)
    write(
        "allmemories/works_of_the_year.md",
        "---\ntitle: Works\n---\n\n[[house_on_the_hill#The roof of the house]]\n",
    )
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "notes")
    before = git(root, "rev-parse", "HEAD^{tree}")
    planned = mdmem("garden", "--only", "split", "--min-confidence", "0.7", "--json", "--vault", root).out
    (one,) = json.loads(planned)["proposals"]
    out = mdmem("garden", "apply", one["id"], "--vault", root).out
    assert "applied  split house_on_the_hill into 6 notes" in out
    assert "[[house_on_the_hill#" not in (root / "allmemories/works_of_the_year.md").read_text()
    again = mdmem("garden", "--min-confidence", "0.5", "--vault", root).out
    assert not [word for word in ("split", "consolidate", "twins", "conflicts") if f"by {word}" in again], again
    run = git(root, "log", "-1", "--format=%(trailers:key=Memory-Run,valueonly)")
    mdmem("undo", "--run", run, "--vault", root)
    assert git(root, "rev-parse", "HEAD^{tree}") == before


def test_a_note_that_is_too_long_says_how_to_see_the_split(root: Path, write: Run, mdmem: Run) -> None:
    write("mdmem.toml", 'id = "test"\n[garden]\noversize_tokens = 100\n')
    write(PATH, HEAD + BODY)
    assert "--only split --min-confidence 0.5" in mdmem("garden", "--vault", root).out
