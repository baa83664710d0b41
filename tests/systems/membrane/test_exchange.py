"""Records out of a vault and into one: nothing is lost on the way, and a bad record imports nothing."""

from __future__ import annotations

import copy
import io
import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.store.git.command import Git
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.systems.membrane import record, records
from tests.conftest import NOW, Ran
from tests.systems.membrane.made import made

Run = Callable[..., Ran]


def exported(mdmem: Run, root: Path, *more: str) -> str:
    return mdmem("export", "membrane", "--max-sensitivity", "hyper", "--vault", root, *more).out


@pytest.fixture
def other(tmp_path: Path, mdmem: Run) -> Path:
    """A second, empty vault."""
    mdmem("init", tmp_path / "other", "--no-examples", "--no-hooks")
    return tmp_path / "other"


def test_the_record_of_a_work_says_what_the_work_says(root: Path, other: Path, tmp_path: Path, mdmem: Run) -> None:
    from tests.systems.rum.works import WHOLE

    (tmp_path / "work.json").write_text(json.dumps(WHOLE))
    added = json.loads(mdmem("work", "add", tmp_path / "work.json", "--vault", root, "--json").out)
    assert (added["name"], added["title"]) == ("stop_random_logouts", "Stop the random logouts")
    note = root / added["path"]
    note.write_text(
        note.read_text().replace("## Intent", "Nobody had asked.\n\n## Intent") + "\n## Intent\n\nAgain.\n"
    )
    mdmem("doctor", "--as", "record", "--vault", root)
    (value,) = json.loads(exported(mdmem, root))
    events = [(one["event_kind"], one["summary"]) for one in value["payload"]["timeline"]]
    assert events[0] == ("work", "Stop the random logouts\n\nNobody had asked.")
    kinds = ["work", "intent", "perception", "reasoning", "actions", "outcome", "intent"]
    assert [kind for kind, _ in events] == kinds
    told = "\n".join(summary for _, summary in events)
    layers = [WHOLE[name] for name in ("intent", "perception", "reasoning", "actions", "outcome")]
    texts = [text for text in _texts(layers) if not text.startswith("2024")]
    assert [text for text in texts if text not in told] == []
    assert value["payload"]["outcome"] == "success"
    assert [one["tool"] for one in value["payload"]["tool_graph"]] == ["file_edit", "command_run"]
    assert value["payload"]["tool_graph"][0]["args"]["lines_affected"] == "45-89"
    (tmp_path / "first.json").write_text(json.dumps([value]))
    mdmem("import", "membrane", tmp_path / "first.json", "--vault", other)
    (again,) = json.loads(exported(mdmem, other))
    assert again["payload"] == value["payload"]


def _texts(value: Any) -> list[str]:
    if isinstance(value, list | dict):
        return [text for item in (value.values() if isinstance(value, dict) else value) for text in _texts(item)]
    return [value] if isinstance(value, str) else []


def test_out_and_in_and_out_again_is_the_same(
    root: Path, other: Path, tmp_path: Path, mdmem: Run, git: Callable[..., str]
) -> None:
    """Ordinary notes and records, with what happened to them since."""
    (tmp_path / "first.json").write_text(json.dumps(made(10)))
    mdmem("import", "membrane", tmp_path / "first.json", "--vault", root)
    mdmem("remember", "User prefers tables.", "--type", "preference", "--vault", root, "-m", "said so")
    mdmem("update", "user_prefers_tables", "--set", "confidence=0.9", "--vault", root, "--actor", "ada-bot")
    (root / "allmemories/by_hand_of_ada.md").write_text("Ada drinks [[user_prefers_tables|tea]].\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", "by hand")
    first = exported(mdmem, root)
    values = json.loads(first)
    assert len(values) == 12
    assert [list(record.faults(value)) for value in values] == [[]] * 12
    preference = next(value for value in values if value["payload"].get("predicate") == "preference")
    assert [(entry["action"], entry["rationale"]) for entry in preference["audit_log"]] == [
        ("create", "said so"),
        ("revise", "revise allmemories/user_prefers_tables.md"),
    ]
    assert preference["audit_log"][1]["actor"] == "ada-bot"
    (tmp_path / "second.json").write_text(first)
    mdmem("import", "membrane", tmp_path / "second.json", "--vault", other)
    assert exported(mdmem, other) == first
    lines = exported(mdmem, other, "--lines").splitlines()
    assert [json.loads(line) for line in lines] == values


