"""What a look at the page does to a verdict: it takes back or limits, and never makes one better."""

from dataclasses import dataclass, replace

import pytest
from verify_asking import AT, ask, body, check, quote
from verify_pages import CHAR, LEFT, LINE, TOP, FakeSource, FakeSources, Page, make_page, para, source

from verify.domain.document import ElementKind
from verify.domain.geometry import Box
from verify.domain.ids import ElementId
from verify.domain.look import Drawn, Look, Misread, look_from_json
from verify.engine import verify_parsed
from verify.evidence import contradictions, evidence_document, recheck
from verify.report import CheckResult, DifferenceKind
from verify.request import parse_request

RENT = "The rent is 30 pounds.\nIt is due in May."


@dataclass
class SeenSource(FakeSource):
    """A source whose pages were looked at."""

    seen: Look | None = None

    def look(self, index: int, words: tuple[int, ...]) -> Look | None:
        self.asked = (index, words)
        return self.seen


def seen(look: Look | None, *blocks: object, **more: object) -> SeenSource:
    plain = source(*(blocks if blocks and isinstance(blocks[0], Page) else (make_page(0, *(blocks or (RENT,))),)))
    return SeenSource(plain.pages, plain.record, seen=look, **more)  # type: ignore[arg-type]


def at(column: int, width: int, *, line: int = 0, dy: int = 0, height: int = 1000) -> Box:
    """A box from a column of a line of the grid."""
    y = TOP + line * LINE + dy
    return Box(LEFT + column * CHAR, y, LEFT + (column + width) * CHAR, y + height)


def outcome(result: CheckResult) -> str | tuple[str, ...]:
    return result.reason.value if result.reason else tuple(limit.value for limit in result.limitations)


WHOLE = quote("The rent is 30 pounds. It is due in May.")
FIRST = quote("The rent is 30 pounds.")


@pytest.mark.parametrize(
    ("look", "asked", "expected"),
    [
        (None, WHOLE, ()),
        (Look(), WHOLE, ()),
        (Look(unseen=(3,)), WHOLE, "text_not_visible"),
        (Look(unseen=(6,)), FIRST, ()),  # a word of the other line
        (Look(struck=(1,)), FIRST, ("struck_through",)),
        (Look(struck=(8,)), FIRST, ()),
        (Look(unread=(0,)), FIRST, ("not_read_again",)),
        (Look(failed=True), FIRST, ("not_looked_at",)),
        (Look(objects=(at(8, 1),)), FIRST, ("object_inside_quote",)),
        (Look(objects=(at(8, 1, dy=-500, height=100),)), FIRST, ("object_inside_quote",)),  # written above
        (Look(objects=(at(8, 1, dy=-900, height=100),)), FIRST, ()),
        (Look(objects=(at(8, 1, dy=1200, height=100),)), FIRST, ("object_inside_quote",)),  # a caret below
        (Look(objects=(at(8, 1, dy=1500, height=100),)), FIRST, ()),
        (Look(objects=(at(30, 2),)), FIRST, ()),  # behind the end of the line
        (Look(misread=(Misread(3, 4, "60"),)), FIRST, "seen_differs"),
        (Look(misread=(Misread(7, 8, "duly"),)), FIRST, ()),
        (Look(misread=(Misread(3, 3, "not"),)), FIRST, "seen_differs"),  # a word between two of the quotation
        (Look(misread=(Misread(5, 5, "not"),)), FIRST, ()),  # before the first word of the next line
        (Look(unseen=(3,), struck=(3,)), FIRST, "text_not_visible"),
    ],
)
def test_facts_meet_the_words_that_are_cited(look: Look | None, asked: dict[str, object], expected: object) -> None:
    assert outcome(ask(asked, seen(look))) == expected


def test_the_words_of_the_match_are_looked_at() -> None:
    deed = seen(Look())
    ask(quote("It is due"), deed)
    assert deed.asked == (0, (5, 6, 7))


def test_what_was_taken_back_says_how_and_keeps_its_place() -> None:
    result = ask(FIRST, seen(Look(misread=(Misread(3, 4, "60"),))))
    assert (result.match, result.occurrences, result.limitations) == (None, 0, ())
    assert [(d.kind, d.expected, d.found) for d in result.difference] == [(DifferenceKind.NUMBER, "30", "60")]
    assert result.evidence is not None
    assert result.evidence.text == "The rent is 30 pounds."


def test_a_look_makes_no_failed_check_better() -> None:
    assert outcome(ask(quote("The rent is 40 pounds."), seen(Look()))) == "text_mismatch"


def test_a_quotation_over_pages_is_looked_at_on_each() -> None:
    pages = make_page(0, "The Tenant of the"), make_page(1, "House pays.")
    over = quote("The Tenant of the House pays.", end_page_index=1)
    assert outcome(ask(over, seen(Look(unseen=(1,)), *pages))) == "text_not_visible"
    deed = seen(Look(), *pages)
    ask(over, deed)
    assert deed.asked == (1, (0, 1))


