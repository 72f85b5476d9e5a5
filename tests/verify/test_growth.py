"""Matching takes time in proportion to page and quotation, whatever stands there (contract section 5, rule 4)."""

import time

import pytest
from verify_asking import ask, quote
from verify_pages import make_page, para, source

from verify.bodies import Body
from verify.match import Quotation, places
from verify.normalize import normalize
from verify.qualifiers import turned
from verify.report import Status
from verify.sentences import Span, sentences

GROWTH = 2.6
"""Twice the text may take so many times as long; four times would be a square."""


def grows(work, size: int) -> float:
    def seconds(n: int) -> float:
        best = float("inf")
        for _ in range(3):
            start = time.process_time()
            work(n)
            best = min(best, time.process_time() - start)
        return best

    return min(seconds(2 * size) / max(seconds(size), 1e-4) for _ in range(3))


@pytest.mark.parametrize(
    "text",
    ["- ", "-\n", "a sub-\n", "-\u200b", "/ \n", "« ", " »", ".", ". . ", "(", "1 000 ", "1.1", "USD ", "[x] ", "… a "],
)
def test_normal_forms_numbers_and_sentences(text: str) -> None:
    def work(n: int) -> None:
        whole = "a " + text * n
        normalize(whole, True)
        sentences(whole)
        Body(whole, ()).inside(1)

    assert grows(work, 1500) < GROWTH


def test_a_lone_hyphen_page_answers_at_once() -> None:
    page = source(make_page(0, "a sub-\n" + "\n".join("-" * 40) + "\nThe rent is due."))
    start = time.process_time()
    assert ask(quote("The rent is due."), page).status is Status.VERIFIED
    assert ask(quote("a" + "- " * 20_000), page).status is Status.MISMATCH
    assert time.process_time() - start < 5


def test_a_text_that_repeats_itself() -> None:
    def work(n: int) -> None:
        page, query = normalize("ab " * n), normalize("ab " * (n // 2) + "ab")
        found = sum(1 for _ in places(page, query, 0, 3 * n, lambda at: False))
        assert found == n - n // 2

    assert grows(work, 1500) < GROWTH


def test_places_of_a_text_with_a_long_period() -> None:
    text = "abcab" + "abcabxabcab" * 40
    found = [p.start for p in places(normalize(text), normalize("abcab"), 0, len(text), lambda at: False)]
    assert found == [i for i in range(len(text)) if text.startswith("abcab", i)]
    text = "aaaa baaaa " * 30 + "a" * 90
    found = [p.start for p in places(normalize(text), normalize("aa"), 0, len(text), lambda at: False)]
    assert found == [i for i in range(len(text)) if text.startswith("aa", i)]


def test_qualifiers_of_a_long_sentence() -> None:
    def work(n: int) -> None:
        text = "it is not so if " * n + "the rent is due " + "unless it is not " * n
        at = text.index("the rent")
        assert turned(text, Span(0, len(text)), Span(at, at + 15))

    assert grows(work, 1000) < GROWTH


def test_altered_quotations() -> None:
    def work(n: int) -> None:
        page = Body("the rent is due on may day " * n, ())
        from verify.alterations import altered_forms, find_altered

        for form in altered_forms("the rent … due [then] may … the rent … day"):
            find_altered(page, form, [page.whole])

    assert grows(work, 200) < GROWTH


def test_a_quotation_asks_of_no_more_than_its_page() -> None:
    page = make_page(0, para("word " * 2000 + "end."))
    assert ask(quote("word end."), source(page)).status is Status.VERIFIED
    assert Quotation("word end.").text
