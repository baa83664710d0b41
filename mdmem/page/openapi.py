"""The endpoints below `/api/` as an OpenAPI document, version 3.1. https://spec.openapis.org/oas/v3.1.0"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mdmem import __version__, acts
from mdmem.acts.arguments import schema_of
from mdmem.page.links import ACTS, PLANNING
from mdmem.page.site import SitePage

_ERROR = {
    "type": "object",
    "properties": {"error": {"type": "string"}, "hint": {"type": "string"}},
    "required": ["error", "hint"],
}


def document(pages: Sequence[SitePage]) -> dict[str, Any]:
    """The OpenAPI document that describes these pages."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "mdmem", "version": __version__, "description": "The values of the pages, as JSON."},
        "paths": {
            **{page.api_path.replace(":path", ""): {"get": _operation(page)} for page in pages},
            PLANNING: {"get": _PROGRESS},
            **{f"{ACTS}/{name}": {"get": _asking(name)} for name in acts.READING},
            **{f"{ACTS}/{name}": {"post": _telling(name)} for name in acts.WRITING},
        },
        "components": {
            "schemas": {"Error": _ERROR},
            "securitySchemes": {
                "cookie": {"type": "apiKey", "in": "cookie", "name": "mdmem_PORT"},
            },
        },
        "security": [{"cookie": []}],
    }


def _operation(page: SitePage) -> dict[str, Any]:
    key = [_parameter("key", "path", page.key)] if page.key else []
    return {
        "operationId": page.name,
        "summary": page.about,
        "parameters": [*key, *(_parameter(name, "query", about) for name, about in page.takes.items())],
        "responses": {
            "200": _response("The value of the page.", {"type": "object"}),
            **_ERRORS,
        },
    }


def _asking(name: str) -> dict[str, Any]:
    """An act that reads: its arguments are those of the address."""
    schema = schema_of(getattr(acts, name))
    required = schema.get("required", ())
    parameters = [
        {"name": key, "in": "query", "required": key in required, "schema": one}
        for key, one in schema["properties"].items()
    ]
    return {**_act(name), "parameters": parameters}


def _telling(name: str) -> dict[str, Any]:
    """An act that writes, with `mdmem page --write`: its arguments are a JSON object."""
    schema = schema_of(getattr(acts, name))
    reason = {"type": "string", "description": "Why; goes into the commit."}
    schema = {**schema, "properties": {**schema["properties"], "reason": reason}}
    return {**_act(name), "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def _act(name: str) -> dict[str, Any]:
    said = str(getattr(acts, name).__doc__).partition("\n")[0]
    return {"operationId": f"act_{name}", "summary": said, "responses": {"200": _response(said, {}), **_ERRORS}}


def _parameter(name: str, place: str, about: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": place,
        "description": about,
        "required": place == "path",
        "schema": {"type": "string"},
    }


def _response(about: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"description": about, "content": {"application/json": {"schema": dict(schema)}}}


_ERRORS = {
    "400": _response("A parameter is invalid.", {"$ref": "#/components/schemas/Error"}),
    "404": _response("What was asked for does not exist.", {"$ref": "#/components/schemas/Error"}),
}
_PROGRESS = {
    "operationId": "planning",
    "summary": "Progress of the gardeners' next plan: the `planning` of Review alone.",
    "responses": {"200": _response("The progress.", {"type": "object"})},
}
