"""How good the facts are that ingest draws by rule from a conversation.

    python tests/bench/facts.py CONVERSATION.json [--draw 100] [--seed 7] [--missed]

CONVERSATION.json is one of LoCoMo's form: session_N lists of turns, with observations that people wrote down. The
sessions are ingested into a vault of their own, all in one commit. Prints how many facts there are, how many of
the observations they cover, and a sample drawn by seed to be judged by eye. An observation counts as covered
where a fact drawn from a turn that it cites shares two telling words with it (by root), and half of those of the
shorter one.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from mdmem.language.roots import root
from mdmem.note import segment, stopwords
from mdmem.note.facts import Fact
from mdmem.store.operation import Caller
from mdmem.store.vault import starter
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import entries, ingest
from mdmem.systems.layers.dialog import DialogSource

ENOUGH = 0.5


class Observation(NamedTuple):
    """What people wrote down of a session, and the turns that say so."""

    text: str
    turns: frozenset[str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("conversation", type=Path)
    parser.add_argument("--draw", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--missed", action="store_true", help="also list observations that no fact covers")
    options = parser.parse_args()
    conversation = json.loads(options.conversation.read_text("utf-8"))
    facts, seconds = drawn(conversation)
    print(f"{len(facts)} facts in {seconds:.2f} s with the ingest of all sessions")
    report(conversation, facts, options.missed)
    print(f"\n{options.draw} of them, drawn by seed {options.seed}:")
    chosen = random.Random(options.seed).sample(facts, min(options.draw, len(facts)))
    for number, (session, fact) in enumerate(chosen, 1):
        print(f"{number:3}. {fact.subject} · {fact.relation} · {fact.object}")
        print(f"     {fact.type}, {fact.time_span}, {fact.confidence}   session {session}: {fact.sentence}")


def sessions(conversation: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """Number and text of each session, its turns with time and speaker."""
    for number in range(1, 1000):
        if f"session_{number}" not in conversation:
            continue
        when = moment(conversation[f"session_{number}_date_time"])
        lines = [
            f"[{when:%Y-%m-%d %H:%M}] {turn['speaker']}: {one_line(turn)}" for turn in turns(conversation, number)
        ]
        yield number, "\n".join(lines) + "\n"


def turns(conversation: dict[str, Any], number: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = conversation[f"session_{number}"]
    return found


def one_line(turn: dict[str, Any]) -> str:
    return " ".join(turn.get("text", "").split())


def moment(said: str) -> datetime:
    """'1:56 pm on 8 May, 2023'"""
    return datetime.strptime(" ".join(said.upper().split()), "%I:%M %p ON %d %B, %Y").replace(tzinfo=UTC)


def drawn(conversation: dict[str, Any]) -> tuple[list[tuple[int, Fact]], float]:
    """The facts of all sessions, each with its session, and how long the ingest took (s)."""
    texts = dict(sessions(conversation))
    caller = Caller(datetime(2026, 1, 1, tzinfo=UTC), actor="bench")
    sources = [DialogSource(str(number), text.encode) for number, text in texts.items()]
    with tempfile.TemporaryDirectory() as folder:
        root_folder = f"{folder}/vault"
        starter.make(root_folder, caller, examples=False)
        with Vault(root_folder) as vault:
            start = time.perf_counter()
            done = ingest.ingest(vault, sources, ingest.IngestRequest("talks"), caller)
            seconds = time.perf_counter() - start
            read = [(int(item.source), entries.read(vault, item.place)[1]) for item in done.items]
    return [(number, fact) for number, summary in read for fact in summary.facts], seconds


def report(conversation: dict[str, Any], facts: list[tuple[int, Fact]], missed: bool) -> None:
    """How many observations are covered."""
    by_turn: dict[str, list[Fact]] = {}
    for number, fact in facts:
        by_turn.setdefault(turns(conversation, number)[fact.line - 1]["dia_id"], []).append(fact)
    observations = list(observed(conversation))
    touched = [item for item in observations if any(turn in by_turn for turn in item.turns)]
    covered = [
        item for item in observations if any(says(f, item.text) for t in item.turns for f in by_turn.get(t, ()))
    ]
    print(f"{len(covered)} of {len(observations)} observations covered; a fact of their turn: {len(touched)}")
    for item in observations if missed else ():
        if item not in covered:
            print(f"   missed: {item.text}")


def observed(conversation: dict[str, Any]) -> Iterator[Observation]:
    for key, said in conversation.items():
        if re.fullmatch(r"session_\d+_observation", key):
            for items in said.values():
                for text, cited in items:
                    yield Observation(text, frozenset(re.findall(r"D\d+:\d+", str(cited))))


def says(fact: Fact, observation: str) -> bool:
    """Whether a fact and an observation share two telling words, and half of those of the shorter one."""
    wanted, said = telling(observation) - telling(fact.subject), telling(f"{fact.relation} {fact.object}")
    return len(wanted & said) >= max(2, ENOUGH * min(len(wanted), len(said)))


def telling(text: str) -> set[str]:
    return {root(word) for word in segment.terms(text) if word not in stopwords.QUESTION}


if __name__ == "__main__":
    main()
