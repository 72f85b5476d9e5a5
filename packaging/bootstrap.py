#!/usr/bin/env python3
"""Sets Pincite up on a Linux machine that has Python 3.11 or newer, and runs it or its tests.

  python3 packaging/bootstrap.py run            sample matter, question, window (without a display: answer and files)
  python3 packaging/bootstrap.py run --with-model   fetches the embedded chat model first (1.1 GB)
  python3 packaging/bootstrap.py test           every check: ruff, mypy, import contracts, tests
  python3 packaging/bootstrap.py test --slow    the slow tier too: real Ollama, end to end, mutants, kills, fuzzing

Standard library only. What is already there is not fetched again: a second run takes seconds and needs no network.
Behind a proxy or with a package index of one's own, pip's own settings apply (HTTPS_PROXY, PIP_INDEX_URL …); with
``--wheels DIR`` the Python packages come from that folder alone.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
STAMP = VENV / "pincite-installed"
TABLE = tomllib.loads((ROOT / "packaging" / "system_packages.toml").read_text(encoding="utf-8"))


class Manager(NamedTuple):
    """A system's package manager: the steps that install packages, each before the packages' names."""

    name: str
    program: str
    steps: tuple[tuple[str, ...], ...]


MANAGERS = (
    Manager("apt", "apt-get", (("update", "-q"), ("install", "-y", "-q", "--no-install-recommends"))),
    Manager("dnf", "dnf", (("install", "-y", "-q"),)),
    Manager("pacman", "pacman", (("-Sy", "--needed", "--noconfirm"),)),
    Manager("zypper", "zypper", (("--non-interactive", "install", "--no-recommends"),)),
)


class SetupFailed(Exception):
    """One clear line: what is missing and what to do."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Set Pincite up, then run it or its tests.")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="open the sample matter's answer")
    run.add_argument("--with-model", action="store_true", help="fetch the embedded chat model first (1.1 GB)")
    test = commands.add_parser("test", help="run every check")
    test.add_argument("--slow", action="store_true", help="the slow tier too (up to an hour)")
    for command in (run, test):
        command.add_argument(
            "--wheels", metavar="DIR", type=Path, help="take Python packages from this folder, offline"
        )
    chosen = parser.parse_args()
    for_tests = chosen.command == "test"
    try:
        set_up(for_tests, slow=for_tests and chosen.slow, wheels=chosen.wheels)
        if for_tests:
            return run_checks(slow=chosen.slow)
        if chosen.with_model:
            _fetch_model()
        return _call([PYTHON, "-m", "app.first_run"])
    except SetupFailed as failure:
        print(f"bootstrap: {failure}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        return 130


def set_up(for_tests: bool, slow: bool, wheels: Path | None = None) -> None:
    """System packages and environment. Raises SetupFailed for what Pincite cannot do without."""
    if sys.version_info < (3, 11):  # noqa: UP036 (this file must say so on an older Python, not fail)
        raise SetupFailed(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}: install python3.11")
    manager = next((m for m in MANAGERS if shutil.which(m.program)), None)
    _install_system_packages(manager, _missing(for_tests, slow))
    _make_environment(for_tests, wheels)


def _missing(for_tests: bool, slow: bool) -> list[dict[str, str]]:
    """What the system lacks, as lines of the table."""
    missing = []
    if importlib.util.find_spec("ensurepip") is None and not PYTHON.exists():
        missing.append({"apt": f"python{sys.version_info.major}.{sys.version_info.minor}-venv"})
    missing += _absent_programs("programs")
    languages = _output(["tesseract", "--list-langs"]).split()
    missing += [names for code, names in TABLE["ocr"].items() if code not in languages]
    known = _output([shutil.which("ldconfig") or "/sbin/ldconfig", "-p"])
    missing += [names for library, names in TABLE["libraries"].items() if library not in known]
    families = _output(["fc-list", ":", "family"])
    missing += [names for family, names in TABLE["fonts"].items() if family not in families]
    if for_tests:
        missing += _absent_programs("test_programs")
    if slow:
        missing += _absent_programs("slow_programs")
    if slow and shutil.which("go"):
        missing += [names for header, names in TABLE["headers"].items() if not Path("/usr/include", header).exists()]
    return missing


def _absent_programs(kind: str) -> list[dict[str, str]]:
    path = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/sbin"))
    return [names for program, names in TABLE[kind].items() if shutil.which(program, path=path) is None]


def _output(command: list[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""


def _install_system_packages(manager: Manager | None, missing: list[dict[str, str]]) -> None:
    """Installs what is missing where that is allowed; else says what to install, and goes on without it."""
    if not missing:
        return
    name = "apt" if manager is None else manager.name
    packages = list(dict.fromkeys(names[name] for names in missing if name in names))
    if manager is None:
        _say(f"no package manager that is known here; install what these packages of Debian hold: {' '.join(packages)}")
        return
    prefix = _as_root()
    by_hand = (
        " && ".join(f"sudo {manager.program} {' '.join(step)}" for step in manager.steps) + " " + " ".join(packages)
    )
    if prefix is None:
        _say(f"no right to install system packages: scans or the window may not work until someone runs: {by_hand}")
        return
    _say(f"system packages: {' '.join(packages)}")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for step in manager.steps:
        command = [*prefix, manager.program, *step, *(packages if step is manager.steps[-1] else ())]
        done = subprocess.run(command, env=quiet, capture_output=True, text=True, check=False)
        if done.returncode:
            last = (done.stderr.strip() or "no reason given").splitlines()[-1]
            raise SetupFailed(f"{manager.program} {step[0]} failed ({last}); run by hand: {by_hand}")


def _as_root() -> list[str] | None:
    """What goes before a command that needs root; None where nothing does without asking for a password."""
    if os.geteuid() == 0:
        return []
    asked = shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
    return ["sudo", "-n"] if asked and asked.returncode == 0 else None


def _make_environment(for_tests: bool, wheels: Path | None) -> None:
    """A virtual environment in the checkout, rebuilt only when the wanted packages changed."""
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + CONSTRAINTS.read_bytes()).hexdigest()
    installed = STAMP.read_text(encoding="utf-8").split() if STAMP.exists() else []
    if installed[:1] == [wanted] and ("dev" in installed or not for_tests):
        return
    if not PYTHON.exists():
        _say("environment: .venv")
        if _call([sys.executable, "-m", "venv", VENV]):
            raise SetupFailed(f"could not make {VENV}: the lines above say why (Python's venv module is needed)")
    _say("Python packages (1.1 GB on disk; a minute or more)")
    what = ".[dev]" if for_tests or "dev" in installed else "."
    offline = [] if wheels is None else ["--no-index", "--find-links", str(wheels)]
    command = [
        "-m",
        "pip",
        "--disable-pip-version-check",
        "install",
        "-c",
        str(CONSTRAINTS),
        *offline,
        "-e",
        what,
    ]
    done = subprocess.run([str(PYTHON), *command], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SetupFailed("Python packages could not be installed. " + why_pip_failed(done.stdout + done.stderr))
    STAMP.write_text(f"{wanted} {'dev' if what != '.' else 'run'}\n", encoding="utf-8")


_NETWORK = {
    "ProxyError": "the proxy refused the connection (HTTPS_PROXY)",
    "407 ": "the proxy asks for a name and password (HTTPS_PROXY)",
    "CERTIFICATE_VERIFY_FAILED": "the package index has a certificate that is not trusted (PIP_CERT)",
    "NameResolutionError": "the package index's name is not known here: no network, or PIP_INDEX_URL is wrong",
    "Name or service not known": "the package index's name is not known here: no network, or PIP_INDEX_URL is wrong",
    "Temporary failure in name resolution": "no network: names are not resolved",
    "Connection refused": "the package index refused the connection",
    "NewConnectionError": "the package index cannot be reached",
    "ReadTimeoutError": "the package index took too long to answer; run the command again",
    "No space left on device": "the disk is full",
}
_MOST_LINES = 6


def why_pip_failed(said: str) -> str:
    """What pip said that matters: a network or disk fault in words, else its own lines on the conflict or the package
    that cannot be had."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    for mark, words in _NETWORK.items():
        if any(mark in line for line in lines):
            return f"pip: {words}."
    kept: list[str] = []
    for number, line in enumerate(lines):
        if line.startswith("ERROR: Ignored the following"):
            continue
        if line.startswith("ERROR:"):
            kept.append(line.removeprefix("ERROR:").strip())
        elif line.startswith("The conflict is caused by"):
            kept += [line, *_until_advice(lines[number + 1 :])]
    return "pip: " + "\n  ".join((kept or lines)[-_MOST_LINES * 2 :][:_MOST_LINES] or ["it gave no reason."])


def _until_advice(lines: list[str]) -> list[str]:
    """The packages of a conflict, which pip's general advice follows."""
    ends = (i for i, line in enumerate(lines) if line.startswith(("To fix this", "Additionally", "ERROR", "[notice]")))
    return lines[: next(ends, len(lines))]


def _fetch_model() -> None:
    """The embedded chat model. Without it everything else still works, so a failure is reported and passed over."""
    if _call([VENV / "bin" / "pincite", "fetch"]):
        _say("the embedded model was not fetched; answers are extracts. Later: .venv/bin/pincite fetch")


def run_checks(slow: bool) -> int:
    """Every check, even after one failed; 0 if all passed."""
    tools = VENV / "bin"
    checks = [
        ("ruff", [tools / "ruff", "check", "."]),
        ("format", [tools / "ruff", "format", "--check", "."]),
        ("types", [tools / "mypy"]),
        ("import contracts", [tools / "lint-imports"]),
        ("tests", [PYTHON, "-m", "pytest", "-q", "-n", "2"]),
    ]
    if slow:
        checks.append(("slow tests", [PYTHON, "-m", "pytest", "-q", "-m", "slow"]))
    failed = []
    for name, command in checks:
        start = time.monotonic()
        _say(name)
        if _call(command):
            failed.append(name)
        _say(f"{name}: {'FAILED' if name in failed else 'passed'} in {time.monotonic() - start:.0f} s")
    if failed:
        _say(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


def _call(command: list[str | Path]) -> int:
    # Qt's offscreen platform where there is no display; the one Xvfb test starts its own.
    env = dict(os.environ)
    if not (env.get("DISPLAY") or env.get("WAYLAND_DISPLAY")):
        env.setdefault("QT_QPA_PLATFORM", "offscreen")
    return subprocess.run(list(map(str, command)), cwd=ROOT, env=env, check=False).returncode


def _say(line: str) -> None:
    print(f"[pincite] {line}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
