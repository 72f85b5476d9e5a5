"""Tables found on pages that are drawn here."""

import pytest
from drawn_tables import DrawnSheet, grid_of, raw_of, values

from ingest.mupdf import pymupdf
from ingest.tables.finding import find_tables
from ingest.tables.text import text_of


def ruled_with_parents() -> DrawnSheet:
    d = DrawnSheet()
    d.text(70, 90, "Table 1. Tolls by bridge (EUR in thousands)", bold=True)
    for y in (100, 140, 160, 180):
        d.line(70, y, 470, y)
    d.line(170, 120, 470, 120)
    for x in (70, 170, 320, 470):
        d.line(x, 100, x, 180)
    for x in (245, 395):
        d.line(x, 120, x, 180)
    d.text(75, 124, "Bridge", bold=True)
    d.text(235, 114, "2031", bold=True)
    d.text(385, 114, "2030", bold=True)
    for x in (240, 390):
        d.text(x, 134, "Cars", bold=True, right=True)
        d.text(x + 75, 134, "Lorries", bold=True, right=True)
    d.rows(
        (75, 240, 315, 390, 465),
        154,
        [["Alder", "12.4", "3.1", "11.8", "2.9"], ["Birch", "4.7", "(1.2)", "4.4", "0"]],
        20,
    )
    return d


def test_merged_parent_headers_give_nested_column_paths() -> None:
    d = ruled_with_parents()
    table = d.table()
    assert (table.row_count, table.col_count, table.header_rows, table.uncertain) == (4, 5, 2, False)
    assert values(table) == {
        (("Alder",), ("2031", "Cars")): "12.4",
        (("Alder",), ("2031", "Lorries")): "3.1",
        (("Alder",), ("2030", "Cars")): "11.8",
        (("Alder",), ("2030", "Lorries")): "2.9",
        (("Birch",), ("2031", "Cars")): "4.7",
        (("Birch",), ("2031", "Lorries")): "(1.2)",
        (("Birch",), ("2030", "Cars")): "4.4",
        (("Birch",), ("2030", "Lorries")): "0",
    }
    spans = {c.text: (c.row_span, c.col_span) for c in table.cells if c.row == 0}
    assert spans == {"Bridge": (2, 1), "2031": (1, 2), "2030": (1, 2)}
    assert text_of(d.raw.words, table.title_words) == "Table 1. Tolls by bridge (EUR in thousands)"


def test_the_cell_of_a_ruled_table_is_the_ruled_area() -> None:
    cell = next(c for c in ruled_with_parents().table().cells if c.text == "3.1")
    assert all(abs(a - b) <= 60 for a, b in zip(cell.box, (24500, 14000, 32000, 16000), strict=True))


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_rotated_page_gives_the_same_cells_on_the_displayed_page(rotation: int) -> None:
    """The page is drawn so that it reads upright once /Rotate is applied."""
    upright = ruled_with_parents()
    turned = pymupdf.open()
    width, height = (842, 595) if rotation != 180 else (595, 842)
    page = turned.new_page(width=width, height=height)
    page.show_pdf_page(page.rect, upright.document, 0, rotate=rotation)
    page.set_rotation(rotation)
    tables = find_tables(raw_of(page))
    assert len(tables) == 1
    assert values(tables[0]) == values(upright.table())


def test_columns_without_any_rule() -> None:
    d = DrawnSheet()
    d.text(70, 90, "Table 2. Upkeep ($ in thousands)", bold=True)
    d.rows((70, 260, 350, 440), 110, [
        ["Cost", "2031", "2030", "Change"],
        ["Wages", "6,120", "5,980", "140"],
        ["Dredging", "3,415", "3,890", "(475)"],
        ["Other", "1,240", "1,190", "50"],
        ["Fuel", "2,260", "2,410", "(150)"],
        ["Other", "815", "1,240", "(425)"],
        ["Total upkeep", "13,850", "14,710", "(860)"],
    ])  # fmt: skip
    table = d.table()
    found = values(table)
    assert (table.row_count, table.col_count, table.header_rows) == (7, 4, 1)
    assert found[("Dredging",), ("Change",)] == "(475)"
    assert found[("Total upkeep",), ("2031",)] == "13,850"
    assert sum(c.row_path == ("Other",) and c.column_path == ("2030",) for c in table.cells) == 2


