"""A small model that only chooses: what it sees, how its word weighs beside the program's ranking, when it refuses."""

from collections.abc import Generator, Mapping, Sequence

import pytest

from models.answering.answering import answer
from models.answering.choosing import MOST, Chooser, excerpt
from models.answering.drafts import Unanswered
from models.ports import Message

TERM = "This Agreement shall remain in force for an initial term of two years from the Effective Date."
RENEWAL = "The initial term may be renewed for a further term of one year."
RENT = "The Tenant shall pay a monthly rent of USD 4,500 on the first day of each month."
QUESTION = "How long is the initial term?"


@pytest.fixture
def sure(scripted):
    class Sure(scripted):
        """Gives each digit the logarithm that a test says, and keeps what it was asked."""

        def __init__(self, told: Mapping[str, float]) -> None:
            super().__init__()
            self.told = told

        def choose(self, messages: list[Message], choices: Sequence[str]) -> Generator[None, None, Mapping[str, float]]:
            self.asked.append(messages)
            yield
            return {choice: self.told[choice] for choice in choices if choice in self.told}

    return Sure


@pytest.fixture
def passages(make_passage):
    return [make_passage(1, "lease", [(2, f"{TERM} {RENEWAL}")]), make_passage(2, "lease", [(3, RENT)])]


def test_it_is_told_from_a_model_that_words_its_claims(scripted, sure) -> None:
    assert isinstance(sure({}), Chooser) and not isinstance(scripted(), Chooser)


def test_numbers_excerpts_and_asks_last(passages, run, sure) -> None:
    model = sure({"1": -0.1})
    claims, draft = run(answer(QUESTION, passages, model))
    system, user = model.asked[0]
    assert (system.role, user.role) == ("system", "user")
    assert user.content.startswith(f"[1] {TERM}\n[2] {RENEWAL}\n")
    assert user.content.endswith(f"Question: {QUESTION}\nNumber of the excerpt that answers it:")
    assert (claims[0].text, claims[0].support.method, draft.model) == (TERM, "verbatim", "scripted")
    assert draft.read == ("P1",) and draft.prompt_sha256 is not None


def test_its_word_turns_an_undecided_ranking_over_and_no_other(passages, make_passage, run, sure) -> None:
    twin = [make_passage(1, "lease", [(2, "The rent is USD 900 for each month of winter.")]),
            make_passage(2, "lease", [(3, "The rent is USD 700 for each month of summer.")])]  # fmt: skip
    for told, first in (({"1": -0.1, "2": -3.0}, "900"), ({"1": -3.0, "2": -0.1}, "700")):
        assert first in run(answer("What is the rent for each month?", twin, sure(told)))[0][0].text
    assert run(answer("What is the monthly rent?", passages, sure({"2": -0.1})))[0][0].text == RENT


def test_none_of_them_is_a_refusal_unless_one_plainly_answers(make_passage, passages, run, sure) -> None:
    none = {"0": -0.1, "1": -3.0}
    unlike = [make_passage(1, "lease", [(2, "The tenancy of the warehouse begins with the winter.")])]
    claims, draft = run(answer("Which warehouse has a furnished tenancy?", unlike, sure(none)))
    assert (claims, draft.unanswered) == ([], Unanswered.MODEL_FOUND_NOTHING)
    assert run(answer("What is the monthly rent?", passages, sure(none)))[0][0].text == RENT


def test_what_the_program_refuses_is_not_asked(passages, run, sure) -> None:
    model = sure({"1": -0.1})
    assert run(answer("Which witness identified the burglar?", passages, model))[1].unanswered is Unanswered.NOT_FOUND
    assert model.asked == []


def test_a_long_sentence_is_shown_by_its_beginning_and_quoted_whole(make_passage, run, sure) -> None:
    long = "The monthly rent is USD 900 " + "and the tenant keeps the yard clean " * 20 + "always."
    model = sure({"1": -0.1})
    claim = run(answer("What is the monthly rent?", [make_passage(1, "lease", [(2, long)])], model))[0][0]
    shown = model.asked[0][1].content.splitlines()[0]
    assert shown.endswith(" …") and len(shown) < 220 and claim.citations[0].quotation == long
    assert excerpt("Short and\nwhole.") == "Short and whole."


def test_shows_at_most_five(make_passage, run, sure) -> None:
    many = [make_passage(n, "lease", [(n, f"The monthly rent of flat {n} is USD {n}00.")]) for n in range(1, 10)]
    model = sure({"1": -0.1})
    run(answer("What is the monthly rent?", many, model))
    assert sum(line.startswith("[") for line in model.asked[0][1].content.splitlines()) == MOST
