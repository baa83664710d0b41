"""Regular expressions that are compiled on first use: compiling many takes longer than searching with them."""

from __future__ import annotations

import re
from typing import Any, AnyStr

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub")


def late(pattern: AnyStr, flags: int = 0, needs: str = "") -> re.Pattern[AnyStr]:
    """The result of `re.compile`, compiled on first use.

    `needs` is a string that every match contains. For a text without it the pattern is not compiled.
    """
    return _LatePattern(pattern, flags, needs)  # type: ignore[return-value]


class _LatePattern:
    """Stands in for a pattern; once that is compiled, its own methods are used."""

    def __init__(self, pattern: str | bytes, flags: int, needs: str) -> None:
        self._source = pattern, flags
        if needs:
            self._answer_without(needs)

    def _answer_without(self, needs: str) -> None:
        """Make the most used methods handle texts without `needs` themselves."""

        def search(text: str, *place: int) -> Any:
            return self.__getattr__("search")(text, *place) if needs in text else None

        def match(text: str, *place: int) -> Any:
            return self.__getattr__("match")(text, *place) if needs in text else None

        def sub(new: Any, text: str, count: int = 0) -> Any:
            return self.__getattr__("sub")(new, text, count) if needs in text else text

        self.search, self.match, self.sub = search, match, sub

    def __getattr__(self, name: str) -> Any:
        compiled: Any = re.compile(*self._source)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
