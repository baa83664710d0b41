"""No surface shows an agent a word of a memory above its limit: every command is run over a vault that holds some.

A new command fails this test until it is classified: in WALKED with command lines, or in SILENT with a reason.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from mdmem.__main__ import main
from mdmem.acts import githooks
from mdmem.cli.group import cli
from mdmem.recall.ask import Query, ask
from mdmem.store.vault.vault import Vault
from mdmem.systems.compat.chunks import ChunkStore
from tests.conftest import NOW, Git, Run

# Words that are in hidden memories alone: names, titles, tags, properties, headings, bodies, facts.
HIDDEN_WORDS = re.compile(
    r"zebrafish|pancreas|xylotag|okapi|quokka|uranium|vexillum|tapir|narwhal|mandrill|gnubody|axolotl|wolverine",
    re.IGNORECASE,
)

HIGH, HYPER, GONE, MADE = (
    "user_zebrafish_hidden_illness",
    "plan_quokka_hidden_reactor",
    "user_narwhal_hidden_debts",
    "sum_of_mandrill_hidden_plans",
)
NOTES = {
    "user_prefers_short_answers": (
        "title: User prefers short answers\ntags: [style]\ntype: preference\ntopic: habits\n"
        f'related_to: ["[[{HIGH}|zebrafish]]"]\n',
        f"Answers are short, see [[{HYPER}]] or [okapi]({HIGH}.md#pancreas).\n"
        f"\nAlso {HYPER} by name.\n\n# Facts\n\n- User · likes · short answers (preference, 0.9)\n",
    ),
    HIGH: (
        "title: User zebrafish illness\ntags: [xylotag]\ntype: fact\nsensitivity: high\ntopic: habits\n"
        "aliases: [Wolverine]\nokapi: okapi\ncategory: future\nimportance: 0.95\n"
        "id: 00000000-0000-4000-8000-00000000000a\n",
        "Pancreas report.\n\nSee [[user_prefers_short_answers]].\n\n# Facts\n\n"
        "- User · has · pancreas trouble (trait, 0.9)\n",
    ),
    HYPER: (
        "title: Plan quokka reactor\ntags: [vexillum]\ntype: decision\nsensitivity: hyper\n"
        "topic: tapir\npinned: true\n",
        "## Uranium\n\nUranium for the short answers. See [[user_prefers_short_answers]].\n",
    ),
    MADE: (f'title: Sum of mandrill plans\nderived_from: ["[[{HYPER}]]"]\n', "Gnubody and short answers.\n"),
    GONE: ("title: User narwhal debts\nsensitivity: hyper\n", "Axolotl debts.\n"),
}

# command -> command lines that show as much as they can; FILE is a text of the vault's neighbour folder
WALKED: dict[str, list[str]] = {
    "recall": [
        "recall short answers --explain",
        "recall zebrafis pancrea --explain --json",
        "recall short answers --depth complete --json",
        "recall short --as-of HEAD --depth full",
        "recall --format markdown",
        "recall short --why user_prefers_short_answers --json",
        "recall short --scope alpha",
        "recall wolverin --explain --json",
        *("recall --as record short", "recall --as record --json"),
        *("recall --as work short", "recall --as work short --json"),
    ],
    "list": [
        "list",
        "list --json",
        "list --count tags",
        "list --count topic",
        "list --kind fact --json",
        "list --where okap=1",
        "list --where aliases=Wolverin",
        "list --count aliases",
        "list --count okap",
        *("list --as record", "list --as record --json"),
        *("list --as work", "list --as work --json"),
        *("list --as chapter", "list --as chapter --json"),
    ],
    "show": [
        "show user_prefers_short_answers",
        "show user_prefers_short_answers --json",
        "show user_prefers_short_answers@HEAD~1",
        "show user_zebrafis_hidden_illness",
        "show quokk",
        "show Wolverin",
        "show hidden",
        "show 00000000-0000-4000-8000-00000000000a",
        "show --as record user_prefers_short_answers --json",
        "show --as work user_zebrafis_hidden_illness",
        "show --as work user_prefers_short_answers --json",
        *("show --as chapter zebrafis", "show --as chapter user_zebrafis_hidden_illness"),
    ],
    "log": [
        "log",
        "log --json",
        "log user_prefers_short_answers --json",
        "log user_narwha_hidden_debts",
        "log user_prefers_short_answers --format membrane",
    ],
    "diff": ["diff", "diff HEAD~1", "diff HEAD~2 --json", "diff user_prefers_short_answers@HEAD~1"],
    "blame": ["blame user_prefers_short_answers", "blame user_zebrafis_hidden_illness"],
    "waiting": ["waiting", "waiting --min-confidence 0 --limit 99 --json", "waiting user_zebrafis_hidden_illness"],
    "judge": [
        *("judge", "judge --all keep --kind captured", "judge --all reject --kind captured --json"),
        *(
            "judge user_zebrafis_hidden_illness ours",
            "judge --all again --kind proposal",
            "judge --agreed-by codex",
        ),
    ],
    "trash": ["trash", "trash --json"],
    "restore": ["restore user_narwha_hidden_debts"],
    "purge": ["purge user_prefers_short_answers", "purge zebrafis --json"],
    "undo": ["undo --last 3 --dry-run", "undo --last 3 --dry-run --json"],
    "status": ["status", "status --json"],
    "doctor": ["doctor", "doctor --json", "doctor --as record", "doctor --as record --sources"],
    "garden": ["garden --diff --min-confidence 0", "garden --min-confidence 0 --json", "garden --paste"],
    "garden apply": ["garden apply --dry-run --min-confidence 0"],
    "topics": ["topics", "topics habits", "topics --global", "topics tapi", "topics habits --json"],
    "session start": [
        "session start --context short --session s1",
        "session start --context zebrafis --session s2 --json",
        "session start --names-only --files 35 --session s3",
    ],
    "session note": ["session note --present reading --session s1"],
    "session end": ['session end --summary "Answers are short." --session s1 --dry-run'],
    "remember": [
        'remember "Answers are short and about reactors." --dry-run',
        'remember "Quokk reactors are hidden."',
    ],
    "capture": ["capture FILE", "capture FILE --json"],
    "record select": ["record select user_prefers_short_answers quokk"],
    "lineage": ["lineage user_prefers_short_answers", "lineage user_prefers_short_answers --format dot"],
    "record prune": ["record prune --dry-run"],
    "export": [
        *("export rum -", "export markdown out", "export server-memory out"),
        *("export membrane", "export membrane --lines"),
    ],
    "work before": ["work before src/quokk.ts --always", "work before quokk --command quokk --always --json"],
    "work chapters": [
        *("work chapters --auto", "work chapters --auto --json", "work chapters user_zebrafis_hidden_illness"),
        *("work chapters --refresh", "work chapters --refresh user_zebrafis_hidden_illness"),
    ],
    "work wisdom": ["work wisdom", "work wisdom user_zebrafis_hidden_illness"],
    "work archive": ["work archive", "work archive --json"],
    "trust": ["trust"],
    "mirror": ["mirror", "mirror --check"],
    "rebuild": ["rebuild", "rebuild all", "rebuild vectors"],
    "update": ["update user_zebrafis_hidden_illness --set confidence=1", "update quokk --add-tag x"],
    "rename": ["rename user_zebrafis_hidden_illness some_other_new_name"],
    "done": ["done user_zebrafis_hidden_illness", "done quokk --dry-run"],
    "forget": ["forget user_zebrafis_hidden_illness"],
    "edit": ["edit user_zebrafis_hidden_illness"],
    "adopt": ["adopt --dry-run"],
    "facts": ["facts", "facts --json", "facts habits"],
    "hooks": ["hooks"],
    "page": ["page --out pages"],
    "remote": ["remote", "remote --json"],
    "sync": ["sync --dry-run", "sync --dry-run --json", "sync"],
    "layout": ["layout"],
}
WRITES_ONE = "writes what it is given to what it is given, and finds that as `show` does"
SILENT = {
    "mcp": "serves an agent on standard input; tests/mcp walks its tools",
    **dict.fromkeys(("init", "agents", "completion", "connect", "disconnect"), "prints no memories"),
    **dict.fromkeys(("guide", "eval"), "prints what it is given and the names of answers, as recall has them"),
    **dict.fromkeys(("work add", "work link"), "prints what it is given"),
    **dict.fromkeys(("publish", "team"), "prints no memories; tests/team holds what leaves the vault"),
    "import": "prints what it is given, from outside the vault",
    **dict.fromkeys(("vaults", "vaults add", "vaults remove"), "prints the names of vaults"),
    "ingest": "prints what it is given, from outside the vault",
    **dict.fromkeys(("record", "candidates"), WRITES_ONE),
}


def commands(group: click.Group, before: tuple[str, ...] = ()) -> Iterator[str]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group) and command.invoke_without_command:
            yield " ".join((*before, name))
        if isinstance(command, click.Group):
            yield from commands(command, (*before, name))
        else:
            yield " ".join((*before, name))


def test_every_command_is_classified() -> None:
    found = set(commands(cli))
    known = WALKED.keys() | SILENT.keys()
    unknown = {name for name in found if name not in known and name.split()[0] not in SILENT}
    assert unknown == set(), "add a line to WALKED, or to SILENT with the reason"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory, empty_vault: Path) -> Path:
    """A vault with hidden memories, committed, one of them deleted, one edited; mirror and topics are on."""
    root = Path(shutil.copytree(empty_vault, tmp_path_factory.mktemp("kept") / "vault"))
    (root / "mdmem.toml").write_text('id = "test"\n[mirror]\nenabled = true\n')
    (root / "topics").mkdir()
    (root / "topics" / "curation.md").write_text("")
    for name, (head, body) in NOTES.items():
        (root / "allmemories" / f"{name}.md").write_text(f"---\n{head}---\n\n{body}")
    return root


@pytest.fixture
def walked(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, git: Git) -> Path:
    root = Path(shutil.copytree(kept, tmp_path / "vault"))
    git(root, "add", "-A")
    git(root, "commit", "-qm", f"remember: {HIGH}, {HYPER}, {GONE}")
    git(root, "rm", "-q", f"allmemories/{GONE}.md")
    git(root, "commit", "-qm", f"forget: {GONE}\n\nAxolotl.")
    with (root / "allmemories" / f"{HYPER}.md").open("a") as file:
        file.write("More uranium.\n")
    git(root, "commit", "-qam", f"revise: {HYPER}")
    with (root / "allmemories" / f"{HIGH}.md").open("a") as file:
        file.write("Not committed pancreas.\n")
        file.write("\n<<<<<<< ours\nPancreas.\n=======\nUranium.\n>>>>>>> theirs\n")
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "hub.git")
    git(root, "remote", "add", "origin", str(tmp_path / "hub.git"))
    (tmp_path / "chat.txt").write_text("User: I prefer short answers about reactors. Remember that.\n")
    monkeypatch.chdir(root)
    monkeypatch.setenv("MDMEM_ACTOR", "some-agent")
    return root


def leaks(text: str) -> list[str]:
    return [line for line in text.splitlines() if HIDDEN_WORDS.search(line)]


def test_no_command_tells_an_agent_of_hidden_memories(
    walked: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "true")
    told: dict[str, list[str]] = {}
    there = set(commands(cli))
    for name, lines in WALKED.items():
        for line in lines if name in there else ():
            capfd.readouterr()
            main(shlex.split(line.replace("FILE", str(walked.parent / "chat.txt"))))
            out, err = capfd.readouterr()
            if found := leaks(out) + leaks(err):
                told[line] = found
    assert told == {}


def test_a_person_sees_all_of_it_with_the_same_commands(
    walked: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The words looked for are there to be found."""
    monkeypatch.delenv("MDMEM_ACTOR")
    for line, word in (
        ("list", "zebrafish"),
        ("recall uranium", "uranium"),
        ("recall wolverine", "zebrafish"),
        ("log", "quokka"),
        ("trash", "narwhal"),
        ("sync --dry-run", "zebrafish"),
    ):
        assert word in mdmem(*line.split()).out.lower()
    main(["show", HIGH, "--max-sensitivity", "medium"])
    assert "there is no memory" in capfd.readouterr().err


