"""How a claim reads: on one line, one fact, of a named subject, and not twice."""

import pytest

from models.answering.answering import answer
from models.answering.claim_text import atomic, one_line, repeats, states, with_subject


def test_ligature_glyphs_are_letters_to_read_and_search() -> None:
    assert one_line("The ﬁrst oﬃcer\nmay waﬄe, eﬀect a ﬂoat,\nor re-\nﬆart.") == (
        "The first officer may waffle, effect a float, or re-start."
    )
    assert one_line("\uf0b7 Okla\u00ad\nhoma is en\u00ad titled to it.") == "Oklahoma is entitled to it."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The term is two years.", True),
        ("b) Excite plans to make room.", True),
        ("(a) pay the fees;", True),
        ("Motion denied.", True),
        ("I saw him.", True),
        ("Governing Law: New York", True),
        ("Total due USD 4,000", True),
        ("Either party may terminate this Agreement at once if:", True),
        ("3. Signage at Public Appearances.", False),
        ("17.02 Compliance with laws.", False),
        ("f) Severability.", False),
        ("ARTICLE 18 - RECORDS AND AUDIT 20", False),
        ("Communications.", False),
        ("Effective Date: ______________", False),
        ("By: ______ Name: ______ Title: ______", False),
        ("DATE: [*]", False),
        ("SIGNATURE OF PERSON AUTHORIZED TO SIGN QUOTATION 15.", False),
        ("37). Upon consideration of the briefs, the court grants it.", False),
        ("The Tenant shall:", False),
        ("Ann B. Crane and Lee Oak on brief for First Church of Elm, Grace Chapel and Hope Temple, amici.", False),
        ("and shall pay the rent.", False),
        ("In the event that a Shareholder who is entitled to nominate a Director seeks to remove such", False),
    ],
)
def test_what_states_something(text, said) -> None:
    assert states(text) is said


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("The term is two years and the rent is USD 5.", ("The term is two years.", "The rent is USD 5.")),
        ("Buyer shall pay the price, and Seller shall deliver the goods.",
         ("Buyer shall pay the price.", "Seller shall deliver the goods.")),
        ("The Buyer and the Seller shall keep it secret.", ("The Buyer and the Seller shall keep it secret.",)),
        ("If the rent is late and the tenant was warned, the lease ends.",
         ("If the rent is late and the tenant was warned, the lease ends.",)),
        ("The lease ends on 1 May and on notice.", ("The lease ends on 1 May and on notice.",)),
    ],
)  # fmt: skip
def test_one_fact_a_claim(text, facts) -> None:
    assert atomic(text) == facts


@pytest.mark.parametrize(
    ("text", "headings", "named"),
    [
        ("It shall last two years.", ("Lease", "5. Term"), "Under “5. Term”: It shall last two years."),
        ("They may not assign it.", (), "Under “Lease of a mill”: They may not assign it."),
        ("4. I signed it on 2 May.", ("Statement",), "In “Lease of a mill”: 4. I signed it on 2 May."),
        ("We hold that the claim fails.", (), "In “Lease of a mill”: We hold that the claim fails."),
        ("I. BACKGROUND AND FACTS.", (), None),
        ("This Agreement is governed by the law of Oregon.", ("9. Law",), None),
        ("Such notice shall be in writing.", ("9. Notices",), None),
        ("The term is two years.", ("5. Term",), None),
    ],
)
def test_a_pronoun_alone_is_no_subject(text, headings, named) -> None:
    assert with_subject(text, headings, "Lease of a mill") == (named or text)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("The rent is USD 900 a month.", "The net rent is USD 900 a month.", False),
        ("The Tenant shall pay a rent of USD 900.", "Tenant shall pay rent of USD 900", True),
        ("The Buyer shall indemnify the Seller.", "The Seller shall indemnify the Buyer.", False),
        ("The Tenant shall pay $5.", "The Tenant shall pay €5.", False),
        ("The Tenant shall pay rent.", "The Tenant may pay rent.", False),
        ("The Tenant shall pay a rent of USD 900.", "The Tenant shall pay a rent of USD 700.", False),
        ("The Tenant shall pay a rent of USD 900.", "The Tenant shall not pay a rent of USD 900.", False),
    ],
)
def test_what_repeats_another_has_its_values_and_its_negation(one, other, same) -> None:
    assert repeats(one, other) is same


def test_the_same_words_in_two_documents_are_one_claim_of_the_first(make_passage, run) -> None:
    law = "This Agreement is governed by the laws of the State of Oregon."
    shown = [
        make_passage(1, "lease", [(2, law)]),
        make_passage(2, "sale", [(7, law)]),
        make_passage(3, "sale", [(7, law)]),
    ]
    claims, _ = run(answer("Which law governs the agreement?", shown, None))
    assert [c.text for c in claims] == [law]
    assert [(c.source_id, c.page_index) for c in claims[0].citations] == [("lease", 2)]


def test_a_model_that_says_a_thing_twice_is_heard_once(make_passage, run, scripted) -> None:
    shown = [make_passage(1, "lease", [(2, "The Tenant shall pay a monthly rent of USD 900.")])]
    twice = ("The Tenant shall pay a monthly rent of USD 900.", "Tenant shall pay monthly rent of USD 900.")
    picks = ", ".join(f'{{"evidence": ["P1.1"], "claim": "{text}"}}' for text in twice)
    claims, _ = run(answer("What is the monthly rent?", shown, scripted(f'{{"claims": [{picks}]}}')))
    assert [c.text for c in claims] == [twice[0]]
