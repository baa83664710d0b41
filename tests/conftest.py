"""Real git, real SQLite, real files, in a home of their own: nothing of the developer's machine gets in."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from mdmem.__main__ import main
from mdmem.store.identity import AGENTS
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.write import remember as intake

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
PERSON = ("Ada Lovelace", "ada@example.org")

OF_AGENTS = {"AI_AGENT"} | {mark.partition("=")[0] for agent in AGENTS for mark in (*agent.marks, agent.session)}

# There are as many tests at once as the machine has room for: none of them counts on all cores for itself.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A command that a test starts takes twice as long where Python may not keep what it compiled.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

settings.register_profile(
    "default", deadline=None, derandomize=True, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("long", deadline=None, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def git_settings(home: Path) -> dict[str, str]:
    """The environment in which git knows who writes, and reads no settings but those in this folder."""
    (home / "gitconfig").write_text(
        f"[user]\n\tname = {PERSON[0]}\n\temail = {PERSON[1]}\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n"
    )
    return {"HOME": str(home), "GIT_CONFIG_GLOBAL": str(home / "gitconfig"), "GIT_CONFIG_SYSTEM": os.devnull}


def is_of_the_developer(variable: str) -> bool:
    """An environment variable that must not reach a test."""
    return variable.startswith(("GIT_", "MDMEM_")) or variable in OF_AGENTS


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays to the end: Python looks for garbage neither meanwhile nor in it later.

    That is a third of collecting, which each process of pytest-xdist does.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that share something costly come first: pytest-xdist gives the first tests to one process together."""
    groups = {item: _group_of(item) for item in items}
    items.sort(key=lambda item: (not groups[item], groups[item]))


def _group_of(item: pytest.Item) -> str:
    """What a test shares with others, by its mark `xdist_group`; empty for most."""
    mark = item.get_closest_marker("xdist_group")
    return mark.args[0] if mark else ""


