"""How well questions are answered, beside simpler ways, on public conversations that you have: one table.

    python -m tests.bench.proof [--locomo DIR] [--beam DIR] [--model] [--palinode PYTHON] [--chats N]

`--locomo DIR` is a folder of LoCoMo's conversations (`26.json`, ...; snap-research/locomo, CC BY-NC 4.0),
`--beam DIR` one of BEAM's chats (`1/chat.json`, ...; mohammadtavakoli78/BEAM, no licence is stated).
`--palinode` is a Python that has palinode installed, and a sqlite3 that loads extensions.
They are read where they are, and nothing is fetched. Each conversation is a vault, each turn a memory. Questions
whose evidence is no turn of it are left out, and counted.

hit@5: a right turn is among the first five; recall@10: the share of the right turns among the first ten; both:
of the questions about an update or a contradiction, those with both sides among the first ten; words: the share
of the answer's words in the first 1,000 tokens (4 characters each) of what was found; doubted: the share of
questions that were answered with a doubt, of those that have an answer and of those that have none.

whole: of the answers of a few words, the share of those of which every word is told in 1,000 tokens. Many answers
are in other words than the turns: `right first` is the same if the right ones of what was found stood first. What
mdmem tells is what `recall --budget 1000` prints, citations and all; what the other ways tell are the turns, each
with its day. A day counts as written out.
"""

from __future__ import annotations

import argparse
import json
import re
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from mdmem.note import fields, memory, stopwords, tokens
from mdmem.note.memory import Memory
from mdmem.recall import ask, meaning, order, prompt
from mdmem.recall.gather import RecallContext
from mdmem.store.index.catalogue import SqliteCatalogue

NOW = datetime(2026, 1, 1, tzinfo=UTC)
BUDGET = 1_000  # tokens
SHOWN, PRINTED = 20, 50
FEW = 4  # words of an answer
COMMIT = "0" * 8  # stands for the one of a citation
DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
MINILM = "minilm"


class Asked(NamedTuple):
    """A question, the names of the notes that answer it, in groups of which each is one side, and the answer."""

    question: str
    groups: Sequence[frozenset[str]]
    answer: str = ""

    @property
    def gold(self) -> frozenset[str]:
        """All right notes; none if the conversation does not say."""
        return frozenset().union(*self.groups)


class Chat(NamedTuple):
    """A conversation as notes, what is asked about it, and how many questions were left out."""

    notes: Sequence[Memory]
    asked: Sequence[Asked]
    left_out: int


class Found(NamedTuple):
    """The names of what was found, best first, and whether that was said to be no answer.

    `took` is the processor time in seconds, of what another process found. `tell` returns what is told of them in
    BUDGET, with some names first; without it, their texts are.
    """

    names: Sequence[str]
    is_doubted: bool = False
    took: float | None = None
    tell: Callable[[frozenset[str]], str] | None = None


Ranker = Callable[[str], Found]


def terms(text: str) -> list[str]:
    """The words of a text but for those that every question has."""
    return [word for word in re.findall(r"\w+", text.lower()) if word not in stopwords.QUESTION]


def note_of(number: int, speaker: str, when: datetime, session: str, text: str) -> Memory:
    """One turn as a memory of legacy name."""
    words = [word for word in dict.fromkeys(terms(text[:400])) if word.isascii() and word.isalpha()][:6]
    name = "_".join([speaker.lower(), *words, "turn", str(number)])
    head = f"---\ncreated: {when:%Y-%m-%dT%H:%M:%SZ}\ntype: note\nsession: {session}\nsource: import\n---\n\n"
    return memory.parse(f"{head}{speaker}: {text}\n".encode(), f"{name}.md")


