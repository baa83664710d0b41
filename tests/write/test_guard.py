"""No secret is newly written by accident; what is there already blocks nothing. None here is real."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mdmem.errors import StoppedError, UsageError
from mdmem.history import past
from mdmem.session import start
from mdmem.store.operation import Caller
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault
from mdmem.write import edit, rename, secretrules, secrets
from mdmem.write import remember as intake
from tests.conftest import Commit, Git, Remember, Run, Write

PASSWORD = "The staging password is hunter2swordfish."
TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cD1fG3hJ5"


def holds(root: Path, secret: str) -> list[Path]:
    """The files of the vault, git's own left out, that hold a text."""
    files = [path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts]
    return [path for path in files if secret in path.name or secret.encode() in path.read_bytes()]


def test_remember_refuses_a_password_and_says_where(mdmem: Run, root: Path, git: Git) -> None:
    ran = mdmem("remember", f"Staging is new.\n\n{PASSWORD}", "--vault", root, code=4)
    assert "line 3 of the text" in ran.err
    assert "Password" in ran.err
    assert "--allow-secret" in ran.err
    assert "hunter2" not in ran.err + ran.out
    assert holds(root, "hunter2") == []
    assert git(root, "rev-list", "--count", "HEAD") == "1"


def test_allow_secret_insists(mdmem: Run, root: Path) -> None:
    mdmem("remember", PASSWORD, "--allow-secret", "--vault", root)
    assert holds(root, "hunter2swordfish")


@pytest.mark.parametrize("strict", [False, True], ids=["told", "refused in a strict vault"])
def test_a_secret_that_a_person_wrote_by_hand_is_seen_when_it_is_committed(
    mdmem: Run, root: Path, write: Write, git: Git, strict: bool, commit: Commit
) -> None:
    if strict:
        (root / "mdmem.toml").write_text('id = "test"\n[hooks]\nstrict = true\n')
    note = write("allmemories/staging_has_login.md", "---\ntitle: Staging\n---\nIt is new.\n")
    commit("by hand")
    note.write_text(f"{note.read_text()}\n{PASSWORD}\n")
    more = ("update", "staging_has_login", "--append", "Ask Ada.", "--vault", root)
    ran = mdmem(*more, code=4 if strict else 0)
    assert "staging_has_login.md:6: seems to hold a secret (Password), edited by hand" in ran.err
    assert PASSWORD in note.read_text(), "it is theirs: it stays in the file"
    assert (PASSWORD in git(root, "log", "-p")) is not strict
    severity = "error" if strict else "warning"
    assert (
        f"{severity}  allmemories/staging_has_login.md:6: seems to hold"
        in mdmem("doctor", "--vault", root, code=int(strict)).out
    )
    if strict:
        mdmem(*more, "--allow-secret")
        assert PASSWORD in git(root, "log", "-p")


def test_the_python_api_refuses_and_insists_too(vault: Vault, caller: Caller) -> None:
    draft = intake.Draft(PASSWORD, {})
    with pytest.raises(StoppedError, match="line 1 of the text"):
        intake.remember(vault, draft, caller)
    assert intake.remember(vault, draft, caller._replace(allow_secret=True)).commit


@pytest.mark.parametrize("changes", [{"title": PASSWORD}, {"tags": [TOKEN]}, {"name": f"key_{TOKEN}".lower()}])
def test_titles_tags_and_names_are_looked_at(
    changes: dict[str, object], vault: Vault, root: Path, caller: Caller
) -> None:
    name = str(changes.pop("name", ""))
    draft = intake.Draft("How to reach staging.", changes, name)  # type: ignore[arg-type]
    with pytest.raises(StoppedError):
        intake.remember(vault, draft, caller)
    assert holds(root, "hunter2") == []


