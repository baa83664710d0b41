"""Each act by every face that has it: command, Python, MCP, HTTP. The same files, JSON and sentences."""

from __future__ import annotations

import http.client
import io
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest

from mdmem import acts
from mdmem.acts.serving import Client
from mdmem.acts.signature import grouped, hints, parameters
from mdmem.acts.telling import encode
from mdmem.cli.making import made
from mdmem.errors import MdmemError
from mdmem.garden.gardeners.proposal import POSSIBLE
from mdmem.garden.judges import A_CALL
from mdmem.mcp import toolbox
from mdmem.mcp.desk import Desk, failure
from mdmem.note.facts import TYPES
from mdmem.page.server import _STATUS
from mdmem.store.operation import Caller
from mdmem.store.vault.keeper import VaultKeeper
from mdmem.store.vault.vault import Vault
from mdmem.systems.rlm import mirror
from tests.conftest import NOW, Git, Run
from tests.page.conftest import Site, serving
from tests.test_surfaces import State, state_of

TEA, TASK = "likes_green_tea", "next_order_tea"
NOTE = (
    "---\nid: 00000000-0000-7000-8000-00000000000{}\ntitle: {}\ncreated: 2026-01-01T00:00:00Z\ncategory: {}\n"
    "type: fact\n---\n\n{}\n"
)


class Case(NamedTuple):
    """An act with arguments; `typed` are those of its command, `tool` is the call of a tool that does it.

    The command `before` comes first.
    """

    act: str
    given: Mapping[str, Any]
    typed: tuple[str, ...]
    tool: tuple[str, Mapping[str, Any]] | None = None
    before: tuple[str, ...] = ()