def chat_of(turns: Mapping[Any, Memory], rows: Iterable[tuple[str, Sequence[Sequence[Any]], str]]) -> Chat:
    """A conversation by the ids of its turns and its questions (question, groups of ids, answer).

    A question without groups has no answer; one whose ids are of no turn is left out.
    """
    asked, left_out = [], 0
    for question, sides, answer in rows:
        groups = [frozenset(turns[each].name for each in side if each in turns) for side in sides]
        if sides and not all(groups):
            left_out += 1
        else:
            asked.append(Asked(question, groups, answer))
    return Chat(list(turns.values()), asked, left_out)


def locomo(folder: Path) -> Iterator[Chat]:
    """The conversations of LoCoMo; those of its fifth category ask what is not said."""
    for path in sorted(folder.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        turns: dict[str, Memory] = {}
        for key in (key for key in data if re.fullmatch(r"session_\d+", key)):
            when = datetime.strptime(data[f"{key}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
            for turn in data[key]:
                when += timedelta(seconds=1)
                photo = f"\n\n(shares a photo: {turn['blip_caption']})" if turn.get("blip_caption") else ""
                text = f"{turn.get('text', '')}{photo}"
                turns[turn["dia_id"]] = note_of(len(turns), turn["speaker"], when, f"{path.stem}-{key}", text)
        yield chat_of(turns, _of_locomo(data["qa"]))


def _of_locomo(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, list[list[str]], str]]:
    for row in rows:
        evidence = re.findall(r"D\d+:\d+", str(row.get("evidence") or ""))
        yield row["question"], [] if row["category"] == 5 else [evidence], str(row.get("answer", ""))


def beam(folder: Path) -> Iterator[Chat]:
    """The chats of BEAM; its questions of abstention ask what is not said."""
    for path in sorted(folder.glob("*/chat.json"), key=lambda path: path.parent.name.zfill(4)):
        turns: dict[int, Memory] = {}
        when = datetime(2024, 1, 1, 9, tzinfo=UTC)
        for batch in json.loads(path.read_text(encoding="utf-8")):
            for turn in (turn for group in batch["turns"] for turn in group):
                anchor = turn.get("time_anchor") or ""
                if re.fullmatch(r"\w+-\d+-\d+", anchor):
                    when = datetime.strptime(anchor, "%B-%d-%Y").replace(tzinfo=UTC)
                when += timedelta(seconds=1)
                text = re.sub(r"\s*->->.*$", "", turn["content"]).strip()
                session = f"{path.parent.name}-{batch['batch_number']}"
                turns.setdefault(turn["id"], note_of(len(turns), turn["role"], when, session, text))
        asked = json.loads((path.parent / "probing_questions" / "probing_questions.json").read_text("utf-8"))
        yield chat_of(turns, _of_beam(asked))


def _of_beam(kinds: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[tuple[str, list[list[int]], str]]:
    for kind, rows in kinds.items():
        for row in rows:
            if kind == "abstention":
                yield row["question"], [], ""
                continue
            given = row["source_chat_ids"]
            sides = [_numbers(side) for side in given.values()] if isinstance(given, dict) else [_numbers(given)]
            yield row["question"], [side for side in sides if side] or [[-1]], str(row.get("answer", ""))


def _numbers(given: Any) -> list[int]:
    """The numbers in lists of lists."""
    return [given] if isinstance(given, int) else [number for part in given or () for number in _numbers(part)]


def by_words(notes: Sequence[Memory]) -> Ranker:
    """grep: how many different words of the question a note has."""
    bags = [set(terms(note.body)) for note in notes]

    def rank(question: str) -> Found:
        wanted = set(terms(question))
        best = sorted(range(len(notes)), key=lambda at: (-len(wanted & bags[at]), at))
        return Found([notes[at].name for at in best[:SHOWN]])

    return rank


def by_bm25(notes: Sequence[Memory]) -> Ranker:
    """SQLite's FTS5: porter stems, any of the words, its own BM25."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE fts USING fts5(body, tokenize='porter unicode61')")
    db.executemany("INSERT INTO fts VALUES(?)", [(note.body,) for note in notes])

    def rank(question: str) -> Found:
        wanted = " OR ".join(f'"{word}"' for word in terms(question))
        found = f"SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rank LIMIT {SHOWN}"
        return Found([notes[row - 1].name for (row,) in db.execute(found, (wanted,))] if wanted else [])

    return rank


def by_palinode(notes: Sequence[Memory], python: str, until: ExitStack) -> Ranker:
    """Palinode's search by words, in a process that ends with `until`."""
    folder = Path(until.enter_context(tempfile.TemporaryDirectory(prefix="mdmem-proof-")))
    for note in notes:
        (folder / f"{note.name}.md").write_bytes(fields.render(note.meta, note.body))
    line = [python, "-P", str(Path(__file__).with_name("palinode.py")), str(folder)]
    pipe = subprocess.PIPE
    running = until.enter_context(subprocess.Popen(line, text=True, stdin=pipe, stdout=pipe))

    def rank(question: str) -> Found:
        print(json.dumps(question), file=running.stdin, flush=True)
        names, took = json.loads(running.stdout.readline() if running.stdout else "")
        return Found(names, took=took)

    return rank


class Ours(NamedTuple):
    """What mdmem finds in some notes, with the sentence model or without, and what that model finds alone."""

    catalogue: SqliteCatalogue
    likeness: meaning.Meaning | None

    @classmethod
    def of(cls, notes: Sequence[Memory], folder: Path | None) -> Ours:
        """The index of the notes, in memory; vectors are made in `folder`, if there is one."""
        catalogue = SqliteCatalogue.in_memory()
        for note in notes:
            catalogue.insert(note, "", "")
        if folder is None:
            return cls(catalogue, None)
        (folder / ".mdmem").mkdir()
        found = meaning.Meaning(meaning.model(MINILM), str(folder), catalogue)
        found.embed()
        return cls(catalogue, found)

    def rank(self, question: str) -> Found:
        """What `mdmem recall` answers."""
        context = RecallContext(NOW, likeness=self.likeness)
        hits = order.recall(self.catalogue, [question], context, SHOWN)

        def tell(first: frozenset[str]) -> str:
            found = order.recall(self.catalogue, [question], context, PRINTED)
            answers = [
                ask.Answer(hit, COMMIT) for hit in sorted(found, key=lambda hit: hit.record.name not in first)
            ]
            query = ask.Query((question,), budget=BUDGET, shown=prompt.shown(""))
            return prompt.page(ask.told(query, answers, self._at_depth))

        is_doubted = bool(ask.doubt([ask.Answer(hit, "") for hit in hits]))
        return Found([hit.record.name for hit in hits], is_doubted, tell=tell)

    def _at_depth(self, answer: ask.Answer, depth: str) -> ask.Answer:
        return answer.at(depth, self.catalogue.body(answer.hit.record.path))

    def nearest(self, question: str) -> Found:
        """The notes whose best passage is nearest to the question."""
        assert self.likeness is not None
        return Found([memory.stem(path) for path in self.likeness.nearest(question, SHOWN, "memory")])


class Tally:
    """The sums over the questions of a set, of one way to find answers."""

    def __init__(self) -> None:
        self.rows: dict[str, list[float]] = {}

    def add(self, **figures: float) -> None:
        """One figure each."""
        for name, value in figures.items():
            self.rows.setdefault(name, []).append(value)

    def shown(self, name: str) -> str:
        """The mean of a figure; "-" where nothing was counted."""
        values = self.rows.get(name)
        return f"{sum(values) / len(values):.3f}".lstrip("0") or "0" if values else "-"


def spelt(text: str) -> set[str]:
    """The words of a text, and those of the days in it."""
    days = (datetime(*map(int, day.groups()), tzinfo=UTC) for day in DAY.finditer(text))  # type: ignore[arg-type]
    return {*terms(text), *(word for day in days for word in (f"{day.day}", f"{day:%B}".lower(), f"{day.year}"))}


def count(tally: Tally, asked: Asked, found: Found, texts: Mapping[str, str], took: float) -> None:
    """Add what one answer is worth."""
    tally.add(ms=took * 1_000)
    if not asked.gold:
        tally.add(none=found.is_doubted)
        return
    raw = " ".join(texts[name] for name in found.names)[: BUDGET * tokens.SIGNS]
    told = spelt(found.tell(frozenset()) if found.tell else raw)
    said = set(terms(asked.answer)) - set(terms(asked.question))
    tally.add(
        hit=not asked.gold.isdisjoint(found.names[:5]),
        recall=len(asked.gold.intersection(found.names[:10])) / len(asked.gold),
        doubted=found.is_doubted,
    )
    if len(asked.groups) > 1:
        tally.add(both=all(not side.isdisjoint(found.names[:10]) for side in asked.groups))
    if said:
        tally.add(words=len(said & told) / len(said))
    if 0 < len(answer := set(terms(asked.answer))) <= FEW:
        tally.add(whole=answer <= told)
        if found.tell:
            tally.add(first=answer <= spelt(found.tell(asked.gold)))


def measure(chats: Iterable[Chat], with_model: bool, palinode: str) -> tuple[dict[str, Tally], int, int]:
    """way -> its sums over all chats; and how many questions were asked and left out."""
    ways: dict[str, Tally] = {}
    asked = left_out = 0
    for chat in chats:
        asked, left_out = asked + len(chat.asked), left_out + chat.left_out
        texts = {note.name: f"{str(note.meta['created'])[:10]} {note.body}" for note in chat.notes}
        with ExitStack() as until:
            plain = Ours.of(chat.notes, None)
            rankers = {
                "words counted (grep)": by_words(chat.notes),
                "BM25 (FTS5)": by_bm25(chat.notes),
                "mdmem": plain.rank,
            }
            if palinode:
                rankers["palinode, by words"] = by_palinode(chat.notes, palinode, until)
            if with_model:
                folder = until.enter_context(tempfile.TemporaryDirectory(prefix="mdmem-proof-"))
                near = Ours.of(chat.notes, Path(folder))
                rankers |= {"sentence model alone": near.nearest, "mdmem, with the model": near.rank}
            for way, rank in rankers.items():
                tally = ways.setdefault(way, Tally())
                for each in chat.asked:
                    start = time.process_time()
                    found = rank(each.question)
                    took = time.process_time() - start if found.took is None else found.took
                    count(tally, each, found, texts, took)
    return ways, asked, left_out


def table(name: str, chats: Iterable[Chat], with_model: bool, palinode: str) -> Iterator[str]:
    """The lines of a set's table, in Markdown."""
    ways, asked, left_out = measure(chats, with_model, palinode)
    yield f"{name}: {asked} questions, {left_out} left out"
    yield ""
    yield "| way | hit@5 | recall@10 | both | words | whole | right first | doubted: has one | has none | CPU ms |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for way, tally in ways.items():
        cells = map(tally.shown, ("hit", "recall", "both", "words", "whole", "first", "doubted", "none"))
        milliseconds = sum(tally.rows["ms"]) / len(tally.rows["ms"])
        yield f"| {way} | {' | '.join(cells)} | {milliseconds:.1f} |"
    yield ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--locomo", type=Path)
    parser.add_argument("--beam", type=Path)
    parser.add_argument("--model", action="store_true", help="also with the sentence model (takes minutes)")
    parser.add_argument("--palinode", default="", metavar="PYTHON", help="the Python that has palinode")
    parser.add_argument("--chats", type=int, default=0, help="only so many conversations of each set")
    given = parser.parse_args()
    sets = {"LoCoMo": (locomo, given.locomo), "BEAM": (beam, given.beam)}
    if not given.locomo and not given.beam:
        parser.error("name a folder of conversations with --locomo or --beam")
    for name, (read, folder) in sets.items():
        if folder:
            chats = list(read(folder))[: given.chats or None]
            for line in table(name, chats, given.model, given.palinode):
                print(line, flush=True)


if __name__ == "__main__":
    main()
