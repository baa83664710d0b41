"""How many secrets are found, by kind, and how many harmless texts are taken for one.

    python tests/bench/secret_texts.py [FILE.jsonl ...] [--shared ../shared] [--show]

Each line of a file has `text`, `secret` (true or false) and `kind`; the default are those of tests/data, on
which the rules were tuned. A `¦` in a text is taken out when it is read: it keeps scanners from taking the texts
for real. Harmless ones are also made at run time (hashes, UUIDs, ids), and the observations of the LoCoMo
conversations are read where the shared folder has them.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mdmem.write import secrets

PROJECT = Path(__file__).parents[2]
DEV = [PROJECT / f"tests/data/secrets_{part}.jsonl" for part in ("dev", "more")]
HELD = PROJECT / "tests/data/secrets_held.jsonl"  # kept from whoever writes the rules
SAID, HARMLESS = PROJECT / "tests/data/secrets_said.tsv", PROJECT / "tests/data/secrets_harmless.tsv"
WIDE, WIDE_HARMLESS = PROJECT / "tests/data/secrets_wide.tsv", PROJECT / "tests/data/secrets_wide_harmless.tsv"
FRESH, FRESH_HARMLESS = (PROJECT / f"tests/data/secrets_fresh{of}.tsv" for of in ("", "_harmless"))
TOLD, TOLD_HARMLESS = (PROJECT / f"tests/data/secrets_told{of}.tsv" for of in ("", "_harmless"))
MORE, MORE_HARMLESS = (PROJECT / f"tests/data/secrets_more{of}.tsv" for of in ("", "_harmless"))
SEEN = ("home", "travel", "money")  # the subjects in FRESH by which rules were tuned
SEEN_TOLD = ("family", "devices", "code")  # and those in TOLD
GENERATED, OBSERVED = 400, 500
SEED = 7


class Sample(NamedTuple):
    """A text, whether it holds a secret, and of what kind it is."""

    text: str
    secret: bool
    kind: str


class Tally(NamedTuple):
    """Texts by kind: how many, and how many were taken for secrets."""

    texts: Counter[str]
    hits: Counter[str]
    wrong: list[Sample]

    @property
    def share(self) -> float:
        """Of all texts those that were taken for secrets, 0-1."""
        return self.hits.total() / self.texts.total() if self.texts else 0.0


def load(file: Path) -> list[Sample]:
    """The texts of a labelled file."""
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return [Sample(row["text"].replace("¦", ""), row["secret"], row["kind"]) for row in rows]


def load_table(file: Path, secret: bool) -> list[Sample]:
    """The texts of a table with the columns id, language, kind, text; a line break in a text is written as \\n."""
    rows = [line.split("\t") for line in file.read_text("utf-8").splitlines()[1:]]
    return [Sample(row[3].replace("\\n", "\n").replace("¦", ""), secret, row[2]) for row in rows]


def half(secret: Path, harmless: Path, subjects: tuple[str, ...], seen: bool) -> list[Sample]:
    """The texts of two tables that are on some subjects, or, if not `seen`, on the others."""
    both = [*load_table(secret, True), *load_table(harmless, False)]
    return [sample for sample in both if (sample.kind in subjects) is seen]


def generated(count: int = GENERATED, seed: int = SEED) -> Iterator[Sample]:
    """Harmless lines with what only looks random: digests, UUIDs, ids, dates, versions, images."""
    chance = random.Random(seed)
    for number in range(count):
        data = chance.randbytes(32)
        forms = (
            f"commit {data[:20].hex()}",
            f"sha256:{data.hex()}",
            f"Fixed in {data[:4].hex()[:7]}, released as v{data[0] % 9}.{data[1] % 30}.{data[2] % 9}",
            str(uuid.UUID(bytes=data[:16], version=4)),
            f"The container id is {data[:6].hex()}",
            f'"integrity": "sha512-{base64.b64encode(data + data).decode()}"',
            f"![chart](data:image/png;base64,{base64.b64encode(data).decode()})",
            f"Order {data[0] * 37}-{data[1] * 41} was shipped on 20{data[2] % 30:02}-{data[3] % 12 + 1:02}-15.",
            f"https://example.org/p/{data[:9].hex()}?page={data[0]}",
            f"The session conv-{number} wrote {data[0]} notes in {data[1]} seconds.",
        )
        yield Sample(forms[number % len(forms)], False, "generated")


def observed(shared: Path, count: int = OBSERVED) -> Iterator[Sample]:
    """Observations of the LoCoMo conversations, evenly from all of them; none where the folder is not there."""
    texts = []
    for file in sorted((shared / "eval/locomo_dev").glob("*.json")):
        for name, value in json.loads(file.read_text("utf-8")).items():
            if name.endswith("_observation"):
                texts += [item[0] for items in value.values() for item in items]
    step = max(1, len(texts) // count)
    for text in texts[::step][:count]:
        yield Sample(text, False, "observation")


def measure(samples: list[Sample], secret: bool) -> Tally:
    """What is found in those of the samples that are secrets, or that are not."""
    tally = Tally(Counter(), Counter(), [])
    for sample in samples:
        if sample.secret is secret:
            hit = bool(secrets.found(sample.text))
            tally.texts[sample.kind] += 1
            tally.hits[sample.kind] += hit
            if hit is not secret:
                tally.wrong.append(sample)
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=DEV)
    parser.add_argument("--shared", type=Path, default=PROJECT.parent / "shared")
    parser.add_argument("--show", action="store_true", help="print what was missed or found wrongly")
    options = parser.parse_args()
    samples = [sample for file in options.files for sample in load(file)]
    samples += [*load_table(SAID, True), *load_table(HARMLESS, False)]
    samples += [*load_table(WIDE, True), *load_table(WIDE_HARMLESS, False)]
    samples += half(FRESH, FRESH_HARMLESS, SEEN, True) + half(TOLD, TOLD_HARMLESS, SEEN_TOLD, True)
    samples += [*load_table(MORE, True), *load_table(MORE_HARMLESS, False)]
    samples += [*generated(), *observed(options.shared)]
    for title, secret in (("secrets", True), ("harmless", False)):
        tally = measure(samples, secret)
        print(f"{title}: {tally.hits.total()} of {tally.texts.total()} taken for secrets ({tally.share:.1%})")
        for kind, count in sorted(tally.texts.items()):
            print(f"  {kind:12} {tally.hits[kind]:4} of {count:4}")
        for sample in tally.wrong if options.show else ():
            print(f"  ! {sample.kind}: {sample.text!r}")


if __name__ == "__main__":
    main()
