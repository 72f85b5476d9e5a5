"""Queries with operators (contract, section 6), parsed once.

    query    = or
    or       = and ("OR" and)*
    and      = near (["AND"] near)*
    near     = unary (("w/5" | "w/s" | "w/p") unary)*
    unary    = ("NOT" | "-") unary | "(" or ")" | phrase | word | word*
    filter   = from: | to: | type: | author: | date: | bates: | in:   followed by a word or a phrase

Filters stand anywhere and narrow the whole query. AND, OR and NOT speak of documents, as in legal databases; w/ of
places. AND, OR and NOT count in capitals only.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from retrieval.words.literal import words


class Fault(StrEnum):
    """What is wrong with a query."""

    QUOTE_OPEN = "quote_open"
    GROUP_OPEN = "group_open"
    GROUP_NOT_OPEN = "group_not_open"
    GROUP_EMPTY = "group_empty"
    OPERAND_MISSING = "operand_missing"
    NOT_NEAR = "not_near"
    ONLY_NOT = "only_not"
    DISTANCE = "distance"
    FILTER_EMPTY = "filter_empty"
    FILTER_UNKNOWN = "filter_unknown"
    WORD_EMPTY = "word_empty"
    WILDCARD_INSIDE = "wildcard_inside"


class MalformedQuery(ValueError):
    """``at`` is the 0-based offset of ``found`` in the query."""

    def __init__(self, fault: Fault, at: int, found: str) -> None:
        super().__init__(fault.value)
        self.fault, self.at, self.found = fault, at, found


@dataclass(frozen=True, slots=True)
class Term:
    """Words in a row as they are printed; ``exact`` False for one plain word, which stands for its forms too."""

    words: tuple[str, ...]
    exact: bool
    prefix: bool = False
    """The last word may go on."""


@dataclass(frozen=True, slots=True)
class Near:
    """``within`` counts words; None for the same sentence or, with ``paragraph``, the same paragraph."""

    left: "Node"
    right: "Node"
    within: int | None
    paragraph: bool = False


@dataclass(frozen=True, slots=True)
class Both:
    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Either:
    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Without:
    part: "Node"


Node = Term | Near | Both | Either | Without


class FilterKind(StrEnum):
    FROM = "from"
    TO = "to"
    TYPE = "type"
    AUTHOR = "author"
    DATE = "date"
    BATES = "bates"
    IN = "in"


@dataclass(frozen=True, slots=True)
class Filter:
    """``at`` is where the value begins in the query."""

    kind: FilterKind
    value: str
    at: int


@dataclass(frozen=True, slots=True)
class OperatorQuery:
    """``wanted`` is None where there are filters alone. ``plain`` are the words that are not said to be absent, for
    ranking; ``only_words`` is True where the query is words in any order beside filters."""

    wanted: Node | None
    filters: tuple[Filter, ...]
    plain: str
    only_words: bool


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int


_QUOTES = {'"': '"', "“": "”", "„": "“”", "«": "»"}
_FILTER = re.compile(r"(from|to|type|author|date|bates|in):", re.IGNORECASE)
_ANY_FILTER = re.compile(r"([a-z]{2,12}):(?=[\w\"“])")
_NEAR = re.compile(r"w/(\S*)", re.IGNORECASE)
_WORDS = {"AND": "and", "OR": "or", "NOT": "not"}
_BARE = re.compile(r"[^\s()\"“”„«»]+(?:\([^\s()]*\))*")
"""A word with brackets of its own: "7.2(b)"."""
_PHRASE = re.compile(r"(?:^|\s)[\"“„«]\w[^\"“”«»]*(?:[\"“”»]|$)")
_ASKING = re.compile(
    r"\?\s*$|^\s*(?:what|who|whom|whose|which|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can|could|may"
    r"|must|shall|should|will|would|find|show|tell|explain|list|summari[sz]e|define|definition|meaning)\b",
    re.IGNORECASE,
)
"""A question that quotes: the words in quotation marks are sought side by side, and the others asked for in words."""
MOST_WORDS = 1000
"""Largest distance of w/."""


def operators(query: str) -> OperatorQuery | None:
    """None for a question in words. Raises MalformedQuery."""
    if not _has_operators(query):
        return None
    tokens, filters = _tokens(query)
    if not tokens:
        return OperatorQuery(None, filters, "", only_words=True)
    parser = _Parser(tokens, len(query))
    wanted = parser.whole()
    if _is_absent(wanted):
        raise MalformedQuery(Fault.ONLY_NOT, tokens[0].at, tokens[0].text)
    only_words = all(token.kind == "word" for token in tokens)
    return OperatorQuery(wanted, filters, " ".join(_plain(wanted)), only_words)


def _has_operators(query: str) -> bool:
    return (
        re.search(r"(?:^|[\s(])(?:AND|OR|NOT|[wW]/\w*)(?=[\s)]|$)|(?:^|[\s(])-[\w\"“(]|\w\*(?=[\s)]|$)", query)
        is not None
        or re.search(r"(?:^|[\s(])(?:from|to|type|author|date|bates|in):\S", query, re.IGNORECASE) is not None
        or (_PHRASE.search(query) is not None and _ASKING.search(query) is None)
    )


def _tokens(query: str) -> tuple[list[_Token], tuple[Filter, ...]]:
    tokens: list[_Token] = []
    filters: list[Filter] = []
    at = 0
    while at < len(query):
        if query[at].isspace():
            at += 1
        elif match := _FILTER.match(query, at):
            value, begin, end = _value(query, match.end())
            filters.append(Filter(FilterKind(match[1].lower()), value, begin))
            at = end
        else:
            token, at = _token(query, at)
            tokens.append(token)
    return tokens, tuple(filters)


def _value(query: str, at: int) -> tuple[str, int, int]:
    """A filter's value, where it begins and where it ends."""
    if at < len(query) and query[at] in _QUOTES:
        end = _closing(query, at)
        value = query[at + 1 : end].strip()
    else:
        match = re.compile(r"[^\s()]*").match(query, at)
        assert match is not None
        value, end = match[0], match.end() - 1
    if not value:
        raise MalformedQuery(Fault.FILTER_EMPTY, at, query[:at].rsplit(maxsplit=1)[-1])
    return value, at, end + 1


