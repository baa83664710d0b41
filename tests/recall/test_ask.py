"""What a question to a vault brings: cited, as of any date, at a depth, within a budget."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mdmem.errors import NotFoundError, UsageError
from mdmem.history import past
from mdmem.note import excerpt, tokens
from mdmem.note.filters import Filter
from mdmem.note.trust.sensitivity import Clearance
from mdmem.recall import ask, prompt
from mdmem.store.index import citation, snapshot
from mdmem.store.local import usage
from mdmem.store.vault.vault import Vault

Git = Callable[..., str]
Write = Callable[[str, str | bytes], Path]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def asked(root: Path, *texts: str, **how: object) -> list[ask.Answer]:
    with Vault.open(str(root)) as vault:
        return ask.ask(vault, ask.Query(texts, **how), NOW)  # type: ignore[arg-type]


def names(answers: Sequence[ask.Answer]) -> list[str]:
    return [answer.hit.record.name for answer in answers]


def saved(git: Git, root: Path, day: str) -> str:
    """Commit everything as of a day; the commit."""
    git(root, "add", "--all")
    moment = f"{day}T12:00:00Z"
    git(root, "commit", "--quiet", "-m", day, GIT_AUTHOR_DATE=moment, GIT_COMMITTER_DATE=moment)
    return git(root, "rev-parse", "HEAD")


# -- citations


def test_each_hit_names_the_commit_that_last_touched_its_line(root: Path, write: Write, git: Git) -> None:
    """An edit elsewhere in the note is not the one that wrote the line."""
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n\nFridays only.\n")
    first = saved(git, root, "2026-01-01")
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n\nMondays only.\n")
    second = saved(git, root, "2026-01-02")
    write("allmemories/another_note_of_ours.md", "Nothing.\n")
    saved(git, root, "2026-01-03")
    for question, line, commit in (("turing", 1, first), ("mondays", 3, second)):
        (found,) = asked(root, question)
        assert (found.hit.line, found.commit) == (line, commit)


def test_a_line_older_than_all_versions_that_are_looked_at_is_cited(
    root: Path, write: Write, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not by the oldest of those versions, which only kept the line."""
    monkeypatch.setattr(citation, "_MOST", 3)
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    first = saved(git, root, "2026-01-01")
    for day in range(2, 7):
        write("allmemories/the_deploy_server_is.md", f"Deploys run on turing.\n\nSeen on day {day}.\n")
        saved(git, root, f"2026-01-0{day}")
    assert [found.commit for found in asked(root, "turing")] == [first]


def test_a_line_that_is_not_committed_names_no_commit(root: Path, write: Write, git: Git) -> None:
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    first = saved(git, root, "2026-01-01")
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\nRollbacks run on hopper.\n")
    write("allmemories/a_note_without_commit.md", "Lovelace is new.\n")
    assert [found.commit for found in asked(root, "hopper")] == [""]
    assert [found.commit for found in asked(root, "turing")] == [first]
    assert [found.commit for found in asked(root, "lovelace")] == [""]


def test_a_line_that_came_back_belongs_to_the_commit_that_brought_it(root: Path, write: Write, git: Git) -> None:
    path = "allmemories/the_deploy_server_is.md"
    write(path, "Deploys run on turing.\n")
    saved(git, root, "2026-01-01")
    write(path, "Deploys run on hopper.\n")
    saved(git, root, "2026-01-02")
    write(path, "Deploys run on turing.\n")
    back = saved(git, root, "2026-01-03")
    assert [found.commit for found in asked(root, "turing")] == [back]


