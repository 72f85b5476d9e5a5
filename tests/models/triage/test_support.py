"""Triage on an invented contract: each signal fails where a person would say that it does."""

import pytest

from models.language.agreement import agreement, names, share_quoted
from models.language.languages import is_english
from models.language.negation import deny_each_other, is_negated
from models.triage.page_fit import PageFit, PageText, broken_sentence
from models.triage.support import NotReadable, SupportItem, triage
from verify.domain.claim import SupportLabel

PAGES = [
    PageText(0, "i", "This Services Agreement is made between Harrow Mills Ltd and Quill Freight Ltd on May 2, 2022."),
    PageText(1, "1", "The Carrier shall insure each consignment for USD 40,000 during carriage. The Carrier shall not "
                     "store any consignment in the open air."),
    PageText(2, "2", "Either party may terminate this Agreement upon sixty (60) days' written notice. Termination does "
                     "not release a party from sums already due."),
    PageText(3, "3", "This Agreement is governed by the laws of Scotland. The courts of Edinburgh have jurisdiction."),
]  # fmt: skip


class Documents:
    def pages(self, source_id: str) -> list[PageText] | NotReadable:
        return PAGES if source_id == "msa" else NotReadable("source_unknown")


def evaluate(claim: str, *pages: int, source: str = "msa"):
    steps = triage([SupportItem("i1", claim, source, pages)], Documents())
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value[0]


def triage_of(pages: list[PageText], claim: str, *cited: int):
    class These:
        def pages(self, source_id: str) -> list[PageText]:
            return pages

    steps = triage([SupportItem("i", claim, "x", cited)], These())
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value[0]


def test_the_right_page_is_supported_and_has_no_better() -> None:
    result = evaluate("A party may terminate on sixty days' written notice.", 2)
    assert (result.label, result.better_pages) == (SupportLabel.SUPPORTED, ())
    assert result.score > 500


def test_a_wrong_page_is_unclear_and_the_better_one_is_named() -> None:
    result = evaluate("A party may terminate on sixty days' written notice.", 1)
    assert result.label == SupportLabel.UNCLEAR and result.score < 300
    assert (result.better_pages[0].page_index, result.better_pages[0].page_label) == (2, "2")
    assert dict(result.signals)["page_contrast"] < 300


def test_a_swapped_value_contradicts() -> None:
    result = evaluate("A party may terminate upon ninety (90) days' written notice.", 2)
    assert result.label == SupportLabel.CONTRADICTED
    assert dict(result.signals)["values"] == 0


def test_a_swapped_name_is_held_back() -> None:
    right = evaluate("The agreement is governed by the law of Scotland.", 3)
    swapped = evaluate("The agreement is governed by the law of Norway.", 3)
    assert right.label == SupportLabel.SUPPORTED and swapped.label == SupportLabel.UNCLEAR
    assert dict(swapped.signals)["names"] == 0 and swapped.score < right.score / 2


def test_words_that_the_proposition_quotes_must_stand_there() -> None:
    assert evaluate("The carrier must insure each consignment “during carriage.”", 1).label == SupportLabel.SUPPORTED
    result = evaluate("The contract expressly says that the carrier must insure goods “at all times.”", 1)
    assert result.label == SupportLabel.UNCLEAR and dict(result.signals)["quoted_words"] == 0


def test_a_denied_statement_contradicts() -> None:
    result = evaluate("The Carrier shall store any consignment in the open air.", 1)
    assert result.label == SupportLabel.CONTRADICTED and dict(result.signals)["negation"] == 0


@pytest.mark.parametrize(
    ("claim", "source", "pages", "why"),
    [
        ("The agreement ends.", "unknown", (0,), "source_unknown"),
        ("The agreement ends.", "msa", (9,), "page_out_of_range"),
        ("The agreement ends.", "msa", (2, 9), "page_out_of_range"),
        ("It is.", "msa", (2,), "no_content"),
    ],
)
def test_what_cannot_be_read_is_not_evaluated_and_says_why(claim, source, pages, why) -> None:
    result = evaluate(claim, *pages, source=source)
    assert (result.label, result.score, result.signals) == (SupportLabel.NOT_EVALUATED, 0, ((why, 0),))


def test_a_page_that_only_cites_onward_is_no_better_page() -> None:
    claim = "The earlier agreement was never signed by the carrier."
    page = PageText(0, None, f"{claim} Ante, at 12. We go on.")
    plain = PageText(1, None, f"{claim} We go on.")
    fit = PageFit([page, plain], None)
    assert fit.cites_from(claim, 0) and not fit.cites_from(claim, 1)


def test_a_word_parted_at_a_line_end_is_one_word() -> None:
    fit = PageFit([PageText(0, None, "Termi-\nnation needs notice."), PageText(1, None, "Rent is due.")], None)
    whole, other = fit.fits("Termination needs notice.", [0])
    assert whole > other


def test_quotations_pass_over_brackets_and_ellipses() -> None:
    assert (
        share_quoted("It “[c]onfirms . . . the breadth” of it.", "A clause confirms rather than limits the breadth.")
        == 1
    )
    assert share_quoted("It says “no such words” here.", "Other words.") == 0


