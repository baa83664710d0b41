"""The group `record`, whose commands are imported only to run them."""

from __future__ import annotations

from mdmem.cli.shared import DeferredGroup, group

# command -> its module
_MODULES = {
    **dict.fromkeys(("add", "show", "list", "check"), "look"),
    **dict.fromkeys(("revise", "supersede", "fork", "merge", "retract", "contest"), "revision"),
    **dict.fromkeys(("retrieve", "select"), "retrieve"),
    "verify": "verify",
    **dict.fromkeys(("reinforce", "penalize", "pin", "prune"), "lifecycle"),
}


@group("record", cls=DeferredGroup, package="mdmem.cli.record", modules=_MODULES)
def record_command() -> None:
    """Work with typed records (Membrane): how present they are, how they are revised, where they come from.

    \b
    Examples:
      mdmem record add competence --edit
      mdmem record list --type semantic --min-salience 0.5
      mdmem record reinforce user_prefers_tables
      mdmem record prune --dry-run

    Commands that print data take --json.
    """
