"""Tables beside columns of text, rows without a name of their own, and what only looks like a table."""

import pytest

from ingest.mupdf import pymupdf
from ingest.pdf.reader import PdfReader
from ingest.settings import OcrMode, ReadSettings
from verify.domain.document import Page, Table

PLAIN = ReadSettings(ocr=OcrMode.NEVER)
LEFT, RIGHT = 50.0, 310.0
PROSE = [
    "The ferries of the sound were let to one",
    "carrier for the whole of the year, and he",
    "was to run them in every weather that his",
    "masters thought safe, with a crew of four",
    "and a cargo of no more than twenty carts,",
    "so that no passenger had to stand outside",
    "when rain or spray came over the forward",
    "rail, as the harbour board had written to",
]


class Sheet:
    def __init__(self) -> None:
        self.document = pymupdf.open()
        self.page = self.document.new_page(width=600, height=800)

    def text(self, x: float, y: float, text: str, size: float = 10) -> None:
        self.page.insert_text((x, y), text, fontsize=size, fontname="tiro")

    def row(self, xs: list[float], y: float, texts: str) -> None:
        for x, text in zip(xs, texts.split(), strict=True):
            if text != "-":
                self.text(x, y, text)

    def rule(self, x0: float, x1: float, *ys: float) -> None:
        for y in ys:
            self.page.draw_line((x0, y), (x1, y), width=0.6)

    def prose(self, x: float, y: float, times: int = 2, pitch: float = 13) -> None:
        for n, text in enumerate(PROSE * times):
            self.text(x, y + n * pitch, text, 11)

    def read(self) -> Page:
        with PdfReader(self.document.tobytes(), settings=PLAIN) as reader:
            return next(iter(reader.pages()))


def values(table: Table) -> dict[tuple[tuple[str, ...], tuple[str, ...]], str]:
    return {(c.row_path, c.column_path): c.text for c in table.cells if not c.is_header and c.text}


def test_tables_of_two_columns_with_rules_at_one_height_are_two() -> None:
    sheet = Sheet()
    for x, names, rows in (
        (LEFT, "Ferry Carts", ("Auk 12", "Eider 15", "Skua 9", "Tern 20")),
        (RIGHT, "Pier Length", ("North 80", "South 95", "West 40", "East 65")),
    ):
        sheet.rule(x, x + 200, 60, 78, 150)
        sheet.row([x + 5, x + 120], 72, names)
        for n, row in enumerate(rows):
            sheet.row([x + 5, x + 120], 92 + n * 16, row)
    sheet.prose(LEFT, 190)
    sheet.prose(RIGHT, 196)
    left, right = sheet.read().tables
    assert values(left) == {
        (("Auk",), ("Carts",)): "12",
        (("Eider",), ("Carts",)): "15",
        (("Skua",), ("Carts",)): "9",
        (("Tern",), ("Carts",)): "20",
    }
    assert values(right)[("West",), ("Length",)] == "40"
    assert (left.row_count, right.row_count) == (5, 5)


def test_a_list_with_values_beside_text_takes_none_of_it() -> None:
    """The column beside has another pitch: few of its lines stand on the list's heights."""
    sheet = Sheet()
    for n, name in enumerate(["Auk", "Eider", "Gannet", "Skua", "Tern", "Wigeon"]):
        dots = int((185 - pymupdf.get_text_length(name + " ", "tiro", 8)) / 2)
        sheet.text(LEFT, 60 + n * 11, name + " " + "." * dots, 8)
        sheet.text(LEFT + 195, 60 + n * 11, str(950 - 7 * n), 8)
    sheet.prose(LEFT, 150)
    sheet.prose(RIGHT, 60, times=3)
    (table,) = sheet.read().tables
    assert (table.row_count, table.col_count) == (6, 2)
    assert [c.text for c in table.cells if c.col == 1] == ["950", "943", "936", "929", "922", "915"]


def test_a_name_stands_for_the_rows_below_that_leave_it_empty() -> None:
    sheet = Sheet()
    sheet.rule(LEFT, 450, 60, 78, 190)
    xs = [LEFT + 5, 180.0, 380.0]
    for n, row in enumerate(
        ["Pier Weather Toll", "North calm 1.00", "- windy 2.50", "- foggy 3.00", "South calm 1.10", "- windy 2.60"]
    ):
        sheet.row(xs, 72 + n * 20, row)
    (table,) = sheet.read().tables
    assert values(table) == {
        (("North", "calm"), ("Toll",)): "1.00",
        (("North", "windy"), ("Toll",)): "2.50",
        (("North", "foggy"), ("Toll",)): "3.00",
        (("South", "calm"), ("Toll",)): "1.10",
        (("South", "windy"), ("Toll",)): "2.60",
    }


