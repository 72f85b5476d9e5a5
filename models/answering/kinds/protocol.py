"""What a strategy is: one way to answer one kind of question."""

from typing import Protocol

from models.answering.claiming import Claims
from models.answering.found import Found
from models.answering.library import Library
from models.answering.query import Query


class Strategy(Protocol):
    def find(self, query: Query, library: Library, claims: Claims) -> Found | None:
        """The answer, its claims made with ``claims``; None where the question turns out not to be of this kind: the
        planner then asks for a fact."""
        ...


class Reviser(Protocol):
    def revise(self, query: Query, found: Found, library: Library, claims: Claims) -> Found:
        """The answer as other documents or claims leave it: amended, in conflict, withdrawn."""
        ...
