"""The command `status`."""

from __future__ import annotations

from mdmem.acts.checks import status
from mdmem.acts.json.upkeep import survey_json
from mdmem.acts.text.upkeep import survey_lines
from mdmem.cli.options import now, opened, print_json, print_lines, style
from mdmem.cli.shared import command


@command("status")
def status_command(vault: str | None, as_json: bool) -> None:
    """Show the state of the vault: what it contains, what is due, what was done today, and what waits for you.

    \b
    Examples:
      mdmem today
      mdmem status --json
    """
    from mdmem.hooks import githooks as hooks

    with opened(vault) as found:
        state = status.survey(found, now())
        installed = [hook.name for hook in hooks.status(found.repo) if hook.installed]
    if as_json:
        print_json(survey_json(state, installed))
    else:
        print_lines(survey_lines(state, len(installed) == len(hooks.NAMES), style()))
