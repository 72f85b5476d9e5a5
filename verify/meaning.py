"""What gives a cell's number its meaning: its own sign, its headers, what the table and the page say of it (rule 8).

A table's unit and scale apply to the cells that they are said of. Counts, days, rates, prices of one unit and rows that
are excepted are left out; where it is open whether a scale is said of a cell, the value is open too.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum, auto
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from verify.bodies import PageView
from verify.currencies import DOLLAR, DOLLAR_CODES, PERCENT
from verify.domain.claim import CitedCell
from verify.domain.document import Cell, Element, ElementKind, Page, Statement, StatementKind, Table
from verify.numbers import Convention, Quantity, convention_of_cells, parse_quantity
from verify.report import Region, Role
from verify.sentences import sentences
from verify.targets import page_of_id
from verify.units import Stated, parse_statement
from verify.values import plain
from verify.wordlists import WORDS, phrases

T = TypeVar("T")


class Part(NamedTuple):
    """A table on its page; a continued table is several parts."""

    page: Page
    table: Table


class Context(NamedTuple):
    """What gives a cell's number its meaning.

    ``words`` are units as printed, ``header`` is the innermost column header, which may be the unit's word itself
    ("Nights"), ``regions`` are where unit and scale stand. ``open_scale`` is a scale that may be said of it or not.
    """

    unit: str | None
    scale: int
    words: tuple[str, ...]
    header: str | None
    clash: bool
    regions: tuple[Region, ...]
    open_scale: int | None = None


PageAt = Callable[[int], Page | None]


def parts_of(page: Page, table: Table, page_at: PageAt) -> tuple[Part, ...]:
    """The table on its page, then what it continues. ``page_at`` gives a page of the same document by its index."""
    return (Part(page, table), *_earlier_parts(page_at, table))


def table_on(page: Page, table_id: str | None) -> Table | None:
    return next((t for t in page.tables if t.table_id == table_id), None)


def _earlier_parts(page_at: PageAt, table: Table) -> Iterator[Part]:
    """The parts that this one continues, nearest first; each lies on an earlier page."""
    while table.continued_from is not None:
        index, before = page_of_id(table.continued_from), page_of_id(table.table_id)
        page = page_at(index) if index is not None and before is not None and index < before else None
        earlier = None if page is None else table_on(page, table.continued_from)
        if page is None or earlier is None:
            return
        yield Part(page, earlier)
        table = earlier


def quantity_of(cell: Cell, parts: Sequence[Part], view: PageView | None = None) -> Quantity | None:
    """The number of a cell, in the convention of the table's own numbers, else of its page."""
    page, table = parts[0]
    view = view or _view_of(_Same(page))
    return parse_quantity(_cell_text(cell, view), _convention(_Same(table), _Same(view)))


class _Same(Generic[T]):
    """A key that is equal to itself alone: pages and tables are large, and compared by what they are, not by value."""

    __slots__ = ("it",)

    def __init__(self, it: T) -> None:
        self.it = it

    def __hash__(self) -> int:
        return id(self.it)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.it is self.it


@lru_cache(16)
def _view_of(page: _Same[Page]) -> PageView:
    return PageView(page.it)


@lru_cache(64)
def _convention(table: _Same[Table], view: _Same[PageView]) -> Convention:
    return convention_of_cells((c.text for c in table.it.cells if not c.is_header), view.it.body.convention)


def _cell_text(cell: Cell, view: PageView) -> str:
    """Without the marks of notes that the page's spans name."""
    body, words = view.body, view.page.words
    if not body.kinded or not cell.words:
        return cell.text
    shown = (body.unmarked[words[i].start : words[i].end].replace("\u200b", "") for i in cell.words)
    return " ".join(filter(None, shown))


class Kind(Enum):
    """What kind of number a cell's headers announce."""

    AMOUNT = auto()
    COUNT = auto()
    TIME = auto()
    RATIO = auto()
    PRICE = auto()


