"""What people read is plain English: the worst words of earlier drafts stay out of pages, help and messages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import house
from tests.pages import PAGES, PROJECT

pytestmark = pytest.mark.xdist_group("house")  # one process reads the modules

PACKAGE = PROJECT / "mdmem"

# pattern -> what to write instead
BAD_WORDS = {
    r"\bmend(?:s|ed|ing)?\b": "fix, repair",
    r"\b(?<!here )(?:is|are) no (?!longer|more\b|way\b|need|reason|such)[a-z-]+": "is not a ...",
    r"\btelling (?:name|word)s?\b": "descriptive, typical",
    r"\bhalf a sign\b|\bpairs of signs\b|\bbegins? with a sign\b|\bsigns that\b": "character",
    r"\bfor who\b|\bwho wants to\b|\bwhoever\b": "for callers that, to ...",
    r"\bshall\b(?! i\b)": "should, will",
    r"\banew\b": "again",
    r"\bit is written nowhere\b": "not saved",
    r"\ba slip of the pen\b": "a typo",
    r"\bin quite other words\b": "in entirely different words",
    r"\blook behind\b": "follow symbolic links",
    r"\bin no calendar\b|\bbefore all calendars\b": "out of range",
    r"\bof then\b|\bof now\b": "at that time, current",
    r"\bliving one\b": "existing memory",
    r"\bwhat it learnt\b|\bwas learnt\b": "learned",
    r"\bReads? are\b|\bThrow the index away\b|\bsettle, prune\b": "natural word order",
    r"\ba known id goes on\b|\ban id that is known goes on\b": "an existing id resumes that session",
    r"\bleft out, and said\b": "skipped and reported",
    r"\balways recalled first\b": "ranks a little higher",
    r"\(B\d+\)|\(A\d+\)|\bcontradiction \d+\b|\bDESIGN section\b|\bB\d\d\b": "no reference outside the repository",
    r"\.\./shared\b": "no reference outside the repository",
}
BAD = re.compile("|".join(f"(?:{pattern})" for pattern in BAD_WORDS), re.I)

# Tables of words that people use: what they hold is not what mdmem says.
WORD_TABLES = {"language/words", "note/stopwords"}


def _name(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").as_posix()


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of each string of a module, its docstrings included: help is made of those."""
    for node in house.nodes_of(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, " ".join(node.value.split())


def bad_texts(path: Path) -> list[str]:
    """Each bad word of a module, with the line of the string it is in."""
    return [f"{_name(path)}:{line}: {match[0]}" for line, text in _texts(path) for match in BAD.finditer(text)]


MODULES = {
    _name(path): path
    for path in sorted(PACKAGE.rglob("*.py"))
    if not any(_name(path) == table or _name(path).startswith(f"{table}/") for table in WORD_TABLES)
}


def test_the_strings_of_modules_are_plain_english() -> None:
    assert [bad for path in MODULES.values() for bad in bad_texts(path)] == []


TEXTS = [
    *PAGES,
    *(path for folder in ("vault", "templates", "hooks") for path in sorted((PROJECT / folder).rglob("*.*"))),
    *(PROJECT / "tests").glob("*.sh"),
]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(PROJECT).as_posix())
def test_pages_are_plain_english(path: Path) -> None:
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    assert [match[0] for match in BAD.finditer(text)] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_lines_of_pages_fit_a_screen(path: Path) -> None:
    """Tables, examples and their output may be longer."""
    prose = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.S)
    assert [line for line in prose.splitlines() if len(line) > 125 and not line.startswith("|")] == []


@pytest.mark.parametrize(
    "text",
    ["mend it, then try again", "'x' is no filter", "3 to 10 telling words", "what shall be undone?", "see (B16)"],
)
def test_bad_words_are_found(text: str) -> None:
    assert BAD.search(text)


@pytest.mark.parametrize(
    "text",
    [
        "there is no vault here",
        "it is no longer true",
        "recommended",
        "shall I save it?",
        "git signs commits",
        "tell them apart",
    ],
)
def test_good_words_are_left_alone(text: str) -> None:
    assert not BAD.search(text)
