"""How the layers ask a language model: until it fails, and once more after an answer that does not fit."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

from mdmem.errors import NoteError
from mdmem.recall.models import language
from mdmem.recall.models.wording import Asked
from mdmem.systems.layers import documents

ANSWER = "the answer"
_T = TypeVar("_T")


def configured(tell: Callable[[str], None], without: str) -> language.LanguageModel | None:
    """The model that the environment names, or None; `tell` then gets the reason, and what is done `without`."""
    try:
        model = language.configured()
    except language.ModelError as error:
        tell(f"{without}: {error.line}")
        return None
    if model is None:
        tell(f"{without}: {language.VARIABLE} names no model")
    return model


def answered(model: Asked, system: str, prompt: str, read: Callable[[str], _T]) -> _T:
    """What `read` makes of an answer. One that it refuses is asked for once more. Raises ModelError, NoteError."""
    try:
        return read(model.ask(system, prompt))
    except NoteError as error:
        again = f"{prompt}\n\nYour last answer did not fit: {error.problem.message}. Answer again."
    return read(model.ask(system, again))


def object_in(answer: str, kind: str) -> dict[str, Any]:
    """The JSON object of that kind (see `documents`) in an answer, maybe fenced as code. Raises NoteError."""
    found = re.search(r"\{.*\}", answer, re.S)
    try:
        value: Any = json.loads(found[0]) if found else None
    except (ValueError, RecursionError):
        value = None
    return documents.made(value, kind, ANSWER)  # type: ignore[no-any-return]


class Attempts:
    """Attempts to have a model do something, until it fails; `tell` gets why the rules do it instead."""

    def __init__(self, tell: Callable[[str], None], by_rule: str, rest: str) -> None:
        """`by_rule` says what the rules do about one thing, `rest` about it and all that come after."""
        self._tell, self._by_rule, self._rest = tell, by_rule, rest
        self._failed = False

    def made(self, name: str, make: Callable[[], _T]) -> _T | None:
        """What `make` gives for the thing of that name, None if the rules have to do it."""
        try:
            return None if self._failed else make()
        except language.ModelError as error:
            self._failed = True
            self._tell(f"{name}: {self._rest}: {error.line}")
        except NoteError as error:
            self._tell(f"{name}: {self._by_rule}: {error.problem.path} {error.problem.message}")
        return None
