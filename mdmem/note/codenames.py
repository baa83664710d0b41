"""What a text names of code: files, symbols and commits; and how a note records them, `path:lines@blob`.

A name is only a candidate until git knows it.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mdmem.note import patterns
from mdmem.note.memory import as_text, as_texts
from mdmem.note.yamltext import Value

DIGITS = 12  # of an object's id, as a note records it

_FILE = r"(?:\.{0,2}/)?(?:[\w.+-]+/)*(?:[\w+-][\w.+-]+|[\w.+-]+/[\w.+-]+)\.[A-Za-z]\w{0,9}"
_NAMED = patterns.late(  # in backticks; in quotation marks, if it looks like a file; bare
    r"`(?P<ticked>[^`\n]{1,200})`"
    r"|[\"“„«](?P<quoted>[^\"“”„«»\n]{1,200}\.[A-Za-z]\w{0,9})[\"”“»]"
    rf"|(?<![\w/:@.~+-])(?P<bare>{_FILE})(?![\w/@])"
    r"|(?<![\w/.@#+-])(?P<commit>[0-9a-f]{7,40})(?![\w/@-])"
)
_LINES = patterns.late(  # after a name
    r":(\d+)(?:-(\d+))?(?!\w)|#L(\d+)(?:-L?(\d+))?"
    r"|,?[ ]\(?(?:(?:on|at|in) )?(?:lines?|Zeilen?) (\d+)(?:[ ]?[-–][ ]?(\d+))?"
)
_WITHIN = patterns.late(r"(.*?)(?::(\d+)(?:-(\d+))?)?")  # a name with its lines
_SYMBOL = patterns.late(r"([^\W\d][\w$]{2,}(?:(?:\.|::|->|#)[\w$]+)*)(?:\([^()]*\))?")
_COMMIT = patterns.late(r"(?=.*[0-9])(?=.*[a-f])[0-9a-f]{7,40}|[0-9a-f]{40}")
_PLAIN = r"[^\0-\x1f\ud800-\udfff]"  # what git can be asked about
_ITEM = patterns.late(rf"({_PLAIN}*?)(?::(\d+)(?:-(\d+))?)?(?:@([0-9a-f]{{7,64}}))?")
_BRANCH = patterns.late(rf"({_PLAIN}+?)(?:@([0-9a-f]{{7,64}}))?")
_NOT_WITHIN = ("/", "./", "../")  # how no path within a repository begins
_MOST = 12  # names of each kind that are looked up


class Lines(NamedTuple):
    """Lines of a file, from `first` to `last` (1-based); (0, 0) is all of it."""

    first: int = 0
    last: int = 0


class Names(NamedTuple):
    """The candidates in a text, each once, in its order; a path may be just the end of one."""

    paths: tuple[tuple[str, Lines], ...] = ()
    symbols: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()


class CodeItem(NamedTuple):
    """A place in code that a memory speaks of, and the blob that the file was; a commit has no path.

    `object` is "" if it is not known.
    """

    path: str
    lines: Lines = Lines()
    object: str = ""

    def __str__(self) -> str:
        return self.place + (f"@{self.object[:DIGITS]}" if self.object else "")

    @property
    def place(self) -> str:
        """`path:first-last`, or `path` if all of it is meant."""
        return at(self.path, self.lines)


def at(path: str, lines: Lines) -> str:
    """`path:first-last`, `path:first` for one line, or `path` for all of it."""
    if not lines.first:
        return path
    return f"{path}:{lines.first}" + (f"-{lines.last}" if lines.last > lines.first else "")


def found(text: str) -> Names:
    """The names in a text that may be those of code; git is not needed to find them."""
    paths: dict[tuple[str, Lines], None] = {}
    symbols: dict[str, None] = {}
    commits: dict[str, None] = {}
    for match in _NAMED.finditer(text):
        said = match["ticked"] or match["quoted"] or match["bare"] or match["commit"]
        if _COMMIT.fullmatch(said):
            commits[said] = None
        elif not match["commit"]:
            within = _WITHIN.fullmatch(said.strip())
            after = _LINES.match(text, match.end())
            name, lines = (within[1], _lines(within.groups()[1:])) if within else (said, Lines())
            if match["ticked"] and (symbol := _SYMBOL.fullmatch(name)):
                symbols[symbol[1]] = None
            if name and (" " not in name or "." in name):
                paths[name, lines if lines.first or not after else _lines(after.groups())] = None
    return Names(tuple(paths)[:_MOST], tuple(symbols)[:_MOST], tuple(commits)[:_MOST])


def _lines(numbers: Sequence[str | None]) -> Lines:
    """The lines that a match names: its groups are pairs of the first and the last one."""
    for first, last in zip(numbers[::2], numbers[1::2], strict=True):
        if first:
            return Lines(int(first[:9]), max(int((last or first)[:9]), int(first[:9])))
    return Lines()


def items_of(meta: Mapping[str, Value]) -> list[CodeItem]:
    """What a memory's properties record of code."""
    items = []
    for text in as_texts(meta.get("code")):
        match = _ITEM.fullmatch(text)
        if match and (match[1] or match[4]) and not match[1].startswith(_NOT_WITHIN):
            items.append(CodeItem(match[1], _lines([match[2], match[3]]), match[4] or ""))
    return items


def branch_of(meta: Mapping[str, Value]) -> tuple[str, str]:
    """(branch on which a memory was written, the branch's commit at that time), each "" if there is none.

    There is no commit if the branch had none of its own yet.
    """
    match = _BRANCH.fullmatch(as_text(meta.get("branch")))
    return (match[1], match[2] or "") if match else ("", "")
