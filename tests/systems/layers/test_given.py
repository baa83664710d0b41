"""Facts that a reader gives: they stand in the entry, before what the rules draw, and bad ones are named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.systems.layers.test_ingest import chat_json

Run = Callable[..., Any]
Give = Callable[..., Any]
CHAT = "User: I live in Lisbon.\nAssistant: Nice.\nUser: I never eat peanuts,\nsorry. My name is Ana.\n"
HOME = {
    **{"subject": "user", "relation": "has moved to", "object": "Lisbon", "type": "identity"},
    **{"confidence": 0.97, "sentence": "I live in Lisbon."},
}
NUTS = {**HOME, "relation": "avoids", "object": "peanuts", "sentence": "I never eat peanuts,\n sorry."}


@pytest.fixture
def give(root: Path, mdmem: Run, tmp_path: Path) -> Give:
    """`mdmem ingest` of a dialog with a file of facts: values that are written as JSON, or its text."""

    def run(given: object, chat: str = CHAT, name: str = "chat.txt", code: int = 0) -> Any:
        (tmp_path / name).write_text(chat)
        facts = tmp_path / "facts.json"
        facts.write_text(given if isinstance(given, str) else json.dumps(given))
        args = ("ingest", tmp_path / name, "--topic", "home", "--time", "2026-02-08", "--facts", facts)
        return mdmem(*args, "--vault", root, code=code)

    return run


def _summary(root: Path) -> Any:
    (path,) = root.glob("topics/home/*/summary.json")
    return json.loads(path.read_text())


def test_given_facts_stand_in_the_entry_before_those_of_the_rules(give: Give, mdmem: Run, root: Path) -> None:
    """The rules add only what is in no sentence of theirs; a time span that is left out is that of the type."""
    give([])
    drawn = _summary(root)
    assert {1, 4} <= {fact["line"] for fact in drawn["facts"]}, "the rules read the sentence of HOME, too"
    mdmem("forget", next(root.glob("topics/home/*/")).relative_to(root), "--vault", root)
    give([HOME, {**HOME, "object": "LISBON"}])
    given = _summary(root)
    assert (drawn["made_by"], given["made_by"]) == ("rules", "given")
    assert given["facts"][0] == {**HOME, "time_span": "long_term", "line": 1}
    assert given["facts"][1:] == [fact for fact in drawn["facts"] if fact["line"] != 1]
    assert given["summary"].startswith("User has moved to Lisbon.")


def test_given_facts_are_on_the_pages_and_stay_after_a_rebuild(give: Give, mdmem: Run, root: Path) -> None:
    give({"facts": [HOME]})
    for _ in range(2):
        assert "User has moved to Lisbon" in (root / "topics/home/topic_memory.md").read_text()
        (fact,) = json.loads(mdmem("facts", "--type", "identity", "--json", "--vault", root).out)["facts"][:1]
        assert "raw.md:1@" in fact["citation"]
        mdmem("rebuild", "all", "--vault", root)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (7, "fact 2 is not a JSON object"),
        ({**HOME, "type": "mood"}, "fact 2: type is 'mood', not one of identity, commitment"),
        ({**HOME, "time_span": "soon"}, "fact 2: time_span is 'soon', not one of past"),
        ({**HOME, "confidence": 1.5}, "fact 2: confidence is 1.5, not a number from 0 to 1"),
        ({**HOME, "subject": " "}, "fact 2: its subject is empty"),
        ({"subject": "user"}, "fact 2: relation is missing"),
        ({**HOME, "sentence": "I live in Rome."}, "fact 2: nobody says its sentence in the dialog"),
        ({**HOME, "sentence": " "}, "fact 2: nobody says its sentence"),
        ({**HOME, "object": "my password is hunter2swordfish"}, "fact 2: it seems to hold a secret"),
    ],
)
def test_a_bad_item_is_named_and_spoils_no_other(give: Give, root: Path, bad: object, reason: str) -> None:
    said = give([NUTS, bad, HOME], code=1)
    assert f"facts.json: {reason}" in said.err
    assert "hunter2swordfish" not in said.err
    assert [fact["object"] for fact in _summary(root)["facts"][:2]] == ["peanuts", "Lisbon"]
    assert (_summary(root)["facts"][0]["sentence"], _summary(root)["facts"][0]["line"]) == (
        "I never eat peanuts, sorry.",
        3,
    )


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ('[\n{"subject": "user",}\n]', "facts.json:2: is not JSON"),
        ("", "facts.json:1: is not JSON"),
        ('{"fact": []}', "facts.json:1: holds no list of facts"),
        ('[{"a": NaN}]', "holds NaN, which is not a JSON number"),
        ([{**HOME, "type": "mood"}, 3], "fact 1: type is 'mood'"),
    ],
)
def test_of_a_file_that_cannot_be_used_nothing_is_written(
    give: Give, root: Path, git: Run, given: object, reason: str
) -> None:
    said = give(given, code=1)
    assert reason in said.err
    assert "mdmem guide layers shows it" in said.err
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "rev-list", "--count", "HEAD") == "1"


def test_facts_for_a_dialog_that_is_kept_are_refused_and_not_lost_silently(give: Give, root: Path) -> None:
    give([])
    before = _summary(root)
    assert "is written once; no fact was added" in give([HOME], code=5).err
    assert _summary(root) == before


def test_facts_go_with_one_dialog(mdmem: Run, root: Path, tmp_path: Path) -> None:
    (tmp_path / "chats").mkdir()
    done = mdmem("ingest", tmp_path / "chats", "--topic", "t", "--facts", "f", "--vault", root, code=2)
    assert "the facts are those of one dialog" in done.err


def test_a_fact_of_a_chat_in_json_has_the_line_of_its_turn(give: Give, root: Path) -> None:
    give([{**HOME, "sentence": "I live in Berlin."}], chat_json().decode(), "chat.json")
    (line,) = (fact["line"] for fact in _summary(root)["facts"])
    assert "I live in Berlin." in chat_json().decode().split("\n")[line - 1]
