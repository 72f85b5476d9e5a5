"""What kind of answer a question asks for, in wording of our own."""

import pytest

from models.language.concepts import flat
from models.language.kinds import Kind, asking


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What rent does the tenant pay?", Kind.FACT),
        ("Is there a right to sublet?", Kind.YES_NO),
        ("Which leases have a break clause?", Kind.LIST),
        ("How many of our contracts are exclusive?", Kind.COUNT),
        ("Compare the two leases on repairs.", Kind.COMPARE),
        ("What does Net Revenue mean?", Kind.DEFINITION),
        ("What does clause 14.2 say about repairs?", Kind.CLAUSE),
        ("Summarise the repairing obligations.", Kind.SUMMARY),
        ("Give me a chronology of the complaints.", Kind.CHRONOLOGY),
        ("What did the court hold on causation?", Kind.HOLDING),
    ],
)
def test_kind(question: str, kind: Kind) -> None:
    assert asking().kind_of(flat(question)) is kind


def test_which_do_not_is_denied_and_asked_of_every_document() -> None:
    asked = flat("Which of the leases do not allow subletting?")
    assert asking().mark("denied", asked) and asking().mark("per_document", asked)


def test_advice_lies_outside() -> None:
    assert asking().mark("outside", flat("What would you advise: should we settle?"))
    assert not asking().mark("outside", flat("What may the parties settle?"))
