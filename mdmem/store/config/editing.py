"""mdmem.toml as text: written whole, or edited so that one setting changes and every other line stays."""

from __future__ import annotations

import json
import re
from typing import Any

from mdmem.errors import UsageError
from mdmem.store.config import BOM, CONFIG_SPEC, FILE, VaultConfig, line_of, read


def with_layout(data: bytes, kind: str) -> bytes:
    """The bytes of mdmem.toml with another layout; its other lines stay."""
    body = data.removeprefix(BOM)
    lines = body.splitlines(keepends=True)
    head = next((at for at, line in enumerate(lines) if line.lstrip().startswith(b"[")), len(lines))
    at = next((at for at, line in enumerate(lines[:head]) if re.match(rb"\s*layout\s*=", line)), None)
    end = b"\r\n" if b"\r\n" in body else b"\n"
    new = [f'layout = "{kind}"'.encode() + end] if kind != VaultConfig().layout else []
    lines[at or 0 : 0 if at is None else at + 1] = new
    return data[: len(data) - len(body)] + b"".join(lines)


def with_never(data: bytes, rule: str) -> bytes:
    """The bytes of mdmem.toml with one more rule in `garden.never`, on a line of its own; its other lines stay.

    Raises UsageError for a file that has to be edited by hand, such as one with inline tables.
    """
    before, _ = read(data)
    body = data.removeprefix(BOM).decode()
    end = "\r\n" if "\r\n" in body else "\n"
    new = f"  {_toml(rule)},{end}"
    lines = body.splitlines(keepends=True)
    at = line_of("garden.never", body)
    head = next((number for number, line in enumerate(lines, 1) if re.match(r"\s*\[garden\]", line)), 0)
    if at:
        opening, bracket, rest = lines[at - 1].partition("[")
        lines[at - 1] = f"{opening}{bracket}{end}{new}{rest.lstrip() if rest.strip() else ''}"
    elif head:
        lines[head - 1] = lines[head - 1].rstrip("\r\n") + end
        lines.insert(head, f"never = [{end}{new}]{end}")
    else:
        gap = end if body.endswith("\n") or not body else end + end
        lines.append(f"{gap if body else ''}[garden]{end}never = [{end}{new}]{end}")
    edited = data[: len(data) - len(data.removeprefix(BOM))] + "".join(lines).encode()
    wanted = before._replace(garden=before.garden._replace(never=(rule, *before.garden.never)))
    if _read_or_none(edited) != wanted:
        raise UsageError(
            f"{FILE} has a form that is not edited by program", f"add to never, under [garden]: {rule}"
        )
    return edited


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