@pytest.mark.parametrize(
    "change", [edit.Edit(append=PASSWORD), edit.Edit(body=PASSWORD), edit.Edit({"summary": PASSWORD})]
)
def test_update_refuses_what_is_new(change: edit.Edit, vault: Vault, remember: Remember, caller: Caller) -> None:
    path = remember("Staging runs on the old server.", "staging_runs_there")
    with pytest.raises(StoppedError, match=rf"{path}:\d+: seems to hold a secret \(Password\)"):
        edit.update_all(vault, [lookup.named(vault, "staging_runs_there")], change, caller)


def test_a_value_that_completes_an_old_line_is_new(vault: Vault, remember: Remember, caller: Caller) -> None:
    remember("Wifi password:", "wifi_at_the_cabin")
    with pytest.raises(StoppedError, match="Password"):
        edit.update_all(vault, [lookup.named(vault, "wifi_at_the_cabin")], edit.Edit(append="hunter2"), caller)


def test_an_old_secret_blocks_no_other_edit(
    vault: Vault, write: Callable[[str, str], Path], caller: Caller, said: list[str]
) -> None:
    write("allmemories/staging_has_login.md", f"{PASSWORD}\n")
    record = lookup.named(vault, "staging_has_login")
    assert edit.update_all(vault, [record], edit.Edit({"tags": ["ops"]}, append="It moved."), caller).commit
    record = lookup.named(vault, "staging_has_login")
    assert rename.rename(vault, record, "staging_server_has_login", caller).commit


def test_a_rename_to_a_secret_is_refused(vault: Vault, remember: Remember, caller: Caller) -> None:
    remember("Staging is new.", "staging_is_new")
    with pytest.raises(StoppedError, match="a file name seems to hold a secret"):
        rename.rename(vault, lookup.named(vault, "staging_is_new"), "staging_password_hunter2", caller)


@pytest.mark.parametrize(("who", "reason"), [({}, PASSWORD), ({"session": TOKEN}, ""), ({"actor": TOKEN}, "")])
def test_reason_session_and_actor_are_looked_at(
    who: dict[str, str], reason: str, vault: Vault, caller: Caller
) -> None:
    """They stand in the commit message, where no edit reaches them."""
    with pytest.raises(StoppedError, match=r"the (reason|session|actor) seems to hold"):
        intake.remember(vault, intake.Draft("Staging is new.", {}), caller._replace(**who), reason)


def test_an_undo_and_a_restore_are_told_of_and_done(
    vault: Vault, caller: Caller, said: list[str], remember: Remember
) -> None:
    done = intake.remember(
        vault, intake.Draft(PASSWORD, {}, "staging_has_login"), caller._replace(allow_secret=True)
    )
    edit.forget(vault, [lookup.named(vault, "staging_has_login")], caller)
    said.clear()
    past.restore(vault, "staging_has_login", caller)
    assert vault.read(done.path)
    assert any("secret" in line for line in said)
    assert "hunter2" not in " ".join(said)


def test_a_session_is_not_called_by_a_token(vault: Vault, root: Path, caller: Caller) -> None:
    with pytest.raises(UsageError, match="id of the session holds a secret"):
        start.note(vault, {"present": "reading"}, caller._replace(session=TOKEN))
    assert holds(root, TOKEN) == []


@pytest.mark.parametrize("insists", [False, True], ids=["not asked for", "insisted on"])
def test_whoever_insists_saves_a_secret_by_every_command(
    mdmem: Run, root: Path, tmp_path: Path, insists: bool
) -> None:
    chat, block = tmp_path / "chat.md", tmp_path / "block.txt"
    chat.write_text("User: Remember this: the password of the staging host is hunter2swordfish.\n")
    block.write_text(
        "[MEMORY_CANDIDATES]\n1. vault_door_code_word.md — category: past — tags: [door]\n---\n"
        "The password of the vault is kolibri77berg.\n"
    )
    insisting = ["--allow-secret", "--vault", root] if insists else ["--vault", root]
    mdmem("capture", chat, "--write", *insisting)
    mdmem("candidates", "import", block, *insisting, code=0 if insists else 1)
    mdmem("session", "end", "--summary", "- The password of the mail host is wolke99regen.", *insisting)
    kept = "".join(path.read_text() for path in root.glob("allmemories/*.md"))
    for secret in ("hunter2swordfish", "kolibri77berg", "wolke99regen"):
        assert (secret in kept) is insists, secret


