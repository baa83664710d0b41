"""Topic summaries in a model's words: where they are stored, and when the model is asked.

Only `refresh`, for `mdmem rebuild topics`, asks it. The update after a write uses stored wordings, or the rules.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

from mdmem.errors import NoteError, Problem, UsageError
from mdmem.recall.models.language import LanguageModel
from mdmem.store import layout
from mdmem.store.local import files, state
from mdmem.store.operation import Operation
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import asking, dialog, documents, screening
from mdmem.systems.layers.asking import Attempts
from mdmem.systems.layers.pages import sources, topic, wording
from mdmem.systems.layers.pages.aggregates import TopicMemory
from mdmem.systems.layers.pages.topic import TopicSources
from mdmem.systems.layers.pages.wording import TopicWording
from mdmem.write import secrets

FILE = "wordings.jsonl"  # in the folder of a topic, if git carries the wordings
_FOLDER = "wordings"  # in the vault's local folder
_BY_RULE = "the rules word the summary"


class _Place(NamedTuple):
    """A file of wordings: the folder that its path is relative to, the path, and the path shown to people."""

    root: str
    path: str
    shown: str


def is_wanted(vault: Vault) -> bool:
    """Whether the settings ask for summaries in a model's words."""
    return vault.config.pages.summary == "model"


def kept(vault: Vault, name: str) -> tuple[list[TopicWording], list[Problem]]:
    """The wordings stored for a topic, in git and locally, and problems with their files."""
    known: list[TopicWording] = []
    problems: list[Problem] = []
    for place in (_tracked(vault, name), _local(vault, name)):
        try:
            words, wrong = wording.parse(files.read_or_none(place.root, place.path) or b"", place.shown)
        except (NoteError, UsageError) as error:
            words, wrong = [], [Problem("wording-unreadable", place.shown, 0, error.message, "delete it")]
        known += words
        problems += wrong
    return known, problems


def applied(vault: Vault, memory: TopicMemory) -> tuple[TopicMemory, list[Problem]]:
    """The topic memory with a stored summary that fits it, if there is one, and problems with the stored ones."""
    known, problems = kept(vault, memory.topic)
    if words := wording.fitting(memory, vault.config.pages, known):
        memory = memory._replace(state=memory.state._replace(summary=words.summary), made_by=words.made_by)
    return memory, problems


def _tracked(vault: Vault, name: str) -> _Place:
    path = f"{vault.config.topics}/{name}/{FILE}"
    return _Place(vault.root, path, path)


def _local(vault: Vault, name: str) -> _Place:
    path = f"{_FOLDER}/{name}.jsonl"
    return _Place(vault.state, path, f"{layout.STATE}/{path}")


# -- asking ------------------------------------------------------------------------------------------------


def refresh(vault: Vault, progress: Callable[[int, int], None]) -> None:
    """Have the model that the environment names word each summary for which none of its wordings is stored.

    `vault.tell` gets the reason if the rules word one instead. Wordings are committed if the settings have git
    carry them. Raises as `vault.change`, OSError.
    """
    model = asking.configured(vault.tell, "no model words the summaries of topics")
    if model is None:
        return
    state.prepare(vault.root, vault.repo)
    attempts = Attempts(vault.tell, _BY_RULE, f"{_BY_RULE} of this and the rest")
    topics = sources.survey(vault, sources.fact_notes(vault, {}).values())
    progress(0, len(topics))
    for done, one in enumerate(topics, 1):
        read, _ = sources.read(vault, one)  # problems are reported when the pages are made
        _reword(vault, model, attempts, read)
        progress(done, len(topics))
    if vault.config.derived.wordings:
        _commit(vault, [one.topic for one in topics])


def _reword(vault: Vault, model: LanguageModel, attempts: Attempts, read: TopicSources) -> None:
    """Store a wording of a topic's summary, unless a fitting one is stored already."""
    rules = vault.config.pages
    memory = topic.build(read, rules)
    known, _ = kept(vault, read.topic)
    if wording.fitting(memory, rules, known, model.name):
        return

    def worded() -> TopicWording:
        _refuse_secrets(vault, read)
        prompt = wording.prompt_of(memory, rules)
        summary = asking.answered(model, wording.SYSTEM, prompt, wording.summary_in)
        return TopicWording(wording.digest_of(prompt, model.name), model.name, summary)

    if words := attempts.made(read.topic, worded):
        place = _local(vault, read.topic)
        absolute = files.locate(place.root, place.path)
        os.makedirs(os.path.dirname(absolute), exist_ok=True)
        files.save(absolute, wording.render([*known, words]), os.path.join(vault.state, "tmp"))


def _refuse_secrets(vault: Vault, read: TopicSources) -> None:
    """Raise NoteError if a dialog or note behind the topic seems to hold a secret."""
    dialogs = [f"{read.folder}/{entry.entry_id}/{layout.RAW_FILE}" for entry in read.entries]
    for path in (*dialogs, *dict.fromkeys(sourced.source for sourced in read.noted)):
        data = files.read_or_none(vault.root, path) or b""
        is_dialog = path in dialogs
        text = data.decode(errors="replace")
        if screening.leaks_in(dialog.read(data, path)) if is_dialog else secrets.found(text):
            documents.refuse(path, "seems to hold a secret")


# -- wordings in git ---------------------------------------------------------------------------------------


def _commit(vault: Vault, names: Sequence[str]) -> None:
    """Commit the wordings of these topics that git does not have yet."""
    reason = "Summaries in a model's words, for clones that have no model."
    with vault.change(Operation("rebuild", reason, names=("wordings of topics",))) as tx:
        for name in names:
            known, _ = kept(vault, name)
            path, data = _tracked(vault, name).path, wording.render(known)
            if known and data != tx.read(path):
                tx.write(path, data)
