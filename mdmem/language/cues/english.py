"""Cues in English. Data: name -> (pattern, a sentence that has it).

Patterns are matched in lower case with straight quotes and single spaces; `<day>` and the like stand for PARTS.
"""

from __future__ import annotations

from mdmem.language import negation

PARTS: dict[str, str] = {
    "<day>": (
        r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tue|wed|thu|fri|sat|sun)(?= ?[,+&/.]|$"
        r"| and))"
    ),
    "<month>": (
        r"(?:january|february|march|april|may(?= \d|[,.]| on\b)|june|july|august|september|october"
        r"|november|december|(?:jan|feb|mar|apr|aug|sept?|oct|nov|dec)(?=\.? \d))"
    ),
    "<season>": r"(?:spring|summer|autumn|fall|winter|christmas|easter|new year)",
    "<span>": r"(?:day|night|morning|evening|week|weekend|month|quarter|year|season|term|hour)",
    "<number>": (
        r"(?:\d+(?:[.,:]\d+)?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty"
        r"|thirty|forty|fifty|sixty|hundred)"
    ),
    "<kin>": (
        r"(?:wife|husband|partner|girlfriend|boyfriend|daughters?|sons?|kids?|child(?:ren)?|bab(?:y|ies)"
        r"|mother|father|mums?|mom|dad|parents|sisters?|brothers?|grand\w+|gran|aunt|uncle|cousin|niece"
        r"|nephew|in-laws|twins|fiancée?|flatmate|roommate|landlord|landlady|tenants?|neighbou?rs?|boss"
        r"|manager|teacher|coach|doctor|dentist|vet|lawyer|solicitor|dogs?|cats?|horses?|hens?|team"
        r"|colleagues?|clients?|customers?)"
    ),
    "<we>": r"(?:i|we|he|she|they|you|it)",
}

