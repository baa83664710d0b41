"""Notes read ahead: workers are asked for the rows of some notes while those of others go into the index."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from mdmem.index.rows import NoteRows
from mdmem.index.workers.__main__ import send

_BATCH = 50  # notes of one question to a worker
_WAITING = 2  # questions that a worker has at a time
_LONGEST = 1_000  # bytes of a path, so that a question always fits into the pipe (64 kB): else both sides may wait
_MOST = 4  # workers; more would wait for the process that fills the index


@contextmanager
def reading_ahead(root: str, vault_id: str, paths: Sequence[str]) -> Iterator[Callable[[str], NoteRows | None]]:
    """What gives the rows of notes, asked for in the order of `paths`; None for a note that is to be read here.

    The workers end with the block, however it ends. On one core there are none, nor for paths of extreme length.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    command = [sys.executable, "-P", "-m", "mdmem.index.workers", root, vault_id]
    is_worth_it = cores > 1 and all(len(os.fsencode(path)) <= _LONGEST for path in paths)
    with ExitStack() as started:
        workers = [_Worker(command) for _ in range(min(cores, _MOST) if is_worth_it else 0)]
        for worker in workers:
            started.callback(worker.end)
        yield _Answers(workers, paths).rows


class _Worker:
    """A process that makes rows."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the one that asks
        )

    def ask(self, paths: Sequence[str]) -> None:
        assert self._process.stdin
        send(self._process.stdin, paths)

    def answer(self) -> list[NoteRows | None]:
        assert self._process.stdout
        made: list[NoteRows | None] = pickle.load(self._process.stdout)  # noqa: S301 - of our own process
        return made

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


class _Answers:
    """Asks workers in turn, and takes their answers in the same order."""

    def __init__(self, workers: Sequence[_Worker], paths: Sequence[str]) -> None:
        self._batches = [paths[at : at + _BATCH] for at in range(0, len(paths), _BATCH)]
        self._workers = workers
        self._asked = self._answered = 0
        self._ready: dict[str, NoteRows | None] = {}

    def rows(self, path: str) -> NoteRows | None:
        """Those of a note; None if it is to be read here."""
        if self._workers and path not in self._ready:
            try:
                self._receive()
            except (EOFError, OSError, pickle.UnpicklingError):  # a worker has died
                self._workers = ()
        return self._ready.pop(path, None)

    def _receive(self) -> None:
        while self._asked < min(self._answered + _WAITING * len(self._workers), len(self._batches)):
            self._workers[self._asked % len(self._workers)].ask(self._batches[self._asked])
            self._asked += 1
        made = self._workers[self._answered % len(self._workers)].answer()
        self._ready = dict(zip(self._batches[self._answered], made, strict=True))
        self._answered += 1
