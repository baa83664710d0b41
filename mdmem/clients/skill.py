"""The skill `memory`: the parts of AGENTS.md that apply to an agent with tools, so that both say the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BEGIN, _END = "<!-- mdmem:begin -->", "<!-- mdmem:end -->"
_PARTS = {"@saving@": "When to save", "@changing@": "When something changes"}  # mark -> how the heading begins
_FOR_A_SHELL = (" --actor ME", ", or edit the file")


def skill(template: str, agents_page: str) -> str:
    """The text of SKILL.md, with the sections of the page that tells agents how to use a vault."""
    sections = list(_sections(agents_page))
    for mark, heading in _PARTS.items():
        (section,) = (section for section in sections if section.startswith(heading))
        template = template.replace(mark, section)
    return template


def _sections(page: str) -> Iterator[str]:
    """Each section from the text of its heading on, without instructions for work by hand."""
    body = page.partition(_BEGIN)[2].partition(_END)[0]
    for part in re.split(r"(?m)^## ", body)[1:]:
        yield "\n".join(_for_tools(part.strip()))


def _for_tools(section: str) -> Iterator[str]:
    """The items and paragraphs of a section, each up to where instructions for work by hand begin."""
    for block in re.split(r"\n(?=- |\n)", section):
        kept = block.partition("By hand,")[0].rstrip()
        for words in _FOR_A_SHELL:
            kept = kept.replace(words, "")
        yield kept
