"""The template for a type of note, filled in for an editor."""

from __future__ import annotations

import os

from mdmem.cli.output import now
from mdmem.note.memory import decode
from mdmem.store.vault.vault import Vault


def template_of(vault: Vault, type: str, title: str) -> bytes:
    """The template for this type, filled in: the vault's own, or the one shipped with mdmem."""
    from mdmem.store.vault import starter

    own = os.path.join(vault.root, vault.config.templates, f"{type}.md")
    template = own if os.path.isfile(own) else os.path.join(starter.share("templates"), f"{type}.md")
    with open(template, "rb") as file:
        return starter.fill(decode(file.read(), template), title, now()).encode()
