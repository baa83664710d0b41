"""Words by which a text says that something has changed, was once so, or is not stated as a fact. Data.

By language. Patterns are matched in lower case with straight quotes and single spaces; each is followed by an
example.
"""

# ruff: noqa: E501 - a pattern and its example are one row
from __future__ import annotations

# Something has changed, whatever it is.
CHANGED: tuple[tuple[str, str], ...] = (
    (r"\b(?:no longer|not? ~\bany ?more|no more|these days|from now on|as of|at last|finally|gone off|given up|gave up|gives up)\b", "No more coffee at all."),
    (r"\b(?:quit|retired|resigned|moved (?:in|out|to|from|away)|has moved|have moved|switched|sold|scrapped|replaced|cancelled|closed down|put off|postponed|raised|lowered|upgraded?|swapped|dropped|abolished|elected|took over|takes over|broke up|divorced|married|promoted|renamed|merged|migrated|maxed|thrown? out|is history|has been changed|changed to)\b", "We switched to the tram."),
    (r"\b(?:nicht mehr|kein\w* ~\bmehr|neuerdings|ab sofort|umgezogen|(?:ist|sind) ~\bgezogen|gewechselt|umgestellt|abgesagt|verschoben|umentschieden|endlich|inzwischen|abgeschafft|verkauft|gekündigt|statt bisher|nun doch|gewandert|wandert)\b", "Imke ist nach Lauenfels gezogen."),
    (r"\b(?:ya no|desde ahora|a partir de(?! las?\b)|hemos cambiado|cambiamos|se mudó|se ha mudado|dej(?:ó|é|amos) de|cerró|ha cerrado|cancelad[oa]|vendimos|por fin|subi(?:ó|eron)|se jubiló)(?!\w)", "La cooperativa cerró."),
    (r"(?<!\w)(?:ne ~\bplus(?! (?:de|que|tard))|n'\w+ plus(?! (?:de|que|tard))|désormais|dorénavant|fini|a changé|ont changé|a déménagé|annulée?|a fermé|vendu|enfin|et non|à partir de(?! \d))(?!\w)", "Fini le gaz."),
)  # fmt: skip

# Something may have changed: these words also occur where nothing did.
MAY_HAVE_CHANGED: tuple[tuple[str, str], ...] = (
    (r"(?:(?:^|[.;:,!] )|\b(?:my|our|the|a|his|her|their) )new\b|\b(?:now|newly|since|again|instead(?! of)|meanwhile|this year|said yes|from (?:20\d\d|january|february|march|april|may|june|july|august|september|october|november|december|this \w+|the first) on|best|counted|tried|works? now|got|grew|by now|nowadays|only way|a different|another)\b", "My new teacher is Idris."),
    (r"(?:(?:^|[.;:,!] )|\b(?:die|der|das|ein|eine|mein|meine|unser|unsere) )neue[rsn]?\b|\b(?:jetzt|seit|nun|wieder|stattdessen|statt|dieses jahr|nach de[mr]|schon|doch|bleibt|mittlerweile|heuer)\b", "Seit dem Workshop läuft das Metronom."),
    (r"(?:^|[.;:,!] )nuev[oa]s?\b|(?<!\w)(?:ya|ahora|desde|este año|tras|otra vez|en vez de|en obras|últimamente)\b", "Ya somos treinta voces."),
    (r"(?:(?:^|[.;:,!] )|(?<!\w)(?:le|la|un|une|mon|ma|notre) )nouve(?:au|lle)s?\b|(?<!\w)(?:maintenant|depuis(?! que)|cette année|après|au lieu de|aura lieu|auront lieu|de plus|à nouveau|en travaux)\b", "Depuis janvier, la production tourne à Francfort."),
)  # fmt: skip

# Not stated as a fact: a question, a wish, a plan, a condition.
UNREAL: tuple[tuple[str, str], ...] = (
    (r"\?", "Would the meadow do?"),
    (r"\b(?:would|could|might|perhaps|maybe|should|unless|whether|considering|thinking of|thinking about|planning to|plans? to|hopes? to|one day|idea|suppose|(?:^|[,;.] )if)\b", "Considering Django 6."),
    (r"\b(?:believes?|thinks|claims?|supposedly|allegedly|rumou?rs?|wants? to|intends? to|plan to|going to|almost|nearly)\b", "Ben believes that the tank is empty."),
    (r"\b(?:glaubt|meint|behauptet|angeblich|möchten?|fast|beinahe)\b", "Ben glaubt, dass der Tank leer ist."),
    (r"(?<!\w)(?:creen?|dicen? que|quieren? \w+[aei]r|casi|supuestamente)(?!\w)", "Ana cree que está cerrado."),
    (r"(?<!\w)(?:croit|prétend|veu(?:t|lent) \w+[ei]r|presque|il paraît)(?!\w)", "Luc croit que c'est fermé."),
    (r"\b(?:würden?|könnten?|vielleicht|falls|ob|eventuell|überlege[n]?|wäre|plane[n]?|irgendwann|idee)\b|(?:^|[,;.] )wenn\b", "Vielleicht ziehen wir um."),
    (r"(?<!\w)(?:quizás?|tal vez|podría\w*|pensamos en|pensando en|algún día|idea|sería)(?!\w)|(?:^|[,;.] )si\b", "Quizás cambiemos de banco."),
    (r"(?<!\w)(?:peut-être|pourrai[st]|serait|on pense à|un jour|idée|devrait)(?!\w)|(?:^|[,;.] )si\b", "On pourrait changer de banque."),
)  # fmt: skip