def test_an_imported_record_is_a_note_like_any_other(root: Path, tmp_path: Path, mdmem: Run) -> None:
    (tmp_path / "records.json").write_text(json.dumps(made(5)))
    done = json.loads(mdmem("import", "membrane", tmp_path / "records.json", "--vault", root, "--json").out)
    assert len(done["records"]) == 5
    assert done["commit"]
    assert mdmem("doctor", "--vault", root).code == 0
    mdmem("update", Path(done["records"][0]["path"]).stem, "--set", "confidence=0.5", "--vault", root)
    value = next(one for one in json.loads(exported(mdmem, root)) if one["id"] == done["records"][0]["id"])
    assert value["confidence"] == 0.5
    assert [entry["action"] for entry in value["audit_log"]] == ["create", "revise"]
    assert value["audit_log"][0]["rationale"] == "said so\ntwice"


def test_importing_again_changes_nothing(root: Path, tmp_path: Path, mdmem: Run) -> None:
    path = tmp_path / "records.jsonl"
    values = made(4)
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    mdmem("import", "membrane", path, "--vault", root)
    again = json.loads(mdmem("import", "membrane", path, "--vault", root, "--json").out)
    assert (again["records"], again["commit"], len(again["known"])) == ([], "", 4)
    values[2]["confidence"] = 0.1
    path.write_text(json.dumps(values))
    differing = mdmem("import", "membrane", path, "--vault", root)
    assert "record 3: is in the vault as" in differing.err


