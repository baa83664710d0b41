"""The words by which a plain statement is understood, one table for each language. Data.

Words are written as `roots.folded` returns them: in lower case and without accents, `ß` as `ss`.
"""

# ruff: noqa: E501 - a row is one line
from __future__ import annotations

from typing import NamedTuple


class StatedRelation(NamedTuple):
    """What a verb says of a thing; `is_single` if there is one value at a time: people live in one town."""

    name: str
    is_single: bool


class StatementWords(NamedTuple):
    """The words of one language.

    `relations` has verbs with their particles by their first word, the longest first. `placing` has verbs whose
    value follows a preposition: "stores its orders | in Redis". `owning` has verbs that name the owner of a thing,
    with the attribute: "Ana owns the billing service". `attributes` are what a thing has one of, each with the
    English word for it; `marked` words single out one thing of many ("the default editor"). `speakers` maps
    pronouns to whom they mean. `of` stands between an attribute and its thing, `tails` begin the circumstances of
    a value, `several` joins values, `over` stands between what is preferred and the rest. `unsure` are words of
    sentences that do not hold now, or not for sure.
    """

    relations: dict[str, tuple[tuple[tuple[str, ...], StatedRelation], ...]]
    placing: dict[str, str]
    owning: dict[str, str]
    attributes: dict[str, str]
    marked: frozenset[str]
    speakers: dict[str, str]
    of: frozenset[str]
    tails: frozenset[str]
    several: frozenset[str]
    over: frozenset[str]
    unsure: frozenset[str]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _relations(single: str, other: str) -> dict[str, tuple[tuple[tuple[str, ...], StatedRelation], ...]]:
    """Two tables of rows `name: form, form`, parsed: relations that have one value at a time, and others."""
    found: dict[str, list[tuple[tuple[str, ...], StatedRelation]]] = {}
    for rows, is_single in ((single, True), (other, False)):
        for row in rows.strip().split("\n"):
            name, _, forms = row.strip().partition(": ")
            for form in forms.split(", "):
                words = tuple(form.split())
                found.setdefault(words[0], []).append((words, StatedRelation(name, is_single)))
    return {first: tuple(sorted(forms, key=lambda form: -len(form[0]))) for first, forms in found.items()}


def _named(rows: str) -> dict[str, str]:
    """Rows `english=word/word`, parsed: word -> English word."""
    pairs = (row.split("=") for row in rows.split())
    return {form: name for name, forms in pairs for form in forms.split("/")}


# Verbs by which one can tell that a text is an English sentence.
VERBS = _words(
    """uses use prefers prefer likes like wants want has have needs need requires require allows allow
    supports support includes include contains contain keeps keep holds hold lasts last retries
    waits wait expects expect gets get pays pay earns takes take opens open closes close starts
    start begins begin ends end drinks drink eats eat sleeps wakes goes go trains meets meet sends
    send returns return retains retain caches cache polls refreshes charges charge accepts accept
    must should enables disables runs run deploys deploy works drives owns speaks plays enjoys
    dislikes hates loves avoids writes reads follows drops rejects logs signs encrypts compresses
    merges releases ships tests answer answers respond responds reply replies stores store
    smokes"""
)

# What a thing has one of. "The port of the API is 80."
_ATTRIBUTES = """port version database branch editor deadline owner address timezone zone language name nickname
    email colour color budget limit timeout region host hostname url framework shell theme font size
    day time date price salary password interval frequency provider platform engine orm format
    width height indentation diet employer job title role phone number city country birthday manager
    lead boss maintainer currency locale license licence retention ttl threshold quota capacity
    cadence schedule default formatter linter compiler runtime bundler stack cloud registry queue
    broker os browser keyboard layout car pet doctor dentist gym seat airline username account
    contact spouse partner endpoint method protocol encoding algorithm strategy mode level style
    length quantity count rate hour window tool target store backend""".split()

