"""`mdmem garden` prints the plan; `garden apply` carries it out, on this branch and on one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Git, Run

NOTES = {
    "user_lives_in_berlin": ("01", "User lives in Berlin."),
    "user_lives_in_munich": ("02", "User lives in Munich."),
    "user_prefers_short_tables": ("01", "User prefers short tables over prose."),
    "user_wants_short_tables": ("02", "User prefers short tables over prose!"),
}
BRANCH = "mdmem/garden/2026-03-01"


def plant(root: Path) -> None:
    (root / "allmemories").mkdir(parents=True, exist_ok=True)
    for number, (name, (day, text)) in enumerate(NOTES.items(), 1):
        head = f"id: 00000000-0000-7000-8000-{number:012}\ntitle: {name.replace('_', ' ').capitalize()}"
        more = 'contradicts: ["[[user_lives_in_berlin]]"]\n' if "munich" in name else ""
        (root / f"allmemories/{name}.md").write_text(
            f"---\n{head}\ncreated: 2026-01-{day}T00:00:00Z\ncategory: past\ntype: fact\n{more}---\n\n{text}\n"
        )


@pytest.fixture
def planted(root: Path, git: Git) -> Path:
    """A vault with a conflict and twins, committed."""
    plant(root)
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "notes")
    return root


def state(git: Git, folder: Path) -> tuple[str, ...]:
    """All of a repository that is the person's: what is staged, saved and where HEAD is."""
    return (
        git(folder, "status", "--porcelain=v2", "--branch"),
        git(folder, "diff", "HEAD"),
        git(folder, "stash", "list"),
    )


def test_the_plan_says_what_why_how_sure_and_what_is_lost(planted: Path, mdmem: Run, ask: Run) -> None:
    out = mdmem("garden").out
    assert "2 proposals: 1 by conflicts, 1 by twins" in out
    contradicts = "trust user_lives_in_munich, which contradicts the older user_lives_in_berlin"
    assert f"certain  conflicts  {contradicts}" in out
    assert "why   allmemories/user_lives_in_munich.md:1  contradicts: [[user_lives_in_berlin]]" in out
    assert "lost  nothing" in out
    assert "+> [!warning] DEPRECATED" not in out
    assert "+> [!warning] DEPRECATED" in mdmem("garden", "--diff").out
    whole = ask("garden", "--only", "conflicts")
    assert whole == ask("garden", "--only", "conflicts"), "the same each time"
    (one,) = whole["proposals"]
    assert (one["gardener"], one["action"], one["lost"]) == ("conflicts", "deprecate", "")
    assert {Path(found["path"]).stem for found in one["files"]} == {"user_lives_in_berlin", "user_lives_in_munich"}
    assert "+Corrected 2026-01-02." in one["diff"]


def test_confidence_gardener_and_both_sides_can_be_chosen(planted: Path, mdmem: Run, ask: Run) -> None:
    assert "nothing to do" in mdmem("garden", "--min-confidence", "0.99", "--only", "conflicts").out
    assert "nothing to do" in mdmem("garden", "--only", "decay").out
    (found,) = ask("garden", "--only", "conflicts", "--keep-both", "contest")["proposals"]
    assert found["diff"].count("+status: contested") == 2
    mdmem("garden", "--min-confidence", "2", code=2)


def test_apply_tells_of_each_proposal_and_how_to_take_the_run_back(planted: Path, mdmem: Run, git: Git) -> None:
    out = mdmem("garden", "apply").out.splitlines()
    merged = "merge user_wants_short_tables into user_prefers_short_tables, which says the same"
    assert out[0].startswith(f"applied  {merged}")
    assert out[1] == "         lost  the name user_wants_short_tables and the date 2026-01-02"
    assert out[3].startswith("2 proposals applied; mdmem undo --run garden-2026-03-01-1200-")
    run = out[3].split()[6]
    assert mdmem("log", "--run", run).out.count("mdmem-gardener") == 2
    assert "nothing to do" in mdmem("garden", "apply").out
    mdmem("undo", "--run", run, "--dry-run")
    assert "took back 2 commits" in mdmem("undo", "--run", run).out
    assert git(planted, "diff", "HEAD~3", "HEAD") == ""


