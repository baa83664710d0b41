"""Sessions of real clients, where they are: on PATH, in MDMEM_CLIENTS_DIR, or by `make clients` (two of them)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.connect import real
from tests.connect.real import STARTS, Seen

ACTORS = {"gemini": "gemini-cli", "qwen": "qwen-code"}
SHOWS_MESSAGES = ("claude-code", "codex")  # to the person at a terminal; elsewhere the agent passes them on

pytestmark = [
    pytest.mark.clients,
    pytest.mark.slow,
    pytest.mark.timeout(1800),
    pytest.mark.parametrize("client", STARTS),
]


def seen_in(client: str, situation: str, folder: Path) -> Seen:
    """What is seen of a client in a situation; the test is skipped if it is not here."""
    if not real.found(client):
        pytest.skip(f"{client} is not on PATH, nor in MDMEM_CLIENTS_DIR")
    return real.look(client, situation, folder)


@pytest.mark.parametrize("situation", ["one", "alone"])
def test_a_day_of_an_agent_can_be_undone_and_its_connection_leaves_no_trace(
    client: str, situation: str, tmp_path: Path
) -> None:
    seen = seen_in(client, situation, tmp_path)
    assert seen.pop("exit") == 0
    assert seen.pop("captured") == 1
    assert seen.pop("actors") == [ACTORS.get(client, client)]
    listed = seen.pop("list")
    assert (listed["tools"], listed["problems"]) == (len(real.TOOLS), [])
    assert seen.pop("traces") == []
    assert seen.pop("left") == [] or client == "opencode", "OpenCode itself installs a package beside its plugins"
    changed = seen.pop("changed")
    assert changed == [] or client == "qwen", "Qwen Code itself writes its settings anew"
    assert [what for what, is_so in seen.items() if not is_so] == []


def test_asked_to_tidy_it_acts_on_notes_of_agents_and_its_word_on_the_persons_waits(
    client: str, tmp_path: Path
) -> None:
    """Its commits are its own, undone with its session; where it may only advise, all is taken by one command."""
    seen = seen_in(client, "tidy", tmp_path)
    actor = ACTORS.get(client, client)
    advised = seen.pop("advise")
    assert seen.pop("commits") == [f"{actor}: deprecate", f"{actor}: merge", f"{actor}: revise"]
    assert seen.pop("wait for the person") == ["save", "twins"]
    assert (seen.pop("exit"), seen.pop("notes")) == (0, -1)
    assert seen.pop("trailers") == ["Memory-Proposal", "Memory-Judge", "Memory-Session"]
    assert [what for what, is_so in seen.items() if not is_so] == []
    assert advised["commits"] == [f"{actor}: revise"]
    assert advised["wait for the person"] == ["conflicts", "save", "twins", "twins"]
    assert (advised["unchanged"], advised["taken"], advised["then"]) == (True, 4, -1)


def test_in_a_project_with_its_own_vault_that_is_meant(client: str, tmp_path: Path) -> None:
    seen = seen_in(client, "two", tmp_path)
    assert seen["told"], "connect says which vault is meant where"
    assert (seen["exit"], seen["packs"], seen["named"]) == (0, 1, True)
    assert seen["ours in pack"]
    assert seen["recall"], "the vault of the person is searched beside it"
    assert seen["hidden"]
    assert seen["written to"] == ["ours"]
    assert seen["captured"] == {"vault": 0, "ours": 1}
    assert seen["list"]["problems"] == []
    assert seen["elsewhere"] == {"exit": 0, "theirs": True, "ours": False, "named": True}
    assert seen["project only"] == {"exit": 0, "ours": True, "theirs": False, "written": True}


def test_a_vault_that_moved_is_told_to_the_person_and_none_is_made(client: str, tmp_path: Path) -> None:
    seen = seen_in(client, "moved", tmp_path)
    assert (seen["exit"], seen["answered"]) == (0, True)
    assert seen["to the model"]
    assert seen["tell the user"]
    assert not seen["init"]
    assert any("is gone" in problem for problem in seen["list"])


def test_settings_that_the_client_wrote_anew_still_work_and_are_cleared(client: str, tmp_path: Path) -> None:
    seen = seen_in(client, "rewritten", tmp_path)
    assert (seen["command"], seen["exit"], seen["recall"], seen["list"]) == (0, 0, True, [])
    assert seen["traces"] == []
    assert seen["theirs"] or client in ("opencode", "pi"), "those have all that is ours in files of its own"


def test_without_the_program_a_client_starts_and_answers(client: str, tmp_path: Path) -> None:
    seen = seen_in(client, "removed", tmp_path)
    assert (seen["exit"], seen["answered"]) == (0, True)
    assert seen["to the model"] or client in SHOWS_MESSAGES, "somebody is told why there is no memory"
    assert seen["no launcher"] == {"exit": 0, "answered": True}


def test_a_week_of_sessions_starts_with_what_the_days_before_left(client: str, tmp_path: Path) -> None:
    """Questions of writes are answered by `judge` and by `revise`; an edit is told the memory of its file."""
    if client not in ("claude-code", "pi"):
        pytest.skip("its model would edit files in another way")
    seen = seen_in(client, "week", tmp_path)
    told = {day: "\n".join(one["told"]) for day, one in seen.items() if day.startswith("2026-")}
    assert [one["exit"] for day, one in seen.items() if day in told] == [0] * len(told)
    assert all("Memory: " in text for text in told.values())
    assert "may change ci_runs_jenkins" in told["2026-11-24"]
    assert "1 verdict taken" in told["2026-11-24"]
    assert "revised allmemories/web_team_meets_thursday_ten" in told["2026-11-25"]
    assert real.RETRIES in told["2026-11-27"]
    last = told["2026-11-30"]
    assert (real.GITHUB in last, real.TASK in last, real.JENKINS in last) == (True, True, False)
    assert {line.split()[0] for line in seen["log"]} == {
        day for day in told if day not in ("2026-11-26", "2026-11-30")
    }


READS = {
    **{"claude-code": {"claude-memory"}, "codex": {"codex", "agents-md"}, "copilot": {"copilot", "agents-md"}},
    **{"gemini": {"gemini"}, "opencode": {"agents-md"}, "qwen": {"agents-md"}, "pi": {"agents-md"}},
}


def test_what_is_exported_is_read_without_a_connection(client: str, tmp_path: Path) -> None:
    seen = seen_in(client, "files", tmp_path)
    assert seen["exit"] == 0
    assert READS[client] <= set(seen["reads"])
    assert seen["told"]
