"""The arguments of a call by a program: their JSON Schema (2020-12), made of a signature, and the check."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from mdmem.acts.signature import Parameter, grouped, hints, parameters, require_fit
from mdmem.acts.style import Json, Lines
from mdmem.errors import UsageError

_LONGEST = 100_000  # characters of a text: a memory is one concept
_SHOWN = 160  # characters of an error message


_TYPES: Mapping[str, Mapping[str, Any]] = {
    "flag": {"type": "boolean"},
    "count": {"type": "integer"},
    "number": {"type": "number"},
    "text": {"type": "string"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "pairs": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
    "values": {"type": "object"},
    "items": {"type": "object"},
}


_NAMES = {"string": "a text", "array": "a list", "object": "an object", "boolean": "true or false"}


def schema_of(act: Callable[..., Any]) -> Json:
    """The schema of what an act, a tool or a group of parameters takes, as short as possible.

    An agent reads all of it in every session.
    """
    known = parameters(act)
    schema: Json = {"type": "object", "properties": {one.name: _schema(one) for one in known}}
    required = [one.name for one in known if one.is_required]
    return schema | ({"required": required} if required else {})


def _schema(one: Parameter) -> Json:
    option = one.option
    most = {"maxItems": option.most} if option.most and one.kind not in ("count", "number") else {}
    about = {"description": option.about} if option.about else {}
    if callable(one.kind):
        return {"type": "array", **most, "items": schema_of(one.kind)}
    if one.kind == "objects":
        return {"type": "array", "items": {"type": "object", **about}}
    if option.choices:
        one_of = {"enum": list(option.choices)}
        return {**({"type": "array", "items": one_of} if one.kind == "texts" else one_of), **about}
    least = {"minimum": option.least} if option.least else {}
    default = {"default": one.default} if least and one.default and not one.is_required else {}
    highest = {"maximum": option.most} if option.most and not most else {}
    return {**_TYPES[one.kind], **most, **least, **highest, **about, **default}


def call(name: str, act: Callable[..., Any], given: Mapping[str, Any], work: Mapping[str, Any]) -> Any:
    """The result of an act with arguments from a program; `work` is what the face gives it. Raises UsageError."""
    takes = {key: value for key, value in work.items() if key in hints(act)}
    reason = {"reason": str(given["reason"])} if "reason" in hints(act) and given.get("reason") else {}
    meant = checked(name, schema_of(act), {key: given[key] for key in given if key not in reason})
    return act(**takes, **reason, **grouped(act, meant))


def checked(tool: str, schema: Mapping[str, Any], given: Mapping[str, Any]) -> Json:
    """The arguments in the form that the schema requires. Raises UsageError that says what the tool takes.

    A list, number or flag may be given as its text in JSON; null counts as not given.
    """
    known = schema["properties"]
    usage = f"{tool} takes {_usage(schema)}"
    for name in given:
        if name not in known:
            raise UsageError(f"{tool} has no argument '{name[:_SHOWN]}'", usage)
    meant = {name: _parsed(value, known[name]) for name, value in given.items() if value is not None}
    for text in _texts(meant):
        if len(text) > _LONGEST:
            raise UsageError(
                f"a text has {len(text)} characters", f"give at most {_LONGEST}; several notes are better"
            )
    _require_valid(tool, schema, meant, usage)
    return meant


def _require_valid(tool: str, schema: Mapping[str, Any], given: Mapping[str, Any], usage: str) -> None:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    for name in schema.get("required", ()):
        if given.get(name) in (None, []):
            raise UsageError(f"{name} is missing", usage)
    error = best_match(Draft202012Validator(schema).iter_errors(given))
    if error is not None:
        path, known = [*error.absolute_path], error.schema
        if path and isinstance(path[-1], int):  # an item has no name
            path.pop()
        where = ".".join(map(str, path)) or tool
        is_number = known.get("type") in ("integer", "number")
        limits = known.get("minimum"), known.get("maximum")
        require_fit(where, error.instance, known.get("enum", ()), *limits, is_number)
        wrong = f"{error.instance!r}"[:_SHOWN] + f" is not {_NAMES[known['type']]}"
        raise UsageError(f"{where}: {wrong if error.validator == 'type' else error.message[:_SHOWN]}", usage)


def _parsed(value: Any, schema: Mapping[str, Any]) -> Any:
    """A value; a text is parsed as JSON if the schema requires another type."""
    if not isinstance(value, str) or schema.get("type", "string") == "string" or len(value) > _LONGEST:
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return [value] if schema["type"] == "array" else value


def _texts(value: Any) -> Lines:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def _usage(schema: Mapping[str, Any]) -> str:
    """`items* [{text*, title}], limit`: the arguments, with a star after those that are required."""
    required = schema.get("required", ())
    known = schema["properties"].items()
    return ", ".join(name + "*" * (name in required) + _fields(one) for name, one in known) or "no arguments"


def _fields(schema: Mapping[str, Any]) -> str:
    """What each object of a list has, if the schema says so."""
    items = schema.get("items", {})
    return f" [{{{_usage(items)}}}]" if "properties" in items else ""
