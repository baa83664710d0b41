"""Splits a text into words, in the same way for the index, for queries and for the marks in a snippet.

FTS5 takes a run of Chinese, Japanese, Korean or Thai characters for one word. The index gets it as overlapping
pairs instead, and so does the query: 机器学习 is found by 机器, by 学习, and by the whole. The index also gets the
last character alone, so that every character begins one of its words, and 机 and 习 are found. Each emoji is a
word of its own.
"""

from collections.abc import Iterator

from mdmem.note.patterns import late

# The index's FTS5 tokenizer: words consist of letters, digits, marks and emoji, and accents are ignored.
TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* M* So'"

# Characters of scripts written without spaces, as the inside of a character class.
UNSPACED = (
    "\u3005-\u3007\u3041-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # kana, Han
    "\U00020000-\U0003134f\uac00-\ud7a3"  # Han, Hangul: has spaces between words, but endings are attached to them
    "\u0e01-\u0e3e\u0e40-\u0e4e\u0e50-\u0e59\u0e81-\u0ece\u0ed0-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai to Khmer
)
_EMOJI = "\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
# Marks belong to the letter before them. Those of Indian scripts are among the letters of their blocks.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0963\u0966-\u0dff\u1dc0-\u1dff\u20d0-\u20ff"
)
# These take 8 ms to compile, at the first text that is not ASCII.
_WORD = late(rf"(?:[^\W_{UNSPACED}][{_MARKS}]*)+|[{UNSPACED}]+|[{_EMOJI}]")
# The index also separates characters that are not part of words from them: "25°C" is 25 and C.
_APART = late(rf"[{UNSPACED}]+|[^\x00-\x7f\w{_MARKS}]")
_RUN = late(f"[{UNSPACED}]+")
_AT_ONCE = 4096  # pairs: all of a long run take 80 times its memory
_ASCII = bytes(ord(chr(code).lower()) if chr(code).isalnum() else 32 for code in range(128)) + bytes(128)


def words(text: str) -> list[str]:
    """The words of a note in lower case, as the index has them before stemming."""
    if text.isascii():
        return _lower_words(text).split()
    found = (word for _, _, word in spans(text)) if _RUN.search(text) else _WORD.findall(text.lower())
    known: dict[str, str] = {}  # a long run has few different pairs or emoji: each is kept once
    return [known.setdefault(word, word) for word in found]


def terms(text: str) -> list[str]:
    """The words of a query in lower case: a run of unspaced characters as its pairs, a single one as itself."""
    if text.isascii():
        return words(text)
    return _WORD.findall(_RUN.sub(lambda match: f" {_in_pairs(match[0])[:-2] or match[0]} ", text).lower())


def spaced(text: str) -> str:
    """The text for the index: unspaced runs as pairs and their last character, and emoji, between spaces."""
    if text.isascii():
        return text
    return _APART.sub(lambda match: f" {_in_pairs(match[0])} ", text)


def spans(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, word) of each word in a text, in order; the pairs of a run overlap."""
    if text.isascii():
        yield from _ascii_spans(text)
        return
    for match in _WORD.finditer(text):
        if is_unspaced(match[0]):
            for at in range(*match.span()):  # one at a time, see `_AT_ONCE`
                word = text[at : min(at + 2, match.end())]
                yield at, at + len(word), word
        else:
            yield *match.span(), match[0].lower()


def _lower_words(ascii_text: str) -> str:
    """An ASCII text in lower case, with a space for every character that is not part of a word."""
    return ascii_text.encode().translate(_ASCII).decode()


def _ascii_spans(text: str) -> Iterator[tuple[int, int, str]]:
    lower = _lower_words(text)
    end = 0
    for word in lower.split():
        start = lower.index(word, end)
        end = start + len(word)
        yield start, end, word


def is_unspaced(word: str) -> bool:
    """Whether a word is in a script written without spaces."""
    return not word.isascii() and _RUN.match(word) is not None


def _in_pairs(run: str) -> str:
    """ABCD as AB BC CD D."""
    if len(run) <= _AT_ONCE:
        return " ".join([run[at : at + 2] for at in range(len(run))])
    parts = (range(len(run))[start : start + _AT_ONCE] for start in range(0, len(run), _AT_ONCE))
    return " ".join(" ".join([run[at : at + 2] for at in part]) for part in parts)
