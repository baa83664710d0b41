"""Words by which a text says that something has changed, was once so, or is not said to be so. Data, by language.

Patterns are matched in lower case with straight quotes and single blanks; an example stands behind each.
"""

# ruff: noqa: E501 - a pattern and its example are one row
from __future__ import annotations

# That something has changed, whatever it is.
CHANGED: tuple[tuple[str, str], ...] = (
    (r"\b(?:no longer|not? ~\bany ?more|no more|these days|from now on|as of|at last|finally|gone off|given up|gave up|gives up)\b", "No more coffee at all."),
    (r"\b(?:quit|retired|resigned|moved (?:in|out|to|from|away)|has moved|have moved|switched|sold|scrapped|replaced|cancelled|closed down|put off|postponed|raised|lowered|upgraded?|swapped|dropped|abolished|elected|took over|takes over|broke up|divorced|married|promoted|renamed|merged|migrated|maxed|thrown? out|is history|has been changed|changed to)\b", "We switched to the tram."),
    (r"\b(?:nicht mehr|kein\w* ~\bmehr|neuerdings|ab sofort|umgezogen|(?:ist|sind) ~\bgezogen|gewechselt|umgestellt|abgesagt|verschoben|umentschieden|endlich|inzwischen|abgeschafft|verkauft|gekündigt|statt bisher|nun doch|gewandert|wandert)\b", "Imke ist nach Lauenfels gezogen."),
    (r"\b(?:ya no|desde ahora|a partir de(?! las?\b)|hemos cambiado|cambiamos|se mudó|se ha mudado|dej(?:ó|é|amos) de|cerró|ha cerrado|cancelad[oa]|vendimos|por fin|subi(?:ó|eron)|se jubiló)(?!\w)", "La cooperativa cerró."),
    (r"(?<!\w)(?:ne ~\bplus(?! (?:de|que|tard))|n'\w+ plus(?! (?:de|que|tard))|désormais|dorénavant|fini|a changé|ont changé|a déménagé|annulée?|a fermé|vendu|enfin|et non|à partir de(?! \d))(?!\w)", "Fini le gaz."),
)  # fmt: skip

# That something may have changed: words that also stand where nothing did.
MAY_HAVE_CHANGED: tuple[tuple[str, str], ...] = (
    (r"(?:(?:^|[.;:,!] )|\b(?:my|our|the|a|his|her|their) )new\b|\b(?:now|newly|since|again|instead(?! of)|meanwhile|this year|said yes|from (?:20\d\d|january|february|march|april|may|june|july|august|september|october|november|december|this \w+|the first) on|best|counted|tried|works? now|got|grew|by now|nowadays|only way|a different|another)\b", "My new teacher is Idris."),
    (r"(?:(?:^|[.;:,!] )|\b(?:die|der|das|ein|eine|mein|meine|unser|unsere) )neue[rsn]?\b|\b(?:jetzt|seit|nun|wieder|stattdessen|statt|dieses jahr|nach de[mr]|schon|doch|bleibt|mittlerweile|heuer)\b", "Seit dem Workshop läuft das Metronom."),
    (r"(?:^|[.;:,!] )nuev[oa]s?\b|(?<!\w)(?:ya|ahora|desde|este año|tras|otra vez|en vez de|en obras|últimamente)\b", "Ya somos treinta voces."),
    (r"(?:(?:^|[.;:,!] )|(?<!\w)(?:le|la|un|une|mon|ma|notre) )nouve(?:au|lle)s?\b|(?<!\w)(?:maintenant|depuis(?! que)|cette année|après|au lieu de|aura lieu|auront lieu|de plus|à nouveau|en travaux)\b", "Depuis janvier, la production tourne à Francfort."),
)  # fmt: skip

# What is not said to be so: a question, a wish, a plan, a condition.
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

# What was so once, or for a time only: it does not contradict what is so now.
ONCE: tuple[tuple[str, str], ...] = (
    (r"\b(?:was|were|had|did|went|used to|ago|in (?:19|20)\d\d|until (?:19|20)\d\d|last (?:year|summer|winter|spring|autumn|week|month)|at the time|when we|yesterday|never been|has never|have never|alone|so far)\b", "Two years ago Milo wore size 26."),
    (r"\b(?:war|waren|hatten?|wurden?|damals|früher|bis (?:19|20)\d\d|vor (?:\w+ )?jahren|letzte[sn]? (?:jahr|woche|sommer|winter))\b", "Bis 2024 waren sie im Kindergarten."),
    (r"(?<!\w)(?:era|eran|estaba|estaban|fue|fueron|tenía|hace \w+ años|en (?:19|20)\d\d|el año pasado|antes)(?!\w)", "En 2023 costaba menos."),
    (r"(?<!\w)(?:était|étaient|avait|avaient|fut|il y a \w+ ans|en (?:19|20)\d\d|l'an dernier|autrefois|\w+ait)(?!\w)", "En 2023, il se vendait 7 euros."),
)  # fmt: skip
