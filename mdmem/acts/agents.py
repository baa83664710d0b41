"""Tell LLM sessions about the memories, in AGENTS.md and the like.

\b
Example:
  mdmem agents refresh --json
"""

import os

from mdmem.acts.style import committed
from mdmem.acts.telling import Told
from mdmem.errors import NotFoundError
from mdmem.store.operation import Caller
from mdmem.store.vault import starter
from mdmem.store.vault.vault import Vault


def refresh(vault: Vault, who: Caller, file: str = "", *, reason: str = "") -> Told:
    """Update the section on the memories in FILE, between its markers, or append one.

    Nothing else in FILE changes. Without FILE: AGENTS.md and CLAUDE.md of the vault. FILE may belong to a
    project elsewhere; the section then gives the path from there to the vault. Within the vault this
    makes one commit.

    \b
    Examples:
      mdmem agents refresh
      mdmem --vault ~/notes agents refresh ~/code/project/AGENTS.md
    """
    if file and not os.path.isfile(file):
        raise NotFoundError(f"there is no file {file}", "name one that is there")
    done = starter.refresh(vault, os.path.abspath(file) if file else None, who, reason)
    said = f"refreshed {', '.join(done.paths)}{committed(done.commit)}" if done.paths else "nothing to change"
    return Told(done, said)
