"""The endpoints below `/api/` as an OpenAPI document, version 3.1. https://spec.openapis.org/oas/v3.1.0

`openapi.json` has what is the same whatever pages and acts there are.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mdmem import __version__, acts
from mdmem.acts.arguments import schema_of
from mdmem.acts.style import Json
from mdmem.page.links import ACTS
from mdmem.page.site import SitePage


def document(pages: Sequence[SitePage]) -> Json:
    """The OpenAPI document that describes these pages."""
    told: Json = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    told["info"]["version"] = __version__
    told["paths"] |= {page.api_path.replace(":path", ""): {"get": _operation(page)} for page in pages}
    told["paths"] |= {f"{ACTS}/{name}": {"get": _asking(name)} for name in acts.READING}
    told["paths"] |= {f"{ACTS}/{name}": {"post": _telling(name)} for name in acts.WRITING}
    return told


def _operation(page: SitePage) -> Json:
    text = {"type": "string"}
    asked = [_parameter(name, "query", text, False) | {"description": about} for name, about in page.takes.items()]
    key = [_parameter("key", "path", text, True) | {"description": page.key}] if page.key else []
    return _described(page.name, page.about, {"type": "object"}) | {"parameters": [*key, *asked]}


def _asking(name: str) -> Json:
    """An act that reads: its arguments are those of the address."""
    schema = schema_of(getattr(acts, name))
    required = schema.get("required", ())
    asked = [_parameter(key, "query", one, key in required) for key, one in schema["properties"].items()]
    return _act(name) | {"parameters": asked}


def _telling(name: str) -> Json:
    """An act that writes, with `mdmem page --write`: its arguments are a JSON object."""
    schema = schema_of(getattr(acts, name))
    reason = {"type": "string", "description": "Why; goes into the commit."}
    schema = {**schema, "properties": {**schema["properties"], "reason": reason}}
    return _act(name) | {"requestBody": {"required": True, **_content(schema)}}


def _act(name: str) -> Json:
    return _described(f"act_{name}", str(getattr(acts, name).__doc__).partition("\n")[0], {})


def _described(id: str, about: str, gives: Mapping[str, Any]) -> Json:
    """An operation without its arguments; `gives` is the schema of its answer."""
    errors = {code: {"$ref": f"#/components/responses/{code}"} for code in ("400", "404")}
    return {
        "operationId": id,
        "summary": about,
        "responses": {"200": {"description": about, **_content(gives)}, **errors},
    }


def _parameter(name: str, place: str, schema: Any, required: bool) -> Json:
    return {"name": name, "in": place, "required": required, "schema": schema}


def _content(schema: Mapping[str, Any]) -> Json:
    return {"content": {"application/json": {"schema": schema}}}
