"""What a merge could not decide, and how that is written into a note: between markers like git's."""

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mdmem.note import blocks

MARKER_SIZE = 7
SIDES = ("ours", "theirs")  # as git names them in markers
PROPERTY, MEMORY = "property", "memory"  # what a conflict can be about, besides lines of the text
_BEGIN = re.compile(r"(?P<marks><{7,}) (?P<label>[^\n]*)")
_BELOW = re.compile(r"(?P<marks>={7,}(?=\r?$)|[|>]{7,}(?= |\r?$))")
_RUN = re.compile(r"\n(<{7,}|={7,}|>{7,}|\|{7,})")
_ABOUT = re.compile(r"\((?P<about>property|memory)\)\r?$")


class MergeConflict(NamedTuple):
    """Two versions between which a person has to choose.

    `about` is "" for lines of the text, else PROPERTY or MEMORY. `ours` and `theirs` are the lines as written;
    those of a property begin with its name.
    """

    about: str
    ours: str
    theirs: str

    @property
    def key(self) -> str:
        """The name of the property that the conflict is about, "" if it is not about one."""
        text = self.ours or self.theirs
        return text.partition(":")[0].strip("\"' ") if self.about == PROPERTY else ""


class ConflictBlock(NamedTuple):
    """A conflict in a text: its first line and the line after its last one, counted from 0."""

    start: int
    end: int
    conflict: MergeConflict


def render(conflict: MergeConflict, sides: tuple[str, str] = SIDES) -> str:
    """A conflict as lines with markers, ending with a newline. The markers are longer than any in the lines."""
    about = f" ({conflict.about})" if conflict.about else ""
    runs = _RUN.findall("\n" + conflict.ours + "\n" + conflict.theirs)
    size = max([MARKER_SIZE, *(len(run) + 1 for run in runs)])
    marks = [char * size for char in "<=>"]
    return (
        f"{marks[0]} {sides[0]}{about}\n{_ended(conflict.ours)}{marks[1]}\n"
        f"{_ended(conflict.theirs)}{marks[2]} {sides[1]}{about}\n"
    )


def find(text: str) -> Iterator[ConflictBlock]:
    """The conflicts in a text, from top to bottom, in linear time. Markers inside code are ignored."""
    if "<<<<<<< " not in text:
        return
    rows = text.split("\n")
    places = _places(rows)
    end = 0
    for line in blocks.lines(text):
        begin = _BEGIN.match(line.text) if line.number > end and line.kind not in blocks.CODE else None
        if begin and (block := _read(rows, places, begin, line.number - 1)):
            yield block
            end = block.end


def _places(rows: list[str]) -> Mapping[str, list[int]]:
    """marks -> the lines, counted from 0, of the markers of that kind and length that stand below a beginning."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at, row in enumerate(rows):
        if mark := _BELOW.match(row):
            places[mark["marks"]].append(at)
    return places


def _read(
    rows: list[str], places: Mapping[str, list[int]], begin: re.Match[str], start: int
) -> ConflictBlock | None:
    """The conflict that begins at line `start`; None if its other markers are missing."""
    size = len(begin["marks"])
    middle = _next(places["=" * size], start)
    end = _next(places[">" * size], middle) if middle else 0
    if not end:
        return None
    about = _ABOUT.search(begin["label"])
    base = _next(places["|" * size], start)
    ours_end = base if 0 < base < middle else middle
    ours, theirs = text_of(rows[start + 1 : ours_end]), text_of(rows[middle + 1 : end])
    return ConflictBlock(start, end + 1, MergeConflict(about["about"] if about else "", ours, theirs))


def _next(lines: Sequence[int], after: int) -> int:
    """The first of some ascending lines that is below another one, 0 if none is."""
    at = bisect(lines, after)
    return lines[at] if at < len(lines) else 0


def text_of(rows: list[str]) -> str:
    """Lines as a text that ends with a newline."""
    return "".join(row + "\n" for row in rows)


def _ended(text: str) -> str:
    return text if text.endswith("\n") or not text else text + "\n"
