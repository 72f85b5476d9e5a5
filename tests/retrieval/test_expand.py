from retrieval.expand import EXPANSION_WEIGHT, concepts, expanded, wordings
from retrieval.tokenize import tokens


def asked(question: str) -> dict[str, float]:
    return dict.fromkeys(tokens(question), 1.0)


def test_every_concept_of_the_table_can_be_asked_and_says_something() -> None:
    assert len(concepts()) > 100
    for concept in concepts():
        assert concept.asked and all(concept.asked), concept
        assert len(tokens(concept.wording)) >= 2, concept


def test_a_question_gains_the_words_of_its_clause() -> None:
    words = expanded(asked("Which law governs?"))
    assert words["constru"] == EXPANSION_WEIGHT
    assert words["law"] == 1.0


def test_the_question_s_own_words_keep_their_weight() -> None:
    question = asked("assignment without consent")
    assert {term: expanded(question)[term] for term in question} == question


def test_the_narrower_concept_silences_the_wider() -> None:
    narrow = wordings(asked("termination for convenience"))
    assert any("for any reason or no reason" in wording for wording in narrow)
    wide = wordings(asked("termination"))
    assert not set(wide) & set(narrow)


def test_a_question_without_a_concept_stays_as_it_is() -> None:
    question = asked("Zanzibar ferry timetable")
    assert expanded(question) == question
