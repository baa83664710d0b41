"""Applying the plan: a commit for each proposal, what people saved meanwhile is left alone, then there is rest."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mdmem.errors import NotFoundError, StoppedError
from mdmem.garden import apply as gardening
from mdmem.garden import plan as garden
from mdmem.garden import verdicts
from mdmem.garden.apply import Request, Run
from mdmem.garden.gardeners.proposal import Proposal
from mdmem.garden.verdicts import Judgement
from mdmem.history import past, undo
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from tests import plans

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
Write = Callable[..., Path]
Git = Callable[..., str]
RUN = "garden-2026-03-01-1200-a1b2"

NOTES = {
    "user_lives_in_berlin": ("01", "", "User lives in Berlin."),
    "user_lives_in_munich": ("08", 'contradicts: ["[[user_lives_in_berlin]]"]\n', "User lives in Munich."),
    "user_prefers_short_tables": ("01", "", "User prefers short tables over prose."),
    "user_wants_short_tables": ("02", "", "User prefers short tables over prose!"),
    "auth_with_session_cookies": ("01", "", "Cookies hold the session."),
    "auth_with_signed_tokens": ("02", 'supersedes: ["[[auth_with_session_cookies]]"]\n', "Tokens hold it."),
    "map_of_the_system": ("01", "", "See [[auth_with_signed_token]].\n\nAnd this:\n\n[[user_wants_short_tables]]"),
}


def note(number: int, title: str, day: str, text: str, more: str = "") -> str:
    head = f"id: 00000000-0000-7000-8000-{number:012}\ntitle: {title}\ncreated: 2026-01-{day}T00:00:00Z"
    return f"---\n{head}\ncategory: past\ntype: fact\n{more}---\n\n{text}\n"


@pytest.fixture
def planted(root: Path, write: Write, git: Git) -> Path:
    for number, (name, (day, more, text)) in enumerate(NOTES.items(), 1):
        write(f"allmemories/{name}.md", note(number, name.replace("_", " ").capitalize(), day, text, more))
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "notes")
    return root


def request_of(vault: Vault, **given: object) -> Request:
    return Request(garden.settings_of(vault.config))._replace(**given)  # type: ignore[arg-type]


def apply(vault: Vault, allow_loss: bool = False, **given: object) -> Run:
    who = Caller(NOW, gardening.ACTOR)
    return gardening.apply(vault, request_of(vault, **given), who, RUN, silent, allow_loss)


def titles(found: Run) -> list[str]:
    return [one.proposal.title for one in found.applied]


def left_to_do(vault: Vault) -> list[str]:
    return [one.title for one in plans.of_vault(vault, NOW).proposals]


def test_each_proposal_is_a_commit_that_tells_of_it(planted: Path, vault: Vault, git: Git) -> None:
    before = git(planted, "rev-list", "--count", "HEAD")
    done = apply(vault)
    assert int(git(planted, "rev-list", "--count", "HEAD")) - int(before) == len(done.applied) == 4
    assert done.left == ()
    told = list(past.events(vault, run=RUN))
    assert [commit.oid for commit in told] == [one.commit for one in reversed(done.applied)]
    assert {commit.actor for commit in told} == {"mdmem-gardener"}
    assert told[-1].operation.extra == (
        ("Gardener", "deprecate"),
        ("Run", RUN),
        ("Proposal", done.applied[0].proposal.id),
    )
    assert told[-1].operation.reason.split("\n") == [
        "Mark auth_with_session_cookies as deprecated: auth_with_signed_tokens supersedes it.",
        "",
        "Why: allmemories/auth_with_signed_tokens.md:7  supersedes: [[auth_with_session_cookies]]",
        "Sure: 0.97",
        "Lost: nothing",
    ]
    assert git(planted, "status", "--short") == ""


def test_after_applying_the_plan_is_empty_and_applying_again_does_nothing(planted: Path, vault: Vault) -> None:
    """What waited for the files of others is done in the same run."""
    assert "fix links of map_of_the_system" in " ".join(titles(apply(vault)))
    assert left_to_do(vault) == []
    assert apply(vault).outcomes == ()
    text = (planted / "allmemories/map_of_the_system.md").read_text()
    assert "See [[auth_with_signed_tokens]].\n\nAnd this:\n\n[[user_prefers_short_tables]]" in text


def test_one_commit_of_a_run_can_be_undone_alone_and_then_the_whole_run(
    planted: Path, vault: Vault, git: Git, caller: Caller
) -> None:
    tree = git(planted, "rev-parse", "HEAD^{tree}")
    done = apply(vault)
    merged = next(one for one in done.applied if one.proposal.gardener == "twins")
    undo.undo(vault, undo.UndoRequest(commits=(merged.commit,)), caller)
    assert (planted / "allmemories/user_wants_short_tables.md").exists()
    assert "Corrected 2026" in (planted / "allmemories/user_lives_in_munich.md").read_text()
    plan, _ = undo.undo(vault, undo.UndoRequest(run=RUN), caller)
    assert len(plan.undone) == len(done.applied) - 1
    assert git(planted, "rev-parse", "HEAD^{tree}") == tree
    assert len(left_to_do(vault)) == 3, "what was undone may be proposed again"


def test_an_unknown_run_undoes_nothing(planted: Path, mdmem: Callable[..., object]) -> None:
    mdmem("undo", "--run", "garden-2020-01-01-0000-0000", "--vault", planted, code=3)


def test_a_note_edited_after_the_plan_was_made_is_left_alone_and_planned_anew(
    planted: Path, vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Someone saves a note while another proposal is being applied."""
    twin = planted / "allmemories/user_wants_short_tables.md"
    reason_of = gardening.reason_of

    def save_meanwhile(one: Proposal) -> str:
        if one.gardener == "deprecate":
            twin.write_text(twin.read_text().replace("prose!", "prose! Only on Fridays."))
        return reason_of(one)

    monkeypatch.setattr(gardening, "reason_of", save_meanwhile)
    done = apply(vault)
    assert [one.why for one in done.left] == [
        "allmemories/user_wants_short_tables.md was changed after the plan was made"
    ]
    assert "Only on Fridays." in "".join(path.read_text() for path in (planted / "allmemories").iterdir())
    again = [one.proposal for one in done.applied if one.proposal.gardener == "twins"]
    assert [one.id for one in again] != [done.left[0].proposal.id]
    assert left_to_do(vault) == []


