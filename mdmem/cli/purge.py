"""The command `purge`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from mdmem.acts.json import purge as purge_json
from mdmem.acts.text import purge as purge_text
from mdmem.cli.options import (
    complete_name,
    now,
    opened,
    print_json,
    print_lines,
    progress,
    report,
    standard_input,
    style,
    tell,
    writer,
)
from mdmem.cli.shared import command
from mdmem.errors import StoppedError, UsageError

if TYPE_CHECKING:
    from mdmem.history.purging.purge import Purged
    from mdmem.history.purging.rewriter import PurgeTarget
    from mdmem.history.purging.survey import PurgeSurvey
    from mdmem.store.vault.vault import Vault


@command("purge", writes=True)
@click.argument("names", nargs=-1, shell_complete=complete_name)
@click.option("--text", is_flag=True, help="Purge a text, which is asked for or read from standard input.")
@click.option("-y", "--yes", is_flag=True, help="Do it; asks for the number of commits, or takes --commits.")
@click.option(
    "--commits",
    metavar="N[@COMMIT]",
    default="",
    help="The number of commits that get another id, to agree to; with the commit at which you saw it.",
)
@click.option("--push", metavar="REMOTE", help="Replace what a remote holds; alone, for a purge made before.")
@click.option("--whole-repository", is_flag=True, help="Rewrite the repository around the vault, too.")
def purge_command(names: tuple[str, ...], vault: str | None, as_json: bool, **options: Any) -> None:
    """Erase memories, or a text such as a password, from all of history. There is no undo.

    Without --yes it only shows what it would do, and ends with exit code 4. What is written between that and your
    yes is rewritten, too, and need not be agreed to again. A memory becomes a file without
    content that says when it was purged; history still tells who wrote it when. A text becomes (purged) wherever
    it stands. It is never an argument: arguments stay in the shell's history.

    \b
    Examples:
      mdmem purge user_has_hidden_illness
      mdmem purge --text < /dev/shm/leaked-key
      mdmem purge user_has_hidden_illness --yes --commits 12@1a2b3c4d --reason "Asked to forget it."
      mdmem purge --push origin
    """
    only_push = options["push"] and not names and not options["text"]
    if bool(names) == options["text"] and not only_push:
        raise UsageError("nothing to purge is named", "mdmem purge NAME ..., or mdmem purge --text")
    with opened(vault) as found:
        _refuse_partial_sight(found)
        if only_push:
            _push(found, options["push"], as_json)
            return
        agreed, at = _agreed(found, options["commits"])
        survey = _survey(found, _target(found, names), options["whole_repository"], at)
        if not options["yes"]:
            _show(survey, as_json)
            raise StoppedError("nothing was changed", _next_step(survey))
        done = _purged(found, survey, agreed, options)
        if as_json:
            print_json(purge_json.purged_json(done))
        else:
            for line in purge_text.purged_lines(done, style()):
                report(line)
        if options["push"]:
            _push(found, options["push"], as_json)


def _push(vault: Vault, remote: str, as_json: bool) -> None:
    from mdmem.history.purging import published

    done = published.push(vault.repo, remote)
    if as_json:
        print_json(done)
    else:
        print_lines(purge_text.pushed_lines(done))


def _refuse_partial_sight(vault: Vault) -> None:
    if not vault.clearance.is_full:
        raise StoppedError("a purge goes through memories that may not be shown here", "a person has to run it")


def _target(vault: Vault, names: tuple[str, ...]) -> PurgeTarget:
    from mdmem.history.purging import target

    return target.of_memories(vault, names, now()) if names else target.of_text(_asked_text())


def _asked_text() -> str:
    """The text to purge, which is neither shown nor kept."""
    if sys.stdin.isatty():
        return str(click.prompt("Text to purge (not shown)", hide_input=True, err=True))
    return standard_input()


def _agreed(vault: Vault, text: str) -> tuple[int | None, str]:
    """(number of commits, commit at which they were counted) in `--commits`; None and "" for what is not given."""
    number, _, at = text.partition("@")
    if text and not (number.isdecimal() and number.isascii()):
        raise UsageError(f"--commits {text} is not a number of commits", "mdmem purge without --yes says which")
    return int(number) if text else None, vault.repo.resolve(at) if at else ""


def _survey(vault: Vault, target: PurgeTarget, whole_repository: bool, at: str) -> PurgeSurvey:
    from mdmem.history.purging.survey import survey

    with progress("looking through history") as looking:
        return survey(vault, target, now(), os.path.expanduser("~"), whole_repository, looking, at)


def _show(survey: PurgeSurvey, as_json: bool) -> None:
    if as_json:
        print_json(purge_json.purge_survey_json(survey))
    else:
        print_lines(purge_text.survey_lines(survey, style()))


def _next_step(survey: PurgeSurvey) -> str:
    return "clear that away first" if survey.obstacles else f"add --yes {_to_agree(survey)}"


def _to_agree(survey: PurgeSurvey) -> str:
    return f"--commits {survey.known}@{survey.at[:8]}"


def _purged(vault: Vault, survey: PurgeSurvey, commits: int | None, options: dict[str, Any]) -> Purged:
    from mdmem.history.purging import purge

    who = writer(vault, options["actor"], options["session"])
    if commits is None:
        commits = _asked_commits(survey)
    home = os.path.expanduser("~")
    order = purge.PurgeOrder(commits, options["reason"], home, options["whole_repository"])
    with progress("purging") as purging:
        return purge.purge(vault, survey, order, who, purging)


def _asked_commits(survey: PurgeSurvey) -> int:
    """The number of commits as the person types it. Raises StoppedError if nobody can be asked."""
    if not sys.stdin.isatty():
        raise StoppedError("nothing was changed", f"add {_to_agree(survey)} to agree to it")
    tell(f"{survey.known} commits get another id, and there is no undo.")
    return int(click.prompt("To go on, type that number", type=int, err=True))
