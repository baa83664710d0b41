"""Edits to the list of vaults in a person's settings; `local.place` reads it.

An edit changes one line; every other stays as it is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from mdmem.errors import ConflictError, MdmemError, NotFoundError, UsageError
from mdmem.store.config import editing, line_of
from mdmem.store.local import files, place
from mdmem.store.local.place import NamedPlace

_TABLE = "vaults"
_BY_HAND = 'edit it by hand: name = "folder", under [vaults]'


def add(name: str, folder: str) -> NamedPlace:
    """List a vault.

    Raises NotFoundError if the folder is not a vault, UsageError for a name that is not allowed, ConflictError if
    the name is taken or the vault is listed already.
    """
    _require_vault(folder)
    root = place.owner_of(folder)
    for known in place.listed():
        if known.name != name and os.path.realpath(known.root) == os.path.realpath(root):
            raise ConflictError(f"{folder} is listed as {known.name}", f"use that name: --vault {known.name}")
    place.require_name(name)
    file = place.settings_file()
    text = place.settings(file)
    before = place.read_list(text, file)
    if name in before:
        hint = f"choose another name, or first: mdmem vaults remove {name}"
        raise ConflictError(f"{name} is {before[name]}", hint)
    entry = f"{name} = {json.dumps(root, ensure_ascii=False)}"
    _save(file, editing.added(text, _TABLE, entry, is_last=True), {**before, name: root})
    return NamedPlace(name, root)


def name_of(folder: str) -> str:
    """The name under which a vault is listed if none is given: that of its folder, in lower case.

    Raises NotFoundError if there is no vault in the folder, UsageError if that name is not allowed.
    """
    _require_vault(folder)
    name = os.path.basename(os.path.realpath(place.owner_of(folder))).lower()
    place.require_name(name, hint=f"give it another: mdmem vaults add NAME {folder}")
    return name


def remove(name: str) -> None:
    """Remove a vault from the list; the vault itself stays as it is. Raises NotFoundError if it is not listed."""
    file = place.settings_file()
    text = place.settings(file)
    left = dict(place.read_list(text, file))
    if left.pop(name, None) is None:
        known = f"there are {', '.join(left)}" if left else "mdmem vaults add NAME DIR adds one"
        raise NotFoundError(f"no vault is called {name}", known)
    lines = text.splitlines(keepends=True)
    at = line_of(f"{_TABLE}.{name}", text)
    del lines[max(at - 1, 0) : at]
    _save(file, "".join(lines), left)


def _require_vault(folder: str) -> None:
    if not place.is_vault(folder):
        raise NotFoundError(f"{folder} is not a vault", f"make it one: mdmem init {folder}")


def _save(file: str, text: str, wanted: Mapping[str, str]) -> None:
    """Write the edited settings, if they read as wanted. Raises UsageError for a form that cannot be edited."""
    try:
        is_right = place.read_list(text, file) == wanted
    except UsageError:
        is_right = False
    if not is_right:
        raise UsageError(f"{file} has a form that is not edited by program", _BY_HAND)
    target = os.path.realpath(file)  # a link to a settings file elsewhere stays a link
    try:
        files.save(target, text.encode())
    except OSError as error:
        raise MdmemError(f"{file} cannot be written: {error.strerror}", "fix its permissions") from None