# True once, or only for a time: this does not contradict what is true now.
ONCE: tuple[tuple[str, str], ...] = (
    (r"\b(?:was|were|had|did|went|used to|ago|in (?:19|20)\d\d|until (?:19|20)\d\d|last (?:year|summer|winter|spring|autumn|week|month)|at the time|when we|yesterday|never been|has never|have never|alone|so far)\b", "Two years ago Milo wore size 26."),
    (r"\b(?:war|waren|hatten?|wurden?|damals|früher|bis (?:19|20)\d\d|vor (?:\w+ )?jahren|letzte[sn]? (?:jahr|woche|sommer|winter))\b", "Bis 2024 waren sie im Kindergarten."),
    (r"(?<!\w)(?:era|eran|estaba|estaban|fue|fueron|tenía|hace \w+ años|en (?:19|20)\d\d|el año pasado|antes)(?!\w)", "En 2023 costaba menos."),
    (r"(?<!\w)(?:était|étaient|avait|avaient|fut|il y a \w+ ans|en (?:19|20)\d\d|l'an dernier|autrefois|\w+ait)(?!\w)", "En 2023, il se vendait 7 euros."),
)  # fmt: skip

# What is named after these words has ended: "Quit OmegaT". If nothing is named there, what stands before them.
ENDS_OBJECT: tuple[tuple[str, str], ...] = (
    (r"\b(?:no more|gone off|quit|ditched|dropped|abolished|sold|scrapped|cancelled|thrown? out|done with|finished with|switched from|moved (?:out of|away from|from)|has left|have left)\b", "Quit the choir."),
    (r"\b(?:kein\w*(?= ~\bmehr\b)|schluss mit|aufgehört mit|weg von)\b", "Ich esse kein Fleisch mehr."),
    (r"(?<!\w)(?:vendi(?:ó|mos)|hemos dejado|se acab(?:ó|aron)|adiós a)(?!\w)", "Vendimos el coche."),
    (r"(?<!\w)(?:fini|vendu|abandonné)(?!\w)", "Fini le gaz."),
)  # fmt: skip

# Likewise for an activity and its object: "no longer uses Vim". Both texts have to name both.
ENDS_DOING: tuple[tuple[str, str], ...] = (
    (r"\b(?:no longer|not ~\bany ?more|n't ~\bany ?more|g[ai]ve[sn]? up(?: on)?|stopped)\b", "I have given up meat."),
    (r"\bnicht mehr\b", "Tilda geht nicht mehr zum Schwimmen."),
    (r"(?<!\w)(?:ya no|dej(?:ó|é|amos) de)(?!\w)", "Ya no como carne."),
    (r"(?<!\w)(?:ne ~\bplus(?! (?:de|que|tard))|n'\w+ plus(?! (?:de|que|tard))|arrêté(?: de)?)(?!\w)", "Je ne cours plus."),
)  # fmt: skip

# What is named before these words has ended: "The oil tank has been scrapped".
ENDS_SUBJECT: tuple[tuple[str, str], ...] = (
    (r"\b(?:has closed(?: down)?|closed down|retired|resigned|is history|is over|is gone|broke up|has (?:left|died|gone|ended|stopped|moved (?:out|away))|(?:has|have) been (?:sold|scrapped|replaced|cancelled|abolished|dropped|removed|switched off|taken down))\b", "The oil tank has been scrapped."),
    (r"\b(?:aufgehört|abgeschafft|abgesagt|gekündigt|verkauft|ausgezogen|weggezogen|stillgelegt|ist ~(?:vorbei|weg|geschlossen))\b", "Der Laden ist geschlossen."),
    (r"(?<!\w)(?:cerró|ha cerrado|se jubiló|se fue|ha terminado|cancelad[oa]|suprimid[oa])(?!\w)", "La cooperativa cerró."),
    (r"(?<!\w)(?:a fermé|est partie?|a été (?:supprimé|annulé|vendu|remplacé)e?|supprimée?|annulée?|est terminée?)(?!\w)", "La boulangerie a fermé."),
)  # fmt: skip

# The text is only about one day or week, not about the rule.
ONE_DAY: tuple[tuple[str, str], ...] = (
    (r"\b(?:today|tonight|yesterday|tomorrow|(?:this|last) (?:week|morning|evening|afternoon|time)|for once|so far)\b", "The shop closed early today."),
    (r"\b(?:heute|gestern|morgen|diese woche|diesmal|vorerst)\b", "Heute blieb der Laden zu."),
    (r"(?<!\w)(?:hoy|ayer|esta (?:semana|vez|noche))(?!\w)", "Hoy cerró antes."),
    (r"(?<!\w)(?:aujourd'hui|hier|cette (?:semaine|fois)|ce (?:soir|matin))(?!\w)", "Aujourd'hui, elle a fermé tôt."),
)  # fmt: skip

# The beginning of a sentence about a thing that there is one of, or that says what it is. Other things may have
# several days and times.
ONE: tuple[tuple[str, str], ...] = (
    (r"(?:the|my|our|his|her|their|your|this)\b", "The fishmonger comes on Thursday."),
    (r"(?:der|die|das|mein|meine|unsere?|ihre?|seine?|diese[rs]?)\b", "Der Laden öffnet um neun."),
    (r"(?:el|la|los|las|mi|mis|nuestr[oa]s?|su|sus|est[ea])\b", "La clase es los lunes."),
    (r"(?:le |la |les |l'|mon |ma |notre |nos |son |sa |leur |cet? |cette )", "Le poissonnier livre le jeudi."),
    (r"(?:\S+ ){1,3}(?:is|ist|es|est)\b", "Standup is at 9:30."),
)  # fmt: skip
