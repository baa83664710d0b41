"""Other processes that each take a share of long work, so that it uses every core."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import MappingProxyType

from mdmem.values import Any

AT_LEAST = 2_000  # items: for fewer, starting other processes takes longer than they save


def shared_out(task: str, settings: Sequence[str], items: Sequence[Any]) -> AbstractContextManager[Iterator[Any]]:
    """What `MODULE:FUNCTION` gives for the settings and each item, in order; all of it must be picklable.

    The workers end with the block, however it ends. For few items, on one core, and where a worker dies, this
    process does the work.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if cores == 1 or len(items) < AT_LEAST:
        return nullcontext(made_here(task, settings, items))
    from mdmem.local.workers.crew import working

    return working(cores, task, settings, items)


def made_here(task: str, settings: Sequence[str], items: Sequence[Any]) -> Iterator[Any]:
    """What `shared_out` gives, made by this process."""
    function = task_named(task)
    return (function(settings, item) for item in items)


def task_named(name: str) -> Callable[..., Any]:
    """The function that `MODULE:FUNCTION` names."""
    from importlib import import_module

    module, _, function = name.partition(":")
    task: Callable[..., Any] = getattr(import_module(module), function)
    return task


def read_only(mapping: dict[Any, Any]) -> Mapping[Any, Any]:
    """A view of a mapping; `pickle` does not know how to make one."""
    return MappingProxyType(mapping)
