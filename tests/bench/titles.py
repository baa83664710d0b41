"""How well titles and names tell what a text says, on labelled texts.

    python tests/bench/titles.py [--misses]

A title is right if it is one of those that tests/data/titles.jsonl lists (a period at its end counts as none;
where it lists none, the text itself). A name is right if it passes the check, has 3 to 10 words, the words of
`has`, and those of its words that the text has are in the order of the text. Rules are tuned on "dev".
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, NamedTuple

from mdmem.note import naming
from mdmem.note.titles import title_of

DATA = Path(__file__).parents[1] / "data" / "titles.jsonl"


class TitleScore(NamedTuple):
    """Of the texts of one part: how many, and how many got a right title and a right name."""

    texts: int
    titles: int
    names: int


def load(part: str) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
    return [row for row in rows if row["part"] == part]


def is_right_title(row: dict[str, Any], title: str) -> bool:
    wanted = row.get("titles", [row["text"]])
    return title.removesuffix(" …").rstrip(".。") in [text.rstrip(".。") for text in wanted]


def is_right_name(row: dict[str, Any], name: str) -> bool:
    words = name.split("_")
    telling = [word for word in row["has"].split() if word not in words]
    return not naming.check(name) and 3 <= len(words) <= 10 and not telling and _is_in_order(words, row["text"])


def _is_in_order(words: list[str], text: str) -> bool:
    """Whether the words that a text has come in its order; those that it lacks are fillers."""
    there = naming.words_of(text)
    places = [there.index(word) for word in words if word in there]
    return places == sorted(places)


def score(part: str, misses: bool = False) -> TitleScore:
    rows = load(part)
    titles = names = 0
    for row in rows:
        title = title_of(row["text"])
        name = naming.make(title, row["text"], lambda _: False)
        fits = is_right_title(row, title), is_right_name(row, name)
        titles += fits[0]
        names += fits[1]
        if misses and not all(fits):
            print(f"  {'' if fits[0] else 'TITLE '}{'' if fits[1] else 'NAME '}{title!r} {name}")
    return TitleScore(len(rows), titles, names)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--misses", action="store_true", help="print what is wrong in dev")
    options = parser.parse_args()
    print("part  texts titles names")
    for part in ("dev", "held"):
        got = score(part, options.misses and part == "dev")
        print(f"{part:5} {got.texts:5} {got.titles:6} {got.names:5}")


if __name__ == "__main__":
    main()