def test_records_that_are_there_are_read_in_one_walk_through_git(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not one after the other: each would start git several times."""
    path, asked = tmp_path / "records.json", list[object]()

    def counting(start: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *given, **named: asked.append(given) or start(*given, **named)

    for name in ("_start", "_open"):
        monkeypatch.setattr(Git, name, counting(getattr(Git, name)))
    path.write_text(json.dumps(made(12)))
    records.write(vault, records.plan(vault, str(path), silent), Caller(NOW))
    asked.clear()
    assert len(records.plan(vault, str(path), silent).known) == 12
    assert len(asked) < 5


def test_ids_are_compared_without_case(root: Path, tmp_path: Path, mdmem: Run) -> None:
    (record,) = made(1)
    for number, identity in enumerate((record["id"].upper(), record["id"].lower())):
        (tmp_path / "one.json").write_text(json.dumps([{**record, "id": identity}]))
        done = mdmem("import", "membrane", tmp_path / "one.json", "--vault", root)
        assert done.out.startswith(("imported 1 record", "imported 0 records, 1 there already")[number])
        assert done.err == ""


def test_standard_input_is_a_file_too(root: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(made(2)).encode())))
    assert "imported 2 records" in mdmem("import", "membrane", "-", "--vault", root).out


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a record that holds a value, but for those that may hold any."""
    found = [path] if path else []
    if path[-1:] in (("object",), ("value",), ("validity",)):
        return []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return found + [place for key, item in items for place in _places(item, (*path, key))]


WRONG: tuple[Any, ...] = (None, [], {}, "", "no such word", -1, 1e400, True, [[]], {"x": 1})


def mutants(count: int) -> list[tuple[str, dict[str, Any]]]:
    """(the field that was damaged, the record) of records that a random change made invalid."""
    dice = random.Random(3)
    found: list[tuple[str, dict[str, Any]]] = []
    while len(found) < count:
        value = copy.deepcopy(dice.choice(made(5)))
        place = dice.choice(_places(value))
        inner = value
        for key in place[:-1]:
            inner = inner[key]
        if dice.random() < 0.3:
            del inner[place[-1]]
        else:
            inner[place[-1]] = copy.deepcopy(dice.choice(WRONG))
        faults = list(record.faults(value))
        if faults:
            names = [f"[{key}]" if isinstance(key, int) else f".{key}" for key in place]
            found.append(("".join(names).lstrip("."), value))
    return found


def test_damaged_records_are_refused_with_the_field_named(root: Path, tmp_path: Path) -> None:
    """Each of 200 damaged records, in a file with two good ones: nothing of it is imported."""
    good = made(2, seed=9)
    with Vault(str(root)) as vault:
        for field, value in mutants(200):
            text = "".join(f"{json.dumps(one)}\n" for one in (good[0], value, good[1]))
            (tmp_path / "records.jsonl").write_text(text.replace("Infinity", "1e999"))
            plan = records.plan(vault, str(tmp_path / "records.jsonl"), silent)
            assert plan.items == ()
            named = [problem.message.partition(": ")[2].split()[0] for problem in plan.problems]
            assert any(field.startswith(name) or name.startswith(field) for name in named), (field, named)
            assert {problem.line for problem in plan.problems} == {2}
            assert all(problem.fix for problem in plan.problems)
        assert vault.index.count() == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "give a JSON array of records, or one a line"),  # it said that it had imported 0 records
        ("[1, 2", "not JSON"),
        ('{"id": 1}\n{"id": 2\n', ":2: not JSON"),
        ('[{"confidence": NaN}]', "holds NaN, which is not a JSON number"),
        ('[{"id": "a", "id": "b"}]', "holds 'id' twice in one object"),
        ("[3]", "record 1: the whole is 3"),
        ("[" * 100_000, "recursion"),
    ],
)
def test_what_is_not_json_is_told_with_its_line(
    text: str, told: str, root: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from mdmem.__main__ import main

    (tmp_path / "bad.json").write_text(text)
    assert main(["import", "membrane", str(tmp_path / "bad.json"), "--vault", str(root)]) in (1, 2)
    assert told in capfd.readouterr().err


def test_two_records_of_one_id_are_told(root: Path, tmp_path: Path, mdmem: Run) -> None:
    (first,) = made(1)
    (tmp_path / "records.json").write_text(json.dumps([first, {**first, "confidence": 0.1}]))
    told = mdmem("import", "membrane", tmp_path / "records.json", "--vault", root, code=1)
    assert "record 2: has the id of record 1" in told.err


def test_a_note_that_is_no_record_is_left_out_and_told(root: Path, mdmem: Run) -> None:
    mdmem("remember", "User prefers tables.", "--vault", root)
    (root / "allmemories/half_a_claim.md").write_text("---\ntype: semantic\n---\n\n## Claim\n\n- subject: user\n")
    ran = mdmem("export", "membrane", "--max-sensitivity", "hyper", "--vault", root, code=1)
    assert len(json.loads(ran.out)) == 1
    assert "half_a_claim.md:5" in ran.err
    assert "payload.predicate is missing" in ran.err


def test_a_relation_that_says_more_is_a_link_of_its_predicate(root: Path, tmp_path: Path, mdmem: Run) -> None:
    first, second = made(2)
    second["relations"] = [{"predicate": "contradicts", "target_id": first["id"], "weight": 0.5}]
    (tmp_path / "records.json").write_text(json.dumps([first, second]))
    done = json.loads(mdmem("import", "membrane", tmp_path / "records.json", "--vault", root, "--json").out)
    names = [Path(item["path"]).stem for item in done["records"]]
    with Vault(str(root)) as vault:
        (found,) = vault.index.links_to([names[0]], "contradicts")
    assert found[0].name == names[1]


def test_a_note_without_provenance_came_from_its_first_commit(
    root: Path, mdmem: Run, git: Callable[..., str]
) -> None:
    """Under the name that it had there; one record and all records say the same."""
    (root / "allmemories/ada_likes_tea.md").write_text("Ada likes tea.\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", "by hand")
    commit = git(root, "rev-parse", "HEAD")
    mdmem("rename", "ada_likes_tea", "ada_likes_green_tea", "--vault", root)
    (value,) = json.loads(exported(mdmem, root))
    assert value["provenance"]["sources"][0]["ref"] == f"allmemories/ada_likes_tea.md@{commit}"
    assert (
        json.loads(mdmem("show", "--as", "record", "ada_likes_green_tea", "--vault", root, "--json").out) == value
    )
