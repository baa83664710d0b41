"""How much of a memory is shown: five depths from a line to everything (E28-E32), here for any note.

Each depth holds what the one before it holds.
"""

from __future__ import annotations

from collections.abc import Iterator

from mdmem.note import blocks, pieces

DEPTHS = ("summary", "outcome", "reasoning", "full", "complete")


def shown(depth: str, title: str, body: str, whole: str) -> str:
    """A note at a depth of DEPTHS.

    summary: its title. outcome: and its first paragraph. reasoning: and the first paragraph under each
    heading. full: its title and whole text. complete: the file as it is, `whole`, properties included, below
    the title where the file does not say it.
    """
    if depth == "complete":
        whole = whole.replace("\r\n", "\n").strip()
        return whole if title in whole else f"{title}\n\n{whole}"
    body = pieces.without_title(body, title).strip("\n")
    if depth == "full":
        kept = body
    elif depth == "reasoning":
        kept = "\n\n".join(_openings(body))
    else:
        kept = next((text for text in _openings(body) if not _is_heading(text)), "") if depth == "outcome" else ""
    return f"{title}\n\n{kept}".strip()


def _openings(body: str) -> Iterator[str]:
    """Each heading, and the first paragraph under it or before any."""
    wanted = True
    for block in pieces.split(body):
        if _is_heading(block):
            yield block
            wanted = True
        elif wanted:
            yield block
            wanted = False


def _is_heading(block: str) -> bool:
    return any(blocks.headings(block))
