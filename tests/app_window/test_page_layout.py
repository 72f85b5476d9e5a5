"""Where pages and boxes lie in the view, worked out by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.viewmodels.page_layout import GAP, PIXELS_PER_UNIT, DocumentLayout, PageTransform, zoom_to_fit
from verify.domain.geometry import Box

A4 = (59_500, 84_200)


@pytest.mark.parametrize(
    ("rotation", "expected"),
    [
        (0, (10, 20, 30, 5)),  # x 1000..4000, y 2000..2500 at 1/100
        (90, (842 - 25, 10, 5, 30)),  # the top edge goes to the right
        (180, (595 - 40, 842 - 25, 30, 5)),
        (270, (20, 595 - 40, 5, 30)),  # the top edge goes to the left
    ],
)
def test_a_box_turns_with_its_page(rotation: int, expected: tuple[float, ...]) -> None:
    placed = PageTransform(*A4, rotation, 0.01).box(Box(1000, 2000, 4000, 2500))
    assert placed == pytest.approx(expected)


@settings(deadline=None, max_examples=60)
@given(
    rotation=st.sampled_from((0, 90, 180, 270)),
    scale=st.floats(0.001, 0.2),
    x=st.floats(0, 59_500),
    y=st.floats(0, 84_200),
)
def test_the_pointer_comes_back_to_the_page(rotation: int, scale: float, x: float, y: float) -> None:
    transform = PageTransform(*A4, rotation, scale)
    assert transform.to_page(*transform.to_view(x, y)) == pytest.approx((x, y), abs=0.01)


def test_at_full_size_an_inch_is_96_pixels() -> None:
    assert pytest.approx(96.0) == 7200 * PIXELS_PER_UNIT


def test_pages_lie_under_one_another_and_are_centred() -> None:
    layout = DocumentLayout(((7200, 14400), (14400, 7200)), 1.0, 0)  # 96 × 192 and 192 × 96 pixels
    assert layout.width == 192 + 2 * GAP
    assert layout.rect(0) == pytest.approx((GAP + 48, GAP, 96, 192))
    assert layout.rect(1) == pytest.approx((GAP, 2 * GAP + 192, 192, 96))
    assert layout.height == 3 * GAP + 192 + 96


def test_visible_pages_leave_out_what_only_a_gap_shows_of() -> None:
    layout = DocumentLayout(((7200, 7200),) * 2000, 1.0, 0)  # a page every 96 + GAP pixels
    step = 96 + GAP
    assert layout.visible(0, 100) == range(1)
    assert layout.visible(GAP + 96 + 1, GAP + 96 + 5) == range(1, 1)
    assert layout.visible(1500 * step, 1500 * step + 300) == range(1499 + 1, 1503)
    assert layout.page_at(1500 * step + GAP + 3) == 1500


def test_fit_uses_the_turned_page() -> None:
    room = (595 + 2 * GAP, 500)
    upright = zoom_to_fit(A4, 0, room, whole_page=False)
    turned = zoom_to_fit(A4, 90, room, whole_page=False)
    assert upright == pytest.approx(0.75)  # 595 pt are 793.3 pixels at full size
    assert turned == pytest.approx(595 / (842 * 4 / 3))


def test_no_pages_no_place() -> None:
    layout = DocumentLayout((), 1.0, 0)
    assert not layout.visible(0, 100)
    with pytest.raises(IndexError):
        layout.page_at(0)