ENGLISH = StatementWords(
    relations=_relations(
        """live in: lives in, live in, resides in, reside in, has lived in, have lived in, moved to, has moved to
        work at: works at, work at, works for, work for
        work as: works as, work as
        is in: is in, are in, is located in, located in
        is based in: is based in, are based in, based in
        run on: runs on, run on, runs at
        run every: runs every, rotates every, rotate every
        deploy on: deploys on, deploy on
        deploy to: deploys to, deploy to, is deployed on, is deployed to
        is hosted on: is hosted on, is hosted at, is hosted by, hosted on, hosts on, host on
        listen on: listens on, listen on
        is called: is called, is named, goes by
        language: is written in, written in, is written with
        manager: reports to, report to
        owner: is owned by, owned by, belongs to
        maintainer: is maintained by, maintained by
        lead: is led by, led by, is run by
        licence: is licensed under, are licensed under
        price: costs, cost
        deadline: is due on, is due, are due on, are due
        take place: is scheduled for, is scheduled on, takes place on, happens on, happen on, happen at, meets on, meets at
        start: starts at, begins at, starts on, start at, begin at
        end: ends at, ends on, end at
        expire: expires on, expires after, expire after
        is kept in: is stored in, are stored in, stored in, is stored on, are stored on
        is kept for: is kept for, are kept for
        is set to: is set to, set to, defaults to, is limited to, limited to, is capped at
        is married to: is married to
        weigh: weighs
        is managed with: is managed by, is managed with
        study at: studies at
        is built with: is built with, is run with, are run with
        is served by: is served from, is served by, is backed by
        get up: wakes up at, gets up at
        commute: commutes by, commutes with
        authenticate: authenticates with, authenticate with
        is born in: is born in, was born in
        was built in: was built in, was founded in, was bought in
        release on: ships on, releases on""",
        """is: is, are, equals
        use: uses, use
        prefer: prefers, prefer
        want: wants, want
        like: likes, like, loves, love, enjoys, enjoy
        dislike: dislikes, dislike, hates, hate, avoids, avoid""",
    ),
    placing={"stores": "in", "store": "in"},
    owning={"owns": "owner", "leads": "lead", "maintains": "maintainer"},
    attributes={word: word for word in _ATTRIBUTES} | {"color": "colour", "license": "licence"},
    marked=_words("default primary main preferred favourite favorite current maximum minimum max min"),
    speakers={"i": "user", "me": "user", "my": "user", "we": "team", "our": "team"},
    of=_words("of for project"),
    tails=_words(
        "as for in on at with during over to from per every when via by under between across within inside behind "
        "because since than after before instead"
    ),
    several=_words("and or plus both"),
    over=_words("over"),
    unsure=_words(
        "if unless sometimes occasionally plans planning formerly previously until before once used except "
        "originally will when whenever while proposed proposal example e.g"
    ),
)
GERMAN = StatementWords(
    relations=_relations(
        """live in: wohnt in, lebt in, wohne in, lebe in, wohnen in, wohnt jetzt in, ist nach
        work at: arbeitet bei, arbeite bei, arbeitet beim
        work as: arbeitet als, arbeite als
        is in: ist in, ist im, liegt in, liegt im, steht in, steht im
        run on: lauft auf, laufen auf
        is hosted on: wird gehostet bei, ist gehostet bei
        is called: heisst
        language: ist geschrieben in, ist in
        price: kostet, kosten
        deadline: ist fallig am, ist bis
        take place: findet statt am, trifft sich am, ist am
        start: beginnt um, startet um, beginnt am, startet am
        end: endet um, endet am
        is set to: ist gesetzt auf, steht auf
        is married to: ist verheiratet mit
        get up: steht auf um
        is born in: ist geboren in""",
        """is: ist, sind, betragt, lautet
        use: benutzt, benutzen, nutzt, nutzen, verwendet, verwenden
        prefer: bevorzugt, bevorzugen
        like: mag, liebt, mogen
        dislike: hasst, meidet""",
    ),
    placing={"speichert": "in"},
    owning={"leitet": "lead", "besitzt": "owner"},
    attributes=_named(
        "port=port version=version database=datenbank deadline=frist/termin/abgabe/abgabetermin address=adresse/anschrift "
        "language=sprache name=name email=email colour=farbe/lieblingsfarbe budget=budget limit=limit/obergrenze size=grosse "
        "day=tag time=uhrzeit/zeit date=datum price=preis salary=gehalt password=passwort employer=arbeitgeber job=beruf "
        "phone=telefonnummer/handynummer number=nummer city=stadt country=land birthday=geburtstag lead=leitung/leiter/leiterin "
        "owner=besitzer/besitzerin/eigentumer manager=chef/chefin currency=wahrung doctor=hausarzt/hausarztin dentist=zahnarzt "
        "car=auto rent=miete editor=editor format=format capacity=kapazitat"
    ),
    marked=_words("standard haupt bevorzugte bevorzugter aktuelle aktueller maximale minimale"),
    speakers={"ich": "user", "mein": "user", "meine": "user", "wir": "team", "unser": "team", "unsere": "team"},
    of=_words("von vom der des fur"),
    tails=_words(
        "als fur in im an am auf mit wahrend bei von vom nach pro jeden wenn uber unter zwischen hinter seit weil"
    ),
    several=_words("und oder sowie"),
    over=_words("lieber als"),
    unsure=_words(
        "wenn falls manchmal gelegentlich fruher bisher bis vielleicht ausser wird werden sobald wahrend"
    ),
)
SPANISH = StatementWords(
    relations=_relations(
        """live in: vive en, vivo en, viven en, reside en
        work at: trabaja en, trabajo en, trabaja para
        work as: trabaja como, trabajo como
        is in: esta en, estan en, se encuentra en
        run on: corre en, funciona en
        is called: se llama
        price: cuesta, cuestan, vale
        deadline: vence el
        take place: se celebra el, se reune el
        start: empieza a, empieza el, comienza a, comienza el
        end: termina a, termina el
        is married to: esta casado con, esta casada con
        is born in: nacio en""",
        """is: es, son
        use: usa, usan, utiliza, utilizan
        prefer: prefiere, prefiero, prefieren
        like: adora
        dislike: odia, evita, detesta""",
    ),
    placing={"guarda": "en"},
    owning={"dirige": "lead"},
    attributes=_named(
        "port=puerto version=version database=base deadline=plazo address=direccion language=idioma name=nombre email=correo "
        "colour=color budget=presupuesto limit=limite size=tamano day=dia time=hora date=fecha price=precio salary=sueldo "
        "password=contrasena job=trabajo phone=telefono number=numero city=ciudad country=pais birthday=cumpleanos "
        "lead=responsable owner=dueno/duena manager=jefe/jefa currency=moneda doctor=medico dentist=dentista car=coche rent=alquiler"
    ),
    marked=_words("principal preferido preferida favorito favorita actual maximo minimo"),
    speakers={"yo": "user", "mi": "user", "nosotros": "team", "nuestro": "team", "nuestra": "team"},
    of=_words("de del para"),
    tails=_words("como para en con durante por desde cada cuando entre porque sobre bajo"),
    several=_words("y e o u"),
    over=_words("antes que"),
    unsure=_words("si cuando a veces antes hasta salvo excepto mientras sera"),
)
FRENCH = StatementWords(
    relations=_relations(
        """live in: habite a, vit a, habite en, vit en, habite au
        work at: travaille chez, travaille a
        work as: travaille comme
        is in: est dans, sont dans, se trouve dans
        run on: tourne sur
        is called: s'appelle, sappelle
        price: coute, coutent
        take place: a lieu le, se reunit le
        start: commence a, commence le
        end: finit a, finit le, se termine le
        is married to: est marie a, est mariee a
        is born in: est ne a, est nee a""",
        """is: est, sont
        use: utilise, utilisent
        prefer: prefere, preferent
        like: aime, adore
        dislike: deteste, evite""",
    ),
    placing={"stocke": "dans"},
    owning={"dirige": "lead"},
    attributes=_named(
        "port=port version=version database=base deadline=echeance/delai address=adresse language=langue name=nom email=courriel "
        "colour=couleur budget=budget limit=limite size=taille day=jour time=heure date=date price=prix salary=salaire "
        "password=passe job=metier phone=telephone number=numero city=ville country=pays birthday=anniversaire "
        "lead=responsable owner=proprietaire manager=chef/cheffe currency=monnaie doctor=medecin dentist=dentiste "
        "car=voiture rent=loyer"
    ),
    marked=_words("principal principale prefere preferee actuel actuelle maximum minimum"),
    speakers={"je": "user", "mon": "user", "ma": "user", "nous": "team", "notre": "team"},
    of=_words("de du des pour"),
    tails=_words("comme pour en dans avec pendant par depuis chaque quand entre parce sur sous chez"),
    several=_words("et ou"),
    over=_words("plutot que"),
    unsure=_words("si quand parfois avant jusqu sauf pendant sera"),
)
WORDS = {"en": ENGLISH, "de": GERMAN, "es": SPANISH, "fr": FRENCH}
# Relations that have one value at a time, as written; and all words that begin a relation in English, or may.
SINGLE = frozenset(
    " ".join(form)
    for words in WORDS.values()
    for rows in words.relations.values()
    for form, relation in rows
    if relation.is_single
)
FINITE = VERBS | ENGLISH.relations.keys() | _words("does do did can")

