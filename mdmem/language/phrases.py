"""The phrases with which people save, correct, prefer, learn and finish: data of the trigger rules.

Patterns are matched in lower case with straight quotes and single spaces; `<start>` and the like stand for PARTS.
"""

from __future__ import annotations

from mdmem.language.speech import health, lasting

# Parts that many patterns share.
PARTS = {
    "<start>": (
        r"^(?:(?:and|but|so|oh|ok(?:ay)?|well|ah|hey|hi|yes|yeah|yep|also|btw|fyi|ps|please|hm+|thanks|great"
        r"|cool|claude|chat ?gpt|gpt|gemini|codex|copilot)\b[ ,.!:;-]*)*"
    ),
    "<i>": (
        r"\b(?:i|we)(?:'ve| have|'m| am|'re| are)?(?: (?:just|finally|already|now|actually|officially|both|all"
        r"|also))*"
    ),
    "<done>": (
        r"(?:shipped|released|launched|deployed|merged|finished|completed|finali[sz]ed|published|submitted"
        r"|defended|graduated|passed|aced|won(?!')|signed|landed|closed on|bought|sold|adopted|wrapped up"
        r"|rolled out|cut over|handed in|turned in|migrated|crossed|reached|hit|made it|moved in(?:to)?"
        r"|went live|set up shop|opened|earned|beat|built|secured|nailed|knocked out|delivered|pushed out"
        r"|tagged|paid off|retired|qualified|got (?:promoted|accepted|hired|engaged|married|approved|certified"
        r"|published|funded|through|in(?:to)?\b|a (?:raise|promotion|new job|degree)|the (?:job|offer|grant"
        r"|green light|certificate|keys|all-clear|role|part|visa|permit)|my (?:license|licence|degree|diploma"
        r"|visa|certificate|results|driver)|our (?:first|visa)))"
    ),
    "<state>": (
        r"(?:done|complete[d]?|live|finished|merged|shipped|released|in production|in prod|deployed"
        r"|up and running|launched|signed off|finali[sz]ed|published|closed|all green|feature[- ]complete"
        r"|over the line|wrapped up|through|approved|accepted|ready to ship|behind us|migrated)"
    ),
    "<keep>": (r"(?:memory|memories|notes?|vault|file|record|log|long[- ]term)"),
    "<kin>": (
        r"(?:wife|husband|partner|fianc[eé]e?|(?:girl|boy)friend|daughters?|sons?|kids?|child(?:ren)?|twins"
        r"|baby|mother"
        r"|father|mum|mom|dad|parents|sisters?|brothers?|grandma|grandpa|grand(?:mother|father|parents|son"
        r"|daughter)"
        r"|aunt|uncle|cousin|niece|nephew|in-laws|boss|manager|landlord|landlady|doctor|dentist|therapist"
        r"|teacher"
        r"|neighbou?rs?|colleague|flatmate|roommate|dogs?|cats?|pup(?:py)?|kitt(?:y|en)|horse|rabbits?|pets?)"
    ),
    "<day>": (
        r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays|weekends|january|february|march|april|may"
        r"|june|july"
        r"|august|september|october|november|december|spring|summer|autumn|winter|\d)"
    ),
    "<own>": r"(?:\b(?:my|our|the (?:team|company|office|school|club|firm|shop)'s) (?:[\w'-]+ ){0,3})",
    "<many>": r"(?:an?|one|two|three|four|five|six|\d+)",
}

