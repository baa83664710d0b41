"""Words that say nothing: one table, and what each reader of texts adds to it or takes from it. Data."""

from __future__ import annotations

_EVERYWHERE = frozenset(
    "a an and are as at be been but by for from had has have he her his i in is it its just me my of on or our "
    "she so that the their them there they this to was we were will with you your".split()
)
# A question asks with some of them, and they stand in no answer.
QUESTION = _EVERYWHERE | frozenset(
    "about can could did do does hers him how if itself may might must shall should some than then these us what "
    "when where which who whom whose why would".split()
)
# The name of a file keeps "how", "if" and the like: they tell what it is about.
NAME = _EVERYWHERE | {"really", "very"}
# Of two texts that are compared: that something can, should or would be so is part of what they say.
COMPARISON = (QUESTION - {"can", "could", "may", "might", "must", "shall", "should", "would"}) | {
    *("also", "always", "like", "please", "really", "very"),
    *(",", ";"),
}
# Of a statement: a thing holds with them as without.
STATEMENT = frozenset(
    "currently now today nowadays still always usually actually really just only also please again generally "
    "already instead definitely mostly exactly".split()
)
# Of a dialog: what is said whatever it is about.
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
