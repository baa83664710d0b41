"""Where a vault has vectors, notes that a sentence model finds near are candidates for twins: a person decides."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mdmem.garden import meanings
from mdmem.garden import plan as garden
from mdmem.garden.gardeners.proposal import Proposal
from mdmem.garden.plan import Wish
from mdmem.models.sentence import MINILM
from mdmem.models.vectors import Vectors
from mdmem.vault.vault import Vault
from tests.conftest import NOW

np = pytest.importorskip("numpy", reason="vectors are an extra")
pytestmark = pytest.mark.usefixtures("any_model")
TEXTS = {
    "dana_signs_the_bills": "Dana signs all invoices.",
    "before_letters_go_out": "Invoices need the signature of Dana before they go out.",
    "stairs_painted_by_meier": "The stairs were painted grey by Meier.",
    "stairs_of_the_house": "The stairs were painted brown by Meier.",
    "lake_for_a_swim": "The lake is warm in August.",
    "desk_in_the_hall": "Dana keeps old invoices and maps below her desk in the hall.",
}


@pytest.fixture
def planted(root: Path, write: Callable[..., Path]) -> Path:
    for number, (name, text) in enumerate(TEXTS.items(), 1):
        head = f"id: 00000000-0000-7000-8000-00000000000{number}\ntitle: {name.replace('_', ' ')}\ntype: fact"
        head += f"\ncategory: past\ncreated: 2026-0{number}-01T00:00:00Z"
        write(f"allmemories/{name}.md", f"---\n{head}\n---\n\n{text}\n")
    return root


def merges(root: Path, angles: dict[str, float]) -> list[Proposal]:
    """What twins are proposed for their meaning where the vectors of notes point so (degrees)."""
    with Vault(str(root)) as vault:
        digests = vault.index.digests()
        known = {f"allmemories/{name}.md": np.deg2rad(angle) for name, angle in angles.items()}
        rows = np.array([[np.cos(angle), np.sin(angle)] for angle in known.values()], np.float32)
        vectors = Vectors(vault.root, MINILM.name)
        vectors.keep_only([])
        vectors.add({digests[path]: rows[at : at + 1] for at, path in enumerate(known)})
        found = garden.look(vault, garden.settings_of(vault.config), NOW, Wish(("twins",)))
    return [one for one in found.proposals if one.evidence[0].text.startswith("means")]


def switch_on(root: Path) -> None:
    (root / "mdmem.toml").write_text('id = "test"\n[semantic]\nmodel = "minilm"\n')


INVOICES = {"dana_signs_the_bills": 0.0, "before_letters_go_out": 10.0}


def test_a_mutual_nearest_pair_without_a_slot_is_proposed_and_left_to_a_person(planted: Path) -> None:
    (planted / "mdmem.toml").write_text('id = "test"\n[semantic]\nmodel = "off"\n')
    assert merges(planted, INVOICES) == []
    switch_on(planted)
    (one,) = merges(planted, {**INVOICES, "lake_for_a_swim": 170.0})
    assert one.title == "merge before_letters_go_out into dana_signs_the_bills, which says the same"
    assert 0.5 <= one.confidence < 0.8
    assert one.evidence[0].text == "means nearly what allmemories/dana_signs_the_bills.md:8 does"


def test_what_differs_in_a_value_is_far_or_has_another_neighbour_is_not(planted: Path) -> None:
    switch_on(planted)
    assert merges(planted, {"stairs_painted_by_meier": 0.0, "stairs_of_the_house": 2.0}) == []
    assert merges(planted, {"dana_signs_the_bills": 0.0, "before_letters_go_out": 60.0}) == []
    assert merges(planted, {**INVOICES, "lake_for_a_swim": 12.0}) == []
    assert merges(planted, {"stairs_painted_by_meier": 0.0, "lake_for_a_swim": 1.0}) == []  # nothing in common


def row(angle: float) -> list[float]:
    return [np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))]


def test_each_note_has_its_nearest_with_how_many_are_nearer() -> None:
    notes = meanings.NotesByMeaning(
        ["a", "b", "c", "d"], np.array([row(0), row(10), row(25), row(180)], np.float32)
    )
    ranks = {(pair.first, pair.second): pair.rank for pair in notes.nearest(2)}
    assert ranks == {("a", "b"): 0, ("a", "c"): 1, ("b", "c"): 1}  # d points away from all
    assert [pair.rank for pair in notes.nearest(1)] == [0, 1]  # c has b, which has a
    assert meanings.NotesByMeaning(["a"], np.ones((1, 2), np.float32)).nearest(3) == []
