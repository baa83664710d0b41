"""Builds what is published and tries it as a stranger would, without the network: `make release`.

    python -m tests.release [--wheels DIR] [--owner NAME] [--pythons python3.11 python3.12 ...]

sdist and wheel are built twice, and their bytes compared. The wheel is installed with no index, from a folder of
wheels for each Python below DIR (filled first, once), into a new environment; every extra is resolved, and
the first minute of the README is run. In `dist` are then also man pages, the site of the guides and `server.json`.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

from mdmem import __version__
from tests import pages, shipped
from tests.conftest import git_settings, is_of_the_developer

DIST = pages.PROJECT / "dist"
NOT_TRIED = ("browser", "clients", "test", "lint")  # for the tests of mdmem alone, half a gigabyte


def run(line: list[str | Path], **more: str) -> str:
    """What a command prints; it stops all if that fails."""
    done = subprocess.run([str(word) for word in line], capture_output=True, text=True, env={**os.environ, **more})
    if done.returncode:
        sys.exit(f"{shlex.join(map(str, line))}\n{done.stdout}{done.stderr}")
    return done.stdout


def build(folder: Path) -> list[Path]:
    """sdist and wheel, as of the last commit's time."""
    when = run(["git", "-C", pages.PROJECT, "log", "-1", "--format=%ct"]).strip()
    line = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    subprocess.run(
        line, check=True, cwd=pages.PROJECT, env={**os.environ, "SOURCE_DATE_EPOCH": when}, capture_output=True
    )
    return sorted(folder.iterdir())


def require_the_same(scratch: Path) -> list[Path]:
    first, second = (build(scratch / name) for name in ("first", "second"))
    for one, other in zip(first, second, strict=True):
        if one.name != other.name or not filecmp.cmp(one, other, shallow=False):
            sys.exit(f"{one.name} is not the same when it is built again")
        print(f"{one.name}: {one.stat().st_size / 1e6:.2f} MB, the same bytes twice")
    return first


def extras() -> dict[str, list[str]]:
    project = tomllib.loads((pages.PROJECT / "pyproject.toml").read_text())["project"]
    return {name: wanted for name, wanted in project["optional-dependencies"].items() if name not in NOT_TRIED}


def fill(wheels: Path, wheel: Path, python: str) -> None:
    """The packages that mdmem and its extras need, for a Python, in a folder."""
    wheels.mkdir(parents=True, exist_ok=True)
    wanted = f"mdmem[{','.join(extras())}] @ {wheel.as_uri()}"
    run([python, "-m", "pip", "download", "--quiet", "--only-binary", ":all:", "--dest", wheels, wanted])


def install(python: str, wheel: Path, wheels: Path, scratch: Path) -> Path:
    """A new environment with the wheel alone; its folder of programs."""
    place = scratch / f"env-{Path(python).name}-{len(list(scratch.iterdir()))}"
    began = time.monotonic()
    run([python, "-m", "venv", place])
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    offline: list[str | Path] = [programs / "python", "-m", "pip", "install", "--no-index", "--find-links", wheels]
    run([*offline, "--quiet", "--no-compile", wheel])
    seconds = time.monotonic() - began
    ours = sum(path.stat().st_size for path in place.rglob("*") if path.is_file()) / 1e6
    version = run([programs / "python", "-c", "import sys; print(sys.version.split()[0])"]).strip()
    assert __version__ in run([programs / "mdmem", "--version"])
    print(f"Python {version}: installed with no index in {seconds:.0f} s, {ours:.0f} MB with pip")
    for name in extras():
        line = [*offline, "--dry-run", "--quiet", f"mdmem[{name}] @ {wheel.as_uri()}"]
        done = subprocess.run([str(word) for word in line], capture_output=True, text=True)
        said = "resolved" if not done.returncode else f"NOT resolved: {done.stderr.strip().splitlines()[-1]}"
        print(f"  extra {name}: {said}")
    return programs


