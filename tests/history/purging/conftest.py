"""A vault in whose history a password stands in every place where one can, to copy."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import git_settings, is_of_the_developer

SECRET = "sk-SECRET-4711"
ILLNESS = "user_has_secret_illness"
ILLNESS_ID = "0192f3c4-7d1e-7c3a-9d53-00000000000a"
TEA = "user_drinks_green_tea"


def note(id: str, title: str, text: str) -> str:
    return f"---\nid: {id}\ntitle: {title}\n---\n\n{text}\n"


def texts(place: Path) -> list[tuple[str, str]]:
    """(subject, a file) of each commit, the oldest first."""
    del place
    tea_id = ILLNESS_ID.replace("a", "b")
    return [
        (f"create: {TEA}", note(tea_id, "Green tea", "User drinks green tea.")),
        (f"create: {ILLNESS}\n\nShe told me of her gout.", note(ILLNESS_ID, "Secret illness", "User has gout.")),
        (f"revise: {TEA}", note(tea_id, "Green tea", f"User drinks green tea.\n\nThe key is {SECRET}.")),
        (f"revise: {TEA}\n\nTook {SECRET} out.", note(tea_id, "Green tea", f"Tea. See [[{ILLNESS}]].")),
        (
            f"revise: {ILLNESS}\n\nGout again.",
            note(ILLNESS_ID, "Secret illness", "User has gout in the left foot."),
        ),
        (f"create: deploy_key_{SECRET.lower().replace('-', '_')}", "The name says it.\n"),
        (
            "create: escaped_forms",
            '{"key": "sk\\u002dSECRET\\u002d4711", "url": "https://x/?k=sk%2dSECRET-4711"}\n',
        ),
    ]


@pytest.fixture(scope="session")
def leaky_template(tmp_path_factory: pytest.TempPathFactory, empty_vault: Path) -> Path:
    home = tmp_path_factory.mktemp("leaky")
    folder = Path(shutil.copytree(empty_vault, home / "vault"))
    clean = {key: value for key, value in os.environ.items() if not is_of_the_developer(key)}

    def git(*args: str) -> str:
        env = {**clean, **git_settings(home)}
        return subprocess.run(
            ["git", *args], cwd=folder, env=env, check=True, capture_output=True, text=True
        ).stdout

    for at, (message, text) in enumerate(texts(folder)):
        subject, _, reason = message.partition("\n\n")
        name = subject.partition(": ")[2]
        (folder / f"allmemories/{name}.md").write_text(text)
        git("add", ".")
        undoes = f"\nMemory-Undoes: {git('rev-parse', 'HEAD~1').strip()}" if at == 4 else ""
        action = subject.partition(":")[0]
        known = f"\nMemory-Id: {ILLNESS_ID}" if name == ILLNESS else ""
        trailers = f"Memory-Action: {action}{known}\nMemory-Actor: agent-{at}{undoes}"
        git("commit", "--quiet", "-m", "\n\n".join(part for part in (subject, reason, trailers) if part))
    git("tag", "old", "HEAD~3")
    git("update-ref", "refs/mdmem/seen/claude", "HEAD~2")
    git("notes", "add", "-m", f"about {git('rev-parse', 'HEAD~4').strip()}", "HEAD~4")
    git("branch", "side", "HEAD~3")
    return folder


@pytest.fixture
def leaky(leaky_template: Path, tmp_path: Path) -> Path:
    """Its folder, with a home of a person whose agent kept a transcript."""
    transcript = Path(os.environ["HOME"]) / ".claude/projects/shop/chat.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text(f'{{"text": "the key is {SECRET}, User has gout in the left foot."}}\n')
    return Path(shutil.copytree(leaky_template, tmp_path / "leaky"))
