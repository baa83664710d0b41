"""Cues in German; see `english`. Data."""

from __future__ import annotations

from mdmem.language import negation

PARTS: dict[str, str] = {
    "<day>": r"(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)",
    "<month>": r"(?:januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)",
    "<season>": r"(?:frühling|frühjahr|sommer|herbst|winter|weihnachten|ostern)",
    "<span>": r"(?:tag|nacht|morgen|abend|woche|wochenende|monat|jahr|stunde|quartal|saison)",
    "<number>": r"(?:\d+(?:[.,:]\d+)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|zwanzig|hundert)",
    "<kin>": (
        r"(?:frau|mann|freundin|freund|partner(?:in)?|tochter|töchter|sohn|söhne|kind(?:er)?|mutter|vater"
        r"|eltern|schwester|bruder|geschwister|oma|opa|großeltern|onkel|tante|schwager|schwägerin"
        r"|schwieger\w+|vermieter(?:in)?|nachbar\w*|chef(?:in)?|kolleg\w+|lehrer(?:in)?|arzt|ärztin|hund"
        r"|katze|pferd|team)"
    ),
    "<mine>": r"(?:mein(?:e[rnms]?)?|unser(?:e[rnms]?)?|sein(?:e[rnms]?)?|ihr(?:e[rnms]?)?)",
}

