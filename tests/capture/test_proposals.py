"""Proposals weighed against a vault and written: nothing twice, nothing secret, nothing that recall said."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mdmem.capture import proposals, weighing
from mdmem.errors import UsageError
from mdmem.store.index import alike, rows
from mdmem.store.operation import Caller, Written
from mdmem.store.vault.vault import Vault
from mdmem.write import secrets

Remember = Callable[..., str]


def plan(vault: Vault, *said: str) -> tuple[proposals.CaptureDecision, ...]:
    """What becomes of a chat in which the user says these things."""
    transcript = proposals.read("\n".join(f"User: {text}" for text in said), "chat.txt")
    return weighing.weigh(vault, transcript.proposals, transcript.recalled)


def verdicts(decisions: tuple[proposals.CaptureDecision, ...]) -> list[str]:
    return [decision.verdict for decision in decisions]


def test_what_a_memory_says_already_is_left_out(vault: Vault, remember: Remember) -> None:
    name = remember("I prefer tabs over spaces.")
    (decision,) = plan(vault, "I prefer tabs over spaces")
    assert decision.verdict == "twin"
    assert decision.record
    assert decision.record.path == name


def test_a_like_sentence_about_someone_else_is_new(vault: Vault, remember: Remember) -> None:
    """To be alike is not to be the same: Bob's birthday is not Ada's."""
    remember("Ada's birthday is on 3 May.")
    (decision,) = plan(vault, "Remember that Bob's birthday is on 3 May.")
    assert decision.verdict == "new"


def test_a_correction_replaces_the_memory_it_is_about(vault: Vault, remember: Remember, caller: Caller) -> None:
    old = remember("The API listens on port 8080.", name="api_listens_port_8080")
    decisions = plan(vault, "The API listens on port 8080.", "Actually it's 9090.")
    assert verdicts(decisions) == ["update"]
    done = proposals.write(vault, decisions, caller)
    (new,) = done.paths
    note = vault.get(new)
    assert note.title == "It's 9090"
    assert note.strings("supersedes") == ("[[api_listens_port_8080]]",)
    assert note.body.endswith("\n\nCorrected 2026-03-01.\n")
    before = vault.get(old)
    assert before.status == "deprecated"
    assert before.body.lstrip().startswith(f"> [!warning] DEPRECATED: See valid architecture in [[{note.name}]]")
    assert "The API listens on port 8080." in before.body


@pytest.mark.parametrize(
    ("before", "taken_back"),
    [
        ("Turns out SQLite needs WAL mode, otherwise writers block readers.", False),
        ("Remember that the standup starts at nine.", True),
        ("Remember that the standup is tomorrow.", True),
    ],
)
def test_what_gives_no_number_or_time_is_not_corrected_by_one(vault: Vault, before: str, taken_back: bool) -> None:
    """A lesson was left out as said again because the next sentence moved a meeting."""
    first, second = plan(vault, before, "Actually it is at ten.")
    assert (first.verdict, second.verdict) == ("repeated" if taken_back else "new", "new")


def test_who_comes_back_to_what_was_deprecated_says_something_new(vault: Vault, remember: Remember) -> None:
    remember("I prefer tabs over spaces.", status="deprecated")
    assert verdicts(plan(vault, "I prefer tabs over spaces")) == ["new"]


def test_of_two_statements_in_one_chat_the_later_one_stays(vault: Vault) -> None:
    decisions = plan(
        vault, "Remember this: the lease ends on 30 June.", "Remember this: the lease ends on 30 June!"
    )
    assert verdicts(decisions) == ["repeated", "new"]


def test_what_recall_put_into_the_chat_is_not_captured_again(vault: Vault) -> None:
    text = "\n".join(
        [
            "System: 1. x",
            "   allmemories/long_gone_note_here.md:11@7c1e2d3f",
            "   I prefer green tea without any sugar.",
            "User: I prefer green tea without any sugar",
        ]
    )
    transcript = proposals.read(text, "chat.txt")
    assert verdicts(weighing.weigh(vault, transcript.proposals, transcript.recalled)) == ["recalled"]
    assert verdicts(weighing.weigh(vault, transcript.proposals)) == ["new"]


def test_a_secret_never_reaches_the_plan_or_the_disk(vault: Vault, root: Path, caller: Caller) -> None:
    secret = "AKIA" + "IOSFODNN7EXAMPLQ"
    decisions = plan(vault, f"Remember this: the access key is {secret}", "I prefer tabs over spaces.")
    assert verdicts(decisions) == ["secret", "new"]
    assert secret not in repr(decisions)
    proposals.write(vault, decisions, caller)
    vault.close()
    for path in root.rglob("*"):
        assert not path.is_file() or secret.encode() not in path.read_bytes(), path


def test_a_write_is_one_commit_that_one_undo_takes_back(vault: Vault, caller: Caller) -> None:
    before = vault.repo.head()[0]
    done = proposals.write(vault, plan(vault, "I prefer tabs.", "We just shipped version 2.0!"), caller)
    assert len(done.paths) == 2
    assert vault.resolve("HEAD") == done.commit
    assert vault.resolve("HEAD~1") == before
    assert proposals.write(vault, plan(vault, "I prefer tabs."), caller) == Written((), "")


def test_what_was_said_and_when_stands_in_the_note(vault: Vault, caller: Caller) -> None:
    lines = [
        {"role": "user", "content": "We just shipped version 2.0!", "timestamp": "2026-02-08T14:05:00Z"},
        {"role": "assistant", "content": "Congratulations!"},
    ]
    transcript = proposals.read("\n".join(map(json.dumps, lines)), "chat.jsonl")
    (path,) = proposals.write(vault, weighing.weigh(vault, transcript.proposals), caller).paths
    note = vault.get(path)
    assert note.created == "2026-02-08T14:05:00Z"
    assert note.meta["provenance"] == [
        {"kind": "event", "ref": "chat.jsonl:1", "timestamp": "2026-02-08T14:05:00Z"}
    ]
    assert note.text("origin") == "user"


def test_candidates_that_a_model_offered_in_the_chat_are_proposals_too(vault: Vault, caller: Caller) -> None:
    block = (
        "[MEMORY_CANDIDATES]\n1. lease_ends_in_june.md — category: future — tags: [flat]\n---\nIt ends on 30 June."
    )
    transcript = proposals.read(f"User: Anything to keep?\nAssistant: Yes.\n{block}\n", "chat.txt")
    (path,) = proposals.write(vault, weighing.weigh(vault, transcript.proposals), caller).paths
    assert path == "allmemories/lease_ends_in_june.md"
    assert vault.get(path).text("category") == "future"
    assert transcript.proposals[0].line == 4


def test_a_text_that_is_no_transcript_is_refused_with_what_would_be_read(vault: Vault) -> None:
    with pytest.raises(UsageError) as caught:
        proposals.read("just some prose", "notes.txt")
    assert "notes.txt" in caught.value.message
    assert "JSONL" in caught.value.hint


def test_a_secret_that_only_the_line_before_announces_is_one(vault: Vault) -> None:
    chat = "User: Here is the db password:\nRemember this: xK9-mmm2-and-more\nAssistant: Noted."
    transcript = proposals.read(chat, "chat.txt")
    decisions = weighing.weigh(vault, transcript.proposals)
    assert verdicts(decisions) == ["secret"]
    assert "xK9" not in repr(decisions)


def test_many_proposals_are_searched_together_and_only_that_with_a_secret_is_one(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To search each for itself takes half of the time of a long chat."""
    said = [f"Remember this: boat {number} is green." for number in range(150)]
    searched = []
    found = secrets.found
    monkeypatch.setattr(secrets, "found", lambda *given: searched.append(given[0]) or found(*given))
    assert "secret" not in verdicts(plan(vault, *said))
    assert len(searched) == 2
    said[40] = "Remember this: the db password is hunter2x9."
    assert [one.proposal.quote for one in plan(vault, *said) if one.verdict == "secret"] == [""]