_CELLS = WORDS["cells"]
_COUNT = re.compile(rf"(?<![^\W_])(?:{phrases(_CELLS['counts'])})(?![^\W_])", re.IGNORECASE)
_MONEY = re.compile(rf"(?<![^\W_])(?:{phrases(_CELLS['money'])})(?![^\W_])", re.IGNORECASE)
_TIMES = phrases(_CELLS["times"])
_TIME = re.compile(
    rf"(?:^\W*(?:average\s+|mean\s+|weighted\s+)*(?:{_TIMES})\b(?!\s+end)|\(\s*(?:in\s+)?(?:{_TIMES})\s*\)"
    rf"|(?<!than)(?<!over)(?<!under)(?<!after)(?<!within)(?<!to)(?<!\d)\s(?:in\s+)?(?P<last>{_TIMES})\W*$)",
    re.IGNORECASE,
)
_RATIO = re.compile(rf"(?<![^\W_])(?:{phrases(_CELLS['ratios'])})\W*$|\bratio\b", re.IGNORECASE)
_PRICE = re.compile(
    rf"\bper\s+(?!(?:{phrases(_CELLS['periods'])})s?\b)[^\W\d_]+|/\s?(?:share|unit|ad[rs]|tonne|ton|kg|lb|hour|day|night|"
    rf"head|item|piece|barrel|litre|liter|gallon|sq\w*|m2|m²|kwh|mwh)s?\b|(?<![^\W_])(?:{phrases(_CELLS['prices'])})(?![^\W_])",
    re.IGNORECASE,
)
_PERCENT_HEADER = re.compile(r"(?:^|[^\d\s])\s?%|\bper\s?cent\b|\bpercentage\b(?!\s+point)", re.IGNORECASE)
"""A percent sign that is not part of a number ("Change %", but not "5% notes")."""


def kind_of(row_path: Sequence[str], column_path: Sequence[str]) -> Kind:
    """A span of days names a row; at the head of a column it is a period ("Nine months ended …")."""
    headers = (*row_path, *column_path)
    if any(map(_PRICE.search, headers)):
        return Kind.PRICE
    if any(_TIME.search(h) for h in (*row_path, *column_path[-1:]) if not any(c.isdigit() for c in h)):
        return Kind.TIME
    if any(_COUNT.search(h) and not _MONEY.search(h) for h in headers):
        return Kind.COUNT
    return Kind.RATIO if any(map(_RATIO.search, headers)) else Kind.AMOUNT


def context_of(cell: Cell, quantity: Quantity | None, parts: Sequence[Part]) -> Context:
    """The cell's own sign first, then its headers, then the table's title, headers and notes, then the page's words."""
    headers = (*cell.column_path, *cell.row_path)
    said = [s for text in headers if (s := _header(text)) is not None]
    units = {s.unit for s in said if s.unit}
    scales = {s.scale for s in said if s.scale}
    kind = kind_of(cell.row_path, cell.column_path)
    table, regions = _table_statement(cell, parts)
    own = quantity.unit if quantity else None
    leaf = next(iter(cell.column_path[-1:]), None)
    clash = len(units) > 1 or len(scales) > 1 or any(s.clash for s in said)
    excepted = _excepted(headers, table.exceptions)
    applies = kind in (Kind.AMOUNT, Kind.PRICE) and (excepted is not True or kind is Kind.PRICE)
    named = own or min(units, default=None)
    unit = _unit(own, min(units, default=None), table.unit if applies or (not named and _word_only(table)) else None)
    words = _words(said, quantity)
    exempt = PERCENT in {own, unit} or kind is not Kind.AMOUNT or excepted is True
    told = (named is None or not scales) and not exempt
    clash = clash or (table.clash and told and (named is None or (table.scale is not None and not scales)))
    if quantity is not None and quantity.scale != 1:
        return Context(unit, 1, words, leaf, clash and own is None, regions)
    open_scale = None
    if table.scale and not scales and (excepted is None or (kind is Kind.COUNT and table.unit is None)):
        exempt, open_scale = True, table.scale
    scale = min(scales, default=1 if exempt else table.scale or 1)
    return Context(unit, scale, words, leaf, clash, regions, open_scale)


def _word_only(table: "Said") -> bool:
    """A unit that is no money may be said of counts too."""
    return table.unit == PERCENT


class Said(NamedTuple):
    """What a table says of a cell; ``exceptions`` are the phrases that it leaves out."""

    unit: str | None
    scale: int | None
    clash: bool
    exceptions: tuple[str, ...]


