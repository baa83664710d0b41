"""Verdicts of agents and people: carried out where they may be, kept where not, asked once, and undone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mdmem.errors import NotFoundError, UsageError
from mdmem.garden import judging, verdicts
from mdmem.garden import plan as garden
from mdmem.garden.gardeners.proposal import POSSIBLE, Proposal
from mdmem.garden.judging import Said
from mdmem.history import past, undo
from mdmem.history.merging import files
from mdmem.store.operation import Caller, Operation
from mdmem.store.vault.vault import Vault

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
AGENT = Caller(NOW, "claude-code", "s1")
RUN = "garden-2026-03-01-1200-a1b2"
Git = Callable[..., str]
OLD, NEW = "allmemories/rent_is_paid_to_ida.md", "allmemories/ida_gets_the_rent.md"


def note(number: int, text: str) -> str:
    head = f"id: 00000000-0000-7000-8000-{number:012}\ntitle: The rent\ncreated: 2026-01-0{number}T00:00:00Z"
    return f"---\n{head}\ncategory: past\ntype: fact\n---\n\n{text}\n"


def written(vault: Vault, by: str) -> None:
    with vault.change(Operation("create", actor=by, when=NOW)) as tx:
        tx.write(OLD, note(1, "The rent of 900 euros is paid to Ida in cash.").encode())
        tx.write(NEW, note(2, "Ida gets the rent of 950 euros in cash.").encode())


@pytest.fixture
def vault(root: Path) -> Iterator[Vault]:
    with Vault(str(root)) as found:
        yield found


def waiting(vault: Vault) -> list[Proposal]:
    """The proposals about the two notes, however unlikely."""
    settings = garden.settings_of(vault.config)._replace(least=POSSIBLE)
    found = garden.look(vault, settings, NOW).proposals
    return [one for one in found if set(one.pair) == {OLD, NEW}]


def judge(vault: Vault, verdict: str, who: Caller = AGENT) -> judging.Judged:
    (one,) = waiting(vault)
    return judging.judge(vault, [Said(one.id, verdict, "Read both.")], who, RUN)[0]


@pytest.mark.parametrize(
    ("verdict", "gone", "status"),
    [
        ("same", NEW, ""),
        ("second replaces first", "", OLD),
        ("first replaces second", "", NEW),
    ],
)
def test_an_agent_carries_out_what_it_judges_of_notes_of_agents_and_its_session_can_be_undone(
    vault: Vault, root: Path, git: Git, verdict: str, gone: str, status: str
) -> None:
    written(vault, "codex")
    tree = git(root, "rev-parse", "HEAD^{tree}")
    done = judge(vault, verdict)
    assert done.commit
    assert (root / NEW).exists() is (gone != NEW)
    assert [
        path for path in (OLD, NEW) if (root / path).exists() and "status: deprecated" in (root / path).read_text()
    ] == ([status] if status else [])
    (told,) = list(past.events(vault, run=RUN))
    assert (told.actor, told.operation.session) == ("claude-code", "s1")
    assert {"Proposal", "Judge"} <= dict(told.operation.extra).keys()
    undo.undo(vault, undo.UndoRequest(session="s1"), Caller(NOW))
    assert git(root, "rev-parse", "HEAD^{tree}") == tree


def test_the_text_of_a_verdict_is_written_even_if_the_older_note_would_stay_as_it_is(
    vault: Vault, root: Path
) -> None:
    text = "Ida gets the rent of 900 euros in cash."
    with vault.change(Operation("create", actor="codex", when=NOW)) as tx:
        tx.write(OLD, note(1, "The rent of 900 euros is paid to Ida in cash.").encode())
        tx.write(NEW, note(2, "The rent of 900 euros is paid to Ida, in cash.").encode())
    (one,) = waiting(vault)
    said = Said(one.id, "same", "Both.", text, drops=("The rent of 900 euros is paid to Ida, in cash.",))
    (done,) = judging.judge(vault, [said], AGENT, RUN)
    assert done.commit
    assert text in (root / OLD).read_text()
    assert not (root / NEW).exists()


def test_both_hold_is_a_line_with_who_and_why_and_is_asked_once_until_a_note_changes(
    vault: Vault, root: Path, git: Git
) -> None:
    written(vault, "codex")
    judge(vault, "both hold")
    (line,) = (root / verdicts.FILE).read_text().splitlines()
    told = json.loads(line)
    assert (told["by"], told["session"], told["verdict"], told["why"]) == (
        *("claude-code", "s1", "both hold", "Read both."),
    )
    assert {one["blob"] for one in told["notes"]} == {
        git(root, "rev-parse", f"HEAD:{path}") for path in (OLD, NEW)
    }
    assert "judgements.jsonl merge=union" in (root / ".gitattributes").read_text()
    assert git(root, "status", "--short") == ""
    assert waiting(vault) == []
    (root / NEW).write_text((root / NEW).read_text().replace("950", "960"))
    assert len(waiting(vault)) == 1


def test_a_kept_verdict_is_in_the_log_is_undone_with_its_session_and_merged_by_line(
    vault: Vault, root: Path
) -> None:
    written(vault, "codex")
    judge(vault, "both hold")
    (told,) = list(past.events(vault, session="s1"))
    assert (told.actor, [change.path for change in told.changes]) == ("claude-code", [verdicts.FILE])
    undo.undo(vault, undo.UndoRequest(session="s1"), Caller(NOW))
    assert len(waiting(vault)) == 1
    one, two = b'{"when": "2026-01-01T00:00:00Z"}\n', b'{"when": "2026-01-02T00:00:00Z"}\n'
    assert files.merge_path(verdicts.FILE, b"", two, one, vault.config).data == one + two


@pytest.mark.parametrize(
    ("rule", "writer", "acts"),
    [
        ("own", "codex", True),
        ("own", "", False),
        ("act", "", True),
        ("advise", "codex", False),
    ],
)
def test_whose_notes_an_agent_may_change_is_a_setting(
    vault: Vault, root: Path, rule: str, writer: str, acts: bool
) -> None:
    written(vault, writer)
    vault.config = vault.config._replace(garden=vault.config.garden._replace(agents=rule))
    done = judge(vault, "same")
    assert (bool(done.commit), done.waits) == (acts, not acts)
    assert (root / NEW).exists() is not acts
    if not acts:  # the person sees what the agent says, and takes it
        (one,) = waiting(vault)
        assert (one.gardener, one.judged, one.certain) == ("twins", "claude-code: same (Read both.)", False)
        assert judge(vault, "same", Caller(NOW)).commit
        assert not (root / NEW).exists()


def test_a_verdict_that_cannot_be_meant_or_an_unknown_id_spoils_no_other(vault: Vault, root: Path) -> None:
    written(vault, "codex")
    (one,) = waiting(vault)
    said = [Said(one.id, "merge them"), Said("0" * 12, "same"), Said(one.id, "same")]
    wrong, unknown, taken = judging.judge(vault, said, AGENT, RUN)
    assert isinstance(wrong.fault, UsageError)
    assert "cannot be a verdict here" in wrong.fault.message
    assert isinstance(unknown.fault, NotFoundError)
    assert taken.commit
    assert not (root / NEW).exists()


def test_a_torn_line_is_no_verdict_and_the_others_count(vault: Vault, root: Path) -> None:
    written(vault, "codex")
    judge(vault, "both hold")
    place = root / verdicts.FILE
    place.write_text('{"verdict": "sa\n[]\n' + place.read_text() + '{"verdict": 1}\n')
    assert waiting(vault) == []
    assert len(verdicts.load(vault)) == 1
