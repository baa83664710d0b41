"""Sentences that leave out their subject or depend on the sentence before: "Took Maud and Henrietta."."""

from __future__ import annotations

import re

_BEGINNINGS = {  # by language, with an example each
    "en": (
        (
            r"(?:took|sold|got|found|bought|went|came|gave|made|lost|left|cut|kept|ran|broke|won|gone|fixed|moved"
            r"|turned|cancelled|signed|replaced|removed|booked|passed|failed)\b(?! (?:by|is|are|was|over|off)\b)",
            "Took Maud and Henrietta.",
        ),
        (r"(?:with that|since then|ever since)\b", "Ever since it has been quiet."),
        (r"\w+ \w+ only\W*$", "Server timestamps only."),
        (r"(?:i|we)(?:'ve|'d| had| have)? (?:\w+ ){1,3}(?:it|them)(?: \w+)?\W*$", "I had left it open."),
        (r"the \w+ ones?\b", "The grey one is broody."),
    ),
    "de": (
        (r"(?:seitdem|damit|danach|daher|deshalb|stattdessen|dafür)\b", "Seitdem springt er an."),
        (r"(?:war|lag|kam|geht|ging|hat|ist|liegt)\b(?! (?:der|die|das)\b)", "Lag am Schalter."),
        (r"\w+ (?:raus|weg|drin|getauscht|gewechselt|repariert)\b", "Birne raus, jetzt geht es."),
    ),
    "es": (
        (r"(?:era|fue|estaba|tenía|llevaba)\b", "Era el sifón."),
        (r"(?:con eso|por eso|desde entonces|sin \w+:)(?!\w)", "Sin fecha: 12 min"),
        (r"\w{3,}(?:ado|ada|ido|ida)s? y\b", "Cambiado y ni una gota."),
        (r"l[oa]s? \w{2,}é\b", "La encontré en la piquera."),
    ),
    "fr": (
        (r"(?:c'était|du coup|avec ça|depuis,|voilà)(?!\w)", "C'était le joint."),
        (r"\w{3,}(?:é|ée|és|ées) et\b", "Enlevé et plus rien depuis."),
        (r"(?:il|elle|je|on) (?:ne )?l(?:a|e|es) \w+", "Il ne la mange jamais."),
    ),
}
EXAMPLES = [(language, example) for language, rows in _BEGINNINGS.items() for _, example in rows]
_PATTERNS = {
    language: re.compile("|".join(pattern for pattern, _ in rows), re.I) for language, rows in _BEGINNINGS.items()
}


def is_elliptical(text: str, language: str) -> bool:
    """Whether a sentence in "en", "de", "es" or "fr" cannot be understood without the one before it."""
    return bool(_PATTERNS[language].match(text))
