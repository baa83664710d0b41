"""The function words between those that tell of a replacement: words of `reading`. Data."""

from __future__ import annotations

from collections.abc import Mapping

from mdmem.language import negation

_NOT = {language: "/".join(sorted(words)) for language, words in negation.NEGATIONS.items()}

PARTICLES: Mapping[str, Mapping[str, str]] = {
    "BE": {
        "en": """
            is/are/was/were/be/been/being/becomes/became/become/gets/got/get/has/have/had/goes/went/counts as
            /can/may/should/must/could be/needs to/ought to/falls/lies/can all/let's call it/i consider/=
            /belong/belongs/stays only/are all/proved/proves/turned out/turns out/ended up/i'd call/is simply""",
        "de": """
            ist/sind/war/waren/wird/werden/wurde/wurden/worden/geworden/hat/haben/kann/können/darf/dürfen
            /soll jetzt/gehört/gehören/fällt/gilt als/gelten als/=/bleibt nur/ist jetzt/kannst du/könnt ihr
            /landet/kommt/geht/wanderte?/wandert/erwies sich als/gilt/gelten/sei hiermit""",
        "es": """
            es/son/está/están/estaba/fue/fueron/era/queda/quedan/quedó/ha/han/sido/quedado/puede/pueden/ha sido
            /ha quedado/hay que/=/resulta/resultó/pasa a/pasó a/puedes/podéis/se da por/dar por/doy por
            /damos por""",
        "fr": """
            est/sont/était/étaient/a/ont/été/devient/peut/peuvent/doit/doivent/a été/être/reste/=/passe/part
            /deviennent/va/vont/s'avère/s'est avérée?/peux/pouvez""",
    },
    "WHEN": {
        "en": "to/for/if/when/on/as/without/in/with/unless/before/after/while",
        "de": "wenn/falls/bei/ohne/bevor/im/am/für",
        "es": "para/si/cuando/en/sin/al",
        "fr": "pour/si/quand/en/sans/lors/avant",
    },
    "BY": {
        "en": "by/in favour of/in favor of/for",
        "de": "durch/von/zugunsten von",
        "es": "por/a favor de",
        "fr": "par/au profit de",
    },
    "NOT": {
        "en": f"{_NOT['en']}/do not/no one/nobody should/no one should/nobody must/no one must"
        "/you should not/you must not/you shouldn't",
        "de": _NOT["de"],
        "es": _NOT["es"],
        "fr": f"{_NOT['fr']}/ne/n'/non",
    },
    "SELF": {
        "en": """
            this/this one/this note/this page/this entry/the above/all this/all of this/everything here
            /what is here/it/that/these/them/what is here/what i wrote/it's/everything/all/content/contents
            /the contents/the content/all of it""",
        "de": """
            dies/das/diese notiz/diese seite/dieser eintrag/dieser zettel/das hier/alles hier/obiges/diese hier
            /dieser hier/es/diese/diesen/dieses/sie/ihn/alles/inhalt/der inhalt/das ganze""",
        "es": """
            esto/esta/este/esta nota/esta página/lo anterior/lo de aquí/lo de arriba/estas/estos/ésta/éste
            /la presente/eso/todo/todo esto/contenido/el contenido""",
        "fr": """
            ceci/c'/cela/ça/cette note/cette page/celle-ci/celui-ci/ce qui précède/ce/ces/tout/tout ceci
            /contenu/le contenu""",
    },
    "THISONE": {
        "en": "this one/this note/this page/this entry/this here",
        "de": "diese notiz/diese hier/dieser hier/diese seite/dieser zettel",
        "es": "esta nota/esta de aquí/esta página",
        "fr": "cette note/celle-ci/celui-ci/cette page",
    },
    "UNTIL": {
        "en": "until/till/up to/before",
        "de": "bis/vor",
        "es": "hasta/antes de",
        "fr": "jusqu'/jusque/avant/jusqu'à/jusqu'au/jusqu'en",
    },
    "IN": {
        "en": "in/at/under/is/are",
        "de": "in/unter/ist/sind/steht in",
        "es": "en/es/está en",
        "fr": "dans/sous/est",
    },
    "FOR": {
        "en": "for/has/holds/with",
        "de": "für/hat/mit",
        "es": "para/tiene/con",
        "fr": "pour/contient/a/avec",
    },
    "NOW": {
        "en": """
            now/today/nowadays/nowadays/these days/meanwhile/from now on/by now/going forward/henceforth
            /hereafter/in future/from today/from today on/as of now/as of today""",
        "de": """
            jetzt/nun/heute/neu/inzwischen/mittlerweile/neuerdings/ab jetzt/ab sofort/nur noch/künftig/fortan
            /in zukunft/ab heute/von nun an/von jetzt an""",
        "es": """
            ahora/hoy/actualmente/hoy en día/hoy día/desde ahora/en adelante/de ahora en adelante
            /a partir de ahora/a partir de hoy""",
        "fr": """
            maintenant/désormais/actuellement/à présent/aujourd'hui/dorénavant/à l'avenir
            /à partir de maintenant/dès maintenant/à compter d'aujourd'hui""",
    },
    "EVENT": {  # the past tense of what happened once; see also PAST
        "en": "was/were/had/did/went/took/made/gave/got/ate/ran",
        "de": "hat/habe/haben/hatte/hatten/war/waren/wurde/wurden/gab/ging/gingen/nahm/nahmen/aß/aßen",
        "es": "fue/era/hizo/hice/hubo",
        "fr": "était/étaient/avait/avons/fut/ai/ont",
    },
    "IDLE": {
        "en": """
            the/do/now/by now/then/thus/so far/just/also/all/already/long/long since/since/since then/meanwhile
            /update/please/today/no/sadly/edit/note/things/we've""",
        "de": """
            die/der/das/den/jetzt/nun/inzwischen/mittlerweile/seither/seitdem/damit/also/bitte/schon/bereits
            /längst/leider/nachtrag/aktuell/achtung/update/notiz/hinweis""",
        "es": "el/la/los/las/se/ahora/ya/entonces/desde entonces/por desgracia/nota/ojo/lo/actualización",
        "fr": """
            le/la/les/l'/maintenant/désormais/déjà/depuis/depuis longtemps/entre-temps/malheureusement
            /attention/mise à jour/note""",
    },
    "ADJUNCT": {  # just before a link: then it neither is replaced nor replaces anything
        "en": "since/thanks to/after/with/by/before/without/because of/according to/for/on/to/than",
        "de": "seit/dank/nach/mit/durch/wegen/ohne/vor/laut/gemäß/zu/als",
        "es": "desde/gracias a/con/sin/según/por/tras/como",
        "fr": "depuis/grâce à/avec/sans/selon/après/par/pour/comme",
    },
    "AND": {
        "en": "and/but/so/because/while/though/although/or",
        "de": "und/aber/weil/denn/da/sondern/oder/sodass",
        "es": "y/e/pero/porque/así que/de modo que/o/aunque/pues",
        "fr": "et/mais/parce que/puisque/si bien que/ou/alors que",
    },
    "WHY": {
        "en": "why/how/whether",
        "de": "warum/wieso/weshalb",
        "es": "cómo/qué",
        "fr": "pourquoi/comment",
    },
    "MAY": {
        "en": """
            can/may/should/must/could/we can/you can/you may/we may/please/feel free to/you should/we should
            /i'd/i would/let's""",
        "de": "kann/darf/können/dürfen/soll/muss/könnt/kannst/sollte/müsst/musst/dürft/bitte",
        "es": """
            puede/pueden/podemos/podéis/hay que/se puede/toca/puedes/debéis/debes/deberías/conviene/por favor""",
        "fr": """
            peut/peuvent/pouvez/faut/doit/pouvons/peux/on peut/tu peux/vous pouvez/il faut/devez/dois/merci de
            /prière de""",
    },
    "ASIN": {
        "en": "as in/as/as stated in/like in/as described in/as written in/like",
        "de": "wie in/wie es in/wie/wie laut",
        "es": "como en/como decía/como dice/como pone/como ponía",
        "fr": "comme dans/comme le dit/comme le disait/comme l'indique/comme",
    },
    "SINCE": {
        "en": "since/because of/with/by",
        "de": "seit/wegen/nach/mit/durch/zugunsten von",
        "es": "desde/por/tras/con/a favor de",
        "fr": "depuis/par/à cause de/avec/au profit de",
    },
    "WHO": {
        "en": "which/who/that/it/they/those",
        "de": "welche/welcher/welches/er/sie/die/der/das/es/womit",
        "es": "que/la cual/el cual/eso/ella/esto",
        "fr": "qui/que/laquelle/lequel/elle/il/ce qui/ce/cela/ça/c'",
    },
    "WE": {
        "en": "we/i/we've/i've/we're/i'm/have/has/had/are/is/am",
        "de": "wir/ich/haben/habe/sind/bin",
        "es": "hemos/he/nos",
        "fr": "on/nous/j'/avons/ont/a",
    },
    "WITH": {
        "en": "with",
        "de": "mit",
        "es": "con",
        "fr": "avec",
    },
    "STILL": {
        "en": "who still/whoever still/anybody who still/anyone who still/those who still",
        "de": "wer noch/wer immer noch/wer weiterhin",
        "es": "quien todavía/quien aún/quien siga",
        "fr": "qui suit encore/ceux qui suivent encore",
    },
    "WAS": {
        "en": "was/were",
        "de": "war/waren",
        "es": "era/fue/eran/fueron",
        "fr": "était/étaient/fut",
    },
    "PLACE": {
        "de": "an die stelle/an die stelle von/an stelle von",
    },
    "STEPS": {
        "de": "tritt/treten",
    },
    "SINCETHEN": {
        "en": "since then/ever since",
        "de": "seitdem/seither/ab da",
        "es": "desde entonces/a partir de ahí",
        "fr": "depuis lors/à partir de là",
    },
    "SO": {
        "en": "so/but/because/though/although/while",
        "de": "aber/sondern/weil/denn/also/sodass",
        "es": "pero/así que/porque/aunque/pues",
        "fr": "mais/donc/parce que/puisque/si bien que",
    },
    "THEREIS": {
        "en": "there was a/there was an/there is a/there is an/there's a/a/an/there were/there are/has a/had a",
        "de": "da war ein/da ist ein/es war ein/ein/eine/kleiner/da hat sich ein/blöder",
        "es": "hay un/hay una/había un/había una/un/una/hubo un/se coló un/se coló una",
        "fr": "il y a un/il y a une/il y avait un/il y avait une/un/une/petite/petit",
    },
    "PER": {
        "en": "by/per/according to/from/off/after",
        "de": "nach/laut/gemäß/an/aus",
        "es": "según/por",
        "fr": "selon/d'après/suivant",
    },
    "ARTICLE": {
        "en": "the/a/an/my/our/his/her/their/your",
        "de": "der/die/das/den/dem/ein/eine/einen/mein/meine/unser/unsere",
        "es": "el/la/los/las/un/una/mi/nuestro/nuestra",
        "fr": "le/la/les/l'/un/une/mon/ma/notre",
    },
    "THATONE": {
        "en": """
            that one/that note/that page/that entry/the old one/the old note/the former/its contents
            /its content/what it says""",
        "de": "die notiz/der eintrag/der zettel/jene/jener/die alte/der alte/die dort",
        "es": "aquella/aquello/aquel/esa/ese/esa nota/la nota/la vieja/la antigua/la de antes/aquella nota",
        "fr": "celle-là/celui-là/l'ancienne/l'ancien/cette vieille note/la note/la vieille",
    },
    "EDIT": {
        "en": "edit/update/updated/later edit",
        "de": "update/aktualisierung/nachtrag/später",
        "es": "actualización/edito/edición/añadido",
        "fr": "mise à jour/màj/édit/ajout",
    },
    "SAYS": {
        "en": "says/states/said/explains/claims/tells/shows/describes/mentions/warns",
        "de": "sagt/behauptet/erklärt/zeigt/nennt/meint/warnt",
        "es": "dice/decía/explica/indica/muestra/avisa",
        "fr": "dit/disait/explique/indique/montre/précise",
    },
    "WHAT": {
        "en": "what/whatever/which/all/everything/as",
        "de": "was/wie/alles",
        "es": "lo que/cuanto/como",
        "fr": "ce que/ce qu'/comme/tout ce que/qui",
    },
}