def cited_cell(cell: Cell, parts: Sequence[Part]) -> CitedCell:
    """The cell as a citation states it, with the value, unit and scale that ``check_cell`` reads. A number whose
    headers or notes clash, or that can be read two ways, has none: only its text can be proved."""
    quantity = quantity_of(cell, parts)
    value, unit, scale = None, None, None
    if quantity is not None and not quantity.others and not quantity.bounded:
        context = context_of(cell, quantity, parts)
        if not context.clash and context.open_scale is None:
            value, scale = plain(quantity.value * context.scale), context.scale * quantity.scale
            unit = context.unit or next(iter(context.words), None)
    table_id = parts[0].table.table_id
    title = next((part.table.title for part in parts if part.table.title), None)
    return CitedCell(table_id, cell.cell_id, cell.row_path, cell.column_path, value, unit, scale, title, cell.address)


def _header(text: str) -> Stated | None:
    stated = parse_statement(text)
    if stated.unit is None and _PERCENT_HEADER.search(text):
        stated = stated._replace(unit=PERCENT)
    return stated if any(stated) else None


def _unit(own: str | None, header: str | None, table: str | None) -> str | None:
    """A bare "$" in a cell is the dollar that its header or table names."""
    if own == DOLLAR:
        return next((u for u in (header, table) if u == "USD" or u in DOLLAR_CODES), DOLLAR)
    return own or header or table


def _words(said: Sequence[Stated], quantity: Quantity | None) -> tuple[str, ...]:
    """Units as printed: in the cell or in a header's brackets."""
    own = [quantity.word] if quantity and quantity.word else []
    return (*own, *(s.word for s in said if s.word))


def _table_statement(cell: Cell, parts: Sequence[Part]) -> tuple[Said, tuple[Region, ...]]:
    """What the table says of this cell, by the first part that says anything; a marked note only of marked cells."""
    marks = marks_of(cell, parts[0].table)
    for part in parts:
        table = part.table
        statements = [s for s in table.statements if _applies(s, table, marks)]
        said = [(s, stated) for s in statements for stated in _of_cell(s, cell, table)]
        telling = [(s, stated) for s, stated in said if stated.unit or stated.scale]
        around = _around(part)
        exceptions = [
            e for text in (*(s.text for s in statements), *(a.text for a in around)) for e in exceptions_in(text)
        ]
        merged = _merged([stated for _, stated in telling])
        split = any(parse_statement(s.text).clash for s in statements)
        merged = merged._replace(
            unit=merged.unit or (None if split else table.unit), scale=merged.scale or (None if split else table.scale)
        )
        regions = [Region(part.page.index, s.bbox, Role.UNIT) for s, _ in telling]
        for element in around:
            stated = parse_statement(element.text)
            if (stated.unit and not merged.unit) or (stated.scale and not merged.scale):
                regions.append(Region(part.page.index, element.bbox, Role.UNIT))
            merged = merged._replace(unit=merged.unit or stated.unit, scale=merged.scale or stated.scale)
        if merged.unit or merged.scale:
            return Said(merged.unit, merged.scale, merged.clash, tuple(exceptions)), tuple(dict.fromkeys(regions))
    return Said(None, None, False, ()), ()


_SAYS = re.compile(
    r"\b(?:amounts?|figures?|values?|sums|numbers|prices|balances|tables?|data|results|accounts)\b(?:\s+[^\s.;]+){0,6}?\s+"
    r"(?:are|is|being)\s+(?:all\s+)?(?:stated|expressed|shown|presented|given|reported|quoted|denominated|set\s+out|"
    r"rounded)?\s*(?:in|to)\b|^\W*(?:all\s+)?(?:amounts|figures|values|sums)\s+in\b|^\W*(?:expressed\s+|stated\s+)?in\s",
    re.IGNORECASE,
)
_PROSE = frozenset({ElementKind.PARAGRAPH, ElementKind.CAPTION, ElementKind.HEADING})


def _around(part: Part) -> list[Element]:
    """Elements of the page that say in which unit and scale its amounts are: before the table, nearest first, then
    the one right behind it."""
    elements = [e for e in part.page.elements if e.start is not None]
    at = next((i for i, e in enumerate(elements) if e.element_id == part.table.element_id), None)
    if at is None:
        return []
    return [e for e in (*reversed(elements[:at]), *elements[at + 1 : at + 2]) if e.kind in _PROSE and _says(e.text)]


