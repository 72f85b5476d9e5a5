"""What heads a page and what only looks like it; under which headings and clauses a block stands."""

import pytest
from drawn_pages import Drawn, centred, element, read

from verify.domain.document import ElementKind, Page

BOLD, PLAIN = "tibo", "tiro"


def running(x: float, y: float, *texts: str) -> list[Drawn]:
    return [(x, y + 14 * i, text, 11, PLAIN) for i, text in enumerate(texts)]


def headings(page: Page) -> list[str]:
    return [" ".join(e.text.split()) for e in page.elements if e.kind is ElementKind.HEADING]


REPAIRS = ("The lessee shall keep the roof of the barn in good repair and shall", "clear the gutters twice a year.")
SNOW = ("The lessor shall keep the drive free of snow between the gate and the", "barn, so that a cart can pass.")


def test_of_the_lines_of_a_cover_one_is_the_title() -> None:
    (page,) = read(
        [
            centred(200, "QUILLMERE HARBOUR TRUST"),
            centred(240, "and"),
            centred(280, "ORCHARD HOLDINGS LLC"),
            centred(330, "BERTHING AGREEMENT"),
            centred(370, "Dated 3 May 2026"),
        ]
    )
    assert headings(page) == ["BERTHING AGREEMENT"]
    assert len(page.elements) == 5


def test_the_line_above_running_text_heads_it_even_below_a_cover() -> None:
    cover = [centred(80, "Berths and Tides", 16), centred(120, "Ada Quill"), centred(140, "Ben Tarn")]
    (page,) = read([*cover, centred(170, "Summary"), *running(72, 200, *REPAIRS)])
    assert headings(page) == ["Berths and Tides", "Summary"]


def test_a_title_over_several_centred_lines_is_one_heading() -> None:
    (page,) = read(
        [
            centred(80, "LEASE AGREEMENT"),
            centred(94, "BETWEEN THE HARBOUR TRUST OF QUILLMERE AND ORCHARD HOLDINGS LLC"),
            centred(108, "CONCERNING THE NORTH BARN AND THE DRIVE BEFORE IT"),
            *running(72, 140, *REPAIRS),
        ]
    )
    assert len(headings(page)) == 1
    assert headings(page)[0].endswith("THE DRIVE BEFORE IT")


def test_a_numbered_title_heads_with_its_full_stop_and_without_bold_type() -> None:
    (page,) = read(
        [
            (72, 80, "4. Repairs of the Barn.", 11, PLAIN),
            (72, 100, "4.1 Roof and Gutters.", 11, PLAIN),
            *running(72, 120, *REPAIRS),
            (72, 160, "4.2 The roof is of slate.", 11, PLAIN),
        ]
    )
    assert headings(page) == ["4. Repairs of the Barn.", "4.1 Roof and Gutters."]
    assert element(page, "The lessee").heading_path == ("4. Repairs of the Barn.", "4.1 Roof and Gutters.")
    assert element(page, "4.2").heading_path == ("4. Repairs of the Barn.", "4.2")


def test_what_announces_an_agreement_is_no_heading() -> None:
    (page,) = read([*running(72, 80, "THE PARTIES HEREBY AGREE AS FOLLOWS:"), *running(72, 110, *REPAIRS)])
    assert headings(page) == []


def test_the_labels_of_a_form_are_no_headings() -> None:
    labels = ["Name", "Berth", "Length", "Draught", "Owner", "Agent", "Flag", "Port", "Crew", "Cargo"]
    boxes = [(60 + 180 * k, 120 + 30 * i, f"{text} {k}", 9, BOLD) for i, text in enumerate(labels) for k in range(3)]
    (page,) = read([centred(70, "Application for a Berth", 18), *boxes])
    assert headings(page) == ["Application for a Berth"]


def test_a_schedule_stands_at_the_top_and_a_title_over_the_rest() -> None:
    first, second = read(
        [
            centred(60, "BERTHING AGREEMENT", 12),
            centred(90, "RECITALS", 12),
            *running(72, 120, *REPAIRS),
            (72, 170, "1. TERM", 11, BOLD),
            *running(72, 200, *SNOW),
        ],
        [
            centred(60, "Schedule A"),
            *running(72, 90, *REPAIRS),
            (72, 140, "1. BERTHS", 11, BOLD),
            *running(72, 170, *SNOW),
        ],
    )
    assert element(first, "The lessee").heading_path == ("BERTHING AGREEMENT", "RECITALS")
    assert element(first, "The lessor").heading_path == ("BERTHING AGREEMENT", "1. TERM")
    assert element(second, "The lessee").heading_path == ("Schedule A",)
    assert element(second, "The lessor").heading_path == ("Schedule A", "1. BERTHS")


