"""What a person does to memories where no editor is at hand: remember, edit, capture a pasted chat."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Annotated, Any

from mdmem.acts.remembering import Written as NewNotes
from mdmem.acts.remembering import questions_on
from mdmem.acts.signature import NONE
from mdmem.acts.telling import Told
from mdmem.acts.write import Changed, changed, update
from mdmem.errors import ConflictError
from mdmem.note import links, memory, properties
from mdmem.note.plural import counted
from mdmem.note.properties import RECORD_TYPES_OF
from mdmem.recall import lookup
from mdmem.store.operation import Caller, Written
from mdmem.store.vault.vault import Vault
from mdmem.write import edit as editing
from mdmem.write import remember as intake
from mdmem.write import succession
from mdmem.write.edit import Edit

# editors that open a file by an address -> what that begins with
_SCHEMES = {"code": "vscode://file", "codium": "vscodium://file", "cursor": "cursor://file", "zed": "zed://file"}


def remember(
    vault: Vault,
    who: Caller,
    text: str,
    *,
    name: str = "",
    set: Mapping[str, Any] = NONE,
    twins: Annotated[str, intake.TWIN_POLICIES[1:]] = "refuse-same",
    reason: str = "",
) -> NewNotes:
    """Write a new memory, as one file and one commit; what an older one says already is refused.

    \b
    Example:
      mdmem remember "User prefers tables over prose" --set type=preference
    """
    given = succession.resolved(vault, _read(set))
    draft = intake.draft_from(text, given, name, intake.name_rule(vault))
    near = intake.weigh_twins(vault, draft, twins)
    [done] = intake.remember_all(vault, [draft], who, reason)
    told = [twin.record.path for twin in near]
    return NewNotes([done], [near], questions_on(vault, [done.path], told))


def _read(given: Mapping[str, Any]) -> dict[str, Any]:
    """Properties as a person types them; an empty one is removed."""
    return {
        key: (properties.read_value(key, value) if value.strip() else None) if isinstance(value, str) else value
        for key, value in given.items()
    }


def edit(
    vault: Vault,
    who: Caller,
    name: str,
    base: str,
    *,
    body: str | None = None,
    set: Mapping[str, Any] = NONE,
    reason: str = "",
) -> Changed:
    """Save what was made of a memory whose file read `base`; changes made meanwhile are merged.

    If they are in the same place, nothing is written and an error says so.

    \b
    Example:
      acts.edit(vault, who, "likes_tea", base, body="Likes black tea.")
    """
    record = lookup.named(vault, name)
    now = vault.shown(record.path)
    if vault.read(record.path) != now:
        raise ConflictError(f"{record.name} has words that are not shown here", "edit it on the command line")
    before = as_file(base, now)
    note = memory.parse(before, record.path)
    changes = {key: value for key, value in set.items() if value != as_field(note.meta.get(key))}
    if body is not None and body.replace("\r\n", "\n").strip("\n") == note.body.strip("\n"):
        body = None
    if not changes and body is None:
        return changed(Written((record.path,), ""), "edited")
    if record.type in RECORD_TYPES_OF.values():
        version = editing.version_of(vault, before)
        return update(vault, who, record.path, set=_read(changes), body=body, expect=version, reason=reason)
    meant = Edit(succession.resolved(vault, _read(changes)), body=body)
    after = editing.apply_edit(before, meant, record.path)
    return changed(editing.replace(vault, record, before, after, who, reason), "edited")


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
    has_settings = os.path.isdir(os.path.join(vault.root, ".obsidian"))
    return {
        "obsidian": links.in_obsidian(place) if has_settings else "",
        "editor": scheme,
        "file": place,
    }


def as_field(value: Any) -> str:
    """A property as a form holds it."""
    if isinstance(value, list):
        items = [memory.as_text(item) for item in value]
        return json.dumps(items, ensure_ascii=False) if any("," in item for item in items) else ", ".join(items)
    return memory.as_text(value)


def as_file(text: str, data: bytes) -> bytes:
    """A text that a form sent, with the line endings and the BOM of `data`."""
    text = text.replace("\r\n", "\n")
    bom = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    return bom + (text.replace("\n", "\r\n") if b"\r\n" in data else text).encode()


def as_text(data: bytes) -> str:
    """A file as a form holds it, "" for one that the form would not return unchanged."""
    from mdmem.note.terminal import safe

    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return ""
    return text if safe(text) == text and as_file(text, data) == data else ""


def capture(vault: Vault, who: Caller, text: str) -> Told:
    """Put what is worth a memory in the text of a chat into the inbox, where it waits for a verdict.

    \b
    Example:
      acts.capture(vault, who, "User: I prefer tabs.")
    """
    from mdmem.capture.inbox import filling

    done = filling.take(vault, text, who)
    return Told(done._asdict(), f"{counted(done.added, 'memory')} to look at")
