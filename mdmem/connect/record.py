"""The record of a connection, which lets it be undone byte for byte: a JSON file beside mdmem's other files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from mdmem.connect.jsonc import Insertion
from mdmem.errors import MdmemError


class SettingsChange(NamedTuple):
    """A change to a file of the user. `existed`: it was there before; `digest`: of its bytes afterwards.

    `members` are those added to a JSON file, {} for a TOML file.
    """

    existed: bool
    digest: str
    insertions: tuple[Insertion, ...]
    members: Mapping[str, Any]


class ConnectionRecord(NamedTuple):
    """One connection. `files` are mdmem's own, path -> digest; `folders` were created for them.

    Paths are absolute, or relative to the project. `excluded` are lines that were added to git's `info/exclude`.
    """

    client: str
    program: str
    vault: str
    version: str
    files: Mapping[str, str]
    settings: Mapping[str, SettingsChange]
    folders: tuple[str, ...]
    registered: bool
    excluded: tuple[str, ...] = ()


def digest(data: bytes) -> str:
    """The SHA-256 of a file's bytes, by which it is recognised."""
    return sha256(data).hexdigest()


def render(record: ConnectionRecord) -> bytes:
    """The bytes of the file that holds a record."""
    settings = {path: change._asdict() for path, change in record.settings.items()}
    value = {**record._asdict(), "settings": settings}
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def parse(data: bytes, path: str) -> ConnectionRecord:
    """The record in a file. Raises MdmemError for anything that `render` does not write."""
    try:
        value = json.loads(data)
        settings = {
            str(name): SettingsChange(
                existed=bool(change["existed"]),
                digest=str(change["digest"]),
                insertions=tuple(Insertion(int(at), str(text)) for at, text in change["insertions"]),
                members=dict(change["members"]),
            )
            for name, change in value["settings"].items()
        }
        return ConnectionRecord(
            **{name: str(value[name]) for name in ("client", "program", "vault", "version")},
            files={str(name): str(known) for name, known in value["files"].items()},
            settings=settings,
            folders=tuple(str(folder) for folder in value["folders"]),
            registered=bool(value["registered"]),
            excluded=tuple(str(rule) for rule in value.get("excluded", ())),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        raise MdmemError(f"{path} is damaged", "delete it, then connect again") from None