def _token(query: str, at: int) -> tuple[_Token, int]:
    sign = query[at]
    if sign in "()":
        return _Token(sign, sign, at), at + 1
    if sign in _QUOTES:
        end = _closing(query, at)
        return _Token("phrase", query[at + 1 : end], at), end + 1
    if sign == "-" and at + 1 < len(query) and (query[at + 1].isalnum() or query[at + 1] in '("“'):
        return _Token("not", "-", at), at + 1
    match = _BARE.match(query, at)
    if match is None:  # a closing quotation mark alone
        return _Token("word", sign, at), at + 1
    text = match[0]
    if text in _WORDS:
        return _Token(_WORDS[text], text, at), match.end()
    if near := _NEAR.fullmatch(text):
        return _Token("near", _distance(near[1].lower(), at, text), at), match.end()
    if unknown := _ANY_FILTER.match(query, at):
        raise MalformedQuery(Fault.FILTER_UNKNOWN, at, unknown[0])
    return _Token("word", text, at), match.end()


def _distance(text: str, at: int, found: str) -> str:
    if text in ("s", "p") or (text.isdecimal() and 0 < int(text) <= MOST_WORDS):
        return text
    raise MalformedQuery(Fault.DISTANCE, at, found)


def _closing(query: str, at: int) -> int:
    for end in range(at + 1, len(query)):
        if query[end] in _QUOTES[query[at]] or (query[at] != "«" and query[end] in '"”'):
            return end
    raise MalformedQuery(Fault.QUOTE_OPEN, at, query[at:])


class _Parser:
    def __init__(self, tokens: list[_Token], end: int) -> None:
        self._tokens, self._next = tokens, 0
        self._end = _Token("end", "", end)

    def whole(self) -> Node:
        node = self._either()
        left = self._peek()
        if left.kind == ")":
            raise MalformedQuery(Fault.GROUP_NOT_OPEN, left.at, left.text)
        return node

    def _peek(self) -> _Token:
        return self._tokens[self._next] if self._next < len(self._tokens) else self._end

    def _take(self) -> _Token:
        token = self._peek()
        self._next += 1
        return token

    def _either(self) -> Node:
        parts = [self._both()]
        while self._peek().kind == "or":
            self._take()
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else Either(tuple(parts))

    def _both(self) -> Node:
        parts = [self._near()]
        while self._peek().kind not in ("or", ")", "end"):
            if self._peek().kind == "and":
                self._take()
            parts.append(self._near())
        return parts[0] if len(parts) == 1 else Both(tuple(parts))

    def _near(self) -> Node:
        left = self._unary()
        while self._peek().kind == "near":
            token = self._take()
            right = self._unary()
            for side in (left, right):
                if _has_documents(side):
                    raise MalformedQuery(Fault.NOT_NEAR, token.at, f"w/{token.text}")
            left = Near(left, right, int(token.text) if token.text.isdecimal() else None, token.text == "p")
        return left

    def _unary(self) -> Node:
        token = self._take()
        if token.kind == "not":
            return Without(self._unary())
        if token.kind == "(":
            if self._peek().kind == ")":
                raise MalformedQuery(Fault.GROUP_EMPTY, token.at, "()")
            node = self._either()
            if self._take().kind != ")":
                raise MalformedQuery(Fault.GROUP_OPEN, token.at, token.text)
            return node
        if token.kind in ("word", "phrase"):
            return _term(token)
        raise MalformedQuery(Fault.OPERAND_MISSING, token.at, token.text)


def _term(token: _Token) -> Term:
    prefix = token.text.rstrip(" .,;:?!").endswith("*")
    found = tuple(words(token.text))
    if not found:
        raise MalformedQuery(Fault.WORD_EMPTY, token.at, token.text)
    if "*" in token.text.rstrip("* .,;:?!"):
        raise MalformedQuery(Fault.WILDCARD_INSIDE, token.at, token.text)
    return Term(found, exact=token.kind == "phrase" or len(found) > 1 or prefix, prefix=prefix)


def _has_documents(node: Node) -> bool:
    """Whether it says something of whole documents, of which nothing can be near."""
    if isinstance(node, Either):
        return any(map(_has_documents, node.parts))
    return isinstance(node, Both | Without)


def _is_absent(node: Node) -> bool:
    """Whether documents would be found by what they lack alone."""
    if isinstance(node, Without):
        return True
    if isinstance(node, Both):
        return all(map(_is_absent, node.parts))
    return isinstance(node, Either) and any(map(_is_absent, node.parts))


def _plain(node: Node) -> list[str]:
    if isinstance(node, Term):
        return list(node.words)
    if isinstance(node, Near):
        return [*_plain(node.left), *_plain(node.right)]
    return [] if isinstance(node, Without) else [word for part in node.parts for word in _plain(part)]
