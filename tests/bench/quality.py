"""How well recall answers real questions, next to simpler ways, on vaults made of conversations.

    python tests/bench/quality.py [--shared ../shared] [--semantic MODELS] [--each]

The conversations and questions lie in eval/ of the shared folder and are read there.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from mdmem.note import memory, stopwords
from mdmem.note.memory import Memory
from mdmem.recall import evaluate, meaning
from mdmem.recall import order as recall
from mdmem.recall.gather import RecallContext
from mdmem.store.index.catalogue import SqliteCatalogue
from mdmem.store.progress import silent

UNITS = ("observation", "turn", "session")
SHOWN = ("hit@1", "hit@5", "hit@10", "recall@10", "MRR", "nDCG@10")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
Ranker = Callable[[str], Sequence[str]]  # question -> names, best first


def terms(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text.lower()) if word not in stopwords.QUESTION]


def by_name(notes: Sequence[Memory]) -> Ranker:
    """The legacy protocol's scan: names that look like the question."""
    from rapidfuzz import fuzz, process

    names = [note.name.replace("_", " ") for note in notes]

    def rank(question: str) -> Sequence[str]:
        found = process.extract(" ".join(terms(question)), names, scorer=fuzz.token_set_ratio, limit=20)
        return [notes[at].name for _, _, at in found]

    return rank


def by_count(notes: Sequence[Memory]) -> Ranker:
    """grep: how many different words of the question a note has."""
    bags = [set(terms(note.body)) for note in notes]

    def rank(question: str) -> Sequence[str]:
        wanted = set(terms(question))
        order = sorted(range(len(notes)), key=lambda at: (-len(wanted & bags[at]), at))
        return [notes[at].name for at in order[:20]]

    return rank


def by_bm25(notes: Sequence[Memory]) -> Ranker:
    """Plain FTS5: porter stems, any of the words, its own BM25."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE fts USING fts5(title, body, tokenize='porter unicode61')")
    db.executemany("INSERT INTO fts VALUES(?,?)", [(note.title, note.body) for note in notes])

    def rank(question: str) -> Sequence[str]:
        wanted = " OR ".join(f'"{word}"' for word in terms(question))
        rows = (
            db.execute("SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rank LIMIT 20", (wanted,))
            if wanted
            else ()
        )
        return [notes[rowid - 1].name for (rowid,) in rows]

    return rank


def by_recall(notes: Sequence[Memory], likeness: Callable[[SqliteCatalogue], meaning.Meaning | None]) -> Ranker:
    """What mdmem does."""
    catalogue = SqliteCatalogue.in_memory()
    for note in notes:
        catalogue.insert(note, "", "")
    around = RecallContext(NOW, likeness=likeness(catalogue))
    return lambda question: [hit.record.name for hit in recall.recall(catalogue, [question], around, 20)]


def with_model(folder: Path, name: str) -> Callable[[SqliteCatalogue], meaning.Meaning]:
    def likeness(catalogue: SqliteCatalogue) -> meaning.Meaning:
        (folder / ".mdmem").mkdir(exist_ok=True)
        found = meaning.Meaning(meaning.model(name), str(folder), catalogue)
        found.embed(silent)
        return found

    return likeness


def vaults(shared: Path, work: Path, unit: str, each: bool) -> Iterator[tuple[str, Path]]:
    """(name, folder) of the vault of all conversations, or of each."""
    files = sorted((shared / "eval" / "locomo_dev").glob("*.json"))
    for name, some in [("merged", files)] + ([(file.stem, [file]) for file in files] if each else []):
        out = work / f"{unit}-{name}"
        script = shared / "eval" / "make_vault.py"
        subprocess.run([sys.executable, script, *some, out, "--unit", unit], check=True, stdout=subprocess.DEVNULL)
        yield name, out


def score(rank: Ranker, folder: Path) -> dict[str, float]:
    with (folder / "queries.jsonl").open() as file:
        cases = [json.loads(line) for line in file]
    rows = []
    for case in cases:
        order = {name: place for place, name in reversed(list(enumerate(rank(case["question"]), 1)))}
        gold = [memory.stem(name) for name in case["gold"]]
        rows.append(evaluate.scores(sorted(order[name] for name in gold if name in order), len(gold)))
    return {name: sum(row[name] for row in rows) / len(rows) for name in SHOWN} | {"n": len(rows)}


def main() -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # commands are measured as they are installed
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", default="../shared", type=Path)
    parser.add_argument("--units", default=",".join(UNITS))
    parser.add_argument(
        "--semantic", default="", help="also with these sentence models: minilm,multilingual (takes minutes)"
    )
    parser.add_argument("--each", action="store_true", help="also each conversation alone")
    options = parser.parse_args()
    shared = options.shared.resolve()
    if not (shared / "eval" / "make_vault.py").exists():
        sys.exit(f"there is no eval/make_vault.py in {shared}; name its folder with --shared")
    print(f"{'unit':12} {'vault':8} {'ranker':24} " + " ".join(f"{name:>9}" for name in SHOWN) + "  ms/question")
    with contextlib.ExitStack() as stack:
        work = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mdmem-quality-")))
        for unit in options.units.split(","):
            for name, folder in vaults(shared, work, unit, options.each):
                paths = sorted((folder / "vault").glob("*.md"))
                notes = [memory.parse(path.read_bytes(), path.name) for path in paths]
                rankers = {
                    "names that look alike": by_name(notes),
                    "counting terms (grep)": by_count(notes),
                    "FTS5 porter, own BM25": by_bm25(notes),
                    "mdmem recall": by_recall(notes, lambda _: None),
                }
                for model in filter(None, options.semantic.split(",")):
                    rankers[f"mdmem recall, {model}"] = by_recall(notes, with_model(folder, model))
                for label, rank in rankers.items():
                    start = time.perf_counter()
                    found = score(rank, folder)
                    took = (time.perf_counter() - start) * 1000 / found["n"]
                    figures = " ".join(f"{found[name]:9.3f}" for name in SHOWN)
                    print(f"{unit:12} {name:8} {label:24} {figures}  {took:7.1f}", flush=True)


if __name__ == "__main__":
    main()
