"""Table cells (contract sections 4 and 5, rule 8)."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verify_asking import ask, check, verdict
from verify_pages import GOOD, FakeSource, FakeSources, make_page, para, source, table_block, with_table

from verify.domain.claim import Citation
from verify.domain.document import Origin, Page, Statement, StatementKind
from verify.domain.geometry import Box
from verify.domain.ids import CheckId, SourceId
from verify.engine import verify
from verify.meaning import cited_cell, parts_of
from verify.report import Difference, DifferenceKind, Limitation, Match, Region, Role, Status
from verify.request import build_request

TITLE = Box(100, 100, 9000, 900)
NOTE = Box(100, 7000, 9000, 7900)


def title(text: str, mark: str | None = None) -> Statement:
    return Statement(StatementKind.NOTE if mark else StatementKind.TITLE, text, NOTE if mark else TITLE, mark)


def table(
    headers: list[list[str]], rows: list[list[str]], *said: Statement, before: str = "Accounts.", **more: Any
) -> Page:
    page = make_page(more.pop("index", 0), before, table_block(headers, rows, **more.pop("drawn", {})))
    return with_table(page, 1, headers, rows, statements=said, **more)


HALVES = [["Service", "2025", "", "2024", ""], ["", "First", "Second", "First", "Second"]]
PATHS = [[], ["2025", "First"], ["2025", "Second"], ["2024", "First"], ["2024", "Second"]]
DUES = table(
    HALVES,
    [["Dues", "12.4", "13.1", "(11.8)", "−0.8"], ["Other", "1", "2", "3", "4"], ["Other", "5", "6", "7", "8"]],
    title("Table 1. Revenue (US$ in millions)"),
    column_paths=PATHS,
)
DEED = source(DUES)


def cell(row: Any = "Dues", column: Any = ("2025", "First"), **fields: Any) -> dict[str, Any]:
    paths = {"row_path": [row] if isinstance(row, str) else list(row), "column_path": list(column)}
    return check("table_cell", **{"table_id": "p0-t0", **paths, **fields})


def by_id(cell_id: str, **fields: Any) -> dict[str, Any]:
    return check("table_cell", **{"table_id": "p0-t0", "cell_id": cell_id, **fields})


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (cell(expected_value="12400000"), "verified"),
        (cell(expected_value="12400000", unit="USD", scale=1_000_000), "verified"),
        (cell(expected_value="12400000", unit="US$"), "verified"),
        (cell(expected_text="12.4"), "verified"),
        (cell(expected_text="12.4", expected_value="12400000"), "verified"),
        (cell(column=["2024", "First"], expected_value="-11800000"), "verified"),
        (cell(column=["2024", "Second"], expected_value="-800000"), "verified"),
        (cell(expected_value="12.4"), "scale_mismatch"),
        (cell(expected_value="12400"), "scale_mismatch"),
        (cell(expected_value="12400000", scale=1000), "scale_mismatch"),
        (cell(expected_value="13100000"), "value_mismatch"),
        (cell(expected_value="-12400000"), "value_mismatch"),
        (cell(expected_value="12400000", unit="EUR"), "unit_mismatch"),
        (cell(expected_value="12400000", unit="%"), "unit_mismatch"),
        (cell(expected_text="12"), "text_mismatch"),
        (cell(expected_text="12.4", expected_value="5"), "value_mismatch"),
        (cell(column=["First"], expected_value="1"), "ambiguous_path"),
        (cell("Other", expected_value="1"), "ambiguous_path"),
        (cell("Towage", expected_value="1"), "row_not_found"),
        (cell(column=["2023", "First"], expected_value="1"), "column_not_found"),
        (cell(column=["x", "2025", "First"], expected_value="1"), "column_not_found"),
        (cell(table_id="p0-t9", expected_value="1"), "table_not_found"),
        (cell(table_id="p7-t0", expected_value="1"), "table_not_found"),
        (by_id("p0-t0-r2-c1", expected_value="12400000"), "verified"),
        (by_id("p0-t0-r9-c1", expected_value="1"), "cell_not_found"),
        ({**cell(expected_value="12400000"), "cell_id": "p0-t0-r2-c1"}, "verified"),
        ({**cell(expected_value="13100000"), "cell_id": "p0-t0-r2-c2"}, "locator_conflict"),
        ({**cell("Towage", expected_value="13100000"), "cell_id": "p0-t0-r2-c2"}, "header_mismatch"),
        ({**cell("Other", expected_value="1000000"), "cell_id": "p0-t0-r3-c1"}, "verified"),
        (by_id("p0-t0-r2-c1", row_path=["Dues"], expected_value="12400000"), "verified"),
        (by_id("p0-t0-r2-c1", column_path=["2024"], expected_value="12400000"), "header_mismatch"),
    ],
)  # fmt: skip
def test_cells(one: dict[str, Any], reason: str) -> None:
    assert verdict(one, DEED) == reason


def test_the_evidence_of_a_cell_is_what_gives_it_its_meaning() -> None:
    marked = table(
        HALVES, [["Dues", "12.4", "13.1", "11.8", "9"]], title("Table 1 (US$ in millions)"),
        title("Restated.", mark="2"), column_paths=PATHS, marks={(2, 1): ("2",)},
    )  # fmt: skip
    result = ask(cell(expected_value="12400000"), source(marked))
    assert result.evidence is not None and result.status is Status.VERIFIED
    t = marked.tables[0].cells
    box = {c.cell_id: c.bbox for c in t}
    assert result.evidence.regions == (
        Region(0, box["p0-t0-r2-c1"], Role.CELL),
        Region(0, box["p0-t0-r2-c0"], Role.ROW_HEADER),
        Region(0, box["p0-t0-r0-c1"], Role.COLUMN_HEADER),
        Region(0, box["p0-t0-r1-c1"], Role.COLUMN_HEADER),
        Region(0, TITLE, Role.UNIT),
        Region(0, NOTE, Role.FOOTNOTE),
    )
    start, end = result.evidence.start, result.evidence.end
    assert (result.evidence.text, marked.text[start:end]) == ("12.4", "12.4")
    assert result.evidence.element_ids == (marked.tables[0].element_id,)
    assert (result.match, ask(cell(expected_text="12.4"), source(marked)).match) == (None, Match.EXACT)


PLAIN = table(
    [["Item", "Revenue (USD)", "Share (%)", "Change %", "Nights", "Weight (kg)", "Bonds at 5% coupon"]],
    [
        ["Lines", "5,310,000", "10.0", "(12.4)", "212", "80", "7"],
        ["Per share", "$1.24", "5%", "3 kg", "n/a", "4.2 million", "7"],
    ],
    before="Accounts of the harbour.",
)


@pytest.mark.parametrize(
    ("row", "column", "fields", "reason"),
    [
        ("Lines", "Revenue (USD)", {"expected_value": "5310000", "unit": "USD"}, "verified"),
        ("Lines", "Share (%)", {"expected_value": "10", "unit": "%"}, "verified"),
        ("Lines", "Share (%)", {"expected_value": "10", "unit": "per cent"}, "verified"),
        ("Lines", "Share (%)", {"expected_value": "10", "unit": "USD"}, "unit_mismatch"),
        ("Lines", "Change %", {"expected_value": "-12.4", "unit": "%"}, "verified"),
        ("Lines", "Nights", {"expected_value": "212"}, "verified"),
        ("Lines", "Nights", {"expected_value": "212", "unit": "Nights"}, "verified"),
        ("Lines", "Nights", {"expected_value": "212", "unit": "USD"}, "unit_unknown"),
        ("Lines", "Nights", {"expected_value": "212", "unit": "tonnes"}, "unit_unknown"),
        ("Lines", "Nights", {"expected_value": "212", "scale": 1000}, "scale_mismatch"),
        ("Lines", "Weight (kg)", {"expected_value": "80", "unit": "kg"}, "verified"),
        ("Lines", "Weight (kg)", {"expected_value": "80", "unit": "t"}, "unit_mismatch"),
        ("Lines", "Bonds at 5% coupon", {"expected_value": "7", "unit": "%"}, "unit_unknown"),
        ("Per share", "Revenue (USD)", {"expected_value": "1.24", "unit": "USD"}, "verified"),
        ("Per share", "Share (%)", {"expected_value": "5", "unit": "%"}, "verified"),
        ("Per share", "Change %", {"expected_value": "3", "unit": "kg"}, "verified"),
        ("Per share", "Nights", {"expected_value": "0"}, "value_mismatch"),
        ("Per share", "Weight (kg)", {"expected_value": "4200000", "scale": 1_000_000}, "verified"),
        ("Per share", "Weight (kg)", {"expected_value": "4.2"}, "scale_mismatch"),
    ],
)
def test_units_come_from_the_cell_then_its_headers(row: str, column: str, fields: dict[str, Any], reason: str) -> None:
    assert verdict(cell(row, [column], **fields), source(PLAIN)) == reason


def one_cell(text: str, *said: Statement, row: str = "Income", column: str = "2025", before: str = "Accounts.",
             **more: Any) -> FakeSource:  # fmt: skip
    return source(table([["Item", column]], [[row, text]], *said, before=before, **more))


def ask_one(deed: FakeSource, value: str, row: str = "Income", column: str = "2025", **fields: Any) -> str:
    return verdict(cell(row, [column], expected_value=value, **fields), deed)


def test_a_tables_scale_is_not_that_of_its_percent_and_per_share_cells() -> None:
    said = title("Results (US$ in millions, except per share data)")
    assert ask_one(one_cell("6.2", said), "6200000", unit="USD") == "verified"
    share = one_cell("(0.34)", said, row="Earnings per share")
    assert ask_one(share, "-0.34", "Earnings per share", unit="USD") == "verified"
    assert ask_one(share, "-340000", "Earnings per share") == "scale_mismatch"
    assert ask_one(one_cell("5", said, row="Margin %"), "5", "Margin %", unit="%") == "verified"
    assert ask_one(one_cell("5%", said), "5", unit="%") == "verified"
    assert ask_one(one_cell("5", said, column="Basic/share"), "5", column="Basic/share") == "verified"


def test_headers_and_notes_state_unit_and_scale_too() -> None:
    assert ask_one(one_cell("5", column="EUR thousand"), "5000", column="EUR thousand", unit="EUR") == "verified"
    note = Statement(StatementKind.NOTE, "Amounts in thousands of euros.", NOTE, None)
    assert ask_one(one_cell("5", note), "5000", unit="EUR") == "verified"
    marked = title("In thousands of euros.", mark="1")
    assert ask_one(one_cell("5", marked), "5") == "verified"
    assert ask_one(one_cell("5", marked, marks={(1, 1): ("1",)}), "5000") == "verified"
    header = Statement(StatementKind.HEADER, "EUR thousand", TITLE, None)
    assert ask_one(one_cell("5", header), "5000", unit="EUR") == "verified"
    assert ask_one(one_cell("5", unit="EUR", scale=1000), "5000", unit="EUR") == "verified"


def heads(page: Page) -> Page:
    """The page with a statement for each header cell, as the reader makes them."""
    first = page.tables[0]
    said = [Statement(StatementKind.HEADER, c.text, c.bbox, None) for c in first.cells if c.is_header and c.row == 0]
    return replace(page, tables=(replace(first, statements=tuple(said)),))


def test_a_columns_header_speaks_of_its_column_alone_and_the_corner_of_all() -> None:
    columns = [["Item", "Revenue (USD)", "Share (%)", "Nights"]]
    page = heads(table(columns, [["Lines", "5", "6", "7"]]))
    for column, unit, reason in (
        ("Revenue (USD)", "USD", "verified"),
        ("Share (%)", "%", "verified"),
        ("Nights", None, "verified"),
        ("Nights", "USD", "unit_unknown"),
    ):
        asked = {"Revenue (USD)": "5", "Share (%)": "6", "Nights": "7"}[column]
        assert verdict(cell("Lines", [column], expected_value=asked, unit=unit), source(page)) == reason
    corner = heads(table([["EUR thousand", "2025"]], [["Lines", "5"]]))
    assert verdict(cell("Lines", ["2025"], expected_value="5000", unit="EUR"), source(corner)) == "verified"


def test_a_mark_at_a_header_ties_a_note_to_its_cells() -> None:
    note = title("In thousands of euros.", mark="1")
    at_column = one_cell("5", note, marks={(0, 1): ("1",)})
    assert ask_one(at_column, "5000", unit="EUR") == "verified"
    at_row = one_cell("5", note, marks={(1, 0): ("1",)})
    result = ask(cell("Income", ["2025"], expected_value="5000"), at_row)
    assert result.evidence is not None and Region(0, NOTE, Role.FOOTNOTE) in result.evidence.regions


def test_two_statements_that_disagree_prove_nothing() -> None:
    clash = (title("Results (EUR in thousands)"), title("In millions"))
    assert ask_one(one_cell("5", *clash), "5000") == "unit_unknown"
    assert verdict(cell("Income", ["2025"], expected_text="5"), one_cell("5", *clash)) == "verified"
    twice = "Total (USD) (EUR)"
    assert ask_one(one_cell("5", column=twice), "5", column=twice) == "unit_unknown"
    assert ask_one(one_cell("5", row="In EUR", column="In USD"), "5", "In EUR", "In USD") == "unit_unknown"


def test_a_dollar_is_american_unless_the_document_names_another() -> None:
    said = title("Costs ($ in thousands)")
    assert ask_one(one_cell("5", said), "5000", unit="USD") == "verified"
    assert ask_one(one_cell("5", said), "5000", unit="EUR") == "unit_mismatch"
    assert ask_one(one_cell("5", said), "5000", unit="$") == "verified"
    canadian = one_cell("5", said, before="All sums are in Canadian dollars.")
    assert ask_one(canadian, "5000", unit="CAD") == "verified"
    assert ask_one(canadian, "5000", unit="USD") == "unit_mismatch"
    both = one_cell("5", said, before="Some sums are in C$, some in US$.")
    assert ask_one(both, "5000", unit="USD") == "unit_unknown"
    assert ask_one(one_cell("$5", title("In C$")), "5", unit="CAD") == "verified"


def continued(first: Page, *said: Statement, **more: Any) -> FakeSource:
    second = table([["Item", "2025"]], [["Gate", "7"]], *said, index=1, continued_from="p0-t0", **more)
    return source(first, second)


def test_a_table_over_a_page_break_has_the_statements_of_its_first_part() -> None:
    first = table([["Item", "2025"]], [["Wall", "5"]], title("Projects (EUR in thousands)"))
    one = cell("Gate", ["2025"], page=1, table_id="p1-t0", expected_value="7000", unit="EUR")
    result = ask(one, continued(first))
    assert result.status is Status.VERIFIED and result.evidence is not None
    assert Region(0, TITLE, Role.UNIT) in result.evidence.regions
    own = continued(first, title("Projects (USD)"))
    assert verdict({**one, "expected_value": "7", "unit": "USD"}, own) == "verified"
    assert verdict({**one, "expected_value": "7", "unit": None}, source(make_page(0, "x"), own.pages[1])) == "verified"
    loop = source(first, with_table(make_page(1, "a", table_block([["Item", "2025"]], [["Gate", "7"]])), 1,
                                    [["Item", "2025"]], [["Gate", "7"]], continued_from="p1-t0"))  # fmt: skip
    assert verdict({**one, "expected_value": "7", "unit": None}, loop) == "verified"
    assert verdict({**one, "page_index": 0}, continued(first)) == "locator_conflict"


def test_headers_that_are_not_repeated_are_shown_on_the_first_part() -> None:
    first = table([["Item", "2025"]], [["Wall", "5"]])
    bare = make_page(1, "x", table_block([], [["Gate", "7"]]))
    bare = with_table(bare, 1, [], [["Gate", "7"]], continued_from="p0-t0", column_paths=[[], ["2025"]])
    one = cell("Gate", ["2025"], page=1, table_id="p1-t0", expected_value="7")
    result = ask(one, source(first, bare))
    assert result.status is Status.VERIFIED and result.evidence is not None
    header = first.tables[0].cells[1].bbox
    assert Region(0, header, Role.COLUMN_HEADER) in result.evidence.regions


def test_merged_cells_are_found_under_each_header_that_they_span() -> None:
    page = table([["Item", "A", "B"]], [["Wall", "5", "6"]])
    first, *_ = page.tables
    wide = [c for c in first.cells if c.cell_id != "p0-t0-r1-c2"]
    wide = [c if c.cell_id != "p0-t0-r1-c1" else replace(c, col_span=2, column_path=("A",)) for c in wide]
    merged = replace(page, tables=(replace(first, cells=tuple(wide)),))
    assert verdict(cell("Wall", ["A"], expected_value="5"), source(merged)) == "verified"
    holed = [c for c in first.cells if c.cell_id != "p0-t0-r1-c2"]
    extra = replace(first.cells[-1], cell_id="p0-t0-r2-c2", row=2, row_path=("Gate",))
    empty = replace(page, tables=(replace(first, cells=(*holed, extra)),))
    assert verdict(cell("Wall", ["B"], expected_value="5"), source(empty)) == "cell_not_found"


def test_sources_and_pages_without_table_structure() -> None:
    note = source(make_page(0, "A note."), media_type="text/plain")
    assert verdict(cell(expected_value="5"), note) == "no_table_structure"
    scan = source(make_page(0, para("Dues 12.4", origin=Origin.OCR, confidence=900)))
    assert verdict(cell(expected_value="5"), scan) == "no_table_structure"


def test_a_cell_with_a_sign_that_has_no_character_is_for_the_eye() -> None:
    assert ask_one(one_cell("\ufffd 5"), "5") == "garbled_text"


def test_scanned_and_unseen_cells() -> None:
    low = one_cell("5", drawn={"origin": Origin.OCR, "confidence": 100})
    assert ask_one(low, "5") == "ocr_low_confidence"
    sure = one_cell("5", drawn={"origin": Origin.OCR, "confidence": 900})
    result = ask(cell("Income", ["2025"], expected_value="5"), sure)
    assert result.limitations == (Limitation.OCR_TEXT,)
    page = one_cell("5").pages[0]
    assert page is not None
    unseen = replace(page, words=tuple(w._replace(visible=w.text != "5") for w in page.words))
    assert ask_one(source(unseen), "5") == "text_not_visible"
    wordless = replace(page.tables[0].cells[-1], words=())
    bare = replace(page, tables=(replace(page.tables[0], cells=(*page.tables[0].cells[:-1], wordless)),))
    shown = ask(cell("Income", ["2025"], expected_value="5"), source(bare))
    assert shown.evidence is not None
    assert (shown.evidence.start, shown.evidence.regions[0].bbox) == (None, wordless.bbox)


def test_differences_of_values_and_units() -> None:
    wrong = ask(cell(expected_value="13100000", unit="USD"), DEED)
    assert wrong.difference == (Difference(DifferenceKind.AMOUNT, "13100000", "12400000"),)
    unit = ask(cell(expected_value="12400000", unit="EUR"), DEED)
    assert unit.difference == (Difference(DifferenceKind.UNIT, "EUR", "USD"),)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.integers(-99_999, 99_999), min_size=3, max_size=3), min_size=1, max_size=5),
    st.sampled_from([("", 1), ("(in thousands)", 1000), ("(EUR in millions)", 1_000_000)]),
    st.integers(0, 2),
    st.integers(0, 9),
)
def test_every_cell_verifies_with_its_own_value_only(
    numbers: list[list[int]], said: tuple[str, int], column: int, row: int
) -> None:
    row %= len(numbers)
    shown = [[f"Row{i}", *(f"({-n:,})" if n < 0 else f"{n:,}" for n in line)] for i, line in enumerate(numbers)]
    page = table([["Item", "A", "B", "C"]], shown, title(f"Table {said[0]}"))
    value_there = numbers[row][column] * said[1]
    asked = cell(f"Row{row}", ["ABC"[column]], expected_value=str(value_there))
    assert verdict(asked, source(page)) == "verified"
    for wrong in (value_there + 1, -value_there or 7, value_there * 10 or 7):
        assert verdict({**asked, "expected_value": str(wrong)}, source(page)).endswith("_mismatch")
    for i, line in enumerate(numbers):
        for j, number in enumerate(line):
            other = cell(f"Row{i}", ["ABC"[j]], expected_value=str(value_there))
            assert (verdict(other, source(page)) == "verified") == (number == numbers[row][column])


def cited(page: Page, one: Any) -> Citation:
    told = cited_cell(one, parts_of(page, page.tables[0], lambda index: None))
    return Citation(SourceId("deed"), GOOD, page.index, None, one.text, cell=told)


@pytest.mark.parametrize("page", [DUES, PLAIN])
def test_every_cell_verifies_as_it_is_cited(page: Page) -> None:
    values = [one for one in page.tables[0].cells if not one.is_header and one.row_path]
    rows = [(CheckId(f"v{n}"), None, cited(page, one)) for n, one in enumerate(values)]
    done = verify(build_request("r", rows), FakeSources(source(page)), checked_at="2026-01-02T03:04:05Z")
    assert len(values) > 8 and [check.reason for check in done.checks] == [None] * len(values)


def test_a_cell_is_cited_with_value_unit_and_scale_where_they_can_be_told() -> None:
    first = next(c for c in DUES.tables[0].cells if c.text == "12.4")
    told = cited(DUES, first).cell
    assert told is not None
    assert (told.value, told.unit, told.scale, told.row_path) == ("12400000", "USD", 1_000_000, ("Dues",))
    clash = table([["Item", "USD, EUR in millions"]], [["Dues", "5"], ["Note", "none"]], title("In EUR and USD"))
    for one in clash.tables[0].cells[-3::2]:
        unclear = cited(clash, one).cell
        assert unclear is not None and (unclear.value, unclear.unit, unclear.scale) == (None, None, None)