def test_the_next_clause_closes_the_heading_whose_number_it_follows() -> None:
    (page,) = read(
        [
            (72, 60, "3. JOINT WORKS", 11, BOLD),
            *running(90, 90, "(a) For the works these payments are made:"),
            *running(130, 120, "1. twelve crowns on the first day;"),
            *running(130, 140, "2. thirteen crowns on the second day;"),
            *running(130, 160, "3. fourteen crowns on the third day."),
            *running(
                72, 190, "4. No Broker. Each party says that it owes no fee to anybody for the works", "and never will."
            ),
        ]
    )
    assert element(page, "2. thirteen").heading_path == ("3. JOINT WORKS", "(a)(2)")
    assert element(page, "4. No Broker").heading_path == ("4",)


def test_an_i_after_a_letter_is_a_roman_number_unless_h_came_before() -> None:
    def paths(*marks: str) -> list[str]:
        (page,) = read([piece for i, mark in enumerate(marks) for piece in running(72, 60 + 30 * i, f"{mark} a gate.")])
        return [e.heading_path[-1] for e in page.elements]

    assert paths("(a)", "(i)", "(ii)", "(b)") == ["(a)", "(a)(i)", "(a)(ii)", "(b)"]
    assert paths("(g)", "(h)", "(i)", "(j)") == ["(g)", "(h)", "(i)", "(j)"]
    # the order of signs in federal rules, and in statutes
    marks = ("(a)", "(1)", "(i)", "(ii)", "(A)", "(B)", "(iii)", "(2)", "(b)", "(1)")
    assert paths(*marks) == [
        *("(a)", "(a)(1)", "(a)(1)(i)", "(a)(1)(ii)", "(a)(1)(ii)(A)", "(a)(1)(ii)(B)", "(a)(1)(iii)", "(a)(2)", "(b)"),
        "(b)(1)",
    ]
    assert paths("(1)", "(a)", "(b)", "(2)") == ["(1)", "(1)(a)", "(1)(b)", "(2)"]


def test_headings_that_follow_one_another_without_text_are_entries_of_contents() -> None:
    entries = [(72.0, 60.0 + 20 * i, f"Section {20 + i}. Care of the Quay", 11.0, PLAIN) for i in range(5)]
    (page,) = read([*entries, *running(72, 200, *REPAIRS)])
    assert headings(page) == []
    assert element(page, "The lessee").heading_path == ()


def test_lines_that_were_broken_by_hand_are_one_paragraph() -> None:
    texts = (
        "The harbour master was asked to move",
        "the boat and did not, so that it lay",
        "beside the quay all the winter long. It",
        "was found there in the",
        "spring, half full of water. Nobody",
        "had looked after",
        "it since the autumn. The owner",
        "said that he had",
        "been told to leave it where",
        "it was until the ice had gone. The master",
        "could not remember",
        "saying that to",
        "anyone, and there was no letter about",
        "it in the book.",
    )
    (page,) = read(running(72, 80, *texts))
    assert len(page.elements) == 1


def test_a_list_within_a_sentence_begins_no_item_at_a_line_s_start() -> None:
    (page,) = read(
        running(
            72,
            80,
            "The charge does not cover (i) a boat that is longer than the quay,",
            "(ii) a boat that lies there for more than a year, and (iii) any raft,",
            "which is charged for by the day and not by its length at all.",
        )
    )
    assert len(page.elements) == 1


def test_contents_go_on_over_a_page_without_a_title() -> None:
    titles = ("Section 20. Care of the Quay", "Section 21. Boats", "Exhibit A Form of Leave", "Exhibit B Plan")
    entries = [
        piece
        for n, title in enumerate(titles)
        for piece in [(72.0, 60.0 + 20 * n, title, 11.0, BOLD), (500.0, 60.0 + 20 * n, str(n + 14), 11.0, PLAIN)]
    ]
    (page,) = read([*entries, *running(72, 200, *REPAIRS)])
    assert headings(page) == []
    assert [e.text for e in page.elements[:2]] == ["Section 20. Care of the Quay\n14", "Section 21. Boats\n15"]
    assert element(page, "The lessee").heading_path == ()