def test_tables_of_one_width_with_text_between_are_two() -> None:
    sheet = Sheet()
    for top, names, rows in (
        (60, "Ferry Carts", ("Auk 12", "Eider 15")),
        (260, "Pier Length", ("North 80", "South 95")),
    ):
        sheet.rule(LEFT, 450, top, top + 18, top + 60)
        sheet.row([LEFT + 5, 300], top + 13, names)
        for n, row in enumerate(rows):
            sheet.row([LEFT + 5, 300], top + 33 + n * 18, row)
    for n in range(6):
        sheet.text(LEFT, 150 + n * 14, PROSE[n] + " " + PROSE[n + 1][:34])
    first, second = sheet.read().tables
    assert values(first) == {(("Auk",), ("Carts",)): "12", (("Eider",), ("Carts",)): "15"}
    assert values(second)[("South",), ("Length",)] == "95"


@pytest.mark.parametrize("turn", [90, 270])
def test_a_table_whose_text_runs_up_or_down_is_read_as_it_stands(turn: int) -> None:
    """A wide table bound sideways, the page's number upright in its margin; boxes are where the page shows them."""
    document = pymupdf.open()
    page = document.new_page(width=600, height=800)
    rows = [
        "Ferry Carts Horses Tolls",
        *(f"{n} {i}2 {i}5 {i}.50" for i, n in enumerate(["Auk", "Eider", "Skua", "Tern", "Gull"], 1)),
    ]
    for k, row in enumerate(rows):
        for along, text in zip((120, 300, 450, 600), row.split(), strict=True):
            x, y = (150 + 20 * k, 800 - along) if turn == 90 else (450 - 20 * k, along)
            page.insert_text((x, y), text, fontsize=10, fontname="tiro", rotate=turn)
    page.insert_text((295, 770), "7", fontsize=10, fontname="tiro")
    with PdfReader(document.tobytes(), settings=PLAIN) as reader:
        (read,) = reader.pages()
    (table,) = read.tables
    assert values(table)[("Skua",), ("Horses",)] == "35"
    assert values(table)[("Gull",), ("Tolls",)] == "5.50"
    assert len(values(table)) == 15
    skua = next(c for c in table.cells if c.text == "Skua")
    word = read.words[skua.words[0]]
    assert word.text == "Skua"
    assert skua.bbox.overlaps(word.box)
    assert skua.bbox.y1 - skua.bbox.y0 > skua.bbox.x1 - skua.bbox.x0


def test_names_of_columns_that_nearly_touch_are_two() -> None:
    """Their second lines stand as near as words do, under first lines that stand apart."""
    sheet = Sheet()
    sheet.rule(LEFT, 450, 56, 96, 180)
    xs = [LEFT + 5, 200.0, 244.0]
    sheet.text(xs[1], 70, "Barge")
    sheet.text(xs[2], 70, "Ferry")
    sheet.text(xs[0], 88, "Pier")
    sheet.text(xs[1], 88, "toll a ton")
    sheet.text(xs[2], 88, "toll a head")
    for n, row in enumerate(["North 1,000.00 2,000.00", "South 1,100.00 2,200.00", "West 1,200.00 2,400.00"]):
        sheet.row(xs, 112 + n * 20, row)
    (table,) = sheet.read().tables
    assert values(table)[("South",), ("Barge toll a ton",)] == "1,100.00"
    assert values(table)[("South",), ("Ferry toll a head",)] == "2,200.00"


def test_the_text_of_the_last_row_goes_on_as_that_of_the_others_does() -> None:
    sheet = Sheet()
    y = 60.0
    for name, texts, fee in (
        ("Advice", ["on the letting of all barns", "and of the yards beside them"], "1,000"),
        ("Papers", ["filed with the harbour board"], "150"),
        ("Travel", ["to the piers of the sound and", "back, with a night out there"], "900"),
    ):
        sheet.text(LEFT, y, name)
        sheet.text(400, y, fee)
        for k, text in enumerate(texts):
            sheet.text(150, y + 12 * k, text)
        y += 12 * len(texts) + 5
    sheet.text(150, y + 30, "each of them in advance")
    (table,) = sheet.read().tables
    found = [c.text for c in table.cells if c.col == 1]
    assert found[0] == "on the letting of all barns and of the yards beside them"
    assert found[-1] == "to the piers of the sound and back, with a night out there"


def test_a_name_of_two_lines_over_a_rule_spans_what_the_rule_does() -> None:
    sheet = Sheet()
    sheet.text(258, 60, "Year ended")
    sheet.text(254, 72, "31 December")
    sheet.text(420, 60, "Half year")
    sheet.rule(220, 340, 76)
    sheet.rule(380, 500, 76)
    xs = [LEFT, 250.0, 320.0, 410.0, 480.0]
    for n, row in enumerate(["- 2031 2030 2031 2030", "Carts 12 11 6 5", "Horses 7 8 3 4", "Barges 3 2 1 9"]):
        sheet.row(xs, 88 + n * 18, row)
    (table,) = sheet.read().tables
    assert values(table)[("Horses",), ("Year ended 31 December", "2030")] == "8"
    assert values(table)[("Barges",), ("Half year", "2031")] == "1"
