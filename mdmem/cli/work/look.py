"""Commands that tell of works: show, recall, list."""

from __future__ import annotations

import click

from mdmem.cli.options import complete_name, json_option, opened, print_json, print_lines, vault_option, writer
from mdmem.local import usage
from mdmem.note.excerpt import DEPTHS
from mdmem.render.json.work import work_json
from mdmem.render.text.work import work_lines
from mdmem.systems.rum import depth as depths
from mdmem.systems.rum.view import VaultWorks, require_valid


@click.command("show")
@click.argument("name", shell_complete=complete_name)
@click.option(
    "--depth", type=click.Choice(DEPTHS), default="complete", show_default=True, help="How much of it to tell."
)
@vault_option
@json_option
def show_command(name: str, depth: str, vault: str | None, as_json: bool) -> None:
    """Tell a work, by its name or id (mem_...), in as few words as you want.

    \b
    --depth  summary (the goal and the outcome in a line each, at most 20 tokens), outcome (and what was
             learned, at most 50), reasoning (and why it was done so, at most 150), full (and what was seen and
             done, at most 300), complete (everything). What does not fit is cut, and the end says so;
             --json gives all of a depth uncut.

    \b
    Examples:
      mdmem work show stop_random_logouts --depth summary
      mdmem work show mem_0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11 --json
    """
    with opened(vault) as found:
        works = VaultWorks(found)
        view = require_valid(works.view(works.find(name)))
        usage.add(found.root, [view.note.id], writer(found).now)
    if as_json:
        print_json(work_json(view, depth))
    else:
        print_lines(work_lines(depths.telling(view.work, depth)))
