"""Prompts that touch a memory are told of it, and others hear nothing: on labelled prompts, at floors."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from mdmem.session import touching
from mdmem.session.sources import Sources
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.write import remember as intake
from tests.conftest import NOW

DATA = Path(__file__).parents[1] / "data/prompts"
FLOORS = {"tuned": (22, 1), "asked_once": (22, 1)}  # half -> (of 30 related told, of 30 unrelated told at most)


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a table."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.fixture
def lives(root: Path) -> Path:
    with Vault(str(root)) as vault:
        intake.remember_all(vault, [intake.Draft(row["text"], {}) for row in rows("notes.tsv")], Caller(NOW))
    return root


@pytest.mark.parametrize("half", list(FLOORS))
def test_most_related_prompts_are_told_and_hardly_any_other(lives: Path, half: str) -> None:
    told, mistaken = [], []
    with Vault(str(lives)) as vault:
        for row in rows("prompts.tsv"):
            if row["half"] == half:
                answers = touching.touched(Sources(vault), row["prompt"], Caller(NOW))
                texts = [vault.index.body(answer.hit.record.path) for answer in answers]
                if row["begins"]:
                    told += [row["prompt"]] * any(text.lstrip().startswith(row["begins"]) for text in texts)
                else:
                    mistaken += [(row["prompt"], texts)] * bool(texts)
    least, most = FLOORS[half]
    assert len(told) >= least
    assert len(mistaken) <= most, mistaken
