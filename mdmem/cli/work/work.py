"""The group `work`, whose commands are imported only to run them."""

from __future__ import annotations

from mdmem.cli.making import DeferredGroup
from mdmem.cli.shared import group

_MODULES = {"add": "add", **dict.fromkeys(("link", "chapters", "wisdom", "archive"), ""), "before": "before"}


@group("work", cls=DeferredGroup, package="mdmem.cli.work", acts="mdmem.acts.work", modules=_MODULES)
def work_command() -> None:
    """Remember work (RUM): what was tried, why, what was done, and what came of it.

    \b
    Examples:
      mdmem work add work.json
      mdmem recall --as work --file src/auth.ts --failure
      mdmem work link stop_random_logouts caused_by longer_token_lifetime_refused
      mdmem work chapters --auto
      mdmem work before src/auth.ts

    Commands that print data take --json.
    """
