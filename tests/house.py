"""The house of mdmem, measured: its modules and rooms, what imports what, and how large everything is.

    python -m tests.house

prints the rooms from the ground up, each with the rooms it imports, and the table of sizes. The laws that hold are
in test_layers.py (rooms, doors) and test_house.py (sizes, names).
"""

from __future__ import annotations

import ast
import graphlib
import statistics
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import click

from mdmem.cli.group import cli

ROOT = Path(__file__).parent.parent / "mdmem"
BRANCHES = (
    *(ast.If, ast.For, ast.While, ast.IfExp, ast.ExceptHandler, ast.comprehension, ast.Assert, ast.match_case),
)
UNCOUNTED = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENDMARKER, tokenize.ENCODING),
}
# The rooms that people and programs meet, and what they may import of the rest.
FACES = ("cli", "mcp", "page", "hooks")
BELOW_FACES = {"acts", "note", "errors"}


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


def tokens(path: Path) -> int:
    """What Python reads of a file: comments, blank lines and docstrings left out, an f-string counted as one."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        (node.body[0].lineno, node.body[0].col_offset)
        for node in nodes_of(path)
        if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None
    }
    count = nested = 0
    with open(path, "rb") as file:
        for token in tokenize.tokenize(file.readline):
            kind = tokenize.tok_name[token.type]
            nested += kind.endswith("STRING_START") - kind.endswith("STRING_END")
            count += not nested and token.type not in UNCOUNTED and token.start not in docstrings
    return count


def longest_way_down(graph: Mapping[str, set[str]]) -> int:
    """How many rooms stand on the longest way along arrows. Raises graphlib.CycleError for a circle."""
    floors: dict[str, int] = {}
    for name in graphlib.TopologicalSorter(graph).static_order():
        floors[name] = 1 + max((floors[below] for below in graph.get(name, ())), default=0)
    return max(floors.values())


def commands() -> Iterator[click.Command]:
    """Every command that does something, but for hidden ones."""
    waiting: list[tuple[click.Command, click.Context]] = [(cli, click.Context(cli))]
    while waiting:
        command, context = waiting.pop()
        if not isinstance(command, click.Group):
            yield command
            continue
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None and not inner.hidden:
                waiting.append((inner, click.Context(inner, parent=context)))


@cache
def figures() -> dict[str, int]:
    """The house in figures, by name. A room is an entry of mdmem/; arrows count as `imports` does."""
    graph: dict[str, set[str]] = {name.split(".")[0]: set() for name in MODULES if name != "__main__"}
    private = 0
    for name in MODULES:
        head = name.split(".")[0]
        targets = {_own_module(target).split(".")[0] for target in imports(name)} - {"", head, "__main__"}
        graph.get(head, set()).update(targets)
        private += sum(target.startswith("_") and not target.startswith("__") for target in imports(name))
        private += sum(target.startswith("collections._") for target in imports(name))
    every_command = list(commands())
    parameters = [parameter for command in every_command for parameter in command.params]
    paths = sorted(ROOT.rglob("*.py"))
    return {
        "tokens": sum(map(tokens, paths)),
        "modules": len(paths),
        "rooms": len(graph),
        "arrows": sum(map(len, graph.values())),
        "floors": longest_way_down(graph),
        "faces": sum(len(graph.get(face, set()) - BELOW_FACES) for face in FACES),
        "private": private,
        "functions": len(every_function()),
        "classes": sum(isinstance(node, ast.ClassDef) for path in paths for node in nodes_of(path)),
        "commands": len(every_command),
        "options": sum(isinstance(parameter, click.Option) for parameter in parameters),
    }


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
    """The figures of the house, and how long and how branched its functions are."""
    for name, figure in figures().items():
        yield f"{name:13} {figure:7}"
    yield f"lines         {sum(map(line_count, MODULES)):7}"
    yield f"of a function {_spread([function.lines for function in every_function()])} lines"
    yield f"complexity    {_spread([function.complexity for function in every_function()])}"


def _spread(values: Sequence[int]) -> str:
    return f"median {statistics.median(values):.0f}, p90 {percentile(values, 0.9)}, max {max(values)}"


def main() -> None:
    from tests.test_layers import ROOMS

    print(*rooms_table(ROOMS), "", *sizes_table(), sep="\n")


if __name__ == "__main__":
    main()