def test_what_is_asked_again_is_compared_with_the_vault_once(
    vault: Vault, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each comparison unpacks the memories that are near: with one of 1 MB a long chat took minutes."""
    proposals.write(vault, plan(vault, "Remember this: the boat is green."), caller)
    asked = []
    candidates = alike.candidates
    monkeypatch.setattr(alike, "candidates", lambda *given: asked.append(given[1]) or candidates(*given))
    assert set(verdicts(plan(vault, *["Remember this: the boat is green."] * 9))) == {"twin"}
    assert len(asked) == 1


def test_a_secret_in_a_tag_of_what_a_model_offers_is_one(vault: Vault) -> None:
    token = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cD1fG3hJ5"
    block = f"[MEMORY_CANDIDATES]\n1. staging_host_is_walrus.md — tags: [a, {token}]\n---\nStaging is walrus."
    transcript = proposals.read(f"User: Anything to keep?\nAssistant: Yes.\n{block}\n", "chat.txt")
    decisions = weighing.weigh(vault, transcript.proposals)
    assert verdicts(decisions) == ["secret"]
    assert token not in repr(decisions)


def test_a_growing_chat_never_brings_back_what_it_corrected(vault: Vault, caller: Caller) -> None:
    said = ["Remember this: the database listens on port 5432.", "Wait, it's actually 5433.", "No, it's 5434."]
    for until in (1, 2, 2, 3, 3):
        proposals.write(vault, plan(vault, *said[:until]), caller)
    assert sorted((record.title.rstrip(".")[-4:], record.status) for record in vault.index.records()) == [
        ("5432", "deprecated"),
        ("5433", "deprecated"),
        ("5434", "active"),
    ]


def test_of_corrections_of_corrections_only_the_last_is_written(vault: Vault, caller: Caller) -> None:
    said = ["Remember this: the database listens on port 5432.", "Wait, it's actually 5433.", "No, it's 5434."]
    (path,) = proposals.write(vault, plan(vault, *said), caller).paths
    assert vault.get(path).title == "No, it's 5434"


def test_only_what_shares_words_with_an_echo_is_compared_by_letters(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A day's log holds hundreds of long outputs that cite memories."""
    from rapidfuzz import fuzz

    asked: list[str] = []
    ratio = fuzz.partial_ratio
    monkeypatch.setattr(fuzz, "partial_ratio", lambda one, other: (asked.append(one), ratio(one, other))[1])
    transcript = proposals.read(
        "User: I prefer tabs over spaces.\nUser: I prefer tea over coffee in May.", "c.txt"
    )
    shown = ["A note on rivers. " * 9, "I would prefer teas over coffee in May, said Ada."]
    assert verdicts(weighing.weigh(vault, transcript.proposals, shown)) == ["new", "recalled"]
    assert asked == ["i prefer tea over coffee in may"]


def test_the_opposite_of_a_memory_in_the_same_words_replaces_it(vault: Vault, remember: Remember) -> None:
    """Who prefers spaces now does not say what is known."""
    old = remember("I prefer tabs over spaces in Go.", "user_prefers_tabs_over_spaces")
    (decision,) = plan(vault, "I prefer spaces over tabs in Go.")
    assert (decision.verdict, decision.record and decision.record.path) == ("update", old)
    (same,) = plan(vault, "In Go I prefer tabs over spaces.")
    assert same.verdict == "twin"


def test_who_reads_years_of_chats_is_told_how_far_it_is() -> None:
    turns = [{"role": "user", "content": "I prefer tabs."}, {"role": "assistant", "content": "Noted."}]
    done: list[tuple[int, int]] = []
    text = json.dumps([{"id": name, "messages": turns} for name in "abc"])
    proposals.read(text, "x.json", progress=lambda at, of: done.append((at, of)))
    assert done == [(0, 3), (1, 3), (2, 3)]


def test_only_a_preference_is_a_change_of_mind(vault: Vault, remember: Remember, caller: Caller) -> None:
    """Nobody changed their mind about which port a server has; about tabs somebody did."""
    remember("I prefer tabs over spaces in Go.", "user_prefers_tabs_over_spaces")
    (path,) = proposals.write(vault, plan(vault, "I prefer spaces over tabs in Go."), caller).paths
    assert vault.get(path).body.endswith("\n\nUser changed mind 2026-03-01.\n")


def test_an_export_of_one_line_names_conversation_and_turn() -> None:
    def message(key: str, parent: str | None, role: str, text: str) -> dict[str, object]:
        content = {"content_type": "text", "parts": [text]}
        return {"id": key, "parent": parent, "message": {"id": key, "author": {"role": role}, "content": content}}

    said = [("user", "Hello"), ("assistant", "Hi."), ("user", "I prefer tabs."), ("user", "We just shipped 2.0!")]
    nodes = {
        str(at): message(str(at), str(at - 1) if at else None, role, text) for at, (role, text) in enumerate(said)
    }
    chat = {"title": "Editors", "conversation_id": "c1", "mapping": nodes, "current_node": "3"}
    read = proposals.read(json.dumps([chat]), "conversations.json")
    assert [found.place for found in read.proposals] == ["turn 3 of Editors", "turn 4 of Editors"]
    refs = [found.draft.properties["provenance"] for found in read.proposals]
    assert refs[0] == [{"kind": "event", "ref": "conversations.json: turn 3 of Editors"}]
    assert refs[0] != refs[1]


def test_a_session_of_claude_code_keeps_its_id() -> None:
    line = {
        "type": "user",
        "sessionId": "cc-777",
        "uuid": "1",
        "message": {"role": "user", "content": "I prefer tabs over spaces."},
    }
    (found,) = proposals.read(json.dumps(line), "s.jsonl").proposals
    assert found.session == "cc-777"


def test_a_correction_of_another_thing_leaves_what_was_said_before_it(vault: Vault, remember: Remember) -> None:
    """It stands behind a preference, but corrects a name: nothing was said again, and nothing is replaced."""
    said = "I prefer tea over coffee.", "Correction: my name is spelled Katharina"
    assert verdicts(plan(vault, *said)) == ["new", "new"]
    remember("I prefer tea over coffee.", name="user_prefers_tea")
    assert verdicts(plan(vault, *said)) == ["twin", "new"]


@pytest.mark.parametrize("between", ["", "Assistant: That is what the file says.\n"])
def test_an_answer_to_a_question_for_a_password_is_a_secret(vault: Vault, between: str) -> None:
    """The question stands a turn before its answer."""
    chat = f"Assistant: So we use swordfish1 as the password?\n{between}User: Actually, use hunter2x9.\n"
    decisions = weighing.weigh(vault, proposals.read(chat, "chat.txt").proposals)
    assert set(verdicts(decisions)) <= {"secret"}
    assert "hunter2x9" not in repr(decisions)


def test_a_long_memory_is_read_once_for_all_that_a_chat_says(vault: Vault, remember: Callable[..., str]) -> None:
    """It was unpacked for every sentence: a chat of a megabyte beside such memories took 13 s."""
    said = [f"The boat {at} was painted red in the spring, and Ada likes it so." for at in range(30)]
    remember("\n\n".join(said * 20), title="The boat was painted red in the spring, and Ada likes it so")
    transcript = proposals.read("\n\n".join(f"User: {line}" for line in said), "chat.md")
    unpacked = 0

    def counted(frame: object, event: str, called: object) -> None:
        nonlocal unpacked
        unpacked += event == "call" and getattr(frame, "f_code", None) is rows.text_of.__code__

    assert len(transcript.proposals) > 20
    sys.setprofile(counted)
    try:
        weighing.weigh(vault, transcript.proposals)
    finally:
        sys.setprofile(None)
    assert unpacked < len(transcript.proposals)
