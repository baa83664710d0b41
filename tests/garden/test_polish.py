"""A model may put a merged note in order; nothing that the rules kept gets lost, and nothing is made up."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mdmem.garden import apply
from mdmem.garden import plan as garden
from mdmem.garden.apply import Request, Watch
from mdmem.garden.gardeners.proposal import Proposal
from mdmem.garden.polish import Rewording, fault_of
from mdmem.note import memory
from mdmem.recall.models.language import ModelError
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from tests import plans
from tests.recall.models.test_wording import Server, server

__all__ = ["server"]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ROOMS = "cellar roof kitchen garden hall attic".split()
BODY = "# House\n\n## Roof\n\nFrom [[roof_of_house]].\n\n- It leaks at 3 places.\n- Never  climb it."


@pytest.fixture
def planted(root: Path, write: Callable[..., Path], git: Callable[..., str]) -> Path:
    for number, word in enumerate(ROOMS):
        head = f"id: 00000000-0000-7000-8000-{number:012}\ntitle: Repair of the {word}\ntopic: house repair"
        head += "\ncreated: 2026-01-01T00:00:00Z\ncategory: past\ntype: fact"
        write(f"allmemories/repair_of_the_{word}.md", f"---\n{head}\n---\n\nThe {word} leaks in autumn storms.\n")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "notes")
    return root


class Answers:
    """A model that answers what a function makes of the prompt."""

    def __init__(self, make: Callable[[str], str]) -> None:
        self.make = make
        self.asked = 0

    def ask(self, system: str, prompt: str) -> str:
        assert "[[brackets]]" in system
        self.asked += 1
        return self.make(prompt)


def proposed(vault: Vault) -> Proposal:
    plan = plans.of_vault(vault, NOW)
    return next(one for one in plan.proposals if one.gardener == "consolidate")


def text_of(one: Proposal) -> str:
    (edit,) = (edit for edit in one.edits if edit.path == one.merged)
    return memory.parse(edit.after or b"", edit.path).body


def test_what_keeps_every_line_is_taken_whatever_its_order(planted: Path, vault: Vault) -> None:
    told: list[str] = []
    one = proposed(vault)
    model = Answers(lambda body: "## All of it\n\n" + "\n\n".join(reversed(body.split("\n\n"))))
    new = Rewording(model, "some-model", told.append)(one)
    assert text_of(new).lstrip().startswith("## All of it\n")
    assert new.evidence[0].text.startswith("worded by the model some-model")
    assert [edit for edit in new.edits if edit.path != one.merged] == [
        edit for edit in one.edits if edit.path != one.merged
    ]
    assert told == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (BODY, ""),
        (BODY.replace("- It", "* It").replace("  climb", " climb").replace("## Roof", "Roof"), ""),
        (BODY.replace("Never  climb", "Climb"), "lacks the line 'Never climb it.'"),
        (BODY.replace("3 places", "places"), "lacks the line 'It leaks at 3 places.'"),
        (BODY + "\n\nIt was built in 1950.", "adds the number 1950"),
        (BODY + "\n\nSee [[cellar_of_house]].", "adds the link cellar_of_house"),
        ("", "lacks the line 'House'"),
        ("---\nid: x\n---\n\n" + BODY, "is a header"),
    ],
)
def test_a_text_is_taken_only_if_it_keeps_all_and_adds_nothing(text: str, fault: str) -> None:
    assert fault_of(BODY, text) == fault


def test_a_text_that_loses_a_line_is_not_taken_and_that_is_said(planted: Path, vault: Vault) -> None:
    told: list[str] = []
    one = proposed(vault)
    assert (
        Rewording(Answers(lambda body: body.replace("attic leaks", "attic is fine")), "m", told.append)(one) == one
    )
    assert "lacks the line 'The attic leaks in autumn storms.'" in told[0]


def test_code_is_left_alone(planted: Path, vault: Vault, write: Callable[..., Path]) -> None:
    place = planted / "allmemories/repair_of_the_attic.md"
    place.write_text(place.read_text() + "\n```python\nif x:\n    y()\n```\n")
    model = Answers(lambda body: body)
    one = proposed(vault)
    assert Rewording(model, "m", print)(one) == one
    assert model.asked == 0


def test_a_model_that_fails_is_asked_once_and_the_rules_go_on(planted: Path, vault: Vault) -> None:
    def fail(body: str) -> str:
        raise ModelError("no answer", "try again")

    told: list[str] = []
    model = Answers(fail)
    word = Rewording(model, "m", told.append)
    request = Request(garden.settings_of(vault.config), garden.Wish(("consolidate",)), word=word)
    watch = Watch(lambda *_: None, lambda *_: None)
    done = apply.apply(vault, request, Caller(NOW), "garden-1", watch)
    assert [one.proposal.gardener for one in done.applied] == ["consolidate"]
    word(done.applied[0].proposal)
    assert (model.asked, len(told)) == (1, 1)


def test_the_command_asks_the_model_that_the_environment_names(
    planted: Path,
    server: Server,
    mdmem: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "MDMEM_LLM" in mdmem("garden", "apply", "--llm", "--vault", planted, code=2).err
    monkeypatch.setenv("MDMEM_LLM", "local")
    with Vault(str(planted)) as vault:
        body = text_of(proposed(vault))
    server.answer = f"## In order\n\n{body}"
    mdmem("garden", "apply", "--only", "consolidate", "--llm", "--vault", planted)
    assert "\n## In order\n" in (planted / "allmemories/house_repair_master.md").read_text()
    assert "nothing to do" in mdmem("garden", "apply", "--only", "consolidate", "--llm", "--vault", planted).out


def test_a_merged_note_of_what_is_too_sensitive_does_not_leave(
    planted: Path, server: Server, mdmem: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MDMEM_LLM", "local")
    for place in (planted / "allmemories").iterdir():
        place.write_text(place.read_text().replace("type: fact", "type: fact\nsensitivity: hyper"))
    done = mdmem("garden", "apply", "--only", "consolidate", "--llm", "--vault", planted)
    assert "the rules worded it, for it is too sensitive for a model" in done.err
    assert server.asked == []
