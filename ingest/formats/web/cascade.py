"""Which values a web page's own styles give each element: the cascade of CSS as a browser runs it for a screen.

Style sheets that lie outside the file are not fetched. Selectors are matched by cssselect2, values parsed by tinycss2;
a rule whose selector is not understood is passed over, as browsers do.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import tinycss2
from cssselect2 import ElementWrapper, Matcher, SelectorError
from cssselect2.compiler import CompiledSelector
from cssselect2.parser import ClassSelector, CombinedSelector, IDSelector, LocalNameSelector
from cssselect2.parser import parse as parse_selectors

from ingest.formats.safe_xml import Node
from ingest.formats.web.looks import PROPERTIES, Value

_BROWSER = """
[hidden], dialog:not([open]), [popover] { display: none }
s, strike, del { text-decoration-line: line-through } sup { vertical-align: super } sub { vertical-align: sub }
sup, sub { font-size: 80% }
"""
_WIDE, _HIGH = 1280.0, 800.0
"""CSS pixels of the screen that rules about its size are asked of."""
_EM = 16.0
_SIZE = re.compile(r"\(\s*(min|max)-(?:device-)?(width|height)\s*:\s*([\d.]+)(px|r?em)\s*\)")
_RANGE = re.compile(r"\(\s*(width|height)\s*(<=?|>=?)\s*([\d.]+)(px|r?em)\s*\)")
_SCREEN = re.compile(
    r"all|screen|\(\s*(?:color|orientation\s*:\s*landscape|(?:any-)?hover\s*:\s*hover|(?:any-)?pointer\s*:\s*fine"
    r"|prefers-color-scheme\s*:\s*light|prefers-reduced-motion\s*:\s*no-preference)\s*\)"
)
_MOST_RULES = 5_000
_MOST_PARTS = 6
"""Of a selector: to look for each part among all elements around another takes the depth of the page to that power."""
_DEEPEST = 20
"""Groups of rules inside one another."""
_GROUPS = frozenset({"supports", "layer", "container", "scope", "starting-style"})


class _Declaration(NamedTuple):
    """``important`` decides before ``author``, this before ``inline``, the selector's specificity and the order."""

    important: bool
    author: bool
    inline: bool
    specificity: tuple[int, ...]
    order: int
    name: str
    value: Value


class Cascade:
    """The styles of one page."""

    def __init__(self, root: Node) -> None:
        self._matcher = Matcher()
        self._rules = 0
        self._names = _names(root)
        self._add(_BROWSER, author=False)
        for style in root.iter("style"):
            if is_for_screen(style.get("media") or ""):
                self._add("".join(map(str, style.itertext())), author=True)
        self._elements = {e.etree_element: e for e in ElementWrapper.from_html_root(root).iter_subtree()}

    def of(self, node: Node) -> Mapping[str, Value]:
        """What is declared for the element itself, by property, shorthands taken apart; nothing is inherited."""
        element = self._elements.get(node)
        found: list[_Declaration] = []
        for specificity, order, pseudo, (author, declarations) in (
            () if element is None else self._matcher.match(element)
        ):
            if pseudo is None:
                found += [d._replace(author=author, specificity=specificity, order=order) for d in declarations]
        written = node.get("style")
        if written:
            own = tinycss2.parse_blocks_contents(written, skip_comments=True, skip_whitespace=True)
            found += [d._replace(inline=True) for d in _declared(own)]
        return {declaration.name: declaration.value for declaration in sorted(found, key=lambda d: d[:5])}

    def _add(self, sheet: str, *, author: bool) -> None:
        self._add_rules(tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True), author, 0)

    def _add_rules(self, rules: Iterable[Any], author: bool, depth: int) -> None:
        for rule in rules if depth < _DEEPEST else ():
            if rule.type == "at-rule" and rule.content is not None:
                name = rule.lower_at_keyword
                if name in _GROUPS or (name == "media" and is_for_screen(tinycss2.serialize(rule.prelude))):
                    inner = tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
                    self._add_rules(inner, author, depth + 1)
            elif rule.type == "qualified-rule" and self._rules < _MOST_RULES:
                self._rules += 1
                self._add_rule(rule, author)

    def _add_rule(self, rule: Any, author: bool) -> None:
        content = tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
        declarations = list(_declared(content))
        try:
            parsed = list(parse_selectors(rule.prelude)) if declarations else []
            selectors = [CompiledSelector(s) for s in parsed if s.pseudo_element is None and self._can_match(s)]
        except (SelectorError, RecursionError):
            return
        for selector in selectors:
            self._matcher.add_selector(selector, (author, declarations))

    def _can_match(self, selector: Any) -> bool:
        """False for a selector that names what the page does not have, or that has more parts than are followed."""
        tree, parts = selector.parsed_tree, [selector.parsed_tree]
        while isinstance(tree, CombinedSelector):
            parts[-1:] = [tree.right, tree.left]
            tree = tree.left
        simple = [one for part in parts for one in part.simple_selectors]
        return len(parts) <= _MOST_PARTS and all(_name(one) is None or _name(one) in self._names for one in simple)


