"""Statements about a table against the cell that they name: right ones, and row, column, year or value exchanged."""

import pytest

from models.triage.page_fit import PageText
from models.triage.support import SupportItem, triage
from models.triage.table_claims import Outcome, read_tables
from models.triage.table_mentions import named, tokens
from verify.domain.claim import SupportLabel
from verify.domain.document import Cell, LabelOrigin, Page, Statement, StatementKind, Table, TextSource
from verify.domain.geometry import Box
from verify.domain.ids import CellId, ElementId, TableId
from verify.meaning import Part

BOX = Box(0, 0, 100, 100)


def table(title: str, *rows: tuple[str, ...]) -> tuple[Part, ...]:
    """The first of ``rows`` are the columns' headers, the first of each row is its header."""
    cells = [
        Cell(CellId(f"p0-t0-r{r}-c{c}"), r, c, 1, 1, BOX, text, (), False, (row[0],), (rows[0][c],))
        for r, row in enumerate(rows[1:], 1)
        for c, text in enumerate(row[1:], 1)
    ]
    said = (Statement(StatementKind.TITLE, title, BOX, None),)
    grid = Table(TableId("p0-t0"), ElementId("p0-e0"), BOX, title, None, None, None, len(rows), len(rows[0]),
                 tuple(cells), said)  # fmt: skip
    page = Page(0, "1", LabelOrigin.PRINTED, "1", None, 600, 800, 0, TextSource.NATIVE, None, "", (), (), (), (grid,))
    return (Part(page, grid),)


INCOME = table(
    "Income statement (in thousands of USD)",
    ("", "2022", "2023"), ("Net revenue", "1,100", "1,234"), ("Cost of revenue", "700", "801"),
    ("Net loss", "(45)", "(38)"), ("Operating margin", "12.5%", "14.1%"), ("Employees", "35", "41"),
)  # fmt: skip
PAYMENTS = table(
    "Milestones",
    ("Milestone", "Due date", "Payment (EUR)", "Response (hours)", "Lead", "Warranty"),
    ("Delivery", "June 15, 2024", "120,000", "8", "Ms Varga", "24 months"),
    ("Acceptance", "September 30, 2024", "60,000", "24", "Mr Ode", "36 months"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "grid", "outcome"),
    [
        ("Net revenue was USD 1,234,000 in 2023.", INCOME, Outcome.AGREES),
        ("Net revenue was $1.2 million in 2023.", INCOME, Outcome.AGREES),
        ("Net revenue of 2023 was 1,234 (in thousands of USD).", INCOME, Outcome.AGREES),
        ("Net revenue was USD 1,234,000 in 2022.", INCOME, Outcome.DIFFERS),
        ("Net revenue was USD 801,000 in 2023.", INCOME, Outcome.DIFFERS),
        ("Net revenue was USD 1,234 in 2023.", INCOME, Outcome.DIFFERS),
        ("Net revenue was EUR 1,234,000 in 2023.", INCOME, Outcome.DIFFERS),
        ("Net revenue was USD 1,300,000 in 2023.", INCOME, Outcome.DIFFERS),
        ("The cost of revenue was USD 801,000 in 2023.", INCOME, Outcome.AGREES),
        ("A net loss of USD 38,000 was made in 2023.", INCOME, Outcome.AGREES),
        ("Net revenue rose from USD 1,100,000 in 2022 to USD 1,234,000 in 2023.", INCOME, Outcome.AGREES),
        ("Net revenue rose from USD 1,234,000 in 2022 to USD 1,100,000 in 2023.", INCOME, Outcome.DIFFERS),
        ("In 2022 there were 35 employees, in 2023 there were 41.", INCOME, Outcome.AGREES),
        ("In 2022 there were 41 employees, in 2023 there were 35.", INCOME, Outcome.DIFFERS),
        ("Employees numbered 35 and 41 in 2022 and 2023.", INCOME, Outcome.AGREES),
        ("Net revenue was 1,234 million in 2023.", INCOME, Outcome.DIFFERS),
        ("Net revenue was 1.234 in 2023 (in thousands).", INCOME, Outcome.AGREES),
        ("Net revenue grew by 12 percent in 2023.", INCOME, Outcome.SILENT),
        ("The operating margin was 14.1 percent in 2023.", INCOME, Outcome.AGREES),
        ("The operating margin was 14.1 percent in 2022.", INCOME, Outcome.DIFFERS),
        ("The bonus pool was USD 801,000 in 2023.", INCOME, Outcome.ELSEWHERE),
        ("Delivery is due on 15 June 2024.", PAYMENTS, Outcome.AGREES),
        ("Delivery is due on 30 September 2024.", PAYMENTS, Outcome.DIFFERS),
        ("On acceptance a payment of €60,000 falls due.", PAYMENTS, Outcome.AGREES),
        ("On acceptance a payment of €120,000 falls due.", PAYMENTS, Outcome.DIFFERS),
        ("The response time after delivery is eight hours.", PAYMENTS, Outcome.AGREES),
        ("The response time after delivery is eight days.", PAYMENTS, Outcome.DIFFERS),
        ("The lead for acceptance is Mr Ode.", PAYMENTS, Outcome.AGREES),
        ("The lead for acceptance is Ms Varga.", PAYMENTS, Outcome.DIFFERS),
        ("The warranty from delivery runs for twenty-four months.", PAYMENTS, Outcome.AGREES),
        ("The warranty from delivery runs for thirty-six months.", PAYMENTS, Outcome.DIFFERS),
        ("The parties met on 3 May 2021.", PAYMENTS, Outcome.SILENT),
    ],
)  # fmt: skip
def test_a_statement_is_held_against_the_cell_that_it_names(
    claim: str, grid: tuple[Part, ...], outcome: Outcome
) -> None:
    assert read_tables(claim, [grid], "").outcome is outcome


