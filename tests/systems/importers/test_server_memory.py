"""The knowledge graph of server-memory taken into a vault, and led out of it again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mdmem.note import memory
from mdmem.systems.importers import entities
from mdmem.systems.importers.entities import entity, relation

Run = Callable[..., Any]
WORDS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P")), min_size=1, max_size=12)


def row(**values: object) -> str:
    return json.dumps(values) + "\n"


SAID = ["Leads the team", "Likes tea\nand rain"]
GRAPH = (
    row(
        type="entity",
        name="Ada_Lovelace",
        entityType="person",
        observations=["Leads the team", "Likes tea\nand rain"],
    )
    + row(type="entity", name="web/shop", entityType="Decision", observations=["Runs on port 8020"])
    + "{broken\n"
    + row(type="entity", name="Ada_Lovelace", entityType="person", observations=[])
    + row(type="relation", **{"from": "Ada_Lovelace", "to": "web/shop", "relationType": "maintains"})
    + row(type="relation", **{"from": "web/shop", "to": "Ada_Lovelace", "relationType": "derived from"})
    + row(type="relation", **{"from": "nobody", "to": "web/shop", "relationType": "uses"})
)


def test_entities_become_notes_with_their_relations(root: Path, tmp_path: Path, mdmem: Run, git: Run) -> None:
    (tmp_path / "memory.jsonl").write_text(GRAPH)
    before = git(root, "rev-parse", "HEAD")
    done = json.loads(mdmem("import", "server-memory", tmp_path, "--vault", root, "--json", code=1).out)
    assert git(root, "rev-parse", "HEAD~1") == before
    notes = {
        item["source"]: memory.parse((root / item["path"]).read_bytes(), item["path"]) for item in done["notes"]
    }
    ada, shop = notes["Ada_Lovelace"], notes["web/shop"]
    assert ada.body.strip() == "- Leads the team\n- Likes tea\n  and rain"
    assert (ada.title, ada.text("imported_type"), shop.type) == ("Ada_Lovelace", "person", "decision")
    assert ada.meta["relations"] == [{"predicate": "maintains", "target": f"[[{shop.name}]]"}]
    assert shop.meta["derived_from"] == [f"[[{ada.name}]]"]
    told = {(one["line"], one["severity"]) for one in done["problems"]}
    assert told == {(3, "error"), (4, "error"), (0, "warning")}
    again = mdmem("import", "server-memory", tmp_path / "memory.jsonl", "--vault", root, code=1)
    assert "imported 0 notes, 2 there already" in again.out


def test_a_graph_goes_out_and_comes_back_the_same(
    root: Path, tmp_path: Path, empty_vault: Path, mdmem: Run
) -> None:
    sound = "".join(line + "\n" for number, line in enumerate(GRAPH.splitlines()) if number in (0, 1, 4))
    (tmp_path / "memory.jsonl").write_text(sound)
    mdmem("import", "server-memory", tmp_path / "memory.jsonl", "--vault", root)
    mdmem("remember", "Zebrafish illness.", "--set", "sensitivity=high", "--vault", root)
    mdmem("export", "server-memory", tmp_path / "out", "--vault", root)
    exported = (tmp_path / "out/memory.jsonl").read_text()
    assert sorted(exported.splitlines()) == sorted(
        json.dumps(json.loads(line), separators=(",", ":")).replace("Decision", "decision")
        for line in sound.splitlines()
    )
    again = Path(shutil.copytree(empty_vault, tmp_path / "second"))
    mdmem("import", "server-memory", tmp_path / "out", "--vault", again)
    mdmem("export", "server-memory", tmp_path / "third", "--vault", again)
    assert (tmp_path / "third/memory.jsonl").read_text() == exported


def test_links_of_a_text_name_entities(root: Path, tmp_path: Path, mdmem: Run) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/Lisbon.md").write_text("# Lisbon\n\nWarm, see [[Porto|there]].\n")
    (tmp_path / "in/Porto.md").write_text("It rains.\n")
    mdmem("import", "markdown", tmp_path / "in", "--vault", root)
    mdmem("export", "server-memory", tmp_path / "out", "--vault", root)
    rows, _ = entities.parse((tmp_path / "out/memory.jsonl").read_text(), "memory.jsonl")
    assert sorted(rows, key=str) == [
        entity("Lisbon", "memory", ["Warm, see [[Porto|there]]."]),
        entity("Porto", "memory", ["It rains."]),
        relation("Lisbon", "Porto", "mentions"),
    ]


@given(st.lists(WORDS, unique=True, min_size=1, max_size=4), st.lists(WORDS, max_size=3), WORDS)
def test_every_graph_reads_back(names: list[str], said: list[str], kind: str) -> None:
    rows = [*(entity(name, kind, said) for name in names), relation(names[0], names[-1], kind)]
    assert entities.parse(entities.text_of(rows), "memory.jsonl") == (rows, [])


@given(st.lists(st.lists(WORDS, min_size=1, max_size=3).map("\n".join), min_size=1, max_size=4))
def test_observations_read_back_from_a_list(said: list[str]) -> None:
    assert list(entities.observations_of(entities.body_of(said))) == said
