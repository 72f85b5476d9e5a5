"""The window, which is what ``pincite`` alone opens."""

import argparse
import os
import sys
from pathlib import Path

from app.commands import Command, Parser
from app.console import Console
from app.errors import Usage


def _configure(parser: Parser) -> None:
    parser.add_argument("matter", metavar="MATTER_DIR", type=Path, nargs="?")


def has_display() -> bool:
    """Qt ends the whole process where it finds none, so it is looked for before Qt is loaded."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _window(args: argparse.Namespace, _console: Console) -> int:
    if not (has_display() or os.environ.get("QT_QPA_PLATFORM")):
        raise Usage("there is no display for the window here; every command works without one: pincite --help")
    from app.views.main import run_window

    return run_window(args.matter, args.store)


COMMANDS = (Command("app", "open the window", _configure, _window),)
