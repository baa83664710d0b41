"""What git says of the code that memories name, and of the branch they were written on, in real repositories."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.acts.pages import memory as page_memory
from mdmem.acts.pages import search as page_search
from mdmem.acts.pages.request import PageRequest
from mdmem.note.memory import Memory
from mdmem.recall import ask
from mdmem.recall.ask import Query
from mdmem.recall.marks import Standpoint
from mdmem.session import start
from mdmem.session.start import PackRequest
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.write import edit
from mdmem.write import remember as intake
from mdmem.write.remember import Draft
from tests.bench import code as bench
from tests.conftest import NOW, Ran

Git = Callable[..., str]
Run = Callable[..., Ran]

AUTH = "src/auth.py"
TEXT = "import jwt\n\n\ndef check_token(token):\n    return jwt.decode(token)\n\n\nLIFETIME = 3600\n# the end\n"


class Shop:
    """A repository of code, and a vault in which memories of it are written."""

    def __init__(self, vault: Vault, folder: Path, git: Git) -> None:
        self.vault = vault
        self.folder = folder
        self._git = git
        self.when = "2026-03-01T11:00:00Z"
        self.caller = Caller(NOW, "claude-code", "conv-1", project="shop", folder=str(folder))

    def git(self, *args: str) -> str:
        return self._git(self.folder, *args, GIT_COMMITTER_DATE=self.when, GIT_AUTHOR_DATE=self.when)

    def write(self, path: str, text: str) -> None:
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def commit(self, message: str = "x") -> str:
        self.git("add", "-A")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def remember(self, text: str, **properties: Any) -> Memory:
        draft = intake.placed(Draft(text, {**properties}), "shop")
        path = intake.remember(self.vault, draft, self.caller).path
        return self.vault.get(path)

    def told(self, note: Memory, folder: Path | None = None) -> tuple[str, ...]:
        """What is said of a memory where somebody works."""
        [record] = self.vault.index.records_at([note.path])
        [said] = Standpoint(self.vault, str(folder or self.folder)).told([record])
        return said


def begun(shop: Shop) -> str:
    """What a new session in the repository is told."""
    who = shop.caller._replace(session="")
    return start.start(shop.vault, PackRequest(), who).page.text


@pytest.fixture
def shop(vault: Vault, tmp_path: Path, git: Git) -> Shop:
    folder = tmp_path / "shop"
    folder.mkdir()
    made = Shop(vault, folder, git)
    made.git("init", "--quiet")
    made.write(AUTH, TEXT)
    made.write("README.md", "# Shop\n")
    made.commit()
    return made


def code_of(note: Memory) -> list[str]:
    return [item.rpartition("@")[0] for item in note.strings("code")]


# -- what is noticed ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Authentication lives in src/auth.py, line 4.", ["src/auth.py:4"]),
        ("Tokens are decoded in auth.py:4-5.", ["src/auth.py:4-5"]),
        ("`check_token()` is the only place that decodes.", ["src/auth.py:4"]),
        ("`src/auth.py` has `LIFETIME`.", ["src/auth.py:8"]),  # the symbol says more than the file
        ("`jwt` is imported.", []),  # in two lines
        ("`check` is not a whole word.", []),
        ("check_token without backticks is a word.", []),
        ("See https://example.org/src/auth.py for more.", []),
        ("Nothing here, e.g. no file.", []),
        ("There was src/other.py once.", []),
        ("Siehe src/auth.py, Zeile 8.", ["src/auth.py:8"]),
        ('The readme is "README.md".', ["README.md"]),
    ],
)
def test_files_lines_and_symbols_are_noticed(shop: Shop, text: str, code: list[str]) -> None:
    assert code_of(shop.remember(text)) == code


def test_a_commit_is_noticed_by_its_beginning(shop: Shop) -> None:
    oid = shop.git("rev-parse", "HEAD")
    short = next(oid[:size] for size in range(7, 40) if not oid[:size].isdecimal() and not oid[:size].isalpha())
    assert shop.remember(f"Since {short} tokens expire.").strings("code") == (f"@{oid[:12]}",)
    assert shop.remember("The build deadbeef12 is unknown to git.").strings("code") == ()


def test_names_with_umlauts_and_spaces(shop: Shop) -> None:
    shop.write("docs/Über uns.md", "Wir\n")
    shop.commit()
    note = shop.remember("Wer wir sind, steht in `docs/Über uns.md`.")
    assert code_of(note) == ["docs/Über uns.md"]
    shop.git("mv", "docs/Über uns.md", "docs/Größe.md")
    shop.commit()
    assert shop.told(note) == ("docs/Über uns.md moved to docs/Größe.md",)


def test_a_name_is_read_from_the_folder_that_is_worked_in(shop: Shop) -> None:
    shop.write("lib/auth.py", "other\n")
    shop.commit()
    assert code_of(shop.remember("auth.py is named twice in this project.")) == []
    shop.caller = shop.caller._replace(folder=str(shop.folder / "lib"))
    assert code_of(shop.remember("From within a folder auth.py is clear.")) == ["lib/auth.py"]


def test_what_is_not_of_this_project_is_not_looked_up(shop: Shop) -> None:
    assert code_of(shop.remember("In src/auth.py it is the same.", project="bakery")) == []
    preference = shop.remember("User wants src/auth.py left alone.", type="preference")
    assert code_of(preference) == []


def test_no_git_is_run_for_a_text_that_names_nothing(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the default branch: what runs git for the code repository is made to fail."""
    from mdmem.store.git.codebase import Codebase

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("git was run")

    monkeypatch.setattr(Codebase, "_start", refuse)
    assert shop.remember("Deploys go out on Thursday, never on Friday.").meta.get("code") is None
    with pytest.raises(AssertionError):
        shop.remember("Deploys are described in docs/deploy.md.")


