"""What to purge: a text wherever it occurs, or one memory with all its versions.

A text is found in any form that files may hold: plain, wrapped, escaped for JSON, URLs or HTML, or base64; not in
compressed or encrypted data, nor in UTF-16.
"""

import base64
import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import reduce
from itertools import zip_longest
from posixpath import dirname, join
from urllib.parse import quote

from mdmem.errors import UsageError
from mdmem.history import past, trail
from mdmem.history.purging import objects
from mdmem.history.purging.rewriter import MARK, PurgeTarget
from mdmem.note import memory, moments, naming
from mdmem.note.trust import tombstone
from mdmem.store.git.repo import MODULE
from mdmem.store.vault.vault import Vault

_NAME_MARK = b"purged"
_SHORT_ID = 8
_LINE = 30  # the fewest characters of a memory's line to search for elsewhere
_LINES = 20  # how many of these lines, the longest
_WORDS = re.compile(r"[^\W_]+")


def of_text(text: str) -> PurgeTarget:
    """The target for a text in all its forms. Raises UsageError if the text is too short."""
    rules = [(pattern(text), MARK)]
    if named := name_pattern(text):
        rules.append((named, _NAME_MARK))
    return PurgeTarget("text", (), tuple(rules), needles=tuple(found for found, _ in rules))


def of_memories(vault: Vault, names: Iterable[str], now: datetime) -> PurgeTarget:
    """The target for memories, living or deleted, with all their versions in all of history.

    Each file becomes a tombstone, and the name goes too: it may say as much as the text. As nothing brings them
    back, a near name is not enough. Raises NotFoundError with the nearest names, or UsageError for a name that
    several memories have.
    """
    return reduce(PurgeTarget.with_other, [_of_memory(vault, name, now) for name in names])


def _of_memory(vault: Vault, name: str, now: datetime) -> PurgeTarget:
    path, id = past.identify(vault, name, exactly=True)
    told = [change for commit in past.history(vault, path, id) for change in commit.changes]
    prefix = vault.repo.prefix
    had = {prefix + path, *(prefix + old for change in told for old in (change.path, change.old_path))}
    places = [
        (commit.id, change.path, blob)
        for commit in objects.commits(vault.repo, "--all")
        for change in commit.changes
        for mode, blob in ((change.old_mode, change.old_blob), (change.mode, change.blob))
        if blob and mode != MODULE
    ]
    blobs = _versions(vault, id, had, [(place, blob) for _, place, blob in places])
    paths = had | {place for _, place, blob in places if blob in blobs}
    commits = dict.fromkeys(commit for commit, _, blob in places if blob in blobs)
    inner = {place.removeprefix(prefix) for place in paths}
    return _of_versions(vault, id, inner, blobs, now)._replace(silenced=commits)


def _versions(vault: Vault, id: str, had: set[str], places: Sequence[tuple[str, str]]) -> dict[str, bytes]:
    """blob -> bytes of a memory's versions: files with its id, and files without an id at paths that it had.

    `places` are the (path, blob) of all history.
    """
    line = id_line(id.encode())
    stored = (item for item in objects.stored(vault.repo) if item.kind == "blob")
    blobs = {item.id: item.data for item in stored if line.search(item.data)}
    paths = had | {path for path, blob in places if blob in blobs}
    unsure = {blob: path for path, blob in places if path in paths and blob not in blobs}
    for (blob, path), data in zip(unsure.items(), vault.repo.blobs(list(unsure)), strict=True):
        if trail.written_id(vault, data, path) in ("", id):
            blobs[blob] = data
    return blobs


def _of_versions(vault: Vault, id: str, paths: set[str], blobs: dict[str, bytes], now: datetime) -> PurgeTarget:
    """The target for a memory, given all the paths that it had, and its versions by the id of their blob."""
    others = vault.whole_index.records_at(sorted(paths))
    taken = {record.file for record in others if record.id != id}  # another memory's by now: its name stays
    start = f"purged_memory_{id.replace('-', '')[-_SHORT_ID:]}"
    stems = sorted({memory.stem(path) for path in paths - taken})
    names = {name: f"{start}_{at}" if at else start for at, name in enumerate(stems)}  # each path stays another's
    titles = {vault.parse(data, "purged.md").title for data in blobs.values()}
    telling = sorted(title for title in titles if len(_WORDS.findall(title)) > 1)
    words = dict.fromkeys(telling, tombstone.TITLE) | names
    lines = {line.strip() for data in blobs.values() for line in data.decode("utf-8", "replace").split("\n")}
    long = sorted((line for line in lines if len(line) >= _LINE and id not in line), key=len)
    prefix = vault.repo.prefix
    return PurgeTarget(
        "memory",
        (id,),
        in_messages=tuple((word_pattern(word), new.encode()) for word, new in words.items()),
        in_files=tuple((link_pattern(word), new.encode()) for word, new in names.items()),
        blobs=dict.fromkeys(blobs, tombstone.written(id, moments.render(now)[:10])),
        paths={
            prefix + old: prefix + join(dirname(old), names[memory.stem(old)] + ".md")
            for old in sorted(paths - taken)
        },
        kept_paths=tuple(sorted(taken & paths)),
        needles=(*map(word_pattern, sorted(words)), *map(pattern, long[-_LINES:])),
    )


