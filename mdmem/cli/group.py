"""The table of all commands, each imported only when it is run, and click to parse their arguments."""

from __future__ import annotations

import os
from importlib import import_module

import click

from mdmem import REGISTRIES, __version__, acts
from mdmem.cli.aliases import ALIASES, FORMER, as_now, hint_within, suggestion
from mdmem.cli.shared import READING, WRITING, Group
from mdmem.errors import UsageError
from mdmem.note import tsv

COMMANDS: dict[str, str] = {}  # command -> its line in `mdmem --help`
HEADINGS: dict[str, list[str]] = {}  # heading -> the commands that `mdmem --help` lists below it
for _heading, _name, _line in tsv.rows(__file__, "commands.tsv", 3):
    COMMANDS[_name] = _line
    HEADINGS.setdefault(_heading, []).append(_name)

# command that is no act -> the face that it starts
_OF_FACES = {name: place for name, place, *_ in REGISTRIES["commands"]}

_EPILOG = """\b
Examples:
  mdmem init notes                                  make a vault in ./notes
  mdmem remember "User prefers tables over prose"   write a memory
  mdmem recall tables                               find it again
  mdmem undo --session conv-42                      take back a whole session

\b
The manual: mdmem guide
Also understood: today (status), links (lineage), open (edit, in Obsidian where it is its vault); add, new, save
(remember); search, find, query (recall); ls, cat, get, mv, rm, delete, help.
Exit codes: 0 done, 1 failed or problems found, 2 wrong usage, 3 not found,
4 stopped before doing harm (add --yes), 5 conflict, 6 locked, 130 interrupted.
The vault is --vault, else $MDMEM_VAULT, else around the current folder, else your platform's own.
Several can be searched together: mdmem guide vaults."""


class LazyGroup(Group):
    """A group that knows its commands by name and imports their modules only to run them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        cmd_name = ALIASES.get(cmd_name, cmd_name).split()[0]
        if cmd_name not in COMMANDS:
            return None
        from mdmem.cli.making import group, made

        if cmd_name in _OF_FACES:
            module, _, name = _OF_FACES[cmd_name].partition(":")
            return made(cmd_name, getattr(import_module(module), name))
        return group(cmd_name) if cmd_name in acts.GROUPS else made(cmd_name, getattr(acts, cmd_name))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if ctx.resilient_parsing:  # a shell completes a line that is not finished: nothing is said
            return self._resolved(ctx, args[1:] if args[0] == "help" and args[1:] else args)
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        if args and args[0] in ALIASES:
            args = [*ALIASES[args[0]].split(), *args[1:]]
        if former := next((name for end in (3, 2, 1) if (name := " ".join(args[:end])) in FORMER), ""):
            args = as_now(former, args[len(former.split()) :])
            click.echo(f"mdmem: {former} is now: mdmem {' '.join(args)}", err=True)
        if args and args[0] == "--help":
            click.echo(ctx.get_help())
            ctx.exit()
        if args and args[0] not in (*COMMANDS, *ALIASES) and not args[0].startswith("-"):
            raise UsageError(f"there is no command {args[0]!r}", suggestion(args[0], list(COMMANDS)))
        return self._resolved(ctx, args)

    def _resolved(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does; a verb with `--as FORM` is the act of that form, which has options of its own."""
        name = ALIASES.get(args[0], args[0])
        form, others = form_in(args[1:]) if name in acts.FORMS else (None, args)
        if form is None:
            return super().resolve_command(ctx, args)
        if form not in acts.FORMS[name]:
            ctx.fail(f"mdmem {name} --as takes {', '.join(acts.FORMS[name])}, not {form!r}.")
        from mdmem.cli.making import made

        name_of_form = f"{name} --as {form}"
        return name_of_form, made(name_of_form, acts.act_at(acts.FORMS[name][form])), others

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_commands(ctx, formatter)
        for heading, options in (("Options of most commands", READING), ("Of commands that write", WRITING)):
            with formatter.section(heading):
                formatter.write_dl([record for option in options if (record := option.get_help_record(ctx))])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        for heading, names in HEADINGS.items():
            with formatter.section(heading):
                formatter.write_dl([(name, COMMANDS[name]) for name in names])


def form_in(words: list[str]) -> tuple[str | None, list[str]]:
    """The form that the words of a command name after `--as`, None for none, and the other words."""
    for at, word in enumerate(words[: words.index("--") if "--" in words else None]):
        if word == "--as":
            return "".join(words[at + 1 : at + 2]), [*words[:at], *words[at + 2 :]]
        if word.startswith("--as="):
            return word[len("--as=") :], [*words[:at], *words[at + 1 :]]
    return None, words


@click.group(cls=LazyGroup, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mdmem")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """A memory for LLM sessions and people: Markdown files in git."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        ctx.color = False


cli.shared = (*READING, *WRITING)


def _as_ours(error: click.UsageError) -> UsageError:
    """What click finds wrong, as mdmem says it."""
    said = error.format_message()
    said = said[:1].lower() + said[1:].removesuffix(".")
    if isinstance(error, click.MissingParameter) and error.param and error.ctx:
        said = f"{error.param.make_metavar(error.ctx).strip('[]{}')} is missing"
    hint = hint_within(str(error.ctx.info_name), "*") if error.ctx and "extra argument" in said else ""
    return UsageError(said, hint or f"{error.ctx.command_path if error.ctx else 'mdmem'} --help says more")


def run(arguments: list[str]) -> int:
    """Run a command line and return its exit code. MdmemError and a closed pipe pass through to the caller."""
    if os.environ.get("_MDMEM_COMPLETE"):
        cli.main(arguments, prog_name="mdmem")  # prints completions and exits
    try:
        with cli.make_context("mdmem", list(arguments)) as ctx:
            cli.invoke(ctx)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.NoArgsIsHelpError as stop:
        stop.show()
        return stop.exit_code
    except click.UsageError as error:
        raise _as_ours(error) from None
    except click.Abort:
        click.echo("Stopped; nothing was changed.", err=True)
        return 130
    return 0
