"""Stores that the real programs have written a moment ago, taken into a vault; see stores.py."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.note import memory
from tests.systems.importers import stores

pytestmark = [pytest.mark.clients, pytest.mark.slow]


@pytest.mark.parametrize("name", stores.STORES)
def test_a_store_of_the_real_program_comes_in(
    name: str, tmp_path: Path, root: Path, mdmem: Callable[..., Any]
) -> None:
    needed, build = stores.STORES[name]
    if not stores.program(needed):
        pytest.skip(f"there is no {needed} on PATH or in MDMEM_STORES_DIR")
    folder, home = tmp_path / "store", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    given = build(folder, home)
    done = json.loads(mdmem("import", name, given, "--vault", root, "--json").out)
    assert len(done["notes"]) == 3
    assert all(problem["severity"] == "warning" for problem in done["problems"])
    notes = {
        item["source"]: memory.parse((root / item["path"]).read_bytes(), item["path"]) for item in done["notes"]
    }
    LOOKED_AT[name]({Path(source).stem: note for source, note in notes.items()})
    assert "imported 0 notes, 3 there already" in mdmem("import", name, given, "--vault", root).out


def _of_server_memory(notes: dict[str, memory.Memory]) -> None:
    ada, shop, tabs = (notes[name] for name in ("Ada_Lovelace", "Web shop", "Tabs, not spaces"))
    assert ada.body.strip() == "- Leads the web team\n- Likes tea\n  and rain"
    assert ada.meta["relations"] == [{"predicate": "maintains", "target": f"[[{shop.name}]]"}]
    assert (tabs.type, tabs.meta["supports"]) == ("decision", [f"[[{shop.name}]]"])


def _of_basic_memory(notes: dict[str, memory.Memory]) -> None:
    day, ada, harbor = (notes[name] for name in ("Team day", "Ada Lovelace", "Harbor"))
    assert (day.title, day.type, day.tags) == ("Team day", "note", ("work",))
    assert {"predicate": "led_by", "target": f"[[{ada.name}]]"} in list(day.meta["relations"])  # type: ignore[arg-type]
    assert f"[[{day.name}]]" in ada.body
    assert f"Asked by [[{ada.name}]] on [[{day.name}]]" in harbor.body


def _of_palinode(notes: dict[str, memory.Memory]) -> None:
    by_type = {note.text("imported_type"): note for note in notes.values()}
    decision, person, insight = (by_type[name] for name in ("Decision", "PersonMemory", "Insight"))
    assert (decision.type, decision.title, decision.text("project")) == ("decision", "Tabs in the shop", "shop")
    assert decision.created
    assert (person.flag("pinned"), insight.number("importance")) == (True, 1.0)
    assert decision.body.strip() == "We use tabs in the shop."


LOOKED_AT = {"server-memory": _of_server_memory, "basic-memory": _of_basic_memory, "palinode": _of_palinode}
