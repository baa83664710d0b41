"""The table of all commands, each imported only when it is run, and click to parse their arguments."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import click

from mdmem import __version__, acts
from mdmem.cli.aliases import ALIASES, FORMER, as_now
from mdmem.cli.shared import READING, WRITING, Group

# command -> (module, its line in `mdmem --help`), roughly in the order in which a person needs them
COMMANDS = {
    "init": ("upkeep.init", "Make a vault, or adopt a folder of notes."),
    "remember": ("write.remember", "Write a new memory."),
    "recall": ("recall", "Find memories by words."),
    "session": ("session", "Start a session with the memories it needs; save what it learned at the end."),
    "list": ("acts", "List memories by their properties."),
    "show": ("acts", "Print a memory, now or as it was."),
    "edit": ("write.edit", "Change a memory in your editor."),
    "update": ("acts", "Change properties or text of a memory."),
    "done": ("acts", "Mark tasks as done."),
    "adopt": ("acts", "Give hand-made notes the properties they lack."),
    "rename": ("acts", "Rename a memory; links in others follow."),
    "forget": ("acts", "Delete memories; they can be restored."),
    "trash": ("acts", "List the memories that were deleted."),
    "restore": ("acts", "Bring back a deleted memory or an old version."),
    "page": ("page", "Look at the memories in a browser, or write them as pages."),
    "log": ("acts", "Show what was done, by whom and why."),
    "diff": ("acts", "Show what changed."),
    "lineage": ("acts", "Show what a memory came of, what came of it, and its other links."),
    "blame": ("acts", "Show who wrote each line of a memory."),
    "undo": ("acts", "Take back what a session, an agent or the last hour wrote."),
    "sync": ("exchange.sync", "Bring in what others wrote, and send what was written here."),
    "remote": ("acts", "Show where the vault is synced to."),
    "publish": ("team.publish", "Bring the index of a team up to this vault."),
    "team": ("team.team", "Set up the index of a team, and say who may read it."),
    "purge": ("purge", "Erase memories or a text from all of history."),
    "waiting": ("acts", "List all that waits for a verdict: captured, proposed, to be scored, in conflict."),
    "judge": ("queue", "Answer what waits, one or many at once, or go through it."),
    "capture": ("capture", "Find what is worth remembering in a chat."),
    "ingest": ("layers.ingest", "Keep whole dialogs, by topic."),
    "facts": ("acts", "List what is known from dialogs and notes."),
    "topics": ("acts", "List the topics, show what is known of one or of all."),
    "candidates": (
        "exchange.candidates",
        "Save what a model without tools wants to remember; print memories for one.",
    ),
    "import": ("exchange.imports", "Bring in the memories of another system."),
    "export": ("exchange.exports", "Write the memories as another system has them."),
    "mirror": ("acts", "Render the memories as JSON for other programs."),
    "mcp": ("mcp", "Serve the memories to an agent over MCP."),
    "agents": ("exchange.agents", "Tell LLM sessions about the memories, in AGENTS.md and the like."),
    "connect": ("connect.connect", "Connect an LLM client to the vault: server, hooks, skill, commands."),
    "disconnect": ("connect.connect", "Take back what connect wrote."),
    "record": ("record.record", "Work with typed records: how present they are, how they are revised."),
    "work": ("work.work", "Remember work: what was tried, why, and what came of it."),
    "vaults": ("upkeep.vaults", "List the vaults that are searched together; add or remove one."),
    "status": ("upkeep.status", "Show the state of the vault."),
    "doctor": ("acts", "Find what is wrong, and how to fix it."),
    "garden": (
        "garden.garden",
        "Plan what to merge, deprecate, resolve, prune, repair; apply what is certain.",
    ),
    "rebuild": ("acts", "Rebuild the search index, the vectors, or the pages of topics."),
    "trust": ("acts", "Choose whose commits count as a person's own words."),
    "layout": ("acts", "Keep memories in one folder, or by month."),
    "hooks": ("upkeep.hooks", "Install, remove or show the git hooks."),
    "eval": ("acts", "Test whether questions find their memories."),
    "guide": ("guide", "Print the manual, one page a task."),
    "completion": ("upkeep.completion", "Print the completion script for your shell."),
}

# heading -> the commands that `mdmem --help` lists below it
HEADINGS = {
    "Every day": "remember recall show list update edit forget restore undo log session page",
    "History": "diff blame lineage trash purge",
    "Tidy": "waiting judge garden facts done rename adopt",
    "Agents": "connect disconnect mcp agents hooks capture candidates",
    "Share": "sync remote vaults publish team",
    "In and out": "import export mirror ingest topics",
    "For programs": "record work",
    "Upkeep": "init status doctor rebuild layout trust eval guide completion",
}

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
        if COMMANDS[cmd_name][0] == "acts":
            from mdmem.cli.making import made

            return made(cmd_name, getattr(acts, cmd_name))
        module = import_module(f"mdmem.cli.{COMMANDS[cmd_name][0]}")
        command = getattr(module, cmd_name + "_command")
        assert isinstance(command, click.Command)
        return command

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
            from mdmem.cli.aliases import suggestion

            ctx.fail(f"There is no command {args[0]!r}. {suggestion(args[0], list(COMMANDS))}")
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
                formatter.write_dl([(name, COMMANDS[name][1]) for name in names.split()])


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
def cli(ctx: click.Context, /, **given: Any) -> None:
    """A memory for LLM sessions and people: Markdown files in git."""
    ctx.obj = given
    if os.environ.get("NO_COLOR"):
        ctx.color = False


cli.shared = (*READING, *WRITING)


def run(arguments: list[str]) -> int:
    """Run a command line and return its exit code. MdmemError and a closed pipe pass through to the caller."""
    if os.environ.get("_MDMEM_COMPLETE"):
        cli.main(arguments, prog_name="mdmem")  # prints completions and exits
    try:
        with cli.make_context("mdmem", list(arguments)) as ctx:
            cli.invoke(ctx)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        click.echo("Stopped; nothing was changed.", err=True)
        return 130
    return 0
