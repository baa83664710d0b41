"""A chunk store over a vault of its own, with a clock that moves on by a second at each look."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from mdmem.systems.compat.chunks import Chunk, ChunkStore
from tests.conftest import NOW


@pytest.fixture
def clock() -> Callable[[], datetime]:
    ticks = count()
    return lambda: NOW + timedelta(seconds=next(ticks))


@pytest.fixture
def store(root: Path, clock: Callable[[], datetime]) -> Iterator[ChunkStore]:
    with ChunkStore(root, "claude-code", clock) as found:
        yield found


@pytest.fixture
def create(store: ChunkStore) -> Callable[..., Chunk]:
    """Write a chunk of which only what matters is said."""

    def write(content: str = "Tables, please.", conversation: str = "conv-1", **more: object) -> Chunk:
        given = {"chunk_type": "preference", "tokens": 4, **more}
        return store.create_chunk(content=content, conversation_id=conversation, **given)  # type: ignore[arg-type]

    return write
