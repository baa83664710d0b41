"""Twice the text takes at most about twice the work, whatever the text: no reader compares all parts with all."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import pytest

from tests.hostile import TEXTS
from tests.readers import READERS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

SMALL, TIMES = 2_000, 4  # characters, and how many times as many the large text has
MOST = 7.0  # times the work for four times the text: 2.5 times a doubling, and what a loaded machine adds
NEGLIGIBLE = 0.08  # s of processor time, below which a ratio says little: 16 times that would be a second or so
TRIES = 4

BOUNDED = {"comparison", "garden"}  # what is read of two texts is bounded, and all of it compared: no ratio


def _work(read: Callable[[], object]) -> float:
    """Processor time of this process, s; what other processes do hardly counts."""
    start = time.process_time()
    read()
    return time.process_time() - start


def _growth(reader: Callable[[str], object], make: Callable[[int], str]) -> float:
    """How many times the work a text takes that is TIMES as long; the least of some tries, 0 if negligible."""
    small, large = make(SMALL), make(TIMES * SMALL)
    least_large = _work(partial(reader, large))
    least_small = least_large
    for _ in range(TRIES):
        if least_large < NEGLIGIBLE:
            return 0.0
        least_small = min(least_small, _work(partial(reader, small)))
        if least_large <= MOST * least_small:
            break
        least_large = min(least_large, _work(partial(reader, large)))
    return least_large / least_small


@pytest.mark.parametrize("name", sorted(READERS.keys() - BOUNDED))
def test_the_work_of_a_reader_grows_with_the_text(name: str) -> None:
    """A reader that looks at each part again for each other part takes 16 times the work for 4 times the text."""
    READERS[name]("The boat is red.\n")  # compiles patterns and loads modules
    grown = {text: growth for text, make in TEXTS.items() if (growth := _growth(READERS[name], make)) > MOST}
    assert not grown, f"{name}: times the work for {TIMES} times the text: {grown}"


@pytest.mark.parametrize("name", sorted(BOUNDED))
@pytest.mark.parametrize("text", ["many bullets", "many sentences", "table rows", "commands", "one word"])
def test_what_is_compared_of_two_long_texts_is_bounded(name: str, text: str) -> None:
    """Beyond the part that is compared, more text is hardly more work."""
    READERS[name]("The boat is red.\n")
    small, large = TEXTS[text](60_000), TEXTS[text](240_000)
    tries = [(_work(partial(READERS[name], large)), _work(partial(READERS[name], small))) for _ in range(2)]
    most, least = min(large for large, _ in tries), min(small for _, small in tries)
    assert most <= 2.5 * MOST / 2 * max(least, NEGLIGIBLE), f"{least:.2f} s, then {most:.2f} s"
