"""Any works go out as JSON and as SQLite and come back the same; what a field must hold is checked by its name."""

from __future__ import annotations

import copy
import hashlib
import json
import sqlite3
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdmem.errors import UsageError
from mdmem.note.shapes import Shape
from mdmem.systems.rum import database, exchange
from mdmem.systems.rum.database import RumDocument
from mdmem.systems.rum.work import IMPORTANCE, MANY_LINKS, SHAPES, WORK
from tests.systems.rum.exchange.test_exchange import DOCUMENT, rounded
from tests.systems.rum.works import WORKS

Run = Callable[..., Any]


def whole(works: list[dict[str, Any]]) -> RumDocument:
    """The works as a document that a database can hold: each has an agent, no link leads out of it."""
    known = {work["id"] for work in works}
    said = []
    for work in works:
        many = {name: [id for id in work["links"].get(name, ()) if id in known] for name in MANY_LINKS}
        links = {name: list(dict.fromkeys(ids)) for name, ids in many.items() if ids}
        by_default = {"agent_id": "someone", "project_id": "shop", "session_id": "conv-1", "tags": []}
        named = {name: work.get(name) or value for name, value in by_default.items()}
        importance = work.get("importance", IMPORTANCE)
        said.append({**work, **named, "importance": importance, "access_count": 0, "links": links})
    names = sorted({work["agent_id"] for work in said})
    agents = [{"id": name, "type": "main", "project_id": "shop", "created_at": 1} for name in names]
    return database.checked(RumDocument(agents, said))


DOCUMENTS = st.lists(WORKS, max_size=4, unique_by=lambda work: work["id"]).map(whole)


@settings(max_examples=40)
@given(document=DOCUMENTS)
def test_any_works_survive_json_and_sqlite(
    tmp_path_factory: pytest.TempPathFactory, document: RumDocument
) -> None:
    folder = tmp_path_factory.getbasetemp()
    assert database.checked(RumDocument(**json.loads(exchange.as_text_of(document)))) == document
    database.write(str(folder / "any.sqlite"), document, {})
    whole_seconds = [rounded(work) for work in document.memories]
    assert database.read(str(folder / "any.sqlite")) == document._replace(memories=whole_seconds)


def limits(value: Any, shape: Shape, at: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], str]]:
    """(place, "choice" or "required") of all that a shape demands of what a value holds."""
    if shape.kind == "choice":
        yield at, "choice"
    for name in shape.required:
        yield (*at, name), "required"
    inner = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    for name, item in inner:
        yield from limits(item, shape.items or shape.of(str(name)), (*at, name))


SHAPES = {
    "agents": SHAPES["agent"],
    "memories": WORK,
    "chapters": SHAPES["chapter"],
    "wisdom": SHAPES["wisdom"],
}
CASES = [
    ((kind, *at), demand) for kind, shape in SHAPES.items() for at, demand in limits(DOCUMENT[kind][0], shape)
]


@pytest.mark.parametrize(("at", "demand"), CASES, ids=str)
def test_what_is_demanded_of_a_field_is_demanded_by_its_name(at: tuple[Any, ...], demand: str) -> None:
    document = copy.deepcopy(DOCUMENT)
    kind, *above, last = at
    holder = document[kind][0]
    for name in above:
        holder = holder[name]
    if demand == "choice":
        holder[last] = "no such thing"
    else:
        del holder[last]
    with pytest.raises(UsageError, match=str(last)):
        database.checked(RumDocument(**document))


class _Vectors(BaseHTTPRequestHandler):
    """Gives each text a vector of four numbers that depend on it."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        data = [
            {"index": at, "embedding": list(hashlib.sha256(text.encode()).digest()[:4])}
            for at, text in enumerate(asked)
        ]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"data": data}).encode())

    def log_message(self, *args: object) -> None:
        del args


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    server = HTTPServer(("127.0.0.1", 0), _Vectors)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("MDMEM_EMBEDDINGS_URL", f"http://127.0.0.1:{server.server_port}/v1/")
    monkeypatch.setenv("MDMEM_EMBEDDINGS_MODEL", "words")
    yield
    server.shutdown()
    server.server_close()


@pytest.mark.usefixtures("endpoint", "any_model")
def test_works_have_an_embedding_where_a_vault_has_a_model(root: Path, tmp_path: Path, mdmem: Run) -> None:
    pytest.importorskip("numpy", reason="the extra 'semantic' is not installed")
    (root / "mdmem.toml").write_text('id = "test"\n[semantic]\nmodel = "endpoint"\n')
    (tmp_path / "in.json").write_text(json.dumps(DOCUMENT))
    mdmem("import", "rum", tmp_path / "in.json", "--vault", root)
    mdmem("export", "rum", tmp_path / "out.sqlite", "--vault", root)
    with closing(sqlite3.connect(tmp_path / "out.sqlite")) as db:
        rows = db.execute("SELECT intent_goal, outcome_summary, embedding FROM memories").fetchall()
    assert len(rows) == len(DOCUMENT["memories"])
    for goal, summary, embedding in rows:
        vector = struct.unpack("<4f", embedding)
        raw = hashlib.sha256(f"{goal}\n{summary}".encode()).digest()[:4]
        length = sum(number**2 for number in raw) ** 0.5
        assert vector == pytest.approx([number / length for number in raw], abs=1e-6)
    assert database.read(str(tmp_path / "out.sqlite")).memories[0]["id"] == DOCUMENT["memories"][0]["id"]