def test_what_an_undo_or_restore_brought_back_is_cited_by_the_commit_that_wrote_it(
    root: Path, mdmem: Callable[..., object], git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it was taken away and brought back twice. What is new is cited as before."""
    monkeypatch.chdir(root)
    mdmem("remember", "Deploys run on turing.", "--name", "deploys_run_somewhere")
    first = git(root, "rev-parse", "HEAD")
    mdmem("update", "deploys_run_somewhere", "--body", "Deploys run on hopper.\n\nFridays only.")
    mdmem("undo", "--last", "1")
    assert [found.commit for found in asked(root, "turing")] == [first]
    mdmem("forget", "deploys_run_somewhere")
    mdmem("restore", "deploys_run_somewhere")
    mdmem("update", "deploys_run_somewhere", "--append", "Never on Fridays.")
    assert [found.commit for found in asked(root, "turing")] == [first]
    assert [found.commit for found in asked(root, "fridays")] == [git(root, "rev-parse", "HEAD")]
    with Vault.open(str(root)) as vault:
        _, blamed = past.blame(vault, "deploys_run_somewhere")
    writers = {line.text: (line.commit, line.action) for line in blamed}
    assert writers["Deploys run on turing."] == (first, "create")
    assert writers["Never on Fridays."] == (git(root, "rev-parse", "HEAD"), "revise")


def test_a_renamed_note_is_cited_by_the_commit_that_wrote_the_line(root: Path, write: Write, git: Git) -> None:
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    first = saved(git, root, "2026-01-01")
    git(root, "mv", "allmemories/the_deploy_server_is.md", "allmemories/where_the_deploys_run.md")
    saved(git, root, "2026-01-02")
    assert [found.commit for found in asked(root, "turing")] == [first]


@pytest.mark.parametrize(
    "text", ["Deploys\u00a0run on turing\u3000", "\ufeffDeploys run on turing", "Ops\rturing\r"]
)
def test_a_line_of_odd_signs_is_cited(root: Path, write: Write, git: Git, text: str) -> None:
    """White space and line ends that bytes and texts see otherwise."""
    write("allmemories/the_deploy_server_is.md", f"{text}\n".encode())
    first = saved(git, root, "2026-01-01")
    write("allmemories/the_deploy_server_is.md", f"{text}\nmore\n".encode())
    saved(git, root, "2026-01-02")
    assert [found.commit for found in asked(root, "turing")] == [first]
    assert [found.commit for found in asked(root, "turing", as_of="HEAD")] == [first]


def test_a_line_that_a_merge_brought_is_cited_by_its_own_commit(root: Path, write: Write, git: Git) -> None:
    path = "allmemories/the_deploy_server_is.md"
    write(path, "Deploys run on turing.\n\nWhen?\n\nMondays.\n")
    saved(git, root, "2026-01-01")
    git(root, "checkout", "--quiet", "-b", "side")
    write(path, "Deploys run on hopper.\n\nWhen?\n\nMondays.\n")
    side = saved(git, root, "2026-01-02")
    git(root, "checkout", "--quiet", "main")
    write(path, "Deploys run on turing.\n\nWhen?\n\nFridays.\n")
    main = saved(git, root, "2026-01-03")
    git(root, "merge", "--quiet", "side")
    write(path, "Deploys run on hopper.\n\nWhen?\n\nFridays.\n\nLovelace.\n")
    saved(git, root, "2026-01-04")
    for question, commit in (("hopper", side), ("fridays", main)):
        assert [found.commit for found in asked(root, question)] == [commit]
        assert [found.commit for found in asked(root, question, as_of="HEAD~1")] == [commit]


def test_a_conflict_resolved_in_a_merge_is_cited_by_the_merge(root: Path, write: Write, git: Git) -> None:
    path = "allmemories/the_deploy_server_is.md"
    for branch, text in (("main", "turing"), ("side", "hopper"), ("main", "lovelace")):
        git(root, "checkout", "--quiet", "-B" if branch == "side" else "-q", branch)
        write(path, f"Deploys run on {text}.\n")
        saved(git, root, "2026-01-01")
    git(root, "merge", "side", code=1)
    write(path, "Deploys run on babbage.\n")
    merge = saved(git, root, "2026-01-02")
    assert [found.commit for found in asked(root, "babbage")] == [merge]


def test_a_line_that_is_there_twice_is_cited_by_its_place(root: Path, write: Write, git: Git) -> None:
    write("allmemories/the_deploy_server_is.md", "- turing\n")
    saved(git, root, "2026-01-01")
    write("allmemories/the_deploy_server_is.md", "- hopper\n\n- turing\n- more\n- turing\n")
    saved(git, root, "2026-01-02")
    (found,) = asked(root, "turing")
    assert git(
        root, "blame", "-s", "-l", f"-L{found.hit.line},{found.hit.line}", found.hit.record.path
    ).startswith(found.commit)


# -- as of


def test_a_branch_that_was_not_merged_is_cited_by_its_own_commits(root: Path, write: Write, git: Git) -> None:
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    first = saved(git, root, "2026-01-01")
    git(root, "checkout", "--quiet", "-b", "side")
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\nRollbacks on hopper.\n")
    side = saved(git, root, "2026-01-02")
    write("allmemories/another_note_of_ours.md", "Lovelace.\n")
    saved(git, root, "2026-01-03")
    git(root, "checkout", "--quiet", "main")
    assert [found.commit for found in asked(root, "hopper", as_of="side")] == [side]
    assert [found.commit for found in asked(root, "turing", as_of="side")] == [first]


def test_commits_of_one_second_are_told_apart(root: Path, write: Write, git: Git) -> None:
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    first = saved(git, root, "2026-01-01")
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\nOr hopper.\n")
    second = saved(git, root, "2026-01-01")
    write("allmemories/the_deploy_server_is.md", "Deploys run on lovelace.\nOr hopper.\n")
    saved(git, root, "2026-01-01")
    assert [found.commit for found in asked(root, "turing", as_of=first)] == [first]
    assert [found.commit for found in asked(root, "turing", as_of=second)] == [first]
    assert [found.commit for found in asked(root, "hopper", as_of="HEAD")] == [second]


def test_the_settings_of_then_say_what_was_a_memory(root: Path, write: Write, git: Git) -> None:
    """The folder was moved, and a part left out, since: the past is as a checkout of it would show it."""
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    write("allmemories/drafts/plan_for_deploys_is.md", "Deploys run on hopper, some day.\n")
    saved(git, root, "2026-01-01")
    git(root, "mv", "allmemories", "notes")
    (root / "mdmem.toml").write_text('id = "test"\nmemories = "notes"\nexclude = ["notes/drafts"]\n')
    saved(git, root, "2026-01-02")
    assert names(asked(root, "deploys")) == ["the_deploy_server_is"]
    assert names(asked(root, "deploys", as_of="HEAD")) == ["the_deploy_server_is"]
    assert set(names(asked(root, "deploys", as_of="HEAD~1"))) == {"the_deploy_server_is", "plan_for_deploys_is"}
    git(root, "rm", "--quiet", "--cached", "mdmem.toml")
    git(root, "commit", "--quiet", "-m", "no settings")
    assert names(asked(root, "deploys", as_of="HEAD")) == ["the_deploy_server_is"]  # none then: those of now


def test_a_page_of_a_snapshot_that_is_damaged_does_no_harm(root: Path, write: Write, git: Git) -> None:
    for number in range(30):
        write(f"allmemories/the_deploy_server_{number}.md", f"Deploys run on turing {number}. " * 50)
    saved(git, root, "2026-01-01")
    asked(root, "turing", as_of="HEAD")
    (snapshot,) = (root / ".mdmem" / "past").iterdir()
    sound = snapshot.read_bytes()
    snapshot.write_bytes(sound[:8192] + b"\xff" * (len(sound) - 8192))
    for _ in range(2):
        assert len(asked(root, "turing", as_of="HEAD")) == 10
    assert snapshot.read_bytes()[8192:] != b"\xff" * (len(sound) - 8192)


def test_a_snapshot_without_content_is_made_again(
    root: Path, write: Write, git: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty file is a sound database: opened like an index, it would be a past without a memory."""
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    saved(git, root, "2026-01-01")
    asked(root, "turing", as_of="HEAD")
    (snapshot,) = (root / ".mdmem" / "past").iterdir()
    snapshot.write_bytes(b"")
    assert names(asked(root, "turing", as_of="HEAD")) == ["the_deploy_server_is"]
    assert snapshot.stat().st_size > 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_damaged_index_does_not_live_on_in_snapshots(root: Path, write: Write, git: Git, share: float) -> None:
    """A copy takes damaged pages along without a word."""
    for number in range(60):
        write(f"allmemories/the_deploy_server_{number}.md", f"Deploys run on turing {number}. " * 50)
    saved(git, root, "2026-01-01")
    expected = asked(root, "turing 7")
    for wal in (root / ".mdmem").glob("index.sqlite-*"):
        wal.unlink()
    index = root / ".mdmem" / "index.sqlite"
    data = bytearray(index.read_bytes())
    at = int(share * len(data)) // 4096 * 4096
    data[at : at + 16384] = b"\xff" * 16384
    index.write_bytes(data)
    for _ in range(2):
        assert names(asked(root, "turing 7", as_of="HEAD")) == names(expected)
    assert names(asked(root, "turing 7")) == names(expected)


def test_drafts_that_a_dead_process_left_are_cleared(root: Path, write: Write, git: Git) -> None:
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    saved(git, root, "2026-01-01")
    past = root / ".mdmem" / "past"
    past.mkdir(parents=True)
    for name in ("0123.sqlite.77", "0123.sqlite.77-journal", "4567.sqlite.88"):
        (past / name).write_bytes(b"half")
    os.utime(past / "0123.sqlite.77", (0, 0))
    os.utime(past / "0123.sqlite.77-journal", (0, 0))
    assert asked(root, "turing", as_of="HEAD")
    left = {place.name for place in past.iterdir() if not place.name.endswith(".sqlite")}
    assert left == {"4567.sqlite.88"}  # it may still be written


def test_the_past_is_asked_as_it_was(root: Path, write: Write, git: Git) -> None:
    """Deleted, changed, renamed and later notes: the answer is that of the day, and no file moves."""
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    write("allmemories/the_old_plan_was.md", "Move deploys to the cloud.\n")
    first = saved(git, root, "2026-01-01")
    write("allmemories/the_deploy_server_is.md", "Deploys run on hopper.\n")
    git(root, "rm", "--quiet", "allmemories/the_old_plan_was.md")
    write("allmemories/new_deploy_rule_applies.md", "Deploys need a review.\n")
    saved(git, root, "2026-02-01")
    write("allmemories/the_deploy_server_is.md", "Deploys run on lovelace, not committed.\n")
    before = git(root, "status", "--porcelain")
    for as_of in ("2026-01-15", first, "HEAD~1"):
        found = asked(root, "deploys", as_of=as_of)
        assert set(names(found)) == {"the_deploy_server_is", "the_old_plan_was"}
        assert {answer.commit for answer in found} == {first}
        assert "turing" in "".join(answer.hit.text for answer in found)
    assert set(names(asked(root, "deploys", as_of="HEAD"))) == {"the_deploy_server_is", "new_deploy_rule_applies"}
    assert names(asked(root, "lovelace", as_of="HEAD")) == []
    assert names(asked(root, "lovelace")) == ["the_deploy_server_is"]
    assert git(root, "status", "--porcelain") == before


WRITTEN_THEN = {
    "possibly": "The possibility of rain.",
    "jose": "José has the keys.",
    "José": "Jose\u0301 has the keys.",
    "机器": "机器学习很难。",
    "习": "机器学习很难。",
    "café": '---\ntitle: "Caf\\u00e9 menu"\n---\nPrices.',
    "todo": "---\ncategory: future\n---\nBuy a boat.",
    "c": "Written in C, by hand.",
    "turning": "It turns.",
    "keyed": "The key.",
    "lovelaec": "Ask Lovelace.",
}


@pytest.mark.parametrize("question", WRITTEN_THEN)
def test_a_note_that_changed_is_found_by_each_word_it_had(
    root: Path, write: Write, git: Git, question: str
) -> None:
    """In any form of it, and however it is written; the words of now that are gone then bring nothing."""
    texts = [WRITTEN_THEN[question], "Nothing else."]
    write("allmemories/what_was_said_then.md", texts[0])
    write("allmemories/quite_another_subject_here.md", texts[1])
    write("allmemories/she_said_lovelace.md", "Lovelace.")
    saved(git, root, "2026-01-01")
    now = names(asked(root, question))
    for name in ("what_was_said_then", "quite_another_subject_here"):
        write(f"allmemories/{name}.md", "Changed.")
    saved(git, root, "2026-02-01")
    then = names(asked(root, question, as_of="2026-01-15"))
    assert now
    assert then == now
    assert names(asked(root, "changed", as_of="2026-01-15")) == []


def test_what_a_changed_note_said_of_others_holds_then(root: Path, write: Write, git: Git) -> None:
    """In none of the words that are asked for: that it replaces a note, is hidden, or of which month."""
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    write("allmemories/the_newer_machine_is.md", '---\nsupersedes: "[[the_deploy_server_is]]"\n---\nHopper.\n')
    write("allmemories/secret_of_the_house.md", "---\nsensitivity: high\ncreated: 2025-12-03\n---\nA safe.\n")
    write("allmemories/what_came_of_it.md", '---\nderived_from: "[[secret_of_the_house]]"\n---\nTuring.\n')
    saved(git, root, "2026-01-01")
    for name in ("the_newer_machine_is", "secret_of_the_house"):
        write(f"allmemories/{name}.md", "Changed.\n")
    saved(git, root, "2026-02-01")
    answers = asked(root, "deploys turing", as_of="2026-01-15")
    assert {answer.hit.record.name: answer.hit.successor for answer in answers} == {
        "the_newer_machine_is": "",
        "the_deploy_server_is": "the_newer_machine_is",
        "what_came_of_it": "",
    }
    assert "secret_of_the_house" in names(asked(root, "last month", as_of="2026-01-15"))
    with Vault.open(str(root)) as vault:
        vault.clearance = Clearance("low")
        seen = ask.ask(vault, ask.Query(("turing",), as_of="2026-01-15"), NOW)
    assert names(seen) == ["the_newer_machine_is", "the_deploy_server_is"]


def test_the_past_ranks_by_its_own_clock_and_properties(root: Path, write: Write, git: Git) -> None:
    write("allmemories/the_deploy_server_is.md", "---\nstatus: active\n---\nDeploys run on turing.\n")
    write("allmemories/where_do_deploys_run.md", "Deploys run on hopper.\n")
    saved(git, root, "2026-01-01")
    write(
        "allmemories/the_deploy_server_is.md",
        '---\nstatus: deprecated\nsuperseded_by: "[[where_do_deploys_run]]"\n---\nDeploys run on turing.\n',
    )
    saved(git, root, "2026-02-01")
    only = (Filter("status", "=", "deprecated"),)
    assert names(asked(root, "turing", conditions=only)) == ["the_deploy_server_is"]
    assert names(asked(root, "turing", conditions=only, as_of="2026-01-15")) == []


def test_snapshots_are_kept_by_tree_and_few(root: Path, write: Write, git: Git) -> None:
    """A commit that changes nothing of the vault shares a snapshot; old ones go."""
    commits = []
    for number in range(7):
        write("allmemories/the_deploy_server_is.md", f"Deploys run on turing number {number}.\n")
        commits.append(saved(git, root, f"2026-01-0{number + 1}"))
    git(root, "commit", "--quiet", "--allow-empty", "-m", "nothing")
    past = root / ".mdmem" / "past"
    for as_of in ("HEAD", "HEAD~1"):
        assert "number 6" in asked(root, "turing", as_of=as_of)[0].hit.text
    assert len(list(past.iterdir())) == 1
    for number, commit in enumerate(commits):
        assert f"number {number}" in asked(root, "turing", as_of=commit)[0].hit.text
    assert len(list(past.iterdir())) == 4


def test_snapshots_do_not_fill_the_disk(
    root: Path, write: Write, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of a large vault take as much as its index each; the newest stays, however large."""
    monkeypatch.setattr(snapshot, "KEPT_BYTES", 100_000)
    for number in range(3):
        write("allmemories/the_deploy_server_is.md", f"Deploys run on turing number {number}.\n")
        saved(git, root, f"2026-01-0{number + 1}")
        assert "turing" in asked(root, "turing", as_of="HEAD")[0].hit.text
    (left,) = (root / ".mdmem" / "past").iterdir()
    assert left.stat().st_size > 50_000


def test_a_damaged_snapshot_is_made_anew(root: Path, write: Write, git: Git) -> None:
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    saved(git, root, "2026-01-01")
    asked(root, "turing", as_of="HEAD")
    (snapshot,) = (root / ".mdmem" / "past").iterdir()
    snapshot.write_bytes(b"rubbish" * 1000)
    assert names(asked(root, "turing", as_of="HEAD")) == ["the_deploy_server_is"]


def test_links_and_submodules_of_the_past_are_no_notes(root: Path, write: Write, git: Git) -> None:
    write("secret.txt", "turing secret\n")
    (root / "allmemories" / "a_link_to_secrets.md").symlink_to("../secret.txt")
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    saved(git, root, "2026-01-01")
    git(root, "rm", "--quiet", "-r", "allmemories")
    saved(git, root, "2026-01-02")
    assert names(asked(root, "turing", as_of="HEAD~1")) == ["the_deploy_server_is"]


@pytest.mark.parametrize("as_of", ["1999-01-01", "no-such-branch", "--all", "HEAD~99"])
def test_a_time_before_all_commits_is_refused(root: Path, as_of: str) -> None:
    with pytest.raises(UsageError):
        asked(root, "x", as_of=as_of)


def test_a_question_without_spaces_is_not_doubted_for_pairs_that_are_no_words(root: Path, write: Write) -> None:
    """Chinese is read in pairs of characters: where two words meet, they stand in no note."""
    write("allmemories/the_course_begins_then.md", "机器学习课程在周三下午三点开始。\n")
    write("allmemories/a_meeting_of_all.md", "市场团队的会议在周二。\n")
    assert ask.doubt(asked(root, "课程什么时候开始")) == ""
    unsure = ask.doubt(asked(root, "护照签证放在什么地方课程"))
    assert unsure == "this may not be what is asked for: no note says all of it"


def test_a_shallow_clone_says_that_it_lacks_the_time_that_is_asked_for(
    root: Path, write: Write, git: Git, tmp_path: Path
) -> None:
    """It told that the vault has no commit so early, though it only was not fetched."""
    for day in ("2026-01-01", "2026-02-01"):
        write("allmemories/the_deploy_server_is.md", f"Deploys run on turing since {day}.\n")
        saved(git, root, day)
    clone = tmp_path / "shallow"
    git(tmp_path, "clone", "--quiet", "--depth=1", root.as_uri(), clone)
    with pytest.raises(UsageError, match="this shallow clone has no commit") as told:
        asked(clone, "turing", as_of="2026-01-15")
    assert told.value.hint == "git fetch --unshallow"
    git(clone, "fetch", "--quiet", "--unshallow")
    assert "2026-01-01" in asked(clone, "turing", as_of="2026-01-15")[0].hit.text


# -- depth and budget


LONG = """# How we deploy to production

Deploys run on turing, from the main branch.

They take ten minutes.

## Why

The old server was slow.

It also had no backups.

## How

    make deploy
"""


def test_each_depth_shows_more(root: Path, write: Write) -> None:
    write("allmemories/how_we_deploy_now.md", "---\ntype: decision\n---\n" + LONG)
    shown = {depth: asked(root, "turing", depth=depth)[0].text for depth in excerpt.DEPTHS}
    assert shown["summary"] == "How we deploy to production"
    assert shown["outcome"].endswith("from the main branch.")
    assert "The old server was slow." in shown["reasoning"]
    assert "no backups" not in shown["reasoning"]
    assert "make deploy" in shown["full"]
    assert "type: decision" not in shown["full"]
    assert "type: decision" in shown["complete"]


def test_a_depth_of_the_past_is_that_of_the_past(root: Path, write: Write, git: Git) -> None:
    write("allmemories/how_we_deploy_now.md", "---\ntype: decision\n---\nDeploys run on turing.\n")
    saved(git, root, "2026-01-01")
    write("allmemories/how_we_deploy_now.md", "---\ntype: fact\n---\nDeploys run on turing and hopper.\n")
    saved(git, root, "2026-01-02")
    (found,) = asked(root, "turing", depth="complete", as_of="HEAD~1")
    assert found.text.endswith("---\ntype: decision\n---\nDeploys run on turing.")


@pytest.mark.parametrize("budget", [1, 3, 8, 20, 60, 200, 240, 5000])
def test_a_budget_is_all_that_is_printed(root: Path, write: Write, budget: int) -> None:
    """Names, citations and marks count as well; the most is made of it: shallower first, then fewer."""
    for number in range(5):
        write(f"allmemories/how_we_deploy_number_{number}.md", LONG.replace("turing", f"turing {number}"))
    found = asked(root, "turing", budget=budget, depth="full", shown=prompt.shown(""))
    assert tokens.estimate(prompt.page(found) + "\n") <= budget or not found
    assert all(answer.tokens == tokens.estimate(answer.text) for answer in found)
    assert found or budget < 60
    if budget == 5000:
        assert [answer.depth for answer in found] == ["full"] * 5
    if budget == 240:
        assert len({answer.depth for answer in found}) > 1


def test_what_does_not_fit_gives_way_to_what_does(root: Path, write: Write) -> None:
    """A budget ends at no long note while shorter ones are left that are also meant."""
    write("allmemories/harbor_opens_at_six.md", "The harbor opens at six.\n")
    write("allmemories/harbor_told_at_length.md", "The harbor, " + "and again the harbor, " * 15 + "ends.\n")
    write("allmemories/harbor_closes_at_nine.md", "The harbor closes at nine.\n")
    found = asked(root, "harbor", budget=80, shown=prompt.shown(""))
    assert {answer.hit.record.name for answer in found} >= {"harbor_opens_at_six", "harbor_closes_at_nine"}


# -- standing and usage


def test_why_a_memory_is_no_hit(root: Path, write: Write) -> None:
    """Also one that has no word of the question: it says which it lacks."""
    for number in range(30):
        write(f"allmemories/note_about_deploys_{number}.md", f"Deploy the servers, number {number}.\n")
    write("allmemories/what_was_not_found.md", "Lunch goes to hopper.\n")
    with Vault.open(str(root)) as vault:
        query = ask.Query(("deploy servers",), limit=5)
        found = ask.why(vault, query, "what_was_not_found", NOW)
        assert found
        assert found.rank == 31
        assert (found.hit.found, found.hit.missing) == ((), ("deploy", "servers"))
        assert ask.why(vault, ask.Query(("hopper type:decision",)), "what_was_not_found", NOW) is None
        assert ask.why(vault, ask.Query(("hopper -lunch",)), "what_was_not_found", NOW) is None
        with pytest.raises(NotFoundError):
            ask.why(vault, query, "no_such_note_at_all", NOW)


def test_uses_are_counted_beside_the_vault(root: Path, write: Write, git: Git) -> None:
    """A read never changes what git sees."""
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    saved(git, root, "2026-01-01")
    with Vault.open(str(root)) as vault:
        for _ in range(3):
            found = ask.ask(vault, ask.Query(("turing",)), NOW)
        id = found[0].hit.record.id
    assert usage.counts(str(root)) == {id: usage.Use(3, int(NOW.timestamp()))}
    assert git(root, "status", "--porcelain") == ""


def test_damaged_counts_are_no_counts(root: Path, write: Write) -> None:
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    asked(root, "turing")
    place = root / ".mdmem" / "usage.sqlite"
    place.write_bytes(b"rubbish" * 500)
    assert names(asked(root, "turing")) == ["the_deploy_server_is"]
    place.write_bytes(b"rubbish" * 500)
    assert usage.counts(str(root)) == {}
    assert not usage.add(str(root), ["x"], NOW)
    assert usage.add(str(root), ["x"], NOW)
    assert usage.counts(str(root))["x"].times == 1


def test_a_damaged_count_that_cannot_be_deleted_fails_no_recall(
    root: Path, write: Write, without_rights: Callable[[Callable[[], str]], str]
) -> None:
    write("allmemories/the_deploy_server_is.md", "Deploys run on turing.\n")
    asked(root, "turing")
    (root / ".mdmem" / "usage.sqlite").write_bytes(b"rubbish" * 1000)

    def count() -> str:
        (root / ".mdmem").chmod(0o500)
        try:
            return str(usage.add(str(root), ["an-id"], NOW))
        finally:
            (root / ".mdmem").chmod(0o700)

    assert without_rights(count) == "False"


def test_being_shown_is_no_use_for_ranking_but_being_opened_is(
    vault: Vault, remember: Callable[..., str], mdmem: Callable[..., object]
) -> None:
    first, second = remember("the boat leaks at sea"), remember("the boat leaks in port")
    query = ask.Query(("boat leaks",))
    shown_first = ask.ask(vault, query, NOW)[0].hit
    scores = {answer.hit.record.path: answer.hit.score for answer in ask.ask(vault, query, NOW)}
    assert scores[shown_first.record.path] == shown_first.score
    other = ({first, second} - {shown_first.record.path}).pop()
    mdmem("--vault", vault.root, "show", other)
    assert ask.ask(vault, query, NOW)[0].hit.record.path == other
    retrievals = {use.times for use in usage.counts(vault.root).values()}
    assert retrievals == {3}