def test_an_edit_of_the_text_looks_again(shop: Shop) -> None:
    note = shop.remember("Authentication lives in src/auth.py.")
    shop.write(AUTH, TEXT.replace("3600", "60"))
    shop.commit()
    assert shop.told(note) == ("src/auth.py changed since",)
    [record] = shop.vault.index.records_at([note.path])
    edit.update_all(shop.vault, [record], edit.Edit({"confidence": 0.9}), shop.caller)
    assert shop.told(note) == ("src/auth.py changed since",)  # nobody said that it still holds
    edit.update_all(shop.vault, [record], edit.Edit({"code": None}), shop.caller)
    assert shop.told(note) == ()
    assert code_of(shop.vault.get(note.path)) == ["src/auth.py"]
    edit.update_all(shop.vault, [record], edit.Edit(append="The lifetime is in `LIFETIME`."), shop.caller)
    assert code_of(shop.vault.get(note.path)) == ["src/auth.py:8"]


# -- what became of it -------------------------------------------------------------------------------------


def test_a_change_elsewhere_in_the_file_says_nothing_of_lines(shop: Shop) -> None:
    whole = shop.remember("Authentication lives in src/auth.py.")
    lines = shop.remember("Tokens are checked in src/auth.py:4-5.")
    shop.write(AUTH, TEXT.replace("# the end", "# the very end"))
    shop.commit()
    assert (shop.told(whole), shop.told(lines)) == (("src/auth.py changed since",), ())
    shop.write(AUTH, "# new\n" + TEXT)
    shop.commit()
    assert shop.told(lines) == ("src/auth.py:4-5 moved to src/auth.py:5-6",)
    shop.write(AUTH, TEXT.replace("jwt.decode(token)", "jwt.verify(token)"))
    shop.commit()
    assert shop.told(lines) == ("src/auth.py:4-5 changed since",)


def test_the_end_of_a_file_is_no_empty_line(shop: Shop) -> None:
    note = shop.remember("Tokens are decoded in src/auth.py:5-6.")  # the second is empty
    shop.write(AUTH, "\n\n" + TEXT.partition("\n\n\nLIFETIME")[0] + "\n")
    shop.commit()
    assert shop.told(note) == ("src/auth.py:5-6 changed since",)


