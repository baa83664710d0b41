"""What a person rejects twice for one reason is offered as a rule, written where they can read it, and obeyed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.errors import UsageError
from mdmem.garden import plan as garden
from mdmem.garden.gardeners.care import Lesson, lessons, reason_in, sentence
from mdmem.garden.verdicts import Judgement
from mdmem.store import config
from mdmem.store.config import editing, never
from tests.cli.test_queue import Terminal

Run = Callable[..., Any]
MONDAYS = "entry_of_monday_first, entry_of_monday_again"
DAYS = {"monday": "It rained all day and we played cards.", "friday": "We walked to the lake and swam a lot."}


@pytest.fixture
def planted(root: Path, write: Callable[..., Path], git: Callable[..., str]) -> Path:
    """Two pairs of notes that say the same, of a diary, and one of something else."""
    number = 0
    for name, text in {**DAYS, "stairs": "The stairs were painted grey by Meier."}.items():
        for more, end in (("first", "."), ("again", "!")):
            number += 1
            head = f"id: 00000000-0000-7000-8000-00000000000{number}\ntitle: Entry of {name}\ncategory: past"
            tags = "\ntags: [diary, family]" if name in DAYS else "\ntags: [house]"
            head += f"\ntype: fact\ncreated: 2026-01-0{number}T00:00:00Z{tags}"
            folder = "logs/" if name in DAYS else ""
            write(f"allmemories/{folder}entry_of_{name}_{more}.md", f"---\n{head}\n---\n\n{text[:-1]}{end}\n")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "notes")
    return root


def review(planted: Path, *keys: str) -> str:
    terminal = Terminal("garden", "review", "--vault", planted)
    shown = terminal.answer(*keys)
    assert terminal.code == 0, shown
    return shown


def test_two_rejections_for_one_reason_are_offered_as_a_rule_and_it_is_obeyed(
    planted: Path, mdmem: Run, git: Run
) -> None:
    shown = review(planted, "nl", "nl", "q", "y")
    assert "rejected 2 times, as each entry of a log stands alone" in shown
    assert "Never merge notes tagged diary, as a rule in mdmem.toml?" in shown
    toml = (planted / "mdmem.toml").read_text()
    assert toml == 'id = "test"\n\n[garden]\nnever = [\n  "twins: tag diary",\n]\n'
    assert git(planted, "log", "-1", "--name-only", "--format=%s").split("\n\n") == [
        "revise: garden.never",
        "mdmem.toml",
    ]
    assert git(planted, "status", "--short") == ""
    mdmem("garden", "review", "--reset", "--vault", planted)
    done = mdmem("garden", "--vault", planted)
    assert "1 proposal: 1 by twins" in done.out
    assert "2 proposals withheld: garden.never in mdmem.toml says 'twins: tag diary'" in done.out
    assert json.loads(mdmem("garden", "--json", "--vault", planted).out)["withheld"] == {"twins: tag diary": 2}
    assert mdmem("garden", "apply", "--vault", planted).out.count("applied  ") == 1
    assert (planted / "allmemories/logs/entry_of_monday_again.md").exists()


def test_what_is_declined_is_not_written_and_not_asked_again_without_another_rejection(planted: Path) -> None:
    shown = review(planted, "n their words differ", "n  Their words  differ", "q", "n", "n", "n")
    assert "Never merge notes tagged diary" in shown
    assert "Never merge notes tagged family" in shown
    assert "Never merge notes in allmemories/logs/" in shown
    assert (planted / "mdmem.toml").read_text() == 'id = "test"\n'
    assert "Never" not in review(planted, "q")


def test_one_rejection_and_two_for_different_reasons_teach_nothing(planted: Path) -> None:
    assert "Never" not in review(planted, "nl", "nd", "n")
    assert reason_in("D") == "they are different things"
    assert reason_in(" my  own\nwords ") == "my own words"


def rejected(id: str, reason: str, *traits: str, gardener: str = "twins") -> Judgement:
    return Judgement("both hold", "pair", (), (), why=reason, proposal=id, gardener=gardener, traits=traits)


def test_the_same_pair_rejected_again_after_it_changed_teaches_most_narrowly() -> None:
    decided = [
        rejected("1", "no", "notes a_note, b_note", "tag diary"),
        rejected("2", "No", "notes a_note, b_note", "tag diary"),
        rejected("3", "no", "tag diary", gardener="conflicts"),
    ]
    ((pair, tag),) = lessons(decided, {"2"}, ())
    assert pair == Lesson("twins: notes a_note, b_note", "No", 2)
    assert tag.sentence == "never merge notes tagged diary"
    assert list(lessons(decided, {"2"}, ["twins: tag diary"])) == []  # known
    assert list(lessons(decided, {"3"}, ())) == []  # once


@pytest.mark.parametrize(
    ("rule", "withheld", "said"),
    [
        ("twins: tag Diary", 2, "never merge notes tagged Diary"),
        ("twins: folder allmemories/logs", 2, "never merge notes in allmemories/logs/"),
        ("twins: type fact", 3, "never merge notes of type fact"),
        (f"twins: notes {MONDAYS}", 1, f"never merge {MONDAYS}"),
        ("twins: notes entry_of_monday_first, stairs", 0, "never merge entry_of_monday_first, stairs"),
        ("decay: type fact", 0, "never prune notes of type fact"),
    ],
)
def test_each_form_of_a_rule_withholds_what_it_says(
    planted: Path, mdmem: Run, rule: str, withheld: int, said: str
) -> None:
    (planted / "mdmem.toml").write_text(f"[garden]\nnever = [{rule!r}]\n")
    found = json.loads(mdmem("garden", "--json", "--only", "twins", "--vault", planted).out)
    assert (sum(found["withheld"].values()), len(found["proposals"])) == (withheld, 3 - withheld)
    parsed = never.never_rule(rule)
    assert parsed
    assert sentence(parsed) == said


@pytest.mark.parametrize("item", ['"merge: tag diary"', '"twins: tags diary"', '"twins"', '"twins: tag "', "3"])
def test_a_rule_that_cannot_be_understood_is_refused_with_its_line(item: str) -> None:
    with pytest.raises(UsageError, match=r"mdmem\.toml:[23]: garden\.never has .*'twins: tag diary'"):
        config.parse(f'[garden]\nnever = ["decay: type episodic",\n  {item},\n]\n')


def test_the_setting_knows_every_gardener() -> None:
    assert tuple(garden.GARDENERS) == never.GARDENERS


RULE = '  "twins: tag diary",\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", f"[garden]\nnever = [\n{RULE}]\n"),
        ('id = "x"', f'id = "x"\n\n[garden]\nnever = [\n{RULE}]\n'),
        ("[garden] # mine\nscope = 'own'\n", f"[garden] # mine\nnever = [\n{RULE}]\nscope = 'own'\n"),
        ("[ garden ]\nscope = 'own'\n", f"[ garden ]\nnever = [\n{RULE}]\nscope = 'own'\n"),
        ("[garden]\nnever = []\n", f"[garden]\nnever = [\n{RULE}]\n"),
        ('[garden]\nnever = ["decay: tag x"] # one\n', f'[garden]\nnever = [\n{RULE}"decay: tag x"] # one\n'),
        (
            '\ufeff[garden]\r\nnever = [ # mine\r\n  "decay: tag x"\r\n]\r\n[hooks]\r\n',
            f'\ufeff[garden]\r\nnever = [\r\n{RULE[:-1]}\r\n# mine\r\n  "decay: tag x"\r\n]\r\n[hooks]\r\n',
        ),
    ],
)
def test_a_rule_is_added_and_every_other_line_stays(before: str, after: str) -> None:
    edited = editing.with_never(before.encode(), "twins: tag diary").decode()
    assert edited == after
    assert config.read(edited.encode())[0].garden.never[0] == "twins: tag diary"


@pytest.mark.parametrize(
    "text", ['garden = {scope = "own"}\n', 'garden.scope = "own"\n', '["garden"]\nscope = "own"\n']
)
def test_a_file_in_another_form_is_left_to_a_person(text: str) -> None:
    with pytest.raises(UsageError, match="not edited by program"):
        editing.with_never(text.encode(), "twins: tag diary")
