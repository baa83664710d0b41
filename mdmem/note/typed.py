"""Values of JSON as their annotations say: named tuples, which JSON writes as lists, and what they hold."""

from functools import cache
from itertools import repeat
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints


def text(data: bytes) -> str:
    """Bytes as a text that JSON can hold; `decoded` makes bytes of it again."""
    return data.decode("utf-8", "surrogateescape")


def decoded(kind: Any, value: Any) -> Any:
    """What `json.dumps(value, default=text)` wrote of a value of this kind.

    Raises TypeError, ValueError or AttributeError for a list of another length, and for what is neither.
    """
    inner = get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        return None if value is None else decoded(next(each for each in inner if each is not NoneType), value)
    if (hasattr(kind, "_fields") or get_origin(kind) is tuple) and not isinstance(value, list):
        raise TypeError(f"{value!r} is not a list")
    if hasattr(kind, "_fields"):
        return kind(*(decoded(each, part) for each, part in zip(_kinds(kind), value, strict=True)))
    if get_origin(kind) is tuple:
        return tuple(map(decoded, repeat(inner[0]) if inner[-1] is ... else inner, value))
    return value.encode("utf-8", "surrogateescape") if kind is bytes else value


@cache
def _kinds(kind: Any) -> list[Any]:
    """The annotations of a named tuple's fields."""
    return list(get_type_hints(kind).values())
