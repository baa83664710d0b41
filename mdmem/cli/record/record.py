"""The group `record`, whose commands are imported only to run them."""

from __future__ import annotations

from mdmem.cli.making import DeferredGroup
from mdmem.cli.shared import group

_ACTS = "supersede fork merge retract contest select reinforce penalize pin prune"


@group(
    "record",
    cls=DeferredGroup,
    package="mdmem.cli.record",
    acts="mdmem.acts.record",
    modules={"add": "add", **dict.fromkeys(_ACTS.split(), "")},
)
def record_command() -> None:
    """Work with typed records (Membrane): how present they are, how they are revised, where they come from.

    \b
    Examples:
      mdmem record add competence --edit
      mdmem list --as record --type semantic --min-salience 0.5
      mdmem record reinforce user_prefers_tables
      mdmem record prune --dry-run

    Commands that print data take --json.
    """
