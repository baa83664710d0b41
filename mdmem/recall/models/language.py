"""Language models, through the `llm` package, which no other module uses.

The environment alone decides which model is asked, never a vault: one that arrives by clone must not decide where
its reader's memories are sent. Used in this way, the package writes no log of its own.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from threading import Thread
from typing import TYPE_CHECKING

from mdmem.errors import MdmemError, UsageError

if TYPE_CHECKING:
    from llm import Model as Asked

VARIABLE = "MDMEM_LLM"
PATIENCE = 90.0  # seconds; the package itself waits for as long as its provider's client does
_HINT = f"set {VARIABLE} to a model that `llm models` lists, give its key with `llm keys set`, or unset it"


class ModelError(MdmemError):
    """The model is missing or unknown, or did not answer. Callers then go by the rules alone."""


class LanguageModel:
    """A model of the `llm` package, by its id or alias there."""

    def __init__(self, name: str, patience: float = PATIENCE) -> None:
        """`patience` is how long an answer may take (s).

        Raises ModelError if the package is missing or does not know the model.
        """
        try:
            import llm
        except ImportError as error:
            raise ModelError(f"{VARIABLE} needs the package 'llm' ({error})", "pip install 'mdmem[llm]'") from None
        self.name, self._patience = name, patience
        try:
            self._model: Asked = llm.get_model(name)
        except llm.UnknownModelError:
            raise ModelError(f"the package 'llm' knows no model '{name}'", _HINT) from None

    def ask(self, system: str, prompt: str) -> str:
        """The model's answer. Raises ModelError if it fails or takes too long."""
        answers: list[str | Exception] = []
        # a daemon: an answer that nobody waits for any more must not keep the process alive
        asking = Thread(target=lambda: answers.append(self._answer(system, prompt)), daemon=True)
        asking.start()
        asking.join(self._patience)
        answer = answers[0] if answers else TimeoutError(f"nothing came in {self._patience:g} s")
        if isinstance(answer, str):
            return answer
        why = str(answer).splitlines()[0] if str(answer) else type(answer).__name__
        raise ModelError(f"the model '{self.name}' did not answer: {why[:200]}", _HINT)

    def _answer(self, system: str, prompt: str) -> str | Exception:
        import llm

        # LookupError, TypeError and AttributeError: providers' plugins parse answers without checking them
        odd = (OSError, ValueError, RuntimeError, LookupError, TypeError, AttributeError)
        failures: tuple[type[Exception], ...] = (llm.ModelError, *odd, *_client_errors())
        try:
            return self._model.prompt(prompt, system=system, stream=False).text()
        except failures as error:
            return error


def configured(environ: Mapping[str, str] = os.environ) -> LanguageModel | None:
    """The model that the environment names; None if it names none. Raises ModelError if it is not available."""
    name = environ.get(VARIABLE, "").strip()
    return LanguageModel(name) if name else None


def required() -> LanguageModel:
    """The model that the environment names. Raises UsageError if it names none, ModelError."""
    model = configured()
    if model is None:
        raise UsageError("no model is configured", f"set {VARIABLE} to one that `llm models` lists")
    return model


def _client_errors() -> tuple[type[Exception], ...]:
    """The exceptions of OpenAI's client; other providers' plugins have clients of their own."""
    try:
        from openai import OpenAIError
    except ImportError:
        return ()
    return (OpenAIError,)
