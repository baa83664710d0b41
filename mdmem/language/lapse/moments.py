"""How much each sign speaks for a text being about a moment only, and how sure a sum of weights is.

Data, fitted on the dev notes of tests/data by `python -m tests.bench.moments_fit --write`.
"""

from __future__ import annotations

# The name of a feature of `passing.features` -> its weight, in log-odds.
WEIGHTS = {
    "any sign": 2.9,
    "words": -2.4,
    "telegram": 1.7,
    "bias": 1.6,
    "further signs": 1.3,
    "label": -1.1,
    "today": -0.8,
    "stuck": 0.7,
    "fails": 0.6,
    "on it": 0.6,
    "gone": 0.5,
    "reading": 0.5,
    "weather": 0.5,
    "body": 0.5,
    "ill": 0.5,
    "right now": 0.4,
    "goes on": 0.4,
    "now": -0.3,
    "hands off": 0.2,
    "under way": 0.2,
    "broken": -0.2,
    "called": -0.2,
    "until": -0.1,
    "state": 0.1,
    "where": 0.1,
}

# (sum of weights, share of notes with it that are about a moment): rising, out of fold, drawn towards the middle.
CONFIDENCE = (
    (-2.3, 0.04),
    (-1.9, 0.11),
    (-1.3, 0.19),
    (0.4, 0.67),
    (3.1, 0.95),
)