def test_rules_above_and_below_only() -> None:
    d = DrawnSheet()
    for y in (100, 120, 200):
        d.line(70, y, 480, y)
    d.rows((75, 270, 380, 475), 114, [["Customer", "Revenue (USD)", "Share (%)", "Change (%)"]])
    d.rows((75, 270, 380, 475), 136, [
        ["Corvane Lines", "5,310,000", "10.0", "1.2"], ["Tessel Ferries", "4,775,500", "9.0", "\u22120.8"],
        ["Marram Fish", "4,210,300", "7.9", "3.4"], ["Oriel Cruises", "3,118,250", "5.9", "(12.4)"],
    ])  # fmt: skip
    found = values(d.table())
    assert found[("Marram Fish",), ("Share (%)",)] == "7.9"
    assert found[("Oriel Cruises",), ("Change (%)",)] == "(12.4)"


def test_words_in_columns_between_rules() -> None:
    """No value at all: the rules and the short texts make it a table."""
    d = DrawnSheet()
    for y in (100, 120, 180):
        d.line(70, y, 480, y)
    rows = ("Party Role Seat", "Corvane Lender Oslo", "Tessel Agent Bergen", "Marram Borrower Turku")
    for y, row in zip((114, 134, 152, 170), rows, strict=True):
        for x, text in zip((75, 220, 360), row.split(), strict=True):
            d.text(x, y, text)
    assert values(d.table())[("Tessel",), ("Seat",)] == "Bergen"


@pytest.mark.parametrize("underlined", [True, False])
def test_words_under_bold_or_underlined_names(underlined: bool) -> None:
    d = DrawnSheet()
    d.text(70, 60, "Exhibit B sets out the points at which the gas is to be delivered to the shipper.")
    for x, name in ((70, "Delivery point"), (230, "Operator"), (370, "District")):
        d.text(x, 100, name, bold=not underlined)
        if underlined:
            d.line(x, 102, x + pymupdf.get_text_length(name, fontname="helv", fontsize=10), 102)
    for n, row in enumerate((("Alder camp", "Corvane", "Northmoor"), ("Birch plant", "Tessel", "Southmoor"))):
        for x, text in zip((70, 230, 370), row, strict=True):
            d.text(x, 118 + n * 16, text)
    found = values(d.table())
    assert found[("Birch plant",), ("Operator",)] == "Tessel"
    assert found[("Alder camp",), ("District",)] == "Northmoor"


def test_a_column_with_a_name_and_hardly_a_value_is_kept() -> None:
    d = DrawnSheet()
    d.rows((70, 200, 300, 400), 100, [["Berth", "Calls", "Nights", "Remarks"]])
    d.rows((70, 200, 300), 116, [["Quay one", "21", "27"], ["Quay two", "9", "13"], ["Quay six", "42", "54"]], 16)
    d.text(360, 132, "dredged")
    table = d.table()
    assert [c.text for c in table.cells if c.row == 0] == ["Berth", "Calls", "Nights", "Remarks"]
    assert [c.text for c in table.cells if c.col == 3 and c.text] == ["Remarks", "dredged"]


def test_boxes_of_a_form_are_uncertain_and_head_nothing() -> None:
    d = DrawnSheet()
    d.grid((70, 230, 390), [100 + 20 * n for n in range(9)])
    d.line(150, 100, 150, 260)
    for n in range(8):
        for x, text in ((75, f"Box {n}a"), (155, f"Box {n}b"), (235, f"Box {n}c")):
            d.text(x, 114 + n * 20, text, bold=True)
    table = d.table()
    assert table.header_rows <= 1


def test_a_raised_mark_is_no_digit_of_the_value() -> None:
    d = DrawnSheet()
    d.grid((70, 200, 300, 400), (100, 120, 140, 160))
    d.rows((75, 295, 395), 114, [["Item", "Approved", "Spent"], ["Crane", "", "905"], ["Steps", "220", "75"]], 20)
    d.text(270, 134, "1,860")
    d.text(270 + pymupdf.get_text_length("1,860", fontsize=10), 130.5, "2", size=6)
    d.text(70, 172, "2", size=6)
    d.text(76, 175, "Approved in two stages.", size=8)
    d.text(70, 230, "The next paragraph has nothing to do with the table above.")
    table = d.table()
    cell = next(c for c in table.cells if c.row == 1 and c.col == 1)
    assert (cell.text, cell.marks) == ("1,860", ("2",))
    assert [(mark, text_of(d.raw.words, words)) for mark, words in table.notes] == [("2", "Approved in two stages.")]


