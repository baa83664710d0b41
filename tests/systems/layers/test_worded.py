"""Summaries of topics in a model's words: the real `llm` package against a server that speaks OpenAI's API."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest

from mdmem import acts
from mdmem.acts.telling import Told
from mdmem.note.facts import Fact
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import worded
from mdmem.systems.layers.worded import TopicWording
from tests.recall.models.test_wording import Server
from tests.recall.models.test_wording import server as server  # noqa: PLC0414 - a fixture
from tests.systems.layers.test_tree import LIVES, add, entry, score

WORDS = "Ana has settled in Lisbon; the lease is next."
BY_RULE = "Ana lives in Lisbon."


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def wanting(root: Path, server: Server, told: list[str], monkeypatch: pytest.MonkeyPatch) -> Vault:
    """A vault with one topic, whose settings want a model's words; the environment names the model."""
    with (root / "mdmem.toml").open("a") as settings:
        settings.write('\n[pages]\nsummary = "model"\n')
    monkeypatch.setenv("MDMEM_LLM", "local")
    server.answer = json.dumps({"summary": WORDS})
    vault = Vault.open(root, told.append)
    add(vault, entry("home", 1, LIVES, summary=BY_RULE, open_questions=("Who pays the deposit?",)))
    return vault


def made_again(vault: Vault) -> Told:
    done = acts.rebuild(vault, lambda _: nullcontext(silent), "topics")
    assert isinstance(done, Told)
    return done


def stands(root: Path) -> tuple[str, str]:
    """The summary of the topic, and who worded it."""
    memory = json.loads((root / "topics/home/topic_memory.json").read_text())
    return memory["state"]["summary"], memory["made_by"]


def test_a_rebuild_asks_once_for_what_is_the_same(wanting: Vault, root: Path, server: Server) -> None:
    assert stands(root) == (BY_RULE, "rules")
    made_again(wanting)
    assert stands(root) == (WORDS, "local")
    assert WORDS in (root / "GLOBAL_MEMORY.md").read_text()
    prompt = server.asked[0]["messages"][-1]["content"]
    assert "Ana lives in Lisbon" in prompt
    assert "Who pays the deposit?" in prompt
    before = (root / "topics/home/topic_memory.md").read_bytes()
    server.answer = json.dumps({"summary": "Other words."})
    for page in root.glob("topics/home/topic_memory.*"):
        page.unlink()
    made_again(wanting)
    assert len(server.asked) == 1
    assert (root / "topics/home/topic_memory.md").read_bytes() == before


def test_what_follows_a_write_asks_nobody(wanting: Vault, root: Path, server: Server) -> None:
    made_again(wanting)
    add(wanting, entry("work", 4, summary="A report is due."))
    assert stands(root) == (WORDS, "local")
    score(wanting, "home", LIVES, 3)  # now the fact is rejected: the words do not fit
    assert stands(root)[1] == "rules"
    score(wanting, "home", LIVES, 9)
    assert stands(root) == (WORDS, "local")
    add(wanting, entry("home", 9, Fact("Ana", "likes", "tea", "preference"), summary="Ana likes tea."))
    assert stands(root)[1] == "rules"
    assert len(server.asked) == 1


def test_another_model_is_asked_itself(wanting: Vault, root: Path, server: Server) -> None:
    memory = TopicWording("0" * 64, "local", WORDS)
    assert worded.parse(worded.render([memory]), "p") == ([memory], [])
    made_again(wanting)
    config = Path(root, ".mdmem/wordings/home.jsonl")
    config.write_text(config.read_text().replace('"local"', '"another"'))
    made_again(wanting)
    assert len(server.asked) == 2


@pytest.mark.parametrize("answer", ["I will not.", "{", '{"summary": 3}', '{"summary": " "}', "[1]"])
def test_an_answer_that_does_not_fit_leaves_the_words_of_the_rules(
    wanting: Vault, root: Path, server: Server, told: list[str], answer: str
) -> None:
    server.answer = answer
    made_again(wanting)
    assert stands(root) == (BY_RULE, "rules")
    assert len(server.asked) == 2
    assert any(line.startswith("home: the rules word the summary: the answer ") for line in told)


def test_a_model_that_fails_is_asked_once_and_that_is_told(
    wanting: Vault, root: Path, server: Server, told: list[str]
) -> None:
    add(wanting, entry("work", 4, summary="A report is due."))
    server.status = 500
    made_again(wanting)
    assert stands(root) == (BY_RULE, "rules")
    assert len(server.asked) == 1
    assert any("home: the rules word the summary of this and the rest: the model 'local'" in line for line in told)


def test_without_a_model_the_words_that_fit_stay(
    wanting: Vault, root: Path, server: Server, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made_again(wanting)
    monkeypatch.delenv("MDMEM_LLM")
    made_again(wanting)
    assert stands(root) == (WORDS, "local")
    assert told[-1] == "no model words the summaries of topics: MDMEM_LLM names no model"


def test_a_topic_with_a_secret_goes_to_no_model(
    wanting: Vault, root: Path, server: Server, told: list[str]
) -> None:
    files = entry("home", 3, summary="Talk about the bank.")
    raw = next(path for path in files if path.endswith("raw.md"))
    files[raw] = b"User: my password is hunter2-Xy9!plum\n"
    with wanting.change(Caller(None, allow_secret=True).does("create")) as tx:  # type: ignore[arg-type]
        for path, data in files.items():
            tx.write(path, data)
    made_again(wanting)
    assert server.asked == []
    assert f"home: the rules word the summary: {raw} seems to hold a secret" in told


def test_git_carries_the_words_where_that_is_wanted(
    wanting: Vault, root: Path, server: Server, git: Callable[..., str], tmp_path: Path
) -> None:
    with (root / "mdmem.toml").open("a") as settings:
        settings.write("\n[derived]\nwordings = true\n")
    git(root, "commit", "-qam", "settings")
    vault = Vault.open(root)
    made_again(vault)
    assert git(root, "ls-files", "topics/home/wordings.jsonl")
    head = git(root, "rev-parse", "HEAD")
    made_again(vault)
    assert git(root, "rev-parse", "HEAD") == head
    clone = tmp_path / "clone"
    git(root, "clone", "-q", root, clone)
    with Vault.open(clone) as there:
        made_again(there)
    assert stands(clone) == (WORDS, "local")
    assert len(server.asked) == 1


def test_a_line_of_words_that_cannot_be_read_is_named(wanting: Vault, root: Path) -> None:
    made_again(wanting)
    place = root / ".mdmem/wordings/home.jsonl"
    place.write_text("{torn\n" + place.read_text())
    done = made_again(wanting)
    assert [(problem.path, problem.line) for problem in done.problems] == [(".mdmem/wordings/home.jsonl", 1)]
    assert stands(root) == (WORDS, "local")


def test_of_the_words_of_a_topic_the_last_are_kept() -> None:
    words = [TopicWording(str(number), "local", f"Words {number}.") for number in range(9)]
    assert worded.parse(worded.render([*words, words[5]]), "p")[0] == words[4:]
