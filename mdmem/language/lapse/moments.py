"""The weight of each sign that a text is about a moment, and the confidence in a sum of weights.

Data, fitted on the dev notes of tests/data by `python -m tests.bench.moments_fit --write`.
"""

from __future__ import annotations

# The name of a feature of `passing.features` -> its weight, in log-odds.
WEIGHTS = {
    "any sign": 2.9,
    "words": -2.7,
    "bias": 2.6,
    "telegram": 1.9,
    "cut short": 1.6,
    "label": -1.3,
    "further signs": 1.2,
    "today": -1.1,
    "reading": 0.9,
    "own doing": 0.8,
    "broken": -0.6,
    "fails": 0.5,
    "stuck": 0.5,
    "right now": 0.4,
    "now": -0.4,
    "until": -0.4,
    "goes on": 0.4,
    "on it": 0.4,
    "not yet": 0.4,
    "called": -0.4,
    "weather": 0.3,
    "under way": 0.3,
    "ill": 0.3,
    "gone": 0.2,
    "state": 0.1,
    "at last": 0.1,
    "body": -0.1,
    "where": -0.1,
    "hands off": 0.0,
}

# (sum of weights, share of notes with it that are about a moment): rising, out of fold, shrunk towards the middle.
CONFIDENCE = (
    (-1.9, 0.08),
    (-0.8, 0.34),
    (0.7, 0.74),
    (2.1, 0.95),
    (4.0, 0.96),
)
