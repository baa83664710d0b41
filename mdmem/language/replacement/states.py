"""What is said of a note that is no longer valid, or that is: words of `reading`. Data."""

from __future__ import annotations

from collections.abc import Mapping

STATES: Mapping[str, Mapping[str, str]] = {
    "DEAD": {
        "en": """
            replaced/superseded/supplanted/overruled/overturned/overtaken/obsolete/outdated/out of date
            /outmoded/void/null and void/invalid/deprecated/retired/revoked/repealed/withdrawn/rescinded
            /abandoned/scrapped/discarded/rejected/cancelled/canceled/abolished/history/dead/gone/moot/struck
            /struck out/crossed out/redundant/binned/over and done with/thrown out/thrown away/deleted/removed
            /ignored/disregarded/forgotten/torn up/lapsed/expired/run out/stale/of no use/defunct/finished
            /for the bin/a dead letter/an old hat/old news/off the table/past/dropped/scrap/done for
            /switched off/turned off/shut down/water under the bridge/for the old/for the previous
            /for the former/a thing of the past/settled differently/no more than history/for the record
            /for reference/for the archive/to be ignored/not the case/wrong/mistaken/incorrect/it wrong/untrue
            /the bin/overthrown/void now/unnecessary/superfluous/pointless/of historical interest
            /of no interest/of no value/nonsense/rubbish/bunk/bogus/a mistake/my mistake/an error/reversed
            /undone/out of use/out of service/not in use/shelved/ancient history/past its sell-by date/toast
            /a relic/a museum piece/overwritten/lifted/annulled/nullified/voided/quashed/terminated
            /discontinued/decommissioned/wound up/closed/of the past/no good/worthless/useless/waste paper
            /for the recycling/overhauled/inaccurate/false/dead and buried/dead and gone/dated/old hat
            /out the window/passé/buried/junk/on the scrapheap/taken back/retracted/superannuated/of no use now
            /to rest/out of circulation/out of action/to the bin/into the bin/to history/to the archive
            /a dead duck/a thing of yesterday/kaput/nil/overridden/taken down/pulled
            /superfluous to requirements/dead in the water/gone for good/out of the picture/fiction/fantasy
            /hot air/a blunder/a slip/a mix-up/a misunderstanding/off the books/yesterday's news
            /yesterday's paper""",
        "de": """
            überholt/hinfällig/aufgehoben/verworfen/veraltet/ungültig/abgelöst/ersetzt/abgeschafft/gestrichen
            /passé/geschichte/gegenstandslos/gestorben/kalter kaffee/schnee von gestern/obsolet/außer kraft
            /vom tisch/widerrufen/gekippt/vorbei/tot/erledigt/zurückgezogen/aufgegeben/fallengelassen
            /fallen gelassen/weg/in den papierkorb/in die tonne/gelöscht werden/vergessen werden
            /ignoriert werden/entsorgt/altpapier/kassiert/unwirksam/abgelaufen/beendet/ausgedient/ad acta
            /eingestampft/vergessen/löschen/falsch/wegfallen/erloschen/der vergangenheit an/der vergangenheit
            /überflüssig/unnötig/makulatur/quatsch/unsinn/blödsinn/schnee vom letzten jahr/in der tonne
            /in die tonne treten/in den müll/für die tonne/im eimer/abgehakt/begraben/eingestellt
            /zu den akten gelegt/archiviert/annulliert/storniert/abgesetzt/ein irrtum/fehlerhaft/unrichtig
            /von gestern/von vorgestern/aus der welt/nichtig/null und nichtig/verjährt/nicht mehr der stand
            /wertlos/unbrauchbar/verworfen worden/zu streichen/zu löschen/zu ignorieren/zu vergessen
            /durchgestrichen/abgesagt/passee/außer gebrauch/gegessen/ausrangiert/eingemottet/in rente
            /aufs abstellgleis/ins altpapier/auf den müll/außer dienst/ein missverständnis/ein versehen
            /gestrichen worden/nur noch archiv/fürs archiv/geschenkt/zu ende/am ende/gekillt/raus/abgewählt
            /unwahr/ein schreibfehler""",
        "es": """
            anulad[oa]s?/sustituid[oa]s?/reemplazad[oa]s?/remplazad[oa]s?/obsolet[oa]s?/derogad[oa]s?
            /descartad[oa]s?/superad[oa]s?/desfasad[oa]s?/caducad[oa]s?/abandonad[oa]s?/suprimid[oa]s?
            /retirad[oa]s?/revocad[oa]s?/cancelad[oa]s?/invalidad[oa]s?/anticuad[oa]s?/sin efecto/sin validez
            /sin valor/sin vigencia/en el pasado/atrás/historia/agua pasada/cosa del pasado/papel mojado
            /borrar(?:se|la|lo)?/borrad[oa]s?/tirar(?:se|la|lo)?/eliminar(?:se|la|lo)?/olvidar(?:se|la|lo)?
            /eliminad[oa]s?/fuera de vigor/mal/equivocad[oa]s?/inútil/innecesari[oa]s?/revertid[oa]s?
            /fuera de uso/en desuso/una tontería/tonterías/un error/un disparate/erróne[oa]s?/fals[oa]s?
            /muert[oa]s?/enterrad[oa]s?/archivad[oa]s?/tachad[oa]s?/pasad[oa]s? de moda/en la papelera
            /en el olvido/en nada/a la basura/en agua de borrajas/nul[oa]s?/inválid[oa]s?/levantad[oa]s?
            /zanjad[oa]s?/finiquitad[oa]s?/vencid[oa]s?/extinguid[oa]s?/olvidad[oa]s?/para el archivo/al olvido
            /al archivo/al cajón/un malentendido/un despiste/retirad[oa]s? de la circulación/del pasado
            /liquidad[oa]s?/en vía muerta/para el recuerdo/cosa de antes/de otra época/rectificad[oa]s?
            /corregid[oa]s?/abolid[oa]s?/rescindid[oa]s?/amortizad[oa]s?/cerrad[oa]s?""",
        "fr": """
            caduc/caduque/caduques/caducs/obsolètes?/dépassée?s?/annulée?s?/remplacée?s?/abandonnée?s?
            /périmée?s?/abrogée?s?/supprimée?s?/retirée?s?/écartée?s?/révolue?s?/de l'histoire ancienne
            /lettre morte/du passé/à oublier/à jeter/à ignorer/à supprimer/à effacer/effacée?s?/oubliée?s?
            /jetée?s?/invalides?/sans objet/sans effet/expirée?s?/désuète?s?/désuet/faux/fausse/erronée?s?
            /disparaître/inutiles?/fini/terminée?s?/levée?s?/une erreur/n'importe quoi/à la poubelle
            /à la corbeille/bonne? pour la poubelle/bonne? pour la corbeille/bonne? à jeter/morte?s?
            /enterrée?s?/aux oubliettes/de l'histoire/hors service/hors d'usage/hors jeu/nulle?s?
            /nulle? et non avenue?/révoquée?s?/rapportée?s?/archivée?s?/démodée?s?/barrée?s?/rayée?s?
            /inexacte?s?/à rayer/à barrer/à corriger/à mettre à la poubelle/résiliée?s?/échue?s?/à l'archive
            /aux archives/pour les archives/au rancart/au placard/un malentendu/une étourderie/mise? au rebut
            /sans valeur/plus rien/d'un autre temps/d'une autre époque/corrigée?s?/rectifiée?s?/à revoir
            /cassée?s?/détrônée?s?/remisée?s?/rendue?s? caduque?s?""",
    },
    "DIES": {
        "en": """
            expired/lapsed/ends/ended/expires/lapses/stopped/stops/ceased/ceases/has had its day
            /have had their day/has run its course/have run their course/has served its purpose
            /has served its time/has outlived itself/outlived/served its time/served its purpose/run its course
            /had its day/has given way/given way/gave way/made way/has changed/have changed/changed since
            /went out of the window/belongs to the past/belong to the past/belongs in the bin
            /belongs in the past/went to the bin/went into the bin/is no more/falls away/fall away/fell away
            /falls by the wayside/bites the dust/has died/is dead and buried/had its time/has had its time""",
        "de": """
            entfällt/entfallen/hat ausgedient/haben ausgedient/ausgedient/fällt weg/fallen weg
            /verliert seine gültigkeit/verliert ihre gültigkeit/tritt außer kraft/treten außer kraft/läuft aus
            /war einmal/war gestern/war mal/überlebt""",
        "es": """
            caduca/caducó/caducan/ha caducado/han caducado/pasa a la historia/ha pasado a la historia
            /pasó a la historia/pierde su validez/pierde validez/perdió su validez/ha perdido su validez
            /ha perdido validez/ha perdido vigencia""",
        "fr": """
            appartient au passé/appartiennent au passé/a fait son temps/ont fait leur temps/c'est fini
            /c'est terminé/c'est du passé/a expiré/est à oublier/a vécu""",
    },
    "NOLONGER": {
        "en": """
            no longer/no-longer/any more/anymore/any longer/stopped/stopped being/stops being/ceased/ceases
            /ceased to/ceases to/ceased to be/ceases to be/never again/no more""",
        "de": """
            nicht mehr/nicht-mehr/nicht länger/keiner mehr/niemand mehr/nie mehr/nie wieder/keine mehr
            /kein mehr/nimmer/nichts mehr/nichts-mehr""",
        "es": "ya no/ya-no/deja de/dejan de/dejó de/deja de ser/deja de tener/dejan de ser/dejó de ser",
        "fr": "cesse de/cesse d'être/cessent de/a cessé de/a cessé d'être/ne-plus/ne plus/plus",
    },
    "VALID": {
        "en": """
            valid/hold/holds/true/counts?/used?/using/apply/applies/current/accurate/in force/in use/stands?
            /correct/right/followed/needed/relevant/the case/case/up to date/matters?/works?/binding/effective
            /worth/good/what we do/how we do it/the rule/the way/applicable/done/needed/required/kept/need for
            /need/use for/reason for/point in/the plan/the arrangement/the policy/the procedure""",
        "de": """
            gültig/gelten/gilt/galt/stimmt/stimmen/zählt/zählen/greift/passt/aktuell/in kraft/maßgeblich
            /verbindlich/richtig/nötig/gebraucht/zu gebrauchen/verwenden/benutzen/anwenden/nutzen/nutzt
            /befolgen/beachten/halten/brauchen/verwendet/benutzt/angewandt/angewendet/befolgt/beachtet
            /massgebend/maßgebend/der fall/relevant/wahr/korrekt/richten/notwendig/auf dem stand/braucht
            /brauche/auf dem neuesten stand/auf dem neusten stand/auf dem laufenden/zeitgemäß""",
        "es": """
            vale/valen/valer/sirve/sirven/servir/usan?/usar/usarse/usamos/aplican?/aplicar/aplicarse/siguen?
            /seguir/rigen?/regir/cuentan?/contar/válid[oa]s?/vigentes?/validez/vigencia/en vigor/corresponde
            /así/cierto/ciert[oa]s?/el caso/necesari[oa]s?/correct[oa]s?/hace falta/falta/se ajusta/exact[oa]s?
            /hace/hacemos/hago/va/vamos/necesitamos/seguimos/uso/verdad""",
        "fr": """
            valables?/valides?/à jour/en vigueur/d'actualité/utilisée?s?/suivie?s?/la règle/règle/appliquée?s?
            /vraie?s?/vrai/à suivre/de mise/bonn?e?s?/vaut/valent/vaut rien/s'applique/s'appliquent/applique
            /sert/servent/compte/tient/tiennent/fait/cours/lieu d'être/le cas/cas/correcte?s?/utiliser/suivre
            /appliquer/utilise/utilisons/nécessaires?/exacte?s?/justes?/pertinente?s?/besoin de/respecter
            /s'y fier/marche/servi/lieu/de sens/d'objet/existe/suit/suivons/va""",
    },
    "NONE": {  # nothing of the note
        "en": """
            nothing of/nothing in/nothing from/none of/no part of/not a word of/little of/little in
            /hardly anything of/not a word in/hardly a word of/barely anything of/barely a word of
            /scarcely anything of/not much of""",
        "de": """
            nichts aus/nichts von/nichts in/kein wort aus/kein wort von/nichts davon/kaum etwas von
            /kaum etwas aus/kaum noch etwas aus/kein satz aus/kein wort/nichts mehr von/nichts mehr aus""",
        "es": "nada de/ninguna parte de/nada en/casi nada de/ni una palabra de/apenas nada de",
        "fr": """
            rien de/rien dans/aucune partie de/presque rien de/pas un mot de/plus rien de/quasiment rien de
            /plus rien/rien là-dedans""",
    },
    "REMAINS": {
        "en": "left/remains?/survives?/survived/holds up/holds water/stays true/makes sense/stood",
        "de": "übrig/mehr/hält/stimmt/bleibt",
        "es": "queda/se sostiene/quedó/se salva",
        "fr": "reste/tient debout/subsiste/survit",
    },
    "WRONG": {
        "en": """
            wrong/it wrong/false/mistaken/incorrect/untrue/out of date/nonsense/rubbish/bollocks/hogwash
            /a mistake/my mistake/an error/garbage/bunk/bogus/inaccurate/backwards""",
        "de": """
            falsch/quatsch/unsinn/blödsinn/käse/mumpitz/humbug/mist/ein irrtum/ein fehler/fehlerhaft
            /unzutreffend/unrichtig/verkehrt""",
        "es": """
            mal/equivocad[oa]s?/incorrect[oa]/tontería/tonterías/disparate/un error/mentira/erróne[oa]s?
            /fals[oa]s?/una barbaridad/un disparate/al revés""",
        "fr": """
            faux/fausse/erronée?s?/n'importe quoi/bêtises?/une erreur/sottises?/inexacte?s?/une bêtise
            /des bêtises/à l'envers""",
    },
    "ERRED": {  # its author was wrong
        "en": """
            got it wrong/got that wrong/got this wrong/had it wrong/had that wrong/had it backwards
            /got it backwards/had it the wrong way round/got it the wrong way round/was wrong/were wrong
            /was mistaken/was off/miscounted/misheard/misremembered/mistyped/slipped up/made a mistake
            /made an error/goofed/messed up/mixed it up/mixed them up/said otherwise/wrote otherwise
            /said the opposite/wrote the opposite/wrote nonsense/wrote rubbish/mixed up""",
        "de": """
            vertan/geirrt/verschrieben/vertippt/verrechnet/verlesen/verhört/falsch notiert
            /falsch aufgeschrieben/falsch geschrieben/falsch verstanden/lag falsch/lag daneben/lag ich falsch
            /lag ich daneben/quatsch geschrieben/unsinn geschrieben/mist geschrieben/verwechselt/vertauscht
            /durcheinandergebracht""",
        "es": """
            equivoqué/equivoqué yo/equivocamos/confundí/apunté mal/escribí mal/entendí mal/anoté mal/puse mal
            /lié/colé/he equivocado/había equivocado""",
        "fr": """
            trompée?s?/gourée?/plantée?/mal noté/mal compris/mal lu/mal écrit/fait erreur/confondu
            /fait une erreur/fait une faute/inversé""",
    },
    "ERROR": {
        "en": """
            typo/typos/slip/slip of the pen/error/mistake/misprint/wrong number/wrong digits/digits swapped
            /numbers swapped/digits are swapped/numbers are swapped/erratum""",
        "de": "zahlendreher/tippfehler/schreibfehler/druckfehler/fehler/dreher/irrtum/verwechslung",
        "es": """
            errata/error/erratas/fallo/bailaban los números/bailaban las cifras/baile de números
            /baile de cifras/número equivocado""",
        "fr": "coquille/erreur/faute de frappe/erratum/étourderie/chiffres inversés/faute",
    },
    "CHANGED": {
        "en": """
            changed/moved/used to be so/was once so/revised/rewritten/reworked/amended/updated/altered/redone
            /rescheduled/relocated/shifted/renamed/corrected/reorganised/reorganized/overhauled
            /settled otherwise/decided otherwise/otherwise now/something else/another thing""",
        "de": """
            geändert/umgezogen/war einmal/war früher so/war mal so/neu geregelt/anders geregelt/neu gefasst
            /überarbeitet/verlegt/anders/neu/verschoben/korrigiert/aktualisiert/umgestellt/umbenannt/umgebaut
            /anders entschieden/abgeändert/etwas anderes""",
        "es": """
            cambiad[oa]s?/ha cambiado/cambió/modificad[oa]s?/trasladad[oa]s?/revisad[oa]s?/movid[oa]s?
            /aplazad[oa]s?/reorganizad[oa]s?/rehech[oa]s?/reescrit[oa]s?/otra cosa""",
        "fr": """
            changée?s?/a changé/modifiée?s?/déplacée?s?/revue?s?/révisée?s?/déménagée?s?/reportée?s?
            /corrigée?s?/actualisée?s?/réécrite?s?/refaite?s?/décalée?s?/renommée?s?/réorganisée?s?/autre chose""",
    },
    "OVER": {
        "en": "over/finished/done/off/out",
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
    "HELD": {
        "en": "held/applied/counted/how we did it",
        "de": "galt/galten/stimmte",
        "es": "valía/valió/regía/rigió/servía/sirvió",
        "fr": "valait/s'appliquait/servait",
    },
    "ORIGIN": {  # the note dates from an earlier time
        "en": """
            dates from/dates back to/is from/comes from/was written/was from/stems from/was made/belongs to
            /described/describes/reflects/reflected/predates/goes back to/covers/covered/dates to/refers to
            /was about/stems/is about/tells of""",
        "de": """
            stammt/stammt noch/stammen/ist noch/ist von/ist aus/gehört/stand/beschreibt/beschrieb
            /bezieht sich auf/bezog sich auf/war/datiert/betrifft/schildert""",
        "es": """
            es de/data de/viene de/se escribió/son de/describe/describía/refleja/reflejaba/se refiere a/era de
            /corresponde a/es anterior""",
        "fr": """
            date de/date d'/datent de/vient de/remonte à/a été écrite?/décrit/décrivait/reflète/reflétait
            /correspond à/correspondait à/parle de/est antérieure?/datait de/était""",
    },
    "OLDTIME": {
        "en": """
            before/the time before/the time of/the days before/the days of/when/the old days/the previous
            /the former/an earlier/earlier times/the age of/how it was/how it went/the time prior/prior to/pre
            /the era/the state of/last year's/the setup before/what was before/what we did before
            /the situation before""",
        "de": """
            davor/von früher/aus der zeit/noch aus der zeit/aus zeiten/vor der/vor dem/von vor/als/alten zeiten
            /zuvor/früher/der stand vor/den stand vor/die zeit vor/vor dem umbau/vorm/dem stand vor""",
        "es": """
            antes/cuando/la época/el tiempo/tiempos/los tiempos/la situación anterior/anterior a/antes de
            /el estado anterior/lo de antes/entonces""",
        "fr": """
            avant/l'époque/temps/l'ancien/l'ancienne/du temps/la situation d'avant/avant le/d'avant
            /antérieure? à/l'état antérieur/l'état d'avant""",
    },
    "WASSO": {
        "en": """
            what it was/how it was before/how it used to be/what it used to be/how we used to do it
            /how we did it/what used to be/what we had/the way it was""",
        "de": """
            wie es war/wie es früher war/was früher galt/was vorher galt/wie es vorher war/wie wir es früher
            /was galt""",
        "es": "cómo era/como era antes/lo que había/cómo era antes/cómo se hacía/lo que valía",
        "fr": """
            ce qu'il y avait/comment c'était/comme c'était/comment on faisait/ce qui valait/ce qui se faisait""",
    },
    "NEEDNOT": {
        "en": """
            needn't be/need not be/does not need to be/doesn't need to be/doesn't have to be/need no longer be""",
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
    "KEEPING": {
        "en": "keep/keeping/kept/i keep/we keep/leave/leaving/left/i'm keeping/i am keeping",
        "de": "behalte/behalten/bleibt/hebe/aufgehoben",
        "es": "guardo/guardamos/conservo/queda/dejo",
        "fr": "garde/gardons/gardée?/reste/conserve",
    },
    "OLDER": {
        "en": "old/older/earlier/previous/former/prior",
        "de": "alte[rsn]?/frühere[rsn]?/vorige[rsn]?/bisherige[rsn]?/vorherige[rsn]?/ehemalige[rsn]?",
        "es": "antigu[oa]s?/anterior/anteriores/viej[oa]s?/previ[oa]s?",
        "fr": "anciens?/anciennes?/précédente?s?/vieille/vieux",
    },
    "FORMER": {
        "en": """
            was/previously/formerly/until now/before/before that/earlier/old one/old/used to be/it used to be
            /was once/as before/than before/in the past/predecessor/ex/formerly known as/previously in
            /earlier in""",
        "de": """
            vorher/früher/bisher/bislang/zuvor/bis dahin/alt/bis jetzt/vormals/ehemals/war früher/als früher
            /wie bisher/als bisher/vorgänger/vorläufer/stand bisher/ehedem/ex/vormalig""",
        "es": """
            antes/anteriormente/hasta ahora/previamente/antiguo/antigua/anterior/antecesora?/predecesora?/ex
            /antes era""",
        "fr": """
            avant/auparavant/jusqu'ici/jusqu'à présent/précédemment/anciennement/autrefois/c'était/prédécesseur
            /ex/auparavant dans""",
    },
    "NEW": {
        "en": """
            new/current/latest/newer/newest/valid/right/up-to-date/present/actual/revised/updated/corrected
            /amended/final/proper/true/today's/most recent/up to date/real/correct""",
        "de": """
            neue[rsn]?/aktuelle[rsn]?/neueste[rsn]?/gültige[rsn]?/jetzige[rsn]?/derzeitige[rsn]?/heutige[rsn]?
            /richtige[rsn]?/heutigen/jetzigen/überarbeitete[rsn]?/korrigierte[rsn]?/letzte[rsn]?
            /endgültige[rsn]?/verbesserte[rsn]?/neuere[rsn]?/geänderte[rsn]?/berichtigte[rsn]?/zweite[rsn]?
            /gültigen/aktuellen/neuer/revidierte[rsn]?""",
        "es": """
            nuev[oa]s?/actual/actuales/vigentes?/buen[oa]/buen/correct[oa]/más reciente/último/última/válid[oa]
            /actualizad[oa]s?/corregid[oa]s?/revisad[oa]s?/definitiv[oa]s?/segund[oa]/reciente/recientes/bueno
            /buena/verdader[oa]/más nuev[oa]/rectificad[oa]""",
        "fr": """
            nouvel/nouvelles?/nouveaux?/nouveau/actuelles?/actuels?/en vigueur/bonne/bon/dernière/dernier
            /à jour/récente?/actualisée?s?/corrigée?s?/révisée?s?/définitive?s?/définitif/deuxième/seconde
            /valable/récent/récente/plus récente?/remaniée?s?/rectifiée?s?/vraie?""",
    },
    "STATE": {
        "en": """
            version/state/status/rule/text/list/plan/recipe/figures?/one/price/schedule/address/code/number
            /procedure/process/rules/amount/times?/details/arrangement/agreement/ones/note/notes/entry/entries
            /decision/dose/notice/info/information/instructions?/advice/statement/claim/data/policy/setting
            /settings/value/values/limit/deadline/date/guide/guideline/guidance/account/description/rate/rates
            /quantity/quantities/formula/setup/convention/practice/system/regime/way/routine/method/approach
            /doc/docs/page/draft/memo/timetable/figure/prices/fee/fees/wording/entry/paragraph/section/part
            /story/advice/ruling/order/rota/roster/measurement/measurements/password/contact/location/tariff
            /tariffs/numbers/digits/message/messages/reminder/post/mail/email/letter/reply/answer/comment""",
        "de": """
            stand/angaben?/fassung/version/regel/regelung/liste/plan/rezept/preis/zahlen/adresse/code/nummer
            /ablauf/betrag/zeiten/text/notiz/eintrag/zettel/beschluss/dosis/hinweis/angabe/daten/vorgabe/frist
            /termin/anleitung/beschreibung/satz/menge/verfahren/vorgehen/methode/seite/entwurf/dienstplan
            /gebühr/anweisung/anordnung/vorschrift/wert/werte/einstellung/passwort/uhrzeit/zeit/preise/nummern
            /kontakt/stand der dinge/absprache/vereinbarung/ordnung/reihenfolge/aufteilung/entscheidung/info
            /infos/notizen/variante/praxis/brauch/tarif/messung/rezeptur/nachricht/mail/brief/antwort/kommentar""",
        "es": """
            versión/estado/regla/norma/lista/plan/receta/precio/cifras?/dirección/código/número/horario
            /procedimiento/importe/texto/nota/datos?/apunte/apuntes/entrada/decisión/dosis/aviso/indicación
            /indicaciones/instrucción/instrucciones/plazo/fecha/guía/descripción/tarifa/cantidad/fórmula/método
            /sistema/acuerdo/página/borrador/contraseña/valor/valores/límite/orden/reparto/turnos?/teléfono
            /medida/medidas/horarios/precios/pauta/criterio/política/configuración/hora/información/ficha/hoja
            /números/cifras/mensaje/correo/carta/respuesta/comentario""",
        "fr": """
            version/état/règle/liste/plan/recette/prix/chiffres?/adresse/code/numéro/horaire/horaires/procédure
            /montant/texte/note/fiche/consigne/décision/dose/avis/indication/instructions?/délai/date/guide
            /description/tarif/tarifs/quantité/formule/méthode/système/accord/page/brouillon/mot de passe
            /valeur/valeurs/limite/ordre/répartition/planning/téléphone/mesure/mesures/entrée/donnée/données
            /info/infos/information/règlement/heure/heures/pratique/organisation/politique/configuration/notes
            /chiffres/message/courriel/lettre/réponse/commentaire""",
    },
    "COUNTS": {
        "en": "counts/applies/holds/rules/instead",
        "de": "gilt/zählt/stattdessen",
        "es": "vale/manda/rige/cuenta",
        "fr": "fait foi/compte/vaut/à la place/prévaut",
    },
    "OTHERWISE": {
        "en": "otherwise/different/differently/unlike",
        "de": "anders/abweichend von/im gegensatz zu/im unterschied zu",
        "es": "distint[oa]/diferente/de otra manera/de otro modo/a diferencia de",
        "fr": "autrement/différente?/différemment/contrairement à/à la différence de",
    },
}