def test_what_is_half_staged_is_left_alone_and_the_rest_is_done(planted: Path, vault: Vault, git: Git) -> None:
    place = planted / "allmemories/user_lives_in_berlin.md"
    place.write_text(place.read_text() + "\nSince May.\n")
    git(planted, "add", ".")
    place.write_text(place.read_text() + "\nSince June.\n")
    done = apply(vault)
    assert [one.why for one in done.left] == [
        "allmemories/user_lives_in_berlin.md is staged in one version and saved in another"
    ]
    assert len(done.applied) == 3
    assert [one.gardener for one in done.rest.proposals] == ["conflicts"]
    assert place.read_text().endswith("Since June.\n")


def test_uncommitted_edits_become_a_commit_of_the_person_first(planted: Path, vault: Vault, git: Git) -> None:
    place = planted / "allmemories/user_lives_in_berlin.md"
    place.write_text(place.read_text().replace("Berlin.", "Berlin. It is nice."))
    apply(vault)
    assert "edit by hand: user_lives_in_berlin" in git(planted, "log", "--format=%s", "--author=Ada")


def decided(planted: Path, verdict: str, *proposals: Proposal, **more: object) -> None:
    """What a former version of mdmem kept of a person's review."""
    found = {
        one.id: {"verdict": verdict, "title": one.title, "when": "", "edited": {}, **more} for one in proposals
    }
    (planted / ".mdmem/garden.json").write_text(json.dumps({"format": 1, "decisions": found}))


def test_what_was_decided_by_a_former_version_holds_and_is_carried_over(planted: Path, vault: Vault) -> None:
    """A rejected proposal stays away, an accepted one is applied, the next verdict takes both into the file."""
    plan = plans.of_vault(vault, NOW)
    by_gardener = {one.gardener: one for one in plan.proposals}
    decided(planted, "accepted", by_gardener["twins"])
    assert [one.proposal.gardener for one in apply(vault, accepted_only=True).applied] == ["twins"]
    decided(planted, "rejected", by_gardener["conflicts"], reason="no", gardener="conflicts", traits=["tag a"])
    rest = apply(vault)
    assert "conflicts" not in {one.proposal.gardener for one in rest.applied}
    assert (rest.rest.proposals, rest.rest.rejected) == ((), 1)
    before = verdicts.load(vault)
    verdicts.keep(vault, [Judgement("no", "x", (), ())], Caller(NOW))
    assert verdicts.load(vault) == (*before, Judgement("no", "x", (), ()))
    assert (planted / ".mdmem/garden.json.old").exists()
    assert not (planted / ".mdmem/garden.json").exists()


