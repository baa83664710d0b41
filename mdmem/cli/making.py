"""Makes a command of an act: its options and help of the signature, what it prints of the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any

import click

from mdmem.acts import FORMS, act_of
from mdmem.acts.selecting import Selection
from mdmem.acts.signature import Arg, Opt, Parameter, grouped, hints, parameters
from mdmem.acts.style import Aside, Raw
from mdmem.acts.telling import lines
from mdmem.cli import completing
from mdmem.cli.options import caller, line, progress, writer
from mdmem.cli.output import echo, echo_raw, print_json, standard_input, style
from mdmem.cli.shared import Command, Group, command
from mdmem.cli.values import pair_of
from mdmem.errors import MdmemError, UsageError
from mdmem.store import identity

_IN_TEAM = Opt(
    "Search what a team has published, in PostgreSQL, instead of the vaults here; see the guide `team`.",
    flags="--in",
    choices=("team",),
)


@cache
def made(name: str, act: Callable[..., Any], cls: type[Command] = Command) -> Command:
    """The command of an act."""
    known = hints(act)
    own = parameters(act)
    by = getattr(known.get("who"), "__metadata__", None)

    def run(**given: Any) -> None:
        _require_one_reader(own, given)
        found = {each.name: _value(each, given[each.name]) for each in own}
        found = {name: value for name, value in found.items() if value not in (None, ())}
        as_json = given.get("as_json", False)
        who = (given["by"], "") if by else (given.get("actor", ""), given.get("session", ""))
        try:
            with _work(known, given, who) as work:
                result = act(**work, **grouped(act, found))
                if is_streamed := getattr(result, "is_streamed", False):  # it reads the vault as it is shown
                    show(result, as_json)
        except MdmemError as error:
            if error.result is not None:
                show(error.result, as_json)
            raise
        if not is_streamed:
            show(result, as_json)
        if code := getattr(result, "code", 0):
            raise click.exceptions.Exit(code)

    run.__doc__ = act.__doc__
    takes = {"vault": bool(known.keys() & {"vault", "places"}), "writes": "reason" in known}
    made = command(name, cls=cls, **takes)(run)
    made.params[:] = [_parameter(each) for each in own]
    if forms := FORMS.get(name):
        about = f"Read them in this form, with options of its own: mdmem {name} --as {next(iter(forms))} --help."
        made.params.append(
            _option(Parameter("form_", "text", "", Opt(about, "--as", choices=tuple(forms))), expose_value=False)
        )
    if "places" in known:
        made.params.append(_option(Parameter("within", "text", "", _IN_TEAM)))
    if by:
        made.params.append(_option(Parameter("by", "text", "", by[0]), envvar=identity.ACTOR))
    return made


class DeferredGroup(Group):
    """A group whose commands are imported only to run them.

    `modules` maps a command to a module in `package`; those with none are acts of the module `acts`.
    """

    def __init__(
        self, *args: Any, modules: Mapping[str, str], package: str = "", acts: str = "", **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self._package, self._modules, self._acts = package, modules, acts

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(self._modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in self._modules:
            return None
        if not self._modules[cmd_name]:
            return made(cmd_name, act_of(import_module(self._acts), cmd_name))
        module = import_module(f"{self._package}.{self._modules[cmd_name]}")
        command = getattr(module, cmd_name + "_command")
        assert isinstance(command, click.Command)
        return command


def filter_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of `Selection`, for a command that is not an act; `selected` takes them out again."""
    options = [_option(each) for each in parameters(Selection)]
    known = function.__dict__.setdefault("__click_params__", [])  # where click's own decorators keep theirs
    known.extend(reversed(options))
    return function


def selected(options: dict[str, Any]) -> Selection:
    """The selection in a command's options, which are left without it."""
    return Selection(**{name: options.pop(name) for name in Selection._fields})


