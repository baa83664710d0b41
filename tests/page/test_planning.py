"""The plan of the garden as pages have it: no page waits for it, and what changed takes only its own part away."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mdmem.acts.pages import planning
from mdmem.acts.pages.planning import KEPT, PlanKeeper
from mdmem.garden import apply, keptplan
from mdmem.garden.apply import Request
from mdmem.garden.gardeners.proposal import Evidence, FileEdit, Findings, GardenSettings, Proposal, Withheld
from mdmem.garden.keptplan import KeptPlan, PlanBasis
from mdmem.page.links import PLANNING
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from tests.conftest import NOW, Git, Write
from tests.page.conftest import Site, send, serving

BERLIN, TEA = "allmemories/user_lives_in_berlin.md", "allmemories/user_prefers_green_tea.md"


@pytest.fixture
def open_vault(proposed: Path) -> Iterator[Vault]:
    with Vault.open(str(proposed)) as vault:
        yield vault


def gardeners(plan: KeptPlan | None) -> list[str]:
    return [one.gardener for one in plan.findings.proposals] if plan else ["no plan"]


def still_valid(vault: Vault, plan: KeptPlan) -> KeptPlan | None:
    vault.look_again()
    return keptplan.still_valid(vault, plan, keptplan.basis_of(vault, NOW))


def test_a_kept_plan_is_read_as_it_was_written() -> None:
    one = Proposal(
        "1", "twins", "merge", "\ud800", 0.9, (Evidence("a.md", 1, "x"),), (FileEdit("a", None, b"\xff\n"),)
    )
    plan = KeptPlan(
        PlanBasis("0", {"a": ""}, "2026-03-01", "r", ("x",)), Findings((one,), (), (Withheld("x", one),)), "t"
    )
    assert keptplan.parsed(keptplan.rendered(plan)) == plan


def test_a_changed_note_takes_only_its_own_proposals_away(open_vault: Vault, git: Git) -> None:
    root = Path(open_vault.root)
    plan = keptplan.make(open_vault, NOW)
    assert sorted(gardeners(plan)) == ["conflicts", "twins"]
    assert still_valid(open_vault, plan) == plan
    (root / BERLIN).write_text((root / BERLIN).read_text() + "\nSince May.\n")
    saved = still_valid(open_vault, plan)
    assert gardeners(saved) == ["twins"]
    assert saved
    assert not saved.is_whole
    git(root, "commit", "-qam", "by hand")
    assert gardeners(still_valid(open_vault, plan)) == ["twins"]
    assert gardeners(still_valid(open_vault, saved)) == ["twins"]


def test_what_a_new_note_links_to_is_not_removed(open_vault: Vault, write: Write) -> None:
    plan = keptplan.make(open_vault, NOW)
    write("allmemories/new_note_about_tea.md", "See [[green_tea_is_preferred]].\n")
    assert gardeners(still_valid(open_vault, plan)) == ["conflicts"]


def test_a_rule_of_never_holds_at_once_and_other_settings_need_another_plan(open_vault: Vault) -> None:
    plan = keptplan.make(open_vault, NOW)
    garden = open_vault.config.garden
    rule = "twins: notes green_tea_is_preferred, user_prefers_green_tea"
    open_vault.config = open_vault.config._replace(garden=garden._replace(never=(rule,)))
    fewer = still_valid(open_vault, plan)
    assert gardeners(fewer) == ["conflicts"]
    assert fewer
    open_vault.config = open_vault.config._replace(garden=garden)
    assert sorted(gardeners(still_valid(open_vault, fewer))) == ["conflicts", "twins"]
    open_vault.config = open_vault.config._replace(garden=garden._replace(oversize_tokens=80))
    assert still_valid(open_vault, plan) is None


def test_a_proposal_is_carried_out_only_on_the_bytes_it_was_made_for(open_vault: Vault) -> None:
    root = Path(open_vault.root)
    twins = next(one for one in keptplan.make(open_vault, NOW).findings.proposals if one.gardener == "twins")
    (root / TEA).write_text((root / TEA).read_text() + "\nOr black.\n")
    [done] = apply.carry_out(open_vault, [twins], Request(GardenSettings()), Caller(NOW), "garden-1")
    assert not done.commit
    assert "was changed after the plan was made" in done.why
    assert "Or black." in (root / TEA).read_text()


def test_a_file_that_holds_no_plan_counts_as_none(open_vault: Vault) -> None:
    keptplan.save(open_vault, KEPT, keptplan.make(open_vault, NOW))
    place = Path(open_vault.state, f"{KEPT}.json")
    data, commit = place.read_text(), open_vault.repo.head()[0]
    for damaged in ("", "[]", data[:-9], data.replace(commit, "--all")):
        place.write_text(damaged)
        assert keptplan.load(open_vault, KEPT) is None


def test_an_export_takes_the_plan_of_the_one_before(open_vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "AT_ONCE", 0)
    first = planning.settled(open_vault, NOW)
    monkeypatch.setattr(keptplan, "make", None)
    assert planning.settled(open_vault, NOW) == first


def review(site: Site) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(site.get("/api/review").text)
    return found


def test_pages_do_not_wait_for_the_plan_and_it_outlasts_an_answer(proposed: Path) -> None:
    """A vault as if it were large: a process plans it, and what is left after an answer is shown at once."""
    plans = PlanKeeper(at_once=0)
    for site in serving(proposed, may_write=True, plans=plans):
        assert "The gardeners begin to read" in site.get("/review").text
        assert site.get("/").status == 200
        while json.loads(site.get(PLANNING).text)["planning"]:
            time.sleep(0.05)
        conflict, twins = review(site)["proposals"]
        done = send(site, "/review", proposal=twins["id"], mark=twins["mark"], do="accept")
        assert done.status == 303
        left = review(site)
        assert [one["id"] for one in left["proposals"]] == [conflict["id"]]
        assert (left["planning"], left["is_whole"]) == (None, False)
    with Vault.open(str(proposed)) as vault:
        again = PlanKeeper(at_once=0)
        assert gardeners(again.refresh(vault, NOW).plan) == ["conflicts"], "the next start has it at once"
        again.close()


def test_planning_ends_with_the_server(proposed: Path) -> None:
    plans = PlanKeeper(at_once=0)
    for site in serving(proposed, plans=plans):
        review(site)
        planner = plans._planner
        assert planner
    assert planner._process.poll() is not None
    assert planner.is_over


def test_what_keeps_the_gardeners_from_looking_is_told_once(
    open_vault: Vault, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A process that was killed in the middle of a line leaves nothing to believe."""
    plans = PlanKeeper(at_once=0)
    cut_off = tmp_path / "cut_off"
    cut_off.write_text("#!/bin/sh\necho '{}'\necho '{\"format\": 1, '\n")
    cut_off.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(cut_off))
    planner = plans.refresh(open_vault, NOW).in_making
    assert planner
    planner._listener.join(5)
    known = plans.refresh(open_vault, NOW)
    assert "mdmem garden shows why" in known.trouble
    assert known.in_making is None
    plans.close()