def _says(text: str) -> bool:
    return any(_SAYS.search(text[s.start : s.end]) and _telling(text[s.start : s.end]) for s in sentences(text))


def _telling(text: str) -> bool:
    stated = parse_statement(text)
    return stated.unit is not None or stated.scale is not None


_EXCEPTIONS = re.compile(
    r"\b(?:except(?:ing)?(?:\s+for)?|other\s+than|excluding|save\s+for)\b([^.;)\]]*)", re.IGNORECASE
)
_PER = re.compile(r"\bper[\s-]+[^\W\d_]+(?:\s+(?:data|amounts?|information|figures))?", re.IGNORECASE)


def exceptions_in(text: str) -> Iterator[str]:
    """What a statement leaves out, one phrase each; prices of a unit are known by their own headers."""
    for found in _EXCEPTIONS.finditer(text):
        yield from filter(_content, re.split(r",|\band\b|\bor\b", _PER.sub("", found[1])))


_GENERAL = frozenset(_CELLS["general"])
_TOKEN = re.compile(r"[^\W\d_]+")


def _content(text: str) -> frozenset[str]:
    """The words that say which cells are meant, in the singular."""
    words = (w.lower() for w in _TOKEN.findall(text))
    return frozenset(s for w in words if w not in _GENERAL and (s := w.removesuffix("s")) not in _GENERAL)


def _excepted(headers: Iterable[str], exceptions: Iterable[str]) -> bool | None:
    """True if a header is what an exception names, None if it may be, False if not."""
    wanted = [_content(e) for e in exceptions]
    shown = [_content(h) for h in headers]
    if any(h == e for h in shown for e in wanted):
        return True
    return None if any(h & e for h in shown for e in wanted) else False


def _of_cell(statement: Statement, cell: Cell, table: Table) -> list[Stated]:
    """What a statement says of a cell. One that names two units, or a note, says each of what it names before it
    ("Prices in EUR, volumes in thousands"); what names no header is said of all."""
    whole = parse_statement(statement.text)
    if not whole.clash and statement.kind is not StatementKind.NOTE:
        return [whole]
    parts = [p for p in re.split(r"[;,.]|\band\b|\bbut\b", statement.text) if _telling(p)]
    if len(parts) < 2 and whole.clash:
        return [whole]
    own = frozenset().union(*map(_content, (*cell.row_path, *cell.column_path)))
    all_headers = frozenset().union(*(_content(c.text) for c in table.cells if c.is_header))
    found = []
    for part in parts if whole.clash else [statement.text]:
        subject = _content(re.split(r"\b(?:in|are|is)\b|[(\[]", part, maxsplit=1)[0]) & all_headers
        if not subject or subject & own:
            found.append((bool(subject), parse_statement(part)))
    named = [stated for subject, stated in found if subject]
    return named or [stated for _, stated in found]


def marks_of(cell: Cell, table: Table) -> frozenset[str]:
    """Footnote marks at the cell and at the headers of its row and column."""
    heads = (c for c in table.cells if c.is_header and (c.row == cell.row or covers(c, cell)))
    return frozenset(mark for c in (cell, *heads) for mark in c.marks)


def covers(header: Cell, cell: Cell) -> bool:
    return header.row < cell.row and header.col <= cell.col < header.col + header.col_span


def _applies(statement: Statement, table: Table, marks: frozenset[str]) -> bool:
    """A column's header speaks of its column alone, and is read with the cell's path; the corner speaks of all."""
    if statement.mark is not None:
        return statement.mark in marks
    heads = [c for c in table.cells if c.is_header and c.bbox == statement.bbox]
    return statement.kind is not StatementKind.HEADER or not heads or any(c.col == 0 for c in heads)


def _merged(said: Sequence[Stated]) -> Stated:
    units = {s.unit for s in said if s.unit}
    scales = {s.scale for s in said if s.scale}
    clash = len(units) > 1 or len(scales) > 1 or any(s.clash for s in said)
    return Stated(min(units, default=None), min(scales, default=None), None, clash)