FORGET = ("forget", TEA)
OPENED = NOTE.format(1, "Likes tea", "past", "Tea is green.")  # the title was changed since
COFFEE = "Coffee is black."
CASES = (
    Case("remember", {"text": COFFEE}, (COFFEE,), ("remember", {"items": [{"text": COFFEE}]})),
    Case(
        "remember",
        {"text": COFFEE, "set": {"supersedes": TEA}},
        (COFFEE, "--supersedes", TEA),
        ("remember", {"items": [{"text": COFFEE, "replaces": TEA}]}),
    ),
    Case(
        "update",
        {"name": TEA, "set": {"confidence": "0.9"}},
        (TEA, "--set", "confidence=0.9"),
        ("revise", {"name": TEA, "set": {"confidence": 0.9}}),
    ),
    Case(
        "update",
        {"name": TEA, "replace": [["green", "white"]]},
        (TEA, "--replace", "green", "white"),
        ("revise", {"name": TEA, "old": "green", "new": "white"}),
    ),
    Case("update", {"name": TEA, "add": {"tags": ["a"]}, "tags": ["b"]}, (TEA, "--add", "tags=a", "-t", "b")),
    Case(
        "update",
        {"name": TEA, "body": "Tea is white.", "base": OPENED},
        (TEA, "--body", "Tea is white.", "--base", OPENED),
    ),
    Case(
        "remember", {"text": COFFEE, "type": "decision", "tags": ["a"]}, (COFFEE, "--type", "decision", "-t", "a")
    ),
    Case("done", {"names": [TASK]}, (TASK,), ("revise", {"name": TASK, "done": True})),
    Case("rename", {"name": TEA, "new_name": "likes_black_tea"}, (TEA, "likes_black_tea")),
    Case("forget", {"names": [TEA]}, (TEA,), ("forget", {"names": [TEA], "reason": "Not so."})),
    Case("restore", {"names": [TEA]}, (TEA,), ("restore", {"names": [TEA]}), FORGET),
    Case("undo", {"last": 1}, ("--last", "1"), ("undo", {"commits": ["HEAD"]}), FORGET),
    Case("adopt", {"everything": True}, ("--all",)),
)
READS = (
    Case("recall", {"words": ["green", "tea"], "limit": 1}, ("green", "tea", "--limit", "1")),
    Case("recall", {"words": ["tea"], "types": ["fact"]}, ("tea", "--type", "fact")),
    Case("list", {"where": ["category=future"]}, ("--where", "category=future")),
    Case("list", {"count": "type"}, ("--count", "type")),
    Case("show", {"words": [TEA]}, (TEA,)),
    Case("lineage", {"name": TEA}, (TEA,)),
    Case("log", {"words": [TEA]}, (TEA,)),
    Case("diff", {"old": "HEAD~1"}, ("--from", "HEAD~1")),
    Case("blame", {"name": TEA}, (TEA,)),
    Case("trash", {}, ()),
    Case("topics", {}, ()),
)
WRONG = (
    Case("update", {"name": TEA}, (TEA,), ("revise", {"name": TEA})),
    Case(
        "update",
        {"name": TEA, "set": {"confidence": "7"}},
        (TEA, "--set", "confidence=7"),
        ("revise", {"name": TEA, "set": {"confidence": 7}}),
    ),
    Case(
        "update",
        {"name": TEA, "replace": [["nowhere", "x"]]},
        (TEA, "--replace", "nowhere", "x"),
        ("revise", {"name": TEA, "old": "nowhere", "new": "x"}),
    ),
    Case(
        "update",
        {"name": TEA, "append": "x", "expect": "0" * 12},
        (TEA, "--append", "x", "--expect", "0" * 12),
        ("revise", {"name": TEA, "new": "x", "expect": "0" * 12}),
    ),
    Case("forget", {"names": ["nobody"]}, ("nobody",), ("forget", {"names": ["nobody"], "reason": "x"})),
    Case(
        "update",
        {"name": TEA, "set": {"title": "Drinks tea"}, "base": OPENED},
        (TEA, "--set", "title=Drinks tea", "--base", OPENED),
    ),
    Case("remember", {"text": " "}, (" ",), ("remember", {"items": [{"text": " "}]})),
    Case("remember", {"text": COFFEE, "set": {"confidence": "7"}}, (COFFEE, "--set", "confidence=7")),
    Case("restore", {"names": ["nobody"]}, ("nobody",), ("restore", {"names": ["nobody"]})),
    Case("undo", {}, (), ("undo", {})),
    Case("undo", {"session": "nobody"}, ("--session", "nobody"), ("undo", {"session": "nobody"})),
    Case("done", {"names": [TEA]}, (TEA,), ("revise", {"name": TEA, "done": True})),
    Case("recall", {"words": ["x"], "where": ["=="]}, ("x", "--where", "==")),
    Case(
        "recall",
        {"words": ["x"], "as_of": "nope"},
        ("x", "--as-of", "nope"),
        ("recall", {"query": "x", "as_of": "nope"}),
    ),
    Case("show", {"words": ["nobody"]}, ("nobody",), ("read", {"names": ["nobody"]})),
    Case("log", {"since": "whenever"}, ("--since", "whenever")),
)


@pytest.fixture
def folder(root: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MDMEM_ACTOR", "agent")
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setenv(name, "2026-02-01T12:00:00Z")
    notes = {
        TEA: (1, "Likes green tea", "past", "Tea is green."),
        TASK: (2, "Order tea", "future", "Before April."),
    }
    (root / "mdmem.toml").write_text('id = "test"\n[mirror]\nenabled = true\n')
    for name, words in notes.items():
        (root / f"allmemories/{name}.md").write_text(NOTE.format(*words))
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "notes")
    with Vault.open(str(root)) as vault:
        mirror.update(vault)
    return root


@contextmanager
def served(folder: Path) -> Iterator[Site]:
    yield from serving(folder, may_write=True)


def over_http(folder: Path, act: str, given: Mapping[str, Any]) -> tuple[int, Any]:
    """(status, JSON) of an act."""
    with served(folder) as site:
        site.get("/api/openapi.json")
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=30)
        if act in acts.WRITING:
            connection.request("POST", f"/api/acts/{act}", json.dumps(given), {"Cookie": site.cookie})
        else:
            connection.request("GET", f"/api/acts/{act}?{urlencode(given, True)}", headers={"Cookie": site.cookie})
        answer = connection.getresponse()
        told = json.loads(answer.read())
        connection.close()
        return answer.status, told


