"""Contrast of everything that is written, in both themes."""

import pytest

from app.viewmodels.tokens import DARK, LIGHT, Tokens, contrast, shape_pairs, text_pairs


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)  # WCAG's known near miss


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda t: t.name)
def test_text_has_contrast(tokens: Tokens) -> None:
    weak = [(what, round(contrast(a, b), 2)) for what, a, b in text_pairs(tokens) if contrast(a, b) < 4.5]
    assert weak == []


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda t: t.name)
def test_edges_of_controls_have_contrast(tokens: Tokens) -> None:
    assert all(contrast(a, b) >= 3 for _, a, b in shape_pairs(tokens))
