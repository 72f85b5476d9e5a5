#!/usr/bin/env python3
"""Sets Pincite up on a Debian or Ubuntu machine that has Python 3.11 or newer, and runs it or its tests.

  python3 packaging/bootstrap.py run            sample matter, question, window (without a display: answer and files)
  python3 packaging/bootstrap.py test           every check: ruff, mypy, import contracts, tests
  python3 packaging/bootstrap.py test --slow    the slow tier too: real Ollama, end to end, mutants, kills, fuzzing

Standard library only. What is there already is not fetched again: a second run takes seconds and needs no network.
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
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
STAMP = VENV / "pincite-installed"

LIBRARIES = {
    # What Qt's window and offscreen platforms load; the wheel leaves these to the system.
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}
FONTS = {"DejaVu Sans": "fonts-dejavu-core", "Inter": "fonts-inter"}
TEST_PROGRAMS = {"Xvfb": "xvfb", "strace": "strace", "git": "git"}
"""What only tests use: a display in memory, a reader of system calls for the egress test."""
OLLAMA_HEADERS = {"nlohmann/json.hpp": "nlohmann-json3-dev", "stb": "libstb-dev"}
"""What the slow tier builds a real Ollama server with, where Go is there to build it."""


class SetupFailed(Exception):
    """One clear line: what is missing and what to do."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Set Pincite up, then run it or its tests.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("run", help="open the sample matter's answer")
    test = commands.add_parser("test", help="run every check")
    test.add_argument("--slow", action="store_true", help="the slow tier too (up to an hour)")
    chosen = parser.parse_args()
    try:
        set_up(for_tests=chosen.command == "test", slow=getattr(chosen, "slow", False))
        if chosen.command == "run":
            return _call([PYTHON, "-m", "app.first_run"])
        return run_checks(slow=chosen.slow)
    except SetupFailed as failure:
        print(f"bootstrap: {failure}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        return 130


def set_up(for_tests: bool, slow: bool) -> None:
    """System packages, environment, models. Raises SetupFailed for what Pincite cannot do without."""
    if sys.version_info < (3, 11):  # noqa: UP036 (this file must say so on an older Python, not fail)
        raise SetupFailed(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}: install python3.11")
    _install_system_packages(_missing_packages(for_tests, slow))
    _make_environment(for_tests)
    _fetch_models()


def _missing_packages(for_tests: bool, slow: bool) -> list[str]:
    missing = []
    if importlib.util.find_spec("ensurepip") is None and not PYTHON.exists():
        missing.append(f"python{sys.version_info.major}.{sys.version_info.minor}-venv")
    if shutil.which("fc-list") is None:
        missing.append("fontconfig")
    languages = _tesseract_languages()
    if languages is None:
        missing.append("tesseract-ocr")
    missing += [f"tesseract-ocr-{code}" for code in ("eng", "osd") if code not in (languages or ())]
    known = _output(["/sbin/ldconfig", "-p"])
    missing += [package for library, package in LIBRARIES.items() if library not in known]
    missing += [package for family, package in FONTS.items() if family not in _output(["fc-list", ":", "family"])]
    if for_tests:
        missing += [package for program, package in TEST_PROGRAMS.items() if shutil.which(program) is None]
    if slow and shutil.which("go"):
        missing += [p for header, p in OLLAMA_HEADERS.items() if not Path("/usr/include", header).exists()]
    return missing


def _tesseract_languages() -> list[str] | None:
    return _output(["tesseract", "--list-langs"]).split() if shutil.which("tesseract") else None


def _output(command: list[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""


def _install_system_packages(packages: list[str]) -> None:
    if not packages:
        return
    by_hand = "sudo apt-get update && sudo apt-get install -y " + " ".join(packages)
    if shutil.which("apt-get") is None:
        raise SetupFailed(f"this is no Debian or Ubuntu; install what these packages hold: {' '.join(packages)}")
    if os.geteuid() == 0:
        prefix: list[str] = []
    elif (
        shutil.which("sudo")
        and subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0
    ):
        prefix = ["sudo", "-n"]
    else:
        raise SetupFailed(f"no right to install system packages; run once: {by_hand}")
    _say(f"system packages: {' '.join(packages)}")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update", "-q"], ["install", "-y", "-q", "--no-install-recommends", *packages]):
        done = subprocess.run([*prefix, "apt-get", *step], env=quiet, capture_output=True, text=True, check=False)
        if done.returncode:
            last = (done.stderr.strip() or "no reason given").splitlines()[-1]
            raise SetupFailed(f"apt-get {step[0]} failed ({last}); run by hand: {by_hand}")


def _make_environment(for_tests: bool) -> None:
    """A virtual environment in the checkout, rebuilt only when the wanted packages changed."""
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + CONSTRAINTS.read_bytes()).hexdigest()
    installed = STAMP.read_text(encoding="utf-8").split() if STAMP.exists() else []
    if installed[:1] == [wanted] and ("dev" in installed or not for_tests):
        return
    if not PYTHON.exists():
        _say("environment: .venv")
        if _call([sys.executable, "-m", "venv", VENV]):
            raise SetupFailed(f"could not make {VENV}; see the lines above")
    _say("Python packages (1.2 GB on disk; a minute or more)")
    what = ".[dev]" if for_tests or "dev" in installed else "."
    pip = [PYTHON, "-m", "pip", "--disable-pip-version-check", "install", "-q", "-c", CONSTRAINTS, "-e", what]
    if _call(pip):
        raise SetupFailed("Python packages could not be installed; is the package index reachable?")
    STAMP.write_text(f"{wanted} {'dev' if what != '.' else 'run'}\n", encoding="utf-8")


def _fetch_models() -> None:
    """The embedded chat model. Without it everything else still works, so a failure is said and passed over."""
    if _call([VENV / "bin" / "pincite", "fetch"]):
        _say("the embedded model is not there; answers will be extracts. Later: .venv/bin/pincite fetch")


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
