"""Reads the arguments of a command in their plainest form, by a table generated from click's declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.text import patterns

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

# -"phrase", -number or -word; a single letter is an option, as in -n 5 and -t ops
_RULED_OUT = patterns.late(r'-(["“”„]|\d|[^\W\d_]\w)')
_INTEGER, _NUMBER = patterns.late(r"[0-9]{1,9}"), patterns.late(r"[0-9]{1,9}(\.[0-9]{1,9})?")


class NotPlainError(Exception):
    """An argument that only click can parse or reject."""


class Option(NamedTuple):
    """How a parameter is given: `name` is the parameter, `kind` one of text, choice, integer, number and flag.

    A number must lie between `least` and `most`, where set. If `many`, the option may be repeated. `variable`
    names the environment variable used if the option is not given.
    """

    name: str
    kind: str
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    many: bool = False
    variable: str = ""

    def value(self, text: str) -> Any:
        """The value of a text. Raises NotPlainError."""
        if self.kind == "text" or (self.kind == "choice" and text in self.choices):
            return text
        if self.kind == "integer" and _INTEGER.fullmatch(text):
            return self._within_bounds(int(text))
        if self.kind == "number" and _NUMBER.fullmatch(text):
            return self._within_bounds(float(text))
        raise NotPlainError(text)

    def _within_bounds(self, number: float) -> float:
        if (self.least is not None and number < self.least) or (self.most is not None and number > self.most):
            raise NotPlainError(number)
        return number


class Command(NamedTuple):
    """A command: its options by their flags (`--limit`, `-n`), the default of each parameter, and whether -word
    excludes a word.
    """

    options: dict[str, Option]
    defaults: dict[str, Any]
    excludes: bool


def rules_out(argument: str, options: Container[str]) -> bool:
    """Whether an argument excludes a word; -n1 does not if -n is one of the `options`."""
    return bool(_RULED_OUT.match(argument)) and not (argument[:2] in options and argument[2:].isdecimal())


def command_of(table: dict[str, Any]) -> Command:
    """A command from its entry in the table."""
    options = {word: Option(**option) for option in table["options"] for word in option.pop("words")}
    defaults = {name: () if value == [] else value for name, value in table["defaults"].items()}
    return Command(options, defaults, table["excludes"])


def read(command: Command, arguments: Iterable[str], environment: Mapping[str, str]) -> dict[str, Any]:
    """parameter -> value; all arguments that belong to no option become `words`. Raises NotPlainError."""
    values = command.defaults | _of_environment(command, environment)
    words: list[str] = []
    excluded: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if not argument.startswith("-") or argument == "-":
            words.append(argument)
        elif command.excludes and rules_out(argument, command.options):
            excluded.append(argument)
        else:
            option, value = _option(command, argument, rest)
            values[option.name] = (*values[option.name], value) if option.many else value
    return {**values, "words": (*words, *excluded)}


def _option(command: Command, argument: str, rest: Iterator[str]) -> tuple[Option, Any]:
    """An option and its value, taken from the argument itself or from the next one in `rest`.

    Raises NotPlainError, also if the value looks like another option.
    """
    word, equals, text = argument.partition("=")
    option = command.options.get(word)
    if option is None or (equals and (option.kind == "flag" or not word.startswith("--"))):
        raise NotPlainError(argument)
    if option.kind == "flag":
        return option, True
    if equals:
        return option, option.value(text)
    following = next(rest, None)
    if following is None or following.startswith("-"):
        raise NotPlainError(argument)
    return option, option.value(following)


def _of_environment(command: Command, environment: Mapping[str, str]) -> dict[str, str]:
    options = {option.variable: option.name for option in command.options.values() if option.variable}
    return {name: environment[variable] for variable, name in options.items() if environment.get(variable)}
