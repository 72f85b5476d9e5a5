"""What has to be worked out: a deadline, the sum of a table's row or column, or two values set against each other."""

from models.answering.claiming import Claims
from models.answering.found import Found
from models.answering.kinds.deadline import Deadline, asks_for_a_day, counts_from_a_day
from models.answering.kinds.series import Series, asks_for_a_sum
from models.answering.kinds.two_values import TwoValues
from models.answering.library import Library
from models.answering.query import Query


def must_be_worked_out(query: Query) -> bool:
    """Whether a question that reads like one for a fact asks for what no document says outright."""
    return counts_from_a_day(query) or asks_for_a_sum(query)


class Calculated:
    def find(self, query: Query, library: Library, claims: Claims) -> Found | None:
        if asks_for_a_day(query):
            return Deadline().find(query, library, claims)
        return Series().find(query, library, claims) or TwoValues().find(query, library, claims)
