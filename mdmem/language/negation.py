"""The words with which a sentence says no, by language."""

from __future__ import annotations

_WITH_NOT = "do does did is are was were wo ca should would could has have had must might need ai sha".split()
# As they are written: "No lift." "Kein Aufzug." "No hay ascensor." "Pas d'ascenseur."
NEGATIONS = {
    "en": frozenset(
        "not no never none neither nor without nobody nothing nowhere cannot hardly".split()
        + [f"{verb}{ending}" for verb in _WITH_NOT for ending in ("nt", "n't")]
    ),
    "de": frozenset(
        "nicht nie niemals kein keine keinen keinem keiner keines niemand niemanden nichts nirgends ohne weder "
        "kaum keineswegs".split()
    ),
    "es": frozenset("no nunca jamás nada nadie ningún ninguno ninguna ni sin tampoco".split()),
    "fr": frozenset("pas jamais rien personne aucun aucune sans ni".split()),
}
# Other words that deny what they are said of: "She avoids trains." They are told apart by sense, not by form.
REFUSALS = {
    "en": frozenset("refuses refuse avoids avoid dislikes dislike hates hate least".split()),
    "de": frozenset("meidet hasst verweigert".split()),
    "es": frozenset("evita odia rechaza".split()),
    "fr": frozenset("refuse déteste évite plus".split()),  # "ne ... plus": what is over
}
# Words that are a no in one language and something else in another: "plus", "personne", "sin".
_ELSEWHERE = frozenset("personne sin".split())
ANYWHERE = frozenset().union(*NEGATIONS.values()) - _ELSEWHERE  # in whichever language


def pattern(tongue: str) -> str:
    """A regular expression of the words with which a language says no, in lower case."""
    return rf"(?<!\w)(?:{'|'.join(sorted(NEGATIONS[tongue]))})\b"
