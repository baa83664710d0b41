"""Tables of words and patterns: tab-separated files in the `data` folder of the package that reads them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mdmem.errors import MdmemError


def rows(module: str, name: str, columns: int) -> Iterator[list[str]]:
    """The rows of `data/NAME` beside a module, which gives its `__file__`; not blank lines and comments (#).

    Raises MdmemError for a row with another number of columns.
    """
    path = Path(module).with_name("data") / name
    for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
        row = line.split("\t")
        if line.startswith("#") or not line:
            continue
        if len(row) != columns:
            message = f"{path}:{number}: {len(row)} columns instead of {columns}"
            raise MdmemError(message, "separate them by tabs, or install mdmem again")
        yield row
