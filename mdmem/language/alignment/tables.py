"""Small words by language, English, German, Spanish and French, with an example each. Data; all in lower case.

Words stand here as `roots.folded` gives them: without accents, `ß` as `ss`.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from mdmem.language import negation
from mdmem.language.roots import folded


class Tongue(NamedTuple):
    """The function words of one language.

    `silent` words carry no sense in comparisons ("the", "der", "el", "le"). Copulas and other common `verbs` end
    the key of a sentence: the port of the api | is 80. `leading` words open a phrase that belongs to the key ("In
    winter the hives ..."), `narrowing` ones a phrase that says when or for what a statement holds ("only on
    Sundays"). `limiting` phrases, such as "more than", make a limit of the no before them, so that it denies
    nothing. `numbers` and `fractions` count ("twenty", "half"), `clock` words come before a time of day ("um
    elf").
    """

    silent: frozenset[str]
    verbs: frozenset[str]
    leading: frozenset[str]
    narrowing: frozenset[str]
    limiting: tuple[tuple[str, ...], ...]
    numbers: dict[str, int]
    fractions: dict[str, float]
    clock: frozenset[str]
    days: tuple[str, ...]
    months: tuple[str, ...]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _counted(ones: str, tens: str, scales: str) -> dict[str, int]:
    """Word -> number, from the words for 1 to 19, those for 20, 30 ..., and `word=number` for others."""
    counted = {word: number for number, words in enumerate(ones.split(), 1) for word in words.split("/")}
    counted |= {word: 10 * number for number, words in enumerate(tens.split(), 2) for word in words.split("/")}
    return counted | {word: int(number) for word, number in (pair.split("=") for pair in scales.split())}


ENGLISH = Tongue(
    silent=_words(
        "a an the this that these those there here it its he him his she her hers they them their theirs "
        "we us our ours you your yours i me my mine is are was were be been being am do does did of to at "
        "in on for from by with as and or so then than too also just really very please always now "
        "currently about around up out into onto over per one each some any what which who whom whose how "
        "if when where would will can could may must should might has have had having own gets get "
        "got"
    ),
    verbs=_words(
        "is are was were be has have had does do did can cannot could may might must should will "
        "would equals costs cost means takes take goes go comes come holds hold keeps keep stands stand "
        "lies lives live pays pay starts start begins begin ends end closes close opens open meets meet "
        "needs need wants want likes like hates hate wears wear eats eat drinks drink plays play speaks "
        "speak sits sit hangs hang belongs listens runs run uses use gets get lasts last weighs measures "
        "comprises has reads writes trains train covers cover works work squeaks answers answer signs "
        "faxes sends send reaches handles serves serve refuses prefers prefer knows know asks ask only "
        "tastes shuts turns turn beeps expires expire supports deploys stores store owns reports report "
        "leads manages moved moves switched signed writes swells drives"
    ),
    leading=_words("in at on during for with after before under over from since until when if while by without"),
    narrowing=_words("only except unless but if until unlike alone while when"),
    limiting=(("more", "than"), ("later", "than"), ("earlier", "than"), ("less", "than"), ("only",), ("need",)),
    numbers=_counted(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen",
        "twenty thirty forty fifty sixty seventy eighty ninety",
        "hundred=100 thousand=1000 million=1000000 dozen=12",
    ),
    fractions={"half": 0.5, "quarter": 0.25},
    clock=_words("at by until from past after"),
    days=("monday mon", "tuesday tue", "wednesday wed", "thursday thu", "friday fri", "saturday", "sunday"),
    months=tuple(
        "january/jan february/feb march april/apr may june july august/aug september/sept october/oct "
        "november/nov december/dec".split()
    ),
)
GERMAN = Tongue(
    silent=_words(
        "der die das den dem des ein eine einen einem einer eines und oder ist sind war waren wird werden "
        "wurde hat haben hatte zu zum zur im in am an auf bei beim fur mit von vom als auch so es er sie "
        "wir ich ihr man sich sein seine ihre mein meine unser unsere dass wenn wo wer was wie noch schon "
        "mal bitte immer jetzt nun da dann dort hier aus nach um ab bis uber unter vor durch pro je kann "
        "darf muss soll will jede jeden jeder jedes jedem mir mich uns dir diese dieser dieses stets doch nur"
    ),
    verbs=_words(
        "ist sind war waren hat haben hatte wird werden wurde kann darf muss soll will kostet heisst geht "
        "gehen kommt kommen steht stehen liegt liegen wohnt lebt startet beginnt endet schliesst offnet "
        "isst trinkt mag stellt lauft braucht nimmt nehmen tragt spielt bekommt vertragt fahrt fahren "
        "haltet halten erscheinen ubersetze ubersetzt benutze benutzt ladt schaltet steht bleibt gilt "
        "zahlt misst wiegt dauert"
    ),
    leading=_words(
        "in im am an bei beim fur mit wahrend nach vor unter uber ab seit bis wenn zu zum zur auf ohne"
    ),
    narrowing=_words("nur ausser wenn falls bis solange wahrend sofern aber"),
    limiting=(("mehr", "als"), ("spater", "als"), ("langer", "als"), ("nur",)),
    numbers=_counted(
        "eins zwei/zwo drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn "
        "sechzehn siebzehn achtzehn neunzehn",
        "zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig",
        "hundert=100 tausend=1000 dutzend=12",
    ),
    fractions={"halbe": 0.5, "halben": 0.5, "halber": 0.5, "halbes": 0.5, "viertel": 0.25},
    clock=_words("um ab bis gegen halb"),
    days=("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag sonnabend", "sonntag"),
    months=tuple("januar februar marz april mai juni juli august september oktober november dezember".split()),
)
SPANISH = Tongue(
    silent=_words(
        "el la los las lo un una unos unas y e o u de del al a en con por para se su sus mi mis me te le "
        "les nos es son esta estan estamos era eran ha han hay que como si cuando donde quien ya muy mas "
        "tambien siempre ahora este esta estos estas ese esa eso esto desde hasta entre sobre porque pues "
        "cada todo toda todos todas yo somos estoy ser estar"
    ),
    verbs=_words(
        "es son esta estan estamos estoy era eran ha han hay tiene tienen tenemos puede pueden debe deben "
        "cuesta cuestan vale valen vive vivo viven va van viene cierra abre cerro empieza termina prefiere "
        "prefiero quiere queremos quiero come bebe lleva llevan marca compramos pasan canta ensaya atiende "
        "recoge recogen usa usamos pita sale salgo hace cobra paga pago somos pintan pinta derrite entrega"
    ),
    leading=_words("en con por para durante antes despues desde hasta cuando si al a sin de"),
    narrowing=_words("solo salvo excepto si cuando hasta mientras pero menos"),
    limiting=(("mas", "de"), ("mas", "que"), ("mas", "tarde"), ("solo",)),
    numbers=_counted(
        "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis "
        "diecisiete dieciocho diecinueve",
        "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
        "cien=100 ciento=100 doscientos=200 trescientos=300 quinientos=500 mil=1000 docena=12",
    ),
    fractions={"media": 0.5, "medio": 0.5, "cuarto": 0.25},
    clock=_words("las"),
    days=("lunes", "martes", "miercoles", "jueves", "viernes", "sabado", "domingo"),
    months=tuple(
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()
    ),
)
FRENCH = Tongue(
    silent=_words(
        "le la les un une des du de et ou a au aux en dans sur pour par avec ce cet cette ces se son sa "
        "ses mon ma mes notre nos leur leurs il elle ils elles on je tu nous vous me te y que qui est sont "
        "etait etaient ete ai as ont avait ca si quand comme tres tout toute tous toujours deja maintenant "
        "plus chaque chez lui etre avoir ne cela"
    ),
    verbs=_words(
        "est sont etait a ont avait peut peuvent doit doivent coute coutent vaut vend vit habite va vont "
        "ouvre ferme commence finit prefere veut mange boit porte joue livre marche tourne arrive dure "
        "tient fait refuse adore comprend cuisine renouvelle vendait"
    ),
    leading=_words("en a au dans pendant avant apres pour avec sans sur depuis si quand lors des de"),
    narrowing=_words("sauf si quand jusqu seulement mais pendant tant lors excepte"),
    limiting=(("plus", "de"), ("plus", "que"), ("plus", "tard"), ("besoin",)),
    numbers=_counted(
        "- deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
        "vingt trente quarante cinquante soixante",
        "cent=100 cents=100 mille=1000 douzaine=12 septante=70 nonante=90",
    ),
    fractions={"demi": 0.5, "demie": 0.5, "quart": 0.25},
    clock=_words("a vers"),
    days=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    months=tuple("janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre".split()),
)
_DIGITS = dict(zip("ein zwei drei vier funf sechs sieben acht neun".split(), range(1, 10), strict=True))
# German numbers in one word: zweiundfunfzig, dreihundert.
GERMAN.numbers.update(
    {
        f"{one}und{tens}": digit + GERMAN.numbers[tens]
        for one, digit in _DIGITS.items()
        for tens in "zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig".split()
    }
)
GERMAN.numbers.update({f"{one}hundert": 100 * digit for one, digit in _DIGITS.items()})
TONGUES = {"en": ENGLISH, "de": GERMAN, "es": SPANISH, "fr": FRENCH}
# Words that deny, by language.
DENYING = {name: frozenset(map(folded, negation.NEGATIONS[name] | negation.REFUSALS[name])) for name in TONGUES}


def _own(name: str, tongue: Tongue) -> frozenset[str]:
    days = (name for names in (*tongue.days, *tongue.months) for name in re.split(r"[ /]", names))
    known = tongue.silent | DENYING[name] | tongue.verbs | tongue.leading
    known |= {*tongue.numbers, *tongue.fractions, *days}
    return frozenset(word for word in known if len(word) > 1)


def _telling() -> dict[str, dict[str, float]]:
    own = {name: _own(name, tongue) for name, tongue in TONGUES.items()}
    shared = Counter(word for words in own.values() for word in words)
    return {name: {word: 1 / shared[word] for word in words} for name, words in own.items()}


# Words that are typical of a language -> how much they tell: a word of two languages tells half as much.
TELLTALE = _telling()

# Abbreviations -> whole words: "min." is "minute", "approx." says as little as "about". Any language.
ABBREVIATIONS = {
    short: long
    for pair in """min=minute mins=minute
    minutes=minute minuten=minute minutos=minute minuto=minute sec=second secs=second
    seconds=second sekunden=second sekunde=second segundos=second segundo=second secondes=second
    seconde=second std=hour hrs=hour hr=hour hours=hour stunde=hour stunden=hour hora=hour horas=hour
    heure=hour heures=hour days=day tag=day tage=day tagen=day dia=day dias=day jour=day jours=day weeks=week
    woche=week wochen=week semana=week semanas=week semaine=week semaines=week wk=week months=month
    monat=month monate=month monaten=month mes=month meses=month mois=month years=year jahr=year jahre=year
    jahren=year ano=year anos=year an=year ans=year annee=year annees=year percent=% prozent=% %=% euro=€
    euros=€ eur=€ dollar=$ dollars=$ usd=$ kilo=kg kilos=kg kilogram=kg kilograms=kg kilogramm=kg
    kilogramme=kg kilogrammes=kg microgram=μg micrograms=μg mcg=μg mikrogramm=μg microgramos=μg
    microgrammes=μg milliseconds=ms millisekunden=ms milisegundos=ms
    millisecondes=ms gram=g grams=g gramm=g gramos=g grammes=g
    kilometre=km kilometres=km
    kilometer=km kilometers=km kilometros=km metre=m metres=m meter=m meters=m metros=m centimetre=cm
    centimetres=cm zentimeter=cm centimetros=cm millimetre=mm millimetres=mm millimeter=mm milimetros=mm
    degree=° degrees=° grad=° grado=° grados=° degre=° degres=° celsius=° °c=° °=° litre=l litres=l liter=l
    liters=l litro=l litros=l gigabyte=gb gigabytes=gb megabyte=mb megabytes=mb mgr=manager mtg=meeting
    dept=department info=information approx=about prod=production dev=development repo=repository db=database
    config=configuration env=environment temp=temperature tel=telephone nr=number num=number no.=number
    numero=number nummer=number max=maximum min.=minute str=street""".split()
    for short, long in (pair.split("="),)
}
# Units of time -> seconds: "300 seconds" are "five minutes".
SECONDS = {
    "second": 1,
    "minute": 60,
    "hour": 3600,
    "day": 86400,
    "week": 604_800,
    "month": 2_592_000,
    "year": 31_536_000,
}
# Symbols of units of time, only after a number that is not an hour of the day -> seconds.
SYMBOLS = {"ms": 0.001, "s": 1.0, "h": 3600.0}
# Units -> the base unit, and how many of it they are: "2 kg" are "2000 g".
MEASURES = {
    unit: (base, float(count))
    for row in ("μg:g=0.000001 mg:g=0.001 g:g=1 kg:g=1000 t:g=1000000", "mm:m=0.001 cm:m=0.01 m:m=1 km:m=1000",
                "ml:l=0.001 cl:l=0.01 l:l=1", "kb:mb=0.001 mb:mb=1 gb:mb=1000 tb:mb=1000000")
    for unit, base, count in (re.split("[:=]", pair) for pair in row.split())
}  # fmt: skip
# Phrases after an hour that say which part of the day it is in, as they are written; and midnight.
DAY_PARTS = tuple(
    tuple(phrase.split())
    for phrase in "in the morning,in the evening,in the afternoon,at night,morgens,abends,nachmittags,nachts,"
    "de la manana,de la tarde,de la noche,du matin,du soir,de lapres midi,de la nuit".split(",")
)
MIDNIGHT = frozenset("midnight mitternacht medianoche minuit".split())

# Words found beside what has begun or changed, and just as often beside what has not.
BEGINNINGS = frozenset("since new instead seit desde depuis nouvelle".split())
# Words that say a statement has changed: "no longer", "moved to", "nicht mehr", "ya no", "ne ... plus".
CHANGES = {
    name: tuple(phrase.strip() for phrase in phrases.split(","))
    for name, phrases in {
        "en": "no longer, not any more, not anymore, moved, moved to, switched, quit, gave up, given up, "
        "cancelled, put off, now, these days, from now on, since, as of, instead, new, history, finally, "
        "at last, meanwhile, retired, sold, replaced, changed, raised, upgraded, gone off",
        "de": "nicht mehr, kein mehr, umgezogen, gezogen, gewechselt, umgestellt, jetzt, seit, nun, neuerdings, "
        "inzwischen, abgesagt, verschoben, statt, ab sofort, wieder, endlich, umentschieden",
        "es": "ya no, ahora, desde, cambiamos, cambio, dejo, cerro, cancelado, en vez de, por fin, ya",
        "fr": "ne plus, desormais, maintenant, depuis, fini, change, annule, au lieu de, enfin, nouvelle",
    }.items()
}

# Words that are interchangeable in any context, one group a line. Merely related ones, such as mother and father
# or those of `words.synonyms`, are not.
_NEAR = """
hold have keep store contain
keep kept put
suit fit
speak talk
kid child
boss manager
colleague coworker teammate
movie film
car automobile
truck lorry
bicycle bike
fridge refrigerator
mother mum mom
father dad
grandma grandmother
grandpa grandfather
doctor physician
shop store
phone telephone
holiday vacation
autumn fall
dinner supper
present gift
cost price
rent lease
figure figures number numbers
licence license permit
annual yearly
email mail
log login
config configuration
directory folder
problem issue
error fault
like enjoy love
hate dislike
make create build
begin start launch commence
end finish complete
stop cease
shut close
call phone
need require
allow permit
try attempt
delete remove erase
choose select pick
change alter modify
show display
help assist
hard difficult
important significant
small little
ofen backofen
auto wagen pkw
uhrzeit zeit
sms kurznachricht kurznachrichten
wlan wifi
laden geschaft
arzt doktor
handy mobiltelefon
anfangen beginnen
enden aufhoren
benutzen verwenden nutzen
kaufen besorgen
schnell flott
movil celular
coche auto
comprar adquirir
empezar comenzar
terminar acabar
usar utilizar
voiture auto
commencer debuter
finir terminer
acheter prendre
utiliser employer
velo bicyclette
"""
NEAR: dict[str, frozenset[int]] = {}
for _number, _line in enumerate(_NEAR.strip().split("\n")):
    for _word in _line.split():
        NEAR[_word] = NEAR.get(_word, frozenset()) | {_number}
