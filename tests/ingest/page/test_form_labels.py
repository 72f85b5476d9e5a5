"""A field's text is its label with what is filled in; what is printed alone is no field's text."""

import pymupdf
import pytest

from ingest.pdf.reader import PdfReader
from ingest.settings import OcrMode, ReadSettings
from ingest.structure.passages import cut_passages
from verify.domain.document import ElementKind, Page
from verify.domain.ids import Fingerprint, SourceId
from verify.domain.passage import Passage, PassageKind

CHECK, TEXT = pymupdf.PDF_WIDGET_TYPE_CHECKBOX, pymupdf.PDF_WIDGET_TYPE_TEXT


class Form:
    def __init__(self) -> None:
        self.document = pymupdf.open()
        self.page = self.document.new_page(width=600, height=800)

    def say(self, x: int, y: int, text: str) -> None:
        self.page.insert_text((x, y), text, fontsize=11)

    def field(self, box: tuple[int, int, int, int], kind: int, value: object, name: str) -> None:
        widget = pymupdf.Widget()
        widget.field_name, widget.field_type, widget.field_value = name, kind, value
        widget.rect = pymupdf.Rect(box)
        self.page.add_widget(widget)

    def tick(self, x: int, y: int, on: bool, option: str) -> None:
        self.field((x, y - 10, x + 12, y + 2), CHECK, on, f"b{x}-{y}")
        self.say(x + 20, y, option)

    def read(self) -> Page:
        with PdfReader(self.document.tobytes(), settings=ReadSettings(ocr=OcrMode.NEVER)) as reader:
            (page,) = reader.pages()
        return page

    def fields(self) -> list[str]:
        return [e.text for e in self.read().elements if e.kind is ElementKind.FORM_FIELD]

    def passages(self) -> list[Passage]:
        return list(cut_passages([self.read()], SourceId("s"), Fingerprint("f"), "Form"))


@pytest.fixture
def form() -> Form:
    return Form()


def test_a_tick_answers_the_question_above_its_options(form: Form) -> None:
    form.say(72, 100, "1. Was the barn locked?")
    form.tick(72, 120, False, "Yes")
    form.tick(72, 140, True, "No")
    form.say(72, 180, "2. Which keys were kept?")
    form.tick(72, 200, True, "Brass")
    form.tick(72, 220, False, "Iron")
    assert form.fields() == ["Was the barn locked: No", "Which keys were kept: Brass"]


def test_a_tick_answers_the_question_on_its_line(form: Form) -> None:
    form.say(72, 100, "Barn locked")
    form.tick(200, 100, False, "Yes")
    form.tick(260, 100, True, "No")
    assert form.fields() == ["Barn locked: No"]


def test_a_tick_without_a_question_says_yes(form: Form) -> None:
    form.tick(72, 100, True, "Personal phone used")
    assert form.fields() == ["Personal phone used: yes"]


def test_a_field_has_the_words_before_it_or_above_it(form: Form) -> None:
    form.say(72, 100, "Keeper of the barn")
    form.field((220, 88, 400, 106), TEXT, "Ada Brack", "who")
    form.say(72, 150, "Town")
    form.field((72, 155, 300, 172), TEXT, "Dunmarrow", "town")
    form.field((72, 600, 300, 620), TEXT, "no label", "alone")
    assert form.fields() == ["Keeper of the barn: Ada Brack", "Town: Dunmarrow", "no label"]


def test_the_state_that_is_drawn_counts(form: Form) -> None:
    form.tick(72, 100, True, "Barn locked")
    (widget,) = form.page.widgets()
    form.document.xref_set_key(widget.xref, "V", "null")
    assert form.fields() == ["Barn locked: yes"]
    form.document.xref_set_key(widget.xref, "AS", "/Off")
    assert form.fields() == []


def test_fields_and_typed_notes_are_passages_of_their_own_kind(form: Form) -> None:
    form.say(72, 100, "Hourly rate:")
    form.page.add_freetext_annot(pymupdf.Rect(180, 88, 400, 106), "40 crowns", fontsize=11)
    form.page.add_text_annot((400, 300), "Ask the porter")
    form.tick(72, 200, True, "Barn locked")
    own = [(p.kind, p.heading_path, p.text) for p in form.passages() if p.kind is not PassageKind.TEXT]
    assert own == [
        (PassageKind.ANNOTATION, ("Hourly rate:",), "40 crowns"),
        (PassageKind.ANNOTATION, (), "Ask the porter"),
        (PassageKind.FORM_FIELD, (), "Barn locked: yes"),
    ]