def test_names_are_no_roles_and_open_no_sentence() -> None:
    assert names("Rent is paid by Harrow Mills Ltd and the law of Norway applies.") == ("Harrow Mills Ltd", "Norway")
    assert agreement("As the Court said, the Carrier pays.", "Somebody pays.").names == 1


def test_denial_is_read_at_the_word_that_is_denied() -> None:
    assert deny_each_other("The term shall not be renewed.", "The term shall be renewed once.")
    assert not deny_each_other("The term shall not be renewed.", "The term shall not be renewed or extended.")
    assert is_negated("The party may not assign.") and not is_negated("Notice is due no later than May 1.")
    assert not deny_each_other("It may not be assigned without consent.", "It may be assigned with consent.")
    assert not deny_each_other("We need not say whether the rule applies.", "The rule applies.")


def test_a_clause_without_regard_to_something_denies_nothing() -> None:
    assert not is_negated("Oregon law governs, without regard to its conflict of laws principles.")


def test_a_short_claim_tells_pages_apart_less_than_a_full_one() -> None:
    fit = PageFit(PAGES, None)
    wide, narrow = (
        fit.fits(claim, [1]) for claim in ("Either party may terminate upon sixty days' written notice.", "A party.")
    )
    assert wide[2] - wide[1] > 3 * (max(narrow) - min(narrow))


def test_a_quotation_that_runs_on_from_the_next_page_stands() -> None:
    pages = [
        PageText(0, None, "The buyer pays in advance. The seller delivers at the"),
        PageText(1, None, "end of each calendar month. Storage is extra."),
        PageText(2, None, "Disputes go to the courts of Leith."),
        PageText(3, None, "Notices are sent by post."),
    ]

    def quoted(page: int) -> int:
        claim = 'The seller delivers at the "end of each calendar month".'
        return dict(triage_of(pages, claim, page).signals)["quoted_words"]

    assert (quoted(0), quoted(1), quoted(3)) == (1000, 1000, 0)


def test_a_date_that_may_be_reckoned_does_not_differ() -> None:
    text = "This Agreement of May 1, 2019 lasts two years."
    assert agreement("The agreement expires on May 1, 2021.", text).differs == frozenset()
    assert agreement("The agreement expires on May 1, 2021.", "It expires on May 1, 2020.").differs


def test_a_quotation_overleaf_weighs_less_than_one_far_off_and_is_held_back_too() -> None:
    said = "Storage is charged by the day."
    pages = [
        PageText(0, None, "The seller delivers in May."), PageText(1, None, f"Keys are returned. {said}"),
        PageText(2, None, "Notices are sent by post."), PageText(3, None, "The seller delivers in May."),
    ]  # fmt: skip
    claim = "The seller delivers and storage is charged “by the day.”"
    overleaf, far = triage_of(pages, claim, 0), triage_of(pages, claim, 3)
    assert overleaf.score > far.score and overleaf.label == far.label == SupportLabel.UNCLEAR


def test_pages_cited_together_hold_between_them_what_none_holds_alone() -> None:
    pages = [
        PageText(0, None, "The seller delivers in May."), PageText(1, None, "Storage is charged by the day."),
        PageText(2, None, "Notices are sent by post."),
    ]  # fmt: skip
    fit = PageFit(pages, None)
    claim = "The seller delivers and storage is charged."
    assert fit.added_by_others(claim, [0]) == 0
    assert fit.added_by_others(claim, [0, 1]) == pytest.approx(2 * fit._rarities(claim)["storag"])  # and "charg"
    assert fit.added_by_others(claim, [0, 2]) == 0


def test_a_date_or_an_amount_that_is_written_otherwise_is_no_missing_name() -> None:
    found = agreement("The buyer pays USD 5,000 on September 3, 2022.", "Buyer pays $5,000 on Sept. 3, 2022.")
    assert (found.names, found.values, found.differs, found.lacks) == (1, 1, frozenset(), frozenset())


def test_a_value_of_which_the_page_has_none_of_the_kind_is_held_back() -> None:
    result = evaluate("The courts of Edinburgh have jurisdiction above GBP 5,000.", 3)
    assert (result.label, dict(result.signals)["values"]) == (SupportLabel.UNCLEAR, 0)


def test_a_title_is_no_part_of_a_name() -> None:
    assert names("It was done by Dr. Voss of Leith.") == ("Voss of Leith",)


def test_a_quotation_broken_over_a_page_edge_passes_over_furniture_and_footnotes() -> None:
    first = "The seller delivers at the\n\n——————\n\n1 A note."
    pages = [
        PageText(0, None, first, "Lease", "The seller delivers at the"),
        PageText(1, None, "end of each month. Storage is extra.", "Lease"),
        PageText(2, None, "Notices are sent by post.", "Lease"),
    ]
    claim = "The seller delivers “at the end of each month.”"
    assert [dict(triage_of(pages, claim, p).signals)["quoted_words"] for p in range(3)] == [1000, 1000, 0]
    assert [triage_of(pages, claim, p).label for p in range(3)] == [
        SupportLabel.SUPPORTED, SupportLabel.SUPPORTED, SupportLabel.UNCLEAR,
    ]  # fmt: skip


