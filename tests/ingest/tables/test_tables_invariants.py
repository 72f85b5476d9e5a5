"""Whatever stands on a page, the tables found keep to their own rules."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.page.raw import RawPage, RawWord
from ingest.tables.finding import find_tables, may_hold_table
from ingest.tables.model import to_table
from verify.domain.document import Origin
from verify.domain.geometry import Box
from verify.domain.ids import ElementId, TableId

TEXTS = (
    "Rent",
    "4,200",
    "(475)",
    "2031",
    "Total",
    "–",
    "$",
    "12.4%",
    "a",
    "2",
    "*",
    "By:",
    "iv",
    "....",
    "Seat",
    "المبلغ",
)


@st.composite
def words(draw: st.DrawFn) -> RawWord:
    column, row = draw(st.integers(0, 7)), draw(st.integers(0, 12))
    text = draw(st.sampled_from(TEXTS))
    x = column * 6500 + draw(st.integers(0, 900))
    y = row * 1600 + draw(st.sampled_from((0, 0, 0, -300, 150)))
    size = draw(st.sampled_from((1000, 1000, 600)))
    box = Box(x + 500, y + 500, x + 500 + len(text) * size // 2, y + 500 + size)
    return RawWord(
        text, box, box.y0 + 8 * size // 10, size, draw(st.booleans()), Origin.NATIVE, -1, draw(st.booleans())
    )


@st.composite
def pages(draw: st.DrawFn) -> RawPage:
    across = draw(st.lists(st.tuples(st.integers(0, 13), st.integers(0, 4), st.integers(4, 8)), max_size=14))
    down = draw(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 6), st.integers(6, 13)), max_size=9))
    horizontals = tuple(
        Box(a * 6500 + 300, y * 1600 + 300, b * 6500 + 300, y * 1600 + 360) for y, a, b in across if a < b
    )
    verticals = tuple(Box(x * 6500 + 300, a * 1600 + 300, x * 6500 + 360, b * 1600 + 300) for x, a, b in down if a < b)
    drawn = tuple(draw(st.lists(words(), max_size=60)))
    return RawPage(0, 60000, 84000, 0, drawn, horizontals, verticals)


@given(pages())
@settings(max_examples=80, deadline=None)
def test_tables_of_any_page_are_well_formed(raw: RawPage) -> None:
    tables = find_tables(raw)
    assert tables == find_tables(raw)
    taken = Counter(i for table in tables for cell in table.cells for i in cell.words)
    assert all(count == 1 for count in taken.values())
    assert all(raw.words[i].visible for i in taken)
    for table in tables:
        places = Counter(
            (r, c)
            for cell in table.cells
            for r in range(cell.row, cell.row + cell.row_span)
            for c in range(cell.col, cell.col + cell.col_span)
        )
        assert all(count == 1 for count in places.values())
        assert all(0 <= r < table.row_count and 0 <= c < table.col_count for r, c in places)
        assert all(cell.box.within(raw.width, raw.height) for cell in table.cells)
        assert all(not cell.row_path or not cell.is_header for cell in table.cells)
        assert 0 <= table.header_rows <= table.row_count
        beside = [i for _, note in table.notes for i in note]
        assert not set(beside) & set(taken)
        made = to_table(table, raw, TableId("p0-t0"), ElementId("p0-e0"), {i: i for i in range(len(raw.words))})
        assert len({cell.cell_id for cell in made.cells}) == len(made.cells)


@given(pages())
@settings(max_examples=40, deadline=None)
def test_the_gate_passes_every_page_with_a_table(raw: RawPage) -> None:
    if find_tables(raw):
        assert may_hold_table(raw)
