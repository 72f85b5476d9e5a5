"""A pick stands for verbatim words at their place."""

from dataclasses import replace

from models.answering.evidence import cite, number_sentences


def test_each_sentence_has_an_id_and_its_place(make_passage) -> None:
    shown = make_passage(2, "msa", [(4, "The term is two years. It may be\nrenewed."), (4, "Rent is due monthly.")])
    sentences = number_sentences([shown])
    assert [(s.sentence_id, s.text) for s in sentences] == [
        ("P2.1", "The term is two years."),
        ("P2.2", "It may be\nrenewed."),
        ("P2.3", "Rent is due monthly."),
    ]
    citation = cite(shown, sentences[1])
    assert citation.quotation == "It may be\nrenewed."
    assert (citation.source_id, citation.page_index, citation.page_label) == ("msa", 4, "3")
    assert (citation.element_id, citation.end_page_index) == ("p4-e0", None)


def test_a_sentence_runs_on_over_a_page_break(make_passage) -> None:
    shown = make_passage(1, "msa", [(4, "Either party may terminate upon"), (5, "thirty days notice. Fees stay due.")])
    first, second = number_sentences([shown])
    assert first.text == "Either party may terminate upon\n\nthirty days notice."
    citation = cite(shown, first)
    assert (citation.page_index, citation.end_page_index, citation.element_id) == (4, 5, None)
    assert second.text == "Fees stay due."


def test_a_closed_sentence_or_the_same_page_does_not_run_on(make_passage) -> None:
    closed = make_passage(1, "msa", [(4, "Either party may terminate."), (5, "thirty days later it ends.")])
    same_page = make_passage(2, "msa", [(4, "Either party may terminate upon"), (4, "thirty days notice.")])
    capital = make_passage(3, "msa", [(4, "ARTICLE V"), (5, "The fees are due.")])
    assert [len(number_sentences([p])) for p in (closed, same_page, capital)] == [2, 2, 2]


def test_scraps_without_a_letter_or_digit_are_no_sentences(make_passage) -> None:
    assert number_sentences([make_passage(1, "msa", [(0, "* * *"), (0, "The term ends.")])])[0].sentence_id == "P1.1"


def _one_after_another(shown):
    """The parts as they follow each other in their page's text, parted by a blank line."""
    parts = tuple(part._replace(start=part.at, end=part.at + part.end - part.start) for part in shown.passage.parts)
    return replace(shown, passage=replace(shown.passage, parts=parts))


def test_a_paragraph_that_goes_on_and_a_list_belong_to_what_leads_to_them(make_passage) -> None:
    cut = make_passage(1, "msa", [(4, "Either party may terminate upon"), (4, "thirty days notice. Fees stay due.")])
    texts = [s.text for s in number_sentences([_one_after_another(cut)])]
    assert texts == ["Either party may terminate upon\n\nthirty days notice.", "Fees stay due."]
    items = [(4, "The Tenant shall:"), (4, "(a) pay the rent; and"), (4, "(b) keep the roof."), (4, "The term ends.")]
    listed = _one_after_another(make_passage(1, "msa", items))
    assert [s.text for s in number_sentences([listed])] == [
        "The Tenant shall:\n\n(a) pay the rent; and\n\n(b) keep the roof.",
        "The term ends.",
    ]
    assert cite(listed, number_sentences([listed])[0]).element_id is None
    long = _one_after_another(make_passage(1, "msa", [(4, "The Tenant shall:"), (4, f"(a) pay {'rent ' * 140};")]))
    assert len(number_sentences([long])) == 2
    amended = [(4, "Section 3.1 shall be replaced by:"), (4, "“3.1 Term. The term ends on June 20, 2011.”")]
    amended.append((4, "The fee stays."))
    texts = [s.text for s in number_sentences([_one_after_another(make_passage(1, "msa", amended))])]
    assert texts == ["\n\n".join(words for _, words in amended[:2]), "The fee stays."]