def is_for_screen(media: str) -> bool:
    """Whether a list of media queries takes in an ordinary screen; an empty one does."""
    queries = [" ".join(query.split()) for query in media.lower().split(",")]
    return not media.strip() or any(map(_takes_in_a_screen, queries))


def _takes_in_a_screen(query: str) -> bool:
    negated = query.startswith("not ")
    parts = re.split(r"\s+and\s+", query.removeprefix("not ").removeprefix("only "))
    return all(map(_fits_a_screen, parts)) != negated


def _fits_a_screen(part: str) -> bool:
    size, span = _SIZE.fullmatch(part), _RANGE.fullmatch(part)
    if size is not None:
        limit = float(size[3]) * (1 if size[4] == "px" else _EM)
        has = _WIDE if size[2] == "width" else _HIGH
        return has >= limit if size[1] == "min" else has <= limit
    if span is not None:
        limit = float(span[3]) * (1 if span[4] == "px" else _EM)
        has = _WIDE if span[1] == "width" else _HIGH
        return has >= limit if span[2].startswith(">") else has <= limit
    return _SCREEN.fullmatch(part) is not None


def _names(root: Node) -> frozenset[str]:
    """Every tag, class and id of the page, as ``_name`` writes them."""
    names: set[str] = set()
    for node in root.iter():
        names.add(str(node.tag).lower())
        names.update(f".{name}" for name in (node.get("class") or "").split())
        names.add(f"#{node.get('id')}")
    return frozenset(names)


def _name(simple: Any) -> str | None:
    """What a simple selector demands of an element by name."""
    if isinstance(simple, ClassSelector):
        return f".{simple.class_name}"
    if isinstance(simple, IDSelector):
        return f"#{simple.ident}"
    return str(simple.lower_local_name) if isinstance(simple, LocalNameSelector) else None


def _declared(items: Iterable[Any]) -> Iterator[_Declaration]:
    """What a block of declarations says that bears on what is seen; who says it is filled in later."""
    for item in items:
        if item.type != "declaration":
            continue
        value = [token for token in item.value if token.type not in ("whitespace", "comment")]
        for name, part in _longhands(item.lower_name, value):
            if name in PROPERTIES:
                yield _Declaration(item.important, True, False, (), 0, name, part)


def _longhands(name: str, value: Value) -> Iterator[tuple[str, Value]]:
    """A shorthand sets every property that it stands for."""
    if name == "background":
        images = [t for t in value if t.type in ("url", "function") and not is_colour(t)]
        yield "background-image", images
        yield "background-color", [t for t in value if is_colour(t)][-1:]
    elif name == "font":
        sizes = [t for t in value if t.type in ("dimension", "percentage") or (t.type == "number" and t.value == 0)]
        yield "font-size", sizes[:1]
    elif name == "text-decoration":
        yield "text-decoration-line", value
    elif name == "overflow":
        yield "overflow-x", value[:1]
        yield "overflow-y", value[-1:]
    elif name == "margin":
        yield "margin-top", value[:1]
        yield "margin-left", value[3:4] or value[1:2] or value[:1]
    else:
        yield name, value


def is_colour(token: Any) -> bool:
    return token.type in ("ident", "hash", "function") and tinycss2.color4.parse_color(token) is not None
