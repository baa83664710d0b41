"""Edits to the list of vaults in a person's settings; `local.place` reads it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from mdmem.errors import ConflictError, MdmemError, NotFoundError, UsageError
from mdmem.store.config import personal
from mdmem.store.local import files, place
from mdmem.store.local.place import NamedPlace


def add(name: str, folder: str, environ: Mapping[str, str] = os.environ) -> NamedPlace:
    """List a vault. Raises NotFoundError if the folder is not a vault, ConflictError if it is listed already."""
    _require_vault(folder)
    root = place.owner_of(folder)
    for known in place.listed(environ):
        if known.name != name and os.path.realpath(known.root) == os.path.realpath(root):
            raise ConflictError(f"{folder} is listed as {known.name}", f"use that name: --vault {known.name}")
    _edit(environ, lambda text, file: personal.with_vault(text, name, root, file))
    return NamedPlace(name, root)


def name_of(folder: str) -> str:
    """The name under which a vault is listed if none is given: that of its folder, in lower case.

    Raises NotFoundError if there is no vault in the folder, UsageError if that name is not allowed.
    """
    _require_vault(folder)
    name = os.path.basename(os.path.realpath(place.owner_of(folder))).lower()
    try:
        personal.require_name(name)
    except UsageError as error:
        raise UsageError(error.message, f"give it another: mdmem vaults add NAME {folder}") from None
    return name


def remove(name: str, environ: Mapping[str, str] = os.environ) -> None:
    """Remove a vault from the list; the vault itself stays as it is. Raises NotFoundError if it is not listed."""
    _edit(environ, lambda text, file: personal.without_vault(text, name, file))


def _require_vault(folder: str) -> None:
    if not place.is_vault(folder):
        raise NotFoundError(f"{folder} is not a vault", f"make it one: mdmem init {folder}")


def _edit(environ: Mapping[str, str], edited: Callable[[str, str], str]) -> None:
    file = place.settings_file(environ)
    text = edited(place.settings(file), file)
    target = os.path.realpath(file)  # a link to a settings file elsewhere stays a link
    try:
        files.save(target, text.encode(), os.path.dirname(target))
    except OSError as error:
        raise MdmemError(f"{file} cannot be written: {error.strerror}", "fix its permissions") from None
