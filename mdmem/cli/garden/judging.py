"""`--llm` where proposals are listed: a model judges the unsure ones after the person agrees to the cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from mdmem.cli.options import progress, tell
from mdmem.cli.output import is_interactive
from mdmem.errors import UsageError
from mdmem.garden import judges
from mdmem.garden.gardeners.proposal import LIKELY, POSSIBLE, GardenSettings, Proposal
from mdmem.garden.judges import Hearing, Judge, Verdicts
from mdmem.models import language
from mdmem.text.plural import counted
from mdmem.vault.vault import Vault

Command = TypeVar("Command", bound=Callable[..., Any])
_HELP = (
    f"Let the model named by $MDMEM_LLM judge what is below {judges.BELOW}, and pairs of notes down to {POSSIBLE}"
    " that are shown only if it says yes."
)


def judging_options(command: Command) -> Command:
    """The options `--llm` and `--max-calls`."""
    calls = click.option(
        "--max-calls",
        type=click.IntRange(0),
        default=judges.MAX_CALLS,
        show_default=True,
        help="With --llm: ask it about at most this many proposals, one call each.",
    )
    return click.option("--llm", is_flag=True, help=_HELP)(calls(command))


def widened(settings: GardenSettings, options: dict[str, Any]) -> GardenSettings:
    """The settings, with a confidence low enough to list what a model is to judge, unless the person set one."""
    if not options["llm"] or options["min_confidence"] is not None:
        return settings
    return settings._replace(min_confidence=min(settings.min_confidence, LIKELY), least=POSSIBLE)


def verdicts(vault: Vault, proposals: Sequence[Proposal], options: dict[str, Any]) -> Verdicts:
    """The model's verdicts on the unsure proposals, if the person agrees to the cost; none without `--llm`.

    Raises UsageError if no model is configured or nobody can agree to the cost, and ModelError.
    """
    if not options["llm"]:
        return {}
    model = language.required()
    judge = Judge(vault, model, model.name)
    hearing = judge.prepare(proposals, options["max_calls"])
    _announce(hearing, model.name)
    if not hearing.to_ask or not _is_agreed(hearing, options["yes"]):
        return hearing.known
    with progress("asking the model") as report:
        return {**hearing.known, **judge.hear(hearing.to_ask, report)}


def _announce(hearing: Hearing, name: str) -> None:
    if hearing.to_ask:
        calls = counted(len(hearing.to_ask), "call")
        tell(f"{calls} to {name}, about {hearing.cost:,} tokens in all")
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
        calls = counted(len(hearing.to_ask), "call")
        raise UsageError(f"there is nobody to agree to {calls} to the model", "add --yes, or lower --max-calls")
    return click.confirm("Ask the model?", err=True)
