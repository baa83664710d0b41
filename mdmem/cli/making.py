"""Makes a command of an act: its options and help of the signature, what it prints of the result."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from types import NoneType
from typing import Any

import click

from mdmem.acts import FORMS, GROUPS, TABLE, act_at, module_at
from mdmem.acts.signature import Opt, Parameter, grouped, hints, option_of, parameters, require_fit
from mdmem.cli.shared import CLEARANCE, JSON, SHARED, VAULT, WRITING, Command, Group, require_given
from mdmem.cli.terminal import Terminal, face, progress, show
from mdmem.errors import MdmemError, UsageError
from mdmem.note import patterns

_NUMBERS = {"count": "INTEGER", "number": "FLOAT"}
_SAID = "mdmem.import.args"  # key of the arguments in Context.meta
# -"phrase", -number or -word; a single letter is an option, as in -n 5 and -t ops
_RULED_OUT = patterns.late(r'-(["“”„]|\d|[^\W\d_]\w)')


class QueryCommand(Command):
    """A command for which an argument -word is not an option but excludes a word."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = {name for param in self.params for name in param.opts}
        valued = {name for param in self.params if not getattr(param, "is_flag", True) for name in param.opts}
        end = args.index("--") if "--" in args else len(args)
        before = ["", *args]
        ruled_out = [at for at in range(end) if _rules_out(args[at], known) and before[at] not in valued]
        options = [argument for at, argument in enumerate(args[:end]) if at not in ruled_out]
        return super().parse_args(ctx, [*options, "--", *(args[at] for at in ruled_out), *args[end + 1 :]])


def _rules_out(argument: str, options: Container[str]) -> bool:
    """Whether an argument excludes a word; -n1 does not if -n is one of the `options`."""
    return bool(_RULED_OUT.match(argument)) and not (argument[:2] in options and argument[2:].isdecimal())


class ImportCommand(Command):
    """The command `import`, whose help is that of the format, if one is named, else lists the formats."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_SAID] = list(args)
        return super().parse_args(ctx, args)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from mdmem.acts import exchange

        formats = exchange.formats()
        if named := [word for word in ctx.meta.get(_SAID, ()) if word in formats]:
            click.Command(None, help=formats[named[0]]).format_help_text(ctx, formatter)
            return
        super().format_help_text(ctx, formatter)
        with formatter.section("Formats"):
            formatter.write_dl([(name, help.partition("\n\n")[0]) for name, help in formats.items()])


# what is typed in another way
_CLASSES: dict[str, type[Command]] = {"find.recall": QueryCommand, "exchange.import_": ImportCommand}


@cache
def made(name: str, act: Callable[..., Any]) -> Command:
    """The command of an act."""
    result = click.command(name, cls=_CLASSES.get(f"{act.__module__[11:]}.{act.__name__}", Command))(_runner(act))
    known = hints(act)
    result.params = [_parameter(one) for one in parameters(act) if not one.option.is_hidden]
    result.more = [_parameter(one) for one in parameters(act) if one.option.is_hidden]
    if forms := FORMS.get(name):
        about = f"Read them in this form, with options of its own: mdmem {name} --as {next(iter(forms))} --help."
        form = Parameter("form_", "text", "", Opt(about, "--as", choices=tuple(forms)))
        result.params.append(_option(form, expose_value=False))
    result.params += map(_option, _of_face(act))
    result.shared = [
        *((VAULT, *CLEARANCE) if known.keys() & {"vault", "places", "face"} else ()),
        *((JSON,) if known.get("return") is not NoneType else ()),
        *(WRITING if "reason" in known else ()),
    ]
    return result


def _of_face(act: Callable[..., Any]) -> list[Parameter]:
    """What a person may say of what the face gives an act: who acts, and where it looks."""
    options = {name: option_of(act, name) for name in ("who", "places") if name in hints(act)}
    return [Parameter(name, "text", "", option) for name, option in options.items() if option]


def _runner(act: Callable[..., Any]) -> Callable[..., None]:
    """A function that runs an act with what click has parsed, and prints the result."""
    own, known = parameters(act), hints(act)

    def run(**given: Any) -> None:
        _require_one_reader(own, given)
        asked = {each.name: _value(each, given[each.name]) for each in _of_face(act)}
        found = {each.name: _value(each, given[each.name]) for each in own}
        found = {name: value for name, value in found.items() if value not in (None, ())}
        as_json = face().as_json
        try:
            with _work(known, asked) as work:
                taken = {name: value for name, value in work.items() if name in known}
                result = act(**taken, **grouped(act, found))
                if is_streamed := getattr(result, "is_streamed", False):  # it reads the vault as it is shown
                    show(result, as_json)
        except (MdmemError, OSError) as error:
            if (result := getattr(error, "result", None)) is not None:
                show(result, as_json)
            raise
        if result is not None and not is_streamed:
            show(result, as_json)
        if code := getattr(result, "code", 0):
            raise click.exceptions.Exit(code)

    run.__doc__ = act.__doc__
    return run


class ActGroup(Group):
    """A group of acts, of which each is imported only to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(GROUPS[str(self.name)])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in GROUPS[str(self.name)]:
            return None
        return made(cmd_name, act_at(GROUPS[str(self.name)][cmd_name]))


