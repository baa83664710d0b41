"""What the signature of an act says: its parameters, each with its kind, its default and what it is for.

A face gives an act what is called `vault`, `places` (one vault or several), `who`, `reason`, `watch`, `face` (see
there). What else says what it is for is a parameter that the user gives. Parameters that many acts share are a
named tuple, or a function that lists them.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from inspect import Parameter as Given
from inspect import signature
from sys import modules
from types import MappingProxyType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

NONE: Mapping[str, Any] = MappingProxyType({})  # nothing given
FROM_THE_FACE = ("vault", "places", "who", "watch", "face")


class Opt(NamedTuple):
    """What a parameter is for: `about` in a sentence, and how it is typed at a terminal.

    `flags` are its spellings if they are not `--name`, `metavar` stands for its value. Numbers may have bounds, a
    text `choices`; `completes` is what a shell offers for it (see `cli.completing`). With `reads`, "-" is the
    text of standard input. What `is_hidden` is left out of the help; what `may_be_bare` is "" without a value.
    """

    about: str = ""
    flags: str = ""
    metavar: str | None = None
    choices: Sequence[str] = ()
    least: float | None = None
    most: float | None = None
    completes: str = ""
    reads: bool = False
    is_hidden: bool = False
    may_be_bare: bool = False


class Arg(NamedTuple):
    """A parameter that a terminal takes without a flag, in its place; see `Opt`. A shell offers `offers`."""

    about: str = ""
    metavar: str | None = None
    choices: Sequence[str] = ()
    completes: str = ""
    offers: Sequence[str] = ()


class Parameter(NamedTuple):
    """A parameter of an act. `kind` is flag, count, number, text, texts, pairs (old, new), values (a mapping) or
    items (a mapping to lists). For programs alone there are objects, and lists of a class with fields: the kind is
    that class.

    `group` is the name of the parameter that holds the group which it belongs to, "" for none.
    """

    name: str
    kind: Any
    default: Any
    option: Opt | Arg
    group: str = ""

    @property
    def is_required(self) -> bool:
        return self.default is Given.empty


class _Names(dict[str, Any]):
    """The names of a module, in which those that only a type checker has are objects."""

    def __missing__(self, name: str) -> Any:
        return getattr(builtins, name, object)


@cache
def hints(act: Callable[..., Any]) -> dict[str, Any]:
    """name -> the annotation of each parameter of an act."""
    return get_type_hints(act, localns=_Names(vars(modules[act.__module__])), include_extras=True)


@cache
def parameters(act: Callable[..., Any]) -> Sequence[Parameter]:
    """The parameters that a user of the act gives, in order; those of a group in its place."""
    found = hints(act)
    given = signature(act).parameters.values()
    return [each for one in given if one.name not in FROM_THE_FACE for each in _parameters(one, found[one.name])]


def _parameters(given: Given, hint: Any) -> Iterator[Parameter]:
    if hasattr(hint, "_fields"):
        for inner in parameters(hint):
            yield inner._replace(group=given.name)
        return
    if said := getattr(hint, "__metadata__", ()):
        if callable(said[0]):
            yield from (inner._replace(group=given.name) for inner in said[0]())
            return
        option = Opt(said[0]) if isinstance(said[0], str) else said[0]
        yield Parameter(given.name, _kind(hint.__origin__), given.default, option)


def _kind(hint: Any) -> Any:
    """The kind of a parameter by its type."""
    origin = get_origin(hint)
    if origin is not None and issubclass(origin, Mapping):
        return "items" if get_origin(get_args(hint)[1]) else "values"
    if origin is not None and issubclass(origin, Sequence):
        return _kind_of_items(get_args(hint)[0])
    plain = {bool: "flag", int: "count", float: "number", str: "text"}
    return next(kind for type, kind in plain.items() if type in (hint, *get_args(hint)))


def _kind_of_items(item: Any) -> Any:
    """The kind of a list by what it holds; of a class with fields, that class."""
    if hasattr(item, "_fields"):
        return item
    return {str: "texts", tuple: "pairs"}.get(get_origin(item) or item, "objects")


def grouped(act: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of an act, of parameters by name: those of a group become its class, and so do
    the objects of a list that is typed so.
    """
    found: dict[str, Any] = {}
    groups: dict[str, dict[str, Any]] = {}
    for parameter in parameters(act):
        if parameter.name in given:
            into = groups.setdefault(parameter.group, {}) if parameter.group else found
            value = given[parameter.name]
            of_class = callable(parameter.kind)
            into[parameter.name] = [parameter.kind(**item) for item in value] if of_class else value
    return found | {name: _group(hints(act)[name])(**values) for name, values in groups.items()}


def _group(hint: Any) -> Callable[..., Any]:
    return hint if hasattr(hint, "_fields") else dict