@contextmanager
def _work(known: dict[str, Any], given: dict[str, Any], who: tuple[str, str]) -> Iterator[dict[str, Any]]:
    """What a face gives an act, of what it takes: the open vault or vaults, who asks, and who watches."""
    found: dict[str, Any] = {"reason": given["reason"]} if "reason" in known else {}
    where = line(given.get("vault"))
    if "watch" in known:
        found["watch"] = progress  # a function that takes what is being done
    if "places" in known:
        with where.asked(look_ahead=True, of_team=bool(given["within"])) as places:
            nearest: Any = getattr(places, "first", places)
            asking = where.caller(*who) if given["within"] else where.writer(nearest, *who)
            project = "" if given["within"] else where.project(nearest)
            yield {**found, "places": places, "who": asking._replace(project=project)}
    elif "vault" in known:
        with where.opened() as opened:
            yield {**found, "vault": opened, **({"who": writer(opened, *who)} if "who" in known else {})}
    else:
        yield {**found, **({"who": caller(*who)} if "who" in known else {})}


def _require_one_reader(own: Sequence[Parameter], given: dict[str, Any]) -> None:
    readers = [f"--{each.name}" for each in own if getattr(each.option, "reads", False)]
    if sum(given[name[2:]] == "-" for name in readers) > 1:
        raise UsageError("standard input can only be read once", f"give the text of {' or '.join(readers)} itself")


def _value(parameter: Parameter, given: Any) -> Any:
    """What was typed for a parameter, as the act takes it."""
    if given is None or given == ():
        return None
    if parameter.kind == "values":
        return dict(map(pair_of, given))
    if parameter.kind == "items":
        found: dict[str, list[str]] = {}
        for key, text in map(pair_of, given):
            found.setdefault(key, []).append(text)
        return found
    return standard_input() if given == "-" and getattr(parameter.option, "reads", False) else given


def _parameter(parameter: Parameter) -> click.Parameter:
    if isinstance(parameter.option, Opt):
        return _option(parameter)
    arg = parameter.option
    many = parameter.kind == "texts"
    return click.Argument(
        [parameter.name],
        nargs=-1 if many else 1,
        required=parameter.is_required,
        metavar=arg.metavar,
        type=_type(parameter),
        shell_complete=_completer(arg),
    )


def _option(parameter: Parameter, **more: Any) -> click.Option:
    opt = parameter.option
    assert isinstance(opt, Opt)
    flags = opt.flags.split() or [f"--{parameter.name.replace('_', '-')}"]
    settings: dict[str, Any] = {
        "help": opt.about,
        "metavar": opt.metavar,
        "shell_complete": _completer(opt),
        "hidden": opt.is_hidden,
    }
    if parameter.kind == "flag":
        settings |= {"is_flag": True, "default": None if "/" in flags[0] else False}
    elif parameter.kind in ("texts", "values", "items", "pairs"):
        settings |= {"multiple": True, "nargs": 2 if parameter.kind == "pairs" else 1, "type": _type(parameter)}
    else:
        settings |= {"type": _type(parameter), "required": parameter.is_required}
        if parameter.default and not parameter.is_required:
            settings |= {"default": parameter.default, "show_default": "Default" not in opt.about}
    return click.Option([*flags, parameter.name], **settings, **more)


def _type(parameter: Parameter) -> Any:
    option = parameter.option
    if option.choices:
        return click.Choice(option.choices)
    if isinstance(option, Arg) or parameter.kind not in ("count", "number"):
        return None
    if option.least is None and option.most is None:
        return {"count": int, "number": float}[parameter.kind]
    if parameter.kind == "number":
        return click.FloatRange(option.least, option.most)
    least, most = (None if bound is None else int(bound) for bound in (option.least, option.most))
    return click.IntRange(least, most)


def _completer(option: Opt | Arg) -> Any:
    return getattr(completing, f"complete_{option.completes}") if option.completes else None


def show(result: Any, as_json: bool) -> None:
    """Print a result: as JSON, or its lines for a person; what is beside it goes to standard error."""
    if as_json:
        print_json(result)
        return
    for text in lines(result, style()):
        if isinstance(text, Raw):
            echo_raw(text, nl=not text.endswith("\n"))
        else:
            echo(text, err=isinstance(text, Aside))
