"""Stop words: one table, and the words that each reader of texts adds to it or takes from it. Data."""

from collections.abc import Collection
from functools import cache

_EVERYWHERE = frozenset(
    "a an and are as at be been but by for from had has have he her his i in is it its just me my of on or our "
    "she so that the their them there they this to was we were will with you your".split()
)
# Words to ask with, which answers do not contain.
QUESTION = _EVERYWHERE | frozenset(
    "about can could did do does hers him how if itself may might must shall should some than then these us what "
    "when where which who whom whose why would".split()
)
# The same in other languages. A word in the first of each two sets identifies the language; those in the second
# may also be words of another one, such as English.
_GERMAN = frozenset(
    "aber auf bei beim das dem der des dich diese nicht dieser dieses ein eine einem einen einer für gibt haben "
    "ich ihm ihn ihr ihre ist kann kannst können mein meine mich mir muss müssen nach sich sind und uns "
    "unser unsere vom von wann warum welche welchem welchen welcher welches wem wen wer werden wie "
    "wieviel wieviele wir wird wo woher wohin wurde wurden zu zum zur über".split()
)
_GERMAN_BESIDES = frozenset(
    "als am an auch aus bis da dann darf den die dir du er es hat hatte hin im in ins man mit noch "
    "nun ob oder schon sie so um viel viele vor war waren was wieder".split()
)
_FRENCH = frozenset(
    "à aux avec avons ce cela ces cette combien cet dans dois doit du elles est être faire fait ils je "
    "laquelle le leur lequel moi nos notre nous où ou pas pourquoi quand que quel quelle quelles quels qu "
    "qui quoi ses sont sur toi tu une vos votre vous".split()
)
_FRENCH_BESIDES = frozenset(
    "a ai as au c comme comment d de des elle en et eu il j l la les m ma mes mon n ne on par plus pour s "
    "sa sans se si son t ta te tes ton un y".split()
)
_SPANISH = frozenset(
    "cuál cuáles cuando cuándo cuanta cuánta cuantas cuántas cuanto cuánto cuantos cuántos dónde donde "
    "ellos está están estos muy pero por qué que quien quién quiénes sobre sus tengo tenemos tiene tienen "
    "una unas unos yo".split()
)
_SPANISH_BESIDES = frozenset(
    "a al como cómo con cual de del e el ella en es esa ese eso esta este ha hace hacer hay la las le les "
    "lo los me mi mis no nos o para se ser si sí son soy su te tu tus un y ya".split()
)
# The name of a file keeps "how", "if" and the like, since they say what it is about.
NAME = _EVERYWHERE | {"really", "very"}
# For comparing two texts: that something can, should or would be so is part of their meaning.
COMPARISON = (QUESTION - {*"can could may might must shall should would".split()}) | {
    *"also always like please really very , ;".split()
}
# For dialogs: words that are said whatever the subject.
DIALOG = QUESTION | frozenset(
    "absolutely actually after again ai all also always amazing another any anything assistant awesome back "
    "because been before being best better bit came come cool could day definitely didn doesn doing don down "
    "ever everything exactly feel fine first get glad go going good got great happy having hello help here hey "
    "hi hope human into isn just keep know last let like ll look lot love make man many maybe month more "
    "morning much need never new nice no not now off ok okay one only other out over own people please re "
    "really say see should someone something sound still sure take thank thanks there thing think though "
    "thought through time today tomorrow too try two up use used user using ve very want wasn way week well "
    "while won work would wow year yes yesterday".split()
)
# For prompts: the words of work with an agent, which say what to do and not what it is about.
PROMPT = DIALOG | frozenset(
    "able add agree ahead allow apply approach ask bit branch break broken bug build bump button call careful "
    "change changes check clean code command commit compare config continue convert correct count create data "
    "debug delete dependency describe different directory document documentation done edit else ensure error "
    "errors example execute explain extend extract fail failing fails failed feature file files find fix folder "
    "format function functions generate github handle html image implement improve include input install instead "
    "issue json line lines list look looks mean merge message method module move name open output own page parse "
    "path perform please prepare print problem proceed program project pull push question read recommend refactor "
    "release remove rename repeat replace report request result return reverse review rewrite run running same "
    "save script search set setting settings setup show simple slow small faster sort source start step steps "
    "stop string summarize support sure task tell temporary test tests text tool translate type types undo update "
    "upgrade variable version wait warning whole word write wrong yaml app aber alle alles als auch auf aus bei "
    "bitte das dass datei dem den der des die diese dieser dieses doch ein eine einen einer es fehler für haben "
    "hat ich ihr im ist ja jetzt kann kannst mach machen mal mir mit nach nein nicht noch nochmal nun oder schau "
    "schreib schreibe sich sie sind so und uns vom von was wenn wer wie wir wird wo zu zum zur".split()
)


_LANGUAGES = ((_GERMAN, _GERMAN_BESIDES), (_FRENCH, _FRENCH_BESIDES), (_SPANISH, _SPANISH_BESIDES))

# For comparing texts of any of these languages.
ANYWHERE = COMPARISON.union(*(words for pair in _LANGUAGES for words in pair))


def of_question(words: Collection[str]) -> frozenset[str]:
    """The stop words for a question of these lower-case words: those of English and of its own language."""
    asked = frozenset(words)
    spoken = [telling | besides for telling, besides in _LANGUAGES if not telling.isdisjoint(asked)]
    return QUESTION.union(_SILENT, *spoken)


# They stand in any note: what a question is about, they do not say. The last ones are left of I'm, we've, don't.
_SILENT = "like not m ve ll re don doesn didn t".split()


@cache
def faint(verbs: bool = False) -> frozenset[str]:
    """Words of a question, in four languages, that say how much, how often, and how the answer is to be told.

    Answers seldom have them: they are searched, and hardly count. With `verbs` also ordinary ones (look, make):
    a question is not about these, either.
    """
    from mdmem.note import tsv

    rows = tsv.rows(__file__, "faint_words.tsv", 2)
    return frozenset(word for kind, words in rows if verbs or "verbs" not in kind for word in words.split())
