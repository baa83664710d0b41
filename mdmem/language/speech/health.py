"""How people speak of the health of others, in four languages. Data, with an example for each pattern.

The patterns go by structure: a relative of the speaker, a name or "she", a verb of being or having, and a lasting
condition. They are matched in lower case with straight quotes.
"""

from __future__ import annotations

# language -> ((pattern, a sentence that has it), ...); <own> and <kin> stand for `phrases.PARTS`
HEALTH_OF_OTHERS = {
    "en": (
        (
            r"(?:<own><kin>(?:,? [a-z]+,?)?|\b(?:he|she|they)|^(?!(?:i|we|you|it|this|that|what|who|there|which"
            r"|nobody|anybody|someone|everyone)\b)[a-z]+)(?:'s|'re| is| are| has| have| suffers? from)"
            r" (?:\w+ ){0,3}(?:allergic|allerg(?:y|ies)"
            r"|\w*intoleran(?:t|ce)|diabetic|diabetes|asthma(?:tic)?|coeliac|celiac|epilep(?:sy|tic)|migraines?"
            r"|hay fever|high blood pressure)\b",
            "My sister Clara is allergic to peanuts.",
        ),
    ),
    "de": (
        (
            r"\b(?:(?:mein|unser|sein|ihr)e?[rn]? (?:\w+ ){1,2}|er |sie )(?:ist|sind|hat|haben|leidet)"
            r" (?:\w+ ){0,3}(?:allergisch|\w*(?:allergien?|intoleranz|unverträglichkeit|intolerant)|asthma"
            r"|diabetes|diabetiker(?:in)?|migräne|epilepsie|zöliakie|heuschnupfen|bluthochdruck)\b",
            "Meine Schwester Clara ist allergisch gegen Erdnüsse.",
        ),
    ),
    "es": (
        (
            r"\b(?:(?:mis?|nuestr[oa]s?|sus?) (?:\w+ ){1,2}|ella |él )(?:es|son|está|tienen?|padecen?|sufren?)"
            r" (?:\w+ ){0,3}(?:al[eé]rgic[oa]s?|alergias?|intolerantes?|intolerancia|diab[eé]tic[oa]s?|diabetes"
            r"|asma|asm[aá]tic[oa]s?|cel[ií]ac[oa]s?|migrañas?|epilepsia|epil[eé]ptic[oa]s?)\b",
            "Mi hermana Clara es alérgica a los cacahuetes.",
        ),
    ),
    "fr": (
        (
            r"\b(?:(?:mon|ma|mes|notre|nos|son|sa|ses) (?:\w+ ){1,2}|elle |il )(?:est|sont|a|ont|souffre(?:nt)?)"
            r" (?:\w+ |\w+ l'|l'){0,3}(?:allergi(?:que|e)s?|intol[eé]ran(?:te?|ce)s?|diab[eé]tiques?"
            r"|diab[eè]te|asthm(?:e|atiques?)|c(?:oe|œ)liaques?|migraines?|[eé]pileps?(?:ie|tiques?))\b",
            "Ma sœur Clara est allergique aux cacahuètes.",
        ),
    ),
}
PATTERN = "|".join(pattern for told in HEALTH_OF_OTHERS.values() for pattern, _ in told)