def test_a_sentence_over_a_page_edge_stands_on_both_pages() -> None:
    assert broken_sentence("A rule. The seller", "delivers in May. Rent is due.") == "The seller delivers in May."
    assert broken_sentence("The seller deliv-", "ers in May.") == "The seller delivers in May."
    assert broken_sentence("The seller delivers.", "Rent is due.") == ""
    assert broken_sentence(" \n", "Rent is due.") == broken_sentence("The seller", " ") == ""


@pytest.mark.parametrize(
    ("quoted", "stands"),
    [
        ("“[T]he court held”", True), ("“narrow[ed the town’s] already wide body”", True),
        ("“support[ ] an inference”", True),
        ("“the court … narrowed”", True), ("“the court hel”", False), ("“the court [never] found”", False),
    ],
)  # fmt: skip
def test_what_a_quotation_alters_in_brackets_need_not_stand(quoted: str, stands: bool) -> None:
    page = "The court held that he narrowed the town’s already wide body, which supports an inference."
    assert share_quoted(f"He wrote {quoted}.", page) == (1 if stands else 0)


def test_a_page_that_has_no_word_of_the_claim_is_not_made_up_for_by_another() -> None:
    claim = "Each consignment is insured for USD 40,000."
    alone, with_another = evaluate(claim, 1), evaluate(claim, 1, 3)
    assert (alone.label, with_another.label) == (SupportLabel.SUPPORTED, SupportLabel.UNCLEAR)
    signals = dict(with_another.signals)
    assert signals["page_1"] > 500 and signals["page_3"] == 0 and with_another.score < alone.score


def test_a_claim_that_names_no_subject_is_unclear() -> None:
    result = evaluate("They shall insure each consignment for USD 40,000 during carriage.", 1)
    assert result.label == SupportLabel.UNCLEAR and dict(result.signals)["subject"] == 0


@pytest.mark.parametrize(
    ("claim", "signal", "label"),
    [
        ("The Carrier may insure each consignment for USD 40,000 during carriage.", "modality", SupportLabel.UNCLEAR),
        ("The Carrier shall insure each consignment for EUR 40,000 during carriage.", "values",
         SupportLabel.CONTRADICTED),
        ("Termination releases a party without sums already due.", "negation", SupportLabel.CONTRADICTED),
    ],
)  # fmt: skip
def test_what_is_turned_around_is_named(claim: str, signal: str, label: SupportLabel) -> None:
    result = evaluate(claim, 1 if "Carrier" in claim else 2)
    assert (dict(result.signals)[signal], result.label) == (0, label)


def test_one_word_that_another_language_has_too_makes_no_text_foreign() -> None:
    assert is_english("Total EU-15 65%\nnon-EU 8%\nTotal EU-12 13%\nnon-EU 6%\nnon-EU 14%")
    assert not is_english("Il conduttore non paga il canone di locazione.")


def test_other_languages_and_doubtful_scans_are_not_evaluated() -> None:
    french = PageText(0, None, "Le locataire doit payer le loyer dans les trente jours suivant la facture.")
    scan = PageText(1, None, "The tenant shall pay the rent within thirty days.", doubt="ocr_low_confidence")
    claim = "The tenant pays the rent within thirty days."
    for cited, why in ((0, "other_language"), (1, "ocr_low_confidence")):
        result = triage_of([french, scan], claim, cited)
        assert (result.label, result.signals) == (SupportLabel.NOT_EVALUATED, ((why, 0),))


def test_a_page_that_is_set_with_ligatures_reads_as_its_letters() -> None:
    said = "The first office of the affiliate is in Cardiff and the fifth floor is shut for fifteen days."
    plain = [PageText(0, "1", said), PageText(1, "2", "The second is elsewhere.")]
    glyphs = {"ffi": "ﬃ", "ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ"}
    for letters, sign in glyphs.items():
        said = said.replace(letters, sign)
    set_in = [plain[0]._replace(text=said), plain[1]]
    for claim in ("The fifth floor is shut for fifteen days.", "The fifth floor is shut for fifty days."):
        assert triage_of(set_in, claim, 0) == triage_of(plain, claim, 0)


@pytest.mark.parametrize(
    ("page", "claim"),
    [
        ("Revenue rose from EUR 4 million in 2022 to EUR 6 million in 2023.", "Revenue rose by EUR 2 million."),
        ("It is not the case that the Buyer never inspected the mill.", "The Buyer inspected the mill."),
        (
            "The Lessee insures the barge against fire but not against flood.",
            "The Lessee insures the barge against fire.",
        ),
    ],
)
def test_what_is_worked_out_denied_twice_or_a_part_is_not_contradicted(run, page: str, claim: str) -> None:
    class One:
        def pages(self, source_id: str) -> list[PageText]:
            return [PageText(0, None, f"{page} Notices are sent by post.")]

    _, (result,) = run(triage([SupportItem("i", claim, "x", (0,))], One()))
    assert result.label is not SupportLabel.CONTRADICTED, result.signals
