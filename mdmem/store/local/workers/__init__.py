"""Worker processes that each take a share of long work, so that it uses every core."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from itertools import chain, islice
from types import MappingProxyType
from typing import Any

AT_LEAST = 2_000  # items: for fewer, starting processes takes longer than they save


def shared_out(task: str, settings: Any, items: Iterable[Any]) -> AbstractContextManager[Iterator[Any]]:
    """The results of `MODULE:FUNCTION` for the settings and each item, in order; everything must be picklable.

    The workers end with the block, however it ends. For fewer items than AT_LEAST, on one core, and where a
    worker dies, this process does the work. Items are consumed as they are needed.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    rest = iter(items)
    first = list(islice(rest, AT_LEAST))
    if cores == 1 or len(first) < AT_LEAST:
        return nullcontext(made_here(task, settings, chain(first, rest)))
    from mdmem.store.local.workers.crew import working

    return working(cores, task, settings, chain(first, rest))


def made_here(task: str, settings: Any, items: Iterable[Any]) -> Iterator[Any]:
    """The results of `shared_out`, computed by this process."""
    function = task_named(task)
    return (function(settings, item) for item in items)


def task_named(name: str) -> Callable[..., Any]:
    """The function that `MODULE:FUNCTION` names."""
    from importlib import import_module

    module, _, function = name.partition(":")
    task: Callable[..., Any] = getattr(import_module(module), function)
    return task


def read_only(mapping: dict[Any, Any]) -> Mapping[Any, Any]:
    """A read-only view of a mapping, as a function that `pickle` can call: it cannot build one itself."""
    return MappingProxyType(mapping)
