"""Questions that a table answers: which cells are taken, what their sentence says, what they cite."""

from dataclasses import replace
from decimal import Decimal

import pytest

from models.answering.answering import answer
from models.answering.drafts import ShownTable
from verify.domain.document import Cell, LabelOrigin, Page, Statement, StatementKind, Table, TextSource
from verify.domain.geometry import Box
from verify.domain.ids import CellId, ElementId, TableId
from verify.meaning import Part

BOX = Box(0, 0, 100, 100)
ROWS = (
    ("Net revenue", "1,100", "1,234"),
    ("Cost of revenue", "700", "801"),
    ("Operating margin", "12.5%", "14.1%"),
    ("Employees", "35", "41"),
)
RUN = "2022 2023\n" + "\n".join(" ".join(row) for row in ROWS)
YEARS = (("2022",), ("2023",))


@pytest.fixture
def shown(make_passage):
    def make(rows=ROWS, columns=YEARS, title="Income statement (in thousands of USD)", more=""):
        """A passage whose first element is the table."""
        cells = [
            Cell(CellId(f"p3-t0-r{r}-c{c}"), r, c, 1, 1, BOX, text, (), False, (row[0],), columns[c - 1])
            for r, row in enumerate(rows, 1)
            for c, text in enumerate(row[1:], 1)
        ]
        said = (Statement(StatementKind.TITLE, title, BOX, None),)
        table = Table(TableId("p3-t0"), ElementId("p3-e0"), BOX, title, None, None, None, 9, 3, tuple(cells), said)
        page = Page(3, "2", LabelOrigin.PRINTED, "2", None, 600, 800, 0, TextSource.NATIVE, None, "", (), (), (),
                    (table,))  # fmt: skip
        passage = make_passage(1, "report", [(3, RUN), *([(3, more)] if more else [])])
        return replace(passage, tables=(ShownTable((Part(page, table),)),))

    return make


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What was the net revenue in 2023?", ["Net revenue, 2023: 1,234 (in thousands of USD)"]),
        ("What was the revenue in 2023?", ["Net revenue, 2023: 1,234 (in thousands of USD)"]),
        ("What was the cost of revenue in 2022?", ["Cost of revenue, 2022: 700 (in thousands of USD)"]),
        ("What was the operating margin in 2022?", ["Operating margin, 2022: 12.5%"]),
        ("How many employees were there in 2023?", ["Employees, 2023: 41"]),
    ],
)
def test_the_cell_that_row_and_column_name(question, expected, shown, run) -> None:
    claims, draft = run(answer(question, [shown()], None))
    assert [claim.text for claim in claims] == expected and draft.unanswered is None
    assert claims[0].support.method == "table_cell"


def test_the_citation_names_the_cell_its_headers_value_unit_and_scale(shown, run) -> None:
    (claim,) = run(answer("What was the net revenue in 2023?", [shown()], None))[0]
    (cited,) = claim.citations
    assert (cited.quotation, cited.page_index, cited.page_label, cited.element_id) == ("1,234", 3, "2", None)
    cell = cited.cell
    assert (cell.table_id, cell.cell_id) == ("p3-t0", "p3-t0-r1-c2")
    assert (cell.row_path, cell.column_path) == (("Net revenue",), ("2023",))
    assert (Decimal(cell.value), cell.unit, cell.scale) == (1_234_000, "USD", 1000)


def test_what_is_counted_has_no_unit_of_money(shown, run) -> None:
    (claim,) = run(answer("How many employees were there in 2023?", [shown()], None))[0]
    assert (claim.citations[0].quotation, claim.citations[0].cell.value) == ("41", "41")


def test_a_unit_that_a_header_shows_is_not_said_twice(shown, run) -> None:
    rows = (("Q1 2024", "20", "19"), ("Q2 2024", "21", "18"))
    rents = replace(shown(rows, (("Rent (GBP)",), ("Tax (GBP)",)), "Costs"), named=1.0)
    claims, _ = run(answer("What was the rent in Q2 2024?", [rents], None))
    assert claims[0].text == "Q2 2024, Rent (GBP): 21" and claims[0].citations[0].cell.unit == "GBP"


