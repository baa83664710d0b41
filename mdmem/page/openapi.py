"""The endpoints below `/api/` as an OpenAPI document, version 3.1. https://spec.openapis.org/oas/v3.1.0"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mdmem import __version__
from mdmem.page.links import PLANNING
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
            "400": _response("A parameter is invalid.", {"$ref": "#/components/schemas/Error"}),
            "404": _response("What was asked for does not exist.", {"$ref": "#/components/schemas/Error"}),
        },
    }


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


_PROGRESS = {
    "operationId": "planning",
    "summary": "Progress of the gardeners' next plan: the `planning` of Review alone.",
    "responses": {"200": _response("The progress.", {"type": "object"})},
}
