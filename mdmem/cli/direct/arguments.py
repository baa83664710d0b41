"""A reader of the arguments of a command in their plainest form, from a table of what click was told of it."""

from __future__ import annotations

from mdmem.text import patterns
from mdmem.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# a phrase, a number, or two letters or more: -n 5 and -t ops are options
RULED_OUT = patterns.late(r'-(["“”„]|\d|[^\W\d_]\w)')
_INTEGER, _NUMBER = patterns.late(r"[0-9]{1,9}"), patterns.late(r"[0-9]{1,9}(\.[0-9]{1,9})?")


class NotPlainError(Exception):
    """An argument that click has to read: it is wrong, or odd."""


class Option(NamedTuple):
    """What may stand for one parameter: `kind` is text, choice, integer, number or flag.

    Numbers lie between `least` and `most`; `many` may be repeated; without the option the environment variable
    `variable` counts.
    """

    name: str
    kind: str
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    many: bool = False
    variable: str = ""

    def value(self, text: str) -> Any:
        """What a text says. Raises NotPlainError."""
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
    """A command: its options by the words for them, its defaults, and whether -word excludes a word."""

    options: dict[str, Option]
    defaults: dict[str, Any]
    excludes: bool


def command_of(table: dict[str, Any]) -> Command:
    """A command as it stands in the table."""
    options = {word: Option(**option) for option in table["options"] for word in option.pop("words")}
    defaults = {name: () if value == [] else value for name, value in table["defaults"].items()}
    return Command(options, defaults, table["excludes"])


def read(command: Command, arguments: Iterable[str], environment: Mapping[str, str]) -> dict[str, Any]:
    """The value of each parameter. Raises NotPlainError."""
    values = command.defaults | _of_environment(command, environment)
    words: list[str] = []
    excluded: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if not argument.startswith("-") or argument == "-":
            words.append(argument)
        elif command.excludes and RULED_OUT.match(argument):
            excluded.append(argument)
        else:
            option, value = _option(command, argument, rest)
            values[option.name] = (*values[option.name], value) if option.many else value
    return {**values, "words": (*words, *excluded)}


def _option(command: Command, argument: str, rest: Iterable[str]) -> tuple[Option, Any]:
    """An option and its value, which follows it in the same argument or the next."""
    word, equals, text = argument.partition("=")
    option = command.options.get(word)
    if option is None or (equals and (option.kind == "flag" or not word.startswith("--"))):
        raise NotPlainError(argument)
    if option.kind == "flag":
        return option, True
    if not equals:
        text = next(iter(rest), "-")
        if text.startswith("-"):  # it may be meant as another option
            raise NotPlainError(argument)
    return option, option.value(text)


def _of_environment(command: Command, environment: Mapping[str, str]) -> dict[str, str]:
    options = {option.variable: option.name for option in command.options.values() if option.variable}
    return {name: environment[variable] for variable, name in options.items() if environment.get(variable)}
