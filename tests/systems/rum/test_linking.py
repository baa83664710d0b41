"""Links between works, and what they tell of causes and effects."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.errors import NotFoundError, UsageError
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import adding, shelf, work
from mdmem.systems.rum.shelf import Shelf
from tests.conftest import NOW, Ran
from tests.systems.rum.works import LEAST

WHO = Caller(NOW, "claude-code", "conv-1")
NAMES = ("first_work_done", "second_work_done", "third_work_done")


@pytest.fixture
def works(vault: Vault) -> Shelf:
    """Three works."""
    for name in NAMES:
        adding.add(vault, work.checked(LEAST), WHO, name=name)
    return Shelf(vault)


def links_of(works: Shelf, name: str) -> dict[str, Any]:
    found: dict[str, Any] = works.view(works.work(name)).value["links"]
    return found


def id_of(works: Shelf, name: str) -> str:
    return works.id_of(name)


def test_a_link_is_written_once_and_read_from_both_ends(works: Shelf) -> None:
    first = shelf.link(works.vault, NAMES[1], "caused_by", id_of(works, NAMES[0]), WHO)
    again = shelf.link(works.vault, NAMES[1], "caused_by", NAMES[0], WHO)
    assert first.commit
    assert not again.commit
    assert links_of(works, NAMES[1]) == {"caused_by": [id_of(works, NAMES[0])]}
    assert links_of(works, NAMES[0]) == {"led_to": [id_of(works, NAMES[1])]}
    assert "led_to" not in (Path(works.vault.root) / f"allmemories/{NAMES[0]}.md").read_text()


def test_of_links_that_are_single_the_newest_holds(works: Shelf) -> None:
    for other in NAMES[:2]:
        shelf.link(works.vault, NAMES[2], "blocked_by", other, WHO)
    assert links_of(works, NAMES[2]) == {"blocked_by": id_of(works, NAMES[1])}


def test_links_of_which_there_may_be_several_are_added(works: Shelf) -> None:
    for other in NAMES[:2]:
        shelf.link(works.vault, NAMES[2], "related_to", other, WHO)
    assert links_of(works, NAMES[2]) == {"related_to": [id_of(works, name) for name in NAMES[:2]]}


def test_what_is_superseded_is_deprecated(works: Shelf) -> None:
    shelf.link(works.vault, NAMES[1], "supersedes", NAMES[0], WHO)
    assert works.work(NAMES[0]).status == "deprecated"


def test_a_link_to_nothing_to_itself_or_of_another_memory_is_refused(
    works: Shelf, remember: Callable[..., str]
) -> None:
    with pytest.raises(NotFoundError, match="no memory 'mem_x'"):
        shelf.link(works.vault, NAMES[0], "caused_by", "mem_x", WHO)
    with pytest.raises(UsageError, match="cannot be linked to itself"):
        shelf.link(works.vault, NAMES[0], "caused_by", NAMES[0], WHO)
    remember("The port is 80.", "the_port_is_80")
    with pytest.raises(UsageError, match="the_port_is_80 is not of type work"):
        shelf.link(works.vault, "the_port_is_80", "caused_by", NAMES[0], WHO)


def test_a_trace_follows_causes_and_effects_and_ends_in_a_circle(works: Shelf, mdmem: Callable[..., Ran]) -> None:
    root = works.vault.root
    shelf.link(works.vault, NAMES[1], "caused_by", NAMES[0], WHO)
    shelf.link(works.vault, NAMES[1], "led_to", NAMES[2], WHO)  # written at the earlier end
    shelf.link(works.vault, NAMES[0], "caused_by", NAMES[2], WHO)  # a circle
    shelf.link(works.vault, NAMES[0], "related_to", NAMES[1], WHO)  # says nothing of causes

    def reached(*options: str) -> list[tuple[str, str, int]]:
        found = json.loads(mdmem("work", "trace", NAMES[1], "--json", "--vault", root, *options).out)["reached"]
        return [(one["name"], one["relation"], one["distance"]) for one in found]

    causes = [(NAMES[0], "caused_by", 1), (NAMES[2], "caused_by", 2)]
    effects = [(NAMES[2], "led_to", 1), (NAMES[0], "led_to", 2)]
    assert reached("--direction", "causes") == causes
    assert reached("--direction", "effects") == effects
    assert reached("--max-depth", "1") == [causes[0], effects[0]]
    assert "-->|caused_by|" in mdmem("work", "trace", NAMES[1], "--format", "mermaid", "--vault", root).out
    assert "digraph" in mdmem("work", "trace", NAMES[1], "--format", "dot", "--vault", root).out
    assert "caused_by first_work_done" in mdmem("work", "trace", NAMES[1], "--vault", root).out
    assert works.view(works.work(NAMES[1])).value["access_count"] == 0
