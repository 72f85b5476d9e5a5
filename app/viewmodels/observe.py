"""How a view model tells who shows it that something changed, without Qt."""

from collections.abc import Callable
from typing import Generic, ParamSpec

P = ParamSpec("P")


class Event(Generic[P]):
    """Calls its listeners in the order they came. A listener is called on the thread that emits."""

    def __init__(self) -> None:
        self._listeners: list[Callable[P, object]] = []

    def connect(self, listener: Callable[P, object]) -> None:
        self._listeners.append(listener)

    def emit(self, *args: P.args, **kwargs: P.kwargs) -> None:
        for listener in tuple(self._listeners):
            listener(*args, **kwargs)
