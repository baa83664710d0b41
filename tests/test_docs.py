"""What the README, the guides, the help texts and the demo say is what happens."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest

from mdmem import acts
from mdmem.acts import manual as guide
from mdmem.cli.group import COMMANDS, HEADINGS, cli, form_in
from mdmem.cli.making import made
from mdmem.note.properties import TYPES
from tests import pages, recording
from tests.conftest import Run
from tests.pages import GUIDES, PAGES, PROJECT, README

SHARED = PROJECT.parent / "shared"
GUIDE_TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(GUIDES.glob("*.md"))}


@pytest.fixture
def at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with `mdmem` on the path and the time of commits pinned."""
    day = os.environ["MDMEM_NOW"]
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.setenv("GIT_AUTHOR_DATE", day)
    monkeypatch.setenv("GIT_COMMITTER_DATE", day)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", [page for page in PAGES if pages.examples(page)], ids=lambda page: page.stem)
def test_every_example_prints_what_the_page_shows(page: Path, at_the_start: Path) -> None:
    """Each page is run in a new vault with the example memories, unless it begins by making one."""
    examples = pages.examples(page)
    if not examples[0].line.startswith("mdmem init"):
        pages.run("mdmem init my-vault --examples")
        os.chdir("my-vault")
    for line, expected in examples:
        output = pages.run(line).replace(f"{at_the_start}/", "")
        assert pages.matches(output, expected), f"$ {line}\n{output}"


def test_the_manual_has_examples_enough() -> None:
    """The test above cannot pass because the pages' form has changed and nothing is read from them."""
    assert len(pages.examples(README)) > 10
    assert sum(len(pages.examples(page)) for page in PAGES) > 80


def _python_with(word: str) -> str:
    """The example of the guide on Python that holds this word."""
    (code,) = (block for block in pages.code_blocks(GUIDES / "python.md", "python") if word in block)
    return code


@pytest.fixture
def with_examples(at_the_start: Path, mdmem: Run) -> None:
    """The current folder has a new vault with the example memories, `my-vault`."""
    mdmem("init", "my-vault", "--examples")


OPENED = "A memory is one concept in one file\n"
CHUNKS = "User prefers Python over JavaScript True\nWe decided to use uv."
CLAUDE = "File created successfully at: /memories/lease.md\n"
LANGGRAPH = "('users', 'ada') home {'sure': True, 'content': 'Ada lives in Turin now.'}\n"


@pytest.mark.usefixtures("with_examples")
@pytest.mark.parametrize(
    ("word", "folder", "package", "printed", "session", "actor"),
    [
        ("Vault.open", ".", "", OPENED, "conv-14", "my-agent"),
        ("ChunkStore", ".", "", CHUNKS, "", ""),
        ("RumMemory", "my-vault", "", "", "conv-42", "claude-code"),
        pytest.param("MemoryTool", ".", "anthropic", CLAUDE, "conv-15", "claude", marks=pytest.mark.adapters),
        pytest.param("VaultStore", ".", "langgraph", LANGGRAPH, "", "", marks=pytest.mark.adapters),
    ],
    ids=["open", "chunks", "rum", "claude", "langgraph"],
)
def test_the_examples_of_the_guide_on_python_run(
    word: str, folder: str, package: str, printed: str, session: str, actor: str, mdmem: Run
) -> None:
    """That of RUM opens the vault it stands in, and asserts itself that its work is found again."""
    if package:
        pytest.importorskip(package, reason=f"{package} is not installed: make adapters")
    line = [sys.executable, *([] if package else ["-W", "error"]), "-c", _python_with(word)]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stderr, done.stdout[: len(printed)]) == (0, "", printed)
    if session:
        (entry,) = json.loads(mdmem("log", "--session", session, "--json", "--vault", "my-vault").out)
        assert entry["actor"] == actor
        assert entry["reason"] == "A clearer ending." or word != "Vault.open"


@pytest.mark.usefixtures("with_examples")
def test_the_work_with_every_field_is_one(mdmem: Run) -> None:
    os.chdir("my-vault")
    (text,) = pages.code_blocks(GUIDES / "work.md", "json")
    Path("work.json").write_text(text)
    mdmem("work", "add", "work.json", "--name", "every_field_of_work")
    shown = json.loads(mdmem("show", "--as", "work", "every_field_of_work", "--depth", "complete", "--json").out)
    assert shown["memory"]["reasoning"] == json.loads(text)["reasoning"]


