"""The words that negate a sentence, in four languages."""

_WITH_NOT = "do does did is are was were wo ca should would could has have had must might need ai sha".split()
# As written: "No lift." "Kein Aufzug." "No hay ascensor." "Pas d'ascenseur." Not what is another word elsewhere:
# "personne" (person), "sin".
ANYWHERE = frozenset(
    "not no never none neither nor without nobody nothing nowhere cannot hardly nicht nie niemals kein keine "
    "keinen keinem keiner keines niemand niemanden nichts nirgends ohne weder kaum keineswegs nunca jamás nada "
    "nadie ningún ninguno ninguna ni tampoco pas jamais rien aucun aucune sans".split()
    + [f"{verb}{ending}" for verb in _WITH_NOT for ending in ("nt", "n't")]
)
