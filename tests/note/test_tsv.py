"""Tables beside the code: what is read, and what is said of a row that is no row."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdmem.errors import MdmemError
from mdmem.note import tsv


def _read(folder: Path, text: str) -> list[list[str]]:
    (folder / "data").mkdir()
    (folder / "data/words.tsv").write_text(text, "utf-8")
    return list(tsv.rows(str(folder / "module.py"), "words.tsv", 2))


def test_comments_and_blank_lines_are_no_rows(tmp_path: Path) -> None:
    assert _read(tmp_path, "# a\n\nb\tc d\n") == [["b", "c d"]]


@pytest.mark.parametrize("row", ["a", "a\tb\tc"], ids=["a cell is missing", "a cell too many"])
def test_a_fault_in_a_table_is_told_with_file_and_line(tmp_path: Path, row: str) -> None:
    with pytest.raises(MdmemError, match=r"words.tsv:2: needs 2 cells"):
        _read(tmp_path, f"# words\n{row}\n")
