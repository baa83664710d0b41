"""Spanish: "vivo en Vigo" is "el usuario vive en Vigo"; "nosotros" are "el usuario y los suyos"."""

from __future__ import annotations

import re

WHO, THEY = "el usuario", "el usuario y los suyos"
_SINGULAR = {
    **{"soy": "es", "estoy": "está", "tengo": "tiene", "voy": "va", "he": "ha", "hago": "hace", "puedo": "puede"},
    **{"quiero": "quiere", "prefiero": "prefiere", "vivo": "vive", "trabajo": "trabaja", "dirijo": "dirige"},
    **{"vuelvo": "vuelve", "uso": "usa", "conduzco": "conduce", "como": "come", "bebo": "bebe", "llevo": "lleva"},
    **{"dejo": "deja", "toco": "toca", "hablo": "habla", "odio": "odia", "elijo": "elige", "necesito": "necesita"},
    **{
        "pago": "paga",
        "compro": "compra",
        "estudio": "estudia",
        "enseño": "enseña",
        "juego": "juega",
        "sé": "sabe",
    },
    **{"compraré": "comprará", "iré": "irá", "haré": "hará", "volveré": "volverá", "usaré": "usará", "fui": "fue"},
    **{"compré": "compró", "aprobé": "aprobó", "encontré": "encontró", "perdí": "perdió", "firmé": "firmó"},
}
_AMBIGUOUS = frozenset(
    ("como", "uso", "trabajo", "juego", "estudio", "he", "pago")
)  # nouns and other words, unless "yo" precedes them
_PLURAL = {
    **{
        "somos": "son",
        "estamos": "están",
        "tenemos": "tienen",
        "vamos": "van",
        "hemos": "han",
        "hacemos": "hacen",
    },
    **{
        "podemos": "pueden",
        "queremos": "quieren",
        "preferimos": "prefieren",
        "volvemos": "vuelven",
        "fuimos": "fueron",
    },
    **{"vivimos": "viven", "subimos": "suben", "elegimos": "eligen", "decidimos": "deciden"},
}
_ENDING = {"amos": "an", "emos": "en", "imos": "en"}
_FEMININE = frozenset("madre mujer parte clase noche tarde llave calle gente red ciudad habitación".split())
_BEFORE_VERB = r"(?P<before>(?:no |nunca |siempre |solo |ya )?(?:(?:lo|la|los|las|le|les) )?)"
_VERB = re.compile(rf"\b(?:yo )?{_BEFORE_VERB}(?P<verb>{'|'.join(_SINGULAR)})\b", re.I)
_WE = re.compile(
    rf"\b(?:nosotr[oa]s )?{_BEFORE_VERB}(?P<verb>[a-záéíóú]{{2,}}(?:amos|emos|imos)|somos|vamos)\b", re.I
)
_REFLEXIVE = re.compile(
    rf"\b{_BEFORE_VERB}(?:me (?P<one>quedo|cambio|decanto)"
    r"|nos (?P<many>quedamos|cambiamos|decantamos|mudamos|vamos))\b",
    re.I,
)
_ADJECTIVE = (  # those that precede their noun
    r"(?:(?:(?:primer|segund|tercer|nuev|viej|mejor|peor|propi|últim|antigu|actual|futur)\w*|gran) )?"
)
_MINE = re.compile(rf"\b(?:mi|nuestr[oa]) (?P<thing>{_ADJECTIVE}[^\W\d_]+)", re.I)
_MY_MANY = re.compile(rf"\b(?:mis|nuestr[oa]s) (?P<thing>{_ADJECTIVE}[^\W\d_]+)", re.I)
_ME = re.compile(
    r"\b(?P<denied>no )?(?:me|nos) "
    r"(?=(?:gusta|encanta|sienta|marea|da|cuesta|duele|molesta|falta|parece|toca)\w*\b)",
    re.I,
)
LEFT = re.compile(r"\b(?:yo|mi|mis|me|mí|conmigo|nosotr[oa]s|nuestr[oa]s?|nos|tú|tu|tus|te|ti)\b", re.I)


def third_person(text: str) -> str:
    """The text with "el usuario" in place of the speaker, where a verb or a possessive shows who that is."""
    text = _REFLEXIVE.sub(_reflexive, text)
    text = _ME.sub(lambda match: f"al usuario {(match['denied'] or '').lower()}le ", text)
    text = _VERB.sub(_singular, text, count=1)
    text = _WE.sub(_plural, text, count=1)
    text = _MINE.sub(lambda match: f"{_article(match['thing'])} {match['thing']} del usuario", text)
    return _MY_MANY.sub(lambda match: f"{_plural_article(match['thing'])} {match['thing']} del usuario", text)


def _singular(match: re.Match[str]) -> str:
    verb = match["verb"].lower()
    if verb in _AMBIGUOUS and not match[0].lower().startswith("yo "):
        return match[0]
    return f"{WHO} {match['before'].lower()}{_SINGULAR[verb]}"


def _plural(match: re.Match[str]) -> str:
    verb = match["verb"].lower()
    told = _PLURAL.get(verb) or f"{verb[:-4]}{_ENDING[verb[-4:]]}"
    return f"{THEY} {match['before'].lower()}{told}"


def _reflexive(match: re.Match[str]) -> str:
    if match["one"]:
        return f"{WHO} {match['before'].lower()}se {match['one'][:-1]}a"
    many = match["many"].lower()
    return f"{THEY} {match['before'].lower()}se {_PLURAL.get(many) or many[:-3] + 'n'}"


def _is_feminine(thing: str) -> bool:
    return thing.lower().rstrip("s").endswith(("a", "ión", "dad")) or thing.lower() in _FEMININE


def _article(thing: str) -> str:
    return "la" if _is_feminine(thing) else "el"


def _plural_article(thing: str) -> str:
    return "las" if _is_feminine(thing) else "los"