def id_line(id: bytes) -> re.Pattern[bytes]:
    """A pattern for the line of a note that gives its id."""
    return re.compile(rb"(?m)^id:[ \t]*[\"']?%s\b" % re.escape(id))


# -- the forms of a text -----------------------------------------------------------------------------------

SHORTEST = 4  # characters: a shorter text is part of too many other words
_NAME_WORDS, _NAME_LENGTH = 3, 8  # the fewest words, or characters with a digit, to look for in file names
_ENCODED_LENGTH = 8  # the fewest base64 characters that identify a text
_HTML = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos"}
_BREAK = rb"(?:[ \t]*(?:\r?\n[ \t>]*)+|(?:\\+r)?\\+n|(?i:%0d)?(?i:%0a))"
_SPACE = rb"(?:[ \t]*\r?\n[ \t>]*|[ \t]+|\xc2\xa0|\+|%20|%09|(?i:%c2%a0)|\\+t|\\+u0020|\\+u00a0|&nbsp;)+"


def pattern(text: str) -> bytes:
    """A regular expression over bytes that finds a text in all these forms.

    Raises UsageError for a text that is too short to be distinctive.
    """
    text = text.strip()
    if len(text) < SHORTEST:
        raise UsageError(
            f"a text of fewer than {SHORTEST} characters stands in too many others", "give more of it"
        )
    equal = [text, *(unicodedata.normalize(form, text) for form in ("NFC", "NFD"))]
    spellings = dict.fromkeys(map(_spelled, equal))
    encoded = [re.escape(part) for part in sorted(_base64(text.encode()))]
    return b"|".join([*spellings, *encoded])


def name_pattern(text: str) -> bytes:
    """A pattern for the text as a memory's name, `user_key_is_1234`; b"" if that would not be distinctive."""
    words = naming.words_of(text)
    slug = "_".join(words)
    is_typical = len(words) >= _NAME_WORDS or (len(slug) >= _NAME_LENGTH and any(map(str.isdigit, slug)))
    return rb"(?<![a-z0-9])%s(?![a-z0-9])" % re.escape(slug.encode()) if is_typical and slug != text else b""


def word_pattern(name: str) -> bytes:
    """A pattern for a name that is not part of another word."""
    inner = pattern(name) if len(name) >= SHORTEST else re.escape(name.encode())
    return rb"(?<![A-Za-z0-9_])(?:%s)(?![A-Za-z0-9_])" % inner


def link_pattern(name: str) -> bytes:
    """A pattern for a name in a link in a note: `[[name]]`, `[[folder/name#part]]`, `(folder/name.md)`."""
    target = re.escape(name.encode())
    linked = re.escape(quote(name).encode())
    wiki = rb"(?i:(?<=\[\[)|(?<=[\[(/]))%s(?=\.md\b|[\]|#])" % target
    return wiki if linked == target else wiki + rb"|(?<=[(/])%s(?=\.md\b)" % linked


def _spelled(text: str) -> bytes:
    """A pattern for a text of which any character may be escaped."""
    pieces = re.split(r"((?:\r?\n)+|[ \t\u00a0]+)", text)
    gaps = [_BREAK if "\n" in gap else _SPACE for gap in pieces[1::2]]
    words = [b"".join(map(_character, word)) for word in pieces[::2]]
    return b"".join(word + gap for word, gap in zip_longest(words, gaps, fillvalue=b""))


def _character(char: str) -> bytes:
    """A pattern for one character, plain or escaped; ASCII letters and digits are never escaped."""
    raw = char.encode("utf-8", "surrogateescape")
    if char.isascii() and char.isalnum():
        return raw
    percent = b"".join(b"%%%02x" % byte for byte in raw)
    units = char.encode("utf-16-be", "surrogatepass")
    escaped = rb"".join(rb"\\+u%02x%02x" % (units[at], units[at + 1]) for at in range(0, len(units), 2))
    number = ord(char)
    names = _HTML.get(char, f"#{number}").encode()
    html = rb"&(?:%s|#0*%d|#x0*%x);" % (re.escape(names), number, number)
    plain = rb"\\*" + re.escape(raw)
    return rb"(?:%s|(?i:%s|%s|%s))" % (plain, percent, escaped, html)


def _base64(data: bytes) -> set[bytes]:
    """The base64 characters that are determined by these bytes alone, at each of the three possible alignments."""
    parts = set()
    for before in range(3):
        whole = base64.b64encode(bytes(before) + data)
        first = (before * 8 + 5) // 6
        part = whole[first : (before + len(data)) * 8 // 6]
        if len(part) >= _ENCODED_LENGTH:
            parts |= {part, part.translate(bytes.maketrans(b"+/", b"-_"))}
    return parts