def test_what_the_page_says_beside_its_table_is_no_cells() -> None:
    claim = "Net revenue was USD 1,300,000 in 2023 on a pro forma basis."
    assert read_tables(claim, [INCOME], "Pro forma net revenue for 2023 was USD 1,300,000.").outcome is Outcome.SILENT


def test_labels_are_told_apart_by_what_few_of_them_have() -> None:
    labels = {1: "Revenue", 2: "Cost of revenue", 3: "Income before tax", 4: "Income after tax", 5: "Level 2"}

    def keys(statement: str) -> list[int]:
        return [key for mention in named(labels, tokens(statement)) if mention.firm for key in mention.keys]

    assert keys("The cost of revenue rose.") == [2]
    assert keys("Revenue rose, and so did the cost of revenue.") == [2]  # the second "revenue" is the cost's too
    assert keys("Income after tax was low.") == [4]
    assert keys("Two engineers did 2 jobs.") == []
    assert keys("Level 2 applies.") == [5]
    assert [token.word for token in tokens("third quarter of FY2025, Q3 2025")] == ["q3", "fy", "2025", "q3", "2025"]


def triaged(run, claim: str, prose: str = "Results of two years.") -> tuple[SupportLabel, dict[str, int]]:
    shown = "2022 2023\nNet revenue 1,100 1,234\nCost of revenue 700 801"
    pages = [
        PageText(0, None, "The parties are Harrow Mills Ltd and Quill Freight Ltd."),
        PageText(1, None, f"{prose}\n\n{shown}", tables=(INCOME,), prose=prose),
    ]

    class These:
        def pages(self, source_id: str) -> list[PageText]:
            return pages

    _, (result,) = run(triage([SupportItem("i", claim, "x", (1,))], These()))
    return result.label, dict(result.signals)


def test_a_cell_decides_what_is_supported(run) -> None:
    label, signals = triaged(run, "Net revenue was USD 1,234,000 in 2023.")
    assert (label, signals["table_cell"], signals["values"]) == (SupportLabel.SUPPORTED, 1000, 1000)
    label, signals = triaged(run, "Net revenue was USD 1,100,000 in 2023.")
    assert (label, signals["table_cell"]) == (SupportLabel.CONTRADICTED, 0)
    label, signals = triaged(run, "The bonus pool was USD 801,000 in 2023.")
    assert (label, signals["table_cell"]) == (SupportLabel.UNCLEAR, 300)


@pytest.mark.parametrize("prose", ["Results of two years.", ""])
def test_a_page_that_is_a_table_alone_states_no_value_beside_it(run, prose: str) -> None:
    label, signals = triaged(run, "Net revenue was 1,100 (in thousands of USD) in 2023.", prose)
    assert (label, signals["table_cell"]) == (SupportLabel.CONTRADICTED, 0)
    label, _ = triaged(run, "Net revenue was 1,234 (in thousands of USD) in 2023.", prose)
    assert label is SupportLabel.SUPPORTED
