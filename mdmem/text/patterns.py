"""Regular expressions that are compiled when they are first used: to compile many takes longer than to search."""

from __future__ import annotations

import re

from mdmem.values import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import AnyStr

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub")


def late(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, made at the first use."""
    return _LatePattern(pattern, flags)  # type: ignore[return-value]


class _LatePattern:
    """Stands in for a pattern; once that is compiled, its own methods answer."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._source = pattern, flags

    def __getattr__(self, name: str) -> Any:
        compiled: Any = re.compile(*self._source)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
