"""Pictures as arrays: the ways back from turned and straightened images, skew, ruled lines, ink under no word."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from ingest.ocr.image import (
    IDENTITY,
    evened,
    ink_without_words,
    skew_of,
    straightened,
    turned,
    without_specks,
)
from ingest.ocr.rules import find_rules, without_rules


def page(height: int = 700, width: int = 1000) -> np.ndarray:
    """Lines of blocks like words: 12 high every 30, 40 wide every 56."""
    image = np.full((height, width), 255, np.uint8)
    for top in range(60, height - 60, 30):
        for left in range(80, width - 120, 56):
            image[top : top + 12, left : left + 40 : 3] = 0
            image[top : top + 12 : 4, left : left + 40] = 0
    return image


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_a_turned_image_leads_back_to_the_original(degrees: int) -> None:
    image = np.zeros((30, 50), np.uint8)
    image[4, 7] = 255
    changed, back = turned(image, degrees)
    (row,), (column,) = np.nonzero(changed)
    assert back.at(column + 0.5, row + 0.5) == (7.5, 4.5)


@given(st.floats(-10, 10), st.integers(20, 400), st.integers(20, 400))
@settings(max_examples=30, deadline=None)
def test_a_straightened_image_holds_all_of_the_page(skew: float, height: int, width: int) -> None:
    changed, back = straightened(np.full((height, width), 255, np.uint8), skew)
    x, y = back.at(changed.shape[1] / 2, changed.shape[0] / 2)
    assert abs(x - width / 2) < 1e-6 and abs(y - height / 2) < 1e-6
    x0, y0, x1, y1 = back.box(0, 0, changed.shape[1], changed.shape[0])
    assert x0 <= 1 and y0 <= 1 and x1 >= width - 1 and y1 >= height - 1


def test_ways_back_combine_in_order() -> None:
    _, first = turned(np.zeros((30, 50), np.uint8), 90)
    changed, second = straightened(np.zeros((50, 30), np.uint8), 3.0)
    both = first.after(second)
    assert both.at(4, 5) == pytest.approx(first.at(*second.at(4, 5)))
    assert IDENTITY.after(second) == second
    assert changed.shape[0] > 50


@pytest.mark.parametrize("skew", [-7.0, -2.3, 1.2, 5.0])
def test_skew_is_measured_to_a_fifth_of_a_degree(skew: float) -> None:
    picture = Image.fromarray(page()).rotate(-skew, Image.Resampling.BICUBIC, fillcolor=255)
    assert abs(skew_of(np.asarray(picture)) - skew) <= 0.2


def test_a_straight_and_an_empty_page_have_no_skew() -> None:
    assert skew_of(page()) == 0.0
    assert skew_of(np.full((300, 200), 255, np.uint8)) == 0.0


def test_clean_pages_are_not_filtered_and_speckled_ones_are() -> None:
    clean = page()
    assert without_specks(clean) is clean
    speckled = np.full((700, 1000), 255, np.uint8)
    speckled[np.random.default_rng(1).random(speckled.shape) < 0.01] = 0
    assert (without_specks(speckled) < 128).mean() < 0.0005


def test_shadows_are_divided_out() -> None:
    shaded = (page() * np.linspace(1, 0.3, 1000)[None, :]).astype(np.uint8)
    even = evened(shaded)
    paper = even[page() == 255]
    assert np.percentile(paper, 20) > 230


def test_ink_is_bare_where_no_word_lies() -> None:
    image = page()
    nothing = ink_without_words(image, [], 150)
    assert nothing.fields > 50 and nothing.bare == nothing.fields
    upper = ink_without_words(image, [(0, 0, 1000, 350)], 150)
    assert 0.3 * nothing.fields < upper.bare < 0.7 * nothing.fields
    assert ink_without_words(image, [(0, 0, 1000, 700)], 150).bare == 0


def test_a_picture_is_not_taken_for_writing() -> None:
    image = np.full((700, 1000), 255, np.uint8)
    image[100:600, 200:800] = 90
    assert ink_without_words(image, [], 150).fields < 10


def test_ruled_lines_are_found_and_painted_over() -> None:
    image = page()
    image[200:203, 80:900] = 0
    image[100:400, 950:953] = 0
    rules = find_rules(image, 150)
    assert [tuple(round(edge / 10) for edge in box) for box in rules.across] == [(8, 20, 90, 20)]
    assert [tuple(round(edge / 10) for edge in box) for box in rules.down] == [(95, 10, 95, 40)]
    clean = without_rules(image, rules)
    assert (clean[200:203, 880:900] == 255).all() and (clean[100:400, 950:953] == 255).all()


def test_letters_are_no_ruled_lines() -> None:
    image = page()
    assert find_rules(image, 150) == ((), ())
    assert without_rules(image, find_rules(image, 150)) is image
