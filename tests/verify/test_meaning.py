"""Which cells a table's unit and scale are said of (contract section 5, rules 8 and 13)."""

import pytest
from verify_asking import check, verdict
from verify_pages import Block, FakeSource, make_page, para, source, table_block, with_table

from verify.domain.document import ElementKind, Statement, StatementKind
from verify.domain.geometry import Box
from verify.meaning import Kind, exceptions_in, kind_of

HEAD = [["Item", "2024", "2025"]]


def accounts(rows: list[list[str]], title: str = "", *, above: str = "", below: str = "", note: str = "",
             head: list[list[str]] = HEAD) -> FakeSource:  # fmt: skip
    blocks: list[Block] = [para(above or "A report."), table_block(head, rows)]
    if below:
        blocks.append(para(below))
    said = [Statement(kind, text, Box(1, 1, 2, 2), None)
            for kind, text in ((StatementKind.TITLE, title), (StatementKind.NOTE, note)) if text]  # fmt: skip
    return source(with_table(make_page(0, *blocks), 1, head, rows, statements=said))


def asked(deed: FakeSource, row: str, value: str, column: str = "2024", **fields: str) -> str:
    one = check("table_cell", table_id="p0-t0", row_path=[row], column_path=[column], expected_value=value, **fields)
    return verdict(one, deed)


ROWS = [["Revenue", "410", "520"], ["Number of employees", "250", "260"], ["Days outstanding", "45", "46"],
        ["Current ratio", "2", "3"], ["Price per tonne", "12", "13"], ["Cost of staff", "31", "32"]]  # fmt: skip


def test_counts_days_ratios_and_prices_are_not_scaled() -> None:
    deed = accounts(ROWS, "Key figures (USD in thousands)")
    assert asked(deed, "Revenue", "410000", unit="USD") == "verified"
    assert asked(deed, "Cost of staff", "31000", unit="USD") == "verified"
    assert asked(deed, "Price per tonne", "12", unit="USD") == "verified"
    for row, value in (("Number of employees", "250"), ("Days outstanding", "45"), ("Current ratio", "2")):
        assert asked(deed, row, value) == "verified"
        assert asked(deed, row, value, unit="USD") == "unit_unknown"
        assert asked(deed, row, f"{value}000") == "scale_mismatch"


def test_a_scale_without_money_may_be_said_of_counts() -> None:
    deed = accounts(ROWS, "Key figures (in thousands)")
    assert asked(deed, "Revenue", "410000") == "verified"
    for value in ("250", "250000"):
        assert asked(deed, "Number of employees", value) == "value_ambiguous"
    assert asked(deed, "Number of employees", "251") == "value_mismatch"
    assert asked(deed, "Days outstanding", "45") == "verified"


def test_excepted_rows() -> None:
    deed = accounts([["Revenue", "410", "520"], ["Tonnage", "250", "260"], ["Tonnage fees", "5", "6"]],
                    "Figures (USD in thousands, except tonnage and per share data)")  # fmt: skip
    assert asked(deed, "Tonnage", "250") == "verified"
    assert asked(deed, "Tonnage", "250000") == "scale_mismatch"
    assert asked(deed, "Revenue", "410000") == "verified"
    assert asked(deed, "Tonnage fees", "5000") == "value_ambiguous"
    assert list(exceptions_in("In millions, except per share amounts and where noted.")) == []


@pytest.mark.parametrize(
    ("row", "column", "kind"),
    [
        (["Nine months ended June"], [], Kind.AMOUNT),
        (["Revenue"], ["Nine months ended 30 June 2025"], Kind.AMOUNT),
        (["Due within one year"], [], Kind.AMOUNT),
        (["Average term (years)"], [], Kind.TIME),
        (["Lease"], ["Days"], Kind.TIME),
        (["Rent per annum"], [], Kind.AMOUNT),
        (["Tax rate"], [], Kind.RATIO),
        (["Rates and taxes"], [], Kind.AMOUNT),
        (["Unit price"], [], Kind.PRICE),
        (["North"], ["Headcount"], Kind.COUNT),
        (["Staff costs"], [], Kind.AMOUNT),
    ],
)
def test_what_headers_announce(row: list[str], column: list[str], kind: Kind) -> None:
    assert kind_of(row, column) is kind


