"""Parts of a note to show: the note at one of five depths, or its best passage for a query.

The depths go from a line to everything, and each includes the one before it. They come from
Retrieval-Unlimited-Memory and work for any note here.
"""

from collections.abc import Iterator, Set
from typing import NamedTuple

from mdmem.note import patterns, segment

DEPTHS = ("summary", "outcome", "reasoning", "full", "complete")
OPEN, CLOSE = "\x02", "\x03"  # around each word that matched; renderers turn them into bold or **
WIDTH = 160  # characters of a snippet, not counting marks
_FENCES = ("```", "~~~")
_BEGINS = (*_FENCES, "#", "|", ">", "- ", "* ", "+ ", *(f"{number}. " for number in range(1, 100)))
_SHORT = 480  # characters up to which a note or a line is shown whole as the passage


class Passage(NamedTuple):
    """The best line of a note: `line` is its 1-based number within the note's text, `text` the whole line.

    `snippet` is an excerpt of the line, with OPEN and CLOSE around each word that matched.
    """

    line: int
    snippet: str
    text: str


def best_passage(text: str, matches: Set[str]) -> Passage:
    """The line of `text` with the most words of `matches` (lower case), else the first that is not blank."""
    lines = text.split("\n")
    at, *others = [at for at, line in enumerate(lines) if line and not line.isspace()] or [0]
    if others:
        at = max((at, *others), key=lambda at: len(matches & set(segment.words(lines[at]))))
    goes_on = not lines[at].startswith("#") and any(map(_goes_on, lines[at + 1 : at + 2]))
    return Passage(at + 1, _snippet(lines[at].translate(_UNMARKED).strip(), matches, goes_on), lines[at])


def plain(snippet: str) -> str:
    """A snippet with `**` around the words that matched."""
    return snippet.replace(f"{CLOSE} {OPEN}", " ").replace(OPEN, "**").replace(CLOSE, "**")


# The target of a link: a mark within it would break the link. The text shown for a link may be marked.
_TARGET = patterns.late(r"\[\[[^\[\]|]*|\]\([^()\s]*\)")
_UNMARKED = str.maketrans("", "", OPEN + CLOSE)


def _snippet(line: str, matches: Set[str], goes_on: bool) -> str:
    """The line, or WIDTH characters of it around the first match, with the matches marked.

    An ellipsis says what is left out of the line, and that it `goes_on` below.
    """
    marks = _marks(line, matches)
    start = max(0, marks[0][0] - WIDTH // 3) if marks and len(line) > WIDTH else 0
    end = start + WIDTH
    shown = [(first, last) for first, last in marks if first < end]
    links = [link.span() for link in _TARGET.finditer(line)] if shown else []
    targets = [(first, last) for first, last in links if start < last and first < end]
    marked, at = [], start
    for first, last in shown:
        if not any(first < target_end and begin < last for begin, target_end in targets):
            marked += [line[at:first], OPEN, line[first : min(last, end)], CLOSE]
            at = min(last, end)
    text = "".join([*marked, line[at:end]]).strip()
    return ("… " if start else "") + text + (" …" if goes_on or end < len(line) else "")


def _marks(line: str, matches: Set[str]) -> list[tuple[int, int]]:
    """(start, end) of what is to be marked from the first match on, WIDTH characters; parts that touch are one."""
    marks: list[tuple[int, int]] = []
    for start, end, word in segment.spans(line):
        if marks and start >= marks[0][0] + WIDTH:
            break
        if word in matches:
            touching = marks.pop() if marks and start <= marks[-1][1] else (start, end)
            marks.append((touching[0], max(touching[1], end)))
    return marks


def shown(depth: str, title: str, body: str, whole: str) -> str:
    """A note at one of DEPTHS; the title is left out where the shown text begins with it.

    summary: the title. outcome: also the first paragraph. reasoning: the title, every heading, and the first
    paragraph under each. full: the title and the whole text. complete: `whole`, which is the file with its
    properties, under the title unless the file contains it.
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
    """The whole of a short note. Of a longer one, its title and the best line with as much of the paragraph around
    it as is short enough, or the snippet of a long line.
    """
    whole = shown("full", title, body, "")
    if len(whole) <= _SHORT:
        return whole
    best = _around(body, line) if len(line) <= _SHORT else plain(snippet) or f"{line.strip()[:_SHORT]} …"
    return best if _begins_with(best, title) else f"{title}\n\n{best}"


def _around(body: str, line: str) -> str:
    """A line with the rest of its paragraph or item; below a heading, with the beginning of what follows."""
    lines = body.split("\n")
    at = lines.index(line) if line in lines else -1
    in_code = sum(one.startswith(_FENCES) for one in lines[: max(at, 0)]) % 2
    if at < 0 or in_code or line.startswith("|"):
        return line.strip()
    if line.startswith("#"):
        below = next(filter(str.strip, lines[at + 1 :]), "#")
        return line if below.startswith("#") else f"{line}\n{_around(body, below)}"
    first = last = at
    left = _SHORT - len(line)
    while last + 1 < len(lines) and _goes_on(lines[last + 1]) and (left := left - len(lines[last + 1])) > 0:
        last += 1
    while first and _goes_on(lines[first]) and _may_go_on(lines[first - 1], left):
        first -= 1
        left -= len(lines[first])
    return " ".join(map(str.strip, lines[first : last + 1]))


def _may_go_on(line: str, most: int) -> bool:
    """Whether a line may go on below: not a blank line, a heading or a fence, nor one that is too long."""
    return bool(line.strip()) and len(line) < most and not line.startswith(("#", *_FENCES))


def _goes_on(line: str) -> bool:
    """Whether a line may go on with the paragraph or item of the line above it."""
    return bool(line.strip()) and not line.lstrip().startswith(_BEGINS)


def _begins_with(text: str, title: str) -> bool:
    """Whether a text opens with the words of a title."""
    opening = " ".join(text[: 2 * len(title)].split()).casefold()
    words = " ".join(title.split()).casefold().rstrip(". …")
    return bool(words) and opening.startswith(words) and not opening[len(words) : len(words) + 1].isalnum()


def _openings(body: str) -> Iterator[str]:
    """Each heading and the first paragraph under it, and the first paragraph above all headings."""
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