def in_python(folder: Path, act: str, given: Mapping[str, Any]) -> Any:
    """The result of an act as JSON."""
    function = getattr(acts, act)
    with Vault.open(str(folder)) as vault:
        work = {"vault": vault, "places": vault, "who": Caller(NOW, "agent")}
        work = {name: work[name] for name in hints(function) if name in work}
        return encode(function(**work, **grouped(function, given)))


def by_tool(folder: Path, tool: str, given: Mapping[str, Any]) -> tuple[bool, str]:
    """(whether it failed, the text) of a tool."""
    keeper = VaultKeeper(str(folder))
    desk = Desk(keeper, *toolbox.chosen(toolbox.ALL))
    try:
        reply = desk.call(tool, given, Client("agent"))
    except MdmemError as error:
        reply = failure(error)
    keeper.close()
    return reply.failed, reply.text


def left_by(folder: Path) -> State:
    """What an act left. Only a tool's caller always has a session."""
    state = state_of(folder)
    return state._replace(
        notes={name: re.sub(r"(?m)^session: .*\n", "", text) for name, text in state.notes.items()}
    )


def stable(told: Any) -> Any:
    varying = r"\b[0-9a-f]{40}\b|@[0-9a-f]{8}\b|\b[0-9a-f]{8}-[0-9a-f-]{27}\b"
    return json.loads(re.sub(varying, "HASH", json.dumps(told)))


def name_of(case: Case) -> str:
    return " ".join((case.act, *case.typed))


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_an_act_that_writes_does_the_same_by_every_face(case: Case, folder: Path, mdmem: Run) -> None:
    if case.before:
        mdmem(*case.before, "--vault", folder)
    copies = {face: Path(shutil.copytree(folder, folder.parent / face)) for face in ("python", "http", "mcp")}
    told = json.loads(mdmem(case.act, *case.typed, "--vault", folder, "--json").out)
    assert stable(in_python(copies["python"], case.act, case.given)) == stable(told)
    assert over_http(copies["http"], case.act, case.given)[0] == 200
    done = left_by(folder)
    assert left_by(copies["python"]) == left_by(copies["http"]) == done
    if case.tool:
        assert not by_tool(copies["mcp"], *case.tool)[0]
        assert left_by(copies["mcp"]) == done


@pytest.mark.parametrize("case", READS, ids=name_of)
def test_an_act_that_reads_tells_the_same_by_every_face(case: Case, folder: Path, mdmem: Run) -> None:
    told = json.loads(mdmem(case.act, *case.typed, "--vault", folder, "--json").out)
    assert stable(in_python(folder, case.act, case.given)) == stable(told)
    assert over_http(folder, case.act, case.given) == (200, told)


@pytest.mark.parametrize("case", WRONG, ids=name_of)
def test_bad_input_gets_the_same_sentence_by_every_face(case: Case, folder: Path, mdmem: Run) -> None:
    with pytest.raises(MdmemError) as raised:
        in_python(folder, case.act, case.given)
    error = raised.value
    ran = mdmem(case.act, *case.typed, "--vault", folder, code=error.exit_code)
    assert f"mdmem: {error.message}" in ran.err
    status = next(code for kind, code in _STATUS.items() if isinstance(error, kind))
    assert over_http(folder, case.act, case.given) == (status, {"error": error.message, "hint": error.hint})
    if case.tool:
        failed, text = by_tool(folder, *case.tool)
        assert failed
        assert text.startswith(error.message)


