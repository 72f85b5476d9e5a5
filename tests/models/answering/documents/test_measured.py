"""Lines of a financial statement, asked for in other words than the table's."""

from dataclasses import replace

import pytest

from models.answering.drafts import ShownTable
from models.answering.found import State
from verify.domain.document import Cell, LabelOrigin, Page, Statement, StatementKind, Table, TextSource
from verify.domain.geometry import Box
from verify.domain.ids import CellId, ElementId, TableId
from verify.meaning import Part

BOX = Box(0, 0, 100, 100)
ROWS = (
    ("Revenue", "48,210", "44,905"), ("Total operating expenses", "11,517", "11,140"),
    ("Profit for the year", "5,059", "3,882"), ("Average number of employees", "430", "405"),
)  # fmt: skip


def _table(rows, columns, corner) -> Table:
    head = Cell(CellId("t-r0-c0"), 0, 0, 1, 1, BOX, corner, (), True, (), ())
    cells = [
        Cell(CellId(f"t-r{r}-c{c}"), r, c, 1, 1, BOX, text, (), False, (row[0],), (columns[c - 1],))
        for r, row in enumerate(rows, 1)
        for c, text in enumerate(row[1:], 1)
    ]
    title = "Results (in thousands of GBP)"
    said = (Statement(StatementKind.TITLE, title, BOX, None),)
    return Table(
        TableId("p0-t0"), ElementId("p0-e0"), BOX, title, None, None, None, 9, 3, (head, *cells), said
    )  # fmt: skip


@pytest.fixture
def report(make_document):
    def make(rows=ROWS, columns=("2024", "2023"), corner=""):
        table = _table(rows, columns, corner)
        page = Page(0, "1", LabelOrigin.PRINTED, "1", None, 600, 800, 0, TextSource.NATIVE, None, "", (), (), (),
                    (table,))  # fmt: skip
        document = make_document(["\n".join(" ".join(row) for row in rows)])
        (shown,) = document.passages
        return [replace(document, passages=(replace(shown, tables=(ShownTable((Part(page, table),)),)),))]

    return make


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What was turnover in 2023?", "Revenue, 2023: 44,905 (in thousands of GBP)"),
        ("What were total operating costs?", "Total operating expenses, 2024: 11,517 (in thousands of GBP)"),
        ("How much did they earn?", "Profit for the year, 2024: 5,059 (in thousands of GBP)"),
        ("How many people worked there in 2023?", "Average number of employees, 2023: 405"),
    ],
)
def test_the_line_by_another_name_and_the_period(question, expected, report, answer) -> None:
    found = answer(question, report())
    assert (found.state, found.text) == (State.STATED, expected)


def test_the_corner_says_that_columns_are_quarters(report, answer) -> None:
    quarters = report(
        (("Net sales", "1,402", "1,655"),), ("30 September 2024", "31 December 2024"), "Three months ended"
    )
    assert answer("What was turnover in the last quarter?", quarters).text.startswith(
        "Net sales, 31 December 2024: 1,655"
    )


@pytest.mark.parametrize(
    "question",
    [
        "What was turnover in 2021?",
        "What was turnover in Asia in 2023?",
        "What was turnover in the last quarter?",
        "How much depreciation was there in 2024?",
    ],
)
def test_another_period_segment_or_line_is_silent(question, report, answer) -> None:
    assert answer(question, report()).state is State.SILENT
