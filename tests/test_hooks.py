"""git hooks, fired by real git commands: they index, warn, chain, stand aside, and never lose a commit."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from mdmem.acts import githooks as hooks
from mdmem.errors import ConflictError
from mdmem.store.vault.hookfiles import program
from mdmem.store.vault.vault import Vault
from tests.conftest import Git, Run

PROJECT = Path(__file__).parents[1]


@pytest.fixture
def hooked(tmp_path: Path, mdmem: Run) -> Path:
    """A vault with hooks and an index, in a folder that a careless script would trip over."""
    folder = tmp_path / "my vault 🧠 it's"
    mdmem("init", folder, "--no-examples", "--hooks")
    mdmem("status", "--vault", folder)
    return folder


@pytest.fixture
def unhooked(tmp_path: Path, mdmem: Run) -> Path:
    """A vault without hooks."""
    folder = tmp_path / "vault"
    mdmem("init", folder, "--no-examples", "--no-hooks")
    return folder


def indexed(folder: Path) -> set[str]:
    """The paths that stand in the index file at this moment, with nothing freshened."""
    db = sqlite3.connect(folder / ".mdmem/index.sqlite")
    try:
        return {path for (path,) in db.execute("SELECT path FROM notes")}
    finally:
        db.close()


def body(folder: Path, path: str) -> str:
    """The text of a note in the index file at this moment, with nothing freshened."""
    with Vault(str(folder)) as vault:
        return vault.open_index().body(path)


def commit(folder: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", "commit", "-qm", "by hand", *args], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, **env})  # fmt: skip


def note(folder: Path, name: str = "by_hand_note", text: str = "text") -> str:
    (folder / "allmemories").mkdir(exist_ok=True)
    (folder / "allmemories" / f"{name}.md").write_text(text)
    return f"allmemories/{name}.md"


def staged(folder: Path, name: str = "by_hand_note", text: str = "text") -> str:
    """Write a note and stage everything; the path of the note."""
    path = note(folder, name, text)
    subprocess.run(["git", "add", "-A"], cwd=folder, check=True)
    return path


def script(place: Path, text: str) -> None:
    """A hook of somebody."""
    place.parent.mkdir(exist_ok=True)
    place.write_text(f"#!/bin/sh\n{text}\n")
    place.chmod(0o755)


def make_strict(folder: Path, strict: bool = True) -> None:
    with (folder / "mdmem.toml").open("a") as file:
        file.write(f"[hooks]\nstrict = {str(strict).lower()}\n")


BROKEN = "---\na: [\n---\n"


def test_a_plain_commit_is_indexed(hooked: Path, git: Git) -> None:
    path = staged(hooked)
    done = commit(hooked)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "")
    assert indexed(hooked) == {path}
    (hooked / path).write_text("changed")
    assert commit(hooked, "-a").returncode == 0
    assert commit(hooked, "--amend", "--no-edit").returncode == 0
    git(hooked, "rm", "-q", path)
    commit(hooked)
    assert indexed(hooked) == set()


def test_what_is_not_as_committed_is_indexed_as_it_is(hooked: Path, git: Git) -> None:
    """A file that was staged and edited again: its row is of the file, and goes back with it."""
    path = staged(hooked)
    assert commit(hooked).returncode == 0
    (hooked / path).write_text("staged")
    git(hooked, "add", "-A")
    (hooked / path).write_text("edited again")
    assert commit(hooked).returncode == 0
    assert body(hooked, path) == "edited again"
    git(hooked, "checkout", "--", path)
    with Vault(str(hooked)) as vault:
        assert vault.index.body(path) == "staged"


@pytest.mark.parametrize(
    "options", [["-a"], ["--", "allmemories"], ["--amend", "-a"]], ids=["all", "paths", "amend"]
)
def test_every_kind_of_commit_goes_through(hooked: Path, git: Git, options: list[str]) -> None:
    path = staged(hooked, "by_hand_note", BROKEN)
    commit(hooked)
    (hooked / path).write_text("mended")
    done = commit(hooked, *options)
    assert done.returncode == 0, done.stderr
    assert git(hooked, "status", "--porcelain") == ""
    assert git(hooked, "show", f"HEAD:{path}") == "mended"


def test_merge_checkout_and_rebase_are_followed(hooked: Path, git: Git) -> None:
    base = git(hooked, "branch", "--show-current")
    git(hooked, "checkout", "-qb", "side")
    one = staged(hooked, "one_first_note")
    commit(hooked)
    git(hooked, "checkout", "-q", base)
    assert indexed(hooked) == set()
    two = staged(hooked, "two_second_note")
    commit(hooked)
    git(hooked, "merge", "-q", "--no-edit", "side")
    assert indexed(hooked) == {one, two}
    git(hooked, "checkout", "-q", "side")
    assert indexed(hooked) == {one}
    git(hooked, "merge", "-q", "--ff-only", base)
    assert indexed(hooked) == {one, two}
    git(hooked, "checkout", "-qb", "third", base + "~1")
    three = staged(hooked, "three_third_note")
    commit(hooked)
    git(hooked, "rebase", "-q", base)
    assert indexed(hooked) == {one, two, three}


def test_bad_staged_notes_are_warned_of_and_committed(hooked: Path) -> None:
    note(hooked, "broken_note_here", "---\na: 1\nb: [\n---\n")
    staged(hooked, "Bad Name", "fine")
    done = commit(hooked)
    assert done.returncode == 0
    assert "allmemories/broken_note_here.md:4: error: the frontmatter cannot be read" in done.stderr
    assert "Bad Name" not in done.stderr  # what a person wrote is theirs to name


def test_a_bad_name_of_a_note_with_an_id_is_told_once(hooked: Path) -> None:
    staged(hooked, "Bad Name", "---\nid: 0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11\n---\n\nfine\n")
    assert "Bad Name.md: warning: the name has capital letters" in commit(hooked).stderr
    with (hooked / "allmemories/Bad Name.md").open("a") as file:
        file.write("again\n")
    assert "Bad Name" not in commit(hooked, "-a").stderr  # an old name is not nagged about


def test_it_is_the_staged_version_that_counts(hooked: Path, git: Git) -> None:
    path = staged(hooked, "some_note_here", "fine")
    (hooked / path).write_text(BROKEN)
    assert commit(hooked).stderr == ""
    git(hooked, "add", "-A")
    (hooked / path).write_text("fine")
    assert "error" in commit(hooked).stderr


def test_strict_refuses_with_file_line_and_fix(hooked: Path, git: Git) -> None:
    make_strict(hooked)
    git(hooked, "commit", "-qam", "strict")
    path = staged(hooked, "broken_note_here", "---\na: 1\nb: [\n---\n")
    before = git(hooked, "rev-parse", "HEAD")
    done = commit(hooked)
    assert done.returncode != 0
    assert f"{path}:4: error:" in done.stderr
    assert "fix that line" in done.stderr
    assert git(hooked, "rev-parse", "HEAD") == before
    assert commit(hooked, "--no-verify").returncode == 0
    staged(hooked, "Bad Name", "a name alone is no reason to refuse")
    assert commit(hooked).returncode == 0


def test_a_memory_in_the_place_of_a_submodule_is_checked(hooked: Path, git: Git) -> None:
    path = "allmemories/staging_has_login.md"
    make_strict(hooked)
    git(hooked, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},{path}")
    git(hooked, "commit", "-qm", "a submodule", "--no-verify")
    note(hooked, "staging_has_login", "New password: kitten99\n")
    git(hooked, "update-index", "--cacheinfo", f"100644,{git(hooked, 'hash-object', '-w', path).strip()},{path}")
    done = commit(hooked)
    assert f"{path}:1: error: seems to hold a secret (Password)" in done.stderr
    assert done.returncode != 0


def test_a_file_too_large_for_a_memory_is_told_without_a_search(hooked: Path) -> None:
    """Its 50 MB were searched for secrets and orders first, for a minute."""
    staged(hooked, text="The password is Tr0ub4dor&3x.\n" + "word and text\n" * 800_000)
    (told,) = commit(hooked).stderr.splitlines()
    assert "is 11 MB, over the 10 MB a memory may have" in told


@pytest.mark.parametrize("strict", [False, True])
def test_a_secret_that_is_new_is_named_and_in_a_strict_vault_refused(strict: bool, hooked: Path, git: Git) -> None:
    path = note(hooked, "staging_has_login", "# Staging\n\nThe old password is hunter2.\n")
    make_strict(hooked, strict)
    git(hooked, "add", "-A")
    git(hooked, "commit", "-qm", "as it was", "--no-verify")
    staged(hooked, "staging_has_login", "# Staging\n\nIt moved.\n\nThe old password is hunter2.\n")
    assert commit(hooked).stderr == ""
    staged(hooked, "staging_has_login", "# Staging\n\nThe old password is hunter2.\n\nNew password: kitten99\n")
    done = commit(hooked)
    severity = "error" if strict else "warning"
    assert f"{path}:5: {severity}: seems to hold a secret (Password)" in done.stderr
    assert "kitten99" not in done.stderr
    assert (done.returncode != 0) is strict


def test_hooks_that_were_there_run_first_and_come_back(unhooked: Path, mdmem: Run, git: Git) -> None:
    place = unhooked / ".git/hooks/pre-commit"
    script(place, 'echo "mine $#" >> "$(git rev-parse --git-dir)/ran"\n[ ! -e block ]')
    original = place.read_bytes()
    (state, *_) = json.loads(mdmem("hooks", "install", "--json", "--vault", unhooked).out)
    assert (state["name"], state["chained"], state["current"]) == ("pre-commit", True, True)
    mdmem("hooks", "install", "--vault", unhooked)
    staged(unhooked)
    assert commit(unhooked).returncode == 0
    assert (unhooked / ".git/ran").read_text() == "mine 0\n"
    (unhooked / "block").write_text("")
    git(unhooked, "add", "-A")
    assert commit(unhooked).returncode != 0
    mdmem("hooks", "uninstall", "--vault", unhooked)
    assert place.read_bytes() == original
    assert os.access(place, os.X_OK)
    assert not list(place.parent.glob("*before-mdmem"))
    assert not (place.parent / "post-commit").exists()
    assert git(unhooked, "config", "--get-all", "mdmem.vault", code=1) == ""


def test_a_failing_post_commit_of_someone_else_does_not_stop_ours(unhooked: Path, mdmem: Run) -> None:
    script(unhooked / ".git/hooks/post-commit", "exit 3")
    mdmem("hooks", "install", "--vault", unhooked)
    mdmem("status", "--vault", unhooked)
    path = staged(unhooked)
    commit(unhooked)
    assert indexed(unhooked) == {path}


def test_a_second_foreign_hook_is_not_overwritten(unhooked: Path) -> None:
    for name in ("pre-commit", "pre-commit.before-mdmem"):
        script(unhooked / f".git/hooks/{name}", "true")
    with Vault(str(unhooked)) as vault, pytest.raises(ConflictError, match="not mdmem's"):
        hooks.install(vault.repo)


@pytest.mark.parametrize("setting", [".githooks", "{tmp}/shared hooks"], ids=["relative", "absolute"])
def test_core_hooks_path_is_honoured(unhooked: Path, tmp_path: Path, mdmem: Run, git: Git, setting: str) -> None:
    def files() -> list[Path]:
        return sorted(path for path in tmp_path.rglob("*") if "/.mdmem" not in str(path))

    git(unhooked, "config", "core.hooksPath", setting.format(tmp=tmp_path))
    before = files()
    refused = mdmem("hooks", "install", "--vault", unhooked, code=5)
    assert "hooks install --shared" in refused.err
    assert "hook-impl validate" in refused.err
    assert files() == before
    assert git(unhooked, "config", "--get-all", "mdmem.vault", code=1) == ""
    mdmem("hooks", "install", "--shared", "--vault", unhooked)
    assert not (unhooked / ".git/hooks/post-commit").exists()
    mdmem("status", "--vault", unhooked)
    path = note(unhooked)
    git(unhooked, "add", "allmemories")
    assert commit(unhooked).returncode == 0
    assert path in indexed(unhooked)


def test_init_leaves_a_global_hooks_folder_alone_and_says_so(tmp_path: Path, mdmem: Run, git: Git) -> None:
    git(tmp_path, "config", "--global", "core.hooksPath", str(tmp_path / "shared"))
    said = mdmem("init", tmp_path / "vault")
    assert "no hooks were installed: core.hooksPath is" in said.err
    assert not (tmp_path / "shared").exists()
    assert not list((tmp_path / "vault/.git/hooks").glob("*[!e]"))


def test_hooks_that_are_switched_off_stay_off(unhooked: Path, mdmem: Run, git: Git) -> None:
    git(unhooked, "config", "core.hooksPath", os.devnull)
    assert "run no hooks" in mdmem("hooks", "install", "--vault", unhooked, code=5).err


@pytest.fixture
def two_vaults(tmp_path: Path, mdmem: Run, git: Git) -> tuple[Path, Path]:
    """Two vaults whose repositories share one hooks folder."""
    git(tmp_path, "config", "--global", "core.hooksPath", str(tmp_path / "shared"))
    for name in ("one", "two"):
        mdmem("init", tmp_path / name, "--no-examples")
        mdmem("status", "--vault", tmp_path / name)
        mdmem("hooks", "install", "--shared", "--vault", tmp_path / name)
    return tmp_path / "one", tmp_path / "two"


def test_a_shared_hooks_folder_does_nothing_in_other_repositories(
    two_vaults: tuple[Path, Path], tmp_path: Path, git: Git
) -> None:
    other = tmp_path / "other"
    (other / "allmemories").mkdir(parents=True)
    git(other, "init", "-q")
    staged(other, "broken_note_here", BROKEN)
    done = commit(other)
    assert (done.returncode, done.stderr) == (0, "")
    assert not (other / ".mdmem").exists()


def test_uninstalling_one_vault_leaves_a_shared_folder_to_the_other(
    two_vaults: tuple[Path, Path], mdmem: Run, tmp_path: Path
) -> None:
    one, two = two_vaults
    assert "stay: other vaults may use them" in mdmem("hooks", "uninstall", "--vault", one).err
    assert not any(state["installed"] for state in json.loads(mdmem("hooks", "--json", "--vault", one).out))
    for folder in (one, two):
        staged(folder)
        assert commit(folder).returncode == 0
    assert indexed(one) == set()
    assert indexed(two) == {"allmemories/by_hand_note.md"}
    mdmem("hooks", "install", "--vault", one)  # they are there: nothing is to be written, so no flag is needed
    mdmem("hooks", "uninstall", "--shared", "--vault", one)
    assert list((tmp_path / "shared").iterdir()) == []


def test_two_vaults_of_one_repository_share_its_hooks(tmp_path: Path, mdmem: Run, git: Git) -> None:
    git(tmp_path, "init", "-q", "code")
    one, two = tmp_path / "code/one", tmp_path / "code/two"
    for folder in (one, two):
        mdmem("init", folder, "--no-examples", "--hooks")
        mdmem("status", "--vault", folder)
        note(folder)
    mdmem("hooks", "uninstall", "--vault", one)
    git(tmp_path / "code", "add", "-A")
    assert commit(tmp_path / "code").returncode == 0
    assert indexed(one) == set()
    assert indexed(two) == {"allmemories/by_hand_note.md"}
    mdmem("hooks", "uninstall", "--vault", two)
    assert not (tmp_path / "code/.git/hooks/pre-commit").exists()


def test_huskys_folder_is_left_to_husky(unhooked: Path, mdmem: Run, git: Git) -> None:
    place = unhooked / ".husky/_"
    place.mkdir(parents=True)
    (place / "h").write_text('s="$(dirname "$(dirname "$0")")/$(basename "$0")"\n[ ! -f "$s" ] || sh "$s" "$@"\n')
    script(place / "pre-commit", '. "$(dirname "$0")/h"')
    git(unhooked, "config", "core.hooksPath", ".husky/_")
    assert "husky" in mdmem("hooks", "install", "--shared", "--vault", unhooked, code=5).err
    program = f'"{sys.executable}" -m mdmem'
    (unhooked / ".husky/pre-commit").write_text(f"{program} hook-impl validate || [ $? -ne 10 ]\n")
    make_strict(unhooked)
    staged(unhooked, "broken_note_here", BROKEN)
    done = commit(unhooked)
    assert done.returncode != 0
    assert "commit refused" in done.stderr


def test_installing_is_all_or_nothing(unhooked: Path, mdmem: Run, git: Git) -> None:
    """The last hook cannot be put in place: those before it are as they were."""
    place = unhooked / ".git/hooks"
    for sample in place.glob("*"):
        sample.unlink()
    (place / "pre-commit").write_text("#!/bin/sh\n# mine\n")
    (place / (hooks.NAMES[-1] + ".new")).mkdir()  # where the new file would be written first

    def files() -> dict[str, bytes | bool]:
        return {path.name: path.is_file() and path.read_bytes() for path in place.iterdir()}

    before = files()
    assert mdmem("hooks", "install", "--vault", unhooked, code=1).err
    assert files() == before
    assert git(unhooked, "config", "--get-all", "mdmem.vault", code=1) == ""


FRAMEWORK = """\
# what pre-commit installs, in short: it runs a hook it found, set aside as .legacy, and then its own
echo framework >> "$(git rev-parse --git-dir)/ran"
here=$(dirname "$0")
[ ! -x "$here/pre-commit.legacy" ] || "$here/pre-commit.legacy" "$@"
"""


def of_others(folder: Path) -> dict[str, str]:
    """The hooks of a repository, but those that git brings along."""
    return {path.name: path.read_text() for path in folder.iterdir() if not path.name.endswith(".sample")}


@pytest.mark.parametrize("reinstalled", [False, True], ids=["once", "mdmem again"])
def test_ours_runs_where_the_pre_commit_framework_set_it_aside(
    hooked: Path, mdmem: Run, reinstalled: bool
) -> None:
    place = hooked / ".git/hooks"
    (place / "pre-commit").rename(place / "pre-commit.legacy")
    script(place / "pre-commit", FRAMEWORK)
    before = (place / "pre-commit").read_text()
    if reinstalled:
        mdmem("hooks", "install", "--vault", hooked)
    assert (place / "pre-commit").read_text() == before
    assert all(state["current"] for state in json.loads(mdmem("hooks", "--json", "--vault", hooked).out))
    staged(hooked, "broken_note_here", BROKEN)
    assert commit(hooked).stderr.count("broken_note_here.md:3: error") == 1
    assert (hooked / ".git/ran").read_text() == "framework\n"
    mdmem("hooks", "uninstall", "--vault", hooked)
    assert of_others(place).keys() == {"pre-commit"}


@pytest.mark.parametrize("legacy", [False, True], ids=["alone", "with a hook behind it"])
def test_a_hook_of_the_pre_commit_framework_stays_in_front(unhooked: Path, mdmem: Run, legacy: bool) -> None:
    """So that it can be installed again, as it often is: around ours it would refuse every commit."""
    place = unhooked / ".git/hooks"
    script(place / "pre-commit", f"# File generated by pre-commit: https://pre-commit.com\n{FRAMEWORK}")
    if legacy:
        script(place / "pre-commit.legacy", "touch mine")
    before = of_others(place)
    for _ in range(2):
        mdmem("hooks", "install", "--vault", unhooked)
        assert of_others(place)["pre-commit"] == before["pre-commit"]
        assert hooks.is_ours(str(place / "pre-commit.legacy"))
    staged(unhooked, "broken_note_here", BROKEN)
    assert commit(unhooked).stderr.count("broken_note_here.md:3: error") == 1
    assert (unhooked / "mine").exists() is legacy
    mdmem("hooks", "uninstall", "--vault", unhooked)
    assert of_others(place) == before


def test_hooks_that_run_each_other_come_to_an_end(hooked: Path) -> None:
    """The framework first, mdmem around it, the framework installed again around that."""
    place = hooked / ".git/hooks"
    (place / "pre-commit").rename(place / "pre-commit.legacy")
    for name in ("pre-commit", "pre-commit.before-mdmem"):
        script(place / name, FRAMEWORK)
    staged(hooked, "broken_note_here", BROKEN)
    done = commit(hooked)
    assert done.returncode == 0
    assert done.stderr.count("broken_note_here.md:3: error") == 1
    assert (hooked / ".git/ran").read_text() == "framework\nframework\n"


def test_the_circuit_breaker_stops_no_commit(hooked: Path, git: Git) -> None:
    """Twelve of twelve notes are gone from the folder: the index keeps them, the commit goes through."""
    for number in range(12):
        staged(hooked, f"note_number_{number}")
    commit(hooked)
    shutil.rmtree(hooked / "allmemories")
    (hooked / "other.txt").write_text("x")
    git(hooked, "add", "other.txt")
    done = commit(hooked)
    assert done.returncode == 0
    assert done.stderr.startswith("mdmem post-commit: 12 of 12 memories are gone")
    assert len(indexed(hooked)) == 12
    git(hooked, "add", "-A")
    assert (commit(hooked).returncode, indexed(hooked)) == (0, set())  # committed, it is meant


def test_a_vault_in_a_subfolder(tmp_path: Path, mdmem: Run, git: Git) -> None:
    code = tmp_path / "code"
    code.mkdir()
    git(code, "init", "-q")
    folder = code / "docs" / "my memory"
    mdmem("init", folder, "--no-examples", "--hooks")
    mdmem("status", "--vault", folder)
    path = staged(folder)
    assert commit(code / "docs").returncode == 0
    assert indexed(folder) == {path}
    (code / "main.py").write_text("x")
    git(code, "add", "-A")
    assert commit(code).stderr == ""


def test_a_linked_worktree_has_an_index_of_its_own(hooked: Path, git: Git, mdmem: Run, tmp_path: Path) -> None:
    side = tmp_path / "side tree"
    git(hooked, "worktree", "add", "-q", "-b", "side", str(side))
    (side / "allmemories").mkdir(exist_ok=True)
    mdmem("status", "--vault", side)
    path = staged(side)
    done = commit(side)
    assert (done.returncode, done.stderr) == (0, "")
    assert indexed(side) == {path}
    assert indexed(hooked) == set()


@pytest.fixture
def bare_path(hooked: Path) -> str:
    """A PATH with hardly anything on it."""
    tools = hooked.parent / "bin"
    tools.mkdir()
    for name in ("git", "sh"):
        (tools / name).symlink_to(shutil.which(name) or "")
    return str(tools)


def test_a_bare_path_is_enough(hooked: Path, bare_path: str) -> None:
    path = staged(hooked)
    done = commit(hooked, PATH=bare_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert indexed(hooked) == {path}


def test_when_mdmem_is_gone_one_line_says_so_and_the_commit_stands(hooked: Path, bare_path: str) -> None:
    for name in hooks.NAMES:
        place = hooked / ".git/hooks" / name
        gone = place.read_text().replace(program(), "/nowhere/bin/mdmem")
        assert "/nowhere" in gone
        place.write_text(gone)
    staged(hooked)
    done = commit(hooked, PATH=bare_path)
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "mdmem is not installed any more: its pre-commit hook did nothing",
        "mdmem is not installed any more: its post-commit hook did nothing",
    ]


def test_a_hook_of_ours_that_fails_loses_no_commit(hooked: Path) -> None:
    (hooked / "mdmem.toml").write_text("memories = 12\n")
    staged(hooked)
    done = commit(hooked)
    assert done.returncode == 0
    assert done.stderr.count("mdmem.toml:1: memories must be text in quotes") == 2
    assert "Traceback" not in done.stderr


def test_mdmems_own_commits_fire_no_hooks(hooked: Path, mdmem: Run) -> None:
    ran = hooked / "ran"
    for name in (*hooks.NAMES, "commit-msg", "reference-transaction"):
        script(hooked / ".git/hooks" / name, f'touch "{ran}"')
    mdmem("remember", "x", "--name", "some_note_here", "--vault", hooked)
    mdmem("undo", "--last", "1", "--vault", hooked)
    assert not ran.exists()


def test_hooks_leave_a_large_change_to_the_next_opening(hooked: Path, mdmem: Run) -> None:
    for number in range(501):
        staged(hooked, f"note_number_{number}")
    assert commit(hooked).returncode == 0
    assert indexed(hooked) == set()
    assert len(json.loads(mdmem("list", "--json", "--vault", hooked).out)) == 501


def test_the_manifest_and_the_script_are_as_their_readers_want_them() -> None:
    """The pre-commit framework, and any shell."""
    found = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text())
    assert [hook["id"] for hook in found] == ["mdmem-validate", "mdmem-index"]
    for hook in found:
        assert {"id", "name", "entry", "language"} <= hook.keys()
        assert hook["entry"].split()[0] == "mdmem"
        assert hook["pass_filenames"] is False
    text = (PROJECT / "hooks/hook.sh").read_text()
    assert len(text.splitlines()) <= 20
    assert subprocess.run(["sh", "-n"], input=text, text=True, check=False).returncode == 0


def test_the_framework_entries_work(hooked: Path, command: Run) -> None:
    """What pre-commit runs: the entry, in the top folder, with git's variables for hooks set."""
    staged(hooked, "broken_note_here", BROKEN)
    done = command("hook-impl", "validate", cwd=hooked)
    assert done.returncode == 0
    assert "broken_note_here.md:3: error" in done.stderr
    make_strict(hooked)
    assert command("hook-impl", "validate", cwd=hooked).returncode == hooks.REFUSE
    commit(hooked, "--no-verify")
    done = command("hook-impl", "index", cwd=hooked)
    assert (done.returncode, done.stderr) == (0, "")
