"""What could not be written, as candidates that a person can save by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mdmem.acts.telling import Told
from mdmem.errors import MdmemError, NoteError
from mdmem.store.operation import Caller

if TYPE_CHECKING:
    from mdmem.note.gauges import Gauges
    from mdmem.store.vault.vault import Vault
    from mdmem.write.remember import Draft


@contextmanager
def offering(vault: Vault, drafts: Sequence[Draft], who: Caller, gauges: Gauges | None = None) -> Iterator[None]:
    """Run the block that writes these drafts. If the vault cannot be written, the error has them as its result."""
    try:
        yield
    except (MdmemError, OSError) as error:
        if _is_about_the_vault(error):
            error.result = _unwritten(vault, drafts, who, gauges)  # type: ignore[union-attr]
        raise


def _is_about_the_vault(error: MdmemError | OSError) -> bool:
    """Whether the vault cannot be written, as opposed to an error in the drafts."""
    return isinstance(error, OSError) or (
        error.exit_code == MdmemError.exit_code and not isinstance(error, NoteError)
    )


def _unwritten(vault: Vault, drafts: Sequence[Draft], who: Caller, gauges: Gauges | None) -> Told:
    """The LiveHud, which says that the vault is read-only, and the candidates, if there are any."""
    from mdmem.capture import candidates, intake
    from mdmem.note.gauges import Gauges
    from mdmem.session import livehud
    from mdmem.write import secrets

    fit = [draft for draft in drafts if who.allow_secret or not secrets.kinds(draft.words)]
    if len(fit) < len(drafts):
        vault.tell("memories that contain a secret are not printed")
    line = livehud.line((gauges or Gauges())._replace(memory=livehud.READ_ONLY))
    notes = candidates.render(intake.of_drafts(fit)) if fit else ""
    said = [f"{line}\n\nSystem Notes\n\n{notes.rstrip()}"] if notes else []
    return Told({"livehud": line, "system_notes": notes}, said)
