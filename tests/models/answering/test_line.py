"""The line of an answer: only words that claims hold, and the clause that answers."""

from models.answering.line import LONGEST_LINE, clause_of, held, joined
from models.language.values import ValueKind
from models.language.wording import stem_set

SENTENCE = (
    "4.2 The Operator shall keep the Goods in good order and shall inspect them each week, and the Depositor shall pay "
    "the handling charge on receipt of each invoice; provided that the charge for overtime is $68.00 an hour, which "
    "the Operator may change once in a Contract Year by written notice to the Depositor before the first day of March"
)


def test_a_word_or_number_that_no_claim_holds_is_not_held() -> None:
    texts = ["The rent is $2,400 a month."]
    assert held("Yes: the rent is $2,400 a month.", texts)
    assert not held("The rent is $2,500 a month.", texts)
    assert not held("The deposit is $2,400 a month.", texts)


def test_a_long_sentence_is_cut_to_the_clause_with_the_value() -> None:
    line = clause_of(SENTENCE, stem_set(("charge for overtime",)), frozenset({ValueKind.AMOUNT}), 140)
    assert "$68.00 an hour" in line and line.startswith("… ")
    assert len(line) <= 210


def test_a_short_sentence_is_whole_but_for_its_number() -> None:
    assert (
        clause_of("7.1 The Tenant shall insure the house.", frozenset(), frozenset())
        == "The Tenant shall insure the house."
    )


def test_a_line_is_never_longer_than_a_person_reads_at_once() -> None:
    assert len(joined(["word " * 60, "more " * 60])) <= LONGEST_LINE
    assert len(joined(["word " * 200])) <= LONGEST_LINE
