"""The command `purge`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from mdmem.cli.options import (
    json_option,
    now,
    opened,
    print_json,
    print_lines,
    progress,
    standard_input,
    style,
    vault_option,
)
from mdmem.errors import StoppedError, UsageError
from mdmem.render.json import purge as purge_json
from mdmem.render.text import purge as purge_text

if TYPE_CHECKING:
    from mdmem.history.purging.target import PurgeTarget
    from mdmem.vault.vault import Vault


@click.command("purge")
@click.argument("names", nargs=-1)
@click.option("--text", is_flag=True, help="Purge a text, which is asked for or read from standard input.")
@click.option("--whole-repository", is_flag=True, help="Rewrite the repository around the vault, too.")
@vault_option
@json_option
def purge_command(names: tuple[str, ...], vault: str | None, as_json: bool, **options: Any) -> None:
    """Erase memories, or a text such as a password, from all of history. There is no undo.

    Without --yes it only shows what it would do, and ends with exit code 4. A memory becomes a file without
    content that says when it was purged; history still tells who wrote it when. A text becomes (purged) wherever
    it stands. It is never an argument: arguments stay in the shell's history.

    \b
    Examples:
      mdmem purge user_has_hidden_illness
      mdmem purge --text < /dev/shm/leaked-key
    """
    if bool(names) == options["text"]:
        raise UsageError("nothing to purge is named", "mdmem purge NAME ..., or mdmem purge --text")
    with opened(vault) as found:
        _refuse_partial_sight(found)
        _survey(found, _target(found, names), as_json, options["whole_repository"])


def _refuse_partial_sight(vault: Vault) -> None:
    if not vault.clearance.is_full:
        raise StoppedError("a purge goes through memories that may not be shown here", "a person has to run it")


def _target(vault: Vault, names: tuple[str, ...]) -> PurgeTarget:
    from mdmem.history.purging import target

    return target.of_memories(vault, names, now()) if names else target.of_text(_asked_text())


def _asked_text() -> str:
    """The text to purge, which is shown and kept nowhere."""
    if sys.stdin.isatty():
        return str(click.prompt("Text to purge (not shown)", hide_input=True, err=True))
    return standard_input()


def _survey(vault: Vault, target: PurgeTarget, as_json: bool, whole_repository: bool) -> None:
    from mdmem.history.purging.survey import survey

    with progress("looking through history") as report:
        found = survey(vault, target, now(), os.path.expanduser("~"), whole_repository, report)
    if as_json:
        print_json(purge_json.purge_survey_json(found))
    else:
        print_lines(purge_text.survey_lines(found, style()))
    fix = "clear that away first" if found.obstacles else f"add --yes --commits {found.rewritten}"
    raise StoppedError("nothing was changed", fix)
