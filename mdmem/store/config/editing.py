"""Settings as text: written whole, or edited so that one setting changes and every other line stays."""

from __future__ import annotations

import json
import re
from typing import Any

from mdmem.errors import UsageError
from mdmem.store.config import BOM, CONFIG_SPEC, FILE, VaultConfig, line_of, read


def with_layout(data: bytes, kind: str) -> bytes:
    """The bytes of mdmem.toml with another layout; its other lines stay."""
    text = data.removeprefix(BOM).decode()
    lines = text.splitlines(keepends=True)
    at = line_of("layout", text)
    new = [f'layout = "{kind}"{_end(text)}'] if kind != VaultConfig().layout else []
    lines[max(at - 1, 0) : at] = new
    return _with_mark(data, "".join(lines))


def with_never(data: bytes, rule: str) -> bytes:
    """The bytes of mdmem.toml with one more rule in `garden.never`, on a line of its own; its other lines stay.

    Raises UsageError for a file that has to be edited by hand, such as one with inline tables.
    """
    before, _ = read(data)
    text = data.removeprefix(BOM).decode()
    end = _end(text)
    new = f"{end}  {_toml(rule)},{end}"
    if at := line_of("garden.never", text):
        lines = text.splitlines(keepends=True)
        opening, bracket, rest = lines[at - 1].partition("[")
        lines[at - 1] = f"{opening}{bracket}{new}{rest.lstrip() if rest.strip() else ''}"
        text = "".join(lines)
    else:
        text = added(text, "garden", f"never = [{new}]")
    edited = _with_mark(data, text)
    wanted = before._replace(garden=before.garden._replace(never=(rule, *before.garden.never)))
    if _read_or_none(edited) != wanted:
        raise UsageError(
            f"{FILE} has a form that is not edited by program", f"add to never, under [garden]: {rule}"
        )
    return edited


def added(text: str, table: str, entry: str, is_last: bool = False) -> str:
    """Settings with one more entry in a table, the first or last in it; the table is added if there is none."""
    end = _end(text)
    lines = text.splitlines(keepends=True)
    head = re.compile(rf"\s*\[\s*{table}\s*\]")
    at = next((number for number, line in enumerate(lines, 1) if head.match(line)), 0)
    if not at:
        gap = "" if not text else end if text.endswith("\n") else end * 2
        return f"{text}{gap}[{table}]{end}{entry}{end}"
    below = enumerate(lines[at:], at + 1) if is_last else ()
    for number, line in below:
        if line.lstrip().startswith("["):
            break
        at = number if line.strip() else at
    lines[at - 1] = lines[at - 1].rstrip("\r\n") + end
    lines.insert(at, entry + end)
    return "".join(lines)


def _end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _with_mark(data: bytes, text: str) -> bytes:
    """An edited text, with the byte order mark that it had."""
    return (BOM if data.startswith(BOM) else b"") + text.encode()


def _read_or_none(data: bytes) -> VaultConfig | None:
    try:
        return read(data)[0]
    except UsageError:
        return None


def render(config: VaultConfig) -> str:
    """mdmem.toml with the settings that differ from the defaults, each below its meaning."""
    lines: list[str] = []
    table = ""
    for setting in CONFIG_SPEC:
        value = setting.of(config)
        if value == setting.default:
            continue
        head, _, name = setting.key.rpartition(".")
        if head != table:
            lines += ["", f"[{head}]"]
            table = head
        lines += [f"# {setting.help}", f"{name} = {_toml(value)}"]
    return "\n".join(lines) + "\n" if lines else ""


def _toml(value: Any) -> str:
    """The value of a setting in TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