# (trigger, confidence 0-1, why) -> a pattern that is enough on its own.
RULES = {
    ("save", 0.95, "asks to save"): (
        r"\b(?:save|store|put|add|write|commit|log|file|record|persist|stash|keep|jot|note) (?:(?:this|that|it"
        r"|these|those|the following|down|all of this|what i said)\b.{0,30}?)?(?:to|in|into|for"
        r"|as a) (?:(?:your|the|my|our|long[- ]term|permanent|project) )*<keep>\b"
    ),
    ("save", 0.9, "asks to remember"): (
        r"<start>(?:please |pls |can you |could you |would you |will you |you should |do |just |let's |and "
        r"|i(?:'d| would) like you to |i (?:want|need) you to )*(?:remember|memori[sz]e|note"
        r"|record)\b(?:,? please)?(?: down)?(?: ?[:,-]| (?:that|this|these|my|our|the|his|her|their|for|i|we"
        r"|it|he|she|to|something for)\b)"
    ),
    ("save", 0.9, "asks not to forget"): (
        r"\b(?:don'?t|do not|never|let'?s not|please don'?t|must not|shouldn't) (?:you )?(?:ever )?(?:forget"
        r"|lose track of)\b(?! to\b)"
    ),
    ("save", 0.85, "asks to keep"): (
        r"\b(?:save (?:this|that|it)|make a (?:mental )?note|take (?:a )?note|keep (?:this |that |it )?in mind"
        r"|bear in mind|keep on (?:file|record)|(?:put|keep|save|store) (?:this|that|it) (?:somewhere|where)\b"
        r"|jot (?:this|that|it) down|write (?:this|that|it) down|note (?:this|that|it) down"
        r"|put (?:this|that|it) on record|for the record|for (?:future|later) reference|make sure (?:you"
        r"|to) remember|hold on to (?:this|that)|keep a record|add (?:this|that|it) to (?:what you know"
        r"|the list of things)|commit (?:this|that|it) to memory|store (?:this|that)|log (?:this|that) (?:for"
        r"|so)|worth remembering|please remember|remember this|(?:stash|file|tuck|squirrel|put) (?:that|this"
        r"|it) away|hang on to (?:this|that)|park (?:this|that) (?:for|until)|i(?:'ll| will| might)? (?:need"
        r"|want) (?:this|that|it) (?:again )?(?:later|next time)|so you (?:know|have it) (?:for )?next time"
        r"|you'?ll need (?:this|that|it) (?:later|again|next))\b"
    ),
    ("save", 0.85, "asks to remember"): (
        r"\b(?:merk(?:e)? (?:dir|es dir)|vergiss (?:bitte )?nicht(?!,? .* zu \w+en\b)|behalten? (?:sie "
        r"|dir )?(?:bitte )?(?:dauerhaft"
        r"|im (?:kopf|gedächtnis|hinterkopf))|(?:bitte )?speicher(?:e|n)?\b(?: dir)?"
        r"|notier(?:e)?\b|halt(?:e)? (?:das )?fest|recuerda(?: que)?\b|acu[eé]rdate"
        r"|no (?:te )?olvides(?! (?:de )?\w+[aei]r\b)"
        r"|gu[aá]rda(?:lo|me|r)?\b|apunta\b|an[oó]ta(?:lo)?\b|ten en cuenta|souviens[- ]toi|retiens"
        r"|n'oublie pas(?! d(?:e |'))|garde[zr]? (?:pour moi|en tête)|note(?:z)? (?:bien )?que|enregistre"
        r"|garde en m[eé]moire|ricorda(?:ti)?)\b"
    ),
    ("save", 0.8, "asks to keep"): (
        r"\b(?:don'?t let (?:me|us) forget|one for the (?:wiki|notes?|book|record|files?|list|runbook"
        r"|archive)|keep (?:a|the|track of|count of|an eye on) (?:tally|list|note|record|running|score|count"
        r"|log)\b|(?:this|that|that one)(?:'?s| is) a keeper|belongs? in (?:our|the|my|your) (?:\S+"
        r" )?(?:notes?|wiki|log|list|docs?|files?|runbook|memory)|goes (?:in|into|on|to|under) (?:my|the|our"
        r"|your) (?:\S+ ){0,2}(?:log|list|notes?|file|wiki|diary|journal|runbook|memory)|(?:add|put|file|pin"
        r"|tag|save|write|enter|include|move|copy|note) (?:\S+ ){1,6}(?:to|in|into|under|on|with) (?:my|the"
        r"|our|your) (?:\S+ ){0,2}(?:list|notes?|log|wiki|runbook|recipes?|file|files|diary|journal|docs?"
        r"|calendar|memory|vault|records?|book)|add to (?:my|the|our|your) (?:\S+ )?(?:list|notes?|log|wiki"
        r"|runbook|memory|file)|(?:file|save) (?:\S+ ){1,6}under\b|keep (?:\S+ ){1,5}in mind|i(?:'ll| will)"
        r" (?:ask|need|want) (?:you )?(?:for |about )?(?:this|that|it) (?:again|later)|remind me (?:about"
        r"|that|next|when)|pin (?:this|that)|bookmark (?:this|that)|schreib(?:e)? (?:dir )?(?:das |es )?auf"
        r"|merken\b|ap[uú]nta(?:me|lo|te)?|an[oó]ta(?:me|lo)?|para (?:luego|m[aá]s tarde)|mets[- ](?:le|la"
        r"|[çc]a)? ?de c[oô]t[eé]|à retenir|garde (?:[çc]a|le|la)|(?:stick|stuff|drop|get|jot) (?:this|that"
        r"|it|these|those) (?:\S+ ){0,2}(?:notes?|file|list|memory|log)|don'?t (?:you )?(?:dare )?lose (?:it"
        r"|this|that)|i want (?:\S+ ){1,3}(?:kept|saved|noted|stored|remembered)|(?:file|log|hold|keep|store"
        r"|park|note|save|collect) (?:it|this|that|them|these|the \S+(?: \S+)?) (?:for me|somewhere|for"
        r" (?:the|later|next)|safe|permanently|i(?:'ll| will))|gu[aá]rda(?:te|melo|lo)?)\b"
    ),
    ("correction", 0.75, "says that something is wrong"): (
        r"\b(?:(?<!it )that'?s|that is|this is|you'?re|your .{1,30} (?:is|are)|those are"
        r"|that was) (?:actually |completely |totally |just |simply |not quite |a bit |all )?(?:wrong"
        r"|incorrect|outdated|out of date|not right|not correct|not true|not how|not what i|no longer"
        r"|inaccurate|mistaken|backwards|the old|an old|stale)\b"
    ),
    ("correction", 0.75, "corrects what was said"): (
        r"\b(?:correction|scratch that|strike that|let me correct|i (?:misspoke|was wrong|stand corrected"
        r"|mixed up|mistyped|take that back|got (?:that|it) wrong)|my mistake|my bad|i meant\b|what i meant"
        r"|i should have said|you(?:'ve| have)? (?:got (?:that|it|this|me|them|the \w+) (?:wrong|mixed"
        r"|backwards|confused)|mixed|confused|misread|misunderstood|misheard|swapped|flipped) (?:that|it|the"
        r"|them|me|up|this)|not what i (?:said|meant|asked)|typo|the wrong way (?:a?round|up)|(?:i"
        r"|you) (?:gave|wrote|typed|put|had|used|sent|quoted|told) (?:\w+ ){0,3}(?:the )?wrong|(?:scrap|forget"
        r"|ignore|disregard) (?:what|that|the (?:old|previous|last|earlier)|everything)|no idea why i (?:said"
        r"|typed|wrote|put)|as i said|like i said|i (?:already )?told you|(?<!what )i said\b)"
    ),
    ("correction", 0.7, "names the right one and the wrong one"): (
        r"\b(?:is|are|was|it'?s|uses?|on|in|at|to|by|with|called|from|for|need|want|said|meant"
        r"|wants) [^,;.]{1,40}, ?(?:and )?not (?!sure|yet|only|just|that|too|to mention|really|bad|even|so"
        r"|much|because|necessarily)\S+"
    ),
    ("correction", 0.65, "contradicts"): (
        r"<start>(?:no+(?! doubt| wonder| way| problem)|nope|nah|nein|non|wait|hold on|hang on|sorry|oops"
        r"|careful|not (?:quite|exactly|really|anymore)|wrong)\b[,.!:;–—-]+ ?(?!(?:problem|worries|idea|need"
        r"|thanks?|thank|rush|matter|wonder|doubt|way|kidding|that'?s (?:fine|ok|all|great|it|good|perfect)"
        r"|not really|change)\b)\S+ \S+ \S+|^(?:nein|doch|stimmt nicht|das (?:ist|stimmt) (?:falsch|nicht)"
        r"|eigentlich|en realidad|no, (?:es|en|el|la|son|usamos|mi)|te equivocas|en fait|ce n'est pas"
        r"|c'est faux|non, )\b|<start>(?:no|nope|hang on|hold on|wait|hm|sorry|oops|er|uh|make (?:that|it)"
        r"|strike|scratch|disregard|drop|cross out)[,.:;–— ]+ ?(?:the |that |it'?s |to )?\S*\d"
    ),
    ("correction", 0.4, "names the wrong one and the right one"): (
        r"\b(?:not|isn't|aren't|wasn't|doesn't use|don't use) (?!only|just|sure|even)(?:the |a "
        r"|an )?[\w.'-]+(?: [\w.'-]+){0,3}(?:,| -| –| —|;)? (?:but (?:rather |the |a |in |on )?|it'?s |we use "
        r"|it uses |rather )\S+"
    ),
    ("correction", 0.65, "says what has changed"): (
        r"\b(?:no longer|(?:not|n't)\b.{0,40} any ?more\b|changed (?:my|our|her|his|their) minds?|(?:i|we|he"
        r"|she|they)(?:'ve| have|'s| has)?(?: since| just| now| already| recently)? (?:switched|moved|migrated"
        r"|changed|gone back|went back|renamed|swapped|ditched|dropped|replaced)(?: \S+){0,4} (?:to|from|over"
        r"|off|away|for|with|back)\b|(?:is|are|was|were|has been|have been|got|been) (?:now )?(?:renamed"
        r"|replaced|moved|rescheduled|postponed|pushed back|superseded|deprecated|switched)\b"
        r"|instead of what i|still (?:has|have|says?|shows?|lists?|points? (?:to|at)|uses?"
        r"|mentions?) (?:\S+ ){0,3}old|(?:was|is|that's|were) (?:the|my|our|an?|from the) (?:old|former"
        r"|previous|outdated)\b|we rebranded|(?:it|that|this|(?:the|my|our) \S+)(?:'s| has"
        r"| have)? (?:since )?(?:changed|moved)\b|(?:it|that) (?:should|must) (?:be|say|read)\b.{1,40}(?:not"
        r"|instead|rather)|c'[eé]tait l'ancien|war (?:der|die|das) alte)"
    ),
    ("correction", 0.65, "corrects what was said"): (
        r"\b(?:(?:you|it) keeps? (?:writing|saying|calling|using|putting|getting|suggesting|assuming|mixing"
        r"|adding)|miscounted|misremembered|mis-?typed|(?:i|we|he|she|they) (?:was|were) off\b|(?:strike"
        r"|disregard|scratch|cross out) (?:the|that|those|my|what)|forget (?:the|about|what|that|my)"
        r" (?!.*(?:remember|later))|me equivoqu[eé]|je me suis tromp[eé]|hab(?:e)? mich (?:vertan|geirrt"
        r"|vertippt)|(?:is|are|was)(?: now)? called\b.{1,30}(?:btw|by the way|not|now)|you'?re (?:looking at"
        r"|thinking of|using|reading) (?:an? |the )?(?:old|wrong|outdated|other|previous)|it'?s spel(?:led"
        r"|t)|mixed (?:up|them)|is not (?:the|a|an|my|our)\b.{2,40}(?:it'?s|but|that'?s)|got (?:changed"
        r"|moved|shut down|cancelled|renamed|replaced|swapped|pushed|bumped)|(?:does(?:n'?t| not)|no longer)"
        r" appl(?:y|ies)|(?:been |was |is )?(?:pushed|moved|brought forward|shifted|delayed|postponed)"
        r" (?:back )?to|(?:is|are|name'?s|name is) \w+ now\b|you(?:'ve)? (?:put|written|spelled|called) \S+"
        r"|not \w+[!.]+ )\b"
    ),
    ("correction", 0.6, "says 'actually'"): (
        r"<start>actually[, ]+(?!(?:can|could|would|do|does|is there|let'?s|never ?mind|yes|yeah"
        r"|no,? (?:that'?s fine|wait)|quite|really|pretty|very|i (?:think|guess|like|love|enjoy|was wondering"
        r"|have a question|wanted|need))\b)\S+ \S+|\b(?:it'?s|is|was|are|were|he'?s|she'?s|they'?re|we'?re"
        r"|i'?m|should|has|have) actually (?!(?:pretty|quite|really|very|a (?:great|good|nice)|great|good|nice"
        r"|fun|kind|so)\b)\S+"
    ),
    ("correction", 0.6, "changes a rule"): (
        r"\b(?:from now on|as of (?:now|today|this week|next)|going forward|starting (?:today|now|next"
        r"|tomorrow|this)|ab (?:jetzt|sofort)|de ahora en adelante|a partir de ahora|d[eé]sormais|(?:à"
        r"|a) partir de maintenant)\b"
    ),
    ("correction", 0.6, "says what was and what is"): (
        r"\b(?:used to|originally|previously|at first i|i thought|we thought)\b.{3,80}\b(?:but|now|instead"
        r"|anymore|these days|however)\b"
    ),
    ("preference", 0.85, "states a preference"): (
        r"\b(?:i|we|i'd|we'd)(?: really| much| always| strongly| generally| usually| would| definitely| still"
        r"| do| just| personally| tend to)* (?:prefer|favou?r)\b"
    ),
    ("preference", 0.75, "states a dislike"): (
        r"\b(?:i|we)(?: really| just| absolutely| truly| honestly| genuinely| kinda)* (?:hate|dislike|detest"
        r"|loathe|despise|can'?t stand|cannot stand|can'?t bear|can'?t deal with|don'?t (?:really )?(?:like"
        r"|want|do|eat|drink|use|trust|enjoy|care for|need|believe in)|do not (?:like|want|eat|drink|use)"
        r"|never (?:use|eat|drink|work|take|touch|want|do|wear|order|buy|watch|read|drive|answer)|avoid"
        r"|refuse to|try to avoid)\b"
    ),
    ("preference", 0.75, "names a favourite"): (
        r"\b(?:my|our|an? |one of my |all[- ]time )(?: ?all[- ]time| absolute| personal)* ?(?:favou?rite|go-to"
        r"|comfort (?:food|show|book|read)|happy place|guilty pleasure|pet peeve|preference|default|weakness"
        r"|dream car)s?\b"
    ),
    ("preference", 0.7, "says what they are like"): (
        r"\b(?:i'?m|i am|we'?re|we are)(?: really| not| more| such| just| very| also| quite| definitely| a bit"
        r"| kind of| always)* (?:an? (?:big |huge |massive |total |real |bit of a |bit )*(?:fan|lover"
        r"|morning person|night owl|person|sucker|believer|stickler|purist|vegetarian|vegan|minimalist"
        r"|visual learner)|into\b|fond of|allergic|intolerant|vegetarian|vegan|pescatarian|partial to|picky"
        r"|obsessed with|passionate about|drawn to|crazy about|used to having|colou?r-?blind|left-handed"
        r"|dyslexic|sensitive to|most productive|at my best)\b"
    ),
    ("preference", 0.7, "asks for it always"): (
        r"(?:^|[,;:.!–—-] |\b(?:please|pls|just|and|but|so|you should|you can|could you"
        r"|can you) )(?:please )?(?:always|never|stop|quit|don'?t ever|do not ever|by default,?|whenever"
        r"|every time|each time|in general|in future|in the future|any time|anytime)\b(?=.*\b(?:use|write|give"
        r"|show|answer|reply|call|send|put|add|explain|keep|format|tell|ask|suggest|include|start|respond|make"
        r"|skip|leave|do|avoid|run|say|name|schedule|book|round|translate|convert|recommend|apologi[sz]ing"
        r"|saying|adding|using|asking|giving)\b)|\b(?:from now on|going forward|in future|ab (?:jetzt|sofort)"
        r"|d[eé]sormais|de ahora en adelante)\b(?=.*\b(?:you|show|give|use|write|answer|reply|keep|send|me|mir"
        r"|moi)\b)"
    ),
    ("preference", 0.7, "states a preference"): (
        r"\b(?:ich (?:mag|bevorzuge|hasse|liebe|esse kein|trinke kein|möchte lieber|will lieber|nehme lieber"
        r"|arbeite (?:lieber|am liebsten))|am liebsten|lieber\b|mir ist .{1,20} lieber|me gustan?"
        r"|no me gustan?|prefiero|odio|me encantan?|mi favorit[oa]|je pr[eé]f[eè]re|j'aime|je n'aime pas"
        r"|je d[eé]teste|j'adore|antworte (?:bitte |mir )?(?:immer|stets|nur)|responde siempre"
        r"|r[eé]ponds?[- ](?:moi|toujours)|schreib mir|escr[ií]beme|cont[eé]stame)\b"
    ),
    ("preference", 0.65, "says how they want it"): (
        r"\b(?:(?:i|we)(?:'d| would) (?:much |really )?rather|(?:i|we) (?:want|need|expect|like) (?:my|our"
        r"|all|every|things|everything|answers?|it|code|you to|responses?) (?:\S+ ){0,4}(?:short|brief"
        r"|concise|detailed|simple|plain|in|to be|as|with|without|always)|works? (?:best|better|well) for me"
        r"|easier for me|suits me|makes? (?:it|things|life) easier for me|drives? me (?:crazy|nuts|mad|up"
        r" the wall)|gets? on my nerves|(?:makes me|i get) (?:sick|nauseous|queasy)|bothers me|annoys? me"
        r"|gives? me (?:a )?(?:headaches?|hives|migraines?|the creeps)|(?:is|are) (?:out|banned|off limits"
        r"|off the table) in (?:this|our|my) (?:house|home|family|team)|house rule|(?:for|in) (?:\w+"
        r" )?(?:years|ages|decades) now|not an? \S+ person|call me\b|i go by\b|my pronouns|i (?:only|always"
        r"|usually|normally|mostly|typically|generally|tend to|try to|make a point of) (?!been|feel|felt"
        r"|think|forget|end|find|wanted|thought|wondered|knew|have to|had)\w+|no (?:emojis?|bullet points"
        r"|small talk|fluff|yapping|preamble|tabs|meetings)\b|keep (?:it|them|your (?:answers|replies"
        r"|responses)|answers|replies|responses) (?:short|brief|concise|simple|to the point)|less (?:fluff"
        r"|chatter|verbose)|skip the (?:pleasantries|intro|preamble|fluff))|\b(?:(?:is|are) (?:a no-?go|out"
        r"|a no|off the menu|non-negotiable)\b|no-\w+ (?:household|house|home|family|person)|(?:only"
        r" )?works? for (?:me|us)\b|can'?t (?:be in the same|do without|sleep|eat|drink|read|concentrate"
        r"|think|tolerate|digest|have) |\w+ (?:food )?only (?:for|in|at|please)|j'ai horreur|chez (?:moi"
        r"|nous)|en (?:esta|mi) casa|(?:has been|been (?:that way|like that|doing (?:it|that))) (?:for"
        r"|since)|(?:i|we) (?:don't|do not|never) do \w+|in our (?:house|home|family)"
        r"|i (?:play|write|cook|paint|work|read|learn"
        r"|study|train|sleep|drive|type|throw) (?:left-handed|standing|alone|at night|in|by|with|without)"
        r"|keep (?:\S+ ){1,3}(?:to|under|below|within) (?:\S+ )?(?:\d+|one|two|three|five|ten|a|half))\b"
    ),
    ("preference", 0.65, "says what their health or faith asks for"): (
        r"\b(?:asthma|allerg\w+|intoleran\w+|coeliac|celiac|diabetic|kosher|halal)\b"
    ),
    ("preference", 0.65, "says what it means to them"): (
        r"\b(?:(?:is|are|it'?s|that'?s|was) (?:so |really |super |very |always )?(?:my (?:thing|jam|passion"
        r"|escape|hobby|therapy|cup of tea|happy place)|important to me|relaxing for me|therapeutic for me"
        r"|a must for me|a deal-?breaker)|(?:isn'?t|not) (?:really )?my (?:thing|cup of tea|style)"
        r"|helps? me (?:relax|unwind|de-?stress|focus|concentrate|escape|recharge|clear my head|feel|stay"
        r"|to))\b"
    ),
    ("preference", 0.6, "states a liking"): (
        r"\b(?:i|we)(?:'ve| have)?(?: really| just| absolutely| always| truly| honestly| genuinely| also"
        r"| still| especially| definitely)* (?:like|love|enjoy|adore|loved|liked|swear by|live for"
        r"|can'?t live without|am into|crave)\b(?! (?:to see|to hear|to know|it\b|that\b|the idea|your|you|how"
        r"|this\b|what|the (?:sound|way|look|vibe|energy|colou?rs?|idea)|hearing|seeing|these|when you))"
    ),
    ("learning", 0.8, "tells what it turned out to be"): (
        r"\b(?:turns out|turned out|it transpired|as it turns out|resulta que|stellt sich heraus"
        r"|stellte sich heraus|hat sich herausgestellt|il s'av[eè]re|es lag (?:an|daran))\b"
    ),
    ("learning", 0.8, "names the cause"): (
        r"\b(?:root cause|culprit|the (?:real |actual |underlying |whole |only )?(?:problem|issue|bug|reason"
        r"|cause|trouble|catch|failure|error|leak|slowdown|crash|bottleneck|deadlock|flake|mistake|trick|key"
        r"|secret|fix|solution|workaround|answer|difference) (?:here )?(?:is|was|were|lay|lies|turned|came"
        r"|comes|happened|happens|seems)\b(?! (?:that )?(?:i|you|we) (?:don'?t|can'?t))|(?:and|so|here'?s"
        r"|found|that'?s|which is|also) (?:the reason|why)\b|the reason (?:why |that )?[^.?!]{3,60}:"
        r"|what (?:kept|broke|caused|stopped|blocked|killed) (?:it|this|that|the|us)|explains why)\b"
    ),
    ("learning", 0.75, "tells what was found out"): (
        r"\b(?:i|we)(?:'ve| have)?(?: just| finally| also| recently)? (?:learn(?:ed|t) (?:that|how|why"
        r"|the hard|a lot about|it the|from|to never|something|one thing)|found out|ran into|noticed (?:that"
        r"|something|going|one)|figured (?:out|it out)|discovered|tracked (?:it|this|that|the \w+) down|traced"
        r"|nailed (?:it|this) down|worked out|realised|realized|bisected|narrowed)\b"
    ),
    ("learning", 0.75, "marks a lesson"): (
        r"\b(?:gotcha|caveat|pitfall|lesson(?:s)? (?:learned|learnt|here|is|was)|takeaway|til\b"
        r"|today i learned|note to self|pro tip|rule of thumb|quirk|foot-?gun|undocumented|moral of the story"
        r"|would(?:n't)? (?:never|ever) have guessed|(?:something|one thing|a thing) (?:i"
        r"|we)(?:'ve)? (?:noticed|learned|learnt|found|ran into)|(?:results?|findings?) (?:of|from|after) "
        r"|who knew)\b"
    ),
    ("learning", 0.7, "explains a cause"): (
        r"\b(?:(?:was|were|is|are|being|got) (?:\w+ )?(?:caused|triggered|explained) by|(?:comes|came|stems"
        r"|stemmed|resulted|arises) from|(?:happens|happened|fails?|failed|breaks?|broke|crashe[sd]|hangs?"
        r"|hung|leaks?|leaked|occurs?|occurred|flakes?|timed out|slow|failing|breaking"
        r"|crashing)\b[^.?]{0,40}\b(?:because|when|whenever|if|since|unless|due to))\b"
    ),
    ("learning", 0.7, "tells what fixed it"): (
        r"\b(?:(?:that|this|which|it|what|adding|setting|removing|changing|pinning|switching|bumping|disabling"
        r"|enabling|moving|using|turning|clearing|wrapping)\b[^.?!]{0,60}\b(?:fixed|fixes|solved|solves"
        r"|resolved|resolves|cured|did the trick|made it work|cleared it up|brought .{1,30} down"
        r"|made the difference)|(?:fixed|solved|resolved|cured) (?:it |this |that |the \S+ )?(?:by|with"
        r"|after)\b|only (?:stopped|stops|worked|works|started|starts|passe[sd]|loads?|builds?|resolved?"
        r"|went away) (?:once|after|when|if|because|with)|(?:all|now|everything|it) (?:\S+ ){0,3}(?:resolves?"
        r"|builds?|passe?s?|works|loads|starts?|runs) (?:now|again|fine|through)\b|(?:went|dropped|rose|fell"
        r"|jumped|climbed|came down|is down|is up) from [~$€]?\d\S*(?: \S+){0,2} to [~$€]?\d|baut es durch"
        r"|works? (?:now )?(?:only )?(?:if|once|after|when|as long as) (?:i|you|we|the|it|they)|the fix)\b"
    ),
    ("learning", 0.7, "tells what was found out"): (
        r"(?:^|\b)(?:found it\b|that was it\b|that'?s what (?:was|did|made|caused)|(?:did|does|brought|made"
        r"|changed) (?:nothing|little|no difference|hardly any)|cured (?:it|the)|got rid of|sweet spot"
        r"|(?:would|could)(?:n't|'ve| have|n't have|ve)? (?:never|not|ever)?(?: have)? guessed|it was (?:just"
        r"|only|simply|all) (?:the|a|an|my|our)|what (?:had|was) (?:run|causing|wrong|missing)|(?:logs?"
        r"|profile\w*|trace|numbers|measurements|metrics) (?:show|shows|showed|say|said|prove)|i measured"
        r"|we measured|(?:drops?|dropped|falls?|fell|goes|went|down|up|improved?|jumped) (?:from"
        r"|to) (?:\S+ ){0,3}?\d\S*|what works (?:for (?:me|us|her|him) )?is|den unterschied"
        r"|which means it (?:never|always)|so (?:it|every \S+) (?:never|always|arrives|runs)|just tested"
        r"|(?:has|have) been (?:fine|quiet|stable|flat|dry|gone|working) (?:since|ever)|since (?:i|we) (?:put"
        r"|switched|changed|started|stopped|moved|turned|use|added)\b|(?:is|are|was|were) gone (?:since|after"
        r"|now)|(?:is|was) off by default|flat line|lesson:|never again|the hard way|lesson for (?:me|us|next)"
        r"|flipped (?:the|its)|got (?:me|us|it|her|him) from|that did (?:it|the)|(?:tried|tested"
        r"|compared) (?:\S+ ){1,5}(?:vs\.?|versus|against|and then|with and without)|ask me how i know"
        r"|half of (?:the|them|it|all)\b.{2,60}\b(?:had|were|was)|so it was)\b"
    ),
    ("learning", 0.6, "tells how it behaves"): (
        r"\b(?:only works?|does(?:n't| not) work|silently|under the hood|behind the scenes|it (?:needs|has"
        r"|must|ought) to be .{2,60} (?:before|first|after|otherwise|or)|(?:you|we) (?:have"
        r"|need) to .{2,80} (?:before|first|or (?:else|it)|otherwise)|doesn'?t (?:support|respect|honou?r"
        r"|propagate|invalidate|flush|inherit|survive|release|handle|trim|close|retry|escape)|ignores? (?:the"
        r"|its|your|any)|gets? (?:evaluated|cached|reset|overwritten|swallowed|rounded|truncated|dropped) )"
    ),
    ("milestone", 0.75, "tells of something completed"): (
        r"<i> <done>\b|\b(?:just|finally|officially|today|yesterday|this (?:morning|afternoon|week)"
        r"|last (?:night|week|friday|month))\b[^.?!]{0,25} <done>\b"
    ),
    ("milestone", 0.75, "says that it is done"): (
        r"\b(?:is|are|'s|'re|was|were|has been|have been|got|went|been)(?: now| finally| officially| all"
        r"| fully| just| both| successfully| at last)* <state>\b(?! (?:by|with|if|when|until|up to))"
    ),
    ("milestone", 0.7, "tells of something completed"): (
        r"\b(?:the|our|my|all|version|v\d\S*|phase \w+|sprint \w+|part \w+) (?:[\w.-]+ ){0,4}(?:passed"
        r"|shipped|launched|merged|went live|went out|landed|closed|sold out|got (?:approved|accepted|merged"
        r"|published|funded|signed))\b|\b(?:geschafft|abgeschlossen|veröffentlicht|bestanden|fertig(?:"
        r" ?gestellt| geworden)?|ausgeliefert|ist live|eingereicht|(?:hat|haben) unterschrieben|papiers signés"
        r"|ha tenido (?:al|a la|un|una) (?:niñ[oa]|beb[eé]|hij[oa])"
        r"|(?:me|nos) (?:han|acaban de) da(?:do|r) (?:el|la|un|una)|hemos (?:lanzado|terminado|publicado"
        r"|desplegado|entregado)|he (?:terminado|aprobado|acabado|entregado)|aprob[eé]|termin[eé]|por fin"
        r"|j'ai (?:fini|termin[eé]|r[eé]ussi|publi[eé]|livr[eé]|obtenu)|on a (?:livr[eé]|fini|termin[eé]"
        r"|publi[eé]|d[eé]ploy[eé])|c'est (?:fini|en ligne|termin[eé])|(?:on a|j'ai|hemos|he|wir haben|ich"
        r" habe) (?:sign[eé]|firmado|unterschrieben|gewonnen|ganado|gagn[eé])|(?:ist|sind) (?:jetzt"
        r" )?(?:fertig|durch|online|live|geschafft))\b|\b(?:that'?s a wrap|handed in|[çc]a y est|abgegeben"
        r"|for the (?:very )?first time|aufgenommen|zugesagt|angenommen|admis[e]?\b|aprobad[oa]|(?:very "
        r"|ever )first \w+|number (\d+) of \1|\b(\d+) of \2\b)\b"
    ),
    ("milestone", 0.7, "reaches a mark"): (
        r"\b(?:milestone|(?:first|1st|100th|1000th|\d+(?:th|k)) (?:ever )?(?:paying )?(?:customer|sale|release"
        r"|marathon|user|place|prize|draft|paper|order|client|subscriber|star|commit|stable|half|book|novel"
        r"|game|win|tournament)|personal best|\bpb\b|crossed the finish|over the finish line|made it to"
        r"|highest ever|career[- ]high|record[- ]breaking|graduation day|(?:first|second|third|1st|2nd"
        r"|3rd) (?:prize|place)|(?:was|were|that'?s|closed|merged) the (?:very )?last (?:of|one)|(?:we"
        r"|i)(?:'re| are|'m| am) (?:now )?an? (?:\S+ ){1,4}now|\d[\d.:,k]* ?(?:km|miles|pages|words|chapters"
        r"|lessons)? (?:done|down|finished|in the bag)\b|(?:certificate|diploma|permit|visa|keys|approval"
        r"|acceptance letter|medal|offer|contract) (?:just |finally )?(?:came|arrived|is here|is in|is signed"
        r"|got here)|\d+ (?:days?|weeks?|months?|years?) (?:sober|clean|smoke-?free|without (?:a )?(?:smoking"
        r"|drinking|cigarette)))\b"
    ),
    ("milestone", 0.6, "tells of a step taken"): (
        r"<i> (?:started (?:my|a|our) (?:new )?(?:job|business|company|course|degree|shop|channel|blog|studio"
        r"|phd|internship)|signed up|enrolled|joined|became|quit my|left my|founded|began (?:my|a|our)"
        r"|took (?:first|second|third) place|finished|accepted (?:the|an?)|applied|recorded|wrote my"
        r"|did my first|ran my first|received|was (?:accepted|offered|chosen|selected|promoted|hired))\b"
    ),
    ("fact", 0.85, "tells a date of life"): (
        r"(?:\b(?:my|our|\w+'s) (?:[\w'-]+ ){0,4}(?:birthday|anniversary|name day) (?:is|falls)\b"
        r"(?! (?:soon|coming|today|tomorrow))|\bi was born (?:in|on)\b)"
    ),
    ("fact", 0.8, "tells who somebody is"): (
        r"(?:<own><kin>(?:'s name)? (?:is|are) (?:called|named)\b|<own><kin>'s names? (?:is|are)\b"
        r"|\bmy name is\b|\b(?:i|we)(?:'ve got| have| got) <many> (?:\w+ )?<kin>\b"
        r"|\b(?:i|we)(?:'ve got| have) a \w+ and a \w+, [a-z]+ and)"
    ),
    ("fact", 0.75, "tells where somebody lives or works"): (
        r"(?:(?:\bi|\bwe|<own><kin>(?: [a-z]+)?) (?:lives?|works?|stud(?:y|ies)|teach(?:es)?|volunteers?"
        r"|commutes?|goes"
        r" to|grew up|comes? from)(?: (?!with|on|through|it)\w+){0,2} (?:in|at|as|for|near|on the|from)\b"
        r"|\b(?:i|we)(?:'m|'re| am| are) moving (?:in)?to\b(?=.*\b(?:in|on|next|by|at the end of) (?:<day>|week"
        r"|month|year))|<own><kin> goes to (?:school|kindergarten|university)\b|<own><kin> starts? (?:school"
        r"|kindergarten|university|college)\b|\bi(?:'ve| have) (?:lived|worked|played|taught|studied|been an?)\b"
        r"(?=.*\b(?:since|for)\b)|\bi lost my job\b)"
    ),
    ("fact", 0.75, "tells of somebody's health"): (
        r"(?:(?:\bi|\bwe|<own><kin>(?: [a-z]+)?)(?:'m|'s|'ve| am| is| are| has| have| had) (?:\w+ )?(?:allergic"
        r"|\w+ intolerant|diabetic|asthma|diabetes|migraines?|epilepsy|coeliac|celiac|a pacemaker|surgery|an"
        r" operation"
        r"|high blood pressure|hay fever|a \w+ (?:allergy|intolerance))\b)"
    ),
    ("fact", 0.85, "tells of somebody's health"): health.PATTERN,
    ("fact", 0.7, "tells what somebody has"): (
        r"(?:\b(?:my|our) (?:car|bike|bicycle|van|laptop|phone|camera|house|flat|boat|dishwasher|heating"
        r"|printer) is an?"
        r" (?!bit|mess|lot|pain|little|wreck|problem)\b|\b(?:i|we) (?:have|own|drive|ride) an? (?:(?:19"
        r"|20)\d\d)\b)"
    ),
    ("fact", 0.8, "tells what somebody has, speaks or is for good"): lasting.PATTERN,
    ("fact", 0.7, "tells how something is fixed"): (
        r"(?:(?:<own>|^the (?:[\w'-]+ ){0,3})[\w'-]+ (?:is|are) (?:called|named|numbered|paid|due|closed|open"
        r"|held|always"
        r"|kept)\b(?=.* (?:[\w.]+)$|.*\b(?:per|every|each|on|at|in)\b)"
        r"|(?:<own>|^the |^)(?:[\w'-]+ ){0,4}(?:is|are|starts?|ends?|begins?|opens?|closes?|takes? place|meets?)"
        r" (?:always )?(?:on|at|in) (?:the )?(?:first |second |third |last |room )?(?:<day>|noon|midnight"
        r"|room)\b"
        r"(?!.*\b(?:today|tonight|tomorrow|yesterday|ago)\b)|^the (?:[\w'-]+ ){0,3}(?:may|must|can) (?:only"
        r"|never) be\b"
        r"|\bneeds? (?:the|an?) (?:signature|approval|permission|consent) of\b"
        r"|\bis at (?:\d{1,3}\.){3}\d{1,3}\b)"
    ),
    ("fact", 0.65, "tells who is responsible"): (
        r"(?:^(?!(?:the|this|that|these|it|he|she|who|which|what|there|here|they|we|i|you|one|nobody"
        r"|everyone)\b)[a-z]+"
        r" (?:leads|runs|manages|heads|chairs|maintains|approves|handles|takes care of|is (?:responsible for"
        r"|in charge of"
        r"|the one who|our|my|the (?:head|lead|owner|manager|treasurer|contact|maintainer) of)|does the)\b)"
    ),
    ("fact", 0.7, "tells of oneself in another language"): (
        r"(?:\b(?:mein|unser)e?[rn]? (?:\w+ ){1,2}(?:heißt|heisst|wohnt|lebt|arbeitet|studiert|wird (?:im|am)"
        r"|hat am"
        r"|ist \w+ jahre)\b|\bich (?:wohne|lebe|arbeite|studiere|unterrichte|komme aus|bin"
        r" allergisch)\b(?=.*\b(?:in|bei"
        r"|als|am|an|aus|für|gegen)\b)|\bwir (?:wohnen|leben|ziehen) \b|\b(?:vivo|vivimos|trabajo|nací) en\b"
        r"|\bsoy"
        r" alérgic|\b(?:mi|nuestr[oa]) \w+ (?:se llama|vive|trabaja|es (?:médic|maestr|profesor|abogad"
        r"|enfermer))"
        r"|\b(?:j'habite|nous habitons|je travaille|je vis|j'enseigne)\b(?=.*(?:\bà|\ben\b|\bchez\b|\bdans\b"
        r"|\bcomme\b"
        r"|\bdepuis\b))|\b(?:mon|ma|notre) \w+ (?:s'appelle|habite|travaille)\b|\bje suis allergique\b)"
    ),
}

