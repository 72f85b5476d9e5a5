"""One sentence of a page, said rightly in other words, and said with one thing turned around: numbers in words and
digits, currencies, percentages, dates, limits, before and after, duty and permission, who does it, denial.

The second part was written when the rules for the first had been made; on it they had 48 of 49 right and 51 of 55 wrong
claims before the rest was mended. The third was written after that: 27 of 30 and 29 of 32. What is "missed" still is:
22 of the right ones became unclear when a wording of one sentence began to need an alignment, which nearly all of 384
false wordings (``worded_pairs.toml``, ``unseen_pairs.toml``) fail; half of those passed before.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from models.triage.page_fit import PageText
from models.triage.support import SupportItem, triage
from verify.domain.claim import SupportLabel

OTHER_PAGES = [
    PageText(1, None, "This Agreement is governed by the laws of Scotland. The courts of Edinburgh have jurisdiction."),
    PageText(2, None, "Notices are sent by post to the addresses stated above. Each party keeps the other's secrets."),
]


def cases() -> Iterator[tuple[str, str, bool]]:
    for kinds in json.loads(Path(__file__).with_name("worded_claims.json").read_text("utf-8")).values():
        for sentences in kinds.values():
            for case in sentences:
                yield from ((case["page"], claim, True) for claim in case["right"])
                yield from ((case["page"], claim, False) for claim in case["wrong"])


@pytest.mark.parametrize(("sentence", "claim", "right"), list(cases()))
def test_a_claim_is_supported_only_as_it_is_said(run, sentence: str, claim: str, right: bool) -> None:
    page = PageText(0, None, f"The parties agree as follows. {sentence} Headings carry no meaning.")

    class These:
        def pages(self, source_id: str) -> list[PageText]:
            return [page, *OTHER_PAGES]

    _, (result,) = run(triage([SupportItem("i", claim, "x", (0,))], These()))
    assert (result.label is SupportLabel.SUPPORTED) is right, result.signals
