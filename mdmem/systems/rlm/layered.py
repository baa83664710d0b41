"""`memory_schema` of RLM-MEM: checks the records of its layered memory, one JSON object per line."""

from __future__ import annotations

import json
import os
from typing import Any

REQUIRED_FIELDS = ("id", "created_at", "scope", "entry_type", "content", "project_id")
AGENT_SCOPES = frozenset({"project_agent", "user_agent"})
ALLOWED_SCOPES = AGENT_SCOPES | {"project_global", "user_global"}
_DEFAULTS: dict[str, Any] = {"tags": [], "confidence": 0.7, "source": "unknown", "expires_at": None}

Found = dict[str, Any]


def validate_record(
    record: Any, line_number: int, source_path: str | os.PathLike[str]
) -> tuple[Found | None, Found | None]:
    """(the record with its defaults filled in, None), or (None, what is wrong with it).

    What is wrong is a dict of code, message, path and line, and of further fields that depend on the code.
    """

    def wrong(code: str, message: str, **more: Any) -> tuple[None, Found]:
        return None, {"code": code, "message": message, "path": str(source_path), "line": line_number, **more}

    if not isinstance(record, dict):
        kind = type(record).__name__
        return wrong("invalid_record_type", "A memory record has to be a JSON object.", actual_type=kind)
    if missing := [name for name in REQUIRED_FIELDS if not record.get(name)]:
        return wrong("missing_required_fields", "The record lacks required fields.", missing_fields=missing)
    scope = record["scope"]
    if not isinstance(scope, str) or scope not in ALLOWED_SCOPES:
        allowed = sorted(ALLOWED_SCOPES)
        return wrong("invalid_scope", "There is no such scope.", scope=scope, allowed_scopes=allowed)
    if scope in AGENT_SCOPES and not record.get("agent_id"):
        return wrong("invalid_agent_scope", "A record of an agent's scope has to have an agent_id.", scope=scope)
    defaults = {key: list(value) if isinstance(value, list) else value for key, value in _DEFAULTS.items()}
    given = {key: value for key, value in record.items() if value is not None or key not in defaults}
    if not given.get("source"):
        given.pop("source", None)
    return {**defaults, **given}, None


def load_jsonl_records(path: str | os.PathLike[str]) -> tuple[list[Found], list[Found]]:
    """(records, what is wrong with the other lines) of a file; two empty lists if there is no file."""
    records, warnings = [], []
    try:
        with open(path, "rb") as file:
            lines = file.read().split(b"\n")
    except FileNotFoundError:
        return [], []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            parsed = json.loads(line)
        except (ValueError, RecursionError) as error:
            where = {"path": str(path), "line": number, "error": str(error)}
            warnings.append({"code": "invalid_json", "message": "The line is not JSON.", **where})
            continue
        record, warning = validate_record(parsed, number, path)
        if record is not None:
            records.append(record)
        if warning is not None:
            warnings.append(warning)
    return records, warnings
