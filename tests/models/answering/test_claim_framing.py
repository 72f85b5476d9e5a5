"""What a proposition says about who said it, and in which language."""

import pytest

from models.language.languages import is_english
from models.triage.attribution import subject_is_pronoun, without_attribution


@pytest.mark.parametrize(
    ("claim", "bare"),
    [
        ("As the majority points out, the rule has less force.", "the rule has less force."),
        ("The Court says that the rule has less force.", "the rule has less force."),
        ("But, the Court suggests, Parliament must act.", "But Parliament must act."),
        ("The rule has less force, as the Court all but admits.", "The rule has less force ."),
        ("As noted above, rent is due in May.", "rent is due in May."),
        ("The District Court found that rent was due.", "The District Court found that rent was due."),
        ("The Court says that", "The Court says that"),
    ],
)
def test_words_around_a_statement_fall_away(claim: str, bare: str) -> None:
    assert without_attribution(claim) == bare


@pytest.mark.parametrize(
    ("claim", "without_subject"),
    [
        ("They shall pay within ten days.", True),
        ("That, in essence, is what he did.", True),
        ("But it must be in writing.", True),
        ("It is settled that notice must be in writing.", False),
        ("It asserts that the tenant must pay.", False),
        ("This Agreement ends in May.", False),
        ("The tenant must pay.", False),
    ],
)
def test_a_pronoun_names_nobody(claim: str, without_subject: bool) -> None:
    assert subject_is_pronoun(claim) is without_subject


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("The tenant shall pay the rent.", True),
        ("Le locataire doit payer le loyer dans les trente jours.", False),
        ("Der Mieter hat die Miete bis zum dritten Werktag zu zahlen.", False),
        ("Арендатор оплачивает аренду.", False),
        ("Harrow Mills Ltd, 84,000 USD", True),
        ("The contract was made de facto and the parties acted de bonne foi.", True),
    ],
)
def test_english_is_told_by_its_function_words(text: str, english: bool) -> None:
    assert is_english(text) is english
