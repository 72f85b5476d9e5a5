"""A worded claim is borne out only where every part of it is aligned with the cited words, and each difference is
named with the words of both. The pairs in ``worded_pairs.toml`` and ``unseen_pairs.toml`` are one person's: how many
of them get through is a floor here; ``tests/benchmarks/bench_wording.py`` prints it by kind of change."""

import tomllib
from pathlib import Path

import pytest

from models.triage.alignment import align

BANK = "If the Buyer fails to pay, the Bank may sell the pledged shares, except shares held for a third party."


@pytest.mark.parametrize(
    ("claim", "cited"),
    [
        ("The Licensee can end the Agreement on 60 days' notice.",
         "Licensee may terminate this Agreement upon sixty (60) days' notice."),
        ("The notes shall be redeemed by the Issuer before 2 May 2027.",
         "Issuer shall redeem the notes prior to May 2, 2027."),
        ("With the Owner's consent, the Tenant may build a wall.",
         "The Tenant may build a wall with the consent of the Owner."),
        ("The Bank may sell the pledged shares, except shares held for a third party, if the Buyer fails to pay.",
         BANK),
        ("No party is liable for delay.", "Neither party shall be liable for delay."),
        ("The fee is $900.", "The Client shall pay a fee of $900, payable in advance."),
        ("The Supplier delivers the Goods within thirty days.",
         "2.1 Alder Limited (the Supplier) shall deliver the Goods to Birch plc (the Buyer) within thirty days."),
        ("The statute does not apply to barges.", "It is true that the statute does not apply to barges."),
    ],
)  # fmt: skip
def test_other_words_for_the_same_are_aligned(claim: str, cited: str) -> None:
    assert align(claim, [cited]).differences == ()


@pytest.mark.parametrize(
    ("claim", "cited", "part", "ours", "theirs"),
    [
        ("The Agent must sign.", "The Agent may sign.", "modality", "must", "may"),
        ("The cap is at least $5,000.", "The cap is at most $5,000.", "bound", "at least", "at most"),
        ("The Seller shall pay within 13 days.", "The Seller shall pay within 30 days.", "value", "13 days", "30 days"),
        ("The Bank may sell the pledged shares, except shares held for a third party.", BANK, "condition", "", "If"),
        ("If the Buyer fails to pay, the Bank may sell the pledged shares.", BANK, "exception", "", "except"),
        ("The valve leaked.", "The plaintiff alleges that the valve leaked.", "who_says", "", "alleges that"),
        ("All of the crates were wet.", "Some of the crates were wet.", "quantity", "All of", "Some of"),
        ("The Board may repair and sell the hall.", "The Board may repair or sell the hall.", "and_or", "and", "or"),
        ("Rent is due after delivery.", "Rent is due before delivery.", "order", "after", "before"),
        ("The plant reached Oslo.", "The plant is expected to reach Oslo.", "who_says", "", "is expected to"),
        ("The Landlord shall pay the Tenant interest.", "The Tenant shall pay the Landlord interest.", "who_and_what",
         "Landlord", "Landlord"),
        ("The Carrier shall insure the crates worldwide.", "The Carrier shall insure the crates.", "other_words",
         "worldwide", ""),
        ("The search was lawful.", "The warrantless search was lawful.", "left_out", "", "warrantless"),
    ],
)  # fmt: skip
def test_each_difference_names_the_words_of_both(claim: str, cited: str, part: str, ours: str, theirs: str) -> None:
    found = [d for d in align(claim, [cited]).differences if d.part == part]
    assert (ours, theirs) in [(d.claim, d.page) for d in found]
    assert all(claim[d.start : d.end] == d.claim for d in found)


def test_nothing_cited_bears_out_nothing() -> None:
    assert not align("The fee is $900.", []).bears_out and not align("The fee is $900.", [" "]).bears_out


@pytest.mark.parametrize(
    ("claim", "cited", "denied"),
    [
        ("The Act forbids resale.", "The Act does not prohibit resale.", True),
        ("He inspected and tested the pump.", "He neither inspected nor tested the pump.", True),
        ("The Act does not prohibit resale.", "It is true that the Act does not prohibit resale.", False),
        ("The Act may forbid resale.", "The Act forbids resale.", False),
    ],
)
def test_a_denial_and_nothing_else_is_told_from_other_differences(claim: str, cited: str, denied: bool) -> None:
    assert align(claim, [cited]).denies is denied


@pytest.mark.parametrize(("name", "honest"), [("worded_pairs.toml", 0.8), ("unseen_pairs.toml", 0.75)])
def test_false_wordings_are_held_back_and_most_honest_ones_are_not(name: str, honest: float) -> None:
    rows = tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))["sentence"]
    let = [claim for row in rows for _, claim in row["false"] if align(claim, [row["text"]]).bears_out]
    kept = [align(claim, [row["text"]]).bears_out for row in rows for claim in row["honest"]]
    assert let == []
    assert sum(kept) >= honest * len(kept)


def test_a_long_clause_takes_no_long_time() -> None:
    clause = " ".join(f"The Seller shall deliver lot {n} to the Buyer at site {n}," for n in range(60))
    assert not align("The Buyer shall deliver lot 7 to the Seller.", [clause]).bears_out