CUES = {
    # -- who and what it is about
    "self": (
        r"\b(?:i|my|me|mine|myself)\b",
        "I live upstairs.",
    ),
    "we": (
        r"\b(?:we|our|us|ours)\b",
        "We share the garden.",
    ),
    "others": (
        r"\b(?:he|she|they|his|her|their|them)\b",
        "She has the key.",
    ),
    "kin": (
        r"\b(?:my|our|his|her|their) (?:\w+ )?<kin>\b|^(?:mum|mom|dad|gran)\b",
        "Our landlady is Danish.",
    ),
    "opens with a thing": (
        r"^(?:(?:and|but|so|well|yes|no|oh|also|ok(?:ay)?|right|then|btw|fyi)[ ,]+)*(?:the|our|my|her|his"
        r"|their|all|every|each|both|these|those|anything|everything|nothing|nobody|everyone) \w",
        "The shed has no power.",
    ),
    "names who does": (
        r"\b(?!this|is|was|has|does|its|us|yes|as|less|plus|always|sometimes|days|ours|his|thanks|let's"
        r"|what's)[a-z]{3,}(?<!s)s\b (?:the|a|an|all|only|every|no|not|until|our|my|his|her|their|it) \w",
        "Ruth keeps the keys.",
    ),
    # -- how it is said
    "is": (
        r"\b(?:is|are|isn't|aren't)\b|'(?:s|re)\b",
        "The gate is green.",
    ),
    "negates": (
        negation.pattern("en"),
        "There is no lift.",
    ),
    "was": (
        r"\b<we>(?:'ve|'s| have| has| had)? (?:\w+ )?(?:\w{2,}ed|went|got|had|was|were|did|took|found|gave"
        r"|made|left|came|broke|lost|bought|sold|paid|put|set|kept|fell|met|ran|won|wrote|read|built|began"
        r"|chose|cut)\b",
        "We walked home.",
    ),
    "announces": (
        r"\b(?:fyi|btw|by the way|for (?:your|the) (?:information|record)|note that|(?:you should"
        r"|just so you) know|i (?:ought to|should|must) (?:mention|add|say|tell)|heads[- ]up"
        r"|one (?:more )?thing|in case you|guess (?:what|who)|incidentally|(?:didn't|did i) tell you"
        r"|you will (?:find|see)|remember that|as you know|mind you|also,)",
        "By the way, the lift is out of order.",
    ),
    "reasons": (
        r"\b(?:because|bc|since|therefore|hence|so|that's why|which is why|which means|meaning|so that"
        r"|otherwise)\b",
        "We walk, because the bus is slow.",
    ),
    "ahead": (
        r"\b(?:will|shall|going to|next|soon|until|till|by (?:<day>|<month>|then|the end)|starting|starts"
        r"|begins|due|upcoming)\b|'ll\b",
        "The course begins soon.",
    ),
    # -- for how long it holds
    "recurs": (
        r"\b(?:(?:every|each) (?:\w+ ){0,2}?(?:<span>|<day>|time|first|last|second|other)s?|<day>s|weekdays"
        r"|weekends|weekly|monthly|yearly|annually|nightly|daily|(?:once|twice|<number> times) (?:a|per"
        r"|every)|(?:in the )?(?:mornings|evenings|nights)|all year|year-round)\b",
        "We meet every second Tuesday.",
    ),
    "always": (
        r"\b(?:always|never|usually|any ?more|no longer|normally|as a rule|generally|in general|whenever"
        r"|by default|regularly|mostly|permanently|still)\b",
        "We never heat with wood.",
    ),
    "since": (
        r"\b(?:since (?:the |last |my |our |we |they |she |he )?(?!yesterday|today|then\b|this\b|i\b"
        r"|when\b)[\w-]+|ever since|for (?:<number>|many|several|some|a few|over a|almost a) (?:years?"
        r"|months|decades)|<number> years (?:in|ago|now)\b|dates (?:from|back)|all (?:my|her|his|our) life)",
        "The garage has been let since March.",
    ),
    "from now": (
        r"\b(?:from now(?: on)?|as of|as from|from (?:may|<month>|<day>|<season>|next|the \d+|then)|starting"
        r"|going forward|in (?:the )?future|henceforth|for (?:any|all) future|(?:this|last) (?:year|month"
        r"|<season>)|now(?=[,.;!]|$| that))",
        "From May the workshop is ours.",
    ),
    "dated": (
        r"\b(?:\d{1,2}(?:st|nd|rd|th)|\d{1,2} <month>|<month> \d{1,2}|(?:in|by|until|till|since|from|early"
        r"|late|mid) (?:<month>|<season>)|<month>|<day>s?|(?:19|20)\d\d|on the (?:\w+th|first|second"
        r"|third))\b",
        "The course begins on 4 October.",
    ),
    "timed": (
        r"\b(?:at (?:\d{1,2}(?::\d\d)?(?: ?[ap]m)?|noon|midnight|<number>)|\d{1,2}(?::\d\d)? ?[ap]m"
        r"|\d\d:\d\d|(?:before|after|until|till|by) (?:<number>|noon|midnight|lunch|dinner|dark|work"
        r"|school))\b",
        "The bus leaves at 7:40.",
    ),
    # -- what is said
    "all or none": (
        r"\b(?:only|just the|nothing but|nobody|no one|none|everything|everyone|everybody|anything|anyone"
        r"|all|any|both|neither|whole|entire)\b",
        "Nobody but Ruth has the key.",
    ),
    "rule": (
        r"^(?:(?:and|but|so|also|please|then|ok(?:ay)?|yes|yeah|good)[ ,]+)*no (?!\w+[.!?]?$|idea|worries"
        r"|problem|wonder|doubt|need|hurry|rush|thanks|way\b|i\b|we\b|it\b|he\b|she\b|they\b|you\b)\w+"
        r"|\b\w+ only(?=[.!,;]|$| (?:please|pls|here)\b)|\b(?:is"
        r"|are) out(?: of the question)?\b(?! of (?!the question)|\w)|\b(?:must|may"
        r"|should|shall|can|could) (?:not|never|only)\b|\b(?:mustn't|can't|cannot|won't|shouldn't) (?:be"
        r"|trust|rely|use|go|leave|have|put|touch|let)|\bnot allowed\b|\bhouse rule\b|\bpolicy\b|\b(?:has"
        r"|have) to be\b|\bnever (?:<number>|\w+ (?:the|a|an|on|at|in|before|after|with|without))"
        r"|\b(?:requires?|insists? on|wants? (?:every|all|it|them|us)|won't let|not to be|is to be|are to be"
        r"|off limits|forbidden|mandatory)\b",
        "No deliveries before noon.",
    ),
    "role": (
        r"\b(?:(?:is|are|'s) (?:our|my|the|their) (?:\w+ )?(?:manager|boss|lead|treasurer|contact|secretary"
        r"|chair\w*|head|owner|maintainer|guide|coach|trainer|supervisor|dentist|doctor|gp|editor|director"
        r"|admin)|(?:does|keeps|runs|pays|has|owns|leads|hosts|cooks|drives) (?:for )?(?:the|our|all|it|them"
        r"|most)\b|belongs? to|reports? to|in charge of|responsible for|(?:is|are) (?:owned|run|led|handled"
        r"|maintained|prepared|made|written|looked after|managed) by|looks after|takes care of|signs? off"
        r"|(?<!you )handles|approves|goes to)\b",
        "Payroll reports to Ms Okafor.",
    ),
    "states": (
        r"\b(?:(?:lives?|works?|studies|stud(?:y|ies)|teach(?:es)?|volunteers?|lived|worked) (?:in|at|for|as"
        r"|on|with)|(?:is|are|was|were|'s|'re) (?:called|named|born|married|divorced|retired|based"
        r"|registered|insured|licensed|certified|limited|restricted|closed|open|kept|stored|hosted|located"
        r"|due|made|built|written|deployed|billed|reset|paid|listed|fixed|frozen|shared|owned|capped)"
        r"|birthday|anniversary|grew up|expires?|costs?|holds?|lasts|meets?|takes place|opens?|closes?"
        r"|comes? (?:from|with|on|every)|runs? (?:on|in|at)|belongs?|needs?|uses?|weighs?|supports?|sits"
        r"|stands|lies|faces|burns|leaks|shuts)\b",
        "The pass expires soon.",
    ),
    "has": (
        r"\b(?:(?:we|i|they|she|he)(?:'ve got| only| all| also)? (?:use|uses|own|owns|have|has|drive|drives"
        r"|play|plays|keep|keeps|rent|rents|run|runs|store|deploy|host|ship|sing|sings|wear|wears|need|needs"
        r"|take|takes|speak|speaks|share|shares|pay|pays|get|gets|grow|sell|buy|cook|work|works|live|lives"
        r"|go|goes) (?!to\b|no idea|a (?:question|look|minute|feeling|problem|call|meeting)|been|done|that\b"
        r"|you)|(?:has|have|there's|there is|there are|with) (?:no|only|two|three|four|five|six|\d+|both"
        r"|an?) )",
        "She drives a van.",
    ),
    "located": (
        r"\b(?:is|are|'s|'re|was|sits|lives|hangs|stands|lies|kept) (?:\w+ ){0,3}?(?:in|on|at|behind|under"
        r"|next to|near|above|below|by|from|inside|outside|upstairs|downstairs|opposite|round) (?!fire|sale"
        r"|top|time|me\b|it\b)",
        "The fuse box is behind the mirror.",
    ),
    "limit": (
        r"\b(?:vegetarian|vegan|diabetic|coeliac|celiac|colou?r-?blind|pregnant|lactose|claustrophobic"
        r"|asthma\w*|migraines?|wheelchair|deaf|blind|lame|left-handed|dyslexic|allerg\w+|intoleran\w+"
        r"|hard of hearing|(?:sea|car|motion)\s?sick|can't (?:stand|eat|have|take|bear|tolerate|digest|wear"
        r"|drink)|cannot (?:stand|eat|wear|drink|bear)|(?:doesn't|don't|won't|will not|does not"
        r"|do not) (?:eat|drink|like|touch|wear|sail|fly|drive|trust)|(?:can|could) (?:wear|eat|stand)"
        r"|useless (?:before|after|at|with|to|for)|(?:com(?:e|es|ing)|breaks?) (?:out|up) in \w+"
        r"|(?:'s|'m|is|are|am|been) off (?:meat|dairy|milk|sugar|gluten|wheat|alcohol|coffee|caffeine|fish"
        r"|eggs)|hate[sd]?|dislikes?|scared of|afraid of|(?:makes?|gives?) (?:me"
        r"|him|her|us|them|dad|mum) \w+)\b",
        "Our son can't have milk.",
    ),
    "prefers": (
        r"\b(?:prefers?|rather|favou?rite|likes? (?:it|them|to|the|her|his)|loves?|enjoys?|works? best"
        r"|better (?:from|with|than|in)|fond of|keen on|big on|go-to|any day|too (?:loud|sweet|bright|hot"
        r"|cold|spicy)|(?:always|usually) (?:go|take|have|use|buy|order))\b",
        "I'd rather sit by the window.",
    ),
    "decided": (
        r"\b(?:(?:we|i)(?:'re| are|'m| am)(?: not| all)? (?:moving|switching|dropping|keeping|cancelling"
        r"|replacing|quitting|staying|sticking|going|getting|buying|taking|using|doing|touching|changing"
        r"|selling) (?!to (?:the|bed))|(?:i|we)(?:'ll| will|'d| shall)(?: just| not)? (?:use|keep(?! \w+ing"
        r"| you)|drop|take|do without|switch|stay|stick|go (?:with|for|back)|do|buy|have) |no more \w+"
        r"|agreed(?= on|:|, we"
        r"| that)|(?:go|going|went|gone|stick|sticking|stay|staying|settle[d]?|opt|opted) (?:with|for|on)"
        r"|let's (?:use|go with|take|keep|stick|drop|skip|do it|settle|make it|leave it)|(?:we|i)(?:'ve"
        r"| have)? (?:decided|agreed|declined|resolved|chosen|chose|picked|settled|turned down)"
        r"|final (?:answer|decision)|(?:it's|that's) (?:decided|settled|final)|i accept\b|sold[,.!]|deal[.!]"
        r"|(?!what\b|how\b|where\b|who\b)\b[\w']+ it is(?= for\b| then\b|[,.!]|$)|(?:is|are) to be (?:our|my"
        r"|the) \w+|\b\w+ then(?=[,.!]|$)"
        r"|\byup that\b|fine[,.] \w+)",
        "Okay, we go with the slate roof.",
    ),
    "cause": (
        r"\b(?:because of|(?:it|that|this|they)(?:'s| is| was| were|'re) (?:down to|due to|caused by|from"
        r"|the)|(?:came|comes|come) from|the (?:cause|reason|culprit|problem|leak|crash|fault|bug|trouble"
        r"|error|delay) (?:was|is|came|lay)|found (?:it|the)|(?:that|this|it) (?:fixed|fixes|solved|cured"
        r"|did) it|fixed by|(?:works?|fine|gone|clean) (?:now )?since|so (?:the|it) \w+ (?:\w+ )?(?:two"
        r"|twice|both)|that explains|it was the|yu?p[ ,.]+\w|bingo|got it:|(?:was|were|is|sits|sat) (?:set"
        r"|wired|configured|mounted|plugged|swapped|missing|clogged|blocked|worn|too|right|on the (?:old"
        r"|wrong))|(?:didn't|doesn't|don't|hadn't) (?:have|know|get|close|match)|->|=>|the formula"
        r"|turns? out)",
        "The leak came from a worn washer.",
    ),
    "lesson": (
        r"\b(?:never again|lesson learn\w+|what (?:worked|helped|works|helps|finally)|(?:cost|costs) (?:me"
        r"|us)|(?:does|did) the trick|known (?:thing|issue|problem)|turned out|i (?:have |'ve )?(?:found"
        r"|learn\w+|noticed|know now)|only works?|workaround|the trick|(?:needs?|has) (?:a|the"
        r"|to be) .{1,40}(?:before|first|otherwise)|did test|tested|tried|compared|measured"
        r"|no (?:more )?(?!not\b)\w+ (?:since|in|for)|\bfine (?:now|since|after)|from \d[\w.]* ?\S* to \d"
        r"|\d+ ?(?:s"
        r"|ms|min|h|%)\b.{1,40}\d+ ?(?:s|ms|min|h|%))",
        "Never again plastic pipes in the cellar.",
    ),
    "achieved": (
        r"\b(?:(?:i|we|she|he|they)(?:'ve| have|'s| has)?(?: just| finally)? (?:passed|signed(?: up)?"
        r"|finished|enrolled|graduated|won|got (?:in|the|accepted|engaged|married|promoted)|bought|sold"
        r"|adopted|joined|quit|resigned|retired|accepted|launched|shipped|completed|moved)|(?:they|he"
        r"|she)(?:'ve| have)? (?:gave|given|offered|awarded) (?:me|us|her|him) (?:the|a|my|our)\b"
        r"|(?:contract|lease|letter|papers?|deal)(?:'s|'re| is| are)? signed|\bpb\b"
        r"|personal best|finally (?:did|got|made|sold|done)|shipped|sold (?:it|the)|(?:is|are|'s"
        r"|it's) (?:live|finished|signed|ours|official)|first (?:ever|time)|i (?:am|'m) playing)",
        "We finally signed the lease.",
    ),
    "happened": (
        r"\b(?:(?:was|were|got|has been|have been|had) (?:stolen|broken|damaged|cancelled|hacked|flooded"
        r"|diagnosed|vaccinated|operated|hospitali[sz]ed|rejected|approved|accepted|elected|delivered"
        r"|starved|burnt|burned|sold)|(?:broke|lost|fell|sprained|crashed|missed|inherited|scattered|died"
        r"|strained|tore|cracked) (?:my|our|his|her|their|the|an?|from|off|down)?|(?:is|are) (?:gone|felled"
        r"|stolen|harmless|benign|dead|alive|broken|lost)|passed away|was born|the (?:vet|doctor|doc"
        r"|hospital|surgeon|lawyer|bank|court) \w+|refunded|replied|planted|took [a-z]+ and|(?:went|given"
        r"|moved) to)\b",
        "The old dog died on Sunday night.",
    ),
    "plans": (
        r"\b(?:(?:i|we)(?:'ve| have)? (?:booked|reserved|ordered|rented|hired|invited|scheduled|planned)"
        r"|(?:is|are|has been|have been) (?:ordered|booked|scheduled|planned|reserved|confirmed|coming)"
        r"|(?:i'm|we're|i am|we are|she's|he's|they're) (?:moving|flying|leaving|travelling|visiting"
        r"|starting|having|expecting|retiring|hosting|running|performing|presenting|releasing|launching|due"
        r"|opening|closing)|(?:plan|intend|aim|want|mean) to (?!say)|next (?:<season>|year|term|month|week"
        r"|<day>)|go-live|launch(?:es)?|release|drops|deadline|appointment|we (?:open|close|start|fly|leave"
        r"|meet) )",
        "The new stove is ordered.",
    ),
    "changed": (
        r"\b(?:now that|(?:moved|switched|changed|swapped|dropped|replaced|renamed|ended|cancelled"
        r"|postponed) \w+|instead of|no longer|not \w+ (?:as|but|any ?more)|any ?more\b"
        r"|(?:one )?correction[:,]|correct myself|i (?:said|wrote|meant|mixed)|as i (?:said|wrote)|scratch"
        r"|isn't (?:a|an|the)|used to be|not \d+|got rid of|oops|rather than|ignore)",
        "The shop closes at six instead of seven.",
    ),
    "instructs": (
        r"\b(?:call me|address me|in (?:british|american) english|metric|no emojis?|(?:reply|answer"
        r"|write) (?:to me )?in \w+|(?:always|never|please don't|don't ever|don't|stop) (?:use|write|sign"
        r"|put|add|suggest|send|call|answer|book|move|touch|commit|push|delete|mention)|when(?:ever)? you"
        r"|if you (?:suggest|write|touch|change|add|send)|for me(?=[.!]|$)|in all \w+|throughout"
        r"|each time you|before you \w+|you keep \w+ing|leave out|(?:everything|all) in)\b",
        "Please don't send attachments.",
    ),
    # -- what speaks against it
    "asks what": (
        r"^(?:(?:and|but|so|ok(?:ay)?|oh|hey|hmm?|well)[ ,]+)*(?:what(?:'s)?|how(?:'s)?|which|where(?:'s)?"
        r"|who(?:'s)?|why|when|is|are|do"
        r"|does|did|can|could|should|would|will|any|shall|may|might|must) ",
        "How long does it bake",
    ),
    "asks for": (
        r"^(?:(?:ok(?:ay)?|and|but|so|now|then|please|pls|kindly|yes|no|nah|right|cool|great|good|nice"
        r"|thanks|thank you|very well|also|lol|hey|actually|just)[ ,.!]+)*(?:can you|could you|would you"
        r"|will you|may i|i (?:need|want|would like|should like|would appreciate|wish to)|i'd (?:like|love)"
        r"|help|make|show|write|give|fix|add|remove|run|check|move|put|send|do|look|tell|explain|draft|list"
        r"|find|try|keep (?:it|that)|leave|change|rename|turn|drop|merge|ship|wait(?!, )|let me|let's|print|test"
        r"|compress|generate|create|delete|update|compare|review|name|replace|shorten|translate|summari[sz]e"
        r"|omit|lemme)\b|\b(?:please|kindly|pls)\b"
        r"(?! (?:no|never|always|don't|do not|only)\b)",
        "Please add a test for that.",
    ),
    "supposes": (
        r"\b(?:(?<!even )if (?:i|we|it|they|he|she|the|only|there|you(?! (?:ever |need to |have to )?(?:suggest"
        r"|plan|write|touch"
        r"|change|add|send|book|draft|propose|recommend)\b))\b|what if|imagine|suppos(?:e|ing)|let's say"
        r"|say we|hypothetically|pretend|would (?:be|have|eat|miss|happen|cost|change)|would love"
        r"|i'd (?:miss|love)|i wish|as if|thinking out loud|just (?:asking|curious)|in theory"
        r"|(?<!don't )wonder)\b",
        "If we moved, I'd sell the piano.",
    ),
    "doubts": (
        r"\b(?:maybe|perhaps|hopefully|i hope|one day|some ?day|not sure|i (?:think|guess|suppose|presume)"
        r"|probably|possibly|might|no idea|i believe|who knows|apparently|seems?)\b",
        "Maybe a second desk one day.",
    ),
    "moment": (
        r"\b(?:today|tonight|right now|at the moment|just now|this (?:morning|afternoon|evening|time)"
        r"|in (?:a|five|ten) minutes?|gtg|brb|yesterday|tomorrow|back in|on my way|not (?:now|yet)|(?:it's"
        r"|it is|is) (?:raining|snowing)|later|all day|again)\b",
        "I'm in a hurry today.",
    ),
    "reported": (
        r"\b(?<!you )(?<!\bi )(?<!\bit )(?<!\bto )(?<!\bmay )"
        r"(?<!\bwill )(?<!\bdoc )(?<!\bvet )(?<!\bpapers )(?:says?|said|saying|claims?|maintain(?:s|ed)|swears?"
        r"|insists?(?! on)|reckons?|thinks?|told me|jokes|suggested)\b(?! yes|:)|never tired of saying"
        r"|\b(?:mate|friend|colleague|neighbou?r) of mine\b|\bholds that\b"
        r"|\bthey tell (?:me|us)\b|\btold us\b"
        r"|(?<!\bto )(?<!\bwith )(?<!\bby )(?<!\bfrom )\b(?:my|a|the) (?:buddy|friend|neighbou?r|colleague)\b"
        r"|said no\b|\bquote\b",
        "My neighbour says one should sell.",
    ),
    "feels": (
        r"\b(?:i'm (?:so |very )?\w+ed\b|tired|glad|happy|sorry|afraid|exhaust\w+|aches?|toast|lovely"
        r"|awesome|nice|perfect|beautiful|amazing|crazy|ridicul\w+|great|fun|cool|wonderful|excit\w+|love it"
        r"|blast|congrat\w*|proud|wow|omg|ugh|yay|cute|pretty|pleasure|agreeable|excellent|splendid|genius"
        r"|insane|boring\w*|panick\w*|cry|cried)\b",
        "I'm so tired of it all.",
    ),
    "story": (
        r"\b(?:used to (?!be)|when i was|as a (?:kid|child)|growing up|ended up|back then|once i|dream(?:ed"
        r"|t)?|watched|years ago|ages ago)\b",
        "We ended up laughing all night.",
    ),
    "thanks": (
        r"^(?:thank\w*|thx|ta|cheers|much obliged|good (?:morning|evening|afternoon)|hello|hi|hey|bye|got it"
        r"|ok(?:ay)?|done|sure|fine|yes+|y|k|right|exactly|precisely|agreed|very (?:well|good)|understood)\b",
        "Thank you, that will do.",
    ),
    "addresses": (
        r"\b(?:you|your|u|ur|yourself|you're|you'll)\b",
        "You make it sound easy.",
    ),
    "points": (
        r"^(?:(?:and|but|so|ok(?:ay)?|oh|well|yes|no|lol|hmm?)[ ,]+)*(?:it|that|this|these|those|it's|that's"
        r"|there)\b",
        "That is closer.",
    ),
    "at hand": (
        r"\b(?:in the (?:letter|text|mail|e-?mail|draft|code|file|document|summary|list|table|title|message"
        r"|plan)|this (?:file|function|sentence|line|page|query|build|test|snippet|word|letter|draft|list"
        r"|comment|paragraph|one|level)|the (?:build|tests?|draft|letter|line|sentence|paragraph|chart"
        r"|stack trace|output|log|word|tone|diff|next) |line \d+|typo|lgtm|error|fails?|failing|the (?:first"
        r"|second|last|next) (?:line|sentence|paragraph|one)|attached|enclosed|following)\b",
        "This sentence is too long.",
    ),
    "goes on": (
        r"\b(?:is|are|am|'s|'re|'m|was|were|been) (?:\w+ )?(?!moving|flying|leaving|going|starting|retiring"
        r"|getting|staying|sticking|switching|dropping|keeping|during|nothing|anything|something|everything"
        r"|morning|evening|missing|king|playing|coming)\w{2,}ing\b",
        "The cat is sleeping on my desk.",
    ),
}
