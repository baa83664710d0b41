"""Finds or makes the vault for the folder of a chunk store."""

from __future__ import annotations

import logging
import os

from mdmem.errors import MdmemError
from mdmem.store import config
from mdmem.store.local import files, place
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault

logger = logging.getLogger("mdmem.chunks")


def opened(folder: str, caller: Caller) -> Vault:
    """The vault at a folder, or whose memories lie in or around that folder; else a new vault in the folder.

    A new vault takes over the chunks in its folder, and its mirror is turned on. Raises MdmemError for a folder
    that cannot be a vault.
    """
    folder = os.path.realpath(folder)
    root = _root_of(folder)
    if root is not None:
        return Vault(root, _tell)
    from mdmem.store.vault import starter

    try:
        made = starter.make(folder, caller, examples=False, tell=logger.info)
    except OSError as error:
        raise MdmemError(
            f"{folder} cannot be made a vault: {error.strerror}", "name a folder to write to"
        ) from None
    with Vault(made.root, _tell) as vault:
        _take_over(vault, caller)
    return Vault(made.root, _tell)


def _take_over(vault: Vault, caller: Caller) -> None:
    """Import the chunks that lie in a new vault's folder, and keep the JSON there up to date."""
    from mdmem.systems.rlm import importing, mirror

    planned = importing.plan(vault, vault.root, silent)
    importing.write(vault, planned, caller)
    mirror.switch_on(vault, caller)
    if planned.items:
        logger.info("took over %d chunks of %s", len(planned.items), vault.root)
    for problem in planned.problems:
        logger.warning("%s", problem)


def _tell(line: str) -> None:
    """Log a vault's message; one about a write that something did not follow is a warning."""
    logger.log(logging.WARNING if line.startswith("saved;") else logging.INFO, "%s", line)


def _root_of(folder: str) -> str | None:
    """The vault whose memories are in the folder, or around it; else the folder itself if it is one, else None."""
    itself = None
    around = place.find(folder)
    while around is not None:
        if around == folder:
            itself = folder
        data = files.read_or_none(around, config.FILE)
        inner = os.path.relpath(folder, around).replace(os.sep, "/")
        memories = config.read(data or b"")[0].memories
        if f"{inner}/".startswith(f"{memories}/"):
            return around
        if data is not None and (inner == "." or memories.startswith(f"{inner}/")):
            return around
        around = place.find(os.path.dirname(around)) if os.path.dirname(around) != around else None
    return itself
