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
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import numpy as np
import pytest

from mdmem.errors import MdmemError
from mdmem.note import memory
from mdmem.recall import ask, meaning, order, passages
from mdmem.recall.gather import RecallContext
from mdmem.recall.models import minilm, sentence
from mdmem.recall.models.sentence import MINILM, MULTILINGUAL
from mdmem.recall.models.vectors import Vectors
from mdmem.store.index.catalogue import SqliteCatalogue
from mdmem.store.index.port import ENTRY, MEMORY
from mdmem.store.local.place import NamedPlace, Places
from mdmem.store.local.workers import crew
from mdmem.store.vault import several
from mdmem.store.vault.vault import Vault

pytestmark = [pytest.mark.usefixtures("any_model"), pytest.mark.xdist_group("model")]  # one process loads it

Write = Callable[[str, str | bytes], Path]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
needs_model = pytest.mark.skipif(not MINILM.is_installed, reason=f"not installed: {MINILM.install}")


@pytest.fixture(scope="module")
def model() -> minilm.MiniLM:
    return minilm.load()


# -- the model


@needs_model
def test_the_model_gives_the_vectors_it_is_known_for(model: minilm.MiniLM) -> None:
    """Against the first figures of the published model for these texts, of which eight bits leave so much."""
    vectors = model.embed(["This is an example sentence", "Each sentence is converted"])
    assert vectors.shape == (2, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[0][:4], [0.0677, 0.0635, 0.0487, 0.0793], atol=0.02)
    assert np.allclose(vectors[1][:4], [0.0864, 0.1027, 0.0054, 0.0021], atol=0.02)


@needs_model
def test_a_vector_does_not_depend_on_its_batch(model: minilm.MiniLM) -> None:
    texts = ["a cat", "", "An elephant walked into the room. " * 20, "数据库", "🎉"]
    together = model.embed(texts)
    apart = np.concatenate([model.embed([text]) for text in texts])
    assert np.array_equal(together, apart)


@needs_model
def test_a_long_note_is_found_by_any_of_its_passages(root: Path, write: Write) -> None:
    """A vector of the whole would say what most of it is about; one paragraph of fifty is about a boat."""
    fill = [
        f"Chapter {number} is about taxes, their dates, and the forms that go with them. " * 8
        for number in range(50)
    ]
    fill[37] = "Zhanna painted her ship blue in summer, and rowed it over the lake. " * 8
    write("allmemories/a_book_of_taxes.md", "\n\n".join(fill))
    for number in range(3):
        write(f"allmemories/short_note_on_forms_{number}.md", f"Form {number} is for taxes.\n")
    with Vault.open(str(root)) as vault:
        found = meaning.Meaning(MINILM.load(), vault.root, vault.index)
        assert found.embed() == 4
        assert found.nearest("Who coloured the boat?", 1, MEMORY) == ["allmemories/a_book_of_taxes.md"]
        cosines = found.of("Who coloured the boat?", ["allmemories/a_book_of_taxes.md"])
        (by_passage,) = cosines.values()
        text = passages.split(vault.index.body("allmemories/a_book_of_taxes.md").strip())
    assert len(by_passage) == len(text) > 40
    assert "Zhanna" in text[by_passage.index(max(by_passage))].text


@needs_model
def test_facts_and_dialogs_are_found_by_meaning(
    root: Path, write: Write, mdmem: Callable[..., tuple[int, str, str]]
) -> None:
    write("allmemories/the_tax_is_due.md", "The tax return is due in May.\n")
    chat = write("chat.md", "Ada: Our puppy chews on the furniture.\nBen: I like my kitten better.\n")
    mdmem("ingest", chat, "--topic", "pets", "--vault", root)
    with Vault.open(str(root)) as vault:
        found = meaning.Meaning(MINILM.load(), vault.root, vault.index)
        found.embed()
        assert found.missing() == []
        (dialog,) = found.nearest("dog", 1, ENTRY)
        answers = ask.ask(vault, ask.Query(("young dog",)), NOW)
    assert dialog.endswith("raw.md")
    assert answers[0].hit.record.path == dialog


def on_with_notes(root: Path, write: Write, count: int) -> None:
    """A vault that recalls by meaning and has so many notes."""
    (root / "mdmem.toml").write_text('id = "test"\n[semantic]\nmodel = "minilm"\n')
    for number in range(count):
        write(f"allmemories/note_about_deploys_{number}.md", f"Deploy {number} runs on turing.\n")


def vectors_of(root: Path) -> set[bytes]:
    return Vectors(str(root), MINILM.name).digests()


