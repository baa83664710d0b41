"""The settings of a person, which a clone does not copy: the names of their vaults, under `[vaults]`.

    [vaults]
    personal = "~/notes"
    shop = "~/src/shop"

An edit changes one line; every other stays as it is.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping

from mdmem.errors import ConflictError, NotFoundError, UsageError
from mdmem.store.config import editing, line_of

_TABLE = "vaults"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]+")  # a single letter could be a Windows drive
_BY_HAND = 'edit it by hand: name = "folder", under [vaults]'


def vaults(text: str, file: str) -> dict[str, str]:
    """name -> folder as written, in the order of the settings in `text`.

    Raises UsageError, naming the `file`, for text that is not TOML, and for entries that are not a name and a
    folder.
    """
    try:
        table = tomllib.loads(text).get(_TABLE, {})
    except ValueError as error:
        raise UsageError(f"{file}: {error}", 'fix that line; it is TOML: name = "folder"') from None
    except RecursionError:
        raise UsageError(f"{file}: lists or tables are nested too deeply", "settings need one level") from None
    if not isinstance(table, dict):
        raise UsageError(f"{file}: vaults is not a table", 'write [vaults], and below it name = "folder"')
    for name, folder in table.items():
        require_name(name, file)
        if not isinstance(folder, str) or not folder or "\0" in folder:
            raise UsageError(f"{file}: vaults.{name} is not a folder", "write its path in quotes")
    return table


def require_name(name: str, file: str = "") -> None:
    """Raise UsageError for a name that a vault cannot have; `file` is the file that has it, if one does."""
    if not _NAME.fullmatch(name):
        where = f"{file}: " if file else ""
        hint = "two or more lower-case letters, digits, - and _, such as personal"
        raise UsageError(f"{where}'{name}' cannot be the name of a vault", hint)


def with_vault(text: str, name: str, folder: str, file: str) -> str:
    """The settings with one more vault. Raises ConflictError if the name is taken, UsageError like `vaults`."""
    require_name(name)
    before = vaults(text, file)
    if name in before:
        hint = f"choose another name, or first: mdmem vaults remove {name}"
        raise ConflictError(f"{name} is {before[name]}", hint)
    entry = f"{name} = {json.dumps(folder, ensure_ascii=False)}"
    return _checked(editing.added(text, _TABLE, entry, is_last=True), {**before, name: folder}, file)


def without_vault(text: str, name: str, file: str) -> str:
    """The settings without a vault. Raises NotFoundError if it is not there, UsageError like `vaults`."""
    before = vaults(text, file)
    if name not in before:
        known = f"there are {', '.join(before)}" if before else "mdmem vaults add NAME DIR adds one"
        raise NotFoundError(f"no vault is called {name}", known)
    lines = text.splitlines(keepends=True)
    at = line_of(f"{_TABLE}.{name}", text)
    del lines[max(at - 1, 0) : at]
    left = {other: folder for other, folder in before.items() if other != name}
    return _checked("".join(lines), left, file)


def _checked(text: str, wanted: Mapping[str, str], file: str) -> str:
    """The edited settings, if they read as wanted. Raises UsageError for a form that cannot be edited."""
    try:
        is_right = vaults(text, file) == wanted
    except UsageError:
        is_right = False
    if not is_right:
        raise UsageError(f"{file} has a form that is not edited by program", _BY_HAND)
    return text
