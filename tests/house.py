"""The house of mdmem, measured: its modules and rooms, what imports what, and how large everything is.

    python -m tests.house

prints the rooms from the ground up, each with the rooms it imports, and the table of sizes. The laws that hold are
in test_layers.py (rooms, doors) and test_house.py (sizes, names).
"""

from __future__ import annotations

import ast
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent / "mdmem"
BRANCHES = (
    *(ast.If, ast.For, ast.While, ast.IfExp, ast.ExceptHandler, ast.comprehension, ast.Assert, ast.match_case),
)


class Function(NamedTuple):
    """A function of the package, nested ones included. `name` is `module.function`."""

    name: str
    lines: int
    complexity: int


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(ROOT.rglob("*.py")) if module_name(path)}


def room(name: str) -> str:
    """The room of a module; each system is a room of its own within `systems`."""
    parts = name.split(".")
    return ".".join(parts[:2]) if parts[0] == "systems" else parts[0]


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file. Parsing and walking is what takes the time here: it is done once."""
    return tuple(ast.walk(ast.parse(path.read_text("utf-8"))))


def nodes(name: str) -> tuple[ast.AST, ...]:
    return nodes_of(MODULES[name])


@cache
def imports(name: str) -> tuple[str, ...]:
    """Every import of a module, late ones included; those only for type checking are left out."""
    typing_only = {
        inner
        for node in nodes(name)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    targets: list[str] = []
    for node in nodes(name):
        if node in typing_only:
            continue
        if isinstance(node, ast.Import):
            targets += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            targets += [f"{node.module}.{alias.name}" for alias in node.names]
    return tuple(targets)


def _named(name: str) -> Iterator[str]:
    if not any(target.startswith("importlib") for target in imports(name)):
        return  # its strings are not imports
    for node in nodes(name):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            package, _, rest = node.value.partition(".")
            if package == "mdmem" and rest in MODULES:
                yield node.value


@cache
def own_imports(name: str) -> tuple[str, ...]:
    """The modules of mdmem that a module imports, those it loads by their name in a string included."""
    return tuple(filter(None, map(_own_module, (*imports(name), *_named(name)))))


def _own_module(target: str) -> str:
    """The module of mdmem that holds an imported name; empty for one of another package."""
    package, _, rest = target.partition(".")
    while package == "mdmem" and rest and rest not in MODULES:
        rest = rest.rpartition(".")[0]
    return rest if package == "mdmem" else ""


def arrows() -> dict[str, set[str]]:
    """room -> the rooms it imports."""
    graph: dict[str, set[str]] = {room(name): set() for name in MODULES}
    for name in MODULES:
        graph[room(name)] |= {room(target) for target in own_imports(name)} - {room(name)}
    return graph


def complexity(function: ast.AST) -> int:
    """Cyclomatic complexity (McCabe, 1976): 1 + every branch; `a and b and c` is two branches."""
    inner = list(ast.walk(function))
    branches = sum(isinstance(node, BRANCHES) for node in inner)
    return 1 + branches + sum(len(node.values) - 1 for node in inner if isinstance(node, ast.BoolOp))


@cache
def functions(name: str) -> tuple[Function, ...]:
    """The functions of a module, from the `def` to the last line."""
    return tuple(
        Function(f"{name}.{node.name}", (node.end_lineno or node.lineno) - node.lineno + 1, complexity(node))
        for node in nodes(name)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def every_function() -> list[Function]:
    return [function for name in MODULES for function in functions(name)]


def line_count(name: str) -> int:
    return len(MODULES[name].read_text("utf-8").splitlines())


def is_data(name: str) -> bool:
    """A table: up to four functions that look things up in it."""
    return len(functions(name)) <= 4


def classes() -> dict[str, list[str]]:
    """class name -> the modules that define it."""
    homes = defaultdict(list)
    for name in MODULES:
        for node in nodes(name):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(name)
    return homes


def folder_sizes() -> Counter[str]:
    """folder -> how many modules it holds."""
    modules = [path for path in ROOT.rglob("*.py") if path.stem != "__init__"]
    return Counter(str(path.parent.relative_to(ROOT.parent)) for path in modules)


def percentile(values: Sequence[int], share: float) -> int:
    """The smallest value that at least `share` (0-1) of all values do not exceed."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


def rooms_table(order: Sequence[str]) -> Iterator[str]:
    """The rooms in this order, each with the rooms it imports."""
    floors = {name: floor for floor, name in enumerate(order)}
    graph = arrows()
    by_floor = sorted(graph, key=lambda name: (floors[name.split(".")[0]], name))
    for name in by_floor:
        imported = [other for other in by_floor if other in graph[name]]
        yield f"{name:14} -> {', '.join(imported)}" if imported else name


def sizes_table() -> Iterator[str]:
    """How many, and how large: modules, rooms, functions, classes, folders."""
    lines = [line_count(name) for name in MODULES]
    graph = arrows()
    lengths = [function.lines for function in every_function()]
    branching = [function.complexity for function in every_function()]
    repeated = [name for name, homes in classes().items() if len(homes) > 1]
    fullest, most = folder_sizes().most_common(1)[0]
    yield f"modules       {len(lines)}; median {statistics.median(lines):.0f} lines, max {max(lines)}"
    yield f"              over 400 lines: {sum(size > 400 for size in lines)}; all lines: {sum(lines)}"
    yield f"rooms         {len(graph)}; arrows between them: {sum(map(len, graph.values()))}"
    yield f"folders       {len(folder_sizes())}; most modules in one: {most} ({fullest})"
    yield f"functions     {len(lengths)}; {_spread(lengths)} lines"
    yield f"complexity    {_spread(branching)}"
    yield f"              over 10: {sum(value > 10 for value in branching)}"
    yield f"              over 15: {sum(value > 15 for value in branching)}"
    yield f"class names   {len(classes())}; used more than once: {len(repeated)}"


def _spread(values: Sequence[int]) -> str:
    return f"median {statistics.median(values):.0f}, p90 {percentile(values, 0.9)}, max {max(values)}"


def main() -> None:
    from tests.test_layers import ROOMS

    print(*rooms_table(ROOMS), "", *sizes_table(), sep="\n")


if __name__ == "__main__":
    main()
