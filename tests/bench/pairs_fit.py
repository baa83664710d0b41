"""Fits the scorers that nominate pairs of notes (mdmem/garden/pairs/data) on labelled notes.

    python -m tests.bench.pairs_fit [--write] [--without FIGURE ...]

All pairs of near notes count, labelled or not, so that a share of right ones is what a vault would give, and each
vault counts twice: with the vectors of a sentence model and without. Boosted trees (log-loss, histograms of
quantiles) say what a pair is; the words that tell of a change are weighted first, by logistic regression with a
ridge; a sum becomes a confidence by isotonic regression (pool adjacent violators). What is printed, and the
confidence, is out of fold: a fold's subjects are not among those that its weights come from. Only the part
`dev` of a set is read. `--without` leaves figures out whose names begin so, for an ablation.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from mdmem.garden import meanings
from mdmem.garden.gardeners import note
from mdmem.garden.gardeners.note import Note
from mdmem.garden.gardeners.proposal import MeantPair
from mdmem.garden.pairs import figures, judge
from mdmem.garden.pairs.judge import DEPTH, FIRST, KINDS
from mdmem.recall import meaning
from mdmem.recall.models import sentence
from tests import garden_set
from tests.bench.linear import join_falling

SETS = ("garden", "judgement", "judgement_more", "judgement_tidy", "judgement_wide")
DATED = SETS[:-1]  # whose notes are dated as life would have it, so that a sum means what it means in a vault
FOLDS = 5
TREES = {FIRST: 30, "twin": 150, "conflict": 150}
RATE, RIDGE, LEAST_BEND = 0.09, 4.0, 4.0  # of a tree: its share, L2, and least weight (sum of p(1-p)) of a leaf
COLUMNS, ROWS = 0.5, 0.8  # shares that a tree sees
BINS = 40
KEPT_AT_FIRST = 0.985  # share of the labelled pairs that get a second look
SUBJECTS, WORD_RIDGE = 8, 20.0  # least subjects of a telling word; ridge of its weight
POOL, LOWEST, HIGHEST = 40, 0.005, 0.97
LEASTS = (0.9, 0.8, 0.7, 0.6, 0.5, 0.05)
DATA = Path(figures.__file__).parent / "data"

Floats = NDArray[np.float64]


class LabelledPair(NamedTuple):
    """Two near notes of one set: their subject, what they are, their figures, and the cues that one alone has.

    `kind` is "twin", "conflict" or ""; `is_labelled` whether a label, maybe as lookalikes, names the two. `which`
    vault they are in: one without vectors ("words"), with them ("vectors"), or a small one.
    """

    subject: str
    kind: str
    is_labelled: bool
    figures: dict[str, float]
    cues: frozenset[str]
    names: tuple[str, str]
    part: str = "dev"
    which: str = "words"

    @property
    def of(self) -> str:
        """The set that the pair is of."""
        return self.subject.split()[0]

    @property
    def vault(self) -> str:
        """The vault that the pair was found in."""
        return f"{self.which} {self.subject if self.which == 'small' else self.of}"


def vectors(notes: Sequence[Note]) -> tuple[MeantPair, ...]:
    """The notes that the installed sentence model finds near; none if there is none."""
    model = sentence.chosen("minilm")
    if model is None:
        return ()
    matrix = model.load().embed([meaning.passages_of(one)[0] for one in notes])
    return tuple(meanings.pairs([one.path for one in notes], matrix))


def training() -> list[LabelledPair]:
    """The pairs to fit on: each set as one vault, without and with vectors, and each subject as a small one."""
    found = [pair for of in SETS for vectors in (False, True) for pair in labelled_pairs(of, vectors)]
    for of in SETS:
        subjects = sorted({one.subject for one in garden_set.notes(of) if one.part == "dev" and one.subject})
        found += [pair for subject in subjects for pair in labelled_pairs(of, False, subject=subject)]
    return found


def labelled_pairs(
    of: str, with_vectors: bool, parts: Sequence[str] = ("dev",), subject: str = ""
) -> Iterator[LabelledPair]:
    """The near notes of parts of a set, without those of which no gardener is asked."""
    told = {one.name: one for one in garden_set.notes(of) if one.part in parts and subject in ("", one.subject)}
    read = judge.comparable([note.read(one.memory, one.data) for one in told.values()])
    twins, conflicts = (garden_set.wanted_pairs(kind, of) for kind in ("twins", "conflicts"))
    neutral = garden_set.neutral_pairs("twins", of) & garden_set.neutral_pairs("conflicts", of)
    looks = {garden_set.pair(label) for label in garden_set.labels(of)["lookalikes"]}
    for one in judge.candidates(read, vectors(read) if with_vectors else ()):
        names = one.older.note.name, one.newer.note.name
        pair = frozenset(names)
        kind = "twin" if pair in twins else "conflict" if pair in conflicts else ""
        if pair not in neutral:
            old, new = figures.cues(one.older.text), figures.cues(one.newer.text)
            cues = frozenset({f"-{cue}" for cue in old - new} | {f"+{cue}" for cue in new - old})
            theme = f"{of} {told[names[0]].subject or names[0]}"
            which = "small" if subject else "vectors" if with_vectors else "words"
            label = bool(kind) or pair in looks
            yield LabelledPair(theme, kind, label, one.whole(), cues, names, told[names[1]].part, which)


def wanted(kind: str, sets: Sequence[str] = SETS, part: str = "dev") -> int:
    """How many pairs of a kind there are, near or not."""
    return sum(label["part"] == part for of in sets for label in garden_set.labels(of)[f"{kind}s"])


# -- words -------------------------------------------------------------------------------------------------


def word_weights(pairs: Sequence[LabelledPair], kind: str) -> dict[str, float]:
    """Cue -> its weight (log-odds) for one kind of labelled pair against the others."""
    labelled = [pair for pair in pairs if pair.is_labelled]
    subjects: dict[str, set[str]] = defaultdict(set)
    for pair in labelled:
        for cue in pair.cues:
            subjects[cue].add(pair.subject)
    known = sorted(cue for cue, seen in subjects.items() if len(seen) >= SUBJECTS)
    places = {cue: at for at, cue in enumerate(known, 1)}
    matrix = np.zeros((len(labelled), len(known) + 1))
    matrix[:, 0] = 1
    for row, pair in enumerate(labelled):
        matrix[row, [places[cue] for cue in pair.cues if cue in places]] = 1
    truth = np.array([pair.kind == kind for pair in labelled], dtype=float)
    beta = np.zeros(len(known) + 1)
    ridge = np.full(len(beta), WORD_RIDGE)
    ridge[0] = 1e-6
    for _ in range(8):  # Newton's method
        share = 1 / (1 + np.exp(-(matrix @ beta)))
        bend = (matrix * (share * (1 - share))[:, None]).T @ matrix + np.diag(ridge)
        beta = beta - np.linalg.solve(bend, matrix.T @ (share - truth) + ridge * beta)
    return dict(zip(known, beta[1:].round(2).tolist(), strict=True))


def by_words(pairs: Sequence[LabelledPair], folds: Floats) -> dict[str, Floats]:
    """The figures of words of each pair, from weights of other subjects."""
    found = {}
    for name, kind in (("words for a change", "conflict"), ("words for the same", "twin")):
        sums = np.zeros(len(pairs))
        for fold in range(FOLDS):
            weights = word_weights([pair for pair, of in zip(pairs, folds, strict=True) if of != fold], kind)
            for at in np.flatnonzero(folds == fold):
                sums[at] = sum(weights.get(cue, 0.0) for cue in pairs[at].cues)
        found[name] = sums
    return found


# -- trees -------------------------------------------------------------------------------------------------


class Binned(NamedTuple):
    """Figures as numbers of their bins, and where each bin of each figure starts."""

    bins: NDArray[np.uint8]
    starts: list[Floats]


def binned(matrix: Floats) -> Binned:
    starts = []
    for column in matrix.T:
        cuts = np.unique(np.quantile(column, np.linspace(0, 1, BINS + 1)[1:-1], method="nearest"))
        starts.append(np.array([float(f"{cut:.3g}") for cut in cuts if cut > column.min()]))
    bins = np.column_stack(
        [np.searchsorted(own, column, "right") for own, column in zip(starts, matrix.T, strict=True)]
    )
    return Binned(bins.astype(np.uint8), starts)


Tree = list[float]  # places of the figures, starts, and what is added, as judge.tree reads it


def boosted(data: Binned, truth: Floats, rows: NDArray[np.int64], count: int) -> tuple[float, list[Tree], Floats]:
    """Bias, trees, and the sums of all rows of the data (of others, too)."""
    rng = np.random.default_rng(7)
    share = truth[rows].mean()
    bias = round(float(np.log(share / (1 - share))), 3)
    sums = np.full(len(truth), bias)
    trees = []
    for _ in range(count):
        own = rows[rng.random(len(rows)) < ROWS]
        chances = 1 / (1 + np.exp(-sums[own]))
        columns = np.sort(rng.permutation(data.bins.shape[1])[: int(COLUMNS * data.bins.shape[1])])
        tree, adds = _tree(data, own, truth[own] - chances, chances * (1 - chances), columns)
        trees.append(tree)
        sums += adds
    return bias, trees, sums


def _tree(
    data: Binned, rows: NDArray[np.int64], slope: Floats, bend: Floats, columns: NDArray[np.int64]
) -> tuple[Tree, Floats]:
    """One tree of DEPTH questions, and what it adds to each row of the data."""
    node = np.zeros(len(rows), dtype=np.int64)
    places, starts = [], []
    bins = data.bins[np.ix_(rows, columns)].astype(np.int64)
    everywhere = np.zeros(len(data.bins), dtype=np.int64)
    for level in range(DEPTH):
        width = 2**level
        flat = (node[:, None] * len(columns) + np.arange(len(columns))) * BINS + bins
        size = width * len(columns) * BINS
        shape = width, len(columns), BINS
        slopes = np.bincount(flat.ravel(), np.repeat(slope, len(columns)), size).reshape(shape)
        bends = np.bincount(flat.ravel(), np.repeat(bend, len(columns)), size).reshape(shape)
        chosen = [_question(slopes[at], bends[at]) for at in range(width)]
        for at, cut in chosen:
            place = int(columns[at])
            known = data.starts[place]
            places.append(place)
            starts.append(float(known[cut - 1]) if 0 < cut <= len(known) else 1e9)
        ats = np.array([at for at, _ in chosen])
        cuts = np.array([cut if cut else BINS + 1 for _, cut in chosen])
        node = 2 * node + (bins[np.arange(len(rows)), ats[node]] >= cuts[node])
        everywhere = 2 * everywhere + (
            data.bins[np.arange(len(data.bins)), columns[ats][everywhere]] >= cuts[everywhere]
        )
    size = 2**DEPTH
    weight = np.bincount(node, slope, size) / (np.bincount(node, bend, size) + RIDGE)
    adds = (RATE * weight).round(3) + 0.0  # no -0
    return [*places, *starts, *adds.tolist()], adds[everywhere]


def _question(slopes: Floats, bends: Floats) -> tuple[int, int]:
    """The best column and bin from which to go right; bin 0 if none gains."""
    left, left_bend = slopes.cumsum(1)[:, :-1], bends.cumsum(1)[:, :-1]
    whole, whole_bend = slopes[0].sum(), bends[0].sum()
    right, right_bend = whole - left, whole_bend - left_bend
    gain = left**2 / (left_bend + RIDGE) + right**2 / (right_bend + RIDGE) - whole**2 / (whole_bend + RIDGE)
    gain[(left_bend < LEAST_BEND) | (right_bend < LEAST_BEND)] = 0
    at, cut = np.unravel_index(gain.argmax(), gain.shape)
    return int(at), int(cut) + 1 if gain[at, cut] > 0 else 0


def calibrated(sums: Floats, truth: Floats) -> list[tuple[float, float]]:
    """Points (sum, share that is right) by isotonic regression: pools that do not rise are made one."""
    order = np.argsort(sums, kind="stable")[-POOL * (len(sums) // POOL) :]
    merged: list[tuple[float, float, int]] = []
    for chunk in np.split(order, len(order) // POOL):
        merged.append((float(sums[chunk].mean()), float(truth[chunk].mean()), len(chunk)))
        join_falling(merged)
    return [(round(at, 2), round(min(max(share, LOWEST), HIGHEST), 3)) for at, share, _ in merged]


# -- the fit -----------------------------------------------------------------------------------------------


def fitted(pairs: Sequence[LabelledPair], without: Sequence[str] = ()) -> tuple[dict[str, Any], dict[str, Any]]:
    """The weights as pairs.json has them, and those of words."""
    folds = np.array([crc32(pair.subject.encode()) % FOLDS for pair in pairs])
    names = [name for name in pairs[0].figures if not name.startswith(tuple(without) or ("\0",))]
    matrix = np.array([[float(pair.figures[name]) for name in names] for pair in pairs])
    for name, sums in by_words(pairs, folds).items():
        if name in names:
            matrix[:, names.index(name)] = sums
    data = binned(matrix)
    every = np.arange(len(pairs))
    related = np.array([float(bool(pair.kind)) for pair in pairs])
    early = [at for at, name in enumerate(names) if name in EARLY]
    early_data = Binned(data.bins[:, early], [data.starts[at] for at in early])
    bias, trees, sums = boosted(early_data, related, every, TREES[FIRST])
    trees = [[*(early[int(place)] for place in tree[:7]), *tree[7:]] for tree in trees]
    least = round(float(np.quantile(sums[related > 0], 1 - KEPT_AT_FIRST)), 2)
    passed = np.flatnonzero(sums >= least)
    print(f"{len(pairs)} pairs, {len(passed)} get a second look")
    usual = [float(f"{value:.3g}") for value in np.median(matrix[passed], axis=0)]
    told: dict[str, Any] = {"figures": names, "usual": usual}
    told[FIRST] = {"bias": bias, "least": least, "curve": [[0, 0]], "trees": trees}
    truths = {kind: np.array([float(pair.kind == kind) for pair in pairs]) for kind in KINDS}
    outside = {kind: out_of_fold(data, truth, passed, folds, TREES[kind]) for kind, truth in truths.items()}
    for kind, out in zip(KINDS, settled(pairs, passed, *outside.values()), strict=True):
        truth = truths[kind]
        dated = [at for at in passed.tolist() if pairs[at].of in DATED]
        curve = calibrated(out[dated], truth[dated])
        sure = np.where(sums >= least, np.interp(out, *zip(*curve, strict=True)), 0)
        for which in ("words", "vectors", "small"):
            own = np.array([pair.which == which for pair in pairs])
            if own.any():
                _print_curve(f"{kind}, {which}", sure[own], truth[own], wanted(kind))
        bias, trees, _ = boosted(data, truth, passed, TREES[kind])
        told[kind] = {"bias": bias, "least": 0, "curve": curve, "trees": trees}
    change, same = word_weights(pairs, "conflict"), word_weights(pairs, "twin")
    return told, {cue: (change[cue], same[cue]) for cue in sorted(change)}


def out_of_fold(data: Binned, truth: Floats, rows: NDArray[np.int64], folds: Floats, count: int) -> Floats:
    """The sum of each pair by trees from the `rows` of other folds."""
    out = np.zeros(len(truth))
    for fold in range(FOLDS):
        inside = rows[folds[rows] != fold]
        out[folds == fold] = boosted(data, truth, inside, count)[2][folds == fold]
    return out


def settled(
    pairs: Sequence[LabelledPair], passed: NDArray[np.int64], twins: Floats, conflicts: Floats
) -> tuple[Floats, Floats]:
    """The sums of the pairs that passed the first look, settled with their rivals in the same vault."""
    found = twins.copy(), conflicts.copy()
    vaults: dict[str, list[int]] = defaultdict(list)
    for at in passed.tolist():
        vaults[pairs[at].vault].append(at)
    for own in vaults.values():
        both = judge.settled([pairs[at].names for at in own], twins[own].tolist(), conflicts[own].tolist())
        for sums, lowered in zip(found, both, strict=True):
            sums[own] = lowered
    return found


EARLY = frozenset(
    (
        *("near by words", "near by spelling", "rank for old", "rank for new", "third for old", "third for new"),
        *("near in meaning", "rank in meaning", "words of old", "words of new", "days apart"),
        *("tags shared", "tags apart", "future new", "same type"),
    )
)


def _print_curve(title: str, sure: Floats, truth: Floats, total: int) -> None:
    for least in LEASTS:
        right, found = int(truth[sure >= least].sum()), int((sure >= least).sum())
        print(f"  {title}, from {least}: {right} right, {found - right} wrong, {total - right} missed:"
              f" {right / max(found, 1):.2f} / {right / max(total, 1):.2f}")  # fmt: skip


def written(told: Mapping[str, Any]) -> str:
    """The weights as JSON, a tree a line."""
    parts = [f'"figures": {json.dumps(told["figures"])},', f'"usual": {json.dumps(told["usual"])},']
    for kind in (FIRST, *KINDS):
        own = told[kind]
        trees = ",\n".join(json.dumps(tree, separators=(",", ":")).replace(".0,", ",") for tree in own["trees"])
        head = {name: own[name] for name in ("bias", "least", "curve")}
        parts.append(
            f'"{kind}": {json.dumps(head)[:-1]}, "trees": [\n{trees}\n]}}{"," if kind != KINDS[-1] else ""}'
        )
    return "{\n" + "\n".join(parts) + "\n}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the outcome into the data of the garden")
    parser.add_argument("--without", nargs="*", default=[], help="leave these figures out")
    options = parser.parse_args()
    pairs = training()
    told, cues = fitted(pairs, options.without)
    if options.write:
        (DATA / "pairs.json").write_text(written(told), encoding="utf-8")
        head = "# a cue of the newer note alone (+) or of the older (-): log-odds of a change and of the same\n"
        rows = (f"{cue}\t{change:g}\t{same:g}\n" for cue, (change, same) in cues.items() if change or same)
        (DATA / "cues.tsv").write_text(head + "".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
