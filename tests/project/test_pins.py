"""The pinned packages can be installed on every Python and system that the README promises."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]
CONSTRAINTS = REPO / "packaging" / "constraints.txt"
PYTHONS = ("3.11.0", "3.12.0")
"""On 3.13 and later fast-diff-match-patch (eyecite needs it) has no wheel and is compiled; the README says so."""
PROMISED = ("x86_64-manylinux_2_34", "x86_64-pc-windows-msvc", "aarch64-apple-darwin")
"""Qt's wheels need glibc 2.34, onnxruntime's macOS 14."""
NOT_TO_BE_HAD = {
    "aarch64-manylinux_2_39": "fast-diff-match-patch",
    "aarch64-pc-windows-msvc": "pymupdf",
    "x86_64-apple-darwin": "pymupdf",
}
"""Systems that no wheel of this package is for; the README says so. On Linux on ARM a C++ compiler builds it."""
SOURCES = ("red-black-tree-mod", "win-unicode-console")
"""Packages in pure Python that come as sources only (extract-msg needs them): pip builds them without a compiler."""


def resolved(python: str, system: str) -> subprocess.CompletedProcess[str]:
    """What uv finds for a Python and a system other than this one; pip evaluates markers for its own alone."""
    uv = shutil.which("uv", path=str(Path(sys.executable).parent))
    assert uv is not None, "uv is among the development packages"
    sources = [word for name in SOURCES for word in ("--no-binary", name)]
    command = [uv, "pip", "compile", "-q", "pyproject.toml", "--extra", "dev", "-c", str(CONSTRAINTS), "--no-header",
               "--python-version", python, "--python-platform", system, "--only-binary", ":all:", *sources]  # fmt: skip
    return subprocess.run(command, cwd=REPO, env=_settings(), capture_output=True, text=True, check=False)


def _settings() -> dict[str, str]:
    """uv's settings where a person or a machine has given pip's."""
    env = {**os.environ, "MACOSX_DEPLOYMENT_TARGET": "14.0"}
    for ours, theirs in (("PIP_INDEX_URL", "UV_DEFAULT_INDEX"), ("PIP_CERT", "SSL_CERT_FILE")):
        if ours in env:
            env.setdefault(theirs, env[ours])
    configured = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"], capture_output=True, text=True, check=False
    ).stdout.strip()
    if configured:
        env.setdefault("UV_DEFAULT_INDEX", configured)
    return env


def names(text: str) -> set[str]:
    found = (re.match(r"([A-Za-z0-9_.-]+)==", line) for line in text.splitlines())
    return {re.sub(r"[-_.]+", "-", match[1]).lower() for match in found if match}


@pytest.mark.slow
@pytest.mark.parametrize("system", PROMISED)
@pytest.mark.parametrize("python", PYTHONS)
def test_every_pin_has_a_wheel(python: str, system: str) -> None:
    done = resolved(python, system)
    assert done.returncode == 0, done.stderr
    assert names(done.stdout) <= names(CONSTRAINTS.read_text("utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("system", NOT_TO_BE_HAD)
def test_systems_that_are_not_promised_lack_what_is_named(system: str) -> None:
    done = resolved("3.12.0", system)
    assert done.returncode != 0 and f"{NOT_TO_BE_HAD[system]}==" in done.stderr
