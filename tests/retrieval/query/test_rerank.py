import pytest

from retrieval.query.rerank import FIRST, FULL_PHRASE, PHRASES, PLACE, POINTED_FIRST, VALUE, depth, reranked
from verify.domain.ids import ElementId, Fingerprint, PassageId, SourceId
from verify.domain.passage import Passage, PassagePart

GOVERNED = "This Agreement shall be governed by and construed in accordance with the laws of the State of Norland."
COMPLIES = "The Carrier complies with all laws, rules and laws of any state, and with the laws on the laws of customs."


def read(texts: dict[int, str]) -> dict[int, Passage]:
    """A passage of each text, by row."""
    return {row: _passage(row, text) for row, text in texts.items()}


def _passage(row: int, text: str) -> Passage:
    part = PassagePart(0, ElementId("p0-e0"), 0, 0, len(text))
    return Passage(PassageId(str(row)), SourceId("s"), Fingerprint("sha256:0"), row, "Title", (), text, (part,))


def test_a_clause_s_phrase_counts_more_than_many_single_words() -> None:
    order = reranked("What is the governing law?", [(7, 0.10), (3, 0.09)], read({7: COMPLIES, 3: GOVERNED}))
    assert [row for row, _ in order] == [3, 7]


def test_scores_only_rise_and_to_twice_at_most() -> None:
    before = [(row, 1 / (20 + row)) for row in range(FIRST + 4)]
    after = reranked("What is the governing law?", before, read(dict.fromkeys(range(0, FIRST, 2), GOVERNED)))
    assert all(score <= dict(after)[row] <= 2 * score for row, score in before)
    assert [score for _, score in after] == sorted((score for _, score in after), reverse=True)
    assert after[FIRST:] == before[FIRST:]


def test_a_question_that_names_no_concept_keeps_the_order() -> None:
    fused = [(2, 0.3), (1, 0.2)]
    assert reranked("Zanzibar ferry timetable", fused, read({1: GOVERNED, 2: COMPLIES})) == fused


@pytest.mark.parametrize(
    ("question", "text", "gain"),
    [
        ("When does Zanzibar sail?", "It sails on 3 May 2019.", VALUE),
        ("How long is Zanzibar closed?", "It is closed for thirty (30) days.", VALUE),
        ("How much is Zanzibar?", "It is $ 4.50, or 3 % more at night.", VALUE),
        ("When does Zanzibar sail?", "It sails at dawn.", 0.0),
        ("Who owns Zanzibar?", "It was sold on 3 May 2019 for $ 12.", 0.0),
    ],
)
def test_a_value_of_the_kind_that_is_asked_for_counts(question: str, text: str, gain: float) -> None:
    [(_, score)] = reranked(question, [(0, 1.0)], read({0: text}))
    assert score == pytest.approx(1 + gain, abs=0.06)


def test_what_one_phrase_adds() -> None:
    # "Zanzibar set off": the wording's only phrases with a pair of words are "set off" and "deduct … amounts due".
    [(_, score)] = reranked("Zanzibar set off", [(0, 1.0)], read({0: "The buyer may set off what it is owed."}))
    said = 1 / FULL_PHRASE
    assert score == pytest.approx(1 + PHRASES * said / (1 + said))


def test_a_row_whose_text_is_gone_keeps_its_score() -> None:
    assert reranked("governing law", [(4, 0.5)], {}) == [(4, 0.5)]


def test_a_place_that_is_pointed_at_comes_from_far_down() -> None:
    fused = [(row, 1 / (20 + row)) for row in range(1, POINTED_FIRST + 1)]
    texts = dict.fromkeys(range(1, POINTED_FIRST), "Subject to Section 7.2, the Carrier sails.")
    texts[POINTED_FIRST] = "7.2 Sailing. The Carrier sails at dawn."
    order = reranked("What does Section 7.2 say of sailing?", fused, read(texts))
    assert order[0] == (POINTED_FIRST, pytest.approx((1 + PLACE) / (20 + POINTED_FIRST)))


def test_more_is_read_only_where_a_place_is_pointed_at() -> None:
    assert depth("Where is Section 7.2?") == depth('Who is the "Carrier"?') == POINTED_FIRST
    assert depth("What is the governing law?") == FIRST
