"""Drawings of links: the same each time, no two nodes on one spot, nothing of a name that a drawing would obey."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from math import dist
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.acts.pages import excerpts, graph, search
from mdmem.acts.pages.request import PageRequest
from mdmem.errors import NotFoundError, UsageError
from mdmem.page import drawing, filters, frame
from mdmem.page.frame import PageFrame
from mdmem.page.links import ServedLinks
from mdmem.store.vault.vault import Vault
from tests.conftest import NOW, Write
from tests.page.conftest import SCRIPT
from tests.page.test_pages import TEA, Parsed, shown


@st.composite
def trees(draw: st.DrawFn) -> dict[str, str]:
    """child -> parent, as a walk meets them."""
    parents = {"0": ""}
    for number in range(1, draw(st.integers(1, 60))):
        parents[str(number)] = draw(st.sampled_from(list(parents)))
    depth = {name: depth_of(name, parents) for name in parents}
    return dict(sorted(parents.items(), key=lambda item: depth[item[0]]))


def depth_of(name: str, parents: dict[str, str]) -> int:
    return 1 + depth_of(parents[name], parents) if parents[name] else 0


@given(trees())
def test_no_two_nodes_of_a_tree_meet(parents: dict[str, str]) -> None:
    spots = list(drawing.radial(parents).values())
    assert drawing.radial(parents) == dict(zip(parents, spots, strict=True))
    assert all(dist(a[:2], b[:2]) > 12 for at, a in enumerate(spots) for b in spots[:at])


@given(st.dictionaries(st.text(max_size=3), st.integers(-4, 4), max_size=30))
def test_boxes_of_a_flow_stand_apart(columns: dict[str, int]) -> None:
    spots = drawing.flow(columns, [])
    assert len({spot[:2] for spot in spots.values()}) == len(columns)


def test_around_a_memory_are_those_that_links_lead_to(seen: Vault) -> None:
    value = graph.read_around(seen, PageRequest(NOW, TEA))
    assert [(node["path"], node["distance"]) for node in value["nodes"]] == [
        (TEA, 0),
        ("allmemories/team_meets_on_tuesday.md", 1),
    ]
    assert {edge["predicate"] for edge in value["edges"]} == {"mentions", "related_to"}
    page = shown(seen, "around", TEA)
    assert page == shown(seen, "around", TEA)
    assert 'href="/around/allmemories/team_meets_on_tuesday.md"' in page
    assert page.count(' typed"') == 1, "a property says how they are related"
    with pytest.raises(UsageError, match="valid reach"):
        graph.read_around(seen, PageRequest(NOW, TEA, {"reach": "9"}))


def test_a_memory_of_many_links_is_drawn_with_the_nearest_of_them(root: Path, write: Write) -> None:
    names = [f"spoke_number_{number}" for number in range(320)]
    write("allmemories/hub_of_all_spokes.md", "".join(f"[[{name}]]\n" for name in names))
    for name in names:
        write(f"allmemories/{name}.md", f"---\ntitle: {name} {SCRIPT}\n---\n\nSee [[rim_of_the_wheel]].\n")
    write("allmemories/rim_of_the_wheel.md", "Far.\n")
    with Vault.open(str(root)) as vault:
        value = graph.read_around(vault, PageRequest(NOW, "hub_of_all_spokes"))
        kept = graph.read_around(vault, PageRequest(NOW, "hub_of_all_spokes", is_kept=True))
    assert (len(value["nodes"]), value["more"]) == (graph.MOST, 22)
    assert len(kept["nodes"]) < 50
    html = frame.html("around", value, PageFrame("vault", ServedLinks(), ()))
    assert b' typed"' not in html, "links in a text alone"
    assert len(html) < 300_000
    assert SCRIPT.encode() not in html
    tags = {tag for tag, _ in Parsed(html.decode()).tags}
    assert tags.isdisjoint({"image", "use", "foreignobject", "style"})
    assert len(Parsed(html.decode()).named("script")) == 1


def test_the_whole_vault_is_told_by_group(root: Path, write: Write) -> None:
    for number in range(45):
        link = f"[[note_of_topic_{number - 1}]]" if number else ""
        topic = json.dumps(f"t{number:02} </svg>{SCRIPT}")
        write(f"allmemories/note_of_topic_{number}.md", f"---\ntopic: {topic}\n---\n\nText. {link}\n")
    with Vault.open(str(root)) as vault:
        value = graph.read(vault, PageRequest(NOW))
        page = shown(vault, "graph")
    assert (len(value["groups"]), value["more"]) == (40, 5)
    assert value["kinds"] == ["topic"]
    assert "</svg>" not in page
    assert SCRIPT not in page


def test_a_group_tells_what_was_believed_when(root: Path, write: Write) -> None:
    notes = {
        "limit_is_fifty": "created: 2026-01-01T00:00:00Z\nstatus: deprecated",
        "limit_is_eighty": 'created: 2026-02-01T00:00:00Z\nsupersedes: ["[[limit_is_fifty]]"]',
        "limit_was_checked": "valid_from: 2026-01-15\nvalid_until: 2026-01-20\ncreated: 2026-01-18T00:00:00Z",
    }
    for name, head in notes.items():
        write(f"allmemories/{name}.md", f"---\ntitle: {name} </svg>{SCRIPT}\ntags: [api]\n{head}\n---\n\nText.\n")
    with Vault.open(str(root)) as vault:
        given = {"by": "tag", "of": "api"}
        value = graph.read_group(vault, PageRequest(NOW, given=given))
        page = shown(vault, "group", **given)
        with pytest.raises(NotFoundError):
            graph.read_group(vault, PageRequest(NOW, given={"by": "tag", "of": "nothing"}))
        for wrong in ({"by": "colour"}, {**given, "zoom": "1000"}):
            with pytest.raises(UsageError):
                graph.read_group(vault, PageRequest(NOW, given=wrong))
    told = {Path(one["path"]).stem: (one["from"], one["until"]) for one in value["memories"]}
    assert told == {
        "limit_is_fifty": ("2026-01-01", "2026-02-01"),
        "limit_is_eighty": ("2026-02-01", ""),
        "limit_was_checked": ("2026-01-15", "2026-01-20"),
    }
    assert value["memories"][-1]["successor"]["path"] == "allmemories/limit_is_eighty.md"
    assert page.count("</svg>") == 1
    assert SCRIPT not in page
    assert page.count('class="node span') == len(Parsed(page).named("rect")) == 3


@given(st.lists(st.dates(), min_size=1, max_size=40))
def test_bars_of_a_group_stay_inside_its_drawing(days: list[date]) -> None:
    memories = [
        {"path": str(at), "from": f"{day}", "until": "", "created": f"{day}"} for at, day in enumerate(days)
    ]
    drawn = drawing.spans(memories, [], f"{max(days)}")
    left, _, width, _ = drawn.box
    assert all(left <= spot.x <= spot.x + spot.turn <= left + width for spot in drawn.spots.values())
    assert set(drawing.ages(memories).values()) <= set(range(5))


def test_a_topic_without_facts_has_no_link_to_a_page_of_them(write: Write, vault: Vault) -> None:
    """The page would say that there is no such topic."""
    write("allmemories/tea_is_green_today.md", "---\ntopic: kitchen\n---\nTea is green.\n")
    value = graph.read_group(vault, PageRequest(NOW, given={"by": "topic", "of": "kitchen"}))
    assert [memory["topic"] for memory in value["memories"]] == ["kitchen"]
    assert not value["has_facts"]


def test_an_excerpt_and_a_snippet_say_the_title_of_a_linked_memory(seen: Vault) -> None:
    """As the text does; words that the link has of its own stay, and a link to nothing says the name in it."""
    now = datetime(2026, 3, 1, tzinfo=UTC)
    [tea] = [one for one in search.read_all(seen, PageRequest(now))["memories"] if "green_tea" in one["path"]]
    assert tea["excerpt"] == "Green tea from Uji, see The team meets on Tuesday and Nowhere to be found."
    [found] = [
        one
        for one in search.read(seen, PageRequest(now, given={"q": "green tea tuesday"}))["answers"]
        if "green_tea" in one["path"]
    ]
    assert "see The team meets on Tuesday" in found["snippet"]
    own = excerpts.spelled(seen, "[[team_meets_on_tuesday|the meeting]] [[x/Team_**meets**_on_tuesday.md#part]]")
    assert own == "the meeting The team meets on Tuesday"


def test_an_excerpt_says_links_in_words() -> None:
    assert excerpts.plain("See [[carts_live_in_redis]] and `[[notes/a_b|the other]]`.") == (
        "See Carts live in redis and the other."
    )


def test_a_short_date_has_a_short_month() -> None:
    """`1 Marc` was shown on the first nine days of March."""
    shown = [filters.brief(datetime(2026, 3, day, 9, 45, tzinfo=UTC), filters.ENGLISH) for day in (1, 28)]
    assert shown == ["1 Mar 09:45", "28 Mar 09:45"]
