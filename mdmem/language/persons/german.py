"""German: "ich wohne in Bonn" is "der Nutzer wohnt in Bonn"; "wir" are "die Leute des Nutzers"."""

from __future__ import annotations

import re

WHO = "der Nutzer"
_SINGULAR = {
    **{
        "bin": "ist",
        "habe": "hat",
        "hab": "hat",
        "hatte": "hatte",
        "war": "war",
        "werde": "wird",
        "lauf": "läuft",
    },
    **{
        "laufe": "läuft",
        "fahre": "fährt",
        "fahr": "fährt",
        "schlafe": "schläft",
        "trage": "trägt",
        "nehme": "nimmt",
    },
    **{"nehm": "nimmt", "esse": "isst", "ess": "isst", "lese": "liest", "sehe": "sieht", "spreche": "spricht"},
    **{
        "gebe": "gibt",
        "helfe": "hilft",
        "treffe": "trifft",
        "vergesse": "vergisst",
        "halte": "hält",
        "lasse": "lässt",
    },
    **{"vertrage": "verträgt", "vertrag": "verträgt", "arbeite": "arbeitet", "unterrichte": "unterrichtet"},
    **{"schneide": "schneidet", "miete": "mietet", "leite": "leitet", "reite": "reitet", "finde": "findet"},
    **{"find": "findet", "rede": "redet", "bade": "badet", "mag": "mag", "kann": "kann", "will": "will"},
    **{"muss": "muss", "soll": "soll", "darf": "darf", "weiß": "weiß", "möchte": "möchte", "würde": "würde"},
    **{
        "wollte": "wollte",
        "konnte": "konnte",
        "musste": "musste",
        "brauch": "braucht",
        "mach": "macht",
        "geh": "geht",
    },
}
_PAST = re.compile(r"(?:te|[aiou]\w?[bdgkmnrst]|ging|kam|fand)$")
_I_THEN_VERB = re.compile(r"\bich (?P<between>(?:selbst |auch |eh |ja |nur )?)(?P<verb>[a-zäöüß]+)\b", re.I)
_VERB_THEN_I = re.compile(rf"\b(?P<verb>[a-zäöüß]+e|{'|'.join(_SINGULAR)}) ich\b", re.I)
_REFLEXIVE = re.compile(
    r"\b(?P<said>(?:ich [a-zäöüß]+|[a-zäöüß]+ ich)(?: (?!mich|mir)[a-zäöüß]+)?) (?:mich|mir)\b", re.I
)
_OTHERS = (  # in this order
    (re.compile(r"\bbei (?:uns|mir)\b", re.I), "beim Nutzer"),
    (re.compile(r"\b(?:mein|unser)(?:e[rnms]?|s|m)?\b(?= \w)", re.I), "des Nutzers"),
    (re.compile(r"\bwir\b", re.I), "die Leute des Nutzers"),
    (re.compile(r"\bmich\b", re.I), "den Nutzer"),
    (re.compile(r"\bmir\b", re.I), "dem Nutzer"),
    (re.compile(r"\buns\b", re.I), "den Leuten des Nutzers"),
)
LEFT = re.compile(r"\b(?:ich|mich|mir|mein\w{0,2}|wir|uns|unser\w{0,2}|du|dir|dich|dein\w{0,2})\b", re.I)


def third_person(text: str) -> str:
    """The text with "der Nutzer" in place of the speaker."""
    text = _REFLEXIVE.sub(r"\g<said> sich", text)
    text = _VERB_THEN_I.sub(lambda match: f"{_conjugated(match['verb'])} {WHO}", text)
    text = _I_THEN_VERB.sub(lambda match: f"{WHO} {match['between']}{_conjugated(match['verb'])}", text)
    for pattern, said in _OTHERS:
        text = pattern.sub(said, text)
    return text


def _conjugated(verb: str) -> str:
    """The form of a verb after "er"; other words, such as the "ab" of "ab März lauf ich", unchanged."""
    known = _SINGULAR.get(verb.lower())
    if known:
        return known if verb.islower() else known.capitalize()
    if not verb.endswith("e") or _PAST.search(verb):
        return verb
    return f"{verb}t" if verb.endswith(("te", "de")) else f"{verb[:-1]}t"
