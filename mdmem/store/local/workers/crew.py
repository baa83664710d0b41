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
from typing import Any

from mdmem.store.local.workers import made_here
from mdmem.store.local.workers.__main__ import send

_BATCH = 100  # items per request to a worker
_WAITING = 3  # requests per worker whose answers have not been consumed yet
_MOST = 4  # workers; more would wait for the process that consumes their answers


@contextmanager
def working(cores: int, task: str, settings: Any, items: Iterator[Any]) -> Iterator[Iterator[Any]]:
    """See `mdmem.store.local.workers.shared_out`. The first requests are sent at once."""
    workers = [_worker(task) for _ in range(min(cores, _MOST))]
    idle: SimpleQueue[subprocess.Popen[bytes]] = SimpleQueue()
    for worker in workers:
        idle.put(worker)
    threads = ThreadPoolExecutor(len(workers))  # each waits for a worker

    def answered(batch: Sequence[Any]) -> list[Any]:
        worker = idle.get()
        assert worker.stdin
        assert worker.stdout
        try:
            send(worker.stdin, (settings, batch))
            made: list[Any] = pickle.load(worker.stdout)  # noqa: S301 - from our own process
            return made
        finally:
            idle.put(worker)

    batches = iter(lambda: list(islice(items, _BATCH)), [])
    asked: deque[tuple[Sequence[Any], Future[list[Any]]]] = deque()

    def ask(count: int) -> None:
        asked.extend((batch, threads.submit(answered, batch)) for batch in islice(batches, count))

    def in_order() -> Iterator[Any]:
        while asked:
            batch, answer = asked.popleft()
            try:
                yield from answer.result()
            except (EOFError, OSError, pickle.UnpicklingError):  # a worker has died
                yield from made_here(task, settings, batch)
            ask(1)

    try:
        ask(_WAITING * len(workers))
        yield in_order()
    finally:
        for worker in workers:
            worker.kill()
        threads.shutdown(cancel_futures=True)  # each is waiting for an answer that will not come
        for worker in workers:
            worker.communicate()


def _worker(task: str) -> subprocess.Popen[bytes]:
    """A process that answers one request at a time; Ctrl-C is for its parent."""
    command, pipe = [sys.executable, "-P", "-m", "mdmem.store.local.workers", task], subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, start_new_session=True)


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
