"""How people speak of days, repetition and passing moments, by language. Data.

Patterns are matched in lower case with straight quotes and single spaces; `<weekday>` and the like stand for the
names of a language.
"""

# ruff: noqa: E501 - a pattern and its example are one row
from __future__ import annotations

from typing import NamedTuple

from mdmem.text.calendar import MONTH_NAMES, WEEKDAY_NAMES


class DayTable(NamedTuple):
    """The words for days in one language.

    `weekdays` begin with Monday, `months` with January; short names follow after a "/". `dated` are patterns of a
    day of a month. `near` maps a pattern to a number of days after the day of writing, `stretches` to the last
    day of a stretch of time, counted from the Monday of that week: 6 is its Sunday, 13 that of the next.
    `months_on` maps one to a number of months ahead, of which the last day is meant. `counted` matches "in three
    days", with the number and the unit as groups; `units` gives each unit in days. `often` matches what recurs.
    """

    weekdays: tuple[str, ...]
    months: tuple[str, ...]
    dated: tuple[str, ...]
    near: dict[str, int]
    stretches: dict[str, int]
    months_on: dict[str, int]
    counted: str
    units: dict[str, int]
    numbers: tuple[str, ...]
    often: str


ENGLISH = DayTable(
    weekdays=tuple(f"{name}/{name[:3]}" for name in WEEKDAY_NAMES),
    months=tuple(f"{name}/{name[:3]}" for name in MONTH_NAMES),
    dated=(  # 15 June 2025; June 15, 2025
        r"\b(?P<day>\d{1,2})(?:st|nd|rd|th)?(?: of)? (?P<month><month>)\b\.?,?(?: (?P<year>(?:19|20)\d\d)\b)?",
        r"\b(?P<month><month>)\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?\b(?!:)(?:,? (?P<year>(?:19|20)\d\d)\b)?",
    ),
    near={
        r"\bday after tomorrow\b": 2,  # The day after tomorrow, the dentist.
        r"(?<!day after )\btomorrow\b": 1,
        r"\b(?:today|tonight|this (?:morning|noon|afternoon|evening)|at (?:noon|lunch) today)\b": 0,
        r"\bon the way (?:home|back|to work)\b|\bright (?:now|away)\b|\bimmediately\b": 0,
        r"\byesterday\b": -1,
    },
    stretches={
        r"\b(?:this|the) weekend\b|\bthis week\b|\b(?:by|before) the end of the week\b": 6,
        r"\bnext week(?:end)?\b|\bin the coming week\b|\ba week from (?:now|today)\b": 13,
        r"\bthe week after next\b": 20,
    },
    months_on={
        r"\bthis month\b|\bend of (?:the|this) month\b": 0,
        r"\bnext month\b|\bend of next month\b": 1,
    },
    counted=r"\b(?:in|within) (?P<number>\d{1,3}|<number>) (?P<unit><unit>)\b",
    units={"day": 1, "days": 1, "week": 7, "weeks": 7, "fortnight": 14, "month": 31, "months": 31},
    numbers=tuple("a/an/one two three four five six seven eight nine ten".split()),
    often=r"\b(?:every|each|daily|weekly|monthly|quarterly|yearly|annual(?:ly)?|recurr\w+|always|usually|never|whenever|birthday is"
    r"|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days|first \w+day of)\b",
)
GERMAN = DayTable(
    weekdays=(
        "montag/mo",
        "dienstag/di",
        "mittwoch/mi",
        "donnerstag/do",
        "freitag/fr",
        "samstag/sonnabend/sa",
        "sonntag/so",
    ),
    months=tuple(
        "januar/jan februar/feb märz april/apr mai juni juli august/aug september/sept/sep oktober/okt november/nov "
        "dezember/dez".split()
    ),
    dated=(  # 15. Juni 2025; 15.6.2025
        r"\b(?P<day>\d{1,2})\. ?(?P<month><month>)\b(?: (?P<year>(?:19|20)\d\d)\b)?",
        r"\b(?P<day>\d{1,2})\.(?P<number>\d{1,2})\.(?P<year>(?:19|20)\d\d)?",
    ),
    near={
        r"\bübermorgen\b": 2,
        r"(?<!jeden )(?<!am )(?<!guten )(?<!frühen )(?<!heute )(?<!\w)morgen\b(?!s)": 1,
        r"(?<!ab )(?<!seit )(?<!bis )\bheute\b": 0,
        r"\b(?:jetzt gleich|sofort|gleich noch|auf dem (?:heimweg|rückweg))\b": 0,
        r"\bgestern\b": -1,
    },
    stretches={
        r"\b(?:dies(?:e|er) woche|(?:am|dieses) wochenende|bis ende der woche|ende der woche)\b": 6,
        r"\b(?:(?:nächste|kommende)[rn]? woche|nächstes wochenende|in einer woche)\b": 13,
        r"\bübernächste woche\b": 20,
    },
    months_on={
        r"\b(?:diesen monat|ende des monats|monatsende|ende (?:dieses )?monats?)\b": 0,
        r"\bnächsten monat\b": 1,
    },
    counted=r"\bin (?P<number>\d{1,3}|<number>) (?P<unit><unit>)\b",
    units={"tag": 1, "tagen": 1, "woche": 7, "wochen": 7, "monat": 31, "monaten": 31},
    numbers=tuple("ein/einem/einer zwei drei vier fünf sechs sieben acht neun zehn".split()),
    often=r"\b(?:jede[nrsm]?|täglich|wöchentlich|monatlich|jährlich|immer|stets|(?:mon|diens|donners|frei|sams|sonn)tags"
    r"|mittwochs|alle (?:zwei|drei|\d+)|nie|geburtstag (?:hat|ist))\b",
)
SPANISH = DayTable(
    weekdays=("lunes", "martes", "miércoles/miercoles", "jueves", "viernes", "sábado/sabado", "domingo"),
    months=tuple(
        "enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre".split()
    ),
    dated=(r"\b(?P<day>\d{1,2}) de (?P<month><month>)\b(?: (?:de|del) (?P<year>(?:19|20)\d\d)\b)?",),
    near={
        r"\bpasado mañana\b": 2,
        r"(?<!la )(?<!pasado )(?<!esta )(?<!\w)mañana\b": 1,
        r"(?<!desde )\b(?:hoy|esta (?:mañana|tarde|noche))\b": 0,
        r"\b(?:ahora mismo|ya mismo|de camino a casa|al volver)\b": 0,
        r"\bayer\b": -1,
    },
    stretches={
        r"\b(?:esta semana|(?:este|el) fin de semana|antes del fin de semana)\b": 6,
        r"\b(?:la semana que viene|la próxima semana|el próximo fin de semana|dentro de una semana)\b": 13,
    },
    months_on={r"\b(?:este mes|fin(?:ales)? de mes)\b": 0, r"\b(?:el mes que viene|el próximo mes)\b": 1},
    counted=r"\b(?:dentro de|en) (?P<number>\d{1,3}|<number>) (?P<unit><unit>)(?!\w)",
    units={"día": 1, "días": 1, "semana": 7, "semanas": 7, "mes": 31, "meses": 31},
    numbers=tuple("un/una dos tres cuatro cinco seis siete ocho nueve diez".split()),
    often=r"\b(?:cada|tod[oa]s (?:los|las)|los (?:lunes|martes|miércoles|jueves|viernes|sábados|domingos)|siempre"
    r"|diari[oa]|semanal|mensual|anual|nunca|cumple(?:años)?)(?:mente)?\b",
)
FRENCH = DayTable(
    weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    months=tuple(
        "janvier février/fevrier mars avril mai juin juillet août/aout septembre octobre novembre "
        "décembre/decembre".split()
    ),
    dated=(r"\b(?P<day>\d{1,2}|1er) (?P<month><month>)\b(?: (?P<year>(?:19|20)\d\d)\b)?",),
    near={
        r"\baprès-demain\b": 2,
        r"(?<!après-)\bdemain\b": 1,
        r"(?<!d')\baujourd'hui\b|\b(?:ce (?:matin|soir|midi)|cet(?:te)? après-midi)\b": 0,
        r"\b(?:tout de suite|sur le chemin du retour|en rentrant)\b": 0,
        r"\bhier\b": -1,
    },
    stretches={
        r"\b(?:cette semaine|ce week-end|avant la fin de la semaine)\b": 6,
        r"\b(?:la semaine prochaine|le week-end prochain|dans une semaine)\b": 13,
    },
    months_on={r"\b(?:ce mois-ci|fin du mois)\b": 0, r"\b(?:le mois prochain)\b": 1},
    counted=r"\bdans (?P<number>\d{1,3}|<number>) (?P<unit><unit>)\b",
    units={"jour": 1, "jours": 1, "semaine": 7, "semaines": 7, "mois": 31},
    numbers=tuple("un/une deux trois quatre cinq six sept huit neuf dix".split()),
    often=r"\b(?:chaque|tous les|toutes les|toujours|quotidien\w*|hebdomadaire\w*|mensuel\w*|annuel\w*|jamais|anniversaire (?:de \w+ )?est"
    r"|les? (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?(?! (?:\d|prochain)))\b",
)
TABLES = (ENGLISH, GERMAN, SPANISH, FRENCH)

