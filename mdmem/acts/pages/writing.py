"""The forms in which a person writes: a new memory, one to change, the older one that it replaces, a chat."""

from collections.abc import Mapping
from typing import Any

from mdmem.acts import remembering, write
from mdmem.acts.pages import fields, search
from mdmem.acts.pages.memory import outgoing
from mdmem.acts.pages.request import Destination, PageRequest
from mdmem.acts.style import Json
from mdmem.note import memory
from mdmem.note.properties import PROPERTIES
from mdmem.store.index.port import MEMORY
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

_FIRST = "title type tags project topic due".split()
_MORE = "category status confidence importance sensitivity valid_from valid_until valid_if pinned aliases".split()
_OURS = "id created updated session actor code branch supersedes superseded_by".split()
_FORMS = ("mapping", "records", "id")  # kinds of properties that a field cannot hold
_SET = "set."
_LONGEST = 40_000  # characters of a file that a form holds twice
_MOST = 12  # memories to choose from


def read_new(vault: Vault, request: PageRequest) -> Json:
    """An empty form, or what was typed in it."""
    return {**_form(vault, request, {}), "supersedes": request.text("supersedes"), "name": request.text("name")}


def act_new(vault: Vault, request: PageRequest, who: Caller) -> Destination | None:
    """Write a new memory, as `mdmem remember` does."""
    if request.text("do") == "preview":
        return None
    given = {name: text for name, text in _given(request).items() if text}
    if older := request.text("supersedes"):
        given["supersedes"] = older
    twins = "ignore" if request.text("anyway") else "refuse-same"
    done = remembering.remember(
        vault,
        who,
        request.typed("body"),
        name=request.text("name"),
        set=given,
        twins=twins,
        reason=request.text("reason"),
    )
    return Destination("memory", done.path, {"done": done.commit})


def read_edit(vault: Vault, request: PageRequest) -> Json:
    """A memory in a form. If it was changed since it was opened there, `now` is what it says now.

    `base` is the file as it was opened, "" if it cannot be edited here. Raises NotFoundError.
    """
    current, file = fields.opened(vault, request.key)
    data = fields.as_text(file)
    base = request.typed("base", data)
    note = memory.parse(write.as_file(base, file), current.path)
    return {
        **_form(vault, request, note.meta, note.body),
        "path": current.path,
        "name": current.name,
        "title": current.title,
        "base": base if len(base) <= _LONGEST else "",
        "now": current.body if data != base else "",
        "kept": [key for key, value in note.meta.items() if value and not _is_field(key)],
    }


def act_edit(vault: Vault, request: PageRequest, who: Caller) -> Destination | None:
    """Save a memory; what others changed meanwhile is merged. Raises ConflictError where both changed a place."""
    if request.text("do") == "preview":
        return None
    base, body = request.typed("base"), request.typed("body")
    current, file = fields.opened(vault, request.key)
    before = memory.parse(write.as_file(base, file), current.path)
    typed = {key: text for key, text in _given(request).items() if text != fields.as_field(before.meta.get(key))}
    change: Json = {
        "set": {key: text for key, text in typed.items() if text},
        "unset": [key for key, text in typed.items() if not text],
        "body": body if body.strip("\n") != before.body.strip("\n") else None,
    }
    if not typed and change["body"] is None:
        return Destination("memory", current.path, {"done": ""})
    done = write.update(vault, who, current.path, **change, base=base, reason=request.text("reason"))
    return Destination("memory", done.value.paths[0], {"done": done.commit})


def _given(request: PageRequest) -> dict[str, str]:
    """The properties that a form sends; the field for another one has its name in a field of its own."""
    given = {key.removeprefix(_SET): text.strip() for key, text in request.given.items() if key.startswith(_SET)}
    other = request.text("other")
    return {**given, other: request.text("other_value")} if other else given


def _is_field(key: str) -> bool:
    return key not in _OURS and not (key in PROPERTIES and PROPERTIES[key].kind in _FORMS)


def _form(vault: Vault, request: PageRequest, meta: Mapping[str, Any], body: str = "") -> Json:
    """The fields of a form, with what was typed in them so far; `trouble` is why that could not be saved."""
    typed = _given(request)
    own = [key for key in meta if _is_field(key) and not isinstance(meta[key], dict)]
    names = list(dict.fromkeys([*_FIRST, *_MORE, *own, *typed]))
    text = request.typed("body", body).strip("\n")
    title = typed.get("title", memory.as_text(meta.get("title")))
    return {
        "fields": [_field(name, typed.get(name, fields.as_field(meta.get(name)))) for name in names],
        "body": text,
        "reason": request.text("reason"),
        "trouble": request.text("trouble"),
        "preview": request.text("do") == "preview",
        "shown": {"body": text, "title": title, "links": outgoing(vault, memory.parse(text.encode(), ""))},
    }


def _field(name: str, value: str) -> Json:
    """A property in a form."""
    known = PROPERTIES.get(name)
    kind, choices = (known.kind, known.choices) if known else ("", ())
    return {"name": name, "value": value, "is_first": name in _FIRST, "kind": kind, "choices": [*choices]}


def read_replace(vault: Vault, request: PageRequest) -> Json:
    """Memories that a newer one may replace: those that recall finds for its title, or for other words."""
    newer, _ = fields.opened(vault, request.key)
    words = request.text("q") or newer.title
    found = search.answers(vault, request, words, _MOST + 1, (MEMORY,))
    told = [one for one in found if one["path"] != newer.path and one["status"] == "active"]
    return {"path": newer.path, "name": newer.name, "title": newer.title, "query": words, "answers": told[:_MOST]}


def read_paste(vault: Vault, request: PageRequest) -> Json:
    """A field for the text of a chat."""
    del vault
    return {"text": request.typed("text"), "trouble": request.text("trouble")}


def act_paste(vault: Vault, request: PageRequest, who: Caller) -> Destination:
    """Put what is worth a memory in a chat where it waits for a verdict."""
    from mdmem.capture.inbox import filling

    done = filling.take(vault, request.typed("text"), who)
    return Destination("review", given={"pasted": str(done.added)})
