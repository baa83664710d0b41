"""What a form holds of a memory: its file, a property, and the address that opens it elsewhere."""

import json
import os
from typing import Any

from mdmem.acts.write import as_file
from mdmem.note import links, memory
from mdmem.note.terminal import safe
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault

# editors that open a file by an address -> what that begins with
_SCHEMES = {"code": "vscode://file", "codium": "vscodium://file", "cursor": "cursor://file", "zed": "zed://file"}


def opened(vault: Vault, name: str) -> tuple[memory.Memory, bytes]:
    """A memory and its file, as the reader may see them. Raises NotFoundError."""
    path = lookup.named(vault, name).path
    data = vault.shown(path)
    return vault.parse(data, path), data


def opens(vault: Vault, path: str) -> dict[str, str]:
    """The address that opens a file in Obsidian, what one of the person's editor begins with, "" where either is
    not known, and the file's place on this machine.
    """
    place = os.path.join(vault.root, path)
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    scheme = _SCHEMES.get(os.path.basename((editor.split() or [""])[0]), "")
    return {
        "obsidian": links.in_obsidian(place) if os.path.isdir(os.path.join(vault.root, ".obsidian")) else "",
        "editor": scheme,
        "file": place,
    }


def as_field(value: Any) -> str:
    """A property as a form holds it."""
    if isinstance(value, list):
        items = [memory.as_text(item) for item in value]
        return json.dumps(items, ensure_ascii=False) if any("," in item for item in items) else ", ".join(items)
    return memory.as_text(value)


def as_text(data: bytes) -> str:
    """A file as a form holds it, "" for one that the form would not return unchanged."""
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return ""
    return text if safe(text) == text and as_file(text, data) == data else ""