@needs_model
def test_making_vectors_stops_when_its_time_is_over_and_goes_on_next_time(root: Path, write: Write) -> None:
    on_with_notes(root, write, 20)
    for made in (8, 8, 4, 0):  # a batch is finished, but no other begun
        with Vault.open(str(root)) as vault:
            assert meaning.Meaning(MINILM.load(), vault.root, vault.index).embed(seconds=0) == made
    assert len(vectors_of(root)) == 20


@needs_model
def test_vectors_that_were_made_outlive_a_kill(root: Path, write: Write) -> None:
    on_with_notes(root, write, 20)
    script = """if True:
        import os, signal, sys
        from mdmem.recall import meaning
        from mdmem.store.vault.vault import Vault
        with Vault.open(sys.argv[1]) as vault:
            meaning.embed(vault, lambda done, total: os.kill(os.getpid(), signal.SIGKILL))
    """
    killed = subprocess.run([sys.executable, "-c", script, str(root)], capture_output=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert len(vectors_of(root)) == 8
    with Vault.open(str(root)) as vault:
        assert meaning.embed(vault) == (12, 0)


@needs_model
def test_the_end_of_a_session_has_vectors_made_behind_its_back(
    root: Path, write: Write, mdmem: Callable[..., tuple[int, str, str]]
) -> None:
    on_with_notes(root, write, 3)
    mdmem("session", "end", "--vault", root, "--summary", "Deploys hang when the disk is full.")
    for process in crew._left:
        assert process.wait() == 0
    assert len(vectors_of(root)) == 4


@needs_model
def test_a_write_makes_vectors_where_the_model_is_loaded_already(
    root: Path, write: Write, mdmem: Callable[..., tuple[int, str, str]]
) -> None:
    on_with_notes(root, write, 1)
    mdmem("recall", "server", "--vault", root)
    mdmem("remember", "Lunch is at noon.", "--name", "lunch_is_at_noon", "--vault", root)
    assert len(vectors_of(root)) == 2


def test_the_end_of_a_session_does_not_wait_for_an_endpoint(
    root: Path, write: Write, endpoint: type[_Fake], mdmem: Callable[..., tuple[int, str, str]]
) -> None:
    on(root)
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    mdmem("session", "end", "--vault", root, "--summary", "Lunch is at noon from now on.")
    assert endpoint.requests == []


@needs_model
def test_meaning_finds_what_words_do_not(root: Path, write: Write) -> None:
    """Without a setting: the model is installed."""
    write("allmemories/the_pet_at_home.md", "Our puppy chews on the furniture.\n")
    write("allmemories/the_tax_is_due.md", "The tax return is due in May.\n")
    with Vault.open(str(root)) as vault:
        found = ask.ask(vault, ask.Query(("dog",)), NOW)
        assert [answer.hit.record.name for answer in found][:1] == ["the_pet_at_home"]
        assert found[0].hit.signals["meaning"] > 0
        assert ask.ask(vault, ask.Query(("dog type:decision",)), NOW) == []


@needs_model
def test_off_in_the_settings_or_in_the_environment_is_off(
    root: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("allmemories/chewed_things_of_ours.md", "Our puppy chews on the furniture.\n")
    (root / "mdmem.toml").write_text('id = "test"\n[semantic]\nmodel = "off"\n')
    with Vault.open(str(root)) as vault:
        assert ask.ask(vault, ask.Query(("home animal",)), NOW) == []
        assert meaning.standing(vault).lacking == ""
        monkeypatch.setenv(sentence.ENV, "minilm")
        assert len(ask.ask(vault, ask.Query(("home animal",)), NOW)) == 1
    (root / "mdmem.toml").write_text('id = "test"\n')
    monkeypatch.setenv(sentence.ENV, "off")
    with Vault.open(str(root)) as vault:
        assert ask.ask(vault, ask.Query(("home animal",)), NOW) == []


def test_what_a_model_would_add_is_told_where_nothing_is_found_and_in_the_status(
    root: Path, monkeypatch: pytest.MonkeyPatch, mdmem: Callable[..., tuple[int, str, str]]
) -> None:
    absent = [model._replace(modules=("no_such_package",)) for model in sentence.MODELS]
    monkeypatch.setattr(sentence, "MODELS", tuple(absent))
    monkeypatch.setattr(sentence, "MINILM", absent[-1])
    told = f"{meaning.GAIN}: pip install 'mdmem[semantic]'"
    assert told in mdmem("recall", "dog", "--vault", root)[2]
    assert told in mdmem("status", "--vault", root)[1]
    monkeypatch.setenv(sentence.ENV, "off")
    assert told not in mdmem("recall", "dog", "--vault", root)[2]
    assert told not in mdmem("status", "--vault", root)[1]


@needs_model
def test_a_recall_without_vectors_loads_neither_numpy_nor_the_model(root: Path, write: Write) -> None:
    """A vault with many notes whose vectors nobody has made yet: recall says so, and is as quick as before."""
    on_with_notes(root, write, meaning.AT_ONCE + 1)
    code = "import sys; from mdmem.__main__ import main; main(['recall', 'turing']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert f"{meaning.AT_ONCE + 1} texts cannot be found by meaning yet" in done.stderr
    assert {"numpy", "onnxruntime"}.isdisjoint(done.stdout.split())


@needs_model
def test_what_runs_the_model_keeps_nothing(tmp_path: Path) -> None:
    """With its telemetry on, onnxruntime makes an id of the machine and a file of events when it is imported."""
    code = "from mdmem.recall.models import minilm; minilm.load().embed(['a dog'])"
    only = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}  # without CI, in which it is silent anyway
    subprocess.run([sys.executable, "-c", code], env=only, check=True)
    assert list(tmp_path.iterdir()) == []


@needs_model
def test_a_model_without_numpy_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(MdmemError, match="needs numpy") as caught:
        minilm.load()
    assert caught.value.hint == MINILM.install


@needs_model
def test_a_damaged_model_says_how_to_install_it(tmp_path: Path) -> None:
    for content in (None, b"", b"\xff" * 100, b"\x08\x0a"):
        if content is not None:
            (tmp_path / "model.onnx").write_bytes(content)
        with pytest.raises(MdmemError, match="cannot be read") as caught:
            minilm.MiniLM(str(tmp_path / "model.onnx"))
        assert caught.value.hint == MINILM.install


@pytest.mark.skipif(not MULTILINGUAL.is_installed, reason=f"not installed: {MULTILINGUAL.install}")
def test_a_german_question_finds_the_english_note(root: Path, write: Write) -> None:
    (root / "mdmem.toml").write_text('id = "test"\n[semantic]\nmodel = "multilingual"\n')
    write("allmemories/the_pet_at_home.md", "Our dog chews on the furniture.\n")
    write("allmemories/the_tax_is_due.md", "The tax return is due in May.\n")
    with Vault.open(str(root)) as vault:
        pet, tax = (
            ask.ask(vault, ask.Query((question,)), NOW)[0].hit.record.name
            for question in ("Was macht das Haustier mit den Möbeln?", "Wann ist die Steuererklärung fällig?")
        )
    assert (pet, tax) == ("the_pet_at_home", "the_tax_is_due")


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
    assert told == [
        f"{meaning.AT_ONCE + 1} texts cannot be found by meaning yet; mdmem rebuild vectors makes their vectors"
    ]
    assert json.loads(mdmem("rebuild", "vectors", "--vault", root, "--json")[1]) == {
        "made": meaning.AT_ONCE + 1,
        "dropped": 0,
    }
    (root / "allmemories" / "note_about_deploys_0.md").unlink()
    assert json.loads(mdmem("rebuild", "vectors", "--vault", root, "--json")[1]) == {"made": 0, "dropped": 1}
    with Vault.open(str(root)) as vault:
        assert "meaning" in ask.ask(vault, ask.Query(("turing",)), NOW)[0].hit.signals
    assert endpoint.requests


def test_a_long_new_memory_waits_for_embed(
    root: Path, write: Write, endpoint: type[_Fake], mdmem: Callable[..., tuple[int, str, str]]
) -> None:
    """A megabyte has a thousand passages and more: the first recall after it took half a minute."""
    on(root)
    text = "\n\n".join(f"Deploy {number} ran on turing. " + "It went well. " * 60 for number in range(100))
    write("allmemories/log_of_all_deploys.md", text)
    assert (
        "cannot be found by meaning yet; mdmem rebuild vectors makes"
        in mdmem("recall", "turing", "--vault", root)[2]
    )
    assert not endpoint.requests
    mdmem("rebuild", "vectors", "--vault", root)
    assert "by meaning yet" not in mdmem("recall", "turing", "--vault", root)[2]


def test_embed_needs_a_model(
    root: Path, monkeypatch: pytest.MonkeyPatch, mdmem: Callable[..., tuple[int, str, str]]
) -> None:
    (root / "mdmem.toml").write_text('id = "test"\n[semantic]\nmodel = "off"\n')
    assert "mdmem.toml" in mdmem("rebuild", "vectors", "--vault", root, code=1)[2]
    (root / "mdmem.toml").write_text('id = "test"\n')
    monkeypatch.setattr(sentence, "MODELS", ())
    assert "mdmem[semantic]" in mdmem("rebuild", "vectors", "--vault", root, code=1)[2]


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
    vectors.add({b"a": np.ones((2, 4), np.float32)})
    vectors.add({b"b": np.ones((1, 8), np.float32)})
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
        hits = [answer.hit for answer in ask.ask(vaults, query, NOW)]
    assert endpoint.requests
    assert [hit.record.vault for hit in hits] == ["one", "two"]
    assert hits[0].signals["meaning"] == hits[1].signals["meaning"] > 0
    (other / "mdmem.toml").write_text('id = "test"\n')
    with several.opened(places, lambda vault: None) as vaults:
        hits = [answer.hit for answer in ask.ask(vaults, query, NOW)]
    assert [hit.signals.get("meaning") for hit in hits] == [None, None]


class _Cosines:
    """A model that knows how near each passage of a memory is."""

    weight = 1.0

    def __init__(self, cosines: dict[str, float | list[float]]) -> None:
        self._cosines = {path: each if isinstance(each, list) else [each] for path, each in cosines.items()}

    def nearest(self, text: str, count: int, kind: str) -> list[str]:
        return sorted(self._cosines, key=lambda path: -max(self._cosines[path]))[:count] if kind == MEMORY else []

    def of(self, text: str, paths: Sequence[str]) -> dict[str, list[float]]:
        return {path: self._cosines[path] for path in paths if path in self._cosines}


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


def test_a_long_memory_depends_less_on_its_session() -> None:
    """A long turn says itself what it is about: all of a session's were raised alike by the nearest of them."""
    catalogue = SqliteCatalogue.in_memory()
    for path, times in {"near.md": 1, "short.md": 1, "long.md": 60}.items():
        body = f"---\nsession: first\nsource: import\n---\n{'It is kept in the shed. ' * times}\n"
        catalogue.insert(memory.parse(body.encode(), path), "", "")
    likeness = _Cosines({"near.md": 0.8, "short.md": 0.2, "long.md": 0.2})
    hits = order.recall(catalogue, ["zebra"], RecallContext(NOW, likeness=likeness))
    meant = {hit.record.path: hit.signals["meaning"] for hit in hits}
    assert meant["near.md"] > meant["short.md"] > 1.5 * meant["long.md"] > 0


def test_a_memory_is_as_near_as_its_passages_on_average_and_a_little_nearer_for_its_best() -> None:
    """The best of many passages is near to anything: by it alone long notes stand before short ones."""
    catalogue = SqliteCatalogue.in_memory()
    for path in ("one.md", "many.md"):
        catalogue.insert(memory.parse(b"It is kept in the shed.\n", path), "", "")
    likeness = _Cosines({"one.md": 0.4, "many.md": [0.2, 0.8, -0.1]})
    hits = order.recall(catalogue, ["zebra"], RecallContext(NOW, likeness=likeness))
    meant = {hit.record.path: hit.signals["meaning"] for hit in hits}
    assert meant["many.md"] == pytest.approx((0.75 * 0.3 + 0.25 * 0.8) / 0.4 * meant["one.md"])


def test_a_question_of_which_no_note_has_a_word_is_answered_by_what_is_near_in_meaning() -> None:
    """The list went on to notes no nearer than any, and said that they have other words of the question."""
    catalogue = SqliteCatalogue.in_memory()
    for number in range(8):
        catalogue.insert(memory.parse(f"It is kept in shed {number}.\n".encode(), f"shed_{number}.md"), "", "")

    def found(question: str, *cosines: float) -> list[ask.Answer]:
        likeness = _Cosines({f"shed_{number}.md": cosine for number, cosine in enumerate(cosines)})
        hits = order.recall(catalogue, [question], RecallContext(NOW, likeness=likeness))
        return [ask.Answer(hit, "") for hit in hits]

    faint = found("zebra", 0.19, 0.18, 0.17, 0.16, 0.15)
    assert len(faint) == 3
    assert ask.doubt(faint) == "nothing is known of zebra; what is found has none of the words of the question"
    assert len(found("zebra", 0.6, 0.5, 0.4, 0.3, 0.15)) == 4
    known = found("zebra lorry spade price shed", 0.19, 0.18, 0.17, 0.16, 0.15)
    assert len(known) == 5
    assert "zebra, lorry, spade, price; what is found has only other words of the question" in ask.doubt(known)


def test_an_answer_is_in_doubt_where_neither_its_words_nor_its_meaning_are_near() -> None:
    """A model knows a neighbour for any question, so its nearness alone must not vouch for an answer."""
    catalogue = SqliteCatalogue.in_memory()
    catalogue.insert(memory.parse(b"The spade is kept in the shed.\n", "tools.md"), "", "")

    def doubt(question: str, cosine: float) -> str:
        context = RecallContext(NOW, likeness=_Cosines({"tools.md": cosine}))
        return ask.doubt([ask.Answer(hit, "") for hit in order.recall(catalogue, [question], context)])

    assert "nothing is known of zebra" in doubt("zebra", 0.3)
    assert "nothing is known of price" in doubt("price spade lorry", 0.1)
    assert doubt("tool", 0.9) == doubt("spade shed", 0.1) == ""