def test_a_rename_and_a_rename_with_edits_are_followed(shop: Shop) -> None:
    note = shop.remember("Tokens are checked by `check_token`.")
    whole = shop.remember("Authentication lives in src/auth.py.")
    shop.git("mv", AUTH, "src/middleware.py")
    shop.commit()
    assert shop.told(note) == ("src/auth.py:4 moved to src/middleware.py:4",)
    (shop.folder / "lib").mkdir()
    shop.git("mv", "src/middleware.py", "lib/middleware.py")
    shop.write("lib/middleware.py", "# moved\n" + TEXT.replace("3600", "60"))
    shop.commit()
    assert shop.told(note) == ("src/auth.py:4 moved to lib/middleware.py:5",)
    assert shop.told(whole) == ("src/auth.py moved to lib/middleware.py",)
    shop.git("rm", "--quiet", "lib/middleware.py")
    shop.commit()
    assert (shop.told(note), shop.told(whole)) == (("src/auth.py:4 gone",), ("src/auth.py gone",))


def test_a_copy_made_in_one_commit_and_a_deletion_in_the_next_is_a_move(shop: Shop) -> None:
    note = shop.remember("Authentication lives in src/auth.py.")
    shop.write("lib/auth.py", TEXT)
    shop.commit()
    shop.git("rm", "--quiet", AUTH)
    shop.commit()
    assert shop.told(note) == ("src/auth.py moved to lib/auth.py",)


def test_a_rename_on_a_branch_that_was_merged_is_followed(shop: Shop) -> None:
    note = shop.remember("Authentication lives in src/auth.py.")
    shop.git("switch", "--quiet", "-c", "move")
    shop.git("mv", AUTH, "src/tokens.py")
    shop.commit()
    shop.git("switch", "--quiet", "main")
    shop.write(AUTH, TEXT + "# more\n")
    shop.commit()
    shop.git("merge", "--quiet", "--no-edit", "move")
    assert shop.told(note) == ("src/auth.py moved to src/tokens.py",)


def test_a_file_that_lived_only_on_a_merged_branch_is_found(shop: Shop) -> None:
    """Both parents of the merge lack the path: git's usual walk would not look into the branch."""
    shop.git("switch", "--quiet", "-c", "feature")
    shop.write("src/draft.py", TEXT.upper())
    shop.commit()
    note = shop.remember("The draft is src/draft.py.")
    shop.git("mv", "src/draft.py", "src/final.py")
    shop.write("src/final.py", TEXT.upper() + "# DONE\n")
    shop.commit()
    shop.git("switch", "--quiet", "main")
    shop.write("README.md", "# The shop\n")
    shop.commit()
    shop.git("merge", "--quiet", "--no-ff", "--no-edit", "feature")
    assert shop.told(note) == ("src/draft.py moved to src/final.py",)


def test_an_earlier_file_of_the_same_name_is_another_one(shop: Shop) -> None:
    shop.git("mv", AUTH, "src/old.py")
    shop.commit()
    shop.write(AUTH, "nothing = 'alike'\n" * 9)
    shop.commit()
    note = shop.remember("Authentication lives in src/auth.py.")
    shop.git("rm", "--quiet", AUTH)
    shop.commit()
    assert shop.told(note) == ("src/auth.py gone",)
    (shop.folder / "elsewhere.py").write_text("nothing = 'alike'\n" * 9)
    shop.commit()
    assert shop.told(note) == ("src/auth.py moved to elsewhere.py",)  # asked anew when HEAD moved


def test_a_commit_that_no_ref_holds_is_gone(shop: Shop) -> None:
    shop.write("README.md", "a try\n")
    oid = shop.commit()
    note = shop.remember(f"The try was commit `{oid}`.")
    assert shop.told(note) == ()
    shop.git("reset", "--quiet", "--hard", "HEAD~1")
    assert shop.told(note) == (f"commit {oid[:12]} gone",)