def test_the_readme_and_the_guides_are_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) < 200
    assert {name for name, text in GUIDE_TEXTS.items() if len(text.splitlines()) > 150} == set()


def test_the_help_lists_each_command_below_one_heading() -> None:
    listed = [name for names in HEADINGS.values() for name in names]
    assert sorted(listed) == sorted(COMMANDS)


@pytest.mark.parametrize(("page", "header", "wanted"), pages.tables())
def test_the_tables_are_those_of_the_code(page: Path, header: str, wanted: list[str]) -> None:
    """Commands, settings and guides. `python -m tests.pages` writes them again."""
    assert pages.rows(page, header) == wanted


def test_the_recording_shows_what_its_examples_print() -> None:
    """`python -m tests.recording` draws it again."""
    drawn = ElementTree.parse(recording.RECORDING).getroot()
    shown = "\n".join(line.text or "" for line in drawn.iter("{http://www.w3.org/2000/svg}text"))
    assert "![Twenty seconds" in README.read_text(encoding="utf-8")
    assert pages.matches(shown, pages.code_blocks(README, "console")[0])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_and_paths_lead_somewhere(page: Path) -> None:
    """Relative links of a page, outside of what commands print, and the modules it names."""
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)", re.sub(r"```console\n.*?```", "", text, flags=re.S)):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
    for path in re.findall(r"`((?:mdmem|tests)/[\w./-]*)`", text):
        assert (PROJECT / path).exists(), f"{page.name} names {path}"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_described_in_a_guide(name: str) -> None:
    texts = [text for page, text in GUIDE_TEXTS.items() if page != "commands"]
    assert any(f"mdmem {name}" in text or f"mdmem --vault ../second {name}" in text for text in texts)


def test_a_guide_names_every_type() -> None:
    (types,) = re.findall(r"\| `type` \| one of (.*?) \|", GUIDE_TEXTS["write"])
    assert tuple(types.split(", ")) == TYPES


@pytest.mark.usefixtures("at_the_start")
def test_the_guides_print_without_a_vault(mdmem: Run) -> None:
    lines = mdmem("guide").out.splitlines()
    assert [line.split()[0] for line in lines] == list(guide.NAMES)
    assert sorted(guide.NAMES) == sorted(GUIDE_TEXTS)
    for name in guide.NAMES:
        assert mdmem("guide", name).out == GUIDE_TEXTS[name]
    assert mdmem("guide", "Write").out == GUIDE_TEXTS["write"]
    listed = json.loads(mdmem("guide", "--json").out)
    assert [page["name"] for page in listed] == list(guide.NAMES)
    assert json.loads(mdmem("guide", "write", "--json").out)["text"] == GUIDE_TEXTS["write"]


@pytest.mark.parametrize(("former", "now"), guide.MERGED.items())
def test_a_merged_page_leads_to_the_one_it_is_in(former: str, now: str, mdmem: Run) -> None:
    assert mdmem("guide", former).out == GUIDE_TEXTS[now]


@pytest.mark.parametrize(
    ("wrong", "near"), [("recal", "recall"), ("gardner", "gardening"), ("obsidain", "obsidian"), ("JSON", "guide")]
)
def test_a_wrong_name_of_a_guide_gets_a_hint(wrong: str, near: str, mdmem: Run) -> None:
    assert near in mdmem("guide", wrong, code=3).err