def test_two_cells_and_their_difference(shown, run) -> None:
    claims, draft = run(answer("By how much did net revenue rise from 2022 to 2023?", [shown()], None))
    assert [c.text for c in claims][2] == "The difference between USD 1234000 and USD 1100000 is USD 134000."
    assert claims[2].calculation.result == "134000" and draft.conflicts == ()


def test_more_than_three_that_fit_as_well_are_not_taken(shown, run) -> None:
    rows = tuple((f"Revenue {place}", "1", "2") for place in ("east", "west", "north", "south"))
    claims, _ = run(answer("What was the revenue in 2023?", [shown(rows)], None))
    assert all(claim.citations[0].cell is None for claim in claims)


def test_years_within_headers_and_one_column_alone(shown, run) -> None:
    fiscal = shown(columns=(("FY2022",), ("FY2023",)))
    claims, _ = run(answer("What was the net revenue in 2023?", [fiscal], None))
    assert claims[0].text.startswith("Net revenue, FY2023: ")
    one = shown(rows=(("Deposit", "USD 900"), ("Key money", "USD 70")), columns=((),), title="Terms")
    one = replace(one, named=1.0)
    assert run(answer("How much is the deposit?", [one], None))[0][0].text == "Deposit: USD 900"


def test_what_the_labels_are_called_counts_as_named(shown, run) -> None:
    """ "people" and "work" stand nowhere in the table, "office" only over the labels."""
    asked = "How many people worked in the Leeds office in 2024?"
    table = shown(rows=(("Oslo", "112", "131"), ("Leeds", "74", "70")),
                  columns=(("Staff 2023",), ("Staff 2024",)), title="Staff", more="Leeds has an office.")  # fmt: skip
    table = replace(table, named=1.0)
    assert all(c.citations[0].cell is None for c in run(answer(asked, [table], None))[0])
    part = table.tables[0].parts[0]
    label = Cell(CellId("p3-t0-r2-c0"), 2, 0, 1, 1, BOX, "Leeds", (), True, (), ("Office",))
    named = replace(part.table, cells=(*part.table.cells, label))
    claims, _ = run(answer(asked, [replace(table, tables=(ShownTable((Part(part.page, named),)),))], None))
    assert claims[0].text == "Leeds, Staff 2024: 70"


def test_a_question_that_names_a_row_alone_takes_no_cell_of_many(shown, run) -> None:
    claims, _ = run(answer("What does net revenue mean in the income statement?", [shown()], None))
    assert all(claim.citations[0].cell is None for claim in claims)


def test_a_model_picks_a_cell_like_a_sentence(shown, run, scripted) -> None:
    model = scripted('{"claims": [{"evidence": ["P1.c1"], "claim": "Net revenue was USD 1,234 thousand in 2023."}]}')
    (claim,) = run(answer("What was the net revenue in 2023?", [shown(more="The seat is in Bergen.")], model))[0]
    assert claim.citations[0].cell is not None and "[P1.c1] Net revenue, 2023: 1,234" in model.asked[0][1].content
    assert RUN.split("\n")[1] not in model.asked[0][1].content


RENTS = (("A1", "Marlow Books", "2,100", "6,300"), ("A2", "Kite Dental", "3,450", "10,350"))
RENT_HEADS = (("Tenant",), ("Monthly rent (GBP)",), ("Deposit (GBP)",))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What rent does Kite Dental pay each month?", "A2 (Kite Dental), Monthly rent (GBP): 3,450"),
        ("How big is the deposit of Marlow Books?", "A1 (Marlow Books), Deposit (GBP): 6,300"),
        ("What is the deposit of unit A2?", "A2, Deposit (GBP): 10,350"),
    ],
)
def test_a_row_is_named_by_another_of_its_cells(question, expected, shown, run) -> None:
    (claim,) = run(answer(question, [shown(RENTS, RENT_HEADS, "Rents of the units")], None))[0]
    assert claim.text == expected
    cells = [citation.cell.cell_id for citation in claim.citations]
    assert len(cells) == (2 if "(" in expected.split(",")[0] else 1)
    assert all(citation.cell.value is None for citation in claim.citations[1:])


