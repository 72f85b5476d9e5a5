"""Citations in a text: what is found, how it points back, what it is offered for. Texts and values by hand."""

import logging

import pytest

from models.citations.authorities import find_authorities
from models.citations.finding import TextBlock, definitions, find_citations
from models.citations.model import CitationKind, Form, Mention
from models.citations.names import is_party, key_words
from models.citations.offered import offered
from models.citations.pinpoints import pin_at
from models.citations.quoted import quotations_in


def found(*texts: str) -> tuple[Mention, ...]:
    return find_citations([TextBlock(text) for text in texts])


def only(text: str) -> Mention:
    (mention,) = found(text)
    return mention


@pytest.mark.parametrize(
    ("text", "parties", "reports", "pages"),
    [
        ("See Alder v. Birch, 512 F.3d 34, 36 (9th Cir. 1993).", ("Alder", "Birch"), ["512 F.3d 34"], ("36",)),
        ("In re Winship, 397 U.S. 358, 364 (1970), controls.", ("Winship",), ["397 U.S. 358"], ("364",)),
        ("As in Alder v. Birch, 5 U.S. 1, 464–65 & n.3 (1994).", ("Alder", "Birch"), ["5 U.S. 1"], ("464", "465")),
        ("Alder v. Birch, 2019 WL 12345, at *3 (S.D.N.Y. Jan. 1, 2019)", ("Alder", "Birch"), ["2019 WL 12345"], ("3",)),
        (
            "Brown v. Board of Education, 347 U.S. 483, 495, 74 S. Ct. 686, 98 L. Ed. 873 (1954).",
            ("Brown", "Board of Education"), ["347 U.S. 483", "74 S. Ct. 686", "98 L. Ed. 873"], ("495",),
        ),
        ("Alder v. Birch, No. 15-649, slip op. at 9 (U.S. Mar. 22, 2017)", ("Alder", "Birch"), [], ("9",)),
        ("Alder v. Birch, 581 U. S. ___, ___ (2017) (slip op., at 12)", ("Alder", "Birch"), ["581 U.S."], ("12",)),
        ("Donoghue v Stevenson [1932] AC 562, 580.", ("Donoghue", "Stevenson"), ["1932 AC 562"], ("580",)),
    ],
)  # fmt: skip
def test_a_case_is_found_whole(text: str, parties: tuple[str, ...], reports: list[str], pages: tuple[str, ...]) -> None:
    mention = only(text)
    assert mention.kind is CitationKind.CASE
    assert (mention.parties, [str(r) for r in mention.reporters]) == (parties, reports)
    assert mention.pin is not None and mention.pin.pages == pages
    assert text[mention.start : mention.end] == mention.text


def test_a_neutral_citation_and_its_paragraphs() -> None:
    mention = only(
        "As was held in Prest v Petrodel Resources Ltd [2013] UKSC 34, [2013] 2 AC 415 at [28]–[30], it stays."
    )
    assert [str(r) for r in mention.reporters] == ["2013 UKSC 34", "2013 2 AC 415"]
    assert mention.pin is not None and mention.pin.paragraphs == (28, 29, 30)


def test_a_separate_opinion_a_year_and_a_parenthetical() -> None:
    mention = only("Alder v. Birch, 580 U.S. 451, 464 (2017) (Thomas, J., dissenting) (finding that rent was due)")
    assert (mention.writer, mention.separate, mention.year) == ("Thomas", "dissenting", "2017")
    assert mention.parenthetical == "finding that rent was due"


