"""Tables of words and patterns: tab-separated files in the `data` folder of the package that reads them."""

from collections.abc import Iterator

from mdmem.errors import MdmemError


def rows(module: str, name: str, columns: int) -> Iterator[list[str]]:
    """The rows of `data/NAME` beside a module, which gives its `__file__`; not blank lines and comments (`# `).

    Raises MdmemError for a row with another number of columns.
    """
    path = module.removesuffix(module.replace("\\", "/").rpartition("/")[2]) + f"data/{name}"
    with open(path, encoding="utf-8") as table:
        for number, line in enumerate(table, 1):
            if line.startswith("# ") or line.isspace():
                continue
            row = line.rstrip("\n").split("\t")
            if len(row) != columns:
                raise MdmemError(f"{path}:{number}: needs {columns} cells", "separate them by tabs")
            yield row