def first_minute(programs: Path, scratch: Path) -> None:
    """Run the README's examples with an installed mdmem, and compare what they print."""
    folder = scratch / "minute"
    folder.mkdir()
    inherited = {key: value for key, value in os.environ.items() if not is_of_the_developer(key)}
    day = "2026-03-01T12:00:00Z"
    env = {**inherited, **git_settings(scratch), "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    env |= {
        "MDMEM_NOW": day,
        "GIT_AUTHOR_DATE": day,
        "GIT_COMMITTER_DATE": day,
        "XDG_DATA_HOME": str(scratch / "data"),
    }
    env |= {"XDG_CONFIG_HOME": str(scratch / "config"), "MDMEM_MODEL": "off"}
    at, count, began = folder, 0, time.monotonic()
    for line, expected in pages.examples(pages.README):
        if line.startswith("cd "):
            at = at / line.removeprefix("cd ")
            continue
        done = subprocess.run(
            ["bash", "-c", line], cwd=at, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        if not pages.matches(done.stdout.replace(f"{folder}/", ""), expected):
            sys.exit(f"the README says otherwise:\n$ {line}\n{done.stdout}")
        count += 1
    print(f"the first minute of the README: {count} commands in {time.monotonic() - began:.1f} s, as it says")


def try_runners(wheel: Path, wheels: Path, version: str, scratch: Path) -> None:
    """uvx and pipx, where they are, with the Python that the wheels are for."""
    for program, line in {
        "uvx": [
            "uvx",
            "--python",
            version,
            "--no-index",
            "--find-links",
            wheels,
            "--from",
            wheel,
            "mdmem",
            "--version",
        ],
        "pipx": [
            "pipx",
            "run",
            "--python",
            f"python{version}",
            "--pip-args",
            f"--no-index --find-links {wheels}",
            "--spec",
            wheel,
            "mdmem",
            "--version",
        ],
    }.items():
        if not shutil.which(program):
            print(f"{program}: not here, not tried")
            continue
        homes = {name: str(scratch / program / name) for name in ("PIPX_HOME", "PIPX_BIN_DIR", "UV_CACHE_DIR")}
        print(f"{program}: {run([*line], **homes).strip()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--wheels", type=Path, default=pages.PROJECT / ".venv/wheels")
    parser.add_argument("--owner", default="OWNER")
    parser.add_argument("--pythons", nargs="*", default=[sys.executable])
    asked = parser.parse_args()
    if f"## [{__version__}]" not in (pages.PROJECT / "CHANGELOG.md").read_text():
        sys.exit(f"CHANGELOG.md says nothing of {__version__}")
    with tempfile.TemporaryDirectory() as temporary:
        scratch = Path(temporary)
        built = require_the_same(scratch)
        wheel = next(path for path in built if path.suffix == ".whl")
        for python in asked.pythons:
            version = run([python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]).strip()
            wheels = asked.wheels / version  # one that a Python cannot use says nothing to another
            if not list(wheels.glob("*.whl")):
                fill(wheels, wheel, python)
            programs = install(python, wheel, wheels, scratch)
            first_minute(programs, Path(tempfile.mkdtemp(dir=scratch)))
        try_runners(wheel, wheels, version, scratch)
        shutil.rmtree(DIST, ignore_errors=True)
        DIST.mkdir()
        for path in built:
            shutil.copy2(path, DIST)
    (DIST / "site").mkdir()
    for name, data in shipped.site():
        (DIST / "site" / name).write_bytes(data)
    for name, text in shipped.man_pages():
        shipped.write(DIST / "man" / name, text)
    shipped.write(DIST / "server.json", shipped.server_json(asked.owner))
    mark = f"<!-- mcp-name: io.github.{asked.owner}/mdmem -->"
    if not re.search(re.escape(mark), pages.README.read_text()):
        print(f"for the registry of MCP servers, the README still needs the line {mark}")
    print(f"all of it is in {DIST}")


if __name__ == "__main__":
    main()
