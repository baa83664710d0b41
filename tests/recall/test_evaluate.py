"""Memory tests: the figures are those of the textbook, and a test that fails says why."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import log2
from pathlib import Path
from typing import Any

import pytest

from mdmem.acts.checks import checkup
from mdmem.store.vault.vault import Vault

Git = Callable[..., str]
Run = Callable[..., Any]
Write = Callable[[str, str | bytes], Path]


@pytest.fixture
def asking(root: Path, write: Write, tmp_path: Path) -> Callable[..., str]:
    """A vault of five notes that rank by number for the word "turing"; writes a file of cases, gives its path."""
    for number in range(5):
        words = "turing " * (5 - number) + "filler " * 3
        write(f"allmemories/note_number_is_{number}.md", f"---\nimportance: {0.9 - number / 10}\n---\n{words}\n")

    def save(*cases: object) -> str:
        path = tmp_path / "cases.jsonl"
        path.write_text("\n".join(case if isinstance(case, str) else json.dumps(case) for case in cases) + "\n")
        return str(path)

    return save


def test_the_figures(asking: Run, mdmem: Run, root: Path) -> None:
    file = asking(
        {"question": "turing", "gold": ["note_number_is_0.md"]},
        "",
        {"question": "turing", "gold": ["note_number_is_2", "allmemories/note_number_is_4.md"], "conv": "ignored"},
        {"question": "hopper", "gold": ["note_number_is_1"]},
    )
    out = json.loads(mdmem("eval", file, "--vault", root, "--json").out)
    gain = (1 / log2(4) + 1 / log2(6)) / (1 + 1 / log2(3))
    expected = {
        **{"hit@1": 1 / 3, "hit@5": 2 / 3, "hit@10": 2 / 3, "hit@20": 2 / 3},
        **{"recall@5": 2 / 3, "recall@10": 2 / 3, "recall@20": 2 / 3},
        **{"MRR": (1 + 1 / 3) / 3, "nDCG@10": (1 + gain) / 3},
    }
    assert out["scores"] == pytest.approx(expected, abs=1e-4)
    assert (out["questions"], out["passed"]) == (3, 2)
    assert [(item["line"], item["rank"]) for item in out["failed"]] == [(4, 0)]


def test_what_fails_is_said(asking: Run, mdmem: Run, root: Path) -> None:
    file = asking(
        {"question": "turing", "gold": ["note_number_is_3"], "k": 2},
        {"question": "turing", "absent": ["note_number_is_1"]},
        {"question": "turing", "absent": ["note_number_is_4"], "k": 3},
        {"question": "turing", "gold": ["note_that_never_was"]},
    )
    out = mdmem("eval", file, "--vault", root).out
    assert "note_number_is_3 is at rank 4; first came note_number_is_0, note_number_is_1" in out
    assert "note_number_is_1 must not be among the first 5" in out
    assert "there is no memory note_that_never_was" in out
    assert "1 of 4 questions passed" in out


def test_a_bar_that_is_missed_is_an_exit_code(asking: Run, mdmem: Run, root: Path) -> None:
    file = asking(
        {"question": "turing", "gold": ["note_number_is_0"]}, {"question": "x", "gold": ["note_number_is_1"]}
    )
    assert mdmem("eval", file, "--vault", root, "--min-hit5", "0.5").code == 0
    assert "below 0.6" in mdmem("eval", file, "--vault", root, "--min-hit5", "0.6", code=1).err


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("{no json", "cases.jsonl:2: not JSON"),
        ('["a"]', 'cases.jsonl:2: there is no "question"'),
        ('{"question": 5, "gold": ["a"]}', 'cases.jsonl:2: there is no "question"'),
        ('{"question": "a"}', 'cases.jsonl:2: neither "gold" nor "absent"'),
        ('{"question": "a", "gold": "b"}', 'cases.jsonl:2: "gold" must be a list'),
        ('{"question": "a", "gold": ["b"], "k": 0}', 'cases.jsonl:2: "k" must be'),
        ('{"question": "a", "gold": ["b"], "k": true}', 'cases.jsonl:2: "k" must be'),
    ],
)
def test_what_is_no_case_names_its_line(asking: Run, mdmem: Run, root: Path, case: str, message: str) -> None:
    file = asking({"question": "turing", "gold": ["note_number_is_0"]}, case)
    assert message in mdmem("eval", file, "--vault", root, code=2).err


@pytest.mark.parametrize(
    "data", [b'{"question": "x\xff", "gold": ["a"]}', b'{"question": "\\ud800", "gold": ["a"]}', b"[" * 100_000]
)
def test_what_no_program_can_read_names_its_line(mdmem: Run, root: Path, tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "broken.jsonl"
    file.write_bytes(b"\n" + data)
    assert f"{file}:2: " in mdmem("eval", file, "--vault", root, code=2).err


def test_a_file_of_windows_is_read(asking: Run, mdmem: Run, root: Path) -> None:
    """With a byte order mark and its line ends."""
    file = Path(asking({"question": "turing", "gold": ["note_number_is_0"]}))
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert "1 of 1 question passed" in mdmem("eval", file, "--vault", root).out


def test_a_file_without_cases_is_refused(asking: Run, mdmem: Run, root: Path) -> None:
    assert "holds no questions" in mdmem("eval", asking(), "--vault", root, code=2).err


def test_each_run_leaves_a_line_here_and_a_damaged_one_counts_as_none(
    asking: Run, mdmem: Run, root: Path, git: Git
) -> None:
    file = asking({"question": "turing", "gold": ["note_number_is_0"]}, {"question": "x", "gold": ["nowhere"]})
    mdmem("eval", file, "--vault", root)
    kept = root / ".mdmem/tests.jsonl"
    kept.write_text(
        kept.read_text() + '{"when": 3\n[]\n{"when": "2026-01-01", "questions": 1e999, "passed": 0, "hit5": 0}\n'
    )
    mdmem("eval", file, "--vault", root)
    with Vault.open(str(root)) as vault:
        runs = checkup.tests(vault)
    assert [(run.questions, run.passed, run.hit5) for run in runs] == [(2, 1, 0.5)] * 2
    assert git(root, "status", "--porcelain", "--", ".mdmem") == ""


def test_asking_for_a_test_counts_as_no_use(asking: Run, mdmem: Run, root: Path) -> None:
    """Two runs agree, whatever was recalled in between."""
    file = asking({"question": "turing", "gold": ["note_number_is_4"]})
    first = mdmem("eval", file, "--vault", root, "--json").out
    for _ in range(5):
        mdmem("recall", "turing", "--vault", root, "--where", "name=note_number_is_4")
    assert mdmem("eval", file, "--vault", root, "--json").out == first