def group(name: str) -> Group:
    """The group of that name; it is an act itself if there is one of its name."""
    if name not in TABLE:
        return ActGroup(name, help=module_at(name).__doc__)
    own = made(name, act_at(TABLE[name]))

    def run(**given: Any) -> None:
        context = click.get_current_context()
        if context.invoked_subcommand is None:
            assert own.callback is not None
            own.callback(**given)
        elif any(context.get_parameter_source(key) is click.core.ParameterSource.COMMANDLINE for key in given):
            hint = f"{context.command_path} {context.invoked_subcommand} --help lists them"
            raise UsageError("options must follow the command", hint)

    made_group = ActGroup(name, callback=run, params=own.params, help=own.help, invoke_without_command=True)
    made_group.shared = own.shared
    return made_group


@contextmanager
def _work(known: dict[str, Any], asked: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What a face gives an act: the open vault or vaults, who asks and why, who watches, and itself."""
    here = face()
    if by := asked.get("who"):
        here = here._replace(actor=by)
    found: dict[str, Any] = {"watch": progress, "face": here, "reason": here.reason}
    if "places" in known:
        of_team = bool(asked["places"])
        with here.asked(of_team) as places:
            nearest: Any = getattr(places, "first", places)
            who = here.caller() if of_team else here.writer(nearest)
            yield {**found, "places": places, "who": who}
    elif "vault" in known:
        with here.opened() as vault:
            yield {**found, "vault": vault, "who": here.writer(vault)}
    else:
        yield {**found, "who": here.caller()}


def _require_one_reader(own: Sequence[Parameter], given: dict[str, Any]) -> None:
    readers = [f"--{each.name}" for each in own if each.option.reads]
    if sum(given[name[2:]] == "-" for name in readers) > 1:
        raise UsageError("standard input can only be read once", f"give the text of {' or '.join(readers)} itself")


def _value(parameter: Parameter, given: Any) -> Any:
    """What was typed for a parameter, as the act takes it."""
    if given is None or given == ():
        return None
    if parameter.kind == "values":
        return dict(map(_pair, given))
    if parameter.kind == "items":
        found: dict[str, list[str]] = {}
        for key, text in map(_pair, given):
            found.setdefault(key, []).append(text)
        return found
    option = parameter.option
    if option.is_rest:
        return " ".join(given)
    called = next((flag[2:] for flag in option.flags.split() if flag.startswith("--")), parameter.name)
    if parameter.default is not None and not option.reads:  # else "" says something of its own
        require_given((option.metavar or called) if parameter.has_place else f"--{called}", given)
    is_number = parameter.kind in _NUMBERS
    value = _number(given, parameter.kind) if is_number else given
    require_fit(called, value, option.choices, option.least, option.most, is_number)
    return _piped(called) if given == "-" and option.reads else value


def _piped(name: str) -> str:
    """The text on standard input. Raises UsageError if there is none: the command before it may have failed."""
    text = face().text()
    if not text.strip():
        raise UsageError("standard input is empty; nothing was changed", f"give the text itself: --{name} TEXT")
    return text


def _number(text: str, kind: str) -> Any:
    """The number that a text is; other texts as they are."""
    try:
        return int(text) if kind == "count" else float(text)
    except ValueError:
        return text


def _pair(pair: str) -> tuple[str, str]:
    """(key, value) of `key=value`. Raises UsageError."""
    key, equals, text = pair.partition("=")
    if not equals or not key.strip():
        raise UsageError(f"'{pair}' is not key=value", "write --set confidence=0.9")
    return key.strip(), text


def _parameter(parameter: Parameter) -> click.Parameter:
    if not parameter.has_place:
        return _option(parameter)
    option = parameter.option
    takes_all = parameter.kind == "texts" or option.is_rest
    is_filled = not (parameter.is_required or takes_all)  # to click, a default of None is one, too
    return click.Argument(
        [parameter.name],
        nargs=-1 if takes_all else 1,
        required=parameter.is_required,
        metavar=option.metavar or (f"{{{'|'.join(option.choices)}}}" if option.choices else None),
        shell_complete=_completer(option),
        **({"default": parameter.default or None} if is_filled else {}),
    )


def _option(parameter: Parameter, **more: Any) -> click.Option:
    opt = parameter.option
    flags = opt.flags.split() or [f"--{parameter.name.replace('_', '-')}"]
    settings: dict[str, Any] = {
        "help": opt.about,
        "metavar": opt.metavar or (f"[{'|'.join(opt.choices)}]" if opt.choices else _NUMBERS.get(parameter.kind)),
        "shell_complete": _completer(opt),
        "hidden": opt.is_hidden,
    }
    if parameter.kind == "flag":
        settings |= {"is_flag": True, "default": parameter.default}
    elif parameter.kind in ("texts", "values", "items", "pairs"):
        settings |= {"multiple": True, "nargs": 2 if parameter.kind == "pairs" else 1}
    else:
        settings |= {"type": click.STRING, "required": parameter.is_required}
        if opt.may_be_bare:
            settings |= {"is_flag": False, "flag_value": ""}
        if parameter.default and not parameter.is_required:
            settings |= {"default": parameter.default, "show_default": "Default" not in opt.about}
    return click.Option([*flags, parameter.name], **settings | more)


def _completer(option: Opt) -> Any:
    """What completes a value: a shell is offered what there is of a kind, or a list."""
    offers = option.offers or option.choices
    return partial(_offered, option.completes, offers) if option.completes or offers else None


def _offered(
    kind: str, offers: Sequence[str], ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[str]:
    from mdmem.acts.completing import offered

    del param
    if offers:
        return [name for name in offers if name.startswith(incomplete.lower())]
    return offered(Terminal(**ctx.meta.get(SHARED, {})), kind, incomplete)
