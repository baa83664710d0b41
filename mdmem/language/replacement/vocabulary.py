"""The words by which texts say that one thing has taken the place of another, by what they do in a sentence. Data.

Each kind has its words a language, separated by "/". A phrase is read whole, and the longest first; a
word may do several things. All are in lower case, with straight quotes.
"""

# ruff: noqa: E501 - the words of a kind in one language are one row
from __future__ import annotations

from collections.abc import Mapping

from mdmem.language import negation

PAST = {"en": ("ed",), "de": (), "es": ("ó", "aron", "ieron", "imos"), "fr": ()}  # endings of an EVENT


def _no(language: str) -> str:
    return "/".join(sorted(negation.NEGATIONS[language]))


WORDS: Mapping[str, Mapping[str, str]] = {
    "BE": {
        "en": "is/are/was/were/be/been/being/becomes/became/become/gets/got/get/has/have/had/goes/went/counts as/can/may/should/must/could be/needs to/ought to/falls/lies/can all/let's call it/i consider/i am keeping/i'm keeping/we keep/i keep/kept",
        "de": "ist/sind/war/waren/wird/werden/wurde/wurden/worden/geworden/hat/haben/kann/können/darf/dürfen/soll jetzt/gehört/gehören/fällt/gilt als/gelten als",
        "es": "es/son/está/están/estaba/fue/fueron/era/queda/quedan/quedó/ha/han/sido/quedado/puede/pueden/ha sido/ha quedado/hay que",
        "fr": "est/sont/était/étaient/a/ont/été/devient/peut/peuvent/doit/doivent/a été/être/reste",
    },
    "DEAD": {
        "en": r"replaced/superseded/supplanted/overruled/overturned/overtaken/obsolete/outdated/out of date/outmoded/void/null and void/invalid/deprecated/retired/revoked/repealed/withdrawn/rescinded/abandoned/scrapped/discarded/rejected/cancelled/canceled/abolished/history/dead/gone/moot/struck/struck out/crossed out/redundant/binned/over and done with/thrown out/thrown away/deleted/removed/ignored/disregarded/forgotten/torn up/lapsed/expired/run out/stale/of no use/no use/defunct/finished/for the bin/a dead letter/an old hat/old news/off the table/past/dropped/scrap/done for/switched off/turned off/shut down/water under the bridge/for the old/for the previous/for the former/a thing of the past/settled differently/no more than history/for the record/for reference/for the archive/to be ignored/away/not the case/wrong/mistaken/incorrect/it wrong/untrue/the bin/overthrown/void now/unnecessary/superfluous/pointless/of historical interest/of no interest/of no value",
        "de": "überholt/hinfällig/aufgehoben/verworfen/veraltet/ungültig/abgelöst/ersetzt/abgeschafft/gestrichen/passé/geschichte/gegenstandslos/gestorben/kalter kaffee/schnee von gestern/obsolet/außer kraft/vom tisch/widerrufen/gekippt/vorbei/tot/erledigt/zurückgezogen/aufgegeben/fallengelassen/fallen gelassen/weg/in den papierkorb/in die tonne/gelöscht werden/vergessen werden/ignoriert werden/entsorgt/altpapier/kassiert/unwirksam/abgelaufen/beendet/ausgedient/ad acta/eingestampft/vergessen/löschen/falsch/wegfallen/erloschen/der vergangenheit an/der vergangenheit/überflüssig/unnötig",
        "es": "anulad[oa]s?/sustituid[oa]s?/reemplazad[oa]s?/remplazad[oa]s?/obsolet[oa]s?/derogad[oa]s?/descartad[oa]s?/superad[oa]s?/desfasad[oa]s?/caducad[oa]s?/abandonad[oa]s?/suprimid[oa]s?/retirad[oa]s?/revocad[oa]s?/cancelad[oa]s?/invalidad[oa]s?/anticuad[oa]s?/sin efecto/sin validez/sin valor/sin vigencia/en el pasado/atrás/historia/agua pasada/cosa del pasado/papel mojado/borrar(?:se|la|lo)?/borrad[oa]s?/tirar(?:se|la|lo)?/eliminar(?:se|la|lo)?/olvidar(?:se|la|lo)?/eliminad[oa]s?/fuera de vigor/mal/equivocad[oa]s?/inútil/innecesari[oa]s?",
        "fr": "caduc/caduque/caduques/caducs/obsolètes?/dépassée?s?/annulée?s?/remplacée?s?/abandonnée?s?/périmée?s?/abrogée?s?/supprimée?s?/retirée?s?/écartée?s?/révolue?s?/de l'histoire ancienne/lettre morte/du passé/à oublier/à jeter/à ignorer/à supprimer/à effacer/effacée?s?/oubliée?s?/jetée?s?/invalides?/sans objet/sans effet/expirée?s?/désuète?s?/désuet/faux/fausse/erronée?s?/disparaître/inutiles?/fini/terminée?s?",
    },
    "NOLONGER": {
        "en": "no longer/no-longer/any more/anymore/any longer/stopped/stopped being/stops being/ceased/ceases/ceased to/ceases to/ceased to be/ceases to be/never again/no more",
        "de": "nicht mehr/nicht-mehr/nicht länger/keiner mehr/niemand mehr/nie mehr/nie wieder/keine mehr/kein mehr/nimmer",
        "es": "ya no/ya-no/deja de/dejan de/dejó de/deja de ser/deja de tener/dejan de ser/dejó de ser",
        "fr": "cesse de/cesse d'être/cessent de/a cessé de/a cessé d'être/ne-plus/ne plus/plus",
    },
    "VALID": {
        "en": "valid/hold/holds/true/counts?/used?/using/apply/applies/current/accurate/in force/in use/stands?/correct/right/followed/needed/relevant/the case/case/up to date/matters?/works?/binding/effective/worth/good/what we do/how we do it/the rule/the way/applicable/done/needed/required/kept/need for/need/use for/reason for/point in",
        "de": "gültig/gelten/gilt/galt/stimmt/stimmen/zählt/zählen/greift/passt/aktuell/in kraft/maßgeblich/verbindlich/richtig/nötig/gebraucht/zu gebrauchen/verwenden/benutzen/anwenden/nutzen/nutzt/befolgen/beachten/halten/brauchen/verwendet/benutzt/angewandt/angewendet/befolgt/beachtet/massgebend/maßgebend/der fall/relevant/wahr/korrekt/richten/notwendig/auf dem stand",
        "es": "vale/valen/valer/sirve/sirven/servir/usan?/usar/usarse/usamos/aplican?/aplicar/aplicarse/siguen?/seguir/rigen?/regir/cuentan?/contar/válid[oa]s?/vigentes?/validez/vigencia/en vigor/corresponde/así/cierto/ciert[oa]s?/el caso/necesari[oa]s?/correct[oa]s?/hace falta/falta/se ajusta/exact[oa]s?/hace/hacemos/hago/va/vamos/necesitamos/seguimos/uso",
        "fr": "valables?/valides?/à jour/en vigueur/d'actualité/utilisée?s?/suivie?s?/la règle/règle/appliquée?s?/vraie?s?/vrai/à suivre/de mise/bonn?e?s?/vaut/valent/vaut rien/s'applique/s'appliquent/applique/sert/servent/compte/tient/tiennent/fait/cours/lieu d'être/le cas/cas/correcte?s?/utiliser/suivre/appliquer/utilise/utilisons/nécessaires?/exacte?s?/justes?/pertinente?s?/besoin de/respecter/s'y fier/marche/servi/lieu/de sens/d'objet/existe",
    },
    "REPLACES": {
        "en": "replaces/supersedes/obsoletes/overrides/overrule?s/supplants/revokes/repeals/annuls/rescinds/retires/cancels/invalidates/nullifies/abolishes/voids/ends/terminates/takes precedence over/take precedence over/prevails over/trumps/beats/undoes/reverses/lifts/deprecates/retracts/withdraws/scraps/abandons/buries/rewrites/phases out/swaps out/marks the end of/is the end of/has replaced/have replaced/has superseded/takes the place of/take the place of/said goodbye to/say goodbye to/parted with/parted from/part with/takes over from/took over from/taking over from/does away with/puts an end to/replacing/superseding/overriding/replacement for/replacement of/successor of/successor to/substitute for/correction to/correction of/instead now of/puts paid to/swept away/out goes/instead now of/rather than",
        "de": "ersetzt/ersetzen/verdrängt/überschreibt/tritt an die stelle von/treten an die stelle von/tritt an stelle von/ersatz für/nachfolger von/nachfolgerin von/nachfolger für/hebt hiermit/widerruft/verwirft/kippt/beendet/entwertet/annulliert/korrektur zu/berichtigung zu/korrektur von/verabschiedet von/abschied von/trennen uns von/vorrang vor/geht vor/gehen vor/hat vorrang vor",
        "es": "sustituye/sustituyen/reemplaza/reemplazan/remplaza/remplazan/anula/anulan/deroga/derogan/revoca/invalida/ha sustituido/ha reemplazado/toma el lugar de/ocupa el lugar de/en sustitución de/sustituto de/releva/jubila/corrección de/corrección a/despedido de/decimos adiós a/dicho adiós a/dejamos/dejo/dejó/dejaron/se deja/abandonamos/abandono/se abandona/descartamos/se deroga/se anula/se acabó/se acabaron/nada de/fin de/corrige y anula/corrige y sustituye/toma el relevo de/termina con/acaba con/pone fin a/prevalece sobre/viene a ocupar el lugar de",
        "fr": "remplace/remplacent/annule/annulent/abroge/abrogent/supplante/prend la place de/prend la relève de/prend le relais de/a remplacé/ont remplacé/succède à/se substitue à/en remplacement de/met fin à/annule et remplace/correction de/rectificatif à/rectificatif de/dit adieu à/abandonne/tire un trait sur",
    },
    "WRONG": {
        "en": "wrong/it wrong/false/mistaken/incorrect/untrue/out of date",
        "de": "falsch",
        "es": "mal/equivocad[oa]s?/incorrect[oa]",
        "fr": "faux/fausse/erronée?s?",
    },
    "WHEN": {
        "en": "to/for/if/when/on/as/without/in/with/unless/before/after/while",
        "de": "wenn/falls/bei/ohne/bevor/im/am/für",
        "es": "para/si/cuando/en/sin/al",
        "fr": "pour/si/quand/en/sans/lors/avant",
    },
    "MAKES": {
        "en": "makes?/made/making/renders?/rendered/declares?/declared/consider/treat/mark",
        "de": "macht/machen/gemacht/erklärt/erklären",
        "es": "hace/hacen/haciendo/dejando/vuelve/deja/dejan/da por/damos por/doy por",
        "fr": "rend/rendent/rendant/déclare/considérer",
    },
    "BY": {
        "en": "by/in favour of/in favor of/for",
        "de": "durch/von/zugunsten von",
        "es": "por/a favor de",
        "fr": "par/au profit de",
    },
    "PASSIVE": {
        "en": "replaced/superseded/supplanted/obsoleted/overruled/overtaken/succeeded/followed up/relieved",
        "de": "ersetzt/abgelöst/überholt/verdrängt/aufgehoben",
        "es": "sustituid[oa]s?/reemplazad[oa]s?/remplazad[oa]s?/superad[oa]s?/anulad[oa]s?/relevad[oa]s?",
        "fr": "remplacée?s?/supplantée?s?/annulée?s?/dépassée?s?",
    },
    "DISCARD": {
        "en": "ignore/forget/forget about/disregard/discard/throw out/throw away/delete/strike/strike out/cross out/scrap/bin/toss/tear up/never mind/so much for/remove/bury",
        "de": "vergiss/vergesst/vergessen/ignorier(?:e|t|en)?/streich(?:e|t|en)?/lösch(?:e|t|en)?/wegwerfen/werft weg/schluss mit/weg mit/entsorgen",
        "es": "olvida/olvidad/olviden/olvídate de/olvidaos de/ignora/ignorad/ignoren/borra/borrad/borren/tira/tirad/tacha/tachad/adiós a/fuera/borrar/tirar/eliminar/olvidar/tachar/elimina/eliminad/eliminen",
        "fr": "oublie/oubliez/oublier/ignore/ignorez/ignorer/supprime/supprimez/supprimer/efface/effacez/effacer/jette/jetez/jeter/barrez/barrer/rayez/rayer/fini",
    },
    "DROP": {
        "en": "ignore/delete",
        "de": "vergessen/ignorieren/streichen/löschen/wegwerfen/entsorgen",
        "es": "olvidar/borrar/tirar/ignorar/tachar",
        "fr": "oublier/ignorer/supprimer/effacer/jeter/rayer",
    },
    "OLDER": {
        "en": "old/older/earlier/previous/former/prior",
        "de": "alte[rsn]?/frühere[rsn]?/vorige[rsn]?/bisherige[rsn]?/vorherige[rsn]?/ehemalige[rsn]?",
        "es": "antigu[oa]s?/anterior/anteriores/viej[oa]s?/previ[oa]s?",
        "fr": "anciens?/anciennes?/précédente?s?/vieille/vieux",
    },
    "USE": {
        "en": "use/follow/trust/rely on/go by/read/apply/consult/look at/keep to/stick to/work from/bake from/cook from/believe",
        "de": "verwenden/benutzen/anwenden/nutzen/befolgen/beachten/verlassen auf/beachte/nutze/benutze/verwende/befolge/richte dich nach/halte dich an",
        "es": "uses?/usar/usen/uséis/hagas? caso de/hagas? caso a/hagáis caso de/hagáis caso a/hagan caso de/hacer caso de/hacer caso a/seguir/sigas/sigáis/aplicar/apliques/apliquéis/tengas en cuenta/tener en cuenta/tengáis en cuenta/os fiéis de/te fíes de",
        "fr": "utiliser/utilise/utilisez/utilisons/suivre/suis/suivez/suivons/applique/lis/lisez/appliquer/appliquez/tenir compte de/tiens compte de/tenez compte de/tenir compte d'/se fier à/fie pas à/vous fier à/te fie à",
    },
    "NOT": {
        "en": f"{_no('en')}/do not",
        "de": _no("de"),
        "es": _no("es"),
        "fr": f"{_no('fr')}/ne/n'",
    },
    "NEEDNOT": {
        "en": "needn't be/need not be/does not need to be/doesn't need to be/doesn't have to be/need no longer be",
        "de": "muss nicht/müssen nicht/braucht nicht",
        "es": "no hace falta/no hay que",
        "fr": "n'a pas besoin d'être/inutile de",
    },
    "KEEP": {
        "en": "kept/followed/read/observed/used/stored",
        "de": "aufgehoben werden/behalten werden/beachtet werden/gelesen werden",
        "es": "guardar/conservar/seguir",
        "fr": "gardée?/conservée?/garder/suivre/suivie?",
    },
    "FORMER": {
        "en": "was/previously/formerly/until now/before/before that/earlier/old version/former version/previous version/earlier version/the old rule/old rule/old note/old one/old/used to be/it used to be/was once/as before/than before/in the past",
        "de": "vorher/früher/bisher/bislang/zuvor/bis dahin/alte fassung/frühere fassung/vorherige fassung/alte version/frühere version/alt/alte regel/alte notiz/bis jetzt/vormals/ehemals/war früher/als früher/wie bisher/als bisher",
        "es": "antes/anteriormente/hasta ahora/versión anterior/versión antigua/previamente/antigua versión/nota antigua/nota anterior/antiguo/antigua/anterior",
        "fr": "avant/auparavant/jusqu'ici/jusqu'à présent/ancienne version/version précédente/précédemment/ancienne note/ancienne règle/anciennement/autrefois/c'était",
    },
    "OTHERWISE": {
        "en": "otherwise/different/differently/unlike",
        "de": "anders/abweichend von/im gegensatz zu/im unterschied zu",
        "es": "distint[oa]/diferente/de otra manera/de otro modo/a diferencia de",
        "fr": "autrement/différente?/différemment/contrairement à/à la différence de",
    },
    "CHANGED": {
        "en": "changed/moved/used to be so/was once so/revised/rewritten/reworked/amended/updated/altered/redone",
        "de": "geändert/umgezogen/war einmal/war früher so/war mal so/neu geregelt/anders geregelt/neu gefasst/überarbeitet/verlegt/anders/neu",
        "es": "cambiad[oa]s?/ha cambiado/cambió/modificad[oa]s?/trasladad[oa]s?/revisad[oa]s?",
        "fr": "changée?s?/a changé/modifiée?s?/déplacée?s?/revue?s?/révisée?s?/déménagée?s?",
    },
    "SELF": {
        "en": "this/this one/this note/this page/this entry/the above/all this/all of this/everything here/what is here/it/that/these/them/what is here/what i wrote/it's",
        "de": "dies/das/diese notiz/diese seite/dieser eintrag/dieser zettel/das hier/alles hier/obiges/diese hier/dieser hier/es/diese/diesen/dieses/sie/ihn",
        "es": "esto/esta/este/esta nota/esta página/lo anterior/lo de aquí/lo de arriba/estas/estos/ésta/éste/la presente/eso",
        "fr": "ceci/c'/cela/ça/cette note/cette page/celle-ci/celui-ci/ce qui précède/ce/ces",
    },
    "THISONE": {
        "en": "this one/this note/this page/this entry/this here",
        "de": "diese notiz/diese hier/dieser hier/diese seite/dieser zettel",
        "es": "esta nota/esta de aquí/esta página",
        "fr": "cette note/celle-ci/celui-ci/cette page",
    },
    "SEE": {
        "en": "see/check/check out/use/read/follow/go to/go by/look at/refer to/we follow/we use/i use/we do/we go by/there is/instead/what counts is/what counts/look in/cf/in its place/goes by",
        "de": "siehe/stattdessen/gilt/gelten/statt dessen/dafür/maßgeblich ist/maßgeblich/jetzt in/neu in/steht in/schau in/nimm/nehmt/aktuell ist/aktuell/gültig ist",
        "es": "ver/véase/mira/mirar/consulta/consultar/en su lugar/vale/rige/manda/lo válido es/lo actual es/usar/usa/ahora en/ve a/lee",
        "fr": "voir/voyez/cf/à la place/consulter/lire/suivre/vaut/utiliser/va voir/se reporter à",
    },
    "COUNTS": {
        "en": "counts/applies/holds/rules/instead",
        "de": "gilt/zählt/stattdessen",
        "es": "vale/manda/rige/cuenta",
        "fr": "fait foi/compte/vaut/à la place/prévaut",
    },
    "NEW": {
        "en": "new/current/latest/newer/newest/valid/right/up-to-date/present",
        "de": "neue[rsn]?/aktuelle[rsn]?/neueste[rsn]?/gültige[rsn]?/jetzige[rsn]?/derzeitige[rsn]?/heutige[rsn]?/richtige[rsn]?",
        "es": "nuev[oa]s?/actual/actuales/vigentes?/buen[oa]/buen/correct[oa]/más reciente/último/última/válid[oa]",
        "fr": "nouvel/nouvelles?/nouveaux?/nouveau/actuelles?/actuels?/en vigueur/bonne/bon/dernière/dernier/à jour/récente?",
    },
    "STATE": {
        "en": "version/state/status/rule/text/list/plan/recipe/figures?/one/price/schedule/address/code/number/procedure/process/rules/amount/times?/details/arrangement/agreement",
        "de": "stand/angaben?/fassung/version/regel/regelung/liste/plan/rezept/preis/zahlen/adresse/code/nummer/ablauf/betrag/zeiten/text/notiz",
        "es": "versión/estado/regla/norma/lista/plan/receta/precio/cifras?/dirección/código/número/horario/procedimiento/importe/texto/nota",
        "fr": "version/état/règle/liste/plan/recette/prix/chiffres?/adresse/code/numéro/horaire/horaires/procédure/montant/texte/note",
    },
    "HELD": {
        "en": "held/applied/counted/how we did it",
        "de": "galt/galten/stimmte",
        "es": "valía/valió/regía/rigió/servía/sirvió",
        "fr": "valait/s'appliquait/servait",
    },
    "UNTIL": {
        "en": "until/till/up to/before",
        "de": "bis/vor",
        "es": "hasta/antes de",
        "fr": "jusqu'/jusque/avant",
    },
    "IN": {
        "en": "in/at/under/is/are",
        "de": "in/unter/ist/sind/steht in",
        "es": "en/es/está en",
        "fr": "dans/sous/est",
    },
    "FOR": {"en": "for/has/holds/with", "de": "für/hat/mit", "es": "para/tiene/con", "fr": "pour/contient/a/avec"},
    "NOW": {
        "en": "now/today/nowadays/nowadays/these days/meanwhile/from now on/by now",
        "de": "jetzt/nun/heute/neu/inzwischen/mittlerweile/neuerdings/ab jetzt/ab sofort/nur noch/künftig",
        "es": "ahora/hoy/actualmente/hoy en día/hoy día/desde ahora/en adelante",
        "fr": "maintenant/désormais/actuellement/à présent/aujourd'hui/dorénavant",
    },
    "INSTEAD": {
        "en": "instead of/in place of/in lieu of/rather than",
        "de": "statt/anstelle/anstelle von/anstatt/an stelle von/statt wie in",
        "es": "en lugar de/en vez de",
        "fr": "au lieu de/au lieu d'/au lieu du/à la place de/à la place d'/à la place du/plutôt que",
    },
    "EVENT": {  # the past tense of what happened once
        "en": "was/were/had/did/went/took/made/gave/got/ate/ran",
        "de": "hat/habe/haben/hatte/hatten/war/waren/wurde/wurden/gab/ging/gingen/nahm/nahmen/aß/aßen",
        "es": "fue/era/hizo/hice/hubo",
        "fr": "était/étaient/avait/avons/fut/ai/ont",
    },
    "IDLE": {
        "en": "the/do/now/by now/then/thus/so far/just/also/all/already/long/long since/since/since then/meanwhile/update/please/today/no/sadly/edit/note/things/we've",
        "de": "die/der/das/den/jetzt/nun/inzwischen/mittlerweile/seither/seitdem/damit/also/bitte/schon/bereits/längst/leider/nachtrag/aktuell/achtung/update/notiz/hinweis",
        "es": "el/la/los/las/se/ahora/ya/entonces/desde entonces/por desgracia/nota/ojo/lo/actualización",
        "fr": "le/la/les/l'/maintenant/désormais/déjà/depuis/depuis longtemps/entre-temps/malheureusement/attention/mise à jour/note",
    },
    "ADJUNCT": {  # just before a link they make it neither what is replaced nor what replaces
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
    "WHY": {"en": "why/how/whether", "de": "warum/wieso/weshalb", "es": "cómo/qué", "fr": "pourquoi/comment"},
    "ORIGIN": {  # it is of an older time
        "en": "dates from/dates back to/is from/comes from/was written/was from/stems from/was made/belongs to",
        "de": "stammt/stammt noch/stammen/ist noch/ist von/ist aus/gehört/stand",
        "es": "es de/data de/viene de/se escribió/son de",
        "fr": "date de/date d'/datent de/vient de/remonte à/a été écrite?",
    },
    "OLDTIME": {
        "en": "before/the time before/the time of/the days before/the days of/when/the old days/the previous/the former/an earlier/earlier times/the age of",
        "de": "davor/von früher/aus der zeit/noch aus der zeit/aus zeiten/vor der/vor dem/von vor/als/alten zeiten",
        "es": "antes/cuando/la época/el tiempo/tiempos/los tiempos",
        "fr": "avant/l'époque/temps/l'ancien/l'ancienne/du temps",
    },
    "WASSO": {
        "en": r"what it was/how it was before/how it used to be/what it used to be/how we used to do it/how we did it/what used to be/what we had/the way it was",
        "de": "wie es war/wie es früher war/was früher galt/was vorher galt/wie es vorher war/wie wir es früher/was galt",
        "es": "cómo era/como era antes/lo que había/cómo era antes/cómo se hacía/lo que valía",
        "fr": "ce qu'il y avait/comment c'était/comme c'était/comment on faisait/ce qui valait/ce qui se faisait",
    },
    "MAY": {
        "en": "can/may/should/must/could/we can/you can",
        "de": "kann/darf/können/dürfen/soll/muss",
        "es": "puede/pueden/podemos/podéis/hay que/se puede/toca",
        "fr": "peut/peuvent/pouvez/faut/doit/pouvons",
    },
    "ASIN": {
        "en": "as in/as/as stated in/like in/as described in/as written in/like",
        "de": "wie in/wie es in/wie/wie laut",
        "es": "como en/como decía/como dice/como pone/como ponía",
        "fr": "comme dans/comme le dit/comme le disait/comme l'indique/comme",
    },
    "OVER": {
        "en": "over/finished/done/off",
        "de": "schluss/vorbei/aus/ende",
        "es": "se acabó/acabamos/terminado/se terminó",
        "fr": "fini/terminé/c'est fini",
    },
    "GO": {
        "en": "can go/may go/can now go/should go/must go",
        "de": "kann weg/darf weg/muss weg/kann jetzt weg/können weg/kann gehen",
        "es": "sobra/puede desaparecer/puede irse",
        "fr": "peut disparaître/peut partir/est de trop",
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
    "DIES": {
        "en": "expired/lapsed/ends/ended/expires/lapses/ran out/stopped/stops/ceased/ceases/has had its day/have had their day/has run its course/have run their course/has served its purpose/has served its time/has outlived itself/outlived/served its time/served its purpose/run its course/had its day/has given way/given way/gave way/made way/has changed/have changed/changed since/went out of the window/belongs to the past/belong to the past/belongs in the bin/belongs in the past/went to the bin/went into the bin/is no more",
        "de": "entfällt/entfallen/hat ausgedient/haben ausgedient/ausgedient/fällt weg/fallen weg/verliert seine gültigkeit/verliert ihre gültigkeit/tritt außer kraft/treten außer kraft/läuft aus/war einmal/war gestern/war mal/überlebt",
        "es": "caduca/caducó/caducan/ha caducado/han caducado/pasa a la historia/ha pasado a la historia/pasó a la historia/pierde su validez/pierde validez/perdió su validez/ha perdido su validez/ha perdido validez/ha perdido vigencia",
        "fr": "appartient au passé/appartiennent au passé/a fait son temps/ont fait leur temps/c'est fini/c'est terminé/c'est du passé/a expiré/est à oublier/a vécu",
    },
    "WE": {
        "en": "we/i/we've/i've/we're/i'm/have/has/had/are/is/am",
        "de": "wir/ich/haben/habe/sind/bin",
        "es": "hemos/he/nos",
        "fr": "on/nous/j'/avons/ont/a",
    },
    "LEFT": {
        "en": "given up/gave up/abandoned/dropped/scrapped/quit/ditched/retired/off/moved on from/moved from/moved away from/moved off/switched from/switched away from/changed from/changed over from/migrated from/migrated away from/went off/shifted from/turned from/turned away from/got off/done with/finished with/through with",
        "de": "umgestellt von/gewechselt von/weg von/abgerückt von/abgekommen von/aufgegeben/abgeschafft/gestrichen/verworfen",
        "es": "dejado/abandonado/descartado/deshecho de/olvidado de",
        "fr": "abandonné/supprimé/laissé tomber/oublié/arrêté/renoncé à",
    },
    "DROPPED": {
        "en": "replaced/retired/scrapped/dropped",
        "de": "ersetzt/gestrichen/abgeschafft",
        "es": "sustituido/anulado",
        "fr": "remplacé/supprimé",
    },
    "CORRECTS": {
        "en": "updates/corrects/amends/revises/improves on/changes/adjusts",
        "de": "ändert/korrigiert/aktualisiert/berichtigt/überarbeitet",
        "es": "corrige/actualiza/modifica/rectifica",
        "fr": "corrige/met à jour/modifie/change/actualise/rectifie",
    },
    "YIELDS": {
        "en": "gave way to/has given way to/have given way to/gives way to/made way for/has made way for/makes way for/lost out to/yielded to/yields to",
        "de": "weicht/wich/gewichen/platz gemacht für/macht platz für",
        "es": "cede el paso a/cede el sitio a/deja paso a/ha dejado paso a/dejó paso a",
        "fr": "cède la place à/a cédé la place à/laisse la place à/a laissé la place à/fait place à",
    },
    "MOVED": {
        "en": "moved/continued/continues/merged/folded/rewritten/revised/updated/reworked/swapped/exchanged/dropped/abandoned/given up/overhauled/migrated/absorbed/lives on/now lives",
        "de": "neu gefasst/überarbeitet/verschoben/fortgesetzt/zu finden/aufgegangen/weitergeführt/steht jetzt/steht nun/findet sich jetzt/umgezogen/zusammengeführt/eingearbeitet/übernommen",
        "es": "está/se mudó/continúa/pasó/sigue/trasladad[oa]s?/fusionad[oa]s?/integrad[oa]s?/ahora está",
        "fr": "déplacée?s?/fusionnée?s?/intégrée?s?/reprise?s?/désormais/continue/se trouve/transférée?s?",
    },
    "INTO": {
        "en": "to/in/into/as/in favour of/in favor of",
        "de": "in/als/unter/nach",
        "es": "en/a/con",
        "fr": "dans/à/vers/avec",
    },
    "THEREFOR": {
        "en": "instead/in its place/in their place/takes its place/has taken its place/took its place",
        "de": "stattdessen/statt dessen/an ihre stelle/an seine stelle/an deren stelle/an dessen stelle/nunmehr",
        "es": "en su lugar/ahora vale/ahora rige/desde ahora/lo válido es/ocupa su lugar",
        "fr": "à la place/à sa place/c'est désormais/désormais/prend sa place",
    },
    "LIFTS": {
        "de": "löst/lösen/hebt/heben/setzt/setzen/schafft/schaffen",
    },
    "OFF": {
        "de": "ab/auf/außer kraft",
    },
    "WITH": {
        "en": "with",
        "de": "mit",
        "es": "con",
        "fr": "avec",
    },
    "NONE": {
        "en": "nothing of/nothing in/nothing from/none of/no part of/not a word of/little of/little in/hardly anything of/not a word in",
        "de": "nichts aus/nichts von/nichts in/kein wort aus/kein wort von/nichts davon",
        "es": "nada de/ninguna parte de/nada en",
        "fr": "rien de/rien dans/aucune partie de",
    },
    "REMAINS": {
        "en": "left/remains?/survives?",
        "de": "übrig",
        "es": "queda",
        "fr": "reste",
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
    "TO": {
        "de": "an",
    },
}
