"""The whole garden: one plan of all gardeners, the same each time, that comes to rest once it is carried out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mdmem.garden import plan as garden
from mdmem.garden.gardeners.proposal import FileEdit, Findings, Proposal
from mdmem.garden.plan import Wish
from mdmem.store.vault.vault import Vault
from tests import plans

TODAY = datetime(2026, 3, 1, 12, tzinfo=UTC)
Write = Callable[..., Path]

NOTES = {
    "user_lives_in_berlin": ("2026-01-01", "", "User lives in Berlin."),
    "user_lives_in_munich": ("2026-02-08", 'contradicts: ["[[user_lives_in_berlin]]"]', "User lives in Munich."),
    "user_prefers_short_tables": ("2026-01-01", "tags: [preference]", "User prefers short tables over prose."),
    "user_wants_short_tables": ("2026-02-01", "tags: [preferences]", "User prefers short tables over prose!"),
    "auth_with_session_cookies": ("2026-01-01", "", "Cookies hold the session."),
    "auth_with_signed_tokens": ("2026-02-01", 'supersedes: ["[[auth_with_session_cookies]]"]', "Tokens hold it."),
    "weather_of_last_week": (
        "2026-01-01",
        "deletion_policy: auto_prune\ndecay:\n  max_age_seconds: 86400",
        "It rained.",
    ),
    "map_of_the_system": ("2026-01-01", "", "See [[auth_with_signed_token]] and [[user_wants_short_tables]]."),
    **{
        f"repair_of_the_{word}": ("2026-01-01", "topic: house repair", f"The {word} leaks in autumn storms.")
        for word in "cellar roof kitchen garden hall attic".split()
    },
}


def fill(root: Path, write: Write) -> None:
    for name, (day, properties, text) in NOTES.items():
        title = name.replace("_", " ").capitalize()
        head = f"title: {title}\ncreated: {day}T00:00:00Z\ncategory: past\ntype: note\n{properties}".rstrip()
        identity = f"00000000-0000-7000-8000-{abs(hash(name)) % 10**12:012}"
        write(f"allmemories/{name}.md", f"---\nid: {identity}\n{head}\n---\n\n{text}\n")


def plan_of(root: Path, wish: Wish = Wish(), **settings: object) -> garden.GardenPlan:  # noqa: B008
    with Vault(str(root)) as vault:
        found = garden.settings_of(vault.config)._replace(**settings)  # type: ignore[arg-type]
        return plans.of_vault(vault, TODAY, found, wish)


def carry_out(root: Path, plan: garden.GardenPlan) -> None:
    for one in plan.proposals:
        for edit in one.edits:
            path = root / edit.path
            assert (path.read_bytes() if path.exists() else None) == edit.before
            if edit.after is None:
                path.unlink()
            else:
                path.write_bytes(edit.after)


def test_every_gardener_has_its_say_and_the_garden_comes_to_rest(root: Path, write: Write) -> None:
    fill(root, write)
    plan = plan_of(root)
    without = {
        "hygiene",
        "facts",
        "refresh",
        "split",
    }  # one waits for the others; no note states facts, none is made of others
    assert {one.gardener for one in plan.proposals} == set(garden.GARDENERS) - without
    assert plan.waiting == 1  # the links of the map wait for the merge of the notes it leads to
    rounds = 0
    while plan.proposals:
        carry_out(root, plan)
        plan = plan_of(root)
        rounds += 1
    assert (rounds, plan.waiting) == (2, 0)
    text = "\n".join(path.read_text() for path in (root / "allmemories").iterdir())
    gone = {"It rained.", "User prefers short tables over prose!"}  # of twins one sentence stays
    assert all(said in text for _, _, said in NOTES.values() if said not in gone and "[[" not in said)
    assert "See [[auth_with_signed_tokens]] and [[user_prefers_short_tables]]." in text


def test_no_two_proposals_of_a_plan_touch_one_file(root: Path, write: Write) -> None:
    fill(root, write)
    paths = [path for one in plan_of(root, min_confidence=0.0).proposals for path in one.paths]
    assert len(paths) == len(set(paths))


def test_no_proposal_of_a_plan_removes_what_another_one_leads_to(root: Path, write: Write) -> None:
    head = "created: 2026-0{}-01T00:00:00Z\ntitle: {}\ncategory: past\ntype: note"
    text = "The user prefers short tables over long prose."
    write("allmemories/old_way_of_tables.md", f"---\n{head.format(1, 'Old')}\n---\n\nProse it is.\n")
    write("allmemories/user_prefers_short_tables.md", f"---\n{head.format(2, 'Tables')}\n---\n\n{text}\n")
    newer = f'{head.format(3, "Tables")}\nsupersedes: "[[old_way_of_tables]]"'
    write("allmemories/user_wants_short_tables.md", f"---\n{newer}\n---\n\n{text}\n")
    while (plan := plan_of(root)).proposals:
        carry_out(root, plan)
    assert "superseded_by" in (root / "allmemories/old_way_of_tables.md").read_text()
    assert not [one for one in plan.problems if one.code == "link-dangling"]


def test_what_needs_review_does_not_hold_back_what_is_sure() -> None:
    def proposal(gardener: str, confidence: float, path: str) -> Proposal:
        edit = FileEdit(path, b"one", b"two")
        return Proposal(f"{gardener} {confidence}", gardener, "revise", "", confidence, (), (edit,))

    weak, sure = proposal("twins", 0.6, "a.md"), proposal("consolidate", 0.85, "a.md")
    twins, hygiene = proposal("twins", 0.8, "b.md"), proposal("hygiene", 0.95, "b.md")
    plan = garden.choose(Findings((weak, sure, twins, hygiene)), 0.5, Wish())
    assert {one.id for one in plan.proposals} == {sure.id, twins.id}
    assert plan.waiting == 2


def test_the_same_notes_and_day_give_the_same_plan(root: Path, write: Write) -> None:
    fill(root, write)
    assert plan_of(root) == plan_of(root)


def test_a_plan_can_be_of_one_gardener_or_topic(root: Path, write: Write) -> None:
    fill(root, write)
    assert {one.gardener for one in plan_of(root, Wish(("twins",))).proposals} == {"twins"}
    assert {one.gardener for one in plan_of(root, Wish(topic="House Repair")).proposals} == {"consolidate"}


def test_settings_of_the_vault_count(root: Path, write: Write) -> None:
    fill(root, write)
    (root / "mdmem.toml").write_text("[garden]\nconsolidate_above = 6\nmin_confidence = 0.89\n")
    assert {one.gardener for one in plan_of(root).proposals} == {"deprecate", "twins", "conflicts", "decay"}


def test_planning_writes_nothing(root: Path, write: Write) -> None:
    fill(root, write)
    before = {path: path.read_bytes() for path in (root / "allmemories").iterdir()}
    plan_of(root)
    assert {path: path.read_bytes() for path in (root / "allmemories").iterdir()} == before


@pytest.mark.parametrize("least", [0.55, 0.8, 0.96])
def test_as_many_less_certain_proposals_are_counted_as_a_lower_confidence_shows(
    root: Path, write: Write, least: float
) -> None:
    fill(root, write)
    some, every = (plan_of(root, min_confidence=sure).proposals for sure in (least, 0.0))
    assert plan_of(root, min_confidence=least).unsure == len({one.id for one in every} - {one.id for one in some})


def test_a_link_to_a_file_that_is_no_memory_is_no_slip(root: Path, write: Write) -> None:
    write("allmemories/boat_engine_manual.md", "# Boat engine manual\n\nTwo strokes.\n")
    write("allmemories/care_of_the_boat.md", "# Care of the boat\n\nSee [[boat_engine_manuals]].\n")

    def titles() -> list[str]:
        return [one.title for one in plan_of(root, Wish(("hygiene",))).proposals if "fix links" in one.title]

    assert titles() == ["fix links of care_of_the_boat: boat_engine_manuals to boat_engine_manual"]
    write("docs/boat_engine_manuals.md", "All of them.\n")
    assert titles() == []
