"""What is asked about at a write: of labelled pairs, and of ordinary notes, each written after all older ones.

    python -m tests.bench.asked [--model MODEL] [--day] [SET ...]

A pair is asked about if the newer note's questions name the older one. An ordinary note is in no label. `--day`
has all notes be written on one day, a minute apart; `--model` has the vectors of a sentence model take part.
Totals only: whoever has read the mistakes of a set can no longer report on it.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mdmem.garden import asking
from mdmem.store.vault.vault import Vault
from tests import garden_set
from tests.garden_set import Note

SETS = (
    *("garden", "judgement", "judgement_more", "judgement_wide", "judgement_tidy"),
    *("judgement_natural", "judgement_fresh", "judgement_unseen"),
)


def dated(notes: Iterable[Note], on_one_day: bool) -> list[Note]:
    """The notes, the oldest first; those on one day stand a minute apart."""
    ordered = sorted(notes, key=lambda note: (str(note.properties.get("created", "")), note.name))
    if not on_one_day:
        return ordered
    start = datetime(2026, 3, 2, 0, 0, tzinfo=UTC)
    times = (start + timedelta(minutes=at) for at in range(len(ordered)))
    return [
        note._replace(properties={**note.properties, "created": f"{time:%Y-%m-%dT%H:%M:%SZ}"})
        for note, time in zip(ordered, times, strict=True)
    ]


def made(root: Path, notes: Sequence[Note], model: str) -> None:
    """A vault of these notes, with vectors if a model is named."""
    subprocess.run(["git", "init", "--quiet", root], check=True)
    (root / "mdmem.toml").write_text(f'[semantic]\nmodel = "{model or "off"}"\n')
    (root / "allmemories").mkdir()
    for note in notes:
        (root / note.path).write_bytes(note.data)
    subprocess.run(["git", "-C", root, "add", "--all"], check=True)
    who = ["-c", "user.name=Ada Lovelace", "-c", "user.email=ada@example.org"]
    subprocess.run(["git", "-C", root, *who, "commit", "--quiet", "-m", "notes"], check=True)
    if model:
        from mdmem.recall import meaning

        with Vault(str(root)) as vault:
            meaning.embed(vault)


def measured(of: str, on_one_day: bool, model: str) -> dict[str, list[int]]:
    """kind or "ordinary notes" -> [how many were asked about, of how many, questions]."""
    notes = dated(garden_set.notes(of), on_one_day)
    labels = garden_set.labels(of)
    marked = {name for kind in labels for label in _pairs(labels[kind]) for name in label}
    ages = {note.name: at for at, note in enumerate(notes)}
    found: dict[str, list[int]] = {}
    with tempfile.TemporaryDirectory() as folder:
        made(Path(folder), notes, model)
        with Vault(folder) as vault:
            told: dict[str, set[str]] = {}
            for at, note in enumerate(notes):
                newer = [other.path for other in notes[at + 1 :]]
                told[note.name] = {one.name for one in asking.asked(vault, [note.path], newer, bool(model))}
    for kind in garden_set.PAIRED:
        pairs = [sorted(pair, key=ages.__getitem__) for pair in garden_set.wanted_pairs(kind, of)]
        if pairs:
            hits = sum(older in told[newer] for older, newer in pairs)
            found[kind] = [hits, len(pairs), 0]
    plain = [name for name in ages if name not in marked]
    asked = [len(told[name]) for name in plain]
    found["ordinary notes"] = [sum(map(bool, asked)), len(plain), sum(asked)]
    return found


def _pairs(labels: object) -> Iterable[frozenset[str]]:
    for label in labels if isinstance(labels, list) else ():
        if isinstance(label, dict) and ("a" in label or "older" in label):
            yield garden_set.pair(label)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--day", action="store_true")
    parser.add_argument("--model", default="")
    given = parser.parse_args()
    for of in given.sets:
        found = measured(of, given.day, given.model)
        row = "  ".join(f"{kind} {one[0]}/{one[1]} {one[0] / (one[1] or 1):.2f}" for kind, one in found.items())
        print(f"{of:20} {row}  questions {found['ordinary notes'][2]}", flush=True)


if __name__ == "__main__":
    main()
