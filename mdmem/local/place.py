"""Where a vault lies: named, by the environment, around a folder, or the platform's own."""

from __future__ import annotations

import os
from collections.abc import Mapping

from mdmem import config
from mdmem.errors import MdmemError, NotFoundError
from mdmem.local import files

ENV = "MDMEM_VAULT"


def locate(root: str | None = None, environ: Mapping[str, str] = os.environ) -> str:
    """The vault at `root`, else at $MDMEM_VAULT, else around the current folder, else the platform's own.

    Raises NotFoundError if there is none.
    """
    given = root or environ.get(ENV)
    if given:
        if not is_vault(given):
            raise NotFoundError(f"{given} is not a vault", f"make it one: mdmem init {given}")
        return _owner(os.path.abspath(given)) or given
    found = find(os.getcwd())
    if found is None and is_vault(default_root()):
        found = default_root()
    if found is None:
        raise NotFoundError(
            "there is no vault here",
            "run mdmem init, go to a vault, or name one with --vault or MDMEM_VAULT",
        )
    return found


def find(start: str) -> str | None:
    """The nearest folder from `start` up that is a vault: it holds mdmem.toml or allmemories/.

    One without mdmem.toml, whose memories are those of a vault further up, is a part of that vault.
    """
    folder = os.path.abspath(start)
    while not is_vault(folder):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return _owner(folder) or folder


def _owner(folder: str) -> str | None:
    """The vault further up whose settings say that the memories in a folder without settings are its own."""
    if os.path.isfile(os.path.join(folder, config.FILE)):
        return None
    inner, around = os.path.join(folder, config.VaultConfig().memories), os.path.dirname(folder)
    while around != os.path.dirname(around):
        if _memories_of(around) == inner:
            return around
        around = os.path.dirname(around)
    return None


def _memories_of(folder: str) -> str:
    """The folder of memories that the settings in a folder name; "" if it has no settings that can be read."""
    try:
        data = files.read_or_none(folder, config.FILE)
        return os.path.join(folder, config.read(data)[0].memories) if data is not None else ""
    except MdmemError:
        return ""


def is_vault(folder: str) -> bool:
    """Whether a folder is the root of a vault."""
    return os.path.isfile(os.path.join(folder, config.FILE)) or os.path.isdir(
        os.path.join(folder, config.VaultConfig().memories)
    )


def default_root() -> str:
    """Where a vault lies on this platform if nothing else is said."""
    import platformdirs

    return os.path.join(platformdirs.user_data_dir("mdmem", appauthor=False), "vault")
