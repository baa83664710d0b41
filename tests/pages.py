"""The README and the guides as tests see them: their examples, and a way to run those.

`python -m tests.pages` brings the tables of commands, settings and guides up to date with the code.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mdmem.__main__ import main
from mdmem.acts import manual as guide
from mdmem.cli.group import COMMANDS, HEADINGS
from mdmem.store.config import CONFIG_SPEC
from tests.test_layers import ROOMS

PROJECT = Path(__file__).parents[1]
PACKAGE = PROJECT / "mdmem"
GUIDES = PACKAGE / "guides"
README = PROJECT / "README.md"
PAGES = [README, *sorted(GUIDES.glob("*.md"))]

_NEEDS_A_SHELL = re.compile(r"[|<>;&$`*?()]")


class Example(NamedTuple):
    """A command of a page, and the output that stands below it."""

    line: str
    expected: str


def examples(page: Path) -> list[Example]:
    """The commands of a page's console blocks, in order."""
    return list(_examples(page.read_text(encoding="utf-8")))


def _examples(text: str) -> Iterator[Example]:
    for block in re.findall(r"```console\n(.*?)```", text, re.S):
        for part in re.split(r"(?m)^\$ ", block)[1:]:
            line, _, output = part.partition("\n")
            yield Example(line, output)


def code_blocks(page: Path, language: str) -> list[str]:
    """The text of a page's fenced blocks of one language."""
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.S)


def run(line: str) -> str:
    """What a command of a page prints, errors included.

    A plain `mdmem` command runs in this process, which is five times as fast; `cd` changes its folder.
    """
    if _NEEDS_A_SHELL.search(_outside_quotes(line)):
        return _run_in_shell(line)
    words = shlex.split(line)
    if words[0] == "cd":
        os.chdir(words[1])
        return ""
    return _run_here(words[1:]) if words[0] == "mdmem" else _run_in_shell(line)


def _outside_quotes(line: str) -> str:
    return re.sub(r"'[^']*'", "", line)


def _run_here(arguments: list[str]) -> str:
    raw = io.BytesIO()
    output = io.TextIOWrapper(raw, encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        main(arguments)
        output.flush()
        return raw.getvalue().decode()


def _run_in_shell(line: str) -> str:
    done = subprocess.run(["bash", "-c", line], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout


def normal(text: str) -> str:
    """A text without what differs from run to run: commit ids."""
    return re.sub(r"\b[0-9a-f]{8}\b", "COMMIT", text).strip()


def matches(output: str, expected: str) -> bool:
    """Whether a command printed what its page shows; `...` stands for any text."""
    pattern = re.escape(normal(expected)).replace(r"\.\.\.", ".*")
    return re.fullmatch(pattern, normal(output)) is not None


def tables() -> list[tuple[Path, str, list[str]]]:
    """The page of each table, its header, and the rows that the code says it has."""
    commands = [
        f"| {heading} | `mdmem {name}` | {COMMANDS[name]} |"
        for heading, names in HEADINGS.items()
        for name in names
    ]
    settings = [f"| `{item.key}` | `{json.dumps(item.default)}` | {item.help} |" for item in CONFIG_SPEC]
    guides = [f"| [{name}](mdmem/guides/{name}.md) | {guide.read(name).title} |" for name in guide.NAMES]
    return [
        (GUIDES / "commands.md", "| for | command | what it does |", commands),
        (GUIDES / "commands.md", "| setting | default | meaning |", settings),
        (GUIDES / "design.md", "| place in `mdmem/` | what it is about |", list(_house())),
        (README, "| guide | what it covers |", guides),
    ]


def _house() -> Iterator[str]:
    """Each room, in the order of the law, with what it says of itself first."""
    for name in ROOMS:
        room = PACKAGE / name
        place = room / "__init__.py" if room.is_dir() else room.with_suffix(".py")
        told = ast.get_docstring(ast.parse(place.read_text(encoding="utf-8"))) or ""
        yield f"| `{place.name if place.parent == PACKAGE else name}` | {_first_sentence(told)} |"


def _first_sentence(text: str) -> str:
    paragraph = " ".join(text.split("\n\n", maxsplit=1)[0].split())
    return re.split(r"(?<=\.) (?=[A-Z`])", paragraph)[0].rstrip(".")


def rows(page: Path, header: str) -> list[str]:
    """The rows of the table of a page that has that header."""
    below = page.read_text(encoding="utf-8").split(f"{header}\n", 1)[1]
    return below.split("\n\n", 1)[0].splitlines()[1:]


def refill(page: Path, header: str, wanted: list[str]) -> None:
    """Replace the rows of a table."""
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("\n".join(rows(page, header)), "\n".join(wanted)), encoding="utf-8")


if __name__ == "__main__":
    for place, top, content in tables():
        refill(place, top, content)
