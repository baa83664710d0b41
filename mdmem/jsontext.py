"""Reads and writes JSON as `json` does, by the same C code.

`json` itself takes 4 ms to load, most of it for patterns that only its pure-Python versions use.
"""

from __future__ import annotations

from _json import encode_basestring, encode_basestring_ascii, make_encoder, make_scanner

from mdmem.values import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_CONSTANTS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


class _Reading:
    """The default options that `json.JSONDecoder` passes to the scanner."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, _CONSTANTS.__getitem__


_scan: Callable[[str, int], tuple[Any, int]] = make_scanner(_Reading)  # type: ignore[arg-type]


def loads(text: str) -> Any:
    """The same as `json.loads`. Raises json.JSONDecodeError."""
    try:
        value, end = _scan(text, 0)
    except (StopIteration, SystemError):  # no value; what is wrong the scanner can only say once `json` is loaded
        end = -1
    if end >= 0 and not text[end:].strip(" \t\n\r"):
        return value
    import json

    return json.loads(text)


def first(text: str) -> tuple[Any, int]:
    """The value at the beginning of a text, and where it ends. Raises ValueError if there is none."""
    try:
        return _scan(text, 0)
    except (StopIteration, SystemError):
        raise ValueError(text) from None


def _unknown(value: object) -> Any:
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def _writer(quoted: Callable[[str], str], colon: str, comma: str) -> Callable[[Any], str]:
    def written(value: Any) -> str:
        containers: dict[int, Any] = {}  # those that are open, to find one within itself
        encode = make_encoder(containers, _unknown, quoted, None, colon, comma, False, False, True)
        return "".join(encode(value, 0))

    return written


dumps = _writer(encode_basestring_ascii, ": ", ", ")  # as `json.dumps`
readable = _writer(encode_basestring, ": ", ", ")  # with all characters as they are
compact = _writer(encode_basestring, ":", ",")  # the same without spaces
