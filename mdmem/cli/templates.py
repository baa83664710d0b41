"""The template of a type of note, filled in for an editor."""

from __future__ import annotations

import os

from mdmem.cli.direct.output import now
from mdmem.note.memory import decode
from mdmem.vault.vault import Vault


def template_of(vault: Vault, type: str, title: str) -> bytes:
    """The template of that type: the vault's own, or the one that ships with mdmem."""
    from mdmem.vault import starter

    own = os.path.join(vault.root, vault.config.templates, f"{type}.md")
    template = own if os.path.isfile(own) else os.path.join(starter.share("templates"), f"{type}.md")
    with open(template, "rb") as file:
        return starter.fill(decode(file.read(), template), title, now()).encode()
