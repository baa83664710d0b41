"""Records come by layer and salience; among alternatives the best is chosen, with how sure that is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from mdmem.recall import validity
from mdmem.store.operation import Caller
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault
from mdmem.systems.membrane import retrieval
from mdmem.systems.membrane.retrieval import Alternative, RecordRequest
from tests.conftest import NOW

Remember = Callable[..., str]
WHO = Caller(NOW, "agent", "conv-1")
MONTH = 30 * 86400.0
COMPETENCE = "## Skill name\n\nDeploy\n\n## Performance\n\n- success_count: {}\n- failure_count: {}\n"


def test_the_score_is_the_mean_of_three() -> None:
    assert Alternative("a", 0.9, 0.6, 0.0).score == pytest.approx((0.9 + 0.6 + 1) / 3)
    assert Alternative("a", 0.9, None, MONTH).score == pytest.approx((0.9 + 0.5 + 0.5) / 3)


def test_how_sure_a_choice_is() -> None:
    best, second = Alternative("b", 1.0, 1.0, 0.0), Alternative("a", 0.0, 0.0, 9 * MONTH)
    assert retrieval.choose([second, best]).ranked == (best, second)
    assert not retrieval.choose([second, best]).needs_more
    assert retrieval.choose([best, best._replace(path="c")])[1:] == (0.0, True)
    assert retrieval.choose([best])[1:] == (1.0, False)
    assert retrieval.choose([])[1:] == (0.0, True)


@pytest.mark.parametrize(
    ("payload", "rate"),
    [
        ({}, None),
        ({"performance": {"success_rate": 0.857, "success_count": 1}}, 0.857),
        ({"performance": {"success_count": 3, "failure_count": 1}}, 0.75),
        ({"performance": {"success_count": 0, "failure_count": 0}}, None),
        ({"metrics": {"failure_rate": 0.05}}, 0.95),
        ({"performance": "good"}, None),
    ],
)
def test_how_often_it_went_well(payload: dict[str, object], rate: float | None) -> None:
    assert retrieval.success_rate(payload) == (rate if rate is None else pytest.approx(rate))


@pytest.fixture
def stocked(vault: Vault, remember: Remember) -> Vault:
    remember("The deploy of Friday failed.", "deploy_of_friday_failed", type="episodic", salience=3)
    remember(COMPETENCE.format(9, 1), "deploy_with_script_today", type="competence", title="Deploy", scope="ops")
    remember(COMPETENCE.format(1, 9), "deploy_by_hand_today", type="competence", title="Deploy", confidence=0.2)
    remember("Deploys are green.", "deploys_are_green_now", salience=0.4)
    remember("User likes deploys.", "user_likes_many_deploys", type="preference", salience=0.9)
    remember("Now at the deploy.", "now_at_the_deploy", type="working", salience=0.1)
    remember("Old deploys.", "old_deploys_are_gone", status="retracted")
    remember("Deploys of spring.", "deploys_of_next_spring", valid_from="2026-04-01", salience=0.6)
    return vault


def names(vault: Vault, **wanted: object) -> list[str]:
    found = retrieval.retrieve(vault, RecordRequest(**wanted), WHO)  # type: ignore[arg-type]
    return [each.record.name for each in found.records]


def test_layers_come_first_and_then_salience(stocked: Vault) -> None:
    assert names(stocked) == [
        "now_at_the_deploy",
        *("user_likes_many_deploys", "deploys_are_green_now"),
        *("deploy_by_hand_today", "deploy_with_script_today"),
        "deploy_of_friday_failed",
    ]


def test_what_is_wanted_narrows_it(stocked: Vault) -> None:
    assert names(stocked, types=("semantic",), min_salience=0.5) == ["user_likes_many_deploys"]
    assert "deploy_with_script_today" not in names(stocked, scopes=("home",))
    assert names(stocked, words="green", limit=1) == ["deploys_are_green_now"]
    later = NOW + timedelta(days=60)
    assert "deploys_of_next_spring" in names(stocked, at=later, given=validity.given(["a=b"]))


def test_competences_are_alternatives(stocked: Vault) -> None:
    found = retrieval.retrieve(stocked, RecordRequest(types=("competence",)), WHO)
    assert found.choice is not None
    best = found.choice.ranked[0]
    assert (best.path, best.success_rate) == ("allmemories/deploy_with_script_today.md", 0.9)
    assert found.choice.confidence == pytest.approx(1 - (0.2 + 0.1 + 1) / (1 + 0.9 + 1))
    assert found.choice.needs_more
    assert retrieval.retrieve(stocked, RecordRequest(types=("working",)), WHO).choice is None
    one = retrieval.select(stocked, [lookup.named(stocked, "deploy_with_script_today")], NOW)
    assert not one.needs_more
