"""How much of a memory is shown: five depths from a line to everything (E28-E32), here for any note.

Each depth holds what the one before it holds.
"""

from __future__ import annotations

from itertools import pairwise

from mdmem.core import markdown

DEPTHS = ("summary", "outcome", "reasoning", "full", "complete")


def shown(depth: str, title: str, body: str, whole: str) -> str:
    """A note at a depth of DEPTHS.

    summary: its title. outcome: and its first paragraph. reasoning: and the first paragraph under each
    heading. full: its title and whole text. complete: the file as it is, `whole`, properties included.
    """
    if depth == "complete":
        return whole.strip()
    body = _without_title(body, title)
    if depth == "summary" or not body:
        return title
    if depth == "full":
        return f"{title}\n\n{body}"
    paragraphs = _opening(body) if depth == "reasoning" else _first(body)
    return f"{title}\n\n{paragraphs}" if paragraphs else title


def _without_title(body: str, title: str) -> str:
    """The body without a first heading that only repeats the title."""
    first, _, rest = body.strip().partition("\n")
    return rest.strip() if first.lstrip("# ").strip() == title and first.startswith("#") else body.strip()


def _first(text: str) -> str:
    """The first paragraph; headings before it are passed over."""
    for block in _blocks(text):
        if not block.startswith("#"):
            return block
    return ""


def _opening(body: str) -> str:
    """Each heading with the first paragraph under it."""
    lines = body.split("\n")
    starts = [0, *(heading.line - 1 for heading in markdown.headings(body) if heading.line > 1), len(lines)]
    parts = []
    for start, end in pairwise(starts):
        head = lines[start] if lines[start].startswith("#") else ""
        parts += [part for part in (head, _first("\n".join(lines[start + bool(head) : end]))) if part]
    return "\n\n".join(parts)


def _blocks(text: str) -> list[str]:
    """The paragraphs of a text: what stands between blank lines, code blocks whole."""
    blocks: list[list[str]] = [[]]
    fence = ""
    for line in text.split("\n"):
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~") and fence in ("", mark):
            fence = "" if fence else mark
        if line.strip() or fence:
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    return ["\n".join(block) for block in blocks if block]