@pytest.fixture(autouse=True)
def hermetic(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No GIT_*, MDMEM_*, git settings or agent of the developer; a known identity; the clock pinned."""
    home = tmp_path_factory.mktemp("home")
    for key in filter(is_of_the_developer, list(os.environ)):
        monkeypatch.delenv(key)
    for key, value in git_settings(home).items():
        monkeypatch.setenv(key, value)
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path_factory.getbasetemp().parent))
    monkeypatch.setenv("MDMEM_NOW", "2026-03-01T12:00:00Z")
    monkeypatch.setenv("MDMEM_MODEL", "off")  # see `any_model`
    monkeypatch.chdir(home)  # the repository around the current folder is the project of what is written


@pytest.fixture
def any_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentence models are used as the settings say, or if they are installed."""
    monkeypatch.delenv("MDMEM_MODEL")


@pytest.fixture(scope="session")
def empty_vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty vault in a repository of its own, with one commit, to copy."""
    home = tmp_path_factory.mktemp("template")
    folder = home / "vault"
    (folder / "allmemories").mkdir(parents=True)
    (folder / "mdmem.toml").write_text('id = "test"\n')
    clean = {key: value for key, value in os.environ.items() if not is_of_the_developer(key)}
    for args in (["init", "--quiet"], ["add", "mdmem.toml"], ["commit", "--quiet", "-m", "a vault"]):
        subprocess.run(["git", *args], cwd=folder, check=True, env={**clean, **git_settings(home)})
    for sample in (folder / ".git/hooks").iterdir():
        sample.unlink()
    return folder


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


# What the fixtures below give, of their names.
Git = Callable[..., str]
Commit = Callable[..., str]
Run = Callable[..., Ran]
Remember = Callable[..., str]
Write = Callable[[str, str | bytes], Path]
Editor = Callable[[str], None]
Stdin = Callable[[Any], None]


@pytest.fixture
def git() -> Git:
    """Run git in a folder as a person would; its output. Hooks fire, failures raise."""

    def run(cwd: Path | str, *args: str, code: int = 0, **env: str) -> str:
        done = subprocess.run(["git", *args], cwd=cwd, capture_output=True, env={**os.environ, **env})
        assert done.returncode == code, done.stderr.decode()
        return (done.stdout + (done.stderr if code else b"")).decode("utf-8", "surrogateescape").rstrip("\n")

    return run


@pytest.fixture
def commit(git: Git, request: pytest.FixtureRequest) -> Commit:
    """Commit all that was saved in the vault, or in another folder, as a person would; the id of the commit."""

    def run(message: str = "by hand", folder: Path | str = "", **env: str) -> str:
        folder = folder or request.getfixturevalue("root")
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", message, **env)
        return git(folder, "rev-parse", "HEAD")

    return run


@pytest.fixture
def mdmem(capfd: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process. The exit code must be `code`."""

    def run(*args: object, code: int = 0) -> Ran:
        capfd.readouterr()
        found = main([str(arg) for arg in args])
        out, err = capfd.readouterr()
        assert found == code, f"exit code {found}, not {code}: {out}{err}"
        return Ran(found, out, err)

    return run


@pytest.fixture
def command() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the command line in a process of its own."""

    def run(*args: object, cwd: Path | str | None = None, **options: object) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-m", "mdmem", *(str(arg) for arg in args)]
        return subprocess.run(line, cwd=cwd, capture_output=True, text=True, **options)  # type: ignore[call-overload]

    return run


@pytest.fixture
def root(tmp_path: Path, empty_vault: Path) -> Path:
    """The folder of an empty vault in a repository of its own, with one commit."""
    return Path(shutil.copytree(empty_vault, tmp_path / "vault"))


@pytest.fixture
def without_rights(root: Path) -> Callable[[Callable[[], str]], str]:
    """Call something as a user whom permissions bind, and who owns the vault; its result.

    As root that is a forked child that becomes another user: root may read everything.
    """
    if os.geteuid() != 0:
        return lambda function: function()

    def run(function: Callable[[], str]) -> str:
        from mdmem.note import blocks, titles, yaml12  # loaded before the rights to load it are gone

        assert all((blocks, titles, yaml12))
        for folder, _, names in os.walk(root):
            for name in [".", *names]:
                os.chown(os.path.join(folder, name), 65534, 65534)
        for parent in root.parents:
            if parent.name.startswith(("pytest", "popen", "test")):
                parent.chmod(0o755)
        (Path(os.environ["HOME"]) / "gitconfig").chmod(0o644)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:  # whatever happens, the child must not go on as a second test run
                os.setgid(65534)
                os.setuid(65534)
                os.write(writer, function().encode())
                status = 0
            finally:
                os._exit(status)
        os.close(writer)
        _, status = os.waitpid(child, 0)
        with os.fdopen(reader) as file:
            said = file.read()
        assert status == 0, f"the child that is bound by permissions failed; it said {said!r}"
        return said

    return run


@pytest.fixture
def said() -> list[str]:
    """What the vault of `vault` told the person."""
    return []


@pytest.fixture
def vault(root: Path, said: list[str]) -> Iterator[Vault]:
    """An empty vault, open."""
    with Vault.open(str(root), said.append) as found:
        yield found


@pytest.fixture
def caller() -> Caller:
    """An agent in a session."""
    return Caller(NOW, "claude-code", "conv-1")


@pytest.fixture
def remember(vault: Vault) -> Remember:
    """Write a memory through the vault; its path. Keywords are properties, and `actor` and `session`."""

    def write(text: str, name: str = "", actor: str = "", session: str = "", **properties: object) -> str:
        draft = intake.Draft(text, properties, name)  # type: ignore[arg-type]
        return intake.remember(vault, draft, Caller(NOW, actor, session)).path

    return write


@pytest.fixture
def write(root: Path) -> Write:
    """Write a file into the vault by hand, as an editor does."""

    def save(path: str, data: str | bytes) -> Path:
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data.encode() if isinstance(data, str) else data)
        return place

    return save
