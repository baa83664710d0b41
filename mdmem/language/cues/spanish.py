"""Cues in Spanish; see `english`. Data."""

from __future__ import annotations

from mdmem.language import negation

PARTS: dict[str, str] = {
    "<day>": r"(?:lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo)",
    "<month>": r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|se[pt]+iembre|octubre|noviembre"
    "|diciembre)",
    "<season>": r"(?:primavera|verano|otoño|invierno|navidad|semana santa)",
    "<number>": r"(?:\d+(?:[.,:]\d+)?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|veinte|cien)",
    "<kin>": (
        r"(?:mujer|marido|novi[oa]|pareja|hij[oa]s?|niñ[oa]s?|madre|padres?|herman[oa]s?|abuel[oa]s?"
        r"|t[ií][oa]s?|prim[oa]s?|sobrin[oa]s?|suegr[oa]s?|cuñad[oa]s?|caser[oa]|vecin[oa]s?|jef[ea]"
        r"|profesor[a]?|médic[oa]|perr[oa]s?|gat[oa]s?|equipo)"
    ),
}

CUES = {
    # -- who and what it is about
    "self": (
        r"\b(?:yo|mi|mis|me|mí|conmigo|soy|estoy|tengo)\b",
        "Yo vivo arriba.",
    ),
    "we": (
        r"\b(?:nosotr[oa]s|nuestr[oa]s?|nos|somos|tenemos|\w+amos)\b",
        "Compartimos nuestro jardín.",
    ),
    "others": (
        r"\b(?:él|ella|ell[oa]s|su|sus|le|les)\b",
        "Ella tiene la llave.",
    ),
    "kin": (
        r"\b(?:mis?|nuestr[oa]s?|sus?) (?:\w+ )?<kin>\b",
        "Mi hermana vive en Vigo.",
    ),
    "opens with a thing": (
        r"^(?:(?:y|pero|bueno|no|sí|ya|ah)[ ,]+)*(?:el|la|los|las|lo de|mis?|nuestr[oa]s?|tod[oa]s|cada) \w",
        "El cobertizo no tiene luz.",
    ),
    # -- how it is said
    "is": (
        r"\b(?:es|son|está|están|era|eran|fue)\b",
        "La verja es verde.",
    ),
    "negates": (
        negation.pattern("es"),
        "No hay ascensor.",
    ),
    "announces": (
        r"\b(?:por cierto|ojo|que sepas|conviene que sepa|te aviso|para que (?:lo )?sepas|debo (?:decir"
        r"|añadir|aclarar|rectificar)|una cosa|sabes qué|adivina|alegrarse conmigo|no te lo vas a creer)\b",
        "Por cierto, el ascensor no va.",
    ),
    "reasons": (
        r"\b(?:porque|así que|por eso|de modo que|ya que|pues|si no)\b",
        "Vamos a pie, porque el bus tarda.",
    ),
    "ahead": (
        r"\b(?:próxim[oa]|pronto|hasta|desde|a partir|va a|van a|vamos a|\w+(?:aré|aremos|erá|arán|irá))\b",
        "El curso empezará pronto.",
    ),
    # -- for how long it holds
    "recurs": (
        r"\b(?:todos los|todas las|cada|los (?:<day>)s?|semanal(?:mente)?|mensual(?:mente)?|a diario"
        r"|por las (?:mañanas|tardes|noches)|entre semana|una vez (?:al|por|a la)|siempre que)\b",
        "Los jueves cerramos.",
    ),
    "always": (
        r"\b(?:siempre|nunca|jamás|ya no|normalmente|habitualmente|en general|por defecto|de siempre)\b",
        "Nunca usamos leña.",
    ),
    "since": (
        r"\b(?:desde (?!hoy|ayer)\w+|hace <number> (?:años|meses)|de toda la vida|<number> años)\b",
        "El garaje está alquilado desde marzo.",
    ),
    "from now": (
        r"\b(?:a partir de|en (?:lo sucesivo|adelante)|de ahora en adelante|desde ahora|desde este (?:mes"
        r"|año))",
        "A partir de mayo el taller es nuestro.",
    ),
    "dated": (
        r"\b(?:\d{1,2} de <month>|(?:en|de|desde|hasta|para) (?:<month>|<season>)|el (?:día )?\d{1,2}\b"
        r"|el (?:<day>|año pasado)|<month>|<day>|(?:19|20)\d\d)\b",
        "El curso empieza el 4 de octubre.",
    ),
    "timed": (
        r"\b(?:a las? \w+|\d{1,2}(?::\d\d)? ?h(?:oras)?|a mediodía|a medianoche)\b",
        "El autobús sale a las siete.",
    ),
    # -- what is said
    "all or none": (
        r"\b(?:solo|sólo|solamente|únicamente|tod[oa]s?|nadie|nada|ningun[oa]|amb[oa]s|cualquier\w*)\b",
        "La llave la tiene solo Ruth.",
    ),
    "rule": (
        r"^(?:(?:y|pero|por favor|bueno)[ ,]+)*(?:nada de|ningún|ninguna|no poner|no usar|no se) \w+"
        r"|\b(?:no se|no (?:debe|pueden?|deben)|hay que|se (?:debe|prohíbe|exige)|prohibid[oa]"
        r"|obligatori[oa]|norma|ha de|han de|tiene que|no se (?:toca|usa|puede)\w*)\b",
        "Nada de entregas por la mañana.",
    ),
    "role": (
        r"\b(?:(?:tiene|guarda|lleva) las?|es (?:la|el|de) (?:jef[ea]|president\w+|tesorer[oa]|encargad[oa]"
        r"|dueñ[oa]|mi|nuestr[oa])|firma|aprueba|gestiona|coordina|(?:lo|la|los|las) (?:lleva|decide|hace"
        r"|paga|firma)|se encarga|se ocupa|dirij?[oe]|dirige|pertenece|responsable|son (?:los|las) (?:de"
        r"|del)|es de)\b",
        "El presupuesto lo firma Marta.",
    ),
    "states": (
        r"\b(?:vive[ns]?|vivo|trabaj(?:o|a|an|amos)|se llama|cumple|naci[óo]|se reúne\w*|nos reunimos|abre"
        r"|cierra|cuesta|caduca|vence|jubil\w+|casad[oa]|divorciad[oa]|queda|pesa|mide|dura|necesita"
        r"|certificad[oa]|cerrad[oa]|asegurad[oa]|alquilad[oa]|viene[n]?|empieza)\b",
        "La reserva caduca pronto.",
    ),
    "has": (
        r"\b(?:tenemos|tengo (?!que|ganas|hambre|sueño)|tiene[n]?|usamos|uso|conduzco|toco|tocamos|pagamos"
        r"|hablo|compartimos|llevamos|hay (?:un|dos|tres|solo))\b",
        "Tenemos dos trasteros.",
    ),
    "located": (
        r"\b(?:queda|está|están|se encuentra|cuelga|es|son) (?:\w+ ){0,2}?(?:detrás|debajo|encima|al lado"
        r"|en el|en la|en|junto|frente|dentro|fuera)\b",
        "El contador está detrás del espejo.",
    ),
    "limit": (
        r"\b(?:no (?:tolera|bebe|come|prueba|aguanta|soport)\w*|vegetarian[oa]|vegan[oa]|embarazada"
        r"|diabétic[oa]|celíac[oa]|silla de ruedas|alérgic[oa]|alergia|intolerante|no pued[eo] (?:comer"
        r"|tomar|beber|usar|ir)|me (?:marea|sienta mal|da miedo)|odi[oa]|sord[oa]|cieg[oa]|ni loc[oa]"
        r"|asma)\b",
        "Nuestro hijo no tolera la leche.",
    ),
    "prefers": (
        r"\b(?:prefiero|preferimos|me gusta\w*|nos gusta\w*|le gusta\w*|encanta\w*|favorit[oa]|mejor (?:sin"
        r"|con))\b",
        "Prefiero la ventana.",
    ),
    "decided": (
        r"\b(?:me (?:quedo|cambio|decanto)|nos (?:quedamos|cambiamos|decantamos)|elegimos|elijo|prescindimos"
        r"|cambiamos a|descartado|decidido|decidimos|hemos (?:decidido|elegido|acordado|quedado)|vamos con"
        r"|vuelvo a|volvemos a|dejo (?:el|la|de)|optamos|usaremos|haremos|trato hecho|no (?:compraré|iré"
        r"|haré|volveré|compraremos)|que (?:lo|la|las|los) \w+ (?:ella|él|ellos))\b",
        "Vale, nos quedamos con la pizarra.",
    ),
    "cause": (
        r"\b(?:ursache|era (?:el|la|un|una|por|eso)|la culpa|el problema era|la causa|por eso|venía de"
        r"|se invalidaba|estaba (?:mal|rot[oa]|atascad[oa]|al revés|desactivad[oa]|suelt[oa])|se arregló"
        r"|lo arregló|desde entonces|llevaba|tenía (?:un|una)|faltaba)\b",
        "Era la junta del grifo, estaba seca.",
    ),
    "lesson": (
        r"\b(?:nunca más|resulta que|solo funciona|el truco|va (?:perfecto|bien)|funciona (?:con|si|solo)"
        r"|costó (?:la|el|medio)|he aprendido|sin \w+:|cambiad[oa] y)\b",
        "Resulta que el truco es el vinagre.",
    ),
    "achieved": (
        r"\b(?:aprobé|firmamos|hemos (?:firmado|comprado|vendido|ganado|terminado)|he (?:aprobado|firmado"
        r"|comprado|terminado)|me (?:apunté|he apuntado|jubil\w+)|se jubiló|por fin|conseguí|logré|liqui(?:dé"
        r"|damos|dado)"
        r"|(?:me|nos|le|les) (?:han|acaban de) (?:da(?:do|r)|conced(?:ido|er)|eleg(?:ido|ir)|acept(?:ado|ar))"
        r"|ha tenido (?:al?|un|una) \w+)\b",
        "Por fin hemos firmado.",
    ),
    "happened": (
        r"\b(?:se (?:rompió|cayó|perdió|murió|mudó|casó|quemó|inundó|trasladó)|me (?:rompí|caí|operaron"
        r"|robaron|mudé|casé)|nos (?:robaron|mudamos|casamos|cancelaron|timaron)|perdí|perdimos|falleci\w+"
        r"|operad[oa]|diagnostic\w+|sobrevivi\w+|ha (?:muerto|nacido)|murió|nació|encontré)\b",
        "Se rompió la ventana del desván.",
    ),
    "plans": (
        r"\b(?:(?:he|hemos) (?:reservado|pedido|alquilado|invitado)|reservamos|alquilamos|(?:voy"
        r"|vamos) a \w+r|nos (?:mudamos|vamos|casamos)|(?:el año|la temporada) que viene|el próximo"
        r"|la próxima|en (?:<season>)|está (?:reservad|pedid|previst)\w+|subimos|haremos|estrenamos)\b",
        "Nos mudamos a Vigo.",
    ),
    "changed": (
        r"\b(?:en lugar de|en vez de|no .{1,20}, (?:que|sino)|ya no|rectifi\w+|corrijo|se trasladó|cambió"
        r"|me equivoqué|al revés|que no,)\b",
        "Cierra a las seis en vez de a las siete.",
    ),
    "instructs": (
        r"\b(?:tut[ée]\w+-?me|respóndeme|contésteme|sin (?:emojis|rodeos)|(?:en|sin|con) \w+,? (?:porfa"
        r"|por favor)\b|no (?:me |le |nos )?(?:pongas|uses"
        r"|escribas|añadas|sugieras|propongas)|firme siempre|(?:use|escriba|responde|usa) siempre"
        r"|cuando (?:me )?escribas)\b",
        "No me pongas adjuntos.",
    ),
    # -- what speaks against it
    "asks what": (
        r"^¿|^(?:(?:y|pero|oye)[ ,]+)*(?:qué|cómo|cuál|quién|dónde|cuánt\w+|cuándo|por qué|puedes?|podría"
        r"|sería) ",
        "Cómo se hace",
    ),
    "asks for": (
        r"^(?:(?:y|por favor|vale|ok|gracias)[ ,.!]+)*(?:haz|escribe|corrij\w+|muestra|quiero|necesito"
        r"|suprima|cambie|revise|añada|pon|pásame|dale|dime|borra|busca|mira|pru[eé]balo)\b",
        "Por favor, añada un ejemplo.",
    ),
    "supposes": (
        r"\b(?:si (?:(?:me|nos|te) tocara?|fuese|fuera|tuviera|hubiera|pudiera)|supongamos|imagin\w+|sería"
        r"|podríamos|habría"
        r"|ojalá)\b",
        "Si tuviera tiempo, pintaría.",
    ),
    "doubts": (
        r"\b(?:quizás?|tal vez|algún día|creía|creo|a lo mejor|no sé|espero que)\b",
        "Quizá venga.",
    ),
    "moment": (
        r"\b(?:hoy|ahora mismo|esta (?:tarde|mañana|noche)|llueve|ayer|mañana(?! por)|luego|otra vez)\b",
        "Hoy tengo prisa.",
    ),
    "reported": (
        r"\b(?:dice[n]?|dijo que|(?:me|nos) (?:dijo|ha dicho)|según|jura|asegura)\b|\bmi (?:ami[gt][oa]"
        r"|vecin[oa])\b",
        "Mi vecino dice que venda.",
    ),
    "feels": (
        r"\b(?:cansad[oa]|me alegra|me asusta|insoportable|divertid\w+|bonito|genial|feliz|ridículo|perfecto"
        r"|jaja\w*|estupendo|ay)\b",
        "Estoy cansada.",
    ),
    "story": (
        r"\b(?:de (?:niñ[oa]|pequeñ[oa])|cuando era|soñé|hace tiempo)\b",
        "De niña vivía en Cádiz.",
    ),
    "thanks": (
        r"^(?:(?:muchas )?gracias|buen[oa]s|hola|vale|ok|ya|sí|perfecto|de acuerdo|adiós)\b",
        "Gracias, así basta.",
    ),
    "addresses": (
        r"\b(?:tú|usted|ustedes|te|ti|tu|tus)\b",
        "Tú lo ves fácil.",
    ),
    "points": (
        r"^(?:(?:y|pero|sí|no)[ ,]+)*(?:eso|esto|es|ese|esa)\b",
        "Eso está mejor.",
    ),
    "at hand": (
        r"\b(?:en (?:la carta|el texto|el correo|este párrafo)|la (?:frase|línea|cláusula|fecha)"
        r"|el (?:párrafo|texto|diff|margen)|error|adjunt[oa])\b",
        "La frase es larga.",
    ),
}