def test_words_of_the_page_around_the_table() -> None:
    above = accounts(ROWS, above="The report follows. Amounts below are stated in millions of euros.")
    assert asked(above, "Revenue", "410000000", unit="EUR") == "verified"
    assert asked(above, "Revenue", "410", unit="EUR") == "scale_mismatch"
    below = accounts(ROWS, below="All amounts in thousands of USD.")
    assert asked(below, "Revenue", "410000", unit="USD") == "verified"
    partly = accounts(ROWS, "Accounts (USD)", above="All figures in this report are in thousands.")
    assert asked(partly, "Revenue", "410000", unit="USD") == "verified"
    other = accounts(ROWS, "Accounts (USD)", above="Damages in excess of millions of euros were paid in cash.")
    assert asked(other, "Revenue", "410", unit="USD") == "verified"
    own = accounts(ROWS, "Accounts (USD in thousands)", above="Amounts below are stated in millions of euros.")
    assert asked(own, "Revenue", "410000", unit="USD") == "verified"


def test_a_note_of_some_columns_leaves_the_others_their_own_unit() -> None:
    head = [["Item", "Price (GBP)", "Sales", "Weight (kg)"]]
    rows = [["North", "4", "5", "6"]]
    deed = accounts(rows, note="Sales in thousands of EUR; prices in GBP.", head=head)
    assert asked(deed, "North", "5000", "Sales", unit="EUR") == "verified"
    assert asked(deed, "North", "4", "Price (GBP)", unit="GBP") == "verified"
    assert asked(deed, "North", "6", "Weight (kg)", unit="kg") == "verified"
    one = accounts(rows, note="Sales in thousands of EUR.", head=head)
    assert asked(one, "North", "4", "Price (GBP)", unit="GBP") == "verified"
    assert asked(one, "North", "6", "Weight (kg)", unit="kg") == "verified"
    assert asked(one, "North", "5000", "Sales", unit="EUR") == "verified"
    bare = accounts([["North", "4", "5"]], note="(EUR / USD)", head=[["Item", "Fee", "Sales"]])
    assert asked(bare, "North", "4", "Fee", unit="USD") == "unit_unknown"
    clash = accounts([["North", "$4", "5"]], note="Stated in EUR and USD.", head=[["Item", "Fee", "Sales"]])
    assert asked(clash, "North", "4", "Fee", unit="USD") == "verified"
    assert asked(clash, "North", "5", "Sales", unit="USD") == "unit_unknown"


def test_a_table_whose_element_is_not_on_the_page_has_no_words_around() -> None:
    from dataclasses import replace

    from verify_pages import FakeSource as Fake

    deed = accounts(ROWS, "Accounts (USD)", above="All figures in this report are in thousands.")
    page = deed.pages[0]
    assert page is not None
    bare: Fake = source(replace(page, tables=(replace(page.tables[0], element_id="p0-e9"),)))  # type: ignore[arg-type]
    assert asked(bare, "Revenue", "410", unit="USD") == "verified"


def test_german_cells() -> None:
    deed = accounts([["Umsatz", "1.240", "2.310"], ["Kosten", "950", "1.110"]], "Ergebnis (EUR)")
    assert asked(deed, "Umsatz", "1240", unit="EUR") == "verified"
    assert asked(deed, "Umsatz", "1.24", unit="EUR") == "scale_mismatch"


def test_bounds_and_open_cells() -> None:
    deed = accounts([["Lead", "<5", "$1.240"]], head=[["Item", "2024", "2025"]])
    assert asked(deed, "Lead", "5") == "value_ambiguous"
    assert asked(deed, "Lead", "1240", "2025") == "value_ambiguous"


def test_a_quotation_of_a_row_runs_over_cells() -> None:
    from verify_asking import ask, quote

    deed = accounts(ROWS)
    result = ask(quote("410 | 520"), deed)
    assert [c.value for c in result.limitations] == ["crosses_cells"]
    assert verdict(quote("Revenue | 410"), deed) == "verified"
    assert ElementKind.TABLE