def test_other_words_of_the_page_among_those_of_the_quotation() -> None:
    page = make_page(0, "The rent is due.", para("not", left=LEFT + 12 * CHAR))
    moved = page.words[4]._replace(box=at(11, 1, dy=600, height=400))  # a caret at the foot of the first line
    lines = (*page.lines[:-1], page.lines[-1]._replace(box=moved.box))
    page = replace(page, words=(*page.words[:4], moved), lines=lines)
    assert outcome(ask(quote("The rent is due."), source(page))) == ("object_inside_quote",)


def test_what_stands_between_two_parts_of_one_row() -> None:
    page = make_page(0, "The Supplier shall", "be liable for delay.")
    words = tuple(w._replace(box=at(25 + 6 * n, 5)) if n > 2 else w for n, w in enumerate(page.words))
    row = replace(page, words=words)
    between = Look(objects=(at(20, 3),))
    assert "object_inside_quote" in outcome(ask(quote("The Supplier shall be liable for delay."), seen(between, row)))


def test_a_line_that_runs_up_the_page() -> None:
    page = make_page(0, "Costs of the work")
    words = tuple(
        w._replace(box=Box(9000, 40_000 - 5000 * n, 10_000, 44_000 - 5000 * n)) for n, w in enumerate(page.words)
    )
    turned = replace(page, words=words)
    beside = Look(objects=(Box(8600, 30_000, 8900, 31_000),))
    assert outcome(ask(quote("Costs of the work"), seen(beside, turned))) == ("object_inside_quote",)
    apart = Look(objects=(Box(7000, 30_000, 7300, 31_000),))
    assert outcome(ask(quote("Costs of the work"), seen(apart, turned))) == ()


NOTE, FIELD = ElementKind.ANNOTATION, ElementKind.FORM_FIELD


def own(drawn: str | None, *, kind: ElementKind = NOTE, text: str = "Agreed at five", visible: bool = True,
        element: str = "p0-e1", failed: bool = False) -> SeenSource:  # fmt: skip
    facts = Look(drawn=(Drawn(ElementId(element), drawn, visible),), failed=failed)
    return seen(facts, "Text of the page.", para(text, kind=kind))


@pytest.mark.parametrize(
    ("deed", "expected"),
    [
        (own("Agreed at five"), ("annotation_text",)),
        (own("Agreed atfive"), ("annotation_text",)),
        (own("Agreed at five pounds", text="Agreed at five"), ("annotation_text",)),
        (own("Agreed at nine"), "seen_differs"),
        (own("Agreed at five", visible=False), "text_not_visible"),
        (own(None), "text_not_visible"),
        (own("Agreed at five", element="p0-e7"), "text_not_visible"),
        (own("x", failed=True), ("annotation_text", "not_looked_at")),
        (own("Agreed at five", kind=FIELD), ("field_text",)),
        (seen(None, "Text of the page.", para("Agreed at five", kind=FIELD)), ("field_text",)),
        (own("☒", kind=FIELD), ("field_text",)),
    ],
)
def test_an_annotation_is_what_it_draws(deed: SeenSource, expected: object) -> None:
    assert outcome(ask(quote("Agreed at five", element_id="p0-e1"), deed)) == expected


def labelled(drawn: str) -> SeenSource:
    """A field "5000 pounds" with its printed label "Price:" beside it."""
    page = make_page(0, "Text of the page.", para("Price: 5000 pounds", kind=FIELD))
    field = page.elements[1]
    shown = Box(field.bbox.x0 + 7 * CHAR, *field.bbox[1:])
    page = replace(page, elements=(page.elements[0], replace(field, bbox=shown)))
    return seen(Look(drawn=(Drawn(field.element_id, drawn, True),)), page)


@pytest.mark.parametrize(
    ("drawn", "asked", "expected"),
    [
        ("5000 pounds", "Price: 5000 pounds", ("field_text",)),
        ("9000 pounds", "Price: 5000 pounds", "seen_differs"),
        ("9000 pounds", "pounds", ("field_text", "partial_sentence")),
        ("9000 pounds", "5000", "seen_differs"),
    ],
)
def test_the_label_of_a_field_is_not_what_it_draws(drawn: str, asked: str, expected: object) -> None:
    assert outcome(ask(quote(asked, element_id="p0-e1"), labelled(drawn))) == expected


def test_looks_go_with_the_evidence_and_repeat_the_verdict() -> None:
    deed = seen(Look(struck=(1,), objects=(at(8, 1),), drawn=(Drawn(ElementId("p0-e9"), None, True),), doubtful=(2,)))
    request = parse_request(body({**FIRST, "check_id": "a"}, {**quote("It is due in May."), "check_id": "b"}))
    first = verify_parsed(request, FakeSources(deed), checked_at=AT, ocr_threshold=600).checks
    document = evidence_document(request, FakeSources(deed))
    again = recheck(document, request, checked_at=AT, ocr_threshold=600).checks
    assert outcome(first[0]) == ("struck_through", "object_inside_quote")
    assert contradictions(first, again) == []
    assert [row["words"] for row in document[0]["looks"]] == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]
    assert look_from_json(document[0]["looks"][0]["seen"]) == deed.seen
    del document[0]["looks"]
    assert contradictions(first, recheck(document, request, checked_at=AT, ocr_threshold=600).checks)


def test_a_page_check_is_not_looked_at() -> None:
    assert outcome(ask(check("page"), seen(Look(failed=True)))) == ()
