"""Reading may guess which memory is meant; writing may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdmem.errors import NotFoundError, UsageError
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault
from tests.conftest import Remember, Run, Write


@pytest.mark.parametrize(
    "command",
    [
        ["forget", "some_note"],
        ["forget", "some_note_here@HEAD"],
        ["forget", "some_mote_here"],
        ["update", "some_note", "--body", "x"],
        ["edit", "some_note"],
        ["rename", "some_note", "other_note_here"],
        ["adopt", "some_note"],
        ["restore", "some_note@HEAD"],
    ],
    ids=" ".join,
)
def test_writing_commands_do_not_guess(
    command: list[str], root: Path, remember: Remember, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MDMEM_EDITOR", "false")  # one that needs no terminal
    path = root / remember("Precious.", "some_note_here")
    before = path.read_bytes()
    assert "some_note_here" in mdmem(*command, "--vault", root, code=3).err
    assert path.read_bytes() == before


@pytest.mark.parametrize("command", ["show", "log", "diff", "blame"])
def test_reading_commands_guess(command: str, root: Path, remember: Remember, mdmem: Run) -> None:
    remember("Precious.", "some_note_here")
    mdmem(command, "some_note", "--vault", root)


def test_a_name_that_several_have_is_refused(vault: Vault, write: Write) -> None:
    write("allmemories/some_note_here.md", "One.")
    write("allmemories/inner/some_note_here.md", "Two.")
    write("allmemories/other_note_here.md", "Three.")
    for find in (lookup.find, lookup.named):
        with pytest.raises(UsageError) as caught:
            find(vault, "some_note_here")
        assert "allmemories/inner/some_note_here.md" in caught.value.hint
        assert find(vault, "allmemories/inner/some_note_here.md").path == "allmemories/inner/some_note_here.md"
    with pytest.raises(UsageError):
        lookup.find(vault, "note_here")
    with pytest.raises(NotFoundError) as missing:
        lookup.named(vault, "note_here")
    assert "other_note_here" in missing.value.hint


def test_the_nearest_names_are_told_as_they_look_whatever_their_letter_case(vault: Vault, write: Write) -> None:
    for name in ("leer", "Jörg Meier"):
        write(f"allmemories/{name}.md", "A note.\n")
    with pytest.raises(NotFoundError) as raised:
        lookup.named(vault, "Jörg Müller")
    assert raised.value.hint == "nearest: Jörg Meier, leer"
