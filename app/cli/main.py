"""The command line (contract, section 2). Only the command asked for is built, and nothing heavy before it runs."""

import argparse
import os
import signal
import sys
import time
from importlib import import_module
from pathlib import Path
from types import FrameType

from app.cli.commands import Command, Parser
from app.cli.console import Console
from app.cli.matter import passphrase_options
from app.errors import EXIT_STATUS, ErrorCode, PinciteError
from app.operations import place_of, record

MODULES = (
    "app.cli.read",
    "app.cli.ask",
    "app.cli.check",
    "app.cli.table",
    "app.cli.cite",
    "app.cli.review",
    "app.cli.bundle",
    "app.cli.evaluate",
    "app.cli.keep",
    "app.cli.fetch",
    "app.cli.window",
)
"""Modules with ``COMMANDS``, in the order of the help text."""
DEFAULT_COMMAND = "app"


def commands() -> dict[str, Command]:
    """Every command by name."""
    found: list[Command] = []
    for module in MODULES:
        found.extend(import_module(module).COMMANDS)
    return {command.name: command for command in found}


def main(argv: list[str] | None = None) -> int:
    """Runs one command and returns its exit status; never raises, and never prints a traceback."""
    arguments = sys.argv[1:] if argv is None else argv
    if argv is None:
        _be_a_process()
    console = Console(json="--json" in arguments)
    try:
        return _run(arguments, console)
    except PinciteError as error:
        return _fail(console, error.code, str(error))
    except SystemExit as leaving:  # argparse after --help and --version
        return leaving.code if isinstance(leaving.code, int) else 0
    except KeyboardInterrupt:
        return _fail(console, ErrorCode.INTERRUPTED, "interrupted; what was saved stays; the command can be run again")
    except BrokenPipeError:
        sys.stdout = None  # the reader left; the interpreter must not flush to it
        return 0
    except Exception as error:
        return _fail(console, ErrorCode.INTERNAL, _unexpected(error))


def _run(arguments: list[str], console: Console) -> int:
    table = commands()
    own, name, rest = _split(arguments, table)
    options = _global_parser(table).parse_args(own)
    parser = _command_parser(table[name])
    namespace = parser.parse_intermixed_args(rest)
    if namespace.store is None:
        namespace.store = options.store
    began = time.monotonic()
    try:
        status = table[name].run(namespace, console)
    except BaseException as error:
        record("command", name=name, seconds=_since(began), failed=place_of(error), code=getattr(error, "code", "-"))
        raise
    record("command", name=name, seconds=_since(began), status=status)
    return status


def _since(began: float) -> str:
    return f"{time.monotonic() - began:.2f}"


def _split(arguments: list[str], table: dict[str, Command]) -> tuple[list[str], str, list[str]]:
    """Options before the command, the command, what follows it. Without a command: the window, on a folder or none."""
    at = 0
    while at < len(arguments) and arguments[at].startswith("-"):
        at += 2 if arguments[at] == "--store" else 1
    own, rest = arguments[:at], arguments[at:]
    if not rest:
        return own, DEFAULT_COMMAND, []
    if rest[0] not in table and Path(rest[0]).is_dir():
        return own, DEFAULT_COMMAND, rest
    if rest[0] not in table:
        _global_parser(table).error(f"there is no command {rest[0]!r}")
    return own, rest[0], rest[1:]


def _global_parser(table: dict[str, Command]) -> Parser:
    width = max(map(len, table))
    listing = "\n".join(f"  {c.name:<{width}}  {c.summary}" for c in table.values())
    parser = Parser(
        prog="pincite",
        usage="pincite [--store DIR] COMMAND …",
        description="Questions about a folder of documents, answered with citations that a check proves.",
        epilog=f"commands:\n{listing}\n\npincite COMMAND --help says more. Nothing leaves this machine.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _common_options(parser)
    parser.add_argument("--version", action=_Version, nargs=0, help="say which version this is")
    return parser


def _command_parser(command: Command) -> Parser:
    parser = Parser(prog=f"pincite {command.name}", description=command.summary)
    _common_options(parser)
    passphrase_options(parser)
    command.configure(parser)
    return parser


def _common_options(parser: Parser) -> None:
    parser.add_argument("--store", metavar="DIR", type=Path, help="where derived data is kept (else PINCITE_STORE)")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout, progress on stderr")


class _Version(argparse.Action):
    """Looks the version up only when it is asked for, since that reads files."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        parser.exit(message=f"pincite {version('pincite')}\n")


def _be_a_process() -> None:
    """What holds for a whole process, and so not for a call from a test: files that libraries write (Chroma's) are
    private too, in every process that this one starts, and a polite end is an interruption."""
    os.umask(0o077)
    if hasattr(signal, "SIGTERM"):
        signal.signal(signal.SIGTERM, _interrupt)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _fail(console: Console, code: ErrorCode, message: str) -> int:
    console.note(f"pincite: {message}")
    if console.json:
        console.document({"schema": "pincite.error/1", "code": code.value, "message": message})
    return EXIT_STATUS[code]


def _unexpected(error: Exception) -> str:
    """A defect of ours: its kind and place, never its text, which may quote a document."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
    return f"an unexpected fault ({type(error).__name__}{place}); please report it; no document was changed"