CUES = {
    # -- who and what it is about
    "self": (
        r"\b(?:ich|mich|mir|mein(?:e[rnms]?)?)\b",
        "Ich wohne oben.",
    ),
    "we": (
        r"\b(?:wir|uns|unser(?:e[rnms]?)?)\b",
        "Wir teilen den Garten.",
    ),
    "others": (
        r"\b(?:er|sie|ihm|ihn|ihr(?:e[rnms]?)?|sein(?:e[rnms]?)?)\b",
        "Sie hat den Schlüssel.",
    ),
    "kin": (
        r"\b<mine> (?:\w+ )?<kin>\b",
        "Unsere Vermieterin ist Dänin.",
    ),
    "opens with a thing": (
        r"^(?:(?:und|aber|also|ja|nein|ach|übrigens)[ ,]+)*(?:der|die|das|den|dem|alle|jede[rsnm]?"
        r"|<mine>) \w",
        "Der Schuppen hat keinen Strom.",
    ),
    # -- how it is said
    "is": (
        r"\b(?:ist|sind|war|waren)\b",
        "Das Tor ist grün.",
    ),
    "negates": (
        negation.pattern("de"),
        "Es gibt keinen Aufzug.",
    ),
    "announces": (
        r"\b(?:übrigens|ach ja|nebenbei|zur info|grundsätzlich|zu ihrer information|damit du|nur damit"
        r"|halt dich fest|weißt du was|rate mal"
        r"|wichtig:)",
        "Übrigens, der Lift ist kaputt.",
    ),
    "reasons": (
        r"\b(?:weil|deshalb|darum|daher|also|denn|sonst|damit|da(?= \w+ \w+))\b",
        "Wir laufen, weil der Bus trödelt.",
    ),
    "ahead": (
        r"\b(?:wird|werden|bald|bis|ab|demnächst|künftig)\b",
        "Der Kurs wird bald voll.",
    ),
    # -- for how long it holds
    "recurs": (
        r"\b(?:jede[nrsm]? (?:\w+ )?(?:<span>|<day>|zweite\w*)\w*|<day>s|(?:mon|diens|donners|frei|sams"
        r"|sonn)tag(?:s|abends)|mittwochs|morgens|abends|nachts|mittags|nachmittags|täglich|wöchentlich"
        r"|monatlich|jährlich|unter der woche|am wochenende|(?:ein|zwei|drei)mal (?:im|in der|pro)"
        r"|das ganze jahr)\b",
        "Abends ist das Tor zu.",
    ),
    "always": (
        r"\b(?:immer|stets|nie|niemals|grundsätzlich|normalerweise|gewöhnlich|meistens?|nicht mehr|dauerhaft"
        r"|eh)\b",
        "Wir heizen nie mit Holz.",
    ),
    "since": (
        r"\b(?:seit(?:dem)? (?!wann|gestern|heute)\w+|schon (?:immer|lange|jahre)"
        r"|<number> jahre(?:n)? (?:lang|her)?)\b",
        "Die Garage ist seit März vermietet.",
    ),
    "from now": (
        r"\b(?:ab (?:jetzt|sofort|<month>|<day>|<season>|dem|nächste\w*|kommende\w*|\d+)|künftig|in zukunft"
        r"|von nun an|ab und an|jetzt(?=[,.;!]|$))\b",
        "Ab Mai gehört uns die Werkstatt.",
    ),
    "dated": (
        r"(?:\b\d{1,2}\. ?(?:<month>|\d|,|sondern|und|bis)|\b(?:im|am|bis|ab|seit|vom|zum|ende|anfang"
        r"|mitte) (?:<month>|<day>|<season>)|\b(?:<month>|<day>)\b|\b(?:19|20)\d\d\b)",
        "Der Kurs beginnt im Oktober.",
    ),
    "timed": (
        r"\b(?:um \d{1,2}|ab \d{1,2} uhr|\d{1,2}(?::\d\d)? uhr|zwischen \d+ und \d+)\b",
        "Der Bus fährt um 7 Uhr.",
    ),
    # -- what is said
    "all or none": (
        r"\b(?:nur|alle[sn]?|keiner|niemand|nichts|jeder|sämtliche|ausschließlich|einzige[rn]?|beide)\b",
        "Den Schlüssel hat nur Ruth.",
    ),
    "rule": (
        r"^(?:(?:und|aber|bitte|also|ja|nein)[ ,]+)*keine?n? (?!ahnung|problem|idee|sorge|zeit)\w+|\b(?:darf"
        r"|dürfen|muss|müssen|soll|sollen) (?:\w+ )?(?:nicht|nie|nur|kein\w*|immer|stets)\b|\w+ (?:nur"
        r"|ausschließlich)[.!]?$|\bverboten\b|\berlaubt\b|\bvorschrift\b|\bgilt\b|\bhausordnung\b"
        r"|\bnie (?:weg|mehr|auf|in|mit)\b|\bfasst\b",
        "Keine Lieferungen vor Mittag.",
    ),
    "role": (
        r"\b(?:macht (?:die|den|das)|führt (?:die|das)|betreut|unterschreibt|genehmigt|zuständig"
        r"|verantwort\w+|kümmert sich|gehört|leite[t]?|verwaltet|schließt|prüft|bezahlt|organisiert"
        r"|übernimmt|geh(?:t|en) an|fährt|ist (?:unsere?|meine?) \w+)\b",
        "Die Kasse betreut Frau Lang.",
    ),
    "states": (
        r"\b(?:wohn(?:e|t|en)|leb(?:e|t|en)|arbeite[nt]?|heißt|heißen|geburtstag|geboren|verheiratet"
        r"|geschieden|trifft sich|treffen uns|findet statt|stattfinde\w*|öffnet|schließt|kostet|läuft (?:ab"
        r"|auf)|fällig|besteht aus|stammt|wiegt|braucht|bekommt|dauert|hängt|stammt aus|gesperrt|vermietet"
        r"|versichert|zugelassen)\b",
        "Der Ausweis läuft ab, das Foto stammt von 2010.",
    ),
    "has": (
        r"\b(?:(?:wir|ich|er|sie|hat|jeder \w+) (?:haben|habe|hab|hat|nutzen|nutze|benutzen|benutze"
        r"|verwenden|verwende|fahren|fahre|fährt|spielen|spiele|nehmen|nehme|brauchen|sprechen|spreche"
        r"|teilen|zahlen|besitzen)|(?:haben|habe|hab|hat) (?:wir|ich|er|sie|jeder|nur|eine?n?|zwei|drei))\b",
        "Wir nutzen Ökostrom.",
    ),
    "located": (
        r"\b(?:ist|sind|liegt|liegen|steht|stehen|hängt|wohnt|sitzt) (?:\w+ ){0,3}?(?:in|im|hinter|unter"
        r"|neben|über|auf|am|an|bei|vor|gegenüber)\b",
        "Der Sicherungskasten ist hinter dem Spiegel.",
    ),
    "limit": (
        r"\b(?:vegetarier\w*|veganer\w*|vegan|vegetarisch|schwanger|diabetiker\w*|höhenangst|flugangst"
        r"|rollstuhl|hasse|kann kein\w*|ver-?trag\w*|verträg\w*|(?:halte|hält) .{1,30} nicht aus"
        r"|keine? (?:laktose|gluten|nüsse|milch)\b|wird (?:mir|ihm|ihr) (?:\w+ )*(?:schwindlig"
        r"|schlecht|übel)|mir wird|mag (?:kein\w*|nicht)|isst (?:kein\w*|nie)|allerg\w+|intoleran\w+"
        r"|schwerhörig|taub|blind|asthma|migräne)\b",
        "Unser Sohn verträgt keine Milch.",
    ),
    "prefers": (
        r"\b(?:lieber|am liebsten|bevorzug\w+|mag|mögen|lieblings\w+|gern(?:e)?|genieß\w+)\b",
        "Ich sitze lieber am Fenster.",
    ),
    "decided": (
        r"\b(?:abgemacht|entschieden|beschlossen|es bleibt (?:bei|dabei)|wir (?:stellen um|wechseln|behalten"
        r"|lassen|verzichten|nehmen|bleiben|machen|verwenden|gehen|setzen auf|haben uns)|ich (?:behalte"
        r"|wechsle|verzichte|nehme?|kaufe?|bleibe?|mache?|habe mich (?:für|gegen|entschieden))"
        r"|fällt die wahl|genommen wird|dabei bleibt|zugesagt|abgesagt|dann (?:nehmen|machen|bleiben|eben)"
        r"|kommt nicht (?:in frage|infrage))\b",
        "Gut, wir nehmen das Schieferdach.",
    ),
    "cause": (
        r"\b(?:hab'?s|gefunden|es lag an|lag (?:am|an|daran)|liegt (?:am|an|daran|seit)|schuld war|daran lag"
        r"|ursache|(?:war|waren|ist) (?:falsch|verstopft|defekt|vertauscht|zu|verbogen|locker|leer|kaputt"
        r"|abgelaufen)|seit(?:dem|her) (?:läuft|geht|ist|springt)|geht nicht (?:aus|an|zu|auf)"
        r"|geholfen hat)\b",
        "Es lag am Filter, der war verstopft.",
    ),
    "lesson": (
        r"\b(?:nie wieder|hilft nur|geht nur (?:mit|wenn|über)|der trick|stellt sich heraus|(?:kostete"
        r"|gekostet)|bringt am meisten|seit(?:dem|her)|nach dem (?:umstieg|wechsel)|bewährt|gelernt|getestet"
        r"|probiert)\b",
        "Nie wieder Kunststoffrohre im Keller.",
    ),
    "achieved": (
        r"\b(?:(?:wir|ich) hab(?:en|e)?\b.{0,40}(?:unterschrieben|bestanden|gekauft|verkauft|gewonnen"
        r"|angemeldet|geschafft|bekommen|fertig)|(?:hat|haben) unterschrieben|endlich (?:fertig|geschafft)"
        r"|bestanden|geschafft"
        r"|zugesagt)\b",
        "Wir haben den Vertrag unterschrieben.",
    ),
    "happened": (
        r"\b(?:gebrochen|zerbrochen|verloren|gestohlen|operiert|diagnosti\w+|geimpft|gewählt|abgelehnt"
        r"|genehmigt|ausgefallen|überschwemmt|gestorben|geboren|(?:runter|herunter|hin)gefallen|gestürzt"
        r"|umgezogen|geplatzt|verletzt|überlebt|eingebrochen|abgebrannt)\b",
        "Der alte Hund ist gestorben.",
    ),
    "plans": (
        r"\b(?:(?:gebucht|bestellt|reserviert|gemietet|eingeladen|geplant)|(?:nächste[nsm]?"
        r"|kommende[nsm]?) (?:jahr|<season>|saison|semester|monat|woche)|im (?:<season>|<month>)"
        r"|wir (?:ziehen|fliegen|fahren|reisen|feiern|heiraten|wollen)|ich (?:fliege|ziehe|heirate|lauf)"
        r"|geht'?s (?:mit|nach|über)|ist das ziel|vom \d+|termin)\b",
        "Wir ziehen nach Jena.",
    ),
    "changed": (
        r"\b(?:nicht (?:\S+ ){1,4}sondern|nicht mehr|statt|doch nicht|früher|inzwischen|korrektur|verschoben"
        r"|geändert|umgestellt|vertan|verlegt)\b",
        "Der Laden schließt um sechs statt um sieben.",
    ),
    "instructs": (
        r"\b(?:(?:duz|siez)\w+|antworte\w* (?:mir )?(?:bitte )?(?:auf|in|immer|nur)|keine (?:emojis|floskeln"
        r"|anglizismen)|(?:bitte )?(?:immer|nie|stets|nur|nicht|keine?n?) (?:\w+ ){0,3}(?:verwenden"
        r"|vorschlagen|schreiben|benutzen|nehmen|schicken|zeigen|machen|ohne)|(?:bitte )?immer (?:ohne|mit"
        r"|eine?n?)|bei mir (?:bitte )?(?:keine?n?|nie|immer|nur)|wenn du|für unsere texte|in (?:allen"
        r"|jedem))\b",
        "Bitte nie Sie schreiben.",
    ),
    # -- what speaks against it
    "asks what": (
        r"^(?:(?:und|aber|also|ja|hey|sag mal)[ ,]+)*(?:wie|was|wo|wer|warum|wann|wieso|welche\w*|woher"
        r"|kannst|könntest|könnten|würden|ist|sind|hat|gibt|darf|soll|läuft) ",
        "Wie lange muss das backen",
    ),
    "asks for": (
        r"^(?:(?:und|aber|bitte|danke|ok|ja|nein|dann|super|gut)[ ,.!]+)*(?:mach|schreib|zeig|gib|such|schau"
        r"|ersetz\w*|teil\w*|prüf\w*|lies|nimm|lösch\w*|änder\w*|ich (?:bitte|möchte|brauche)|mal sehen)\b"
        r"|\bkönn(?:test|ten) (?:du|sie)\b|\bwürden sie\b",
        "Bitte schreib noch einen Test.",
    ),
    "supposes": (
        r"\b(?:angenommen|wenn ich|was wäre|wäre|würde|hätte|stell dir vor|falls|mal angenommen|ob (?:es|ich"
        r"|wir|er))\b",
        "Wenn ich umzöge, verkaufte ich das Klavier.",
    ),
    "doubts": (
        r"\b(?:vielleicht|irgendwann|glaube|hoffentlich|womöglich|vermutlich|wahrscheinlich|keine ahnung)\b",
        "Vielleicht kommt er.",
    ),
    "moment": (
        r"\b(?:heute|gerade|im moment|gestern|morgen(?! früh)|schon wieder|gleich|später|regnet|heute abend"
        r"|eben)\b",
        "Heute eile ich.",
    ),
    "reported": (
        r"\b(?:sagt|sagte|meint|behauptet|sagen|meinte|angeblich|hat (?:mir |uns )?(?:gesagt|erzählt))\b"
        r"|\b(?:meine?|ein(?:e)?) (?:freundin|freund"
        r"|nachbarin)\b",
        "Mein Nachbar sagt, man müsse verkaufen.",
    ),
    "feels": (
        r"\b(?:müde|froh|traurig|toll|schön\w*|genial|super|krass|wahnsinn|herrlich|cool|glücklich)\b",
        "Ich bin so müde.",
    ),
    "story": (
        r"\b(?:als kind|damals|früher|träum\w+|geträumt|neulich)\b",
        "Damals lachten wir viel.",
    ),
    "thanks": (
        r"^(?:danke\w*|vielen dank|guten (?:tag|morgen|abend)|hallo|hey|tschüss|bis (?:später|dann)|jo|jaja"
        r"|genau|mach)\b",
        "Danke, das genügt.",
    ),
    "addresses": (
        r"\b(?:du|dir|dich|dein\w*|ihnen|könn(?:ten|test))\b",
        "Das sagst du so.",
    ),
    "points": (
        r"^(?:(?:und|aber|ja|nein)[ ,]+)*(?:das|dies\w*|es)\b",
        "Das ist besser.",
    ),
    "at hand": (
        r"\b(?:in (?:diesem|dem) (?:brief|text|satz|entwurf)|de[rnm] (?:satz|brief|entwurf|text)"
        r"|die (?:überschrift|zeile|mail)|fehler(?:meldung)?|beigefügt\w*)\b",
        "Der Satz ist zu lang.",
    ),
}