def test_the_guides_are_part_of_the_package() -> None:
    """The wheel takes the whole folder of the package, so that an installed `mdmem guide` finds its pages."""
    with open(PROJECT / "pyproject.toml", "rb") as file:
        wheel = tomllib.load(file)["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["packages"] == ["mdmem"]
    assert "exclude" not in wheel
    assert GUIDES.parent == PROJECT / "mdmem"


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
    prints_data = name not in ("completion", "mcp")  # what they print has a format of its own
    assert ("--json" in text) is prints_data


def _command(words: list[str]) -> click.Command | None:
    """The command that words begin with; None if they are a sentence on mdmem."""
    found: click.Command = cli
    form, words = form_in(words)
    while isinstance(found, click.Group) and words and not words[0].startswith("-"):
        inner = found.get_command(click.Context(found), words.pop(0))
        if inner is None:
            return None if found is cli else found
        found = inner
    if form in acts.FORMS.get(str(found.name), {}):
        return made(f"{found.name} --as {form}", acts.act_at(acts.FORMS[str(found.name)][form]))
    return found


def test_every_option_that_a_text_names_is_one() -> None:
    """Hints of errors, help, guides, and what is written for clients: an option may go, and its mention stay."""
    kinds = {".py", ".md", ".tsv", ".toml", ".json", ".html", ".js"}
    texts = [path for path in [README, *(PROJECT / "mdmem").rglob("*")] if path.suffix in kinds]
    named, missing = 0, []
    for path in texts:
        for line in path.read_text("utf-8").splitlines():
            for said in re.findall(r"\bmdmem ([a-z]+ [^`'\"|;,$)<]*)", line):
                command = _command(said.split())
                options = re.findall(r"(?<!\S)--[a-z][\w-]*", said)
                if command is None or "words.tsv" in path.name:
                    continue
                params = command.get_params(click.Context(command, parent=click.Context(cli)))
                known = {"--as", *(flag for param in params for flag in (*param.opts, *param.secondary_opts))}
                named += len(options)
                missing += [f"{path.name}: {said}: {one}" for one in options if one not in known]
    assert missing == []
    assert named > 300


def test_help_exit_codes_are_those_of_the_errors() -> None:
    from mdmem import errors

    text = cli.get_help(click.Context(cli, info_name="mdmem"))
    for kind in vars(errors).values():
        if isinstance(kind, type) and issubclass(kind, errors.MdmemError):
            assert f"{kind.exit_code} " in text


@pytest.mark.slow
def test_the_demo_runs_and_cleans_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a conversation, if there is one beside the project, else with the memories that ship with mdmem."""
    shared = str(SHARED) if SHARED.exists() else ""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.delenv("MDMEM_NOW")
    done = subprocess.run(["sh", PROJECT / "tests/demo.sh", shared], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "took back 3 commits, 3 files changed" in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_demo_fails_loudly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an undo that does nothing the demo must not end well."""
    fake = tmp_path / "mdmem"
    fake.write_text(f'#!/bin/sh\n[ "$1" = undo ] && exit 0\nexec {sys.executable} -m mdmem "$@"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    done = subprocess.run(["sh", PROJECT / "tests/demo.sh"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0
    assert "the demo failed" in done.stderr


_ABSOLUTE = re.compile(r"(?<![\w.}-])/(?:home|root|work)/")  # not the end of a relative one


def _tracked() -> list[str]:
    """The paths of the files of the project."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True)
    return list(filter(None, done.stdout.split("\0")))


def test_the_project_speaks_of_itself_alone() -> None:
    """No path of one machine, no package registry."""
    for name in _tracked():
        path = PROJECT / name
        if path.is_file() and not path.is_symlink():
            text = path.read_text(errors="replace")
            for word in ("pypi" + ".org", "pythonhosted" + ".org"):
                assert word not in text, f"{name} holds {word}"
            assert not _ABSOLUTE.search(text), f"{name} holds a path of one machine"


def test_the_top_level_is_closed() -> None:
    top = {name.split("/")[0] for name in _tracked() if not name.startswith(".")}
    pages = {"README.md", "LICENSE", "CHANGELOG.md", "Makefile", "pyproject.toml"}
    assert top <= {*pages, "vault", "mdmem", "hooks", "tests", "templates"}


def test_type_checkers_see_the_public_names(mdmem: Run) -> None:
    """They do not run `__getattr__`: each name is imported for them, from where it is imported for real."""
    import mdmem

    tree = ast.parse((PROJECT / "mdmem/__init__.py").read_text())
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {
        name.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom) and node.module != "typing"
        for name in node.names
    }
    assert seen == mdmem._PUBLIC
    assert {*seen, "__version__", "REGISTRIES"} == set(mdmem.__all__)
    assert (PROJECT / "mdmem/py.typed").exists()


def test_the_version_has_one_home(mdmem: Run) -> None:
    import mdmem

    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    assert project["project"]["dynamic"] == ["version"]
    assert mdmem.__version__ not in (PROJECT / "pyproject.toml").read_text().split("[tool.ruff]")[0]


def test_the_makefile_names_tests_that_exist() -> None:
    """`make quick` names its files one by one; pytest runs nothing at all when a single one is gone."""
    (block,) = re.findall(r"^QUICK := ((?:.*\\\n)*.*)$", (PROJECT / "Makefile").read_text(), re.MULTILINE)
    names = block.replace("\\\n", " ").split()
    assert names
    assert [name for name in names if not (PROJECT / name).exists()] == []
