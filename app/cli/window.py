"""The window, which is what ``pincite`` alone opens."""

import argparse
import os
from pathlib import Path

from app.cli.commands import Command, Parser
from app.cli.console import Console
from app.display import has_display
from app.errors import Usage


def _configure(parser: Parser) -> None:
    parser.add_argument("matter", metavar="MATTER_DIR", type=Path, nargs="?")


def _window(args: argparse.Namespace, _console: Console) -> int:
    if not (has_display() or os.environ.get("QT_QPA_PLATFORM")):
        raise Usage("no display answers here, and the window needs one; every command works without: pincite --help")
    from app.views.main import run_window

    return run_window(args.matter, args.store)


COMMANDS = (Command("app", "open the window", _configure, _window),)