def test_an_accepted_proposal_needs_no_confidence_and_a_changed_note_asks_anew(
    planted: Path, vault: Vault
) -> None:
    settings = garden.settings_of(vault.config)._replace(min_confidence=1.0)
    (twins,) = (one for one in garden.look(vault, settings, NOW).proposals if one.gardener == "twins")
    decided(planted, "accepted", twins)
    place = planted / "allmemories/user_wants_short_tables.md"
    text = place.read_text()
    place.write_text(text + "\n")
    assert apply(vault, settings=settings).outcomes == ()
    place.write_text(text)
    with Vault(str(planted)) as again:
        assert titles(apply(again, settings=settings)) == [twins.title]


@pytest.mark.parametrize("given", [12, 5], ids=["whole", "first characters"])
def test_proposals_named_by_id_are_applied_and_no_other(planted: Path, vault: Vault, given: int) -> None:
    """As for a verdict, so much of an id is enough that no other one begins so."""
    plan = plans.of_vault(vault, NOW)
    one = next(one for one in plan.proposals if one.gardener == "conflicts")
    done = apply(vault, wish=garden.Wish(ids=frozenset([one.id[:given]])))
    assert titles(done) == [one.title]


@pytest.mark.parametrize("id", ["0000zzzz", ""])
def test_what_names_no_proposal_is_refused(planted: Path, vault: Vault, id: str) -> None:
    with pytest.raises(NotFoundError, match="there is no proposal"):
        apply(vault, wish=garden.Wish(ids=frozenset([id])))


@pytest.fixture
def overgrown(root: Path, write: Write, git: Git) -> Path:
    """Twelve pairs of twins: to merge them all deletes half of the vault, one note at a time."""
    words = "alder birch cedar dogwood elm fir gorse hazel ivy juniper kapok larch".split()
    for number, word in enumerate(words):
        for copy in (1, 2):
            text = f"The {word} in the garden needs water on hot days."
            name = f"{word}_needs_water_{'often' if copy == 1 else 'daily'}"
            write(f"allmemories/{name}.md", note(number * 2 + copy, f"The {word} needs water", f"0{copy}", text))
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "notes")
    return root


def test_a_run_that_deletes_many_memories_in_small_steps_stops_before_the_first(
    overgrown: Path, vault: Vault, git: Git
) -> None:
    head = git(overgrown, "rev-parse", "HEAD")
    with pytest.raises(StoppedError, match="would delete 12 of 24 memories"):
        apply(vault)
    assert git(overgrown, "rev-parse", "HEAD") == head
    assert len(apply(vault, allow_loss=True).applied) == 12
    assert left_to_do(vault) == []


def test_killed_between_two_commits_what_is_done_stays_and_the_rest_is_planned_again(
    overgrown: Path, git: Git
) -> None:
    line = [sys.executable, "-m", "mdmem", "garden", "apply", "--yes", "--vault", str(overgrown)]
    with subprocess.Popen(line, stdout=subprocess.PIPE) as process:
        assert process.stdout
        for _ in range(3):
            assert process.stdout.readline().startswith(b"applied")
            assert process.stdout.readline().startswith(b"         lost  the name ")
        process.kill()
    with Vault(str(overgrown)) as vault:
        gone = 24 - vault.index.count()
        assert 3 <= gone <= 12
        rest = apply(vault, allow_loss=True)
        assert len(rest.applied) == 12 - gone
        assert left_to_do(vault) == []
    assert git(overgrown, "status", "--short") == ""
    trailers = git(overgrown, "log", "--format=%(trailers:key=Memory-Proposal,valueonly)").split()
    assert len(trailers) == len(set(trailers)) == 12


def test_a_file_of_decisions_that_cannot_be_read_is_told_of_and_counts_as_none(
    planted: Path, vault: Vault, said: list[str]
) -> None:
    place = planted / ".mdmem/garden.json"
    place.parent.mkdir(exist_ok=True)
    place.write_text("{ half")
    assert verdicts.load(vault) == ()
    assert "cannot be read" in said[0]
