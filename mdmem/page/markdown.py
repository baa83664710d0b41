"""Notes as harmless HTML: tags become text, images become links, links lead only to the web or to notes.

The text of a note is untrusted. markdown-it escapes raw HTML (`html` is off); what it would let through, such as
images on other machines, is removed here.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import zip_longest
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markupsafe import Markup

from mdmem.note import links, memory

MAX_NESTING = 36  # levels of nested blocks
LONGEST = 100_000  # characters that are rendered; a longer text is shown as plain text, cut there
_MOST_LINES = 10_000  # that are rendered: each may be a block, which takes a kilobyte in memory
_COSTLIEST = 2_000_000  # brackets times characters of a paragraph: each bracket may start a search to the end
_LONGEST_PARAGRAPH = 10_000  # characters: the parser copies what it has read of one at each sign
_WEB = ("https://", "http://", "mailto:")
_APART: dict[str, str | int | float] = {"rel": "noreferrer noopener"}
_SMALLEST = 6  # heading of HTML: h6

Resolve = Callable[
    [str], tuple[str, str]
]  # a link's target, as written -> address and title of the note, "" for none


def html(text: str, resolve: Resolve) -> Markup:
    """A text as HTML: headings start below the page's own and skip no level; wikilinks lead to their notes."""
    if len(text) > LONGEST:
        return Markup("<pre>{}</pre><p>The text is cut here; the rest is in the file.</p>").format(text[:LONGEST])
    if text.count("\n") > _MOST_LINES:
        return Markup("<pre>{}</pre>").format(text)
    parser = _parser()
    tokens = parser.parse(text, {})
    _order_headings(tokens)
    for token in tokens:
        if token.children:
            token.children = _safe(token.children, resolve)
    tokens = [each for token in tokens for each in _scrolling(token)]
    return Markup(parser.renderer.render(tokens, parser.options, {}))  # noqa: S704 - markdown-it escapes all text


def _order_headings(tokens: Sequence[Token]) -> None:
    """Put each heading one level below the one it is under, and those under none at h2 (WCAG technique G141)."""
    open_headings: list[int] = []  # levels, as written, of the headings that the next one may be under
    for token in tokens:
        if token.type == "heading_open":
            level = int(token.tag[1:])
            open_headings = [*(above for above in open_headings if above < level), level]
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(len(open_headings) + 1, _SMALLEST)}"


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING})
    parser.enable(["table", "strikethrough"])
    parser.inline.ruler.before("link", "wikilink", _wikilink)
    parser.core.ruler.before("inline", "bounded", _leave_costly_as_text)
    return parser


def _leave_costly_as_text(state: StateCore) -> None:
    """Show very long paragraphs, and those with very many brackets, as plain text: parsing takes long."""
    for token in state.tokens:
        length, brackets = len(token.content), sum(map(token.content.count, "[]<"))
        is_costly = length > _LONGEST_PARAGRAPH or brackets * length > _COSTLIEST
        if token.type == "inline" and is_costly:
            token.type = "text"


def _wikilink(state: StateInline, silent: bool) -> bool:
    """Parse `[[target#part|words]]` and `![[target]]` into the tokens of a link."""
    embeds = state.src.startswith("![[", state.pos)
    start = state.pos + embeds
    end = state.src.find("]]", start, state.posMax)
    if not state.src.startswith("[[", start) or end < 0:
        return False
    written = state.src[start : end + 2]
    target = links.wikilink_target(written)
    if not target:
        return False
    if not silent:
        words = written[2:-2].partition("|")[2].strip()
        opening = state.push("link_open", "a", 1)
        opening.meta["note"], opening.meta["has_words"] = target, bool(words)
        state.push("text", "", 0).content = words or memory.name_words(target.rpartition("/")[2])
        state.push("link_close", "a", -1)
    state.pos = end + 2
    return True


def _safe(tokens: Sequence[Token], resolve: Resolve) -> list[Token]:
    """The tokens of a line without images, and with links only to the web and to notes."""
    found: list[Token] = []
    open_links: list[bool] = []  # for each open link, whether it is kept
    for token, inner in zip_longest(tokens, tokens[1:]):
        if token.type == "link_open":
            open_links.append(not any(open_links) and _leads_on(token, inner, resolve))
            found += [token] if open_links[-1] else []
        elif token.type == "link_close":
            found += [token] if open_links.pop() else []
        elif token.type == "image":
            found += _as_link(token, is_inside=any(open_links))
        else:
            found.append(token)
    return found


def _leads_on(token: Token, inner: Token, resolve: Resolve) -> bool:
    """Set the address of a link, and a note's title as the words of one without; return whether it leads on."""
    written = str(token.attrGet("href") or "")
    if written.lower().startswith(_WEB):
        token.attrs = {"href": written, **_APART}
        return True
    target = token.meta.get("note") or unquote(written.partition("#")[0]).removesuffix(".md")
    address, title = resolve(target) if target else ("", "")
    if title and token.meta.get("has_words") is False:
        inner.content = title
    token.attrs = {"href": address, "class": "note"}
    return bool(address)


def _as_link(image: Token, is_inside: bool) -> list[Token]:
    """An image as a link to it if it is on the web: showing it would tell its owner who reads the note."""
    source = str(image.attrGet("src") or "")
    words = Token("text", "", 0, content=f"[picture: {image.content or source}]")
    if is_inside or not source.lower().startswith(_WEB[:2]):
        return [words]
    opening = Token("link_open", "a", 1)
    opening.attrs = {"href": source, **_APART}
    return [opening, words, Token("link_close", "a", -1)]


def _scrolling(token: Token) -> list[Token]:
    """A table token, with the box that lets the table scroll, also by keyboard; any other token as it is."""
    if token.type not in ("table_open", "table_close"):
        return [token]
    box = Token("box", "div", token.nesting, block=True)
    if token.nesting < 0:
        return [token, box]
    box.attrs = {"class": "scroll", "tabindex": "0", "role": "region", "aria-label": "Table"}
    return [box, token]