def test_derived_files_leave_out_what_is_above_low(
    walked: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MDMEM_ACTOR")
    mdmem("rebuild", "all")
    mdmem("remember", "The sky is blue today.")
    truth = {walked / "allmemories" / f"{name}.md" for name in NOTES}
    files = {path for path in walked.rglob("*") if path.is_file() and not {".git", ".mdmem"} & {*path.parts}}
    assert len(files - truth) > 5
    for path in files - truth:
        assert leaks(path.read_text("utf-8", "replace")) == [], path
        assert not HIDDEN_WORDS.search(path.name), path


def test_pages_show_nobody_more_than_commands_do(walked: Path, mdmem: Run) -> None:
    """Every page and its value, as they are served to an agent, and as files."""
    from mdmem.acts.pages.request import PageRequest
    from mdmem.page import frame
    from mdmem.page.frame import PageFrame
    from mdmem.page.links import ServedLinks
    from mdmem.page.site import BY_NAME, PAGES

    def served(environ: dict[str, str]) -> str:
        with Vault.open(str(walked), environ=environ) as vault:
            pages = [(page, key) for page in PAGES for key in page.kept(vault)]
            values = [page.read(vault, PageRequest(NOW, key)) for page, key in pages]
            around = PageFrame("vault", ServedLinks(), ())
            shown = [frame.html(page.name, value, around) for (page, _), value in zip(pages, values, strict=True)]
            found = BY_NAME["search"].read(vault, PageRequest(NOW, "", {"q": "short answers"}))
            return repr([values, shown, found["answers"]])

    assert leaks(served({"MDMEM_ACTOR": "a"})) == []
    assert leaks(served({}))
    mdmem("page", "--out", walked.parent / "pages")
    written = [path for path in (walked.parent / "pages").rglob("*") if path.is_file()]
    assert len(written) > 5
    assert [path for path in written if leaks(str(path)) or leaks(path.read_text("utf-8"))] == []


def test_chunks_and_answers_obey_the_same_rule(walked: Path) -> None:
    with ChunkStore(walked) as store:
        for id in store.list_chunks():
            chunk = store.get_chunk(id)
            assert chunk is not None
            assert leaks(chunk.to_json()) == []
    with ChunkStore(walked, max_sensitivity="low", scopes=["alpha"]) as store:
        assert len(store.list_chunks()) == 1
    with Vault.open(str(walked), environ={"MDMEM_ACTOR": "a"}) as vault:
        assert leaks(repr(ask(vault, Query(("short answers",), depth="complete"), NOW))) == []
        assert ask(vault, Query(("uranium pancreas",)), NOW) == []
    with Vault.open(str(walked), environ={}) as vault:
        assert leaks(repr(ask(vault, Query(("uranium",), depth="full"), NOW)))


def test_hooks_say_nothing_of_hidden_memories(walked: Path, git: Git) -> None:
    note = walked / "allmemories" / f"{HIGH}.md"
    note.write_text(note.read_text().replace("importance: 0.95", "importance: 7"))
    git(walked, "add", "-A")
    with Vault(str(walked)) as vault:
        vault.clear_for("hook")
        assert leaks("\n".join(map(str, githooks.staged_problems(vault)))) == []


def test_only_one_level_above_is_hinted_at(walked: Path, mdmem: Run) -> None:
    listed = json.loads(mdmem("list", "--json").out)
    stub = {"id": "00000000-0000-4000-8000-00000000000a", "type": "fact", "sensitivity": "high", "redacted": True}
    assert [item for item in listed if item.get("redacted")] == [stub]
    assert "sensitivity high" in mdmem("show", stub["id"], code=3).err
    assert json.loads(mdmem("list", "--json", "--tag", "xylotag").out) == []
    refused = mdmem("list", "--max-sensitivity", "high", code=2)
    assert "git config mdmem.max-sensitivity high" in refused.err


def test_settings_of_a_clone_cannot_raise_what_is_shown(walked: Path, mdmem: Run, git: Git) -> None:
    def listed() -> str:
        return str(mdmem("list").out)

    (walked / "mdmem.toml").write_text('id = "test"\n[trust]\nmax_sensitivity = "hyper"\n')
    assert HIGH not in listed()
    git(walked, "config", "mdmem.max-sensitivity", "high")
    assert HIGH in listed()
    assert HYPER not in listed()
    (walked / "mdmem.toml").write_text('id = "test"\n[trust]\nmax_sensitivity = "public"\n')
    assert HIGH in listed(), "what a person set in git's settings holds"
    git(walked, "config", "--unset", "mdmem.max-sensitivity")
    assert "user_prefers_short_answers" not in listed()


@pytest.mark.parametrize("command", ["topics", "topics habits", "topics --global", "facts", "facts habits"])
def test_agents_are_refused_pages_and_facts_that_a_person_raised_above_their_limit(
    walked: Path, mdmem: Run, git: Git, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    git(walked, "config", "mdmem.pages-max-sensitivity", "hyper")
    for form in ([], ["--json"]):
        refused = mdmem(*command.split(), *form, code=4)
        assert leaks(refused.out + refused.err) == []
    monkeypatch.delenv("MDMEM_ACTOR")
    assert "pancreas" in mdmem("facts").out


@pytest.mark.parametrize("branch", [(), ("--branch", "tidy")])
def test_the_garden_leaves_proposals_alone_that_involve_hidden_memories(
    walked: Path, mdmem: Run, git: Git, monkeypatch: pytest.MonkeyPatch, branch: tuple[str, ...]
) -> None:
    """A note that is superseded is deprecated with a line that names what supersedes it: here a hidden one."""
    old = walked / "allmemories" / "user_prefers_long_answers.md"
    old.write_text("---\ntitle: User prefers long answers\n---\n\nAnswers are long.\n")
    heir = '---\ntitle: Newer\nsupersedes: ["[[user_prefers_short_answers]]"]\n---\n\nAnswers are lists.\n'
    (walked / "allmemories" / "user_prefers_lists_now.md").write_text(heir)
    hidden = walked / "allmemories" / f"{HYPER}.md"
    hidden.write_text(hidden.read_text().replace("pinned: true", f'supersedes: ["[[{old.stem}]]"]'))
    git(walked, "add", "-A")
    git(walked, "commit", "-qm", "more")
    shown = mdmem("garden", "--only", "deprecate", "--diff").out
    assert old.stem not in shown
    assert leaks(shown) == []
    mdmem("garden", "apply", "--only", "deprecate", *branch)
    assert "deprecated" not in git(walked, "log", "-p", "--all", "--", str(old))
    monkeypatch.delenv("MDMEM_ACTOR")
    assert HYPER in mdmem("garden", "--only", "deprecate", "--diff").out
