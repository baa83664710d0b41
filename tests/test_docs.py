"""What the README, the help texts and the demo say is what happens."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest

from mdmem.cli import COMMANDS, cli
from mdmem.config import CONFIG_SPEC
from mdmem.note.properties import TYPES

PROJECT = Path(__file__).parents[1]
README = (PROJECT / "README.md").read_text()
SHARED = PROJECT.parent / "shared"


class Example(NamedTuple):
    line: str
    expected: str


def examples() -> Iterator[Example]:
    """The commands of the README's console blocks, each with the output shown below it."""
    for block in re.findall(r"```console\n(.*?)```", README, re.S):
        for part in re.split(r"(?m)^\$ ", block)[1:]:
            line, _, output = part.partition("\n")
            yield Example(line, output)


def normal(text: str) -> str:
    """Commit ids differ from run to run; nothing else may."""
    return re.sub(r"\b[0-9a-f]{8}\b", "COMMIT", text).strip()


def test_every_command_of_the_readme_prints_what_it_shows(tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    day = os.environ["MDMEM_NOW"]
    env = {**os.environ, "PATH": path, "GIT_AUTHOR_DATE": day, "GIT_COMMITTER_DATE": day}
    found = list(examples())
    assert len(found) > 20
    shell = subprocess.Popen(
        ["bash"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=env,
    )
    assert shell.stdin
    assert shell.stdout
    for line, expected in found:
        shell.stdin.write(f"{line}\necho END-OF-OUTPUT\n")
        shell.stdin.flush()
        output = "".join(iter(shell.stdout.readline, "END-OF-OUTPUT\n")).replace(f"{tmp_path}/", "")
        pattern = re.escape(normal(expected)).replace(r"\.\.\.", ".*")
        assert re.fullmatch(pattern, normal(output)), f"$ {line}\n{output}"
    shell.communicate()


def test_the_python_example_runs(
    tmp_path: Path, mdmem: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    mdmem("init", tmp_path / "my-vault")
    monkeypatch.chdir(tmp_path)
    code, _ = re.findall(r"```python\n(.*?)```", README, re.S)
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("A memory is one concept in one file\n", "")
    (entry,) = json.loads(mdmem("log", "--session", "conv-14", "--json", "--vault", "my-vault").out)
    assert (entry["actor"], entry["reason"]) == ("my-agent", "A clearer ending.")


def test_the_example_for_chunk_programs_runs(
    tmp_path: Path, mdmem: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    mdmem("init", tmp_path / "my-vault")
    monkeypatch.chdir(tmp_path)
    _, code = re.findall(r"```python\n(.*?)```", README, re.S)
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    said = "User prefers Python over JavaScript True\nWe decided to use uv."
    assert (done.stdout[: len(said)], done.stderr) == (said, "")


def test_the_readme_lists_every_command_with_its_line() -> None:
    listed = dict(re.findall(r"\| `mdmem ([\w-]+)` \| (.*?) \|", README))
    assert listed == {name: line for name, (_, line) in COMMANDS.items()}


def test_the_readme_lists_every_setting_as_the_table_has_it() -> None:
    listed = re.findall(r"\| `([\w.]+)` \| `(.*?)` \| (.*?) \|", README)
    spec = [(item.key, json.dumps(item.default), item.help) for item in CONFIG_SPEC]
    assert listed == spec


def test_the_readme_names_every_type() -> None:
    (types,) = re.findall(r"The type is one of (.*?)\.", README.replace("\n", " "))
    assert tuple(types.split(", ")) == TYPES


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    context = click.Context(cli, info_name="mdmem")
    command = cli.get_command(context, name)
    assert command is not None
    text = command.get_help(click.Context(command, info_name=name, parent=context))
    assert "Example" in text
    assert f"mdmem {name}" in text
    bare = [param.name for param in command.params if isinstance(param, click.Option) and not param.help]
    assert bare == []
    prints_data = name not in ("completion",)
    assert ("--json" in text) is prints_data


def test_help_exit_codes_are_those_of_the_errors() -> None:
    from mdmem import errors

    text = cli.get_help(click.Context(cli, info_name="mdmem"))
    for kind in vars(errors).values():
        if isinstance(kind, type) and issubclass(kind, errors.MdmemError):
            assert f"{kind.exit_code} " in text


@pytest.mark.parametrize("shared", ["", str(SHARED)], ids=["alone", "with a conversation"])
def test_the_demo_runs_and_cleans_up(tmp_path: Path, shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if shared and not SHARED.exists():
        pytest.skip("the evaluation conversations are not beside the project")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.delenv("MDMEM_NOW")
    done = subprocess.run(["sh", PROJECT / "tests/demo.sh", shared], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "took back 3 commits, 3 files changed" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_the_demo_fails_loudly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an undo that does nothing the demo must not end well."""
    fake = tmp_path / "mdmem"
    fake.write_text(f'#!/bin/sh\n[ "$1" = undo ] && exit 0\nexec {sys.executable} -m mdmem "$@"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    done = subprocess.run(["sh", PROJECT / "tests/demo.sh"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0
    assert "the demo failed" in done.stderr


def test_the_project_speaks_of_itself_alone() -> None:
    """No path of one machine, no package registry."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True).stdout.split(
        "\0"
    )
    for name in filter(None, names):
        path = PROJECT / name
        if path.is_file() and not path.is_symlink():
            text = path.read_text(errors="replace")
            for word in ("/" + "home/", "/" + "root/", "/" + "work/", "pypi" + ".org", "pythonhosted" + ".org"):
                assert word not in text, f"{name} holds {word}"


def test_the_top_level_is_closed() -> None:
    names = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True).stdout.split(
        "\0"
    )
    top = {name.split("/")[0] for name in names if name and not name.startswith(".")}
    assert top <= {
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "Makefile",
        "vault",
        "mdmem",
        "hooks",
        "tests",
        "templates",
    }


def test_type_checkers_see_the_public_names() -> None:
    """They do not run `__getattr__`: each name is imported for them, from where it is imported for real."""
    import mdmem

    tree = ast.parse((PROJECT / "mdmem/__init__.py").read_text())
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {
        name.name: node.module for node in block.body if isinstance(node, ast.ImportFrom) for name in node.names
    }
    assert seen == mdmem._PUBLIC
    assert {*seen, "__version__"} == set(mdmem.__all__)
    assert (PROJECT / "mdmem/py.typed").exists()


def test_the_version_has_one_home() -> None:
    import tomllib

    import mdmem

    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    assert project["project"]["dynamic"] == ["version"]
    assert mdmem.__version__ not in (PROJECT / "pyproject.toml").read_text().split("[tool.ruff]")[0]
