"""When nothing that was read answers: what counts for and against, and what is not read because it decides nothing."""

from dataclasses import replace

import numpy as np
import pytest

from models.answering.drafts import Unanswered
from models.answering.evidence import number_sentences
from models.answering.extractive import Scored
from models.answering.refusal import why_unanswered
from models.language.questions import read_question
from models.language.wording import rarity


class Encoder:
    """Every text but the question is alike to it by one cosine; what it read is kept."""

    name, dimension = "scripted", 2

    def __init__(self, question: str, likeness: float) -> None:
        self.read: list[str] = []
        self._question, self._likeness = question, likeness

    def embed(self, texts):
        self.read += texts
        across = (1 - self._likeness**2) ** 0.5
        return np.array([[1, 0] if text == self._question else [self._likeness, across] for text in texts], np.float32)


@pytest.fixture
def refused(make_passage):
    def check(question, text, *, passages_like, sentence_like=0.4, named=0.0):
        shown = [replace(make_passage(1, "a", [(0, text)]), named=named)]
        ranked = [Scored(sentence, 1.0, sentence_like) for sentence in number_sentences(shown)]
        encoder = Encoder(question, passages_like)
        return why_unanswered(read_question(question), shown, ranked, encoder), encoder.read

    return check


def test_a_passage_that_is_like_the_question_answers_though_it_shares_few_words(refused) -> None:
    """Half of the terms are named and half the likeness of the sentence is 0.2: 0.8 are missing of 1.5, which a cosine
    of 0.54 makes good."""
    asked, text = "How big is the church?", "The church measures 10,000 square feet."
    assert refused(asked, text, passages_like=0.6)[0] is None
    assert refused(asked, text, passages_like=0.5)[0] == Unanswered.NOT_FOUND


def test_a_rare_word_that_stands_nowhere_tells_against_an_answer(refused) -> None:
    text = "The church measures 10,000 square feet."
    assert refused("Does the church own land?", text, passages_like=0.6)[0] is None
    assert refused("Does the church own zeppelins?", text, passages_like=0.6)[0] == Unanswered.NOT_FOUND


def test_where_words_decide_no_passage_is_read(refused) -> None:
    plain = refused("What is the rent?", "The rent is USD 900.", passages_like=0.0, named=1.0)
    assert plain == (None, [])
    hopeless = refused("Who flew helicopters?", "The rent is USD 900.", passages_like=1.0, sentence_like=0.0)
    assert hopeless == (Unanswered.NOT_FOUND, [])


def test_rarity_follows_how_often_english_uses_a_word() -> None:
    assert rarity("the") == 0 < rarity("get") < rarity("church") < rarity("helicopter") < rarity("zeppelin")
    assert rarity("zeppelinesque") == pytest.approx(5.66, abs=0.01)
