"""The words that negate a sentence, by language."""

from __future__ import annotations

_WITH_NOT = "do does did is are was were wo ca should would could has have had must might need ai sha".split()
# As written: "No lift." "Kein Aufzug." "No hay ascensor." "Pas d'ascenseur."
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
# Negations of one language that are other words elsewhere: "personne" (person), "sin".
_ELSEWHERE = frozenset("personne sin".split())
ANYWHERE = frozenset().union(*NEGATIONS.values()) - _ELSEWHERE  # in any language