@pytest.mark.parametrize(
    ("text", "kind", "key", "pages", "paragraphs", "lines", "section"),
    [
        ("See Ex. 4 at 2.", CitationKind.EXHIBIT, "4", ("2",), (), (), ""),
        ("See Plaintiffs' Exhibit 12, p. 3.", CitationKind.EXHIBIT, "12", ("3",), (), (), ""),
        ("Jones Dep. 45:12–46:3.", CitationKind.TRANSCRIPT, "Jones", (), (), (("45", 12, 99), ("46", 1, 3)), ""),
        ("Trial Tr. at 33:1-5.", CitationKind.TRANSCRIPT, "Trial Tr.", (), (), (("33", 1, 5),), ""),
        ("Smith Decl. ¶¶ 14–16.", CitationKind.RECORD, "Smith", (), (14, 15, 16), (), ""),
        ("ECF No. 31 at 7.", CitationKind.RECORD, "31", ("7",), (), (), ""),
        ("It is so, R. 123.", CitationKind.RECORD, "R.", ("123",), (), (), ""),
        ("Compl. ¶ 14.", CitationKind.RECORD, "Compl.", (), (14,), (), ""),
        ("Under clause 12.2 of the Agreement it ends.", CitationKind.CLAUSE, "Agreement", (), (), (), "12.2"),
        ("Section 4.1(b) applies.", CitationKind.CLAUSE, "", (), (), (), "4.1(b)"),
    ],
)
def test_the_record_is_found(
    text: str, kind: CitationKind, key: str, pages: tuple[str, ...], paragraphs: tuple[int, ...],
    lines: tuple[tuple[str, int, int], ...], section: str,
) -> None:  # fmt: skip
    mention = only(text)
    assert (mention.kind, mention.key) == (kind, key)
    pin = mention.pin
    assert pin is not None and (pin.pages, pin.paragraphs, pin.lines, pin.section) == (
        pages,
        paragraphs,
        lines,
        section,
    )


def test_bates_numbers_and_a_statute() -> None:
    bates = only("The ledger is at ACME000123–125.")
    assert (bates.kind, bates.key, bates.last_key) == (CitationKind.BATES, "ACME000123", "125")
    assert only("It is barred by 42 U.S.C. § 1983.").kind is CitationKind.STATUTE


@pytest.mark.parametrize(
    "statute",
    [
        "TEX. INS. CODE § 4001.003(1)(B)", "Fed. R. Civ. P. 12(b)(6)", "U.S. Const. amend. XIV, § 1",
        "section 172 of the Companies Act 2006", "Companies Act 2006, s 172(1)", "15 U.S.C. § 78j(b)",
    ],
)  # fmt: skip
def test_statutes_and_rules(statute: str) -> None:
    mention = only(f"It is so under {statute}.")
    assert (mention.kind, mention.text) == (CitationKind.STATUTE, statute)


@pytest.mark.parametrize(
    "text", ["39 Drumm Street, San Francisco, CA 94111.", "COOLEY LLP 1939 Harrison Street", "COVID-19"]
)
def test_addresses_are_no_bates_numbers(text: str) -> None:
    assert found(text) == ()


def test_a_name_of_many_and_a_docket_number() -> None:
    mention = only("Zephyr Rivers et al. v. Jenners, et al., No. 20-16276, slip op. at 4, says so.")
    assert (mention.docket, mention.pin and mention.pin.pages) == ("20-16276", ("4",))


def test_an_english_skeleton_argument() -> None:
    text = (
        "The test is settled: Prest v Petrodel Resources Ltd [2013] UKSC 34 at [28]. It was applied in VTB Capital v "
        "Nutritek International Corp [2012] EWCA Civ 808, [2012] 2 Lloyd's Rep 313 at [35]–[36]. Ms Cedar agrees: "
        "Cedar WS [12]. Prest at [34] is no different."
    )
    first, second, statement, short = found(text)
    assert (first.parties, str(first.reporters[0])) == (("Prest", "Petrodel Resources Ltd"), "2013 UKSC 34")
    assert second.pin is not None and second.pin.paragraphs == (35, 36)
    assert [str(r) for r in second.reporters] == ["2012 EWCA Civ 808", "2012 2 Lloyd's Rep 313"]
    assert (statement.kind, statement.key) == (CitationKind.RECORD, "Cedar")
    assert (short.refers_to, short.pin and short.pin.paragraphs) == (0, (34,))


def test_a_case_named_by_one_party() -> None:
    assert only("See Rivers, 2020 WL 2059848, at *2.").parties == ("Rivers",)
    assert only("See 512 U.S. 1 (1994).").parties == ()