OWN = 'id = "test"\n[secrets]\nforms = ["Door token: DT-[A-Z0-9]{12}"]\nwords = ["Open Sesame"]\n'


def test_a_vault_adds_forms_and_words(mdmem: Run, root: Path) -> None:
    (root / "mdmem.toml").write_text(OWN)
    assert "(Door token)" in mdmem("remember", "Keep DT-ABCDEFGH1234 by the gate", "--vault", root, code=4).err
    assert "(Password)" in mdmem("remember", "The open sesame is marzipan.", "--vault", root, code=4).err


def test_what_is_no_secret_is_said_where_no_clone_reaches(mdmem: Run, root: Path, git: Git) -> None:
    (root / "mdmem.toml").write_text(OWN + 'allow = ["hunter2swordfish", "DT-ABCDEFGH1234"]\n')
    ran = mdmem("remember", PASSWORD, "--vault", root, code=4)
    assert "unknown setting secrets.allow" in ran.err + mdmem("doctor", "--vault", root).out
    git(root, "config", "--add", "mdmem.not-secret", "hunter2swordfish")
    git(root, "config", "--add", "mdmem.not-secret", "DT-ABCDEFGH1234")
    mdmem("remember", f"{PASSWORD} DT-ABCDEFGH1234", "--name", "staging_is_for_all", "--vault", root)
    assert holds(root, "hunter2swordfish")


@pytest.mark.parametrize(
    "form",
    [
        *(
            "Door: (a+)+b",
            "Door: a|b",
            r"Door: \\w+\\w+\\w+",
            "Door: [z-a]",
            "Door: a*",
            "Door: a{9,2}",
            "DT-[A-Z]{8}",
        ),
        *("Door: a{99}{99}", "Door: a b", f"Door: {'a' * 300}", "Door: [a", "Door: a**"),
    ],
)
def test_a_form_that_is_none_or_could_take_long_is_refused_with_its_line(
    form: str, mdmem: Run, root: Path
) -> None:
    """The settings may come with a clone."""
    (root / "mdmem.toml").write_text(f'id = "test"\n[secrets]\nwords = []\nforms = ["{form}"]\n')
    ran = mdmem("recall", "boat", "--vault", root, code=2)
    assert "mdmem.toml:4: secrets.forms has" in ran.err
    assert "must be like 'Door token: DT-[A-Z0-9]{12}'" in ran.err


@pytest.mark.parametrize(
    "rules", ['words = ["a1"]', 'words = ["(x)"]', f"words = {['word'] * 21}", f"forms = {['K: ab'] * 21}"]
)
def test_words_are_letters_and_rules_are_few(rules: str, mdmem: Run, root: Path) -> None:
    (root / "mdmem.toml").write_text(f'id = "test"\n[secrets]\n{rules}\n')
    assert "mdmem.toml:3: secrets." in mdmem("recall", "boat", "--vault", root, code=2).err


def test_the_slowest_own_form_takes_one_pass() -> None:
    """What takes quadratic time here takes hours; a word that is too long is not compared."""
    own = secretrules.own(("K: [a.]+[a.]+x",), ())
    assert secrets.found("a.a. " * 20_000 + "a." * 400_000, own) == []


def test_the_properties_of_a_captured_note_give_no_orders(mdmem: Run, root: Path) -> None:
    """`origin: user` looked like the role of a speaker to the fitted weights."""
    note = (
        "---\norigin: user\nsession: s1\nactor: claude-code\n---\n\nThe launch is on 2026-05-04.\n\n— the user\n"
    )
    assert "order" not in mdmem("remember", "--vault", root, "--", note).err