# Words that say that a state lasts, even if others sound like a moment.
LASTING = (
    r"\b(?:for (?:good|years|life)|permanent(?:ly)?|chronic(?:ally)?|transplants?|waiting list|since (?:19|20)\d\d"
    r"|living in|working (?:as|for)|lives? in)\b"
    r"|\b(?:endgültig|dauerhaft|chronisch\w*|transplantation|warteliste|seit (?:(?:19|20)\d\d|jahren)"
    r"|krank (?:am|an der|an den)|nicht mehr repariert)\b"
    r"|\b(?:para siempre|de por vida|crónic[oa]s?|trasplante|lista de espera|desde (?:(?:19|20)\d\d|hace años)"
    r"|enferm[oa]s? (?:del|de la|de los))\b"
    r"|\b(?:définitivement|pour toujours|à vie|chroniques?|greffe|liste d'attente|depuis (?:(?:19|20)\d\d|des années)"
    r"|malades? (?:du|de la|des))\b"
)
# Somebody tries out the keyboard or the program: every word of the text is one of NOISE, or TRIAL matches it.
NOISE = frozenset(
    "test tests testing tester testen prueba probando essai hello hallo hola bonjour hi foo bar baz qux asdf asd asdfg "
    "asdfgh jkl qwerty qwertz qwert azerty xyz abc abcd aaa bbb ccc xxx yyy zzz bla blah lorem ipsum dolor 1 2 3 12 "
    "123 1234 12345 0 4 5 vault memory mdmem eins zwei drei one two three check ok".split()
)
TRIAL = (
    r"^\W*(?:(?:hello|hi|hallo|hola|bonjour|ok|so|just)\W+)*(?:this is|that is|it's|nur|das ist|dies ist|esto es|es|c'est"
    r"|ceci est|i am|just)\W+(?:only |just |nur |solo |juste )?(?:a |an |ein |eine |una? |un )?(?:test|try|trial|prueba"
    r"|essai|testing)\b"
    r"|^(?:\w+ ){0,3}(?:test|testing|prueba|essai)\b(?:\W+\w+){0,3}?\W+(?:(?:pls|please|bitte|por favor|svp) )?"
    r"(?:ignore|ignorieren|ignora[rd]?|ignorer|löschen|borrar|supprimer|delete(?: me)?)\W*$"
    r"|\bis this (?:thing )?on\b|\b(?:checking|testing|seeing|trying) (?:if|whether) (?:this|it|the \w+) (?:works?|saves?|writes?)\b"
    r"|^\W*(?:mal )?(?:schauen|sehen|probieren|ver si|pour voir|voir) (?:,? ?ob|si|si ça) (?:das|es|esto|ça)? ?\w+\W*$"
)
