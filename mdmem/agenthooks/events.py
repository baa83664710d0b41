"""What is done at each kind of event: a function of the vault, the event and who asks, to what is to be said."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from mdmem.agenthooks import clients
from mdmem.agenthooks.clients import CHARACTERS, HookEvent
from mdmem.git.folder import find_top
from mdmem.operation import Caller
from mdmem.vault.vault import Vault

_AGAIN = ("resume", "compact")  # sources of a start in which a session goes on


def _start(vault: Vault, event: HookEvent, who: Caller) -> str:
    """The pack of a session that begins; of one that goes on what it was not told."""
    from mdmem.session import within

    if event.source in _AGAIN and within.is_known(vault, who):
        return within.continued(vault, who, CHARACTERS, is_forgotten=event.source == "compact")
    return within.begun(vault, _project(vault, event), who, CHARACTERS)


def _project(vault: Vault, event: HookEvent) -> str:
    """The name of the project that the agent works in, "" if that is the vault itself."""
    top = find_top(event.folder) if os.path.isabs(event.folder) else None
    folder = os.path.realpath(top or event.folder) if event.folder else ""
    return "" if not folder or vault.root.startswith(folder) else os.path.basename(folder)


DOES: Mapping[str, Callable[[Vault, HookEvent, Caller], str]] = {
    clients.START: _start,
}
