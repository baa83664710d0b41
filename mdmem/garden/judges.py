"""A language model as one more reviewer of the proposals that the gardeners are unsure of.

Its verdict is shown beside a proposal. It applies nothing and changes no confidence.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.errors import NoteError, NotFoundError
from mdmem.garden.gardeners.proposal import Proposal
from mdmem.models import judging
from mdmem.models.judging import ModelVerdict
from mdmem.models.keptanswers import KeptAnswers
from mdmem.models.language import ModelError
from mdmem.models.wording import Asked
from mdmem.note import memory
from mdmem.text.plural import counted
from mdmem.vault.vault import Vault
from mdmem.write import leaving

BELOW = 0.8  # no model is asked about proposals of this confidence or more
MAX_CALLS = 20
_NOTES, _TEXT, _REASONS = 6, 1500, 6  # notes, characters of each, and reasons that a model gets
_PATIENCE = 2  # failed calls in a row after which the rest is skipped

Verdicts = Mapping[str, ModelVerdict]  # by the id of the proposal


class JudgeCase(NamedTuple):
    """A proposal's id, and the prompt that asks a model about it."""

    id: str
    prompt: str


class Hearing(NamedTuple):
    """What asking a model involves: verdicts `known` already, cases `to_ask`, and how many are over the cap.

    `kept_back` counts proposals that must not leave the machine.
    """

    known: Verdicts
    to_ask: tuple[JudgeCase, ...]
    over_cap: int
    kept_back: int

    @property
    def cost(self) -> int:
        """The tokens that asking would take, estimated."""
        return sum(judging.cost(case.prompt) for case in self.to_ask)


class Judge:
    """A model that judges proposals, with its earlier answers; `name` is what verdicts call it."""

    def __init__(self, vault: Vault, model: Asked, name: str) -> None:
        self._vault, self._model, self._name = vault, model, name
        self._kept = KeptAnswers(vault.root, name)

    def prepare(self, proposals: Iterable[Proposal], max_calls: int) -> Hearing:
        """Work out what asking about the unsure proposals among these takes, in order; no model is asked yet."""
        known: dict[str, ModelVerdict] = {}
        to_ask: list[JudgeCase] = []
        over_cap = kept_back = 0
        for one in proposals:
            if one.confidence >= BELOW:
                continue
            case = JudgeCase(one.id, _prompt(self._vault, one))
            answer = self._kept.get(judging.SYSTEM, case.prompt)
            if answer is not None:
                known[one.id] = judging.verdict_in(answer, self._name)
            elif len(to_ask) == max_calls:
                over_cap += 1
            elif leaving.kept_back(self._vault, _paths(one), case.prompt):
                kept_back += 1
            else:
                to_ask.append(case)
        return Hearing(known, tuple(to_ask), over_cap, kept_back)

    def hear(self, cases: Sequence[JudgeCase], progress: Callable[[int, int], None]) -> Verdicts:
        """The model's verdicts on these cases. Answers are kept, failures are reported to `vault.tell`."""
        heard: dict[str, ModelVerdict] = {}
        failures = 0
        for done, case in enumerate(cases):
            progress(done, len(cases))
            try:
                answer = self._model.ask(judging.SYSTEM, case.prompt)
            except ModelError as error:
                failures += 1
                self._vault.tell(f"{case.id} was not judged: {error.message} ({error.hint})")
                if failures == _PATIENCE:
                    self._tell_of_rest(len(cases) - done - 1)
                    break
                continue
            failures = 0
            self._kept.put(judging.SYSTEM, case.prompt, answer)
            heard[case.id] = judging.verdict_in(answer, self._name)
        progress(len(cases), len(cases))
        return heard

    def _tell_of_rest(self, rest: int) -> None:
        if rest:
            self._vault.tell(f"{counted(rest, 'proposal')} not asked about: the model failed {_PATIENCE} times")


def _paths(one: Proposal) -> list[str]:
    """The paths that a proposal involves: of its evidence, of existing files it edits, and of what it rests on."""
    there = [edit.path for edit in one.edits if edit.before is not None]
    return list(dict.fromkeys([*(why.path for why in one.evidence), *there, *one.rests_on]))


def _prompt(vault: Vault, one: Proposal) -> str:
    case = {
        "proposal": one.title,
        "would be lost": one.lost or "nothing",
        "why": [f"{why.path}: {why.text[:_TEXT]}" for why in one.evidence[:_REASONS]],
        "notes": [_told(vault, path) for path in _paths(one)[:_NOTES]],
    }
    merged = next((edit.after for edit in one.edits if edit.path == one.merged), None)
    if merged is not None:
        case["result"] = memory.parse(merged, one.merged).body[:_TEXT]
    return json.dumps(case, ensure_ascii=False, indent=1)


def _told(vault: Vault, path: str) -> dict[str, Any]:
    """A note as the prompt shows it; only its path if it cannot be read."""
    try:
        note = memory.parse(vault.read(path), path)
    except (NoteError, NotFoundError):
        return {"name": path}
    dates = {"created": note.created} if note.created else {}
    return {"name": note.name, "title": note.title, "status": note.status, **dates, "text": note.body[:_TEXT]}
