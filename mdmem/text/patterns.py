"""Regular expressions that are compiled when they are first used: to compile many takes longer than to search."""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub")


def late(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, made at the first use."""
    return cast("re.Pattern[str]", _LatePattern(pattern, flags))


class _LatePattern:
    """Stands in for a pattern; once that is compiled, its own methods answer."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._source = pattern, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(*self._source)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