# Asides, by language: since when, according to whom, even if, and the wrong value beside the right one.
ASIDES = {
    "en": (
        r"\b(?:since|as of|from|starting|effective) (?:\d{4}(?:-\d\d){0,2}|(?-i:[A-Z])[a-z]+(?: \d{4})?|now on)\b,?"
        r"|,? \b(?:instead of|rather than)\b.*|^according to [^,]{1,40}?(?:,|(?= (?:the|a) ))"
        r"|,? (?:also|even) (?:if|when|where)\b.*"
    ),
    "de": (
        r"\b(?:seit|ab) (?:\w+ ){0,2}?(?:\w*monat\w*|\w*jahr\w*|\w*woche\w*|\d{4}|(?-i:[A-Z])\w+) "
        r"|,? \b(?:statt|anstatt)\b.*|^laut [^,]{1,40}?,"
    ),
    "es": (
        r"\b(?:desde|a partir de) (?:\d{4}|[a-z]+(?: de \d{4})?) |,? \ben (?:vez|lugar) de\b.*|^segun [^,]{1,40}?,"
    ),
    "fr": (
        r"\b(?:depuis|a partir de) (?:\d{4}|[a-z]+(?: \d{4})?) |,? \bau lieu de\b.*|^selon [^,]{1,40}?,"
    ),
}  # fmt: skip

