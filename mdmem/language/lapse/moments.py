"""How much each sign speaks for a text being about a moment only, and how sure a sum of weights is.

Data, fitted on the dev notes of tests/data by `python -m tests.bench.moments_fit --write`.
"""

from __future__ import annotations

# The name of a feature of `passing.features` -> its weight, in log-odds.
WEIGHTS = {
    "any sign": 3.2,
    "words": -2.4,
    "telegram": 1.5,
    "goes on": 1.2,
    "fails": 1.1,
    "gone": 1.1,
    "state": 1.0,
    "reading": 1.0,
    "on it": 0.9,
    "stuck": 0.9,
    "hands off": 0.8,
    "body": 0.8,
    "label": -0.8,
    "now": 0.7,
    "weather": 0.7,
    "bias": 0.6,
    "until": 0.4,
    "today": -0.2,
}

# (sum of weights, share of notes with it that are about a moment): rising, out of fold, drawn towards the middle.
CONFIDENCE = (
    (-1.9, 0.12),
    (-0.8, 0.47),
    (0.7, 0.73),
    (2.4, 0.87),
)