def test_another_repository_of_the_same_name_is_not_judged(shop: Shop, tmp_path: Path, git: Git) -> None:
    note = shop.remember("Authentication lives in src/auth.py.")
    other = tmp_path / "elsewhere/shop"
    other.mkdir(parents=True)
    git(other, "init", "--quiet")
    git(other, "commit", "--quiet", "--allow-empty", "-m", "x")
    assert shop.told(note, other) == ()
    (other / "src").mkdir()
    (other / AUTH).write_text("other\n")
    git(other, "add", ".")
    git(other, "commit", "--quiet", "-m", "x")
    assert shop.told(note, other) == ()


def test_a_memory_of_another_project_is_not_judged(shop: Shop, tmp_path: Path, git: Git) -> None:
    note = shop.remember("Authentication lives in src/auth.py.")
    git(tmp_path, "clone", "--quiet", str(shop.folder), "bakery")
    git(tmp_path / "bakery", "rm", "--quiet", AUTH)
    git(tmp_path / "bakery", "commit", "--quiet", "-m", "x")
    assert shop.told(note, tmp_path / "bakery") == ()
    assert shop.told(note, tmp_path) == ()  # in no repository


def test_a_shallow_clone_says_what_it_can(shop: Shop, tmp_path: Path, git: Git) -> None:
    stays = shop.remember("The readme is README.md.")
    changed = shop.remember("Authentication lives in src/auth.py.")
    shop.write("src/lost.py", "x = 1\n")
    shop.commit()
    gone = shop.remember("Losses are in src/lost.py.")
    shop.write(AUTH, TEXT.replace("3600", "60"))
    shop.git("rm", "--quiet", "src/lost.py")
    shop.commit()
    shop.commit()
    clone = tmp_path / "clone/shop"
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{shop.folder}", str(clone))
    assert (shop.told(stays, clone), shop.told(gone, clone)) == ((), ())
    assert shop.told(changed, clone) == ("src/auth.py changed since",)
    assert shop.told(gone) == ("src/lost.py gone",)


def test_a_detached_head_and_a_bare_repository(shop: Shop, tmp_path: Path, git: Git) -> None:
    before = shop.git("rev-parse", "HEAD")
    note = shop.remember("Authentication lives in src/auth.py.")
    shop.git("rm", "--quiet", AUTH)
    shop.commit()
    git(tmp_path, "clone", "--quiet", "--bare", str(shop.folder), "hub/shop.git")
    assert shop.told(note, tmp_path / "hub/shop.git") == ("src/auth.py gone",)
    shop.git("checkout", "--quiet", before)
    assert shop.told(note) == ()
    assert "branch" not in shop.remember("A note at a detached HEAD.").meta


def test_a_repository_without_a_commit(vault: Vault, tmp_path: Path, git: Git) -> None:
    (tmp_path / "shop").mkdir()
    made = Shop(vault, tmp_path / "shop", git)
    made.git("init", "--quiet")
    note = made.remember("Authentication will live in src/auth.py.", code="src/auth.py@0123456789ab")
    assert made.told(note) == ()


def test_a_path_that_leads_out_spoils_nothing(shop: Shop) -> None:
    """git gives up a whole batch for a relative path; a note may hold any text."""
    out = shop.remember("Whatever there is.", code=["../x@0123456", "/etc/passwd", "a\nb@0123456"])
    note = shop.remember("Authentication lives in src/auth.py.")
    shop.git("rm", "--quiet", AUTH)
    shop.commit()
    odd = "allmemories/note_by_hand_is_odd.md"
    head = 'project: shop\nbranch: "x\\0y"\ncode: ["a\\0b@0123456", "\\uD800@0123456", {}, 7]'
    (Path(shop.vault.root) / odd).write_text(f"---\n{head}\n---\n\nOdd.\n")
    shop.vault.look_again()
    records = shop.vault.index.records_at([out.path, note.path, odd])
    assert len(records) == 3
    said = Standpoint(shop.vault, str(shop.folder)).told(records)
    assert sorted(said) == [(), (), ("src/auth.py gone",)]