# The wrong value beside the right one: "Thursday now, not Friday", "Rust now, no longer Python", "mardi, pas lundi".
REJECTED = (
    r",\s*(?:(?:and|und|y|et)\s+)?(?:not any ?more|no longer|not|nicht|non|no|pas)\s+"
    r"(?!(?:only|just|yet|sure|even|because|if|when|all|every|always|that|so|nur|solo|seulement)\b)"
    r"(?P<old>(?:(?:on|in|at|am|im|en|el|le)\s+)?[\w.+#-]+(?:\s[\w.+#-]+){0,2})[.!]?$"
)

# Values of one kind that exclude each other, whatever the language.
KINDS = {
    word: kind
    for kind, words in {
        "frequency": "hourly daily nightly weekly biweekly fortnightly monthly quarterly yearly annually "
        "stundlich taglich wochentlich monatlich jahrlich diariamente semanal mensual anual quotidien hebdomadaire mensuel",
        "language": "english german french spanish italian portuguese dutch polish russian chinese japanese "
        "englisch deutsch franzosisch spanisch ingles aleman frances espanol anglais allemand francais espagnol",
        "diet": "vegetarian vegan pescatarian carnivore omnivore vegetarier vegetarierin veganer veganerin "
        "vegetariano vegetariana vegano vegana vegetarien vegetarienne vegetalien",
        "tie": "single married divorced engaged widowed ledig verheiratet geschieden verlobt verwitwet",
    }.items()
    for word in words.split()
}
# Things of which somebody may have several, each with a name of its own.
SEVERAL = _words("cat dog pet child son daughter kid sister brother friend colleague server project")
# Verbs that may have many values of a kind: those who speak German may speak French, too.
MANY = _words(
    "have has get gets send sends speak speaks learn learns know knows like likes take takes write writes read reads "
    "offer offers support supports include includes contain contains spricht sprechen lernt kann liest habla hablan "
    "aprende sabe lee parle parlent apprend connait lit"
)
# Words that are part of neither a thing's name nor a value, in any language.
ARTICLES = _words(
    "a an the this that these those its his her our your my der die das den dem ein eine einen einem einer "
    "el la los las un una le les une"
)
