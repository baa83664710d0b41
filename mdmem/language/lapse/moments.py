"""How much each sign speaks for a text being about a moment only, and how sure a sum of weights is.

Data, fitted on the dev notes of tests/data by `python -m tests.bench.moments_fit --write`.
"""

from __future__ import annotations

# The name of a feature of `passing.features` -> its weight, in log-odds.
WEIGHTS = {
    "any sign": 3.2,
    "words": -2.3,
    "telegram": 1.5,
    "goes on": 1.2,
    "gone": 1.1,
    "right now": 1.0,
    "state": 1.0,
    "fails": 1.0,
    "reading": 1.0,
    "on it": 0.9,
    "hands off": 0.9,
    "stuck": 0.9,
    "body": 0.8,
    "label": -0.8,
    "weather": 0.7,
    "bias": 0.6,
    "until": 0.4,
    "today": -0.2,
    "now": 0.1,
}

# (sum of weights, share of notes with it that are about a moment): rising, out of fold, drawn towards the middle.
CONFIDENCE = (
    (-2.2, 0.07),
    (-1.6, 0.08),
    (-0.7, 0.46),
    (0.7, 0.77),
    (2.3, 0.92),
)
