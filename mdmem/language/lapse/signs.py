"""The words by which a short text shows that it is about a passing moment. Data.

Sign -> patterns, each with a sentence that has it, in English, German, Spanish and French. Patterns are matched in
lower case with straight quotes and single spaces. How much each sign weighs is in `moments`.
"""

# ruff: noqa: E501 - a pattern and its example are one row
from __future__ import annotations

SIGNS: dict[str, tuple[tuple[str, str], ...]] = {
    "right now": (  # it says that it is about this moment
        (r"\b(?:right now|at the moment|just now|as we speak)\b", "The fan is loud right now."),
        (r"\b(?:gerade eben|im moment|momentan|jetzt gerade|ist gerade|eben erst)\b", "Der Server hängt im Moment."),
        (r"\b(?:ahora mismo|en este momento)\b", "El horno sube ahora mismo."),
        (r"\b(?:en ce moment|à l'instant|là maintenant)\b", "Le four chauffe en ce moment."),
    ),
    "now": (  # it may say so
        (r"\bcurrently\b|(?<!right )(?<!just )\bnow\W*$", "Ringing them now."),
        (r"(?<!ist )(?<!jetzt )\b(?:gerade(?! eben)|grad)\b", "Grad niemand da."),
        (r"\bahora\b(?! (?:mismo|en adelante|ya|vale|rige|hay|se))", "El horno va por 640 °C ahora."),
        (r"\bpour l'instant\b", "Pas d'eau pour l'instant."),
    ),
    "today": (  # it says that it is about this day
        (r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b(?!'s)", "Legs heavy today."),
        (r"\bheute(?: früh| abend| morgen| nachmittag)?\b", "Heute kurz offen."),
        (r"\b(?:hoy|esta (?:mañana|tarde|noche))\b", "Hoy no hay agua."),
        (r"\b(?:aujourd'hui|ce (?:matin|soir)|cet après-midi)\b", "Pas de bus ce matin."),
    ),
    "until": (  # it holds until some hour
        (r"\b(?:until|till) (?:noon|midnight|tonight|tomorrow|later|half past|one|two|three|four|five|\d{1,2}\b)|\bfor (?:ten|five|\d+) minutes\b|\bout at (?:half past|\d)", "No water until noon."),
        (r"\bbis (?:mittag|gleich|später|eins|zwei|drei|vier|fünf|morgen|\d{1,2} uhr)\b", "Zwingen bis vier dran lassen."),
        (r"\b(?:hasta (?:el mediodía|las|luego)|a las (?:\d+|una|dos|tres|ocho|nueve|diez))\b", "Cerrar la llave a las nueve."),
        (r"\bjusqu'à (?:midi|ce soir|\d+ ?h)\b", "Sans courant jusqu'à midi."),
    ),
    "state": (  # a state that rarely lasts
        (r"\b(?:is|are|'s) (?:\w+ )?(?:down|offline|unreachable|stuck|locked|write-locked|asleep|late|on fire|flooded|blocked|jammed|red|green|charging|delayed|frozen|drying|cooling|boiling|filling|sick|ill|in bed|out of order|bursting|quiet|full|at the (?:vet|garage|doctor|dentist)(?:'s)?|in the (?:oven|wash)|on (?:his|her|its|their|the) way)\b", "Staging is down."),
        (r"\b(?:ist|sind|steht|stehen|hat|haben) (?:\w+ )?(?:down|offline|weg|leer|krank|abgestürzt|gesperrt|unterwegs|im bett|im ofen|voll|rot|im stau|fieber|verspätung|noch bei\w*)\b|\bhängt draußen\b", "Der Server ist weg."),
        (r"\b(?:está|están|va|van) (?:caíd[oa]|apagad[oa]|cerrad[oa]|atascad[oa]|enferm[oa]|ocupad[oa]|en (?:rojo|camino|el horno|el taller)|con (?:\w+ ){1,3}de retraso)s?\b|\btiene fiebre\b", "El servidor está caído."),
        (r"\b(?:est|sont) (?:en (?:panne|retard|route)|fermée?s?|malades?|bloquée?s?|tombée?s?|là\b|au (?:four|lit|garage)|dans la machine)\b|\ba de la fièvre\b", "Le serveur est en panne."),
    ),
    "fails": (  # something does not work
        (r"\b(?:not|n't) (?:answering|responding|loading|starting|moving|coming|working|shut|open(?!ed)|see the)\b|\b(?:fails|keeps failing|making (?:a|that) noise)\b", "The server is not answering."),
        (r"\b(?:antwortet|reagiert|startet|lädt|geht|schließt) (?:gerade )?nicht\b", "Der Server antwortet nicht."),
        (r"\bno (?:responde|arranca|carga|cierra|abre|va)\b", "El servidor no responde."),
        (r"\bne (?:répond|démarre|charge|ferme|s'ouvre) (?:pas|plus)\b|\bfait la tête\b|\btousse\b", "Le serveur ne répond pas."),
    ),
    "gone": (  # something everybody needs is missing
        (r"\b(?:power|internet|wifi|voice|light|water|signal|line|sound|heating|battery)(?: is|'s)? (?:gone|out|off|down|dead)\b|\b(?:outage|dead air|out of order|on hold)\b", "Internet gone."),
        (r"\b(?:strom|netz|internet|wasser|licht|wlan|heizung|stimme) (?:\w+ )?(?:weg|aus|ausgefallen)\b|\bkein (?:strom|netz|internet|wasser|empfang)\b", "Strom weg."),
        (r"\b(?:sin|no hay) (?:luz|línea|agua|internet|cobertura|señal|corriente)\b", "Sin luz en el pueblo."),
        (r"\b(?:plus|pas) d(?:e |')(?:eau|courant|internet|réseau|lumière|café|chauffage|électricité)\b|\bcoupure de courant\b", "Plus d'eau."),
    ),
    "goes on": (  # something is being done
        (r"^(?:still |ugh,? |just )?(?!during|morning|evening|nothing|anything|everything|thing|king|spring|building|training|meeting|wedding|parking|cleaning|clothing|ceiling|heating|lighting|seating|shipping|booking|pricing|naming|branching)[a-z]+ing\b(?! (?:is|are|was|costs|takes|starts|needs|means|helps|the \w+ (?:is|takes|costs)))|, (?:still )?[a-z]{2,}ing\b|\b(?:is|are|'s|'re) (?:still |being |already )?(?!during|nothing|anything|everything|missing|living|building)[a-z]+ing\b(?! to\b)", "Waiting at the gate."),
        (r"\b(?:wird|werden) gerade\b|\bzieht an\b|\bläuft (?:noch|grad|gerade)\b|\bwart(?:e|en|et) auf\b", "Leim zieht an."),
        (r"\best(?:á|án|oy|amos) \w+[aei]ndo\b|^\w+[aei]ndo\b|\bva por (?:el |los )?\d|\besperando\b", "Regando los tomates."),
        (r"\ben train de\b|\bon attend\b|\bchauffe\b|\btourne,|\bdescendue? (?:en )?chercher\b|\best en cours\b", "La pompe tourne, on attend."),
    ),
    "on it": (  # somebody is at it
        (r"\b(?:is|are|'s|'m) (?:on it|at the \w+|on the (?:phone|line|roof))\b|\b(?:on (?:his|her|its|their|my|the) way|on the phone|coming|off to bed|staying)\W*$|\bfor (?:a|an|the) (?:cylinder|part|call|plumber|engineer|technician)", "Pilar is on it."),
        (r"\b(?:ist|sind) (?:dran|unterwegs|am telefon)\b|\b(?:alle|niemand|keiner) (?:auf montage|da|im büro|raus)\b|\bstartet \w+ \w+ neu\b|\bkümmert sich\b", "Jan ist dran."),
        (r"\b(?:lo mira|se encarga|está en ello|viene de camino|va para allá)\b", "Lo mira Fermín."),
        (r"\b(?:s'en occupe|arrive|est là|est dessus|en route)\b", "Le plombier est là."),
    ),
    "hands off": (  # others are kept away
        (r"\b(?:don't|do not|nobody|no one|please) (?:touch|open|ring|move|use|come in|disturb|enter|wake|restart)\b|\bhands off\b|\buse the other\b", "Kiln hot, do not open."),
        (r"\b(?:nicht|bitte nicht|keiner|nichts) (?:öffnen|anfassen|stören|reingehen|raus|rein|aufmachen)\b|\bdran lassen\b|\breinholen\b", "Heiß, nicht anfassen."),
        (r"\bno (?:abrir|tocar|entrar|molestar|usar|pasar|l[ao]s? (?:abras|toques|muevas|uses))\b|\busad\b", "Caliente, no abrir."),
        (r"\bne pas (?:ouvrir|toucher|entrer|déranger|utiliser)\b|\bn'(?:entrez|ouvrez|y touchez)(?! jamais)", "Chaud, ne pas ouvrir."),
    ),
    "not yet": (  # what is still to come
        (r"\b(?:not|n't|never)\b.*\byet\b|\bstill no(?:t|body)?\b", "Dough has not risen yet."),
        (r"\bnoch (?:nicht|kein\w*|niemand|nichts)\b", "Der Teig ist noch nicht gegangen."),
        (r"\b(?:aún|todavía) no\b", "La masa todavía no sube."),
        (r"\bpas encore\b|\btoujours (?:pas|rien)\b", "La pâte n'a pas encore levé."),
    ),
    "at last": (  # it has just come about
        (r"\bat last\b|\bfinally (?!be)\w+(?:ing|ed|s)?\W*$|\b(?:has|have|is|are) finally\b", "Asleep at last."),
        (r"\bendlich\W*$", "Kind schläft endlich."),
        (r"^por fin\b|\bpor fin\W*$", "Por fin duerme."),
        (r"(?<!\w)enfin\W*$", "Le bébé dort enfin."),
    ),
    "own doing": (  # what the writer is doing, without saying "I"
        (r"^(?:ran|run|running|off|back|home|locked|sitting|stuck|waiting|just) (?:out of|out|to the|at|in|home|down|off)\b|(?:^|, )off to\b|\bwithout me\b|\bdon't wait (?:for me|up)\b", "Ran out of screws, off to the shop."),
        (r"(?:^|, )(?:stehe|sitze|bin|liege|warte|laufe|komme|hänge|fahre|schaue|gehe|hole|suche)\b|\bohne mich\b", "Stehe vor verschlossener Tür."),
        (r"^(?:me he|nos hemos) (?:dejado|quedado|olvidado|perdido|quemado)\b|, (?:llego|llegamos|salgo|vuelvo|voy)\b|\bno me esper\w+|\bsin mí\b", "Me he dejado las llaves dentro."),
        (r"^(?:coincée?s?|perdue?s?|bloquée?s?|j'arrive|je (?:pars|cherche|cours))\b|, (?:j'arrive|on arrive)\b|\bsans moi\b|^toujours (?:en|au|à|dans|chez)\b", "Coincé dans l'ascenseur."),
    ),
    "cut short": (  # what should be going on, and is not
        (r"^(?:\w+ ){1,2}(?:cancelled|overrunning|overflowing|stalled|halted|diverted)\b", "Train cancelled, waiting."),
        (r"^(?:\w+ ){1,2}(?:kam nicht|kommt nicht|fällt aus|steckt|kocht über|läuft (?:über|aus)|spinnt|streikt)\b", "Bus kam nicht."),
        (r"\bse (?:me |nos )?ha(?:n)? (?:ido|quedado|parado|caído|subido|roto|perdido)\b|\bnadie (?:contesta|responde|abre|viene)\b", "Nadie contesta al timbre."),
        (r"^(?:\w+ ){1,2}(?:arrêtée?|en plein(?:e)? \w+|à l'arrêt|suspendue?)\b|^plus (?:de |d'|aucun)|\bça (?:bouchonne|déborde|sonne|brûle)\b|\bpersonne ne (?:répond|vient|ouvre)\b", "Métro arrêté."),
    ),
    "reading": (  # what an instrument shows
        (r"\b(?:at|on|down to) \d+(?:[.,]\d+)? ?(?:%|°|percent)|\b(?:at|on) (?:\w+ )?\d+ of \d+\b|\b\d+ ?% (?:after|so far|done|left)|\bat \d{3}\b,|\b3[6-9][.,]\d\b|\barrow\b|\b\d+ deep\b", "Upload at 63 %."),
        (r"\bbei \d+(?:[.,]\d+)? ?(?:%|°|grad)|\b(?:bei|auf|an) (?:\w+ )?\d+ von \d+\b|\b(?:wind|böen) (?:\w+ )?\d", "Upload bei 63 %."),
        (r"\b(?:al|a|por) (?:el |los )?\d+ ?(?:%|°)|\b(?:en|por) (?:el |la )?(?:\w+ )?\d+ de \d+\b", "La subida va por el 63 %."),
        (r"\bà \d+(?:[.,]\d+)? ?(?:%|°)|\bà (?:l'\w+ )?\d+ sur \d+\b", "L'envoi est à 63 %."),
    ),
    "weather": (  # what the sky does
        (r"\b(?:fog(?:gy)?|clouds|cloudy|drizzl\w+|gusts|raining|snowing|hailing|thunder\w*|windy)\b", "Fog, no stars."),
        (r"\b(?:nebel|wolken|es (?:regnet|schneit|hagelt|gewittert)|böen|bft)\b", "Es regnet."),
        (r"\b(?:niebla|nubes|lloviendo|nevando|cayendo (?:piedra|agua|granizo|nieve)|rachas)\b", "Está lloviendo."),
        (r"\b(?:brouillard|nuages|il (?:pleut|neige|grêle)|rafales)\b", "Il pleut."),
    ),
    "body": (  # how somebody feels
        (r"\b(?:too (?:tired|hot|cold|windy|wet|late|loud)|asleep|legs (?:are )?heavy|headache|migraine|has a fever|slept (?:badly|\w+ hours)|voice gone|so tired|exhausted)\b", "Too tired to write."),
        (r"\b(?:zu (?:müde|heiß|kalt|nass)|kopfweh|kopfschmerzen|schwere beine|schläft|schlafen (?:alle|beide|endlich)|kaum geschlafen)\b", "Zu müde zum Schreiben."),
        (r"\b(?:(?:demasiado|muy) cansad[oa]|dolor de cabeza|dormid[oa]s?|duerme[n]?,|piernas pesadas)\b", "Muy cansada."),
        (r"\b(?:trop fatiguée?|mal (?:à la tête|au crâne)|endormie?s?|dort,|jambes lourdes)\b", "Trop fatiguée."),
    ),
    "stuck": (  # something or somebody waits
        (r"\b(?:waiting (?:for|at|in|on|room)|stuck|queue|jam|delayed|on hold|running late|blocked|warming up|leaning on)\b", "Stuck behind a tractor."),
        (r"\b(?:verspätung|wart(?:e|en|et|eschlange)|stau|steh(?:e|en) (?:in|im|am|an)|blockiert)\b", "Fähre hat Verspätung."),
        (r"\b(?:retraso|atasco|cola|esperando|ocupado|tapad[oa])\b", "El tren lleva retraso."),
        (r"\b(?:retard|bouchons?|on attend|en attente|coincée?s?)\b", "Le train a du retard."),
    ),
    "under way": (  # a thing, and what it is doing: without a verb that says when
        (r"^(?:(?!\b(?:is|are|was|were|be|has|have|can|must|should|will|held|done|costs|needs|takes|starts|begins)\b).)*\b(?!the|a|my|our|no|of|for|and|good|in|by)\w+ (?!during|morning|evening|nothing|anything|something|thing|king|spring|string|ring|building|training|meeting|wedding|parking|ceiling|heating|booking|clothing|housing|shopping|cooking|swimming|reading|writing|painting|teaching|learning|missing)[a-z]{3,}ing(?=\W*$|,| (?:the|an?|all|again|up|out|down|over|off|my|our|like|in|at|on|through|round)\b)", "Router rebooting."),
        (r"\b(?:geht|läuft|kocht|schläft|steht|sitzt?e?n?|warte[nt]?|liegt|hängt|brennt|lädt|druckt|trocknet|gart|zieht) (?:\w+ )?noch\b|\bstartet neu\b|\bwird noch\b", "Der Teig geht noch."),
        (r"\b(?:sigue|siguen) \w+[aei]ndo\b|\btodavía (?:está|se)\b|\b(?:al fuego|en marcha|a medio (?:hacer|cocer))\b|\bse está \w+ndo\b", "Sigue lloviendo."),
        (r"\b(?:lève|cuit|sèche|tourne|charge|dort|brûle|coule|chauffe) encore\b|\bdort (?:sur|dans)\b|\bsur le feu\b", "Le pain lève encore."),
    ),
    "where": (  # where somebody is just now
        (r"^(?:i'm |we're |still )?(?:on|at|in) the (?:bus|train|phone|plane|tram|ferry|car|station|airport|waiting room|queue)\b|\b(?:standing|sitting|queuing) (?:in|at|somewhere|on)\b", "On the bus, no seat."),
        (r"(?:^|\b(?:ich|wir) )(?:bin|sind|sitzen?|stehen?|liegen?|hänge|warte) (?:noch |gerade )?(?:am|im|in|auf|beim|bei)\b", "Bin am Bahnhof."),
        (r"^(?:ya )?(?:estoy|estamos|sigo|seguimos) (?:en|a|de|atrapad\w+)\b", "Estoy en la sala de espera."),
        (r"^(?:je suis|on est|nous sommes|suis) (?:au|à|dans|en|sur|chez|coincée?s?|bloquée?s?)\b", "Je suis coincé à la gare."),
    ),
    "broken": (  # something is out of order, and may be repaired by now
        (r"\b(?:broken|leaking|leaks|jammed|flat tyre|burst|out of (?:toner|paper|milk|gas|petrol|ink|order)|won't (?:start|open|close|print)|has crashed|nearly (?:dry|empty)|paused|has gone to)\b", "Kettle broken."),
        (r"\b(?:kaputt|undicht|ausgefallen|gesperrt|vereist|verschneit|platt|verstopft|fast leer|nicht da|klemmt gerade|kommt gleich)\b", "Heizung ausgefallen."),
        (r"\bse ha (?:ido|roto|caído|acabado|parado|quedado)\b|\b(?:no funciona|averiad[oa]|cortad[oa]|pinchad[oa]|atascad[oa]|agotad[oa])s?\b", "El ascensor no funciona."),
        (r"\b(?:cassée?s?|coupée?s?|verglacée?s?|crevée?s?|bouchée?s?|hors service|ne marche (?:pas|plus))(?!\w)", "La chaudière ne marche plus."),
    ),
    "ill": (  # somebody is ill or stays away
        (r"\b(?:has|have|with|got|down with) (?:the |a )?(?:flu|cold|fever|stomach bug|covid)\b|\b(?:off sick|staying home|at home with|working from home today)\b", "Half the class has the flu."),
        (r"\bkrank(?:\W|$)|\bgrippe\b|\bhat (?:\d\d|fieber|schnupfen)\b|\bbleiben? (?:heute )?(?:daheim|zu hause|im bett)\b|\barbeite von zu hause\b", "Kind krank, bleibe daheim."),
        (r"\b(?:tiene|con) (?:\d\d(?:[.,]\d)? de )?(?:fiebre|gripe)\b|\b(?:enferm[oa]|de baja|en cama)\b", "El niño tiene fiebre."),
        (r"\b(?:a|avec) (?:\d\d(?:[.,]\d)? de |de la )?(?:fièvre|grippe)\b|\b(?:malade|reste au lit|on reste à la maison)\b", "On reste à la maison."),
    ),
    "called": (  # help is on its way
        (r"\b(?:called|ringing|rang|phoning) (?:the|a|an) (?:\w+)\b|\b(?:back (?:in|at|by) (?:a|an|five|ten|noon|half|one|two|three|four|\d+))\b", "No heating, called the landlord."),
        (r"\b(?:monteur|techniker|notdienst|abschleppdienst|klempner) (?:kommt|ist da|unterwegs)\b|\bgleich (?:wieder )?(?:da|zurück)\b", "Gleich wieder da."),
        (r"\b(?:ya viene|viene) (?:el|la) (?:técnico|fontaner\w|grúa)\b|\b(?:damos la vuelta|ahora vuelvo|vuelvo enseguida)\b", "Ahora vuelvo."),
        (r"\bj'appelle (?:un|une|le|la)\b|\b(?:de retour|revien[st]) (?:dans|à|tout de suite)\b", "J'appelle un taxi."),
    ),
}  # fmt: skip
