"""Vectors are kept by the passage, small, and made anew when the file is of another version."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mdmem.recall.models.vectors import Vectors

np = pytest.importorskip("numpy", reason="vectors are an extra")


@pytest.fixture
def kept(tmp_path: Path) -> Vectors:
    (tmp_path / ".mdmem").mkdir()
    return Vectors(str(tmp_path), "m")


def test_a_byte_a_number_is_enough_for_a_direction(kept: Vectors) -> None:
    rows = np.random.default_rng(1).standard_normal((6, 384)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    kept.add({b"one": rows[:1], b"many": rows[1:]})
    found = kept.load()
    at = found.digests.index(b"many")
    first, end = found.starts[at : at + 2]
    assert end - first == 5
    assert np.allclose(found.cosines(rows[3])[first:end], rows[1:] @ rows[3], atol=0.005)
    assert found.rows.nbytes == 6 * 384


def test_the_vector_of_a_text_points_between_those_of_its_passages(kept: Vectors) -> None:
    kept.add({b"two": np.array([[1, 0], [0, 1]], np.float32)})
    assert np.allclose(kept.of([b"two"]).wholes(), 0.5**0.5, atol=1e-3)
    assert kept.of([b"none"]).wholes().size == 0


def test_a_file_of_another_version_is_emptied(kept: Vectors, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / ".mdmem" / "vectors.sqlite")) as db, db:
        db.execute("CREATE TABLE vectors(model TEXT, digest BLOB, vector BLOB)")
        db.execute("INSERT INTO vectors VALUES('m', x'00', x'00')")
        db.execute("CREATE TABLE words(model TEXT)")
    assert kept.digests() == set()
    kept.add({b"one": np.ones((1, 4), np.float32)})
    assert kept.digests() == {b"one"}
    assert kept.keep_only([]) == 1
    assert kept.is_empty
