"""Vault settings: one table says name, type, default and meaning; `parse` makes a frozen VaultConfig of it.

A vault may arrive by clone, so no setting names a program, a command or a path outside the vault.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from mdmem.errors import Problem, UsageError

FILE = "mdmem.toml"


class Setting(NamedTuple):
    """One setting. `key` is `name` or `table.name` in mdmem.toml, with `_` for `.` in VaultConfig."""

    key: str
    type: type
    default: Any
    help: str
    valid: Callable[[Any], str] = lambda value: ""  # noqa: ARG005 - what is wrong, or ""


def _folder(value: str) -> str:
    parts = value.split("/")
    if value.startswith(("/", "~")) or "\\" in value or ".." in parts or re.match(r"[A-Za-z]:", value):
        return "must be a folder within the vault, like brain/memory/allmemories"
    if any(part.lower() == ".git" for part in parts) or "\0" in value:
        return "must not be git's own folder"
    return ""


def _one_of(*allowed: str) -> Callable[[str], str]:
    return lambda value: "" if value in allowed else "must be one of " + ", ".join(allowed)


CONFIG_SPEC = (
    Setting("id", str, "", "tells the derived ids of two vaults apart; written by mdmem init"),
    Setting("memories", str, "allmemories", 'folder of the memories; "." is the whole vault', _folder),
    Setting("new", str, "", "folder within it for new memories", _folder),
    Setting("layout", str, "flat", "flat, or month for folders like 2026/02", _one_of("flat", "month")),
    Setting("templates", str, "templates", "folder of note templates, never indexed", _folder),
    Setting("exclude", list, (), "folders and files that hold no memories, relative to the vault"),
    Setting("hooks.strict", bool, False, "refuse a commit whose staged memories cannot be read"),
    Setting(
        "semantic.model", str, "", "recall by meaning, too: minilm, or endpoint", _one_of("", "minilm", "endpoint")
    ),
    Setting("derived.commit", str, "none", "derived files that git tracks", _one_of("none", "markdown", "all")),
)


class VaultConfig(NamedTuple):
    """The settings of a vault; what each means stands in CONFIG_SPEC."""

    id: str = ""
    memories: str = "allmemories"
    new: str = ""
    layout: str = "flat"
    templates: str = "templates"
    exclude: tuple[str, ...] = ()
    hooks_strict: bool = False
    semantic_model: str = ""
    derived_commit: str = "none"


def parse(text: str) -> tuple[VaultConfig, list[Problem]]:
    """The settings in `text`, and problems: unknown keys, which are ignored.

    Raises UsageError, naming file and line, for broken TOML and for values that are not allowed.
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{FILE}: {error}", "mend that line; it is TOML: name = value") from None
    known = {setting.key: setting for setting in CONFIG_SPEC}
    values: dict[str, Any] = {}
    problems = []
    for key, value in _flat(tables):
        if key not in known:
            problems.append(_unknown(key, text, known))
            continue
        setting = known[key]
        wrong = _type_error(setting, value) or setting.valid(value)
        if wrong:
            raise UsageError(f"{FILE}:{_line_of(key, text)}: {key} {wrong}", setting.help)
        values[key.replace(".", "_")] = tuple(value) if isinstance(value, list) else value
    return VaultConfig(**values), problems


def render(config: VaultConfig) -> str:
    """mdmem.toml with the settings that differ from the defaults, each under its meaning."""
    lines: list[str] = []
    table = ""
    for setting in CONFIG_SPEC:
        value = getattr(config, setting.key.replace(".", "_"))
        if value == setting.default:
            continue
        head, _, name = setting.key.rpartition(".")
        if head != table:
            lines += ["", f"[{head}]"]
            table = head
        lines += [f"# {setting.help}", f"{name} = {_toml(value)}"]
    return "\n".join(lines) + "\n" if lines else ""


def _flat(tables: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for head, table in tables.items():
        if not isinstance(table, dict):
            yield head, table
            continue
        for name, value in table.items():
            yield f"{head}.{name}", value


def _type_error(setting: Setting, value: Any) -> str:
    names = {str: "text in quotes", bool: "true or false", list: "a list of texts"}
    if not isinstance(value, setting.type):
        return f"must be {names[setting.type]}"
    if isinstance(value, list) and not all(isinstance(item, str) and not _folder(item) for item in value):
        return "must be a list of paths within the vault"
    return ""


def _unknown(key: str, text: str, known: dict[str, Setting]) -> Problem:
    from difflib import get_close_matches

    near = get_close_matches(key, known, 1)
    fix = f"did you mean {near[0]}?" if near else "known are " + ", ".join(known)
    return Problem("config-unknown", FILE, _line_of(key, text), f"unknown setting {key}", fix, "warning")


def _line_of(key: str, text: str) -> int:
    """The line of a setting, 0 if it cannot be told."""
    head, _, name = key.rpartition(".")
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.match(r"\s*\[([^\[\]]+)\]", line):
            table = match[1].strip()
        elif re.match(rf"\s*{re.escape(name)}\s*=", line) and table == head:
            return number
    return 0


def _toml(value: Any) -> str:
    import json

    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
