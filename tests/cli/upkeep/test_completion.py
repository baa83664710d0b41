"""Shell completion, in the shells that are there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Run

# What each shell is told, so that it shows what it would complete `mdmem show som` to, one a line.
ASKING = {
    "bash": "COMP_WORDS=(mdmem show som); COMP_CWORD=2; _mdmem_completion mdmem; printf '%s\\n' ${COMPREPLY[@]}",
    "zsh": 'compadd() { print -l -- "${(@P)argv[-1]}" }; words=(mdmem show som); CURRENT=3; _mdmem_completion',
    "fish": "complete -C 'mdmem show som'",
}


@pytest.fixture
def here(root: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault with two memories; `mdmem` is on PATH."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.chdir(root)
    for name in ("some_note_here", "other_note_here"):
        mdmem("remember", f"Text of {name}.", "--name", name)
    return root


@pytest.mark.parametrize("shell", ASKING)
def test_a_shell_completes_names(here: Path, mdmem: Run, shell: str, tmp_path: Path) -> None:
    script = mdmem("completion", shell).out
    assert "_MDMEM_COMPLETE" in script
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not here")
    prelude = "autoload -Uz compinit; compinit -u\n" if shell == "zsh" else ""
    (tmp_path / "script").write_text(f"{prelude}{script}\n{ASKING[shell]}\n")
    done = subprocess.run([shell, tmp_path / "script"], cwd=here, capture_output=True, text=True)
    assert [line.split("\t")[0] for line in done.stdout.split("\n") if "note" in line] == ["some_note_here"]


def completed(words: str, cwd: Path, **env: str) -> list[str]:
    """What `mdmem` answers to a shell that completes the last of the words."""
    asked = {"_MDMEM_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    done = subprocess.run(
        [sys.executable, "-m", "mdmem"],
        cwd=cwd,
        env={**os.environ, **asked, **env},
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return [line.partition(",")[2] for line in done.stdout.split("\n") if line]


def test_names_come_from_the_index_as_it_is(here: Path, tmp_path: Path) -> None:
    """With no git on PATH nothing can be freshened, and nothing is missed; a clone has no index yet."""
    (tmp_path / "bin").mkdir()
    assert completed("mdmem show o", here, PATH=str(tmp_path / "bin")) == ["other_note_here"]
    (here / "allmemories/new_note_here.md").write_text("x")
    assert completed("mdmem show new", here) == []
    shutil.rmtree(here / ".mdmem")
    assert completed("mdmem show so", here) == ["some_note_here"]


def test_the_vault_that_the_line_names_counts(here: Path, tmp_path: Path) -> None:
    for words in (f"mdmem --vault {here} show so", f"mdmem show --vault {here} so"):
        assert completed(words, tmp_path) == ["some_note_here"]
    assert completed("mdmem show so", tmp_path) == []


CHOICES = {
    "mdmem restore go": ["gone_note_here"],
    "mdmem restore some": [],
    "mdmem undo --session co": ["conv-2", "conv-1"],
    "mdmem log --session conv-1": ["conv-1"],
    "mdmem recall --type p": ["preference"],
    "mdmem vaults remove sh": ["shop"],
}


def test_what_is_there_to_choose_from_is_offered(here: Path, mdmem: Run) -> None:
    mdmem("remember", "This one goes.", "--name", "gone_note_here", "--session", "conv-1", "--type", "preference")
    mdmem("remember", "This one stays.", "--name", "kept_note_here", "--session", "conv-2", "--type", "preference")
    mdmem("forget", "gone_note_here", "--session", "conv-2")
    mdmem("vaults", "add", "shop", here)
    for words, offered in CHOICES.items():
        assert completed(words, here) == offered, words


@pytest.mark.parametrize("lacks", ["git", "a vault", "a repository"])
def test_where_nothing_can_be_asked_no_error_stands_in_the_line(here: Path, tmp_path: Path, lacks: str) -> None:
    if lacks == "a repository":
        shutil.rmtree(here / ".git")
    environment = {"git": {"PATH": ""}, "a vault": {"XDG_CONFIG_HOME": str(here / "mdmem.toml")}}.get(lacks, {})
    for words in CHOICES:
        completed(words, tmp_path if lacks == "a vault" else here, **environment)


def test_an_agent_is_offered_only_what_it_may_see(here: Path, mdmem: Run) -> None:
    """A name tells what a memory says, and so may a session's."""
    of_tea = ("--type", "preference", "--session", "of-tea")
    of_gout = ("--type", "decision", "--session", "of-gout", "--sensitivity", "high")
    for name, options in (("user_likes_green_tea", of_tea), ("user_has_hidden_gout", of_gout)):
        mdmem("remember", f"Text of {name}.", "--name", name, *options)
    for name, options in (("was_a_tea_here", of_tea), ("was_a_gout_here", of_gout)):
        mdmem("remember", f"Text of {name}.", "--name", name, *options)
        mdmem("forget", name, "--session", options[3])
    for words, shown in {
        "mdmem show user": ["user_likes_green_tea"],
        "mdmem restore was": ["was_a_tea_here"],
        "mdmem undo --session of": ["of-tea"],
        "mdmem recall --type ": ["preference"],
    }.items():
        assert completed(words, here, AI_AGENT="some-agent") == shown, words


def test_what_can_be_typed_there_is_offered(here: Path) -> None:
    """Nothing for a line that is wrong or unfinished: `completed` wants an empty standard error."""
    for words, offered in {
        "mdmem und": ["undo"],
        "mdmem guide pri": ["privacy"],
        "mdmem purge some": ["some_note_here"],
        "mdmem diff some": ["some_note_here"],
        "mdmem help und": ["undo"],
        "mdmem cat some": ["some_note_here"],
    }.items():
        assert completed(words, here) == offered, words
    assert "--json" in completed("mdmem recall --j", here)
    for words in ("mdmem nope x", "mdmem work nope x", "mdmem help nope x", "mdmem help "):
        completed(words, here)
