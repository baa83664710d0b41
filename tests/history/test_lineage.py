"""What came of what: one walk along the links between memories, whichever end they are written at."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from mdmem.acts.look import lineage_dot, lineage_lines, lineage_mermaid
from mdmem.acts.style import plain
from mdmem.errors import UsageError
from mdmem.history.lineage import BOTH, CAUSES, EFFECTS, Edge, Lineage, Walk, trace
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault
from tests.conftest import Write


@pytest.fixture
def linked(write: Write) -> Callable[..., None]:
    """Write a note by hand with links as properties."""

    def note(name: str, **links: str | list[str]) -> None:
        lines = "".join(f"{key}: {_yaml(value)}\n" for key, value in links.items())
        write(f"allmemories/{name}.md", f"---\n{lines}---\n\nText.\n")

    return note


def _yaml(value: str | list[str]) -> str:
    names = value if isinstance(value, list) else [value]
    return "[" + ", ".join(json.dumps(f"[[{name}]]") for name in names) + "]"


def walked(vault: Vault, name: str, direction: str = BOTH, depth: int = 0, *predicates: str) -> Lineage:
    walk = Walk(direction, predicates or Walk().predicates, depth)
    return trace(vault.index, lookup.named(vault, name), walk)


def told(lineage: Lineage) -> list[tuple[str, str, int]]:
    return [(item.relation, item.record.name, item.distance) for item in lineage.reached]


def test_links_count_from_either_end_and_once(vault: Vault, linked: Callable[..., None]) -> None:
    linked("plan_v_one", superseded_by="plan_v_two")
    linked("plan_v_two", supersedes="plan_v_one")
    linked("plan_v_three", supersedes="plan_v_two")
    assert told(walked(vault, "plan_v_three")) == [
        ("supersedes", "plan_v_two", 1),
        ("supersedes", "plan_v_one", 2),
    ]
    assert told(walked(vault, "plan_v_one")) == [
        ("superseded_by", "plan_v_two", 1),
        ("superseded_by", "plan_v_three", 2),
    ]
    path = "allmemories/plan_v_{}.md".format
    edges = (
        Edge(path("three"), "supersedes", path("two")),
        Edge(path("two"), "supersedes", path("one")),
    )
    assert walked(vault, "plan_v_two").edges == edges


def test_direction_depth_and_predicates_narrow_the_walk(vault: Vault, linked: Callable[..., None]) -> None:
    linked("bug_was_found", led_to="fix_was_made")
    linked("fix_was_made", derived_from="idea_was_had")
    linked("idea_was_had")
    linked("test_was_written", caused_by="fix_was_made")
    fix = "fix_was_made"
    assert told(walked(vault, fix, CAUSES)) == [
        ("caused_by", "bug_was_found", 1),
        ("derived_from", "idea_was_had", 1),
    ]
    assert told(walked(vault, fix, EFFECTS)) == [("led_to", "test_was_written", 1)]
    assert told(walked(vault, "test_was_written", CAUSES, 1)) == [("caused_by", "fix_was_made", 1)]
    assert told(walked(vault, fix, BOTH, 0, "led_to")) == [
        ("caused_by", "bug_was_found", 1),
        ("led_to", "test_was_written", 1),
    ]
    with pytest.raises(UsageError, match="which memory came first"):
        walked(vault, fix, BOTH, 0, "related_to")


def test_a_circle_ends(vault: Vault, linked: Callable[..., None]) -> None:
    linked("one_of_three", caused_by=["two_of_three", "one_of_three"])
    linked("two_of_three", caused_by="three_of_three")
    linked("three_of_three", caused_by="one_of_three")
    lineage = walked(vault, "one_of_three", CAUSES)
    assert told(lineage) == [("caused_by", "two_of_three", 1), ("caused_by", "three_of_three", 2)]
    assert len(lineage.edges) == 3


def test_a_name_in_two_folders_means_the_one_whose_path_is_written(
    vault: Vault, write: Write, linked: Callable[..., None]
) -> None:
    for folder in ("ab", "b"):
        write(f"allmemories/{folder}/same_name_here.md", "Text.\n")
    linked("what_came_of_it", derived_from="b/same_name_here")
    reached = walked(vault, "what_came_of_it").reached
    assert [item.record.path for item in reached] == ["allmemories/b/same_name_here.md"]
    start = lookup.named(vault, "allmemories/ab/same_name_here.md")
    assert trace(vault.index, start, Walk()).reached == ()


def test_a_long_chain_is_walked_and_drawn(vault: Vault, write: Write) -> None:
    """Longer than Python's stack, each memory once, and nothing read but the index."""
    for number in range(1200):
        head = f'---\nderived_from: ["[[step_no_{number - 1}]]"]\n---\n' if number else ""
        write(f"allmemories/step_no_{number}.md", head + "Text.\n")
    assert vault.index.count() == 1200
    vault.read = None  # type: ignore[assignment, method-assign]
    lineage = trace(vault.index, vault.index.named("step_no_1199")[0], Walk())
    assert [item.distance for item in lineage.reached] == list(range(1, 1200))
    assert len(list(lineage_lines(lineage, (), (), plain))) == 1201


def test_drawings(vault: Vault, linked: Callable[..., None]) -> None:
    linked("plan_v_one")
    linked('a "quoted" name', supersedes="plan_v_one")
    linked("plan_v_three", contested_by='a "quoted" name')
    lineage = walked(vault, 'a "quoted" name')
    assert [line.strip().split("  ")[0] for line in lineage_lines(lineage, (), (), plain)] == [
        'a "quoted" name',
        "came of:",
        "- supersedes plan_v_one",
        "- contests plan_v_three",
    ]
    assert lineage_dot(lineage).splitlines()[1:5] == [
        r'  "allmemories/a \"quoted\" name.md" [label="a \"quoted\" name"];',
        '  "allmemories/plan_v_one.md" [label="plan_v_one"];',
        '  "allmemories/plan_v_three.md" [label="plan_v_three"];',
        r'  "allmemories/a \"quoted\" name.md" -> "allmemories/plan_v_three.md" [label="contests"];',
    ]
    assert lineage_mermaid(lineage).splitlines() == [
        "flowchart LR",
        '  m0["a #quot;quoted#quot; name"]',
        '  m1["plan_v_one"]',
        '  m2["plan_v_three"]',
        "  m0 -->|contests| m2",
        "  m0 -->|supersedes| m1",
    ]
