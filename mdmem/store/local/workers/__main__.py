"""A worker process: it reads items and writes the results of a function for them.

    python -P -m mdmem.store.local.workers MODULE:FUNCTION

It reads pairs of settings and items from its standard input, pickled, and answers each with the list of the
results of `FUNCTION(settings, item)`. It ends when its input does, so it never outlives its parent.
"""

from __future__ import annotations

import copyreg
import gc
import pickle
import sys
from collections.abc import Callable
from types import MappingProxyType
from typing import IO, Any

from mdmem.store.local.workers import read_only, task_named


def send(pipe: IO[bytes], what: object) -> None:
    """Write a value for `pickle.load` at the other end."""
    pipe.write(pickle.dumps(what, pickle.HIGHEST_PROTOCOL))
    pipe.flush()


def main() -> None:
    """Answer until the input ends, or nobody reads the answers any more."""
    gc.set_threshold(50_000)  # results are short-lived
    copyreg.pickle(MappingProxyType, _of_mapping)
    task = task_named(sys.argv[1])
    try:
        while True:
            settings, items = pickle.load(sys.stdin.buffer)  # noqa: S301 - from the process that started this one
            send(sys.stdout.buffer, [task(settings, item) for item in items])
    except (EOFError, BrokenPipeError):
        return


def _of_mapping(view: MappingProxyType[Any, Any]) -> tuple[Callable[..., Any], tuple[dict[Any, Any]]]:
    """How `pickle` can build a read-only mapping again."""
    return read_only, (dict(view),)


if __name__ == "__main__":
    main()
