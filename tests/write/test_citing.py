"""What a memory written in a session cites counts as used, and nothing else does."""

from __future__ import annotations

import pytest

from mdmem.store.local import usage
from mdmem.store.operation import Caller
from mdmem.store.vault.lookup import find
from mdmem.store.vault.vault import Vault
from mdmem.write import remember as intake
from tests.conftest import NOW, Remember

NOTE = "boat_leaks_in_port"


def used_by(vault: Vault, text: str, session: str = "conv-1", **properties: object) -> int:
    """How often the note counts as used when such a memory is written."""
    intake.remember(vault, intake.draft_from(text, properties), Caller(NOW, "bob", session))  # type: ignore[arg-type]
    return usage.opened(str(vault.root)).get(find(vault, NOTE).id, 0)


@pytest.mark.parametrize(
    "text",
    [
        f"The leak is fixed, see [[{NOTE}]].",
        f"The leak is fixed ([before](allmemories/{NOTE}.md)).",
        f"The leak is fixed, by allmemories/{NOTE}.md:12@abcdef1.",
        f"The leak of {NOTE} is fixed.",
    ],
)
def test_a_memory_of_a_session_that_cites_a_note_uses_it(vault: Vault, remember: Remember, text: str) -> None:
    remember("The boat leaks in port.", name=NOTE)
    assert used_by(vault, text) == 1


def test_a_relation_that_builds_on_a_note_uses_it(vault: Vault, remember: Remember) -> None:
    remember("The boat leaks in port.", name=NOTE)
    assert used_by(vault, "So it goes to the yard.", derived_from=[f"[[{NOTE}]]"]) == 1


def test_what_is_replaced_and_what_no_session_wrote_is_no_use(vault: Vault, remember: Remember) -> None:
    remember("The boat leaks in port.", name=NOTE)
    assert used_by(vault, "The boat is dry.", supersedes=[f"[[{NOTE}]]"]) == 0
    assert used_by(vault, f"By hand: [[{NOTE}]].", session="") == 0
    assert used_by(vault, "Another thing, which links [[to_no_note_at_all]].") == 0
