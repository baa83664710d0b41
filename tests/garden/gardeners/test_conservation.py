"""Small vaults of any make, gardened with everything accepted: no line is lost, no note broken, and it ends."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from mdmem.garden.apply import ROUNDS
from mdmem.garden.gardeners.proposal import GardenSettings
from mdmem.note import links, memory
from mdmem.store.index.edges import fold_target
from tests import plans

from .conftest import TODAY, Files, as_notes, carried_out

WORDS = "database port is 5432 use tabs not spaces because the gateway listens on user prefers Kyiv Lisbon".split()
NAMES = ("house_repair_cellar", "house_repair_roof", "house_repair_attic", "house_repair_hall", "port_of_gateway")
NAMES += ("user_prefers_tabs_for_code", "Odd Name", "stuff", "house_repair_master", "house_notes_master")
TOPICS = ("", "", "house", "House", "house repair", "дом")
SHAPES = (
    "{}",
    "- {}",
    "# {}",
    "## {}",
    "> {}",
    "  - {}",
    "> [!note] {}",
    "| {} | 1 |",
    "```\n{}\n```",
    "{} ^block",
)
LINKING = ("{}", "- {}", "> {}", "| {} | 1 |")  # a title that is a link stays one, whatever it leads to

sentences = st.lists(st.sampled_from(WORDS), min_size=2, max_size=6).map(" ".join)
targets = st.sampled_from(("[[{}]]", "[[{}|so]]", "[[{}#Head]]", "![[{}]]", "[so]({}.md)"))
linked = st.tuples(targets, st.sampled_from(NAMES)).map(lambda pair: pair[0].format(pair[1].replace(" ", "%20")))
shaped = st.tuples(sentences, st.sampled_from(SHAPES)) | st.tuples(linked, st.sampled_from(LINKING))
lines = shaped.map(lambda pair: pair[1].format(pair[0]))
bodies = st.lists(lines, min_size=1, max_size=5).flatmap(
    lambda found: st.sampled_from(("\n", "\n\n")).map(lambda gap: gap.join(found))
)
one_of = st.sampled_from
headers = st.fixed_dictionaries(
    {"created": st.integers(1, 9).map("2026-01-0{}T00:00:00Z".format)},
    optional={
        "topic": one_of(TOPICS),
        "tags": st.lists(one_of(("pref", "prefs", "house", "House")), unique=True, max_size=2).map(list),
        "status": one_of(("active", "deprecated", "contested", "retracted")),
        "type": one_of(("fact", "note", "preference", "episodic", "semantic", "working", "work")),
        "category": one_of(("past", "future")),
        "project": one_of(("a", "b")),
        "sensitivity": one_of(("low", "hyper")),
        "aliases": st.lists(one_of(("x", "y")), unique=True, max_size=2),
        "pinned": st.just(True),
        "deletion_policy": one_of(("never", "auto_prune")),
        "due": one_of(("2026-01-02", "2027-01-02")),
        **dict.fromkeys(("supersedes", "superseded_by", "contradicts"), one_of(NAMES).map("[[{}]]".format)),
        "note": one_of(("one", "two")),
    },
)


@st.composite
def vaults(draw: st.DrawFn) -> Files:
    """Up to ten notes, in two folders, with any line ends and headers of any form."""
    found: Files = {}
    common = draw(bodies)
    for name in draw(st.lists(one_of(NAMES), min_size=2, unique=True)):
        folder = draw(one_of(("", "", "2026/01/")))
        meta = draw(headers)
        body = draw(st.one_of(bodies, st.just(common), st.just(common + "\n")))
        has_header = draw(one_of((True, True, True, False)))
        circle = (meta.get("project", "no"), meta.get("sensitivity", "low")) if has_header else ("no", "low")
        body += "\n\nTold in {} {}.\n".format(*circle)
        data = memory.render({"id": memory.derived_id(name), **meta}, body) if has_header else body.encode()
        data = data.replace(b"\n", b"\r\n") if draw(st.booleans()) else data
        found[f"allmemories/{folder}{name}.md"] = (memory.BOM if draw(st.booleans()) else b"") + data
    return found


def said(files: Files) -> set[str]:
    """Every line of every body, without marks of headings and with links as the words they show."""
    return {line for path, data in files.items() for line in _said(data, path)}


def _said(data: bytes, path: str) -> Iterator[str]:
    note = memory.parse(data, path)
    for line in links.replace(note.body, lambda place: "x").split("\n"):
        text = line.strip().lstrip("# ").strip()
        is_title = line.startswith("# ") and text == note.title  # left out where its words are said elsewhere
        if text and not is_title and "DEPRECATED:" not in text:
            yield text


def held(files: Files, key: str) -> set[str]:
    """Every value of a list property."""
    return {item for path, data in files.items() for item in memory.parse(data, path).strings(key)}


@settings(max_examples=40, phases=[Phase.generate])
@given(vaults())
def test_any_vault_is_gardened_to_rest_without_losing_a_line(files: Files) -> None:
    everything = GardenSettings(min_confidence=0.0, consolidate_above=2)
    before = files
    for _ in range(3 * ROUNDS):
        plan = plans.of_notes(as_notes(files), everything, TODAY)
        if not plan.proposals:
            break
        files = carried_out(files, plan.proposals)
        assert said(before) <= said(files), plan.proposals
    assert not plan.proposals, [one.title for one in plan.proposals]
    assert held(before, "aliases") <= held(files, "aliases")
    for path, data in files.items():
        note = memory.parse(data, path)
        known = {one.code for one in memory.parse(before.get(path, b""), path).problems}
        assert not [one for one in note.problems if one.code not in known and path in before], path
        circle = f"Told in {note.text('project') or 'no'} {note.text('sensitivity') or 'low'}."
        told = {line for line in note.body.split("\n") if line.startswith("Told in")}
        assert not (note.meta and path not in before) or told <= {circle}, (path, told)
    dangling = {target for one in as_notes(before) for target, *_ in one.links} - {*map(fold_target, before)}
    for one in as_notes(files):
        assert {target for target, *_ in one.links} <= {*map(fold_target, files), *dangling}, one.path
