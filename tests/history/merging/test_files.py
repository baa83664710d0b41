"""Each kind of file of a vault is merged by its own rule."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mdmem.history.merging.files import merge_path
from mdmem.store.config import VaultConfig
from mdmem.store.registry import MergedFile

CONFIG = VaultConfig()
MEMORY, LOG = "allmemories/a_note_of_mine.md", "topics/tea/curation.md"
PART = "topics/tea/20260208T140500Z-0c7a6f3e/raw.md"


def both_ways(path: str, base: bytes | None, ours: bytes, theirs: bytes) -> MergedFile:
    """A merge of which both ways round have the same bytes."""
    merged = merge_path(path, base, ours, theirs, CONFIG)
    assert merge_path(path, base, theirs, ours, CONFIG).data == merged.data
    return merged


@pytest.mark.parametrize("path", [MEMORY, LOG, PART, "mdmem.toml", "GLOBAL_MEMORY.json"])
def test_a_change_of_one_side_is_taken(path: str) -> None:
    assert both_ways(path, b"a\n", b"a\n", b"b\n") == MergedFile(b"b\n")


def test_the_lines_of_a_log_are_those_of_both_by_time() -> None:
    """Each once, none lost; a line without a time goes before."""
    first, second, third = (
        f"- 04bfc468b131e204: 8 (ana, 2026-02-0{day}T14:05:00Z)\n".encode() for day in (1, 2, 3)
    )
    head = b"# Scores\n\n"
    assert both_ways(LOG, head, head + third, head + first + second).data == head + first + second + third
    assert both_ways(LOG, None, head + third, head + first + third).data == head + first + third
    assert (
        both_ways(LOG, head, head + b"- by hand: \xff\n", head + first).data == head + b"- by hand: \xff\n" + first
    )


def test_a_part_of_an_entry_is_never_merged() -> None:
    merged = both_ways(PART, None, b"one\n", b"two\n")
    assert merged.two == (b"one\n", b"two\n")
    assert merged.data == b"one\n"


def test_derived_files_never_conflict() -> None:
    merged = both_ways("GLOBAL_MEMORY.json", b"{}", b'{"a": 1}', b'{"b": 1}')
    assert merged == MergedFile(b'{"b": 1}')


def test_two_memories_of_one_name_are_both_returned() -> None:
    notes = [f"---\nid: 0192f3c4-7d1e-7c3a-9d53-00000000000{number}\n---\n\ntext\n".encode() for number in (1, 2)]
    merged = merge_path(MEMORY, None, *notes, CONFIG)
    assert merged.two is not None
    assert sorted(merged.two) == notes
    assert merged.conflicts


def test_other_files_are_merged_line_by_line_and_binary_ones_not_at_all() -> None:
    base = b"a = 1\nb = 2\nc = 3\n"
    assert both_ways("mdmem.toml", base, base.replace(b"1", b"5"), base.replace(b"3", b"6")) == MergedFile(
        b"a = 5\nb = 2\nc = 6\n"
    )
    settings = merge_path("mdmem.toml", base, base.replace(b"1", b"5"), base.replace(b"1", b"6"), CONFIG)
    assert settings.data == b"<<<<<<< ours\na = 5\n=======\na = 6\n>>>>>>> theirs\nb = 2\nc = 3\n"
    for path in ("picture.png", MEMORY):
        binary = merge_path(path, b"\0", b"\0\xff", b"\0\xfe", CONFIG)
        assert binary.data == b"\0\xff"
        assert binary.conflicts
        assert binary.two == ((b"\0\xff", b"\0\xfe") if path == MEMORY else None)


def test_the_driver_starts_without_the_command_line(tmp_path: Path) -> None:
    """git starts it for each file: what it needs not is not loaded."""
    (tmp_path / "mdmem.toml").write_text('id = "test"\n')
    for name, tag in (("base", ""), ("ours", "  - a\n"), ("theirs", "  - b\n")):
        (tmp_path / name).write_text(f"---\ntags:\n  - x\n{tag}---\n\ntext\n")
    code = (
        "import sys; from mdmem.__main__ import main; "
        "print(main(['merge-driver', 'base', 'ours', 'theirs', '7', 'allmemories/a.md']), *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    code_and_modules = done.stdout.split()
    assert code_and_modules[0] == "0"
    assert not {"click", "git", "sqlite3", "subprocess", "markdown_it"} & set(code_and_modules)
    assert (tmp_path / "ours").read_text() == "---\ntags:\n  - x\n  - a\n  - b\n---\n\ntext\n"