# For each trigger the patterns that only count together, as (weight 0-1, pattern).
CUES = {
    "fact": (),
    "save": (
        (
            0.35,
            r"\b(?:later|next time|future|someday|for when|again|reminder|until|on file|handy|december|january"
            r"|reference|für später|luego|plus tard)\b",
        ),
        (
            0.4,
            r"\b(?:note|notes|save|store|keep|remember|record|log|list|memory|mind|file|jot|write|put|pin"
            r"|bookmark|archive|remind|forget|merk\w*|notier\w*|gu[aá]rda\w*|apunta\w*|garde|note)\b",
        ),
    ),
    "correction": (
        (0.3, r"^\W*(?:[.#$€]?\d|(?:two|three|four|five|six|seven|eight|nine|ten|twelve)\b)"),
        (0.35, r"\b(?:by the way|btw|übrigens|au fait|por cierto|hm|hang on|hold on)\b"),
        (
            0.35,
            r"\b(?:wrong|incorrect|mistake|mistaken|typo|mixed|confused|meant|oops|sorry|wait|nope|nein|non"
            r"|falsch|correction|outdated|stale|misread|misremember\w*|swap(?:ped)?|other way (?:a?round))\b",
        ),
        (0.3, r"\b(?:not|isn't|wasn't|aren't|weren't|never|no)\b"),
        (
            0.3,
            r"\b(?:old|former|previous(?:ly)?|before|used to|anymore|any more|any longer|no longer|since|now"
            r"|instead|meanwhile|by now|nowadays|these days|plus|mehr|ya no|maintenant|jetzt|ahora)\b",
        ),
        (
            0.25,
            r"\b(?:it'?s|that'?s|is|was|are|were|should be|make (?:that|it)|ist|es|sind|est"
            r"|c'est) (?:\S+ ){0,3}\S*(?:\d|[a-z]\b)",
        ),
        (
            0.3,
            r"\b(?:you (?:have|had|wrote|said|put|used|keep|assumed|listed|called|forgot)|i (?:wrote|said|gave"
            r"|told|typed|mentioned|put)|above|earlier|last time|your (?:summary|list|plan|draft|notes?))\b",
        ),
    ),
    "preference": (
        (0.25, r"\b(?:i|me|my|mine|we|us|our|ich|mir|mich|yo|mi|je|moi)\b"),
        (
            0.35,
            r"\b(?:always|never|every|each|usually|whenever|anything|everything|all|any|only|nothing|mostly"
            r"|in general|by default|for (?:years|ages|life)|since i was|without|immer|nie|siempre|nunca"
            r"|toujours|jamais)\b",
        ),
        (
            0.35,
            r"\b(?:like|likes|love|loves|hate|hates|best|worst|annoying|comfortable|easier|readable|happier"
            r"|happiest|relax\w*|cosy|cozy|sick|too (?:\w+)|rather|better|fan|taste|style|habit|routine"
            r"|favou?r\w*|fond|allergic|can't|cannot|won't|enough|soft spot|thing for|no thanks|not for me"
            r"|please|bitte|por favor|gern|lieber)\b",
        ),
        (
            0.25,
            r"\b(?:(?:answer|reply|write|speak|talk|explain|show|give|send|tell|ask|call|use|skip|drop|leave"
            r"|keep|spare|format|name|put)(?:s|ing)? (?:me|it|them|to me|the|my|your|out|in|only|just)"
            r"|your (?:answers|replies|messages|code|examples|emails))\b",
        ),
    ),
    "learning": (
        (
            0.35,
            r"\b(?:because|cause[ds]?|since|due|reason|why|so that|once|until|unless|only|after (?:i|we|the)"
            r"|as soon as|without it|whenever|thanks to|weil|seit|porque|parce que)\b",
        ),
        (
            0.3,
            r"\b(?:fail\w*|error|slow\w*|fast\w*|broke\w*|works?|worked|working|fix\w*|bug|tests?|builds?"
            r"|leak\w*|crash\w*|stuck|drop(?:ped|s)|doubled|halved|better|worse|gone|cache\w*|memory|query"
            r"|deploy\w*|timeout|config\w*|version|index\w*|thread\w*|lock\w*|dough|yeast|soil|water\w*|pain"
            r"|sleep|oven)\b",
        ),
        (
            0.35,
            r"\b(?:noticed|found|saw|tried|tested|measured|compared|swapped|switched|turned|trick|secret"
            r"|result\w*|experiment\w*|guilty|blame|to blame|behind it|mystery|solved|explains?|lesson"
            r"|surpris\w*|weird\w*|quirk|never again|finally|difference|apparently|evidently|hidden|quietly"
            r"|silently)\b",
        ),
    ),
    "milestone": (
        (
            0.35,
            r"(?:!!|🎉|🥳|🏆|🎓|🚀|🍾|\b(?:woo+\w*|yay+|hooray|finally|at last|officially|champagne|celebrat\w*"
            r"|party|proud|tears|endlich|por fin|enfin)\b)",
        ),
        (
            0.25,
            r"\b(?:just|today|this (?:morning|afternoon|evening|week)|yesterday|last (?:night|week|friday"
            r"|month)|an hour ago|minutes ago|as of|now|heute|gestern|hoy|ayer|ce matin|hier)\b",
        ),
        (
            0.35,
            r"\b(?:done|finished|passed|signed|opened|sold|moved|won|got|made|reached|hit|crossed|launched"
            r"|shipped|live|complete|completed|merged|accepted|approved|graduated|certified|submitted"
            r"|delivered|closed|migrated|in production|paid off|handed|survived|through|over|behind me"
            r"|behind us|in the bag|out the door|sealed|keys|contract|degree|diploma|certificate|medal|prize"
            r"|offer)\b",
        ),
        (
            0.25,
            r"\b(?:first|last|final|second|third|all \w+|every|whole|entire|\d+(?:th|st|nd|rd|k)?|version"
            r"|v\d\S*)\b",
        ),
    ),
}
