"""What is done to notes, or with them, when one replaces another: words of `reading`. Data."""

from __future__ import annotations

from collections.abc import Mapping

DEEDS: Mapping[str, Mapping[str, str]] = {
    "REPLACES": {
        "en": """
            replaces/supersedes/obsoletes/overrides/overrule?s/supplants/revokes/repeals/annuls/rescinds
            /retires/cancels/invalidates/nullifies/abolishes/voids/ends/terminates/takes precedence over
            /take precedence over/prevails over/trumps/beats/undoes/reverses/lifts/deprecates/retracts
            /withdraws/scraps/abandons/buries/rewrites/phases out/swaps out/marks the end of/is the end of
            /has replaced/have replaced/has superseded/takes the place of/take the place of/said goodbye to
            /say goodbye to/parted with/parted from/part with/takes over from/took over from/taking over from
            /does away with/puts an end to/replacing/superseding/overriding/replacement for/replacement of
            /successor of/successor to/substitute for/correction to/correction of/instead now of/puts paid to
            /swept away/out goes/instead now of/rather than/written to replace/made to replace/here to replace
            /meant to replace/overwrites/unseats/makes short work of/wipes out/takes back/take back/i take back
            /we take back/i retract/i withdraw/marks an end to/ousts/displaces/succeeds/updates and replaces
            /corrects/rectifies""",
        "de": """
            ersetzt/ersetzen/verdrängt/überschreibt/tritt an die stelle von/treten an die stelle von
            /tritt an stelle von/ersatz für/nachfolger von/nachfolgerin von/nachfolger für/hebt hiermit
            /widerruft/verwirft/kippt/beendet/entwertet/annulliert/korrektur zu/berichtigung zu/korrektur von
            /verabschiedet von/abschied von/trennen uns von/vorrang vor/geht vor/gehen vor/hat vorrang vor
            /korrigiert/berichtigt/löst ab/setzt außer kraft/hebt auf/macht schluss mit/räumt auf mit
            /nimmt zurück/ich widerrufe/stellt richtig/ist der nachfolger von/macht ein ende mit""",
        "es": """
            sustituye/sustituyen/reemplaza/reemplazan/remplaza/remplazan/anula/anulan/deroga/derogan/revoca
            /invalida/ha sustituido/ha reemplazado/toma el lugar de/ocupa el lugar de/en sustitución de
            /sustituto de/releva/jubila/corrección de/corrección a/despedido de/decimos adiós a/dicho adiós a
            /dejamos/dejo/dejó/dejaron/se deja/abandonamos/abandono/se abandona/descartamos/se deroga/se anula
            /se acabó/se acabaron/fin de/corrige y anula/corrige y sustituye/toma el relevo de/termina con
            /acaba con/pone fin a/prevalece sobre/viene a ocupar el lugar de/retiro lo dicho en/retiro lo de
            /me desdigo de/retiro/rectifica/corrige/deja atrás/entierra/desbanca/desplaza/liquida/desautoriza
            /tumba/cambia por completo""",
        "fr": """
            remplace/remplacent/annule/annulent/abroge/abrogent/supplante/prend la place de/prend la relève de
            /prend le relais de/a remplacé/ont remplacé/succède à/se substitue à/en remplacement de/met fin à
            /annule et remplace/correction de/rectificatif à/rectificatif de/dit adieu à/abandonne
            /tire un trait sur/je retire/je reviens sur/rectifie/corrige/enterre/détrône/supprime/relègue
            /efface/tourne la page de/évince""",
    },
    "PASSIVE": {
        "en": """
            replaced/superseded/supplanted/obsoleted/overruled/overtaken/succeeded/followed up/relieved
            /deprecated/retired/dropped/abandoned/outdated""",
        "de": "ersetzt/abgelöst/überholt/verdrängt/aufgehoben",
        "es": "sustituid[oa]s?/reemplazad[oa]s?/remplazad[oa]s?/superad[oa]s?/anulad[oa]s?/relevad[oa]s?",
        "fr": "remplacée?s?/supplantée?s?/annulée?s?/dépassée?s?",
    },
    "LIFTS": {
        "de": "löst/lösen/hebt/heben/setzt/setzen/schafft/schaffen/nehme/nehmen/nimmt/kippt/werfe/werfen",
        "en": "throw/cross/strike/rip/tear/chuck/toss",
    },
    "OFF": {
        "de": "ab/auf/außer kraft/zurück/um/über den haufen",
        "en": "away/out/up",
    },
    "MAKES": {
        "en": """
            makes?/made/making/renders?/rendered/declares?/declared/consider/treat/mark/puts/sends/takes
            /consigns/lays/put/sent/took/laid/leaves/left/turns/turned/deems?/deemed/regard/count
            /hereby declare/pronounce/marks""",
        "de": """
            macht/machen/gemacht/erklärt/erklären/stellt/setzt/schickt/legt/wirft/lässt/betrachtet/betrachten
            /betrachte/sehe/erkläre""",
        "es": """
            hace/hacen/haciendo/dejando/vuelve/deja/dejan/da por/damos por/doy por/manda/envía/pone/considera
            /considerad/considerar/declara/convierte/dad por/dar por/da""",
        "fr": """
            rend/rendent/rendant/déclare/considérer/met/envoie/laisse/considère/considérez/considérons/relègue
            /déclarons/tenez""",
    },
    "DISCARD": {
        "en": """
            ignore/forget/forget about/disregard/discard/throw out/throw away/delete/strike/strike out
            /cross out/scrap/bin/toss/tear up/never mind/so much for/remove/bury/scratch/ditch/set aside
            /put aside/dump/chuck/chuck out/drop/shred/burn/rip up/take no notice of/pay no attention to
            /pay no heed to/pay no mind to/don't bother with/no need for/goodbye to/goodbye/farewell to/bye bye
            /retire/archive/wipe/erase/skip/unlearn/withdraw/clear out/hands off/stay away from/steer clear of
            /the end of/end of/no use for/out with/down with""",
        "de": """
            vergiss/vergesst/vergessen/ignorier(?:e|t|en)?/streich(?:e|t|en)?/lösch(?:e|t|en)?/wegwerfen
            /werft weg/schluss mit/weg mit/entsorgen/streicht/streichen/ignoriere/schmeiß weg/werf weg/wirf weg
            /pfeif auf/lass/kein wort mehr von/entsorge/entsorgt/verwirf/verwerft/kicke/hau weg/tonne auf für
            /tschüss/adieu/ade/archiviere/archivieren/finger weg von/hände weg von/aus für/das aus für
            /das ende von/ende von/ende für/nix mehr mit/raus mit/nieder mit""",
        "es": """
            olvida/olvidad/olviden/olvídate de/olvidaos de/ignora/ignorad/ignoren/borra/borrad/borren/tira
            /tirad/tacha/tachad/adiós a/fuera/borrar/tirar/eliminar/olvidar/tachar/elimina/eliminad/eliminen
            /olvidemos/olvídese de/olvidad lo de/olvida lo de/descarta/descartad/descarten/suprime/suprimid
            /desecha/desechad/ni caso a/ni caso de/anula/anulad/quita/quitad/archiva/archivad/pasa de/pasad de
            /rompe/romped/táchese/bórrese/fin de/el fin de/el final de/se acabó lo de/fuera con""",
        "fr": """
            oublie/oubliez/oublier/ignore/ignorez/ignorer/supprime/supprimez/supprimer/efface/effacez/effacer
            /jette/jetez/jeter/barrez/barrer/rayez/rayer/fini/laisse tomber/laissez tomber/laisser tomber
            /oublions/poubelle pour/adieu/au revoir/à la poubelle/à la corbeille/élimine/éliminez/éliminer/raye
            /barre/enlève/enlevez/retire/retirez/archive/archivez/archiver/déchire/déchirez
            /ne tiens plus compte de/la fin de/fin de/terminé/à jeter/à oublier/à supprimer/à ignorer""",
    },
    "DROP": {
        "en": "ignore/delete/bin/scrap",
        "de": """
            vergessen/ignorieren/streichen/löschen/wegwerfen/entsorgen/archivieren/verwerfen/wegschmeißen
            /in die tonne/ad acta/weg""",
        "es": "olvidar/borrar/tirar/ignorar/tachar/eliminar/suprimir/descartar/desechar/archivar",
        "fr": "oublier/ignorer/supprimer/effacer/jeter/rayer/barrer/archiver/éliminer/enlever/retirer",
    },
    "DROPPED": {
        "en": "replaced/retired/scrapped/dropped",
        "de": "ersetzt/gestrichen/abgeschafft",
        "es": "sustituido/anulado",
        "fr": "remplacé/supprimé",
    },
    "LEFT": {
        "en": """
            given up/gave up/abandoned/dropped/scrapped/quit/ditched/retired/off/moved on from/moved from
            /moved away from/moved off/switched from/switched away from/changed from/changed over from
            /migrated from/migrated away from/went off/shifted from/turned from/turned away from/got off
            /done with/finished with/through with/thrown out/threw out/binned/discarded/withdrawn/superseded
            /revoked/overturned/reversed/repealed/buried/deprecated/parted ways with/outgrown/taken back
            /turned our backs on/moved past/put behind us/left behind/grown out of""",
        "de": """
            umgestellt von/gewechselt von/weg von/abgerückt von/abgekommen von/aufgegeben/abgeschafft
            /gestrichen/verworfen/widerrufen/beerdigt/zurückgezogen/eingestellt/hinter uns gelassen/entsorgt
            /verabschiedet/gekippt/zurückgenommen""",
        "es": """
            dejado/abandonado/descartado/deshecho de/olvidado de/retirado/anulado/derogado/tirado/desechado
            /enterrado/revocado/dejado atrás/dejado de lado""",
        "fr": """
            abandonné/supprimé/laissé tomber/oublié/arrêté/renoncé à/retiré/annulé/jeté/enterré/révoqué/abrogé
            /mis au rebut/mis de côté/tourné la page de/écarté""",
    },
    "CORRECTS": {
        "en": "updates/amends/revises/improves on/changes/adjusts",
        "de": "ändert/aktualisiert/überarbeitet",
        "es": "actualiza/modifica",
        "fr": "met à jour/modifie/change/actualise",
    },
    "VERSION": {
        "en": """
            v2 of/v3 of/v4 of/version 2 of/version two of/second version of/new version of/newer version of
            /updated version of/revised version of/corrected version of/rewrite of/revision of/update of
            /update to/redo of/reissue of/new edition of/second edition of/second try at/second attempt at
            /corrected copy of/amended version of/revised edition of/fixed version of/a rewrite of
            /fresh version of/erratum to/errata for/corrects and replaces/better version of/reworking of""",
        "de": """
            neufassung von/neue fassung von/neue version von/neuauflage von/zweite fassung von
            /zweite version von/überarbeitung von/überarbeitete fassung von/korrigierte fassung von
            /aktualisierung von/v2 von/v2 zu/version 2 von/update zu/update von/richtigstellung zu
            /richtigstellung von/nachfolge von/verbesserte fassung von/neu gefasst aus/korrektur an
            /neuregelung von/neufassung der notiz/ablösung von/ablösung für/ersatz von""",
        "es": """
            segunda versión de/nueva versión de/versión nueva de/versión corregida de/versión actualizada de
            /versión revisada de/v2 de/rectificación de/actualización de/revisión de/reedición de
            /refundición de/fe de erratas de/relevo de/sustitución de/corrige a/enmienda de/enmienda a
            /reemplazo de""",
        "fr": """
            deuxième version de/nouvelle version de/seconde version de/version corrigée de/version révisée de
            /version actualisée de/v2 de/nouvelle mouture de/révision de/mise à jour de/refonte de/erratum à
            /réécriture de/nouvelle édition de/remplacement de/remplaçant de/remplaçante de/successeur de
            /rectification de""",
    },
    "SUCCESSOR": {
        "en": """
            successor/replacement/replaced with/superseding note/update/correction/corrected/right version
            /superseded-by/replaced-by/succeeded-by/what counts is/what applies is/what holds is""",
        "de": """
            nachfolger/nachfolgerin/ersatz/neufassung/korrektur/ersetzt-durch/abgelöst-durch/maßgeblich ist
            /gültig ist/aktuell ist/gültig ist nur""",
        "es": """
            sucesora?/sustituta/sustituto/corrección/relevo/sustituida-por/reemplazada-por/lo válido es
            /lo vigente es/lo que vale es/lo que cuenta es""",
        "fr": """
            successeur/remplaçante?/correction/relève/remplacé-par/remplacée-par/ce qui compte est
            /ce qui compte c'est/ce qui vaut c'est""",
    },
    "YIELDS": {
        "en": """
            gave way to/has given way to/have given way to/gives way to/made way for/has made way for
            /makes way for/lost out to/yielded to/yields to""",
        "de": "weicht/wich/gewichen/platz gemacht für/macht platz für",
        "es": "cede el paso a/cede el sitio a/deja paso a/ha dejado paso a/dejó paso a",
        "fr": "cède la place à/a cédé la place à/laisse la place à/a laissé la place à/fait place à",
    },
    "MOVED": {
        "en": """
            moved/continued/continues/merged/folded/rewritten/revised/updated/reworked/swapped/exchanged
            /dropped/abandoned/given up/overhauled/migrated/absorbed/lives on/now lives/corrected/fixed
            /rectified""",
        "de": """
            neu gefasst/überarbeitet/verschoben/fortgesetzt/zu finden/aufgegangen/weitergeführt/steht jetzt
            /steht nun/findet sich jetzt/umgezogen/zusammengeführt/eingearbeitet/übernommen/korrigiert
            /berichtigt/richtiggestellt/aktualisiert/ersetzt""",
        "es": """
            está/se mudó/continúa/pasó/sigue/trasladad[oa]s?/fusionad[oa]s?/integrad[oa]s?/ahora está
            /corregid[oa]s?/actualizad[oa]s?/revisad[oa]s?/rectificad[oa]s?""",
        "fr": """
            déplacée?s?/fusionnée?s?/intégrée?s?/reprise?s?/désormais/continue/se trouve/transférée?s?
            /corrigée?s?/actualisée?s?/revue?s?/rectifiée?s?/mise à jour""",
    },
    "INTO": {
        "en": "to/in/into/as/in favour of/in favor of",
        "de": "in/als/unter/nach",
        "es": "en/a/con",
        "fr": "dans/à/vers/avec",
    },
    "PUT": {
        "en": "merged/folded/moved/rolled/absorbed/incorporated/taken over/copied",
        "de": "eingearbeitet/übernommen/zusammengeführt/überführt/aufgenommen/eingeflossen",
        "es": "integrad[oa]s?/fusionad[oa]s?/incorporad[oa]s?/pasad[oa]s?",
        "fr": "intégrée?s?/fusionnée?s?/incorporée?s?/reprise?s?",
    },
    "HERE": {
        "en": "in here/into this/into this one/into this note/here/in this note/into here",
        "de": "hier/hierher/in diese notiz/in dieser notiz/in diese/hierin/hier herein",
        "es": "aquí/en esta nota/en esta",
        "fr": "ici/dans cette note/dans celle-ci",
    },
    "PARTOF": {
        "en": """
            part of/included in/covered by/contained in/covered in/dealt with in/handled in/subsumed by
            /subsumed under""",
        "de": "teil von/enthalten in/bestandteil von/abgedeckt durch/geregelt in",
        "es": "parte de/incluid[oa] en/cubiert[oa] por/recogid[oa] en",
        "fr": "inclus dans/incluse dans/partie de/couvert par/couverte par/traité dans/traitée dans",
    },
    "USE": {
        "en": """
            use/follow/trust/rely on/go by/read/apply/consult/look at/keep to/stick to/work from/bake from
            /cook from/believe/be misled by/be fooled by/pay attention to/mind/bother with/look in/quote/cite
            /copy from/print/circulate/share/hand out/act on/take any notice of/take notice of/depend on
            /count on/listen to/build on/cook by/work by/work to""",
        "de": """
            verwenden/benutzen/anwenden/nutzen/befolgen/beachten/verlassen auf/beachte/nutze/benutze/verwende
            /befolge/richte dich nach/halte dich an/hören auf/glauben/glaubt/glaube/verlassen/verlasst euch auf
            /verlass dich auf/hört auf/weitergeben/drucken/danach richten/beherzigen/halten an/nehmen/nimm
            /nehmt""",
        "es": """
            uses?/usar/usen/uséis/hagas? caso de/hagas? caso a/hagáis caso de/hagáis caso a/hagan caso de
            /hacer caso de/hacer caso a/seguir/sigas/sigáis/aplicar/apliques/apliquéis/tengas en cuenta
            /tener en cuenta/tengáis en cuenta/os fiéis de/te fíes de/miréis/mires/mirar/consultes/consultéis
            /creas/creáis/sigan/uses más/os guiéis por/te guíes por/apliques más/tener en consideración
            /imprimas/repartas/prestes atención a""",
        "fr": """
            utiliser/utilise/utilisez/utilisons/suivre/suis/suivez/suivons/applique/lis/lisez/appliquer
            /appliquez/tenir compte de/tiens compte de/tenez compte de/tenir compte d'/se fier à/fie pas à
            /vous fier à/te fie à/se baser sur/vous basez sur/te base sur/croyez/crois/écoutez/écoute/imprimer
            /diffuser/consulter/consultez/appuyer sur/se servir de/servez-vous de/regardez/regarde
            /prendre en compte/prenez en compte/prends en compte/tenir compte""",
    },
    "SEE": {
        "en": """
            see/check/check out/use/read/follow/go to/go by/look at/refer to/we follow/we use/i use/we do
            /we go by/there is/instead/what counts is/what counts/look in/cf/in its place/goes by/see now
            /please see/goes to/stands in/is found in/found in/lives in/now at/continue at/continue with
            /work with/take/take note of/details in/more in/instead use/please use""",
        "de": """
            siehe/stattdessen/gilt/gelten/statt dessen/dafür/maßgeblich ist/maßgeblich/jetzt in/neu in/steht in
            /schau in/nimm/nehmt/aktuell ist/aktuell/gültig ist/vergleiche/lies/lest/bitte/bitte siehe
            /schaut in/schau bei/guck in/weiter mit/weiter in/weiter bei/findet ihr in/findet sich in
            /nachzulesen in/es zählt/zählt/vgl/s""",
        "es": """
            ver/véase/mira/mirar/consulta/consultar/en su lugar/vale/rige/manda/lo válido es/lo actual es/usar
            /usa/ahora en/ve a/lee/véanse/mirad/mira en/consultad/pasa a/id a/sigue en/está en/leed/cuenta
            /se sigue/seguid/sigue/usad/cf""",
        "fr": """
            voir/voyez/cf/à la place/consulter/lire/suivre/vaut/utiliser/va voir/se reporter à/regarde/regardez
            /va à/allez à/consulte/consultez/lis/lisez/se référer à/référez-vous à/suis/suivez/utilise/utilisez
            /prends/prenez/on suit/se trouve dans/compte""",
    },
    "READS": {  # somebody has looked at it again
        "en": """
            read of/re-read/reread/read/reading/looked at/look at/looked over/looked through/look through
            /went through/went over/checked/double-checked/re/regarding/as for/concerning/opened/found
            /came across/compared/see/revisited/reads/who reads/anyone reading/anybody reading/find/finds
            /come across/stumble upon/stumble on/remember/still have/there is/there's/there is also
            /there's also/you may know/another look at/back to/remark on/thumbed through""",
        "de": """
            vorgenommen/gelesen/angesehen/angeschaut/durchgelesen/durchgesehen/geprüft/zu/betrifft/betreff
            /was betrifft/siehe/nachgelesen/überprüft/gefunden/aufgemacht/überflogen/wer/liest/betr/findet
            /erinnert euch an/es gibt noch/gibt noch/kennt/stolpert über/noch mal durchgegangen/nochmal gelesen
            /durchgegangen/wiedergelesen/hervorgeholt/nachgeprüft""",
        "es": """
            leer/releer/releído/leído/repasado/repasar/mirado/revisado/revisar/visto/sobre/respecto a
            /en cuanto a/acerca de/ver/abierto/encontrado/lea/lee/encontréis/encuentre/encuentras/recordáis
            /hay también/circula/circula aún/repasé/releí/leí/miré/revisé""",
        "fr": """
            relu/lu/relire/revu/regardé/vérifié/parcouru/au sujet de/à propos de/concernant/quant à/voir
            /retrouvé/ouvert/repris/lit/qui lit/tombe sur/tombez sur/trouvez/trouve/souvenez/il reste/il existe
            /relisais/relisant/reparcouru""",
    },
    "INSTEAD": {
        "en": "instead of/in place of/in lieu of/rather than",
        "de": "statt/anstelle/anstelle von/anstatt/an stelle von/statt wie in",
        "es": "en lugar de/en vez de",
        "fr": "au lieu de/au lieu d'/au lieu du/à la place de/à la place d'/à la place du/plutôt que",
    },
    "THEREFOR": {
        "en": "instead/in its place/in their place/takes its place/has taken its place/took its place",
        "de": """
            stattdessen/statt dessen/an ihre stelle/an seine stelle/an deren stelle/an dessen stelle/nunmehr""",
        "es": "en su lugar/ahora vale/ahora rige/desde ahora/lo válido es/ocupa su lugar",
        "fr": "à la place/à sa place/c'est désormais/désormais/prend sa place",
    },
    "CONTRARY": {
        "en": """
            contrary to/contrary to what/unlike what/no matter what/whatever/regardless of what
            /in spite of what/forget what/not what""",
        "de": """
            entgegen/entgegen der angabe in/im gegensatz zu dem/anders als in/anders als es in/egal was in
            /egal was""",
        "es": """
            al contrario de lo que/en contra de lo que/contra lo que/a pesar de lo que/diga lo que diga
            /pese a lo que/digan lo que digan""",
        "fr": """
            contrairement à ce que/contrairement à ce qui/quoi qu'en dise/quoi que dise/n'en déplaise à
            /malgré ce que/malgré ce qui""",
    },
}
