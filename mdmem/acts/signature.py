"""What the signature of an act says: its parameters, each with its kind, its default and what it is for.

A face gives an act what is called `vault`, `places` (one vault or several), `who`, `reason`, `watch`, `face` (see
there). What the table `data/options.tsv` has a line for is a parameter that the user gives: what comes before `*`
in its place, the rest by a flag. What there is to choose from, and is known elsewhere, stands in its annotation.
Parameters that many acts share are a named tuple, or a function that lists them.
"""

import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from inspect import Parameter as Given
from inspect import signature
from math import inf
from sys import modules
from types import MappingProxyType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from mdmem.acts.style import Json
from mdmem.errors import UsageError
from mdmem.note import tsv

NONE: Mapping[str, Any] = MappingProxyType({})  # nothing given
FROM_THE_FACE = ("vault", "places", "who", "watch", "face")


class Opt(NamedTuple):
    """What a parameter is for: `about` in a sentence, and how it is typed at a terminal.

    `flags` are its spellings if they are not `--name`, `metavar` stands for its value. Numbers may have bounds, a
    text `choices`; a shell offers what there is of the kind `completes` (see `completing`), or `offers`. With
    `reads`, "-" is the text of standard input. What `is_rest` is all that follows: a text needs no quotes. What
    `is_hidden` is left out of the help; what `may_be_bare` is "" without a value.
    """

    about: str = ""
    flags: str = ""
    metavar: str | None = None
    choices: Sequence[str] = ()
    least: float | None = None
    most: float | None = None
    completes: str = ""
    reads: bool = False
    is_rest: bool = False
    is_hidden: bool = False
    may_be_bare: bool = False
    offers: Sequence[str] = ()


class Parameter(NamedTuple):
    """A parameter of an act. `kind` is flag, count, number, text, texts, pairs (old, new), values (a mapping) or
    items (a mapping to lists). For programs alone there are objects, and lists of a class with fields: the kind is
    that class.

    A terminal takes what has a `place` without a flag. `group` is the name of the parameter that holds the group
    which it belongs to, "" for none.
    """

    name: str
    kind: Any
    default: Any
    option: Opt
    has_place: bool = False
    group: str = ""

    @property
    def is_required(self) -> bool:
        return self.default is Given.empty


def _number(text: str) -> float:
    return int(text) if text.isdecimal() else float(text)


# field of Opt -> how its value is read; any other is true if it is named
_READ: Mapping[str, Callable[[str], Any]] = {
    "least": _number,
    "most": _number,
    "choices": lambda text: text.split("|"),
    "completes": str,
}


@cache
def _options(module: str) -> Mapping[tuple[str, str], Sequence[str]]:
    """(act or class, parameter) -> what the table `options.tsv` beside a module says of it; "*" for any act."""
    return {(act, name): told for act, name, *told in tsv.rows(str(modules[module].__file__), "options.tsv", 5)}


def _option(how: str, metavar: str, about: str) -> Opt:
    words = how.split()
    given: Json = {"about": about, "metavar": metavar or None}
    given["flags"] = " ".join(word for word in words if word.startswith("-"))
    for word in words:
        name, _, value = word.partition("=")
        if not word.startswith("-"):
            given[name] = _READ[name](value) if value else True
    return Opt(**given)


def option_of(act: Callable[..., Any], name: str) -> Opt | None:
    """What the table says of a parameter of an act, None for one that nobody gives."""
    known = _options(act.__module__)
    own = f"{act.__module__.rpartition('.')[2]}.{act.__name__}"
    told = known.get((own, name)) or known.get(("*", name))
    return _option(*told) if told else None


class _Names(Json):
    """The names of a module, in which those that only a type checker has are objects."""

    def __missing__(self, name: str) -> Any:
        return getattr(builtins, name, object)


@cache
def hints(act: Callable[..., Any]) -> Json:
    """name -> the annotation of each parameter of an act."""
    return get_type_hints(act, localns=_Names(vars(modules[act.__module__])), include_extras=True)


@cache
def parameters(act: Callable[..., Any]) -> Sequence[Parameter]:
    """The parameters that a user of the act gives, in order; those of a group in its place."""
    found = hints(act)
    given = signature(act).parameters.values()
    return [each for one in given for each in _parameters(act, one, found[one.name])]


def _parameters(act: Callable[..., Any], given: Given, hint: Any) -> Iterator[Parameter]:
    if hasattr(hint, "_fields") and given.name not in FROM_THE_FACE:
        for inner in parameters(hint):
            yield inner._replace(group=given.name)
        return
    said: Any = getattr(hint, "__metadata__", (None,))[0]
    if callable(said):
        yield from (inner._replace(group=given.name) for inner in said())
        return
    option = option_of(act, given.name)
    if option is None or given.name in FROM_THE_FACE:
        return
    if said:  # what there is to choose from, or what a shell offers
        option = option._replace(offers=said) if option.offers else option._replace(choices=said)
        hint = hint.__origin__
    has_place = given.kind is not Given.KEYWORD_ONLY and not hasattr(act, "_fields")
    yield Parameter(given.name, _kind(hint), given.default, option, has_place)


def _kind(hint: Any) -> Any:
    """The kind of a parameter by its type; of a list of a class with fields, that class."""
    origin, within = get_origin(hint), get_args(hint)
    if origin is not None and issubclass(origin, Mapping):
        return "items" if get_origin(within[1]) else "values"
    if origin is not None and issubclass(origin, Sequence):
        lists = {str: "texts", tuple: "pairs"}
        item = within[0]
        return item if hasattr(item, "_fields") else lists.get(get_origin(item) or item, "objects")
    plain = {bool: "flag", int: "count", float: "number", str: "text"}
    return next(kind for type, kind in plain.items() if type in (hint, *within))


def require_fit(
    name: str,
    value: Any,
    choices: Sequence[str] = (),
    least: float | None = None,
    most: float | None = None,
    is_number: bool = False,
) -> None:
    """Raise UsageError if a value, or one of a list, is none of the choices, no number, or out of range."""
    limits = f"write a number from {least or 0:g} {'up' if most is None else f'to {most:g}'}"
    for one in value if isinstance(value, list | tuple) else [value]:
        if choices and one not in choices:
            raise UsageError(f"{name} '{one}' is none of its values", f"use one of {', '.join(choices)}")
        if is_number and isinstance(one, str):
            raise UsageError(f"{name} '{one}' is not a number", limits)
        lowest, highest = -inf if least is None else least, inf if most is None else most
        if isinstance(one, int | float) and not lowest <= one <= highest:
            raise UsageError(f"{name} {one:g} is out of range", limits)


def grouped(act: Callable[..., Any], given: Mapping[str, Any]) -> Json:
    """The arguments of an act, of parameters by name: those of a group become its class, and so do
    the objects of a list that is typed so.
    """
    found: Json = {}
    groups: dict[str, Json] = {}
    for parameter in parameters(act):
        if parameter.name in given:
            into = groups.setdefault(parameter.group, {}) if parameter.group else found
            value = given[parameter.name]
            of_class = callable(parameter.kind)
            into[parameter.name] = [parameter.kind(**item) for item in value] if of_class else value
    for name, values in groups.items():
        kind = hints(act)[name]
        found[name] = kind(**values) if hasattr(kind, "_fields") else values
    return found