def test_short_forms_point_back() -> None:
    full, id_, exhibit, of_exhibit, supra, short = found(
        "Cooper v. Harris, 581 U.S. 285, 293 (2017). Id. at 294. See Ex. 4 at 2. Id. at 3.",
        "Harris, supra, at 295. Cooper, 581 U.S. at 299.",
    )
    assert [m.form for m in (full, id_, supra, short)] == [Form.FULL, Form.ID, Form.SUPRA, Form.SHORT]
    assert [m.refers_to for m in (full, id_, exhibit, of_exhibit, supra, short)] == [None, 0, None, 2, 0, 0]
    assert of_exhibit.kind is CitationKind.EXHIBIT


def test_id_in_a_note_looks_back_among_the_notes() -> None:
    blocks = [
        TextBlock("Alder v. Birch, 1 U.S. 2 (1990)."), TextBlock("Cedar v. Dogwood, 3 U.S. 4 (1991).", note=True),
        TextBlock("Elm v. Fir, 5 U.S. 6 (1992)."), TextBlock("Id. at 5.", note=True),
    ]  # fmt: skip
    assert find_citations(blocks)[3].refers_to == 1


def test_id_with_nothing_before_points_at_nothing() -> None:
    assert only("Id. at 5.").refers_to is None


def test_a_defined_term_is_cited_by_itself() -> None:
    text = "The Lease Agreement of 3 March 2020 between Alder Ltd and Birch plc (the “Lease”) says so. Lease at 4."
    (term,) = definitions([TextBlock(text)])
    assert (term.term, term.named) == ("Lease", "The Lease Agreement of 3 March 2020 between Alder Ltd and Birch plc")
    mention = only(text)
    assert (mention.kind, mention.key, mention.text) == (CitationKind.DOCUMENT, "Lease", "Lease at 4")


def propositions(text: str) -> list[str]:
    mentions = found(text)
    return [o.text for o in offered(text, mentions)]


def test_what_a_citation_is_offered_for() -> None:
    assert propositions("First is said. Race did predominate here. Cooper v. Harris, 581 U.S. 285 (2017).") == [
        "Race did predominate here."
    ]
    assert propositions("Rent was due in May, see Ex. 4 at 2; Ex. 5 at 3, and keys came back in June, Ex. 6 at 1.") == [
        "Rent was due in May", "Rent was due in May", "and keys came back in June.",
    ]  # fmt: skip
    assert propositions("In Alder v. Birch, 1 U.S. 2, 3 (1990), the Court held that rent is due.") == [
        "the Court held that rent is due."
    ]
    assert propositions("See Alder v. Birch, 1 U.S. 2, 3 (1990) (holding that rent is due in advance).") == [
        "rent is due in advance"
    ]


def test_quotations_in_marks_without_names_of_short_forms() -> None:
    text = 'He wrote “rent is ‘due’ in May” in a letter (the “Letter”). She said "no rent is due."'
    assert [text[q.start : q.end] for q in quotations_in(text)] == ["rent is ‘due’ in May", "no rent is due."]
    english = "The judge called it ‘a matter for the landlord’s agent alone’."
    assert [english[q.start : q.end] for q in quotations_in(english)] == ["a matter for the landlord’s agent alone"]


def test_a_party_is_compared_by_its_telling_words() -> None:
    assert is_party("SCA Hygiene Prods. Aktiebolag", key_words("SCA Hygiene Products Aktiebolag et al."))
    assert is_party("State Farm Fire & Cas. Co.", key_words("State Farm Fire and Casualty Company"))
    assert not is_party("Hartwell", key_words("Harris"))
    assert not is_party("Bryant Motors", key_words("Bryant"))


def test_a_pinpoint_ends_where_the_text_goes_on() -> None:
    read = pin_at("X at 12–14, 17. Then", 1)
    assert read is not None and (read[0].pages, read[1]) == (("12", "13", "14", "17"), 14)
    assert pin_at("X and 12", 1) is None


def test_no_text_of_a_draft_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        find_authorities("Alder v. Birch, 512 F.3d 34, 36 (9th Cir. 1993), 42 U.S.C. § 1983. Id. at 4", 0)
    assert "Alder" not in caplog.text and "512" not in caplog.text
