"""Several vaults in one ranking: a vault split in two answers as the whole, and each keeps to its own rules."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mdmem.recall import ask
from mdmem.recall.ask import Query
from mdmem.store.local.place import NamedPlace, Places
from mdmem.store.vault import several
from mdmem.store.vault.several import OpenVaults
from mdmem.store.vault.vault import Vault
from tests.conftest import NOW

Git = Callable[..., str]

WORDS = "boat harbour engine sail paint rope anchor crew storm island lamp deck cargo pilot chart tide".split()
QUESTIONS = (
    *("boat paint", "who repairs the engine", '"old rope"', "storm -island", "sails", "harbor", "pilots chart"),
    *("tag:sea lamp", "when did the tide come", "crew cargo deck 2025", "old_rope", "type:decision boat"),
)


def texts() -> dict[str, str]:
    """name -> note: sessions of three, of which all are in one half; one note in ten replaces another."""
    chance = random.Random(7)
    notes = {}
    for number in range(60):
        words = chance.sample(WORDS, 6) + chance.choices(WORDS[:3], k=3)
        name = f"note_{number:02}_{words[0]}_{words[1]}"
        kind = chance.choice(["fact", "decision"])
        head = [f"id: 00000000-0000-7000-8000-{number:012}", f"title: {words[0]} {words[1]}", f"type: {kind}"]
        head += [f"created: 2025-{1 + number % 12:02}-{1 + number % 28:02}T10:00:{number:02}Z"]
        head += [f"session: s{number // 6}-{number % 2}", f"tags: [{chance.choice(['sea', 'land'])}]"]
        if number >= 10 and number % 10 < 2:
            head.append(f'supersedes: "[[{[*notes][number - 2]}]]"')
        text = " ".join(words) + ("\n\nAn old rope." if number % 7 == 0 else "") + f"\n\nSee [[{words[2]}]]."
        notes[name] = "---\n" + "\n".join(head) + f"\n---\n\n{text}\n"
    return notes


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory, empty_vault: Path) -> dict[str, Path]:
    """The whole, and its halves: every other note."""
    top = tmp_path_factory.mktemp("several")
    notes = texts()
    wanted = {"whole": [*notes], "even": [*notes][::2], "odd": [*notes][1::2]}
    for name, own in wanted.items():
        shutil.copytree(empty_vault, top / name)
        for note in own:
            (top / name / "allmemories" / f"{note}.md").write_text(notes[note])
    return {name: top / name for name in wanted}


@pytest.fixture
def whole(folders: dict[str, Path]) -> Iterator[Vault]:
    with Vault(str(folders["whole"])) as vault:
        yield vault


@pytest.fixture
def halves(folders: dict[str, Path]) -> Iterator[OpenVaults]:
    places = Places([NamedPlace(name, str(folders[name])) for name in ("even", "odd")])
    with several.opened(places, lambda vault: None) as vaults:
        yield vaults


def test_a_vault_split_in_two_answers_as_the_whole(whole: Vault, halves: OpenVaults) -> None:
    """The same notes, in the same order, with the same scores and signals: rarity counts over both."""
    for question in QUESTIONS:
        query = Query((question,), limit=20, depth="summary")
        alone = ask.ask(whole, query, NOW)
        together = ask.ask(halves, query, NOW)
        assert alone, question
        assert [answer.hit.record.path for answer in together] == [answer.hit.record.path for answer in alone]
        for one, other in zip(alone, together, strict=True):
            assert other.hit._replace(record=one.hit.record) == one.hit._replace(
                score=pytest.approx(one.hit.score)
            )
            assert other.text == one.text


def test_a_hit_is_of_its_vault_and_cited_there(halves: OpenVaults) -> None:
    for answer in ask.ask(halves, Query(("boat",), limit=20), NOW):
        (vault,) = [vault for name, vault in halves.every if name == answer.hit.record.vault]
        assert answer.hit.text in vault.read(answer.hit.record.file).decode()