@pytest.mark.parametrize(("note", "text", "marks"), [(True, "4,200", ("a",)), (False, "4,200(a)", ())])
def test_a_letter_in_brackets_is_a_mark_only_if_a_note_explains_it(
    note: bool, text: str, marks: tuple[str, ...]
) -> None:
    d = DrawnSheet()
    d.grid((70, 200, 300, 400), (100, 120, 140, 160))
    d.rows((75, 295, 395), 114, [["Item", "Due", "Paid"], ["Rent", "4,200(a)", "905"], ["Heat", "220", "75"]], 20)
    if note:
        d.text(70, 176, "(a) Includes the deposit.", size=8)
    cell = next(c for c in d.table().cells if c.row == 1 and c.col == 1)
    assert (cell.text, cell.marks) == (text, marks)


def test_sections_and_indents_become_parents() -> None:
    d = DrawnSheet()
    rows = [
        (0, "", "2031", "2030"), (0, "Income", "", ""), (12, "Tolls", "812", "790"), (12, "Grants", "95", "80"),
        (0, "Operating costs:", "", ""), (12, "Wages", "512", "500"), (12, "Other", "40", "41"),
        (12, "Total operating costs", "552", "541"), (0, "Net income", "355", "329"),
    ]  # fmt: skip
    for n, (indent, label, this, last) in enumerate(rows):
        d.text(70 + indent, 100 + n * 16, label)
        for x, text in ((300, this), (400, last)):
            d.text(x, 100 + n * 16, text, right=True)
    found = values(d.table())
    assert found[("Income", "Grants"), ("2031",)] == "95"
    assert found[("Operating costs", "Wages"), ("2030",)] == "500"
    assert found[("Operating costs", "Total operating costs"), ("2031",)] == "552"
    assert found[("Net income",), ("2031",)] == "355"


def test_a_section_without_indents_ends_with_its_total() -> None:
    d = DrawnSheet()
    d.rows((70, 300, 400), 100, [
        ["", "2031", "2030"], ["Costs", "", ""], ["Wages", "512", "500"], ["Fuel", "40", "41"],
        ["Total costs", "552", "541"], ["Net income", "355", "329"],
    ], 16)  # fmt: skip
    found = values(d.table())
    assert found[("Costs", "Fuel"), ("2031",)] == "40"
    assert found[("Net income",), ("2030",)] == "329"


def test_a_cell_across_a_ruled_table_is_a_section() -> None:
    d = DrawnSheet()
    for y in (100, 120, 140, 160, 180, 200, 220):
        d.line(70, y, 400, y)
    for x in (70, 400):
        d.line(x, 100, x, 220)
    for x in (200, 300):
        for top, bottom in ((100, 120), (140, 180), (200, 220)):
            d.line(x, top, x, bottom)
    d.rows((75, 295, 395), 114, [["Berth", "Calls", "Nights"]])
    d.text(75, 134, "North basin")
    d.rows((75, 295, 395), 154, [["Quay one", "18", "21"], ["Quay two", "9", "13"]], 20)
    d.text(75, 194, "South basin")
    d.rows((75, 295, 395), 214, [["Quay one", "7", "8"]])
    found = values(d.table())
    assert found[("North basin", "Quay one"), ("Nights",)] == "21"
    assert found[("South basin", "Quay one"), ("Calls",)] == "7"


def test_a_first_column_merged_over_rows_groups_them() -> None:
    d = DrawnSheet()
    for y in (100, 120, 160, 180):
        d.line(70, y, 400, y)
    d.line(160, 140, 400, 140)
    for x in (70, 160, 280, 400):
        d.line(x, 100, x, 180)
    placed = (
        (75, 114, "Basin"), (165, 114, "Quay"), (285, 114, "Calls"), (75, 142, "North"), (165, 134, "Long quay"),
        (285, 134, "18"), (165, 154, "Short quay"), (285, 154, "9"), (75, 174, "South"), (165, 174, "Long quay"),
        (285, 174, "7"),
    )  # fmt: skip
    for x, y, text in placed:
        d.text(x, y, text)
    found = values(d.table())
    assert found[("North", "Short quay"), ("Calls",)] == "9"
    assert found[("South", "Long quay"), ("Calls",)] == "7"


