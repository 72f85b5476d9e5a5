from retrieval.query.expand import EXPANSION_WEIGHT, concepts, expanded, wordings
from retrieval.query.route import whole
from retrieval.words.tokenize import tokens


def test_every_concept_of_the_table_can_be_asked_and_says_something() -> None:
    assert len(concepts()) > 100
    for concept in concepts():
        assert concept.asked and all(concept.asked), concept
        assert len(tokens(concept.wording)) >= 2, concept


def test_a_question_gains_the_words_of_its_clause() -> None:
    words = expanded(whole("Which law governs?"))
    assert words["constru"] == EXPANSION_WEIGHT
    assert words["law"] == 1.0


def test_the_question_s_own_words_keep_their_weight() -> None:
    question = whole("assignment without consent")
    assert {term: expanded(question)[term] for term in question.terms} == question.terms


def test_the_narrower_concept_silences_the_wider() -> None:
    narrow = wordings("termination for convenience")
    assert any("for any reason or no reason" in wording for wording in narrow)
    wide = wordings("termination")
    assert not set(wide) & set(narrow)


def test_a_word_for_the_document_makes_no_way_to_ask_narrower() -> None:
    # "date contract" asks for the date; beside "date expire" the contract tells nothing more.
    found = wordings("What is the expiration date of this contract?")
    assert any(wording.startswith("term of this agreement") for wording in found)
    assert not any(wording.startswith("effective date") for wording in found)


def test_words_that_ask_count_too() -> None:
    assert any("successors and permitted assigns" in wording for wording in wordings("Who can take over the rights?"))
    assert wordings("How do we get out of it?") == wordings("Can we walk away?")


def test_words_of_a_long_question_that_lie_far_apart_name_nothing_together() -> None:
    near = "Who owns the work?"
    far = "Who pays if the goods that were stored in the warehouse of a carrier, which it owns, are lost?"
    owned = [wording for wording in wordings(near) if "right, title and interest" in wording]
    assert owned and not set(owned) & set(wordings(far))


def test_a_question_without_a_concept_stays_as_it_is() -> None:
    question = whole("Zanzibar ferry timetable")
    assert expanded(question) == question.terms
