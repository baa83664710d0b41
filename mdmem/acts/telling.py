"""How results read: for a program as JSON, for a person as lines.

A result that is a class of its own says so itself (`json`, `lines`); for the values of other rooms it stands in
the tables here. What has no entry is an object of its fields. Keys are added, never renamed. Times are RFC 3339 in
UTC and commits are full ids; either is "" where there is none.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache, partial
from importlib import import_module
from typing import Any, NamedTuple

from mdmem.acts.style import Aside, Lines, Style, plain
from mdmem.errors import MdmemError, Problem
from mdmem.note import excerpt, moments, tsv
from mdmem.note.memory import as_number, as_text, stem
from mdmem.note.terminal import safe

# class of a value of another room -> module and function in acts/text; how it reads as JSON is in data/shapes.tsv
_LINES = {
    "Commit": "past.commit_lines",
    "Deleted": "past.deleted_line",
    "Problem": "notes.problem_lines",
}


def encode(value: Any) -> Any:
    """A value of an act as JSON."""
    if value is None or isinstance(value, str | int | float):
        return value
    if told := getattr(value, "json", None):
        return encode(told())
    if isinstance(value, datetime):
        return moments.render(value)
    if isinstance(value, Mapping):
        return {key: encode(item) for key, item in value.items()}
    if fields := getattr(value, "_fields", ()):
        shape = _shapes().get(type(value).__name__) or {"*": ""}
        return {key: told for name, where in shape.items() for key, told in _fields(value, name, where, fields)}
    return [encode(item) for item in value]


def _fields(value: Any, name: str, where: str, fields: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """The keys and values of one line of a shape."""
    if name == "*":
        yield from ((field, encode(getattr(value, field))) for field in fields)
        return
    path, _, form = where.partition(" ")
    for part in filter(None, path.split(".")):
        if isinstance(value, Mapping):
            value = value.get(part)
        else:
            value = getattr(value, part, None) if not part.isdecimal() else next(iter(value[int(part) :]), None)
    formed = _FORMS.get(form) or (_late(*form.split(":")) if ":" in form else partial(round, ndigits=int(form)))
    yield name, encode(formed(value))


_FORMS: Mapping[str, Callable[[Any], Any]] = {
    "": lambda value: value,
    "null": lambda value: value or None,
    "text": lambda value: "" if value is None else value,
    "stem": lambda value: value and stem(value),
    "dict": dict,
    "low": lambda value: as_text(value) or "low",
    "number": as_number,
    "plain": excerpt.plain,
    "rounded": lambda value: {name: round(one, 4) for name, one in value.items()},
    "not": lambda value: not value,
    "true": lambda _: True,
    "when": lambda line: line.when if line.commit else "",
    "author": lambda commit: f"{commit.author} <{commit.email}>",
    "origin": lambda record: {"name": record.name, "path": record.path, "id": record.id},
}


@cache
def _shapes() -> Mapping[str, Mapping[str, str]]:
    """class -> key -> where its value is, and in which form."""
    found: dict[str, dict[str, str]] = {}
    for name, key, where in tsv.rows(__file__, "shapes.tsv", 3):
        found.setdefault(name, {})[key] = where
    return found


def lines(value: Any, style: Style = plain) -> Iterable[str]:
    """The lines of a value for a person."""
    if told := getattr(value, "lines", None):
        return told(style)  # type: ignore[no-any-return]
    module, name = _LINES[type(value).__name__].split(".")
    return [_late(f"mdmem.acts.text.{module}", name)(value, style)]


def _late(module: str, name: str) -> Any:
    """A function of a module that is loaded only now."""
    return getattr(import_module(module), name)


class Rows(NamedTuple):
    """Several values; `empty` is said beside it if there are none, `more` after them."""

    items: Sequence[Any]
    empty: str = ""
    more: str = ""

    def json(self) -> Sequence[Any]:
        """The values."""
        return self.items

    def lines(self, style: Style = plain) -> Lines:
        """The lines of each."""
        for item in self.items:
            yield from lines(item, style)
        if not self.items and self.empty:
            yield Aside(self.empty)
        if self.more:
            yield self.more


class Told(NamedTuple):
    """A value and what is said of it, in lines or by a function of the style; then the problems there were."""

    value: Any
    said: str | Iterable[str] | Callable[[Style], Iterable[str]] = ()
    problems: Sequence[Problem] = ()
    failed: bool = False

    @property
    def code(self) -> int:
        """1 if something is wrong, the exit code of the command."""
        return int(self.failed or any(problem.severity == "error" for problem in self.problems))

    @property
    def commit(self) -> str:
        """That of what was written, "" if nothing was."""
        value: Any = self.value
        return value.get("commit", "") if isinstance(value, dict) else getattr(value, "commit", "")

    def json(self) -> Any:
        """The value."""
        return self.value

    def lines(self, style: Style = plain) -> Lines:
        """What is said, then the problems beside it."""
        said = self.said(style) if callable(self.said) else self.said
        yield from [said] if isinstance(said, str) else said
        for problem in self.problems:
            yield from map(Aside, lines(problem, style))


def each(names: Sequence[str], act: Callable[[str], Any], tell: Callable[[str], None]) -> list[Any]:
    """What an act makes of each name; it tells of a name that fails, which hides no other.

    If all fail, raises the error of a single name, and for several MdmemError with what is wrong with each.
    """
    done: list[Any] = []
    failures: list[MdmemError] = []
    for name in dict.fromkeys(names):
        try:
            done.append(act(name))
        except MdmemError as error:
            failures.append(error)
    said = [failure.line for failure in failures]
    if failures and not done:
        raise failures[0] if len(failures) == 1 else MdmemError("; ".join(said))
    for line in said:
        tell(line)
    return done


def document(value: Any) -> Told:
    """A value that is JSON for everybody."""
    import json

    return Told(value, json.dumps(value, indent=2, ensure_ascii=False))


def beside(text: str) -> Aside:
    """What mdmem says beside a result."""
    return Aside(f"mdmem: {safe(text)}")
