"""What the look finds on pages drawn for it by several means, and what it leaves alone."""

import io

import pytest
from look_pages import BASE, LEFT, SENTENCE, SIZE, Draw, line, looked, seen, width, words
from PIL import Image, ImageDraw

from ingest.mupdf import pymupdf
from verify.domain.geometry import union

OVER = pymupdf.Rect(LEFT - 2, BASE - 11, LEFT + width(SENTENCE) + 2, BASE + 4)
GAP = LEFT + width("The Supplier shall ")
"""Where the room begins that ``parted`` leaves for a word."""
ROOM = 30.0
BLACK, WHITE = (0, 0, 0), (1, 1, 1)


def parted(page: "pymupdf.Page") -> None:
    """The sentence with room for a word after "shall"."""
    line(page, "The Supplier shall")
    line(page, "be liable for delay.", GAP + ROOM)


def picture(written: bool) -> bytes:
    """Of other words, or of nothing but texture."""
    image = Image.new("RGB", (240, 30), "white") if written else Image.effect_noise((240, 30), 90).convert("RGB")
    if written:
        ImageDraw.Draw(image).text((4, 4), "another word", fill="black")
    held = io.BytesIO()
    image.save(held, "PNG")
    return held.getvalue()


def bars(colour: tuple[float, float, float], thick: float) -> Draw:
    def draw(page: "pymupdf.Page") -> None:
        top = OVER.y0
        while top < OVER.y1:
            page.draw_rect(pymupdf.Rect(OVER.x0, top, OVER.x1, top + thick), color=None, fill=colour)
            top += thick

    return draw


def cover(kind: str) -> Draw:
    def draw(page: "pymupdf.Page") -> None:
        if kind == "stroke":
            page.draw_line((OVER.x0, BASE - 3), (OVER.x1, BASE - 3), color=BLACK, width=14)
        elif kind == "picture":
            page.insert_image(OVER, stream=picture(False), keep_proportion=False)
        elif kind == "words":
            page.insert_image(OVER, stream=picture(True), keep_proportion=False)
        elif kind == "glyphs":
            page.insert_text((LEFT - 2, BASE + 2), "nnnnnnnnnnnnnnn", fontname="zadb", fontsize=SIZE + 6, color=WHITE)
        elif kind == "note":
            note = page.add_freetext_annot(OVER, " ", fill_color=WHITE)
            note.update(fill_color=WHITE)
        elif kind == "square":
            note = page.add_rect_annot(OVER)
            note.set_colors(stroke=BLACK, fill=BLACK)
            note.update()
        elif kind == "redact":
            page.add_redact_annot(OVER, fill=BLACK)
            next(page.annots()).update()
        elif kind == "field":
            widget = pymupdf.Widget()
            widget.field_name, widget.field_type, widget.rect = "f", pymupdf.PDF_WIDGET_TYPE_TEXT, OVER
            widget.fill_color = WHITE
            page.add_widget(widget)

    return draw


HIDING = {
    "black bars": bars(BLACK, 3.2), "white bars": bars(WHITE, 2.5), "hairlines": bars(WHITE, 0.8),
    **{kind: cover(kind) for kind in ("stroke", "picture", "words", "glyphs", "note", "square", "field")},
}  # fmt: skip


@pytest.mark.parametrize("kind", HIDING)
def test_words_under_a_cover_are_not_seen_whatever_drew_it(kind: str) -> None:
    page, look = seen(line, HIDING[kind])
    hidden = {w.text for w in page.words if not w.visible}
    assert {"Supplier", "shall", "liable"} <= hidden | set(words(page, look.unseen).split())


@pytest.mark.parametrize("how", [{"fill_opacity": 0.06}, {"color": (0.96, 0.96, 0.96)}, {"color": (1, 1, 0.8)}])
def test_faded_text_is_not_seen(how: dict[str, object]) -> None:
    page, look = seen(lambda p: line(p, **how))
    hidden = {w.text for w in page.words if not w.visible}
    assert {"Supplier", "liable"} <= hidden | set(words(page, look.unseen).split())


def test_a_cover_over_one_figure_hides_its_number() -> None:
    text = "The price is 135000 pounds."
    at = LEFT + width("The price is ")
    one = pymupdf.Rect(at, BASE - 10, at + width("1") + 0.5, BASE + 2)
    page, look = seen(lambda p: line(p, text), lambda p: p.draw_rect(one, color=None, fill=WHITE))
    assert words(page, look.unseen) == "135000"


def test_tiny_print_is_not_seen() -> None:
    page, look = seen(lambda p: line(p, fontsize=2.0))
    assert words(page, look.unseen) == SENTENCE