def test_apply_as_json(planted: Path, ask: Run, git: Git) -> None:
    done = ask("garden", "apply", "--actor", "tidy-bot", "-m", "spring")
    assert [one["commit"] for one in reversed(done["applied"])] == git(planted, "log", "-2", "--format=%H").split()
    assert (done["left"], done["rest"]) == ([], 0)
    assert git(planted, "log", "-1", "--format=%an %b").startswith("tidy-bot spring")
    assert ask("garden", "apply")["run"] == ""


@pytest.mark.parametrize("reader", ["head -n 1", "true"])
def test_a_run_whose_reader_is_gone_is_finished(planted: Path, git: Git, reader: str) -> None:
    """Stopping after the first proposal with exit code 0 would look as if that had been all."""
    line = f"{sys.executable} -m mdmem garden apply --vault {planted} 2>&1 | {reader}"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert git(planted, "log", "--format=%an").count("mdmem-gardener") == 2


def test_a_dry_run_says_what_would_be_applied_and_changes_nothing(
    planted: Path, mdmem: Run, ask: Run, git: Git
) -> None:
    before = state(git, planted)
    done = mdmem("garden", "apply", "--dry-run", "--only", "twins")
    assert "merge user_wants_short_tables" in done.out
    assert "would apply 1 proposal; nothing was changed" in done.err
    assert len(ask("garden", "apply", "--dry-run")["proposals"]) == 2
    assert state(git, planted) == before


def test_proposals_can_be_named(planted: Path, mdmem: Run, ask: Run, git: Git) -> None:
    found = ask("garden")["proposals"]
    one = next(one for one in found if one["gardener"] == "conflicts")
    mdmem("garden", "apply", one["id"], "0123456789ab", code=3)
    assert git(planted, "log", "-1", "--format=%s") == "notes"
    assert mdmem("garden", "apply", one["id"]).out.count("applied  ") == 1
    mdmem("garden", "apply", "abc", "--accepted-only", code=2)
    assert "options must follow the command" in mdmem("garden", "--only", "twins", "apply", code=2).err
    mdmem("--vault", planted, "garden", "apply")


# -- on a branch -------------------------------------------------------------------------------------------


def test_a_branch_gets_the_commits_and_all_that_is_the_persons_stays(planted: Path, mdmem: Run, git: Git) -> None:
    (planted / "allmemories/user_lives_in_berlin.md").write_text("Half a tho")
    (planted / "staged.txt").write_text("x")
    git(planted, "add", "staged.txt")
    before = state(git, planted)
    done = mdmem("garden", "apply", "--branch")
    assert state(git, planted) == before
    assert git(planted, "worktree", "list").count("\n") == 0
    assert f"git log --patch --reverse main..{BRANCH}" in done.out
    assert "1 memory with uncommitted edits" in done.err
    subjects = git(planted, "log", "--format=%s", f"main..{BRANCH}").splitlines()
    assert [subject.split(":")[0] for subject in subjects] == ["deprecate", "merge"]
    assert f"applied on the branch {BRANCH}-2" in mdmem("garden", "apply", "--branch").out


def test_after_a_merge_nothing_of_the_branch_is_planned(planted: Path, mdmem: Run, git: Git) -> None:
    mdmem("garden", "apply", "--branch")
    git(planted, "merge", "--quiet", "--no-ff", BRANCH)
    assert "nothing to do" in mdmem("garden").out


def test_a_picked_commit_is_no_longer_planned_and_a_dropped_one_is(planted: Path, mdmem: Run, git: Git) -> None:
    mdmem("garden", "apply", "--branch", "spring")
    git(planted, "cherry-pick", "spring~1")
    git(planted, "branch", "-D", "spring")
    out = mdmem("garden").out
    assert "twins" not in out
    assert "1 proposal: 1 by conflicts" in out


