from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.measures.spans import LENGTH, spans

TEXTS = st.lists(st.sampled_from(["word ", "end. ", "\n1.2 Clause ", "\n(a) Item ", "x" * 90, "\n"]), max_size=200)


@settings(max_examples=100, deadline=None)
@given(parts=TEXTS)
def test_the_spans_are_the_whole_text_in_order_and_none_is_too_long(parts: list[str]) -> None:
    text = "".join(parts)
    cut = list(spans(text))
    assert "".join(text[start:end] for start, end in cut) == text
    assert all(0 < end - start <= LENGTH for start, end in cut)


def test_a_passage_begins_where_a_clause_does() -> None:
    first, second = "1. Rent. " + "r" * 300, "\n2. Term. " + "t" * 300
    assert list(spans(first + second)) == [(0, 309), (309, 619)]


def test_short_clauses_share_a_passage() -> None:
    assert list(spans("1. Rent.\n2. Term.\n3. Law.")) == [(0, 25)]