STRUCK = {
    "line": lambda p: p.draw_line((LEFT, BASE - 3), (LEFT + width(SENTENCE), BASE - 3), width=0.7),
    "red bar": lambda p: p.draw_rect(
        pymupdf.Rect(LEFT, BASE - 3.6, LEFT + width(SENTENCE), BASE - 2.4), color=None, fill=(1, 0, 0)
    ),
    "annotation": lambda p: p.add_strikeout_annot(OVER),
    "cross": lambda p: [
        p.draw_line((OVER.x0, OVER.y0), (OVER.x1, OVER.y1)), p.draw_line((OVER.x0, OVER.y1), (OVER.x1, OVER.y0))
    ],
    "squiggle by hand": lambda p: p.add_ink_annot(
        [[(LEFT + 3 * n, BASE - 2 - 3 * (n % 2)) for n in range(int(width(SENTENCE)) // 3)]]
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", STRUCK)
def test_a_stroke_through_words_whatever_drew_it(kind: str) -> None:
    page, look = seen(line, STRUCK[kind])
    assert look.unseen == ()
    assert {"Supplier", "shall"} & set(words(page, look.struck).split())


def typed_field(page: "pymupdf.Page") -> None:
    widget = pymupdf.Widget()
    widget.field_name, widget.field_type, widget.field_value = "f", pymupdf.PDF_WIDGET_TYPE_TEXT, "not"
    widget.rect = pymupdf.Rect(GAP, BASE - 11, GAP + ROOM - 4, BASE + 4)
    page.add_widget(widget)


AMONG = {
    "picture": lambda p: p.insert_image(pymupdf.Rect(GAP + 2, BASE - 8, GAP + 24, BASE), stream=picture(True)),
    "strokes": lambda p: [p.draw_line((GAP + 4 + 3 * n, BASE), (GAP + 4 + 3 * n, BASE - 6)) for n in range(5)],
    "a redacted word": lambda p: p.draw_rect(
        pymupdf.Rect(GAP, BASE - 9, GAP + ROOM - 4, BASE + 2), color=None, fill=BLACK
    ),
    "typed note": lambda p: p.add_freetext_annot(
        pymupdf.Rect(GAP, BASE - 12, GAP + ROOM - 4, BASE + 4), "not", fontsize=SIZE
    ),
    "field": typed_field,
    "ink": lambda p: p.add_ink_annot([[(GAP + 2, BASE), (GAP + 6, BASE - 6), (GAP + 12, BASE), (GAP + 18, BASE - 6)]]),
    "caret": lambda p: p.add_caret_annot((GAP - 3, BASE - 4)),
}  # fmt: skip


@pytest.mark.parametrize("kind", AMONG)
def test_what_has_ink_among_the_words(kind: str) -> None:
    page, look = seen(parted, AMONG[kind])
    row = union(line.box for line in page.lines[:2])
    assert any(box.overlaps(row) for box in look.objects)
    assert look.unseen == ()


def test_a_word_written_between_two_lines() -> None:
    def written(page: "pymupdf.Page") -> None:
        page.insert_image(pymupdf.Rect(150, BASE - 17, 172, BASE - 11), stream=picture(False))

    _, look = seen(lambda p: line(p, y=BASE - 26), line, written)
    assert any(box.y1 <= (BASE - 8) * 100 for box in look.objects)


HONEST = {
    "plain": lambda p: None,
    "underlined": lambda p: p.draw_line((LEFT, BASE + 1.6), (LEFT + width(SENTENCE), BASE + 1.6), width=0.7),
    "underline annotation": lambda p: p.add_underline_annot(OVER),
    "marked": lambda p: p.add_highlight_annot(OVER),
    "a frame": lambda p: p.draw_rect(pymupdf.Rect(LEFT - 6, BASE - 15, 360, BASE + 8), color=BLACK, width=1),
    "a thick rule below": lambda p: p.draw_line((40, BASE + 7), (360, BASE + 7), width=1.6),
    "rules of a table": lambda p: [
        p.draw_line((40, BASE + 5), (360, BASE + 5)), p.draw_line((40, BASE - 14), (360, BASE - 14)),
        p.draw_line((GAP - 1.2, BASE - 14), (GAP - 1.2, BASE + 5), width=0.5),
    ],
    "a link": lambda p: p.insert_link({"kind": pymupdf.LINK_URI, "from": OVER, "uri": "https://example.org"}),
    "a bullet before": lambda p: p.draw_circle((LEFT - 10, BASE - 4), 2, fill=BLACK),
    "a note in the margin": lambda p: p.add_text_annot((350, BASE - 10), "see schedule"),
}  # fmt: skip


@pytest.mark.parametrize("kind", HONEST)
def test_what_is_drawn_around_words_is_left_alone(kind: str) -> None:
    _, look = seen(line, HONEST[kind])
    assert (look.unseen, look.struck, look.doubtful) == ((), (), ())
    line_box = (LEFT * 100, (BASE - 9) * 100, (LEFT + width(SENTENCE)) * 100, (BASE + 2) * 100)
    assert [b for b in look.objects if b.x0 < line_box[2] and b.y1 > line_box[1] and b.y0 < line_box[3]] == []


@pytest.mark.parametrize("tint", [(1, 1, 0.6), (0.85, 0.9, 1), (0.1, 0.1, 0.3)])
def test_text_on_a_tint_is_seen(tint: tuple[float, float, float]) -> None:
    colour = WHITE if tint[0] < 0.5 else BLACK
    _, look = seen(lambda p: p.draw_rect(OVER, color=None, fill=tint), lambda p: line(p, color=colour))
    assert (look.unseen, look.struck, look.objects) == ((), (), ())


def test_letters_over_a_pale_watermark_are_seen_and_under_a_black_one_are_not() -> None:
    def stamp(colour: tuple[float, float, float]) -> Draw:
        return lambda p: p.insert_text((LEFT - 5, BASE + 12), "nnnnnnnn", fontname="zadb", fontsize=44, color=colour)

    assert seen(stamp((0.85, 0.85, 0.85)), line)[1].unseen == ()
    assert seen(line, stamp(BLACK))[1].unseen != ()


def test_pale_and_coloured_print_is_seen() -> None:
    for colour in ((0.8, 0.8, 0.8), (1, 0, 0), (0, 0.6, 0), (0.2, 0.4, 1)):
        assert seen(lambda p, c=colour: line(p, color=c))[1].unseen == ()  # type: ignore[misc]


def test_a_turned_page_is_seen_as_it_is_displayed() -> None:
    made = pymupdf.open()
    page = made.new_page(width=400, height=400)
    line(page)
    page.draw_line((LEFT, BASE - 3), (LEFT + width("The Supplier"), BASE - 3), width=0.7)
    page.set_rotation(90)
    read, look = looked(made.tobytes())
    assert words(read, look.struck) == "The Supplier"
    assert look.unseen == ()
