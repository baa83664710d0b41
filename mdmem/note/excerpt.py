"""Parts of a note to show: all of it at one of five depths, or the best passage for a question.

The depths go from a line to everything; each holds what the one before it holds. They are those of
Retrieval-Unlimited-Memory, here for any note.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from mdmem.text import patterns, segment
from mdmem.values import NamedTuple

DEPTHS = ("summary", "outcome", "reasoning", "full", "complete")
OPEN, CLOSE = "\x02", "\x03"  # around each word that matched; renderers turn them into bold or **
WIDTH = 160  # characters of a snippet, marks left out
_SHORT = 480  # characters up to which a note, or a line of one, is its own best passage


class Passage(NamedTuple):
    """`line` is 1-based within the note's text; `text` is that line.

    `snippet` is a piece of it, each word that matched between OPEN and CLOSE.
    """

    line: int
    snippet: str
    text: str


def best_passage(text: str, matches: Set[str]) -> Passage:
    """The line of `text` with the most words of `matches` (lower case); if it has none, the first with text."""
    lines = text.split("\n")
    at, *others = [at for at, line in enumerate(lines) if line and not line.isspace()] or [0]
    if others:
        at = max((at, *others), key=lambda at: len(matches & set(segment.words(lines[at]))))
    return Passage(at + 1, _snippet(lines[at].translate(_UNMARKED).strip(), matches), lines[at])


def plain(snippet: str) -> str:
    """A snippet with `**` around the words that matched."""
    return snippet.replace(f"{CLOSE} {OPEN}", " ").replace(OPEN, "**").replace(CLOSE, "**")


# Where a link leads: a mark within would break it. What is shown for it may be marked.
_TARGET = patterns.late(r"\[\[[^\[\]|]*|\]\([^()\s]*\)")
_UNMARKED = str.maketrans("", "", OPEN + CLOSE)


def _snippet(line: str, matches: Set[str]) -> str:
    """The line, or WIDTH characters of it around the first match, with the matches marked."""
    marks = _marks(line, matches)
    start = max(0, marks[0][0] - WIDTH // 3) if marks and len(line) > WIDTH else 0
    end = start + WIDTH
    targets = list(_targets(line))
    marked, at = [], start
    for first, last in marks:
        is_in_target = any(first < target_end and begin < last for begin, target_end in targets)
        if first < end and not is_in_target:
            marked += [line[at:first], OPEN, line[first : min(last, end)], CLOSE]
            at = min(last, end)
    text = "".join([*marked, line[at:end]]).strip()
    return ("… " if start else "") + text + (" …" if end < len(line) else "")


def _targets(line: str) -> Iterator[tuple[int, int]]:
    """(start, end) of where each link leads, from its brackets on.

    Wikilinks alone are found without `_TARGET`, since most notes have no others and `re` takes 5 ms to load.
    """
    if "](" in line:
        yield from (match.span() for match in _TARGET.finditer(line))
        return
    start = line.find("[[")
    while start >= 0:
        end = start + 2
        while end < len(line) and line[end] not in "[]|":
            end += 1
        yield start, end
        start = line.find("[[", end)


def _marks(line: str, matches: Set[str]) -> list[tuple[int, int]]:
    """(start, end) of each part of the line to be marked; spans that overlap or touch are one."""
    marks: list[tuple[int, int]] = []
    for start, end, word in segment.spans(line):
        if word in matches:
            touching = marks.pop() if marks and start <= marks[-1][1] else (start, end)
            marks.append((touching[0], max(touching[1], end)))
    return marks


def shown(depth: str, title: str, body: str, whole: str) -> str:
    """A note at a depth of DEPTHS; a title that the text begins with is said once, in the text.

    summary: its title. outcome: and its first paragraph. reasoning: and the first paragraph under each
    heading. full: its title and whole text. complete: the file as it is, `whole`, properties included, below
    the title where the file does not say it.
    """
    if depth == "complete":
        whole = whole.replace("\r\n", "\n").strip()
        return whole if title in whole else f"{title}\n\n{whole}"
    from mdmem.note import pieces

    body = pieces.without_title(body, title).strip("\n")
    if depth == "full":
        kept = body
    elif depth == "reasoning":
        kept = "\n\n".join(_openings(body))
    else:
        kept = next((text for text in _openings(body) if not _is_heading(text)), "") if depth == "outcome" else ""
    return kept if _begins_with(kept, title) else f"{title}\n\n{kept}".strip()


def passage(title: str, body: str, line: str, snippet: str) -> str:
    """The whole of a short note; of a longer one its title and the best line, or the snippet of a long line."""
    whole = shown("full", title, body, "")
    if len(whole) <= _SHORT:
        return whole
    best = line.strip() if len(line) <= _SHORT else plain(snippet) or f"{line.strip()[:_SHORT]} …"
    return best if _begins_with(best, title) else f"{title}\n\n{best}"


def _begins_with(text: str, title: str) -> bool:
    """Whether a text opens with the words of a title."""
    opening = " ".join(text[: 2 * len(title)].split()).casefold()
    words = " ".join(title.split()).casefold().rstrip(".")
    return bool(words) and opening.startswith(words) and not opening[len(words) : len(words) + 1].isalnum()


def _openings(body: str) -> Iterator[str]:
    """Each heading, and the first paragraph under it or before any."""
    wanted = True
    from mdmem.note import pieces

    for block in pieces.split(body):
        if _is_heading(block):
            yield block
            wanted = True
        elif wanted:
            yield block
            wanted = False


def _is_heading(block: str) -> bool:
    from mdmem.note import blocks

    return any(blocks.headings(block))
