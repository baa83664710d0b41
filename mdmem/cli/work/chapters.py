"""The group `work chapters`."""

from __future__ import annotations

from mdmem.acts import work
from mdmem.cli.making import made
from mdmem.cli.shared import group


@group("chapters")
def chapters_command() -> None:
    """Sum up works in chapters: what several works were for, what came of them, what was learned.

    \b
    Examples:
      mdmem work chapters auto --project shop
      mdmem work chapters create stop_random_logouts refresh_expired_tokens --title "Sessions"
      mdmem work chapters refresh
    """


_ACTS = {"auto": work.auto, "create": work.create, "refresh": work.refresh}
for _name, _act in {**_ACTS, "list": work.chapters, "show": work.chapter}.items():
    chapters_command.add_command(made(_name, _act))
