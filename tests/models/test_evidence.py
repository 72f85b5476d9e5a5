"""A pick stands for verbatim words at their place."""

from models.evidence import cite, number_sentences


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