def test_a_branch_with_nothing_on_it_and_one_that_failed_are_gone(planted: Path, mdmem: Run, git: Git) -> None:
    assert "nothing to do" in mdmem("garden", "apply", "--branch", "--only", "decay").out
    mdmem("garden", "apply", "0123456789ab", "--branch", "spring", code=3)
    assert git(planted, "branch", "--format=%(refname:short)") == "main"
    assert git(planted, "worktree", "list").count("\n") == 0


def test_names_that_cannot_be_are_refused(planted: Path, mdmem: Run) -> None:
    assert "cannot be the name of a branch" in mdmem("garden", "apply", "--branch", "a..b", code=2).err
    assert "the branch main exists" in mdmem("garden", "apply", "--branch", "main", code=5).err


def test_a_vault_that_is_a_folder_of_a_repository(tmp_path: Path, mdmem: Run, git: Git) -> None:
    top, inner = tmp_path / "project", tmp_path / "project/docs/vault"
    plant(inner)
    git(top, "init", "--quiet")
    (top / "main.py").write_text("print()")
    git(top, "add", "main.py")
    git(top, "commit", "--quiet", "-m", "code")
    apply = ("garden", "apply", "--branch", "--vault", inner)
    assert "nothing of this vault is committed" in mdmem(*apply, code=2).err
    git(top, "add", ".")
    git(top, "commit", "--quiet", "-m", "notes")
    mdmem(*apply)
    changed = git(top, "diff", "--name-only", "main", BRANCH).splitlines()
    assert changed == [f"docs/vault/allmemories/{name}.md" for name in NOTES]


def test_a_detached_head_a_sparse_checkout_and_a_linked_worktree(
    planted: Path, tmp_path: Path, mdmem: Run, git: Git
) -> None:
    git(planted, "checkout", "--quiet", "--detach")
    out = mdmem("garden", "apply", "--branch", "from-detached").out
    assert f"{git(planted, 'rev-parse', 'HEAD')[:8]}..from-detached" in out
    git(planted, "worktree", "add", "--quiet", tmp_path / "second", "main")
    mdmem("garden", "apply", "--branch", "from-second", "--vault", tmp_path / "second")
    assert git(planted, "log", "--oneline", "main..from-second").count("\n") == 1
    (planted / "elsewhere").mkdir()
    (planted / "elsewhere/far.txt").write_text("x")
    git(planted, "add", ".")
    git(planted, "commit", "--quiet", "-m", "far")
    git(planted, "sparse-checkout", "set", "allmemories")
    mdmem("garden", "apply", "--branch", "from-sparse")
    assert git(planted, "diff", "--name-only", "HEAD", "from-sparse").count("allmemories/") == 4
    assert not os.path.exists(planted / "elsewhere")


def test_a_vault_in_a_submodule(planted: Path, tmp_path: Path, mdmem: Run, git: Git) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "--quiet")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(planted), "notes")
    mdmem("garden", "apply", "--branch", "--vault", outer / "notes")
    assert git(outer / "notes", "log", "--oneline", f"main..{BRANCH}").count("\n") == 1


def test_the_branch_knows_what_was_recalled(planted: Path, mdmem: Run, git: Git) -> None:
    """The decay gardener spares what is used; the counts are local, so that they have to be brought along."""
    head = "id: 00000000-0000-7000-8000-000000000009\ncreated: 2026-01-01T00:00:00Z\ncategory: past\ntype: fact"
    fades = "deletion_policy: auto_prune\ndecay:\n  max_age_seconds: 86400"
    place = planted / "allmemories/weather_of_last_week.md"
    place.write_text(f"---\n{head}\n{fades}\n---\n\nIt rained.\n")
    git(planted, "add", ".")
    git(planted, "commit", "--quiet", "-m", "weather")
    assert "1 by decay" in mdmem("garden").out
    mdmem("recall", "rained")
    assert "by decay" not in mdmem("garden").out
    mdmem("garden", "apply", "--branch")
    assert git(planted, "show", f"{BRANCH}:allmemories/weather_of_last_week.md").endswith("It rained.")