def test_settings_of_the_repository_run_no_program(shop: Shop, tmp_path: Path) -> None:
    """Each setting and attribute that names a program would leave a mark behind."""
    mark = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {mark}\nexit 1\n")
    program.chmod(0o755)
    shop.write(".gitattributes", "* diff=bad filter=bad merge=bad\n")
    shop.commit()
    note = shop.remember("Tokens are checked by `check_token` in src/auth.py.")
    shop.git("switch", "--quiet", "-c", "feature")
    shop.write("README.md", "# On a branch\n")
    shop.commit()
    own = shop.remember("The branch has a readme of its own.")
    shop.git("switch", "--quiet", "main")
    shop.git("mv", AUTH, "src/tokens.py")
    shop.commit()
    for key in (
        *("core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "core.alternateRefsCommand"),
        *("diff.external", "diff.bad.textconv", "diff.bad.command", "merge.bad.driver", "gpg.program"),
        *("filter.bad.clean", "filter.bad.smudge", "filter.bad.process", "uploadpack.packObjectsHook"),
        *("pager.log", "pager.grep", "credential.helper", "remote.origin.uploadpack"),
    ):
        shop.git("config", key, str(program))
    for key, value in (
        *(("log.showSignature", "true"), ("core.hooksPath", str(tmp_path)), ("color.grep", "always")),
        *(("remote.origin.url", f"ext::{program}"), ("remote.origin.promisor", "true")),
        *(("extensions.partialClone", "origin"), ("protocol.ext.allow", "always"), ("diff.renames", "false")),
        *(("core.repositoryFormatVersion", "1"), ("grep.patternType", "perl"), ("diff.renameLimit", "1")),
        *(("submodule.recurse", "true"), ("diff.noprefix", "true"), ("core.quotePath", "true")),
    ):
        shop.git("config", key, value)
    mark.unlink(missing_ok=True)
    assert shop.told(note) == ("src/auth.py:4 moved to src/tokens.py:4",)
    assert shop.told(own) == ("branch feature",)
    unknown = shop.remember(f"Nobody knows {'1' * 40}, see `check_token`, README.md.")  # a clone would fetch it
    assert code_of(unknown) == ["README.md", "src/tokens.py:4"]
    assert not mark.exists()


# -- branches ----------------------------------------------------------------------------------------------


def on_a_branch(shop: Shop, text: str = "On the branch tokens expire after an hour.") -> Memory:
    """A memory written on the branch `feature` after its first commit; `main` is checked out again."""
    shop.git("switch", "--quiet", "-c", "feature")
    shop.write("src/feature.py", "HOUR = 3600\n")
    shop.commit("feature")
    note = shop.remember(text)
    shop.git("switch", "--quiet", "main")
    return note


def test_a_branch_is_told_elsewhere_until_it_is_merged(shop: Shop) -> None:
    plain = shop.remember("Tokens are signed.")
    note = on_a_branch(shop)
    assert "branch" not in plain.meta
    assert note.text("branch").startswith("feature@")
    assert shop.told(note) == ("branch feature",)
    shop.git("switch", "--quiet", "feature")
    assert shop.told(note) == ()
    shop.git("switch", "--quiet", "-c", "further")  # it has what the memory is about
    assert shop.told(note) == ()
    shop.git("switch", "--quiet", "main")
    assert shop.told(note) == ("branch feature",)
    shop.git("merge", "--quiet", "--no-ff", "--no-edit", "feature")
    assert shop.told(note) == ()
    shop.git("branch", "--quiet", "-d", "feature")
    assert shop.told(note) == ()


def test_a_memory_from_before_the_first_commit_of_a_branch(shop: Shop) -> None:
    """Its HEAD is part of the default branch from the beginning, which is no merge."""
    shop.git("switch", "--quiet", "-c", "feature")
    note = shop.remember("The feature will have tokens that expire.")
    assert note.text("branch") == "feature"
    shop.git("switch", "--quiet", "main")
    assert shop.told(note) == ("branch feature",)
    shop.git("switch", "--quiet", "feature")
    shop.write("src/feature.py", "HOUR = 3600\n")
    shop.when = "2026-03-01T13:00:00Z"
    shop.commit()
    shop.git("switch", "--quiet", "main")
    assert shop.told(note) == ("branch feature",)
    shop.git("merge", "--quiet", "--ff-only", "feature")
    assert shop.told(note) == ()
    shop.git("branch", "--quiet", "-d", "feature")
    assert shop.told(note) == ()  # it was seen when it was merged


@pytest.mark.parametrize("is_rebased", [False, True])
def test_a_squash_and_a_rebase_are_merges(shop: Shop, is_rebased: bool) -> None:
    shop.git("switch", "--quiet", "-c", "feature")
    for number in range(2):
        shop.write(f"src/feature{number}.py", f"NUMBER = {number}\n")
        shop.commit()
    note = shop.remember("The feature has two numbers.")
    shop.git("switch", "--quiet", "main")
    shop.write("README.md", "# Meanwhile\n")
    shop.commit()
    assert shop.told(note) == ("branch feature",)
    if is_rebased:
        shop.git("cherry-pick", "main..feature")
    else:
        shop.git("merge", "--quiet", "--squash", "feature")
        shop.commit("all of the feature")
    shop.git("branch", "--quiet", "-D", "feature")
    assert shop.told(note) == ()


def test_a_branch_that_was_deleted_unmerged_is_asked_about(shop: Shop, mdmem: Run) -> None:
    note = on_a_branch(shop)
    shop.git("branch", "--quiet", "-D", "feature")
    assert shop.told(note) == ("branch feature, which git does not have here",)
    ran = mdmem("doctor", "--code", shop.folder, "--vault", shop.vault.root)
    assert f"git has no branch feature any more, and no merge of it: {note.name}" in ran.out


def test_a_session_asks_once_about_a_branch_that_was_deleted_unmerged(shop: Shop) -> None:
    note = on_a_branch(shop)
    asked = (
        f"no branch feature any more, and no merge of it. Does what was written there hold for all? {note.name}:"
    )
    assert asked not in begun(shop)
    shop.git("branch", "--quiet", "-D", "feature")
    assert asked in begun(shop)
    assert asked not in begun(shop)


def test_the_default_branch_is_that_of_the_remote(shop: Shop, tmp_path: Path, git: Git) -> None:
    shop.git("branch", "--quiet", "-m", "main", "trunk")
    git(tmp_path, "clone", "--quiet", str(shop.folder), "clone/shop")
    clone = Shop(shop.vault, tmp_path / "clone/shop", git)
    assert "branch" not in clone.remember("This is the trunk.").meta
    note = on_a_branch_of(clone, "trunk")
    assert clone.told(note) == ("branch feature",)


def on_a_branch_of(shop: Shop, default: str) -> Memory:
    shop.git("switch", "--quiet", "-c", "feature")
    shop.commit()
    note = shop.remember("A branch of the trunk.")
    shop.git("switch", "--quiet", default)
    return note


def test_other_branches_rank_below_and_say_so(shop: Shop) -> None:
    note = on_a_branch(shop, "Tokens expire after an hour, tokens are short.")
    other = shop.remember(
        "The lifetime of tokens and all else is in the settings of the shop, far away from here."
    )
    query = Query(("tokens",), project="shop", folder=str(shop.folder))
    answers = ask.ask(shop.vault, query, NOW)
    assert [answer.hit.record.path for answer in answers] == [other.path, note.path]
    assert [answer.marks for answer in answers] == [(), ("branch feature",)]
    shop.git("switch", "--quiet", "feature")
    assert [answer.hit.record.path for answer in ask.ask(shop.vault, query, NOW)] == [note.path, other.path]


def test_worktrees_are_one_project_and_each_has_its_branch(shop: Shop, tmp_path: Path) -> None:
    shop.git("worktree", "add", "--quiet", "-b", "feature", str(tmp_path / "tree"))
    tree = Shop(shop.vault, tmp_path / "tree", shop._git)
    tree.write("src/feature.py", "HOUR = 3600\n")
    tree.commit()
    note = tree.remember("The worktree has src/feature.py.")
    assert (note.text("project"), code_of(note)) == ("shop", ["src/feature.py"])
    assert (tree.told(note), shop.told(note)) == ((), ("branch feature",))


def test_worktrees_of_a_bare_repository_are_one_project(shop: Shop, tmp_path: Path, git: Git) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(shop.folder), "hub/shop.git")
    for name in ("one", "two"):
        git(tmp_path / "hub/shop.git", "worktree", "add", "--quiet", "-b", name, str(tmp_path / "hub" / name))
    assert shop.vault.repo.project_at(str(tmp_path / "hub/one")) == "shop"
    assert shop.vault.repo.project_at(str(tmp_path / "hub/two")) == "shop"


