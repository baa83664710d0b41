"""Draw the recording at the top of the README: its first examples, run for real, as an SVG of twenty seconds.

python -m tests.recording [FILE]
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from html import escape
from pathlib import Path

from tests import pages
from tests.conftest import NOW, git_settings, is_of_the_developer

RECORDING = pages.GUIDES / "page/undo.svg"
SECONDS = 20
_READING = 4.0  # seconds for which all of it stands at the end
_COLUMN, _ROW, _MARGIN = 7.25, 18, 16  # of a monospaced font of 12 pixels

_STYLE = f"""
text {{ font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d7dce2; white-space: pre }}
.command {{ fill: #ffffff; font-weight: bold }}
g {{ animation-duration: {SECONDS}s; animation-iteration-count: infinite; animation-timing-function: step-end }}
"""


def first_examples() -> list[pages.Example]:
    """The commands of the first console block of the README."""
    (block, *_) = pages.code_blocks(pages.README, "console")
    return pages.examples(pages.README)[: len(re.findall(r"(?m)^\$ ", block))]


def play(examples: list[pages.Example]) -> list[tuple[str, str]]:
    """Run the commands in an empty folder: each with what it prints."""
    for variable in filter(is_of_the_developer, list(os.environ)):
        del os.environ[variable]
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as work:
        os.environ.update(git_settings(Path(work)), MDMEM_NOW=NOW.isoformat())
        os.chdir(work)
        played = [(example.line, pages.run(example.line).replace(f"{work}/", "")) for example in examples]
        os.chdir(here)
    return played


def draw(played: list[tuple[str, str]]) -> str:
    """The SVG: each command appears, then its output; all of it stands for a while, and it starts again."""
    shown = [part for line, output in played for part in ((f"$ {line}", "command"), (output, "output"))]
    shown = [(text, kind) for text, kind in shown if text.strip()]
    step = (SECONDS - _READING) / (len(shown) - 1)
    style, groups, row = _STYLE, [], 0
    for number, (text, kind) in enumerate(shown):
        start = number * step / SECONDS * 100
        before = "0% { opacity: 0 } " if number else ""  # the first command is there from the start
        style += f"@keyframes k{number} {{ {before}{start:.1f}%, 100% {{ opacity: 1 }} }}\n"
        lines = []
        for line in text.splitlines():
            row += 1
            place = f'x="{_MARGIN}" y="{_MARGIN + row * _ROW - 5}"'
            lines.append(f'<text class="{kind}" {place}>{escape(line, quote=False)}</text>')
        groups.append(f'<g style="animation-name: k{number}">\n' + "\n".join(lines) + "\n</g>\n")
    style += "@media (prefers-reduced-motion: reduce) { g { animation: none } }\n"
    widest = max(len(line) for text, _ in shown for line in text.splitlines())
    width, height = round(2 * _MARGIN + widest * _COLUMN), 2 * _MARGIN + row * _ROW
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    ground = '<rect width="100%" height="100%" rx="8" fill="#1d2229"/>'
    drawn = f"<style>{style}</style>\n{ground}\n{''.join(groups)}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n{drawn}</svg>\n'


if __name__ == "__main__":
    place = Path(sys.argv[1]) if sys.argv[1:] else RECORDING
    place.write_text(draw(play(first_examples())), encoding="utf-8")
    print(f"{place}: {place.stat().st_size / 1000:.1f} kB")