def test_currency_signs_set_apart_go_with_their_number() -> None:
    d = DrawnSheet()
    d.rows((70, 250, 300, 350, 400), 100, [
        ["", "", "2031", "", "2030"], ["Rent", "$", "4,200", "$", "4,000"], ["Heat", "", "310", "", "290"],
        ["Total", "$", "4,510", "$", "4,290"],
    ])  # fmt: skip
    table = d.table()
    assert table.col_count == 3
    assert values(table)[("Rent",), ("2030",)] == "$ 4,000"


def test_rows_of_values_that_no_rule_parts() -> None:
    d = DrawnSheet()
    d.grid((70, 200, 300), (100, 120, 180))
    d.rows((75, 295), 114, [["Country", "Calls"]])
    d.rows((75, 295), 134, [["Norway", "268"], ["Finland", "233"], ["Estonia", "139"]])
    assert values(d.table()) == {
        (("Norway",), ("Calls",)): "268",
        (("Finland",), ("Calls",)): "233",
        (("Estonia",), ("Calls",)): "139",
    }


def test_a_label_over_two_lines_is_one_cell() -> None:
    d = DrawnSheet()
    d.grid((70, 250, 350), (100, 120, 150, 170))
    d.rows((75, 345), 114, [["Item", "Cost"]])
    d.text(75, 132, "Repair of the northern sea wall")
    d.text(75, 144, "and of its stairs")
    d.text(345, 132, "4,300", right=True)
    d.rows((75, 345), 164, [["Paint", "12"]])
    assert grid_of(d.table())[1] == ["Repair of the northern sea wall and of its stairs", "4,300"]


def test_leading_dots_are_not_part_of_a_label() -> None:
    d = DrawnSheet()
    rows = [
        ["", "2031", "2030"],
        ["Rent" + "." * 30, "9,100", "8,800"],
        ["Heat" + " ." * 28, "310", "290"],
        ["Light" + "." * 30, "95", "99"],
    ]
    d.rows((70, 300, 400), 100, rows)
    assert [row[0] for row in grid_of(d.table())[1:]] == ["Rent", "Heat", "Light"]


def test_text_of_the_column_beside_is_no_column_of_a_table() -> None:
    page = DrawnSheet()
    rows = [("North quay", "0.58", "0.88"), ("South quay", "0.84", "0.85"), ("Old mole", "0.73", "0.78"),
            ("West pier", "0.27", "0.54")]  # fmt: skip
    page.rows([60, 180, 230], 120, rows, step=14)
    prose = ["The boats that lie at the quay", "pay by the day, and those that", "lie in the basin pay by the week"]
    for n, text in enumerate([*prose, "unless the master lets them off"]):
        size = 10 * 150 / pymupdf.get_text_length(text, fontname="helv", fontsize=10)
        page.text(300, 120 + 14 * n, text, size=size)
    assert [len(c.text.split()) <= 2 for c in page.table().cells] == [True] * 12


def test_a_name_may_be_wider_than_its_column_and_stand_over_a_rule() -> None:
    page = DrawnSheet()
    places = (60, 130, 260, 330)
    for x, text in zip(places, ("Berth", "Boat and its owner", "Tonnes", "Leave to stay on"), strict=True):
        page.text(x, 100, text)
    page.line(60, 108, 420, 108)
    rows = [("A1", "Heron", "12", "N"), ("B4", "Siskin of Quillmere", "9", "N"), ("C2", "Wren", "31", "N")]
    for n, row in enumerate(rows):
        for x, text in zip(places, row, strict=True):
            page.text(x, 128 + 14 * n, text)
    table = page.table()
    assert table.header_rows == 1
    assert {c.column_path for c in table.cells if c.text == "N"} == {("Leave to stay on",)}
    assert {c.column_path for c in table.cells if c.text == "31"} == {("Tonnes",)}


def test_a_sum_without_a_label_belongs_to_its_column() -> None:
    page = DrawnSheet()
    page.rows([60, 260], 120, [("Ada Quill", "40%"), ("Ben Tarn", "30%"), ("Cara Vale", "30%")])
    page.line(230, 160, 260, 160)
    page.text(260, 174, "100%", right=True)
    table = page.table()
    assert (table.row_count, table.col_count) == (4, 2)
    assert [(c.text, c.row_path) for c in table.cells if c.text == "100%"] == [("100%", ())]