def test_the_page_shows_the_marks(shop: Shop) -> None:
    note = shop.remember("Authentication lives in src/auth.py.")
    shop.git("rm", "--quiet", AUTH)
    shop.commit()
    asked = PageRequest(NOW, note.path, folder=str(shop.folder))
    assert page_memory.read(shop.vault, asked)["marks"] == ["src/auth.py gone"]
    assert page_memory.read(shop.vault, asked._replace(folder=""))["marks"] == []
    [answer] = page_search.read(shop.vault, asked._replace(given={"q": "authentication"}))["answers"]
    assert answer["marks"] == ["src/auth.py gone"]


def test_a_vault_within_the_repository_of_the_code(
    tmp_path: Path, git: Git, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its memories are all of that project, and what they say is no code."""
    folder = tmp_path / "shop"
    git(tmp_path, "init", "--quiet", "shop")
    (folder / "auth.py").write_text(TEXT)
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "x")
    monkeypatch.chdir(folder)
    mdmem("init", "notes")
    vault = ("--vault", "notes")
    mdmem("remember", "Tokens are checked by `check_token` in auth.py.", *vault)
    mdmem("remember", "Only `check_token` decodes, nothing else does.", *vault)
    assert [line.partition("@")[0] for line in git(folder, "grep", "-h", "auth.py:").split("\n")] == (
        ["  - auth.py:4"] * 2
    )
    git(folder, "mv", "auth.py", "tokens.py")
    git(folder, "commit", "--quiet", "-m", "x")
    assert "auth.py:4 moved to tokens.py:4" in mdmem("recall", "decodes", *vault).out
    git(folder, "switch", "--quiet", "-c", "feature")
    mdmem("remember", "The feature has longer tokens.", *vault)
    git(folder, "switch", "--quiet", "main")
    git(folder, "merge", "--quiet", "feature")
    assert "longer" in mdmem("recall", "longer", *vault).out


# -- against brute force -----------------------------------------------------------------------------------


def test_every_verdict_on_a_long_history_is_that_of_a_walk_through_it(vault: Vault, tmp_path: Path) -> None:
    bench.build(tmp_path / "code")
    right, wrong = bench.compare(vault, tmp_path / "code")
    assert wrong == []
    assert right["gone"] >= 10
    assert right["moved to"] >= 10
    assert right["changed since"] >= 5


def test_names_are_found_once_as_a_walk_finds_them(tmp_path: Path) -> None:
    bench.build(tmp_path / "code", commits=2)
    (tmp_path / "code/words.txt").write_text("alpha_one beta_two\nbeta_two gamma\nalpha_onesome deltas\n")
    subprocess.run(["git", "add", "."], cwd=tmp_path / "code", check=True)
    subprocess.run(["git", "commit", "-qm", "x"], cwd=tmp_path / "code", check=True)
    once, wrong = bench.symbols(tmp_path / "code")
    assert (once >= 4, wrong) == (True, [])


def test_the_marks_are_part_of_what_is_printed(shop: Shop, mdmem: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.remember("Authentication lives in src/auth.py.")
    shop.remember("Keep src/auth.py small.", pinned=True)
    shop.git("rm", "--quiet", AUTH)
    shop.commit()
    monkeypatch.chdir(shop.folder)
    vault = ("--vault", shop.vault.root)
    for line in (
        ("recall", "authentication"),
        ("recall", "authentication", "--budget", "200"),
        ("session", "start"),
    ):
        assert "src/auth.py gone" in mdmem(*line, *vault).out, line
    assert '"marks": [' in mdmem("recall", "authentication", "--json", *vault).out
    out = mdmem("doctor", "--code", ".", *vault).out
    assert "names src/auth.py gone" in out