MISFITS = (
    Case("recall", {"words": ["x"], "limit": 0}, ("x", "--limit", "0")),
    Case("recall", {"words": ["x"], "limit": "five"}, ("x", "--limit", "five")),
    Case("recall", {"words": ["x"], "depth": "deep"}, ("x", "--depth", "deep")),
    Case("remember", {"text": "x", "type": "preferenc"}, ("x", "--type", "preferenc")),
    Case("remember", {"text": "x", "confidence": 2}, ("x", "--confidence", "2")),
    Case("remember", {"text": "x", "confidence": "high"}, ("x", "--confidence", "high")),
    Case("undo", {"last": 0}, ("--last", "0")),
)


@pytest.mark.parametrize("case", MISFITS, ids=name_of)
def test_a_value_that_cannot_be_gets_the_same_sentence_from_a_command_and_over_http(
    case: Case, folder: Path, mdmem: Run
) -> None:
    """A person and a program read one sentence, not those of two libraries."""
    status, told = over_http(folder, case.act, case.given)
    ran = mdmem(case.act, *case.typed, "--vault", folder, code=2)
    assert (status, ran.err) == (400, f"mdmem: {told['error']}\n       {told['hint']}\n")


def test_what_a_tool_takes_is_said_in_the_same_words(folder: Path) -> None:
    assert by_tool(folder, "recall", {"query": "x", "budget": "five"}) == (
        True,
        "budget 'five' is not a number\nwrite a number from 1 up",
    )
    assert by_tool(folder, "forget", {"names": []})[1].startswith("names is missing\n")


@pytest.mark.parametrize("command", ["edit", "blame", "rename", "restore", "import", "export", "work link a"])
def test_a_missing_argument_is_named(command: str, folder: Path, mdmem: Run) -> None:
    """To click, a default of None fills an argument in: then the act is called without it."""
    assert " is missing\n       mdmem " in mdmem(*command.split(), "--vault", folder, code=2).err


def test_an_empty_pipe_takes_no_text_away(folder: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program whose output was to be the new text may have failed."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    note = folder / f"allmemories/{TEA}.md"
    before = note.read_text()
    ran = mdmem("update", TEA, "--body", "-", "--vault", folder, code=2)
    assert "standard input is empty; nothing was changed" in ran.err
    assert note.read_text() == before


def test_what_only_reads_is_not_written_over_http(folder: Path) -> None:
    """A writing act has no address unless the pages may write."""
    with contextmanager(lambda: serving(folder))() as site:
        site.get("/api/openapi.json")
        answer = site.ask("/api/acts/forget", "POST", Cookie=site.cookie)
    assert answer.status == 405
    assert (folder / f"allmemories/{TEA}.md").exists()


def test_help_names_what_the_code_counts_with() -> None:
    """What a table of texts says of numbers and words that are known elsewhere."""
    planned = {one.name: one.option.about for one in parameters(acts.garden)}
    assert f"down to {POSSIBLE}," in planned["llm"]
    assert f"{A_CALL} proposals each" in planned["max_calls"]
    [facts] = (one.option.about for one in parameters(toolbox.facts) if one.name == "items")
    assert facts.endswith(", ".join(TYPES))


def test_a_published_vault_is_dropped_by_its_name() -> None:
    """It is no vault that a face opens."""
    command = made("drop", acts.act_at(acts.GROUPS["team"]["drop"]))
    assert command.make_context("drop", ["notes"]).params == {"name": "notes", "yes": False}


def test_python_takes_words_as_one_text_filters_and_properties(folder: Path) -> None:
    """As the guide on Python says; the letters of a text were taken for words."""
    from mdmem.acts.selecting import Selection

    with Vault(str(folder)) as vault:
        me = Caller(NOW, "my-agent", "conv-14")
        acts.remember(vault, me, "Oolong is tea, too.", given={"tags": ["leaves"]})
        assert acts.show(vault, me, TEA).value["name"] == TEA
        assert [commit.actor for commit in acts.log(vault, me, "oolong_tea_too").items] == ["my-agent"]
        found = acts.recall(vault, me, "tea", chosen=Selection(tags=("leaves",))).answers
        assert [one.hit.record.name for one in found] == ["oolong_tea_too"]
