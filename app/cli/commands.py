"""The shape of a command, so that each room of the command line brings its own and ``main`` knows none of them."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from app.cli.console import Console
from app.errors import Usage


class Parser(argparse.ArgumentParser):
    """Reports a mistake as one line through ``Usage`` instead of printing and leaving."""

    def error(self, message: str) -> NoReturn:
        raise Usage(f"{message}; see: {self.prog} --help")


@dataclass(frozen=True, slots=True)
class Command:
    """``run`` returns the exit status. What is heavy is imported inside it."""

    name: str
    summary: str
    configure: Callable[[Parser], None]
    run: Callable[[argparse.Namespace, Console], int]


def matter_argument(parser: Parser) -> None:
    parser.add_argument("matter", metavar="MATTER_DIR", type=Path, help="the folder of documents; it is only ever read")


def source_option(parser: Parser) -> None:
    parser.add_argument("--source", metavar="ID", action="append", default=[], help="only this document (repeatable)")


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """An argument type. Raises ArgumentTypeError outside the bounds, both included."""

    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from error
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{value} is not between {low} and {high}")
        return value

    return parse
