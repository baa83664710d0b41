"""Proposals are shown in the order in which a person would care about them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mdmem.acts.checks import queue
from mdmem.acts.checks.queue import PROPOSAL, Wanted
from mdmem.acts.gardening import plan_lines
from mdmem.acts.telling import encode
from mdmem.garden import plan as garden
from mdmem.garden.plan import Wish
from mdmem.store.local import usage
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from tests.conftest import NOW

IDENTITY = "00000000-0000-7000-8000-{:012}"


@pytest.fixture
def planted(root: Path, write: Callable[..., Path]) -> Path:
    """Proposals each of which comes before the next because of another thing."""

    def note(name: str, text: str, more: str = "") -> None:
        number = len(list((root / "allmemories").iterdir()))
        head = f"id: {IDENTITY.format(number)}\ntitle: {name.replace('_', ' ')}\ncategory: past\ntype: note"
        created = f"created: 2026-01-{number + 1:02}T00:00:00Z\n{more}"
        write(f"allmemories/{name}.md", f"---\n{head}\n{created}---\n\n{text}\n")

    note("zoe_lives_in_berlin", "Zoe lives in Berlin.", "pinned: true\n")
    note("zoe_lives_in_munich", "Zoe lives in Munich.", 'contradicts: ["[[zoe_lives_in_berlin]]"]\n')
    note("yuri_lives_in_hamburg", "Yuri lives in Hamburg.")
    note("yuri_lives_in_bremen", "Yuri lives in Bremen.", 'contradicts: ["[[yuri_lives_in_hamburg]]"]\n')
    note("clara_lives_in_leipzig", "Clara lives in Leipzig.")
    note("clara_lives_in_dresden", "Clara lives in Dresden.", 'contradicts: ["[[clara_lives_in_leipzig]]"]\n')
    note("heating_is_serviced_in_may", "See [[clara_lives_in_leipzigg]] for the heating.", "pinned: true\n")
    note("roof_was_tarred_last_spring", "The roof was tarred by Huber last spring.")
    note("roof_was_tarred_by_huber", "The roof was tarred by Huber last spring!")
    note("stairs_were_painted_by_meier", "See [[clara_lives_in_leipzigg]] for the stairs.")
    note("attic_was_cleared_by_schmidt", "See [[zoe_lives_in_berlinn]].", "status: deprecated\npinned: true\n")
    with Vault(str(root)) as vault:
        assert vault.index.count() == 11
        assert usage.put(str(root), {IDENTITY.format(3): usage.Use(3, 0)})
    return root


def test_conflicts_then_the_active_then_the_pinned_then_the_used_then_the_surer(planted: Path) -> None:
    """A program gets them in the same order as a person in a list, and as the review asks."""
    with Vault(str(planted)) as vault:
        settings = garden.settings_of(vault.config)
        found = garden.look(vault, settings, NOW, Wish())
        listed = garden.choose(found, settings.min_confidence, Wish())
        asked = [one.source for one in queue.waiting(vault, Caller(NOW), Wanted((PROPOSAL,))).items]
    first = [one.evidence[0].path.removeprefix("allmemories/").split("_")[0] for one in listed.proposals]
    assert first == ["zoe", "yuri", "clara", "heating", "roof", "stairs", "attic"]
    confidences = {name: one.confidence for name, one in zip(first, listed.proposals, strict=True)}
    assert confidences["heating"] < confidences["roof"] > confidences["stairs"]
    assert asked == list(listed.proposals)
    assert [one["id"] for one in encode(listed)["proposals"]] == [one.id for one in asked]
    lines = "\n".join(plan_lines(listed))
    assert [lines.index(one.id) for one in asked] == sorted(lines.index(one.id) for one in asked)
