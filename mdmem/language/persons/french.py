"""French: "j'habite à Lyon" is "l'utilisateur habite à Lyon"; "nous" are "l'utilisateur et les siens"."""

from __future__ import annotations

import re

WHO, THEY = "l'utilisateur", "l'utilisateur et les siens"
_SINGULAR = {
    **{"ai": "a", "suis": "est", "vais": "va", "fais": "fait", "peux": "peut", "veux": "veut", "dois": "doit"},
    **{"sais": "sait", "prends": "prend", "tiens": "tient", "viens": "vient", "mets": "met", "avais": "avait"},
    **{"étais": "était", "aurai": "aura", "serai": "sera", "bois": "boit", "dors": "dort", "pars": "part"},
}
_PLURAL = {"avons": "ont", "sommes": "sont", "allons": "vont", "faisons": "font", "prenons": "prennent"}
_PLURAL |= {
    "tenons": "tiennent",
    "venons": "viennent",
    "pouvons": "peuvent",
    "voulons": "veulent",
    "devons": "doivent",
}
_I = re.compile(
    r"\b(?:je |j['’])(?P<before>(?:ne |n['’]|me |m['’]|y |en |l['’]|les? |la |lui |leur )*)"
    r"(?P<verb>[a-zàâçéèêëîïôûùœ]+)\b",
    re.I,
)
_WE = re.compile(r"\bnous (?P<before>(?:ne |n['’]|y |en )*)(?P<verb>[a-zàâçéèêëîïôûùœ]+(?:ons|mes))\b", re.I)
_OTHERS = (  # in this order
    (re.compile(r"\bchez (?:moi|nous)\b", re.I), "chez l'utilisateur"),
    (re.compile(r"\bmon (?P<thing>[aeiouhéèêœ]\w+)", re.I), r"l'\g<thing> de l'utilisateur"),
    (re.compile(r"\bmon (?P<thing>\w+)", re.I), r"le \g<thing> de l'utilisateur"),
    (re.compile(r"\bma (?P<thing>\w+)", re.I), r"la \g<thing> de l'utilisateur"),
    (re.compile(r"\b(?:mes|nos) (?P<thing>\w+)", re.I), r"les \g<thing> de l'utilisateur"),
    (re.compile(r"\bnotre (?P<thing>[aeiouhéèêœ]\w+)", re.I), r"l'\g<thing> de l'utilisateur"),
    (re.compile(r"\bnotre (?P<thing>\w+(?:e|ion|té))\b", re.I), r"la \g<thing> de l'utilisateur"),
    (re.compile(r"\bnotre (?P<thing>\w+)", re.I), r"le \g<thing> de l'utilisateur"),
    (re.compile(r"\b(?:à|pour|avec) moi\b", re.I), "pour l'utilisateur"),
)
_ELIDED = re.compile(r"\b([sn])e (?=[aeiouhéèê])", re.I)
LEFT = re.compile(
    r"\b(?:je|moi|mon|ma|mes|me|nous|notre|nos|tu|toi|ton|ta|tes|te|vous|votre|vos)\b|\b[jmt]['’]", re.I
)


def third_person(text: str) -> str:
    """The text with "l'utilisateur" in place of the speaker."""
    text = _I.sub(lambda match: f"{WHO} {_reflexive(match['before'])}{_singular(match['verb'])}", text)
    text = _WE.sub(lambda match: f"{THEY} {match['before']}{_plural(match['verb'])}", text)
    for pattern, said in _OTHERS:
        text = pattern.sub(said, text)
    return _ELIDED.sub(r"\1'", text)


def _reflexive(before: str) -> str:
    return re.sub(r"\bm(?=['’])", "s", re.sub(r"\bme\b", "se", before, flags=re.I), flags=re.I)


def _singular(verb: str) -> str:
    known = _SINGULAR.get(verb.lower())
    if known:
        return known
    if verb.endswith(("ds", "ts")):
        return verb[:-1]
    if verb.endswith(("s", "x")):
        return f"{verb[:-1]}t"
    return f"{verb[:-1]}" if verb.endswith("rai") else verb


def _plural(verb: str) -> str:
    return _PLURAL.get(verb.lower()) or f"{verb[:-3]}ent"