QUARTERS = (("North", "120", "135"), ("South", "98", "101"))


def test_a_quarter_is_named_by_its_number(shown, run) -> None:
    sales = shown(QUARTERS, (("Q1 2024",), ("Q2 2024",)), "Sales by region")
    (claim,) = run(answer("What were sales in the South in the second quarter of 2024?", [sales], None))[0]
    assert claim.text == "South, Q2 2024: 101"


@pytest.mark.parametrize(
    "question",
    [
        "How many returns were there in the North in Q1 2024?",
        "What bonus did the South get in Q2 2024?",
        "How many visitors came to the North in the first quarter of 2024?",
    ],
)
def test_a_table_of_something_else_has_no_cell_though_it_names_row_and_column(question, shown, run) -> None:
    sales = shown(QUARTERS, (("Q1 2024",), ("Q2 2024",)), "Sales by region")
    claims, _ = run(answer(question, [replace(sales, named=1.0)], None))
    assert all(claim.citations[0].cell is None for claim in claims)


def test_a_sign_that_names_its_currency_needs_no_code(shown, run) -> None:
    heads = shown((("Storage", "£ 9,800"), ("Roof", "£ 36,500")), (("Amount",),), "Damages")
    assert run(answer("What is the amount for storage?", [heads], None))[0][0].text == "Storage, Amount: £ 9,800"


def test_two_rows_that_are_asked_for_and_their_ratio(shown, run) -> None:
    asked = "What percentage of net revenue in 2023 was the cost of revenue in 2023?"
    claims, _ = run(answer(asked, [replace(shown(), named=1.0)], None))
    assert sorted(c.text for c in claims[:2]) == [
        "Cost of revenue, 2023: 801 (in thousands of USD)", "Net revenue, 2023: 1,234 (in thousands of USD)",
    ]  # fmt: skip
    assert (
        claims[2].text == "USD 801000 is about 64.91 % of USD 1234000." and claims[2].calculation.result == "801/1234"
    )


STEPS = (("Year 1", "24,000", "3,100"), ("Year 2", "24,600", "3,250"), ("Years 3 to 5", "27,500", "3,600"))
STEP_HEADS = (("Yearly rent (GBP)",), ("Insurance charge (GBP)",))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the yearly rent in year 2?", "Year 2, Yearly rent (GBP): 24,600"),
        ("How much is the insurance charge in years 3 to 5?", "Years 3 to 5, Insurance charge (GBP): 3,600"),
    ],
)
def test_a_row_is_named_by_a_digit(question, expected, shown, run) -> None:
    (claim,) = run(answer(question, [shown(STEPS, STEP_HEADS, "Rent")], None))[0]
    assert claim.text == expected


INVOICES = (("KL-201", "12", "6,510.00"), ("KL-202", "30", "2,704.00"))


@pytest.mark.parametrize(
    ("question", "expected", "value"),
    [
        ("What is the amount of invoice KL-202?", "KL-202, Amount: 2,704.00 (GBP)", "2704"),
        ("How many guests does invoice KL-201 cover?", "KL-201, Guests: 12", "12"),
    ],
)
def test_a_column_is_named_by_amount_and_guests_are_no_money(question, expected, value, shown, run) -> None:
    invoices = replace(shown(INVOICES, (("Guests",), ("Amount",)), "Invoices (GBP)"), named=1.0)
    (claim,) = run(answer(question, [invoices], None))[0]
    assert (claim.text, claim.citations[0].cell.value) == (expected, value)


def test_what_is_paid_for_what_is_counted_keeps_its_unit(shown, run) -> None:
    costs = shown((("Cost of staff", "7", "8"), ("Cost of cars", "3", "4")), title="Costs (GBP)")
    assert (
        run(answer("What was the cost of staff in 2023?", [costs], None))[0][0].text == "Cost of staff, 2023: 8 (GBP)"
    )
