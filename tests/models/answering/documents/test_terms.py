"""What a term means, however it is defined and however it is asked for."""

import pytest

from models.answering.found import State

CONTRACT = (
    "HAULAGE AGREEMENT",
    'This Agreement is made between Peverel Freight Ltd (the "Carrier") and Ostler Grain plc (the "Customer").',
    "In this Agreement these words have these meanings: “Working Day” means a day on which banks in Leeds open. "
    "“Depot” means the yard at 3 Mill Lane; “Loads” means pallets of grain; "
    "“Fuel Levy” has the meaning given in clause 7.",
    "7. The price of diesel above 120 pence a litre, times the litres used, is added to invoices (the “Fuel Levy”).",
    "8. A vehicle is “Off Road” if it has not moved for ten days.",
    "9. In clause 8 “vehicle” includes a trailer but not a forklift.",
    "10. The Customer shall pay the Tonnage Fee within 30 days.",
)


@pytest.fixture
def contract(make_document):
    return [make_document(list(CONTRACT))]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When is a day a Working Day?", "“Working Day” means a day on which banks in Leeds open."),
        ("Who's the carrier?", CONTRACT[1]),
        ("What counts as a load?", "“Loads” means pallets of grain"),
        ("When is a vehicle off road?", "A vehicle is “Off Road” if it has not moved for ten days."),
        ("Does a trailer count as a vehicle?", "In clause 8 “vehicle” includes a trailer but not a forklift."),
    ],
)
def test_the_definition_answers(question, expected, contract, answer) -> None:
    found = answer(question, contract)
    assert (found.state, found.text) == (State.STATED, expected)


def test_a_definition_that_points_is_followed(contract, answer) -> None:
    found = answer("How is the fuel levy worked out?", contract)
    assert found.text.startswith("The price of diesel above 120 pence a litre") and len(found.claim_ids) == 2


@pytest.mark.parametrize(
    "question", ["What is a Demurrage Charge?", "Who is the insurer?", "Does a bicycle count as a vehicle?"]
)
def test_a_term_that_nothing_defines_is_silent(question, contract, answer) -> None:
    assert answer(question, contract).state is State.SILENT


def test_the_exact_term_of_a_later_document_goes_before_a_longer_one(make_document, answer) -> None:
    longer = make_document(["LICENCE", "“Gross Net Sales” means sales of every kind."], "a.pdf")
    exact = make_document(["SUBLICENCE", "“Net Sales” means sales less returns."], "b.pdf")
    assert answer("What does Net Sales mean?", [longer, exact]).text == "“Net Sales” means sales less returns."
