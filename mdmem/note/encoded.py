"""A name for a file or a git ref from any text; two texts never get the same one, even if case is ignored.

claude-code    ->  claude-code
Ada Lovelace   ->  %41da%20%4covelace
"""

_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789-_")
_LONG = 120  # characters; file systems take 255, and a ref needs some for `.lock`
_KEPT = 60
_DIGEST = 16  # bytes


def encoded(text: str) -> str:
    """The name of a text: lower-case letters, digits, `-`, `_` and `%xx` for all else; `%` for an empty text.

    The name of a long text is only its beginning, `%%` and a digest.
    """
    data = text.encode("utf-8", "surrogateescape")
    name = "".join(chr(byte) if byte in _PLAIN else f"%{byte:02x}" for byte in data) or "%"
    if len(name) <= _LONG:
        return name
    import hashlib  # seldom needed, and slow to load

    return f"{name[:_KEPT]}%%{hashlib.blake2b(data, digest_size=_DIGEST).hexdigest()}"
