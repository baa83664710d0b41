"""What is known of a derived tree: kept when the disk is full, begun anew when it is damaged."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from mdmem.errors import MdmemError
from mdmem.store.vault.derived import Manifest, reported


def fill(manifest: Manifest) -> None:
    """Have SQLite say from now on that the disk is full."""
    pages = manifest.rows("PRAGMA page_count")[0][0]
    manifest.rows(f"PRAGMA max_page_count={pages}")


def test_a_full_disk_is_said_and_nothing_is_lost(tmp_path: Path) -> None:
    manifest = Manifest(str(tmp_path / "mirror.sqlite"))
    manifest.keep_state({"commit": "one"})
    fill(manifest)
    with pytest.raises(MdmemError, match="disk is full") as stop, reported("mirror.sqlite"):
        manifest.announce(f"chunks/{number}.json" for number in range(5000))
    assert "make room" in stop.value.hint
    assert (manifest.state("commit"), manifest.stamps()) == ("one", {})
    manifest.close()


def test_a_manifest_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    """As on a disk that is full from the start; what is there of it is left alone."""

    class Full(Manifest):
        tables = "PRAGMA max_page_count=1; CREATE TABLE state(key);"

    with pytest.raises(MdmemError, match="disk is full"), reported("mirror.sqlite"):
        Full(str(tmp_path / "mirror.sqlite"))


def test_a_damaged_manifest_is_begun_anew(tmp_path: Path) -> None:
    place = tmp_path / "mirror.sqlite"
    place.write_bytes(b"no database " * 1000)
    manifest = Manifest(str(place))
    assert manifest.stamps() == {}
    manifest.close()
    with sqlite3.connect(place) as db:
        assert db.execute("SELECT count(*) FROM files").fetchone() == (0,)
    db.close()
