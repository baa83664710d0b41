"""Sharing out work to other processes: the results of a function for many items, in their order; or left alone."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from queue import SimpleQueue
from typing import Any, NamedTuple

from mdmem.store.local.workers import made_here
from mdmem.store.local.workers.__main__ import send

_BATCH = 100  # items per request to a worker
_WAITING = 3  # requests per worker whose answers have not been consumed yet
_MOST = 4  # workers; more would wait for the process that consumes their answers


@contextmanager
def working(cores: int, task: str, settings: Any, items: Iterator[Any]) -> Iterator[Iterator[Any]]:
    """See `mdmem.store.local.workers.shared_out`."""
    crew = _Crew(task, settings, min(cores, _MOST))
    try:
        yield crew.answers(items)
    finally:
        crew.end()


_left: list[subprocess.Popen[bytes]] = []  # so that each is waited for, once it has ended


def leave(arguments: Sequence[str]) -> None:
    """Start a command of mdmem that goes on by itself, whatever becomes of this process. Raises OSError."""
    _left[:] = [process for process in _left if process.poll() is None]
    politely = ["nice"] if os.name == "posix" else []
    nothing = subprocess.DEVNULL
    _left.append(
        subprocess.Popen(
            [*politely, sys.executable, "-P", "-m", "mdmem", *arguments],
            stdin=nothing,
            stdout=nothing,
            stderr=nothing,
            start_new_session=True,
        )
    )


class _Worker:
    """A process that answers one request at a time."""

    def __init__(self, command: list[str], settings: Any) -> None:
        self._settings = settings
        self._has_settings = False  # they are sent before the first request
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the parent
        )

    def answer(self, items: Sequence[Any]) -> list[Any]:
        """The results for the items. Raises EOFError, OSError or pickle.UnpicklingError if the process died."""
        assert self.process.stdin
        assert self.process.stdout
        if not self._has_settings:
            send(self.process.stdin, self._settings)
            self._has_settings = True
        send(self.process.stdin, items)
        made: list[Any] = pickle.load(self.process.stdout)  # noqa: S301 - from our own process
        return made


class _Question(NamedTuple):
    """A request to a worker: its items, and their future results."""

    items: Sequence[Any]
    answer: Future[list[Any]]


class _Crew:
    """Some workers, with as many threads that wait for them: a request waits until one of them is idle."""

    def __init__(self, task: str, settings: Any, size: int) -> None:
        self._task, self._settings = task, settings
        command = [sys.executable, "-P", "-m", "mdmem.store.local.workers", task]
        self._workers = [_Worker(command, settings) for _ in range(size)]
        self._threads = ThreadPoolExecutor(size)
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        for worker in self._workers:
            self._idle.put(worker)

    def answers(self, items: Iterator[Any]) -> Iterator[Any]:
        """The results for the items, in order; the first requests are sent at once."""
        batches = iter(lambda: list(islice(items, _BATCH)), [])
        asked = deque(map(self._ask, islice(batches, _WAITING * len(self._workers))))
        return self._in_order(asked, batches)

    def _in_order(self, asked: deque[_Question], batches: Iterator[Sequence[Any]]) -> Iterator[Any]:
        """The answers to the requests so far; for each one consumed, a further batch is requested."""
        while asked:
            question = asked.popleft()
            try:
                yield from question.answer.result()
            except (EOFError, OSError, pickle.UnpicklingError):  # a worker has died
                yield from made_here(self._task, self._settings, question.items)
            if batch := next(batches, None):
                asked.append(self._ask(batch))

    def _ask(self, batch: Sequence[Any]) -> _Question:
        return _Question(batch, self._threads.submit(self._answer, batch))

    def _answer(self, batch: Sequence[Any]) -> list[Any]:
        worker = self._idle.get()
        try:
            return worker.answer(batch)
        finally:
            self._idle.put(worker)

    def end(self) -> None:
        for worker in self._workers:
            worker.process.kill()
        self._threads.shutdown(cancel_futures=True)  # each is waiting for an answer that will not come
        for worker in self._workers:
            worker.process.communicate()
