import pytest

from retrieval.query.naming import share_named

CONVENIENCE = "Either party may terminate this Agreement at any time for any reason upon 30 days prior written notice."


@pytest.mark.parametrize(
    ("question", "text", "share"),
    [
        # Nothing but the way to ask, and the clause says it in its own words.
        ("How do we get out of it?", CONVENIENCE, 1.0),
        ("How do we get out of it?", "The Carrier insures the goods.", 0.0),
        # "gym" and "membership" are sought beside "get out".
        ("How do we get out of the gym membership?", CONVENIENCE, 1 / 2),
        ("Which ferry sails to Zanzibar?", "A ferry sails daily.", 2 / 3),
        ("Which ferry sails to Zanzibar?", "The ferries sail to Zanzibar.", 1.0),
        # What is asked in words of every kind alone is named by nothing.
        ("What else must the parties do?", CONVENIENCE, 0.0),
    ],
)
def test_share_of_what_is_sought(question: str, text: str, share: float) -> None:
    assert share_named(question, text) == pytest.approx(share)
