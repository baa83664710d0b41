"""The command `recall`, in whose question a dash excludes a word."""

from __future__ import annotations

from collections.abc import Container

import click

from mdmem.cli.shared import Command
from mdmem.note import patterns

# -"phrase", -number or -word; a single letter is an option, as in -n 5 and -t ops
_RULED_OUT = patterns.late(r'-(["“”„]|\d|[^\W\d_]\w)')


def rules_out(argument: str, options: Container[str]) -> bool:
    """Whether an argument excludes a word; -n1 does not if -n is one of the `options`."""
    return bool(_RULED_OUT.match(argument)) and not (argument[:2] in options and argument[2:].isdecimal())


class QueryCommand(Command):
    """A command for which an argument -word is not an option but excludes a word."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = {name for param in self.params for name in param.opts}
        valued = {name for param in self.params if not getattr(param, "is_flag", True) for name in param.opts}
        end = args.index("--") if "--" in args else len(args)
        before = ["", *args]
        ruled_out = [at for at in range(end) if rules_out(args[at], known) and before[at] not in valued]
        options = [argument for at, argument in enumerate(args[:end]) if at not in ruled_out]
        return super().parse_args(ctx, [*options, "--", *(args[at] for at in ruled_out), *args[end + 1 :]])
