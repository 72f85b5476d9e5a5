"""Clauses, contents, signatures, charts, prose in columns: pages that only look like tables give none."""

from drawn_tables import DrawnSheet

from ingest.tables.finding import may_hold_table

CLAUSES = [
    "7.1   The supplier shall deliver the goods within thirty (30) days of the order, at",
    "        the price of 4,200 euros stated in Schedule 2, and shall bear the risk of",
    "        loss until 5 p.m. on the day of delivery.",
    "7.2   If delivery is late by more than 10 days the buyer may cancel the order or",
    "        claim 0.5 % of the price for each day, but no more than 5 % in all.",
    "(a)    The buyer shall give notice within 14 days after it learns of the delay; and",
    "(b)    the supplier shall answer within 7 days, failing which clause 9.3 applies.",
]


def test_clauses_with_hanging_indents_are_no_table() -> None:
    d = DrawnSheet()
    for n in range(5):
        for k, line in enumerate(CLAUSES):
            d.text(70, 80 + (n * len(CLAUSES) + k) * 15, line)
    assert d.tables() == ()
    assert not may_hold_table(d.raw)


def test_contents_with_and_without_dots_are_no_table() -> None:
    for dots in (True, False):
        d = DrawnSheet()
        d.text(70, 80, "TABLE OF CONTENTS", bold=True)
        d.text(500, 95, "Page", right=True)
        for n, title in enumerate(("Definitions", "Term", "Payment", "Delivery", "Warranty", "Notices")):
            d.text(70, 115 + n * 18, f"{n + 1}.")
            d.text(100, 115 + n * 18, title + ("." * 60 if dots else ""))
            d.text(500, 115 + n * 18, str(1 + n * 3), right=True)
        assert d.tables() == ()


def test_signature_blocks_are_no_table() -> None:
    d = DrawnSheet()
    for x, party in ((70, "CORVANE LINES LIMITED"), (320, "TESSEL FERRIES AS")):
        d.text(x, 100, party, bold=True)
        for n, what in enumerate(("By:", "Name:", "Title:", "Date:")):
            d.text(x, 130 + n * 24, what)
            d.line(x + 40, 132 + n * 24, x + 200, 132 + n * 24)
    for n, text in enumerate(("1 May 2031", "2 May 2031")):
        d.text(120 + n * 250, 202, text)
    assert d.tables() == ()


def test_prose_in_two_columns_is_no_table() -> None:
    d = DrawnSheet()
    text = (
        "the court of first instance held that the lease", "of 1999 had ended in 2004 and that 12 months",
        "of rent were due; on appeal the tenant argued", "that notice given on 3 March was given too late",
    )  # fmt: skip
    for n in range(40):
        d.text(60, 80 + n * 14, text[n % 4])
        d.text(320, 80 + n * 14, text[(n + 2) % 4])
    assert d.tables() == ()


def test_a_chart_with_a_grid_is_no_table() -> None:
    d = DrawnSheet()
    d.grid((100, 160, 220, 280, 340), (100, 140, 180, 220, 260))
    for n in range(5):
        d.text(92, 104 + n * 40, str(40 - n * 10), size=7, right=True)
        d.text(97 + n * 60, 272, str(n), size=7)
    d.text(200, 150, "Peak", size=7)
    assert d.tables() == ()


def test_the_ticks_of_two_charts_side_by_side_are_no_table() -> None:
    d = DrawnSheet()
    for x in (100, 350):
        d.line(x, 90, x, 270)
        d.line(x, 270, x + 150, 270)
    for n in range(6):
        d.text(92, 104 + n * 30, str(50 - n * 10), right=True)
        d.text(342, 104 + n * 30, f"{2.5 - n / 2:.1f}", right=True)
    assert d.tables() == ()


def test_the_boxes_of_a_drawing_are_no_table() -> None:
    page = DrawnSheet()
    page.grid([100, 190, 280, 370], [100, 140, 180, 220])
    for x, y, text in [(160, 125, "Harbourmaster"), (250, 165, "Boatbuilder"), (165, 205, "Cranedriver")]:
        page.text(x, y, text)
    assert page.tables() == ()


def test_a_lattice_with_empty_squares_over_the_name_of_a_figure_is_a_drawing() -> None:
    page = DrawnSheet()
    page.grid([100, 220, 340], [100, 130, 160, 190])
    for x, y, text in [(110, 120, "quay"), (230, 150, "crane"), (110, 180, "barge"), (230, 120, "raft")]:
        page.text(x, y, text)
    assert len(page.tables()) == 1
    page.text(150, 210, "Figure 2: What lies where")
    assert page.tables() == ()


def test_a_box_around_prose_is_no_table() -> None:
    d = DrawnSheet()
    d.grid((60, 535), (60, 110, 700))
    d.text(70, 90, "CONTINUATION SHEET", bold=True)
    for n in range(35):
        d.text(70, 130 + n * 15, CLAUSES[n % len(CLAUSES)])
    assert d.tables() == ()


def test_an_empty_page_has_no_table() -> None:
    d = DrawnSheet()
    assert d.tables() == ()
    assert not may_hold_table(d.raw)
