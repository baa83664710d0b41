"""Combines a question and its short answer into one statement: "Where do you live?" "In Rome."

In English the answer takes the place that the question word asks about; in German, Spanish and French the verb
form of "you" becomes that of "I". Answers that are whole sentences, and other forms of questions, give nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from mdmem.language.persons.english import conjugated
from mdmem.language.sentence import plain

_MOST_WORDS = 6  # of an answer that is not a sentence
_WHOLE = re.compile(  # how an answer begins that is complete without its question
    r"(?:i|i'm|i've|i'd|we|it|he|she|they|you|that|this|there|both|either|neither|ich|wir|es|das|yo|nosotros|eso|je"
    r"|nous|c'est|on|not sure|don't know|no idea|keine ahnung|ni idea|aucune idée)\b",
    re.I,
)
_SET_UP = re.compile(
    r"(?:the|our|my|it|they|der|die|das|el|la|le|l')(?: |(?<=')).*\b(?:uses?|listens?|runs?|keeps?|stays?|owns?"
    r"|benutzt|nutzt|verwendet|läuft|behält|usa|utiliza|guarda|utilise|garde)\b.*\d",
    re.I,
)
_SMALL = re.compile(  # words at the beginning of an answer that have no capital letter within a sentence
    r"(?:in|at|on|by|from|since|near|every|the|an?|my|our|only|im|am|um|bei|seit|jede[nrs]?|der|die|das|en|a|al|desde"
    r"|cada|el|la|los|las|à|au|aux|chez|dans|depuis|chaque|le|les)\b",
    re.I,
)
_YES = re.compile(r"^(?:yes|yeah|yep|always|every day)\b[^a-z]*$", re.I)
_NO = re.compile(r"^(?:no|nope|never|not at all|no,? never)\b[^a-z]*(?:never|not at all)?[^a-z]*$", re.I)

_SUBJECT = r"(?P<who>you|(?:your|the|our|my) [\w-]+(?: [\w-]+)??|it|they)"
_ENGLISH = (
    re.compile(
        r"^(?P<ask>where|when|how often) (?P<aux>do|does|should|will)"
        rf" {_SUBJECT} (?P<verb>(?!mean|think|want)[a-z]+)(?P<rest>.*)$",
        re.I,
    ),
    re.compile(
        r"^(?P<ask>what|which|how many|how much)(?: (?P<noun>[\w-]+(?: [\w-]+)??))? (?P<aux>do|does|should|will)"
        rf" {_SUBJECT} (?P<verb>(?!mean|think|want)[a-z]+)(?P<rest>.*)$",
        re.I,
    ),
)
_NAMED = re.compile(r"^(?:what|which|when|where|who)(?: is| are|'s) (?P<who>(?:your|the|our|my) .+)$", re.I)
_WHO = re.compile(r"^who (?P<rest>(?!is\b|are\b|do|would|should|can|else)[a-z]+s (?:the|your|our|my) .+)$", re.I)
_WHETHER = re.compile(r"^do you (?P<rest>(?!want|mean|need me|think|know|have a\b)[a-z]+ .+)$", re.I)
_ARE_YOU = re.compile(r"^are you (?P<rest>(?!sure|ok|there|ready|asking|saying|talking)\w+.*)$", re.I)

# Verb form of "you" -> that of "I", where the ending does not tell.
_OF_ME = {
    "de": {
        **{
            "hast": "habe",
            "bist": "bin",
            "isst": "esse",
            "nimmst": "nehme",
            "sprichst": "spreche",
            "liest": "lese",
        },
        **{
            "fährst": "fahre",
            "trägst": "trage",
            "magst": "mag",
            "willst": "will",
            "kannst": "kann",
            "haben": "habe",
        },
        **{"benutzt": "benutze", "nutzt": "nutze", "heißt": "heiße", "schläfst": "schlafe", "sind": "bin"},
    },
    "es": {
        **{"tienes": "tengo", "eres": "soy", "quieres": "quiero", "prefieres": "prefiero", "haces": "hago"},
        **{"sales": "salgo", "juegas": "juego", "duermes": "duermo", "vienes": "vengo", "conduces": "conduzco"},
    },
    "fr": {
        **{
            "avez": "ai",
            "as": "ai",
            "êtes": "suis",
            "es": "suis",
            "buvez": "bois",
            "bois": "bois",
            "faites": "fais",
        },
        **{"prenez": "prends", "prends": "prends", "préférez": "préfère", "préfères": "préfère", "vis": "vis"},
        **{"dormez": "dors", "vivez": "vis", "conduisez": "conduis", "conduis": "conduis"},
    },
}
_GERMAN = (
    re.compile(r"^wie (?P<verb>heiß)(?:t du|en sie)$", re.I),
    re.compile(
        r"^(?:wo|wann|wie oft|was|welche[nmrs]? (?P<noun>[\w-]+)|wie viele? (?P<many>[\w-]+))"
        r" (?P<verb>[a-zäöüß]+) (?:du|sie)\b(?P<rest>.*)$",
        re.I,
    ),
    re.compile(
        r"^(?:wo|wann|was|welche[nmrs]? (?P<noun>[\w-]+)) (?P<verb>[a-zäöüß]+)"
        r" (?P<who>(?:der|die|das) [\w-]+)(?P<rest>.*)$",
        re.I,
    ),
)
_SPANISH = (
    re.compile(
        r"^(?:dónde|cuándo|qué|cuál)(?: (?P<noun>\w+))? (?P<verb>\w+(?:as|es))(?: tú)?(?P<rest>(?: (?:en|de|a"
        r"|con|por|para|los|las|cada)\b.*)?)$",
        re.I,
    ),
    re.compile(
        r"^(?:dónde|cuándo|qué(?: (?P<noun>\w+))?) (?P<verb>\w+[ae]) (?P<who>(?:el|la) \w+)(?P<rest>.*)$", re.I
    ),
)
_FRENCH = (
    re.compile(
        r"^(?:où|quand|que|quel(?:le)?s? (?P<noun>[\w-]+)) (?P<verb>\w+?)(?:-tu|-vous)\b(?P<rest>.*)$", re.I
    ),
    re.compile(
        r"^(?:où|quand|que|quel(?:le)?s? (?P<noun>[\w-]+)) (?P<verb>\w+) (?P<who>(?:le|la) [\w-]+|l'[\w-]+)"
        r"(?P<rest>.*)$",
        re.I,
    ),
)


def stated(question: str, answer: str, language: str = "en") -> str:
    """The statement that a short answer to a question makes, in the words of its speaker; "" if it is not known.

    `language` is "en", "de", "es" or "fr".
    """
    asked = (plain(question) or question).strip(" ¿?!.").replace("’", "'")
    said = answer.strip().rstrip(".!")
    if not said or "?" in said or len(said.split()) > _MOST_WORDS or _WHOLE.match(said):
        return ""
    if _SMALL.match(said):
        said = said[:1].lower() + said[1:]
    told = _IN_LANGUAGE[language](asked, said)
    told = " ".join(told.split())
    return f"{told[:1].upper()}{told[1:]}." if told else ""


def settles(statement: str) -> bool:
    """Whether a statement made from a question says how a thing is set up: "The proxy should use port 8443."."""
    return bool(_SET_UP.match(statement))


def _in_english(asked: str, said: str) -> str:
    if _YES.match(said) or _NO.match(said):
        return _whether(asked, is_so=bool(_YES.match(said)))
    said = plain(said) or said
    named = _NAMED.match(asked)
    if named:
        return f"{_of_speaker(named['who'])} is {said}"
    owner = _WHO.match(asked)
    if owner:
        return f"{said} {_of_speaker(owner['rest'])}"
    found = next(filter(None, (form.match(asked) for form in _ENGLISH)), None)
    if found is None:
        return ""
    aux = found["aux"].lower()
    verb = conjugated(found["verb"]) if aux == "does" else found["verb"]
    verb = f"{aux} {verb}" if aux in ("should", "will") else verb
    value = _counted(said, found.groupdict().get("noun") or "", before=found["ask"].lower().startswith("how"))
    return f"{_of_speaker(found['who'])} {verb} {value}{_of_speaker(found['rest'])}"


def _whether(asked: str, is_so: bool) -> str:
    does = _WHETHER.match(asked)
    if does:
        return f"I {'' if is_so else 'do not '}{_of_speaker(does['rest'])}"
    is_such = _ARE_YOU.match(asked)
    return f"I am {'' if is_so else 'not '}{_of_speaker(is_such['rest'])}" if is_such else ""


def _of_speaker(text: str) -> str:
    """A part of a question to "you" as the person who answers would say it, with "I" and "my"."""
    text = re.sub(r"\byour\b", "my", text, flags=re.I)
    return re.sub(r"\byou\b", "I", text, flags=re.I)


def _counted(said: str, noun: str, before: bool) -> str:
    """A bare number with the noun that it counts or names: 30 days, port 8443; other answers unchanged."""
    if not noun or not said.replace(".", "").isdigit():
        return said
    return f"{said} {noun}" if before else f"{noun} {said}"


def _in_german(asked: str, said: str) -> str:
    return _turned(asked, said, _GERMAN, "ich", _german_verb)


def _in_spanish(asked: str, said: str) -> str:
    if asked.lower() == "cómo te llamas":
        return f"me llamo {said}"
    return _turned(asked, said, _SPANISH, "", _spanish_verb)


def _in_french(asked: str, said: str) -> str:
    told = _turned(asked, said, _FRENCH, "je", _french_verb)
    return re.sub(r"^je (?=[aeéèêiouhy])", "j'", told)


def _turned(
    asked: str, said: str, forms: tuple[re.Pattern[str], ...], me: str, verb_of_me: Callable[[str], str]
) -> str:
    """The statement made from a question whose verb precedes its subject; "" if it has none of the forms."""
    found = next(filter(None, (form.match(asked) for form in forms)), None)
    if found is None:
        return ""
    parts = {"noun": "", "many": "", "who": "", "rest": "", **{k: v or "" for k, v in found.groupdict().items()}}
    verb = parts["verb"].lower() if parts["who"] else verb_of_me(parts["verb"].lower())
    value = _counted(said, parts["many"] or parts["noun"], before=bool(parts["many"]))
    return f"{parts['who'] or me} {verb} {value}{parts['rest']}".strip()


def _german_verb(verb: str) -> str:
    known = _OF_ME["de"].get(verb)
    return known or re.sub(r"(?:est|st|en|t)$", "", verb) + "e"


def _spanish_verb(verb: str) -> str:
    return _OF_ME["es"].get(verb) or verb[:-2] + "o"


def _french_verb(verb: str) -> str:
    return _OF_ME["fr"].get(verb) or re.sub(r"(?:es|ez)$", "e", verb)


_IN_LANGUAGE: dict[str, Callable[[str, str], str]] = {
    "en": _in_english,
    "de": _in_german,
    "es": _in_spanish,
    "fr": _in_french,
}
