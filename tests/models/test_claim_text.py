"""What a claim's text keeps of its sentence."""

from models.claims import one_line


def test_ligature_glyphs_are_letters_to_read_and_search() -> None:
    assert one_line("The ﬁrst oﬃcer\nmay waﬄe, eﬀect a ﬂoat,\nor re-\nﬆart.") == (
        "The first officer may waffle, effect a float, or re-start."
    )
