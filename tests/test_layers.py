"""The layer law (DESIGN section 6): imports point down, core is pure, each outside library has one door."""

from __future__ import annotations

import ast
import graphlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mdmem.store.vault import Vault

ROOT = Path(__file__).parent.parent / "mdmem"
ORDER = ("errors", "core", "store", "services")  # any other head is a surface
IMPURE = {"os", "sys", "shutil", "subprocess", "tempfile", "socket", "time", "git", "sqlite3", "click"}


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in ROOT.rglob("*.py") if module_name(path)}


ONLY_IN = {
    "git": {"store.repo"},
    "sqlite3": {
        f"store.{name}" for name in ("database", "index", "catalogue", "snapshot", "usage", "vectors", "mirrored")
    },
    "subprocess": {"store.command", "store.repo"},
    "detect_secrets": {"services.secrets"},
    "llm": {"store.model"},
    "click": {name for name in MODULES if name.split(".")[0] in ("cli", "render")},
}


def imports(path: Path) -> Iterator[str]:
    """Every import of a module; those only for type checking are left out."""
    tree = ast.parse(path.read_text("utf-8"))
    typing_only = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if node in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def layer(name: str) -> int:
    head = name.split(".", maxsplit=1)[0]
    return ORDER.index(head) if head in ORDER else len(ORDER)


@pytest.mark.parametrize("name", MODULES)
def test_imports_point_down_and_doors_are_single(name: str) -> None:
    for target in imports(MODULES[name]):
        package, _, rest = target.partition(".")
        if package == "mdmem" and rest and rest not in ("__version__",):
            assert layer(rest) <= layer(name), f"{name} imports {target}, which lies above it"
        assert name in ONLY_IN.get(package, {name}), f"{package} has one door, and it is not {name}"
        assert not (name.startswith("core.") and package in IMPURE), (
            f"{name} is pure and must not import {package}"
        )
        assert not (name.startswith("core.") and "environ" in target), f"{name} reads the environment"


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith("core.")])
def test_core_reads_no_clock(name: str) -> None:
    calls = [
        node for node in ast.walk(ast.parse(MODULES[name].read_text("utf-8"))) if isinstance(node, ast.Attribute)
    ]
    clocks = [node for node in calls if getattr(node.value, "id", "") in ("datetime", "date", "time")]
    assert not [node.attr for node in clocks if node.attr in ("now", "utcnow", "today", "time")]


def test_no_import_cycles() -> None:
    graph = {
        name: {
            module
            for target in imports(path)
            for module in MODULES
            if module != name and (target == f"mdmem.{module}" or target.startswith(f"mdmem.{module}."))
        }
        for name, path in MODULES.items()
    }
    # a package's own __init__ is loaded with each of its modules; that is no cycle
    outward = {name: {to for to in targets if not to.startswith(f"{name}.")} for name, targets in graph.items()}
    graphlib.TopologicalSorter(outward).prepare()


def test_broad_handlers_stay_at_the_edge() -> None:
    broad = [
        f"{name}:{node.lineno}"
        for name, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or getattr(node.type, "id", "") in ("Exception", "BaseException"))
    ]
    assert [where.split(":")[0] for where in broad] == ["__main__"]


def test_no_module_over_500_lines() -> None:
    sizes = {name: len(path.read_text("utf-8").splitlines()) for name, path in MODULES.items()}
    assert {name: size for name, size in sizes.items() if size > 500} == {}


# What must not be loaded just to do that: each costs 2 ms or more, most of them 10.
HEAVY = {
    "shutil",
    "hashlib",
    "urllib",
    "numpy",
    "tokenizers",
    "detect_secrets",
    "requests",
    "llm",
    "git",
    "frontmatter",
    "yaml",
    "markdown_it",
    "rapidfuzz",
    "platformdirs",
    "tempfile",
    "uuid",
    "dataclasses",
}


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (["--help"], {"uuid", "dataclasses", "shutil"}),
        (["hook-impl", "pre-commit"], set()),
        (["hook-impl", "post-commit"], set()),
        (["recall", "word"], {"uuid", "dataclasses"}),
    ],
    ids=["help", "pre-commit", "post-commit", "recall"],
)
def test_start_up_loads_little(
    arguments: list[str], allowed: set[str], root: Path, git: Callable[..., str]
) -> None:
    """In a vault that asked for hooks, with an index that has to catch up with a commit of other files."""
    git(root, "config", "mdmem.vault", ".")
    with Vault(str(root)) as vault:
        assert vault.index.count() == 0
    (root / "main.py").write_text("x")
    git(root, "add", "main.py")
    if arguments[-1] != "pre-commit":
        git(root, "commit", "-qm", "code")
    code = (
        f"import sys; from mdmem.__main__ import main; main({arguments!r}); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stderr.split()}
    assert loaded & HEAVY <= allowed
    assert ("mdmem.store.index" in done.stderr.split()) is (arguments != ["--help"])
