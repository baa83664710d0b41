"""What others do while a commit is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from mdmem.store.git import commits


@pytest.fixture
def intrude(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Have something happen once, right before a step of a commit."""
    left: list[Callable[[], object]] = []

    def arrange(step: str, happen: Callable[[], object]) -> None:
        real = getattr(commits, step)
        left.append(happen)

        def stepping(*args: object, **kwargs: object) -> object:
            if left:
                left.pop()()
            return real(*args, **kwargs)

        monkeypatch.setattr(commits, step, stepping)

    yield arrange
    assert not left, "the step was not taken"