def test_one_line_notices_far_apart_do_not_set_the_pitch_of_running_text() -> None:
    notices = [(72.0, 60.0 + 20 * n, f"BOATS OF {n} TONNES PAY AT THE QUAY", 10.0, PLAIN) for n in range(5)]
    texts = ("A boat that has paid may lie at the quay for as long as its", "owner likes, but not in the winter, when",
             "the quay is shut to all boats but those of", "the harbour master.")  # fmt: skip
    (page,) = read([*notices, *[(72.0, 200.0 + 12 * n, text, 10.0, PLAIN) for n, text in enumerate(texts)]])
    assert [len(e.text.split("\n")) for e in page.elements] == [1, 1, 1, 1, 1, 4]


def test_capitals_set_nothing_apart_on_a_page_in_capitals() -> None:
    entries = [(72.0, 60.0 + 24 * n, f"BOAT {n} CARRIED STONE TO THE QUAY", 11.0, PLAIN) for n in range(20)]
    (page,) = read([*entries, (72, 600, "2. Boats of Stone", 11, BOLD)])
    assert headings(page) == ["2. Boats of Stone"]


def test_a_number_with_a_unit_is_no_heading() -> None:
    (page,) = read([(72, 60, "0.6 m", 11, BOLD), *running(72, 90, *REPAIRS), (72, 140, "Article IV", 11, BOLD)])
    assert headings(page) == ["Article IV"]


def test_a_section_numbered_nought_holds_its_clauses() -> None:
    (page,) = read(
        [
            (72, 60, "12.0 SECURITY", 11, PLAIN),
            *running(72, 90, "12.1 The gate of the quay is shut at night, and nobody may pass", "but the watchman."),
            *running(72, 130, "12.2 The key of the gate hangs in the office, and nobody may take", "it home."),
            (72, 170, "13.0 STONE", 11, PLAIN),
            *running(72, 200, "13.1 Stone is weighed on the quay before it is laden, and again", "when it is sold."),
        ]
    )
    assert element(page, "12.2").heading_path == ("12.0 SECURITY", "12.2")
    assert element(page, "13.1").heading_path == ("13.0 STONE", "13.1")


def test_letters_stand_inside_romans_and_figures_inside_letters() -> None:
    """As opinions count: the same signs stand the other way round in contracts."""
    drawn = []
    titles = ["II. THE QUAY", "A. The Wall", "1. Stones", "2. Mortar", "B. The Steps", "III. THE CRANE", "A. The Hook"]
    for i, text in enumerate(titles):
        drawn += [(72.0, 60.0 + 60 * i, text, 11.0, BOLD), *running(72, 80 + 60 * i, *SNOW)]
    (page,) = read(drawn)
    paths = {e.text: e.heading_path for e in page.elements if e.kind is ElementKind.HEADING}
    assert paths == {
        "II. THE QUAY": (),
        "A. The Wall": ("II. THE QUAY",),
        "1. Stones": ("II. THE QUAY", "A. The Wall"),
        "2. Mortar": ("II. THE QUAY", "A. The Wall"),
        "B. The Steps": ("II. THE QUAY",),
        "III. THE CRANE": (),
        "A. The Hook": ("III. THE CRANE",),
    }
    titles = ["1. Works", "A. Quay", "B. Crane", "2. Pay"]
    drawn = []
    for i, text in enumerate(titles):
        drawn += [(72.0, 60.0 + 60 * i, text, 11.0, BOLD), *running(72, 80 + 60 * i, *SNOW)]
    (page,) = read(drawn)
    paths = {e.text: e.heading_path for e in page.elements if e.kind is ElementKind.HEADING}
    assert paths == {"1. Works": (), "A. Quay": ("1. Works",), "B. Crane": ("1. Works",), "2. Pay": ()}


@pytest.mark.parametrize(
    "words", ["IN WITNESS WHEREOF, the parties have signed", "SIGNATURES", "[Signature page follows]"]
)
def test_signatures_stand_under_no_clause(words: str) -> None:
    (page,) = read(
        [
            centred(60, "BERTHING AGREEMENT", 12),
            (72, 100, "9. GENERAL", 11, BOLD),
            *running(72, 120, "9.1 Notices are to be sent in writing."),
            *running(72, 160, words),
            *running(72, 200, "By: ____________"),
        ]
    )
    assert element(page, "9.1").heading_path == ("BERTHING AGREEMENT", "9. GENERAL", "9.1")
    assert element(page, words).heading_path == ("BERTHING AGREEMENT",)
    assert "9. GENERAL" not in element(page, "By:").heading_path
