"""`--llm` where proposals are listed: a model judges the unsure ones after the person agrees to the cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from mdmem.cli.options import progress, tell
from mdmem.cli.output import is_interactive
from mdmem.errors import UsageError
from mdmem.garden import judges
from mdmem.garden.gardeners.proposal import POSSIBLE, GardenSettings, Proposal
from mdmem.garden.judges import Hearing, Judge
from mdmem.garden.verdicts import Judgement
from mdmem.note.plural import counted
from mdmem.recall.models import language
from mdmem.store.vault.vault import Vault

Command = TypeVar("Command", bound=Callable[..., Any])
_HELP = (
    "Let the model named by $MDMEM_LLM read what is not certain, also pairs of notes down to"
    f" {POSSIBLE}, which are shown if it says that something is to be done."
)


def judging_options(command: Command) -> Command:
    """The options `--llm` and `--max-calls`."""
    calls = click.option(
        "--max-calls",
        type=click.IntRange(0),
        default=judges.MAX_CALLS,
        show_default=True,
        help=f"With --llm: at most this many calls, {judges.A_CALL} proposals each.",
    )
    return click.option("--llm", is_flag=True, help=_HELP)(calls(command))


def widened(settings: GardenSettings, options: dict[str, Any]) -> GardenSettings:
    """The settings, reaching down to what a model is to read if one is asked."""
    return settings._replace(least=POSSIBLE) if options["llm"] else settings


def verdicts(vault: Vault, proposals: Sequence[Proposal], options: dict[str, Any]) -> tuple[Judgement, ...]:
    """The model's verdicts on what is not certain, if the person agrees to the cost; none without `--llm`.

    Raises UsageError if no model is configured or nobody can agree to the cost, and ModelError.
    """
    if not options["llm"]:
        return ()
    model = language.required()
    judge = Judge(vault, model, model.name)
    hearing = judge.prepare(proposals, options["max_calls"])
    _announce(hearing, model.name)
    if not hearing.calls or not _is_agreed(hearing, options["yes"]):
        return hearing.known
    with progress("asking the model") as report:
        return (*hearing.known, *judge.hear(hearing.calls, report))


def _announce(hearing: Hearing, name: str) -> None:
    if hearing.calls:
        calls = counted(len(hearing.calls), "call")
        about = counted(sum(map(len, hearing.calls)), "proposal")
        tell(f"{calls} to {name} on {about}, about {hearing.cost:,} tokens in all")
    if hearing.over_cap:
        tell(f"{counted(hearing.over_cap, 'proposal')} left for another time: --max-calls")
    if hearing.kept_back:
        held = counted(hearing.kept_back, "proposal")
        tell(f"{held} not shown to the model: too sensitive, or they seem to hold a secret")


def _is_agreed(hearing: Hearing, yes: bool) -> bool:
    """Whether the person agrees to the calls. Raises UsageError without a terminal, unless `yes` is set."""
    if yes:
        return True
    if not is_interactive():
        calls = counted(len(hearing.calls), "call")
        raise UsageError(f"there is nobody to agree to {calls} to the model", "add --yes, or lower --max-calls")
    return click.confirm("Ask the model?", err=True)
