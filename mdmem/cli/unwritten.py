"""Print what could not be written, so that the person can save it by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mdmem.cli.output import echo, print_json, tell
from mdmem.errors import MdmemError, NoteError
from mdmem.store.operation import Caller
from mdmem.write.remember import Draft

if TYPE_CHECKING:
    from mdmem.note.gauges import Gauges


@contextmanager
def offering(drafts: Sequence[Draft], who: Caller, as_json: bool, gauges: Gauges | None = None) -> Iterator[None]:
    """Run the block that writes these drafts. If the vault cannot be written, print them as candidates.

    They are printed under "System Notes", after the LiveHud; the error is raised again.
    """
    try:
        yield
    except (MdmemError, OSError) as error:
        if _is_about_the_vault(error):
            _print_notes(drafts, who, as_json, gauges)
        raise


def _is_about_the_vault(error: MdmemError | OSError) -> bool:
    """Whether the vault cannot be written, as opposed to an error in the drafts."""
    return isinstance(error, OSError) or (
        error.exit_code == MdmemError.exit_code and not isinstance(error, NoteError)
    )


def _print_notes(drafts: Sequence[Draft], who: Caller, as_json: bool, gauges: Gauges | None) -> None:
    from mdmem.capture import candidates, intake
    from mdmem.note.gauges import Gauges
    from mdmem.session import livehud
    from mdmem.write import secrets

    fit = [draft for draft in drafts if who.allow_secret or not secrets.kinds(draft.words)]
    if len(fit) < len(drafts):
        tell("memories that contain a secret are not printed")
    line = livehud.line((gauges or Gauges())._replace(memory=livehud.READ_ONLY))
    block = candidates.render(intake.of_drafts(fit)) if fit else ""
    if as_json:
        print_json({"livehud": line, "system_notes": block})
    elif block:
        echo(f"{line}\n\nSystem Notes\n\n{block.rstrip()}")
