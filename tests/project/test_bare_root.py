"""Both commands of the README on a machine that has nothing: a Debian made for the purpose, in a folder of its own.

What is green on a developer's machine proves nothing about a new one.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]
SUITE = "bookworm"
"""Debian 12, with Python 3.11.2: the oldest system that the README promises."""
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PASSED_ON = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_DEFAULT_TIMEOUT", "HTTP_PROXY",
             "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy")  # fmt: skip
_DEBIAN = re.compile(r"^(?:deb\s|URIs:)\s*(?:\[[^]]*\]\s*)?(\S+/debian)/?\s", re.MULTILINE)


def mirror() -> str | None:
    """The Debian mirror that this machine uses."""
    for file in (Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*")):
        if file.is_file():
            found = re.search(
                r"^(?:deb\s|URIs:)\s*(?:\[[^]]*\]\s*)?(\S+/debian)/?\s", file.read_text("utf-8"), re.MULTILINE
            )
            if found:
                return found[1]
    return None


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A root with python3, git and certificates, and a clone of this checkout in ``/pincite``."""
    maker = shutil.which("debootstrap", path=PATH)
    if maker is None:
        pytest.skip("debootstrap is not installed: apt-get install debootstrap")
    if os.geteuid() != 0:
        pytest.skip("only root may make a root of its own and change into it")
    source = mirror()
    if source is None:
        pytest.skip("this machine names no Debian mirror")
    root = tmp_path_factory.mktemp("bare") / "root"
    log = root.parent / "debootstrap.log"
    command = [maker, "--variant=minbase", "--include=python3,git,ca-certificates", SUITE, str(root), source]
    with log.open("wb") as out:
        if subprocess.run(command, stdout=out, stderr=out, check=False).returncode:
            pytest.skip(f"debootstrap cannot make a root here: {log.read_text('utf-8').splitlines()[-1:]}")
    for place in ("etc/resolv.conf", "etc/hosts", "etc/ssl/certs/ca-certificates.crt"):
        if Path("/", place).exists():
            shutil.copyfile(Path("/", place), root / place)
    _copy_package_settings(root)
    subprocess.run(["git", "clone", "-q", str(REPO), str(root / "pincite")], check=True)
    mounted: list[Path] = []
    try:
        for place in ("proc", "sys", "dev", "dev/pts"):
            subprocess.run(["mount", "--bind", f"/{place}", str(root / place)], check=True)
            mounted.append(root / place)
        yield root
    finally:
        for folder in reversed(mounted):
            subprocess.run(["umount", "-l", str(folder)], check=False)
        shutil.rmtree(root, ignore_errors=True)


def _copy_package_settings(root: Path) -> None:
    """How this machine reaches Debian's packages and Python's; a bare one elsewhere reaches them in its own way."""
    for file in (
        Path("/etc/pip.conf"),
        Path.home() / ".pip" / "pip.conf",
        Path.home() / ".config" / "pip" / "pip.conf",
    ):
        if file.is_file():
            shutil.copyfile(file, root / "etc" / "pip.conf")
    for folder in ("/etc/apt/apt.conf.d", *filter(None, [os.environ.get("PIP_FIND_LINKS", "")])):
        if Path(folder).is_dir():
            shutil.copytree(folder, root / folder.lstrip("/"), dirs_exist_ok=True)


def enter(root: Path, *words: str, seconds: float) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    env = {"PATH": PATH, "HOME": "/root", "LANG": "C.UTF-8", **kept}
    command = ["chroot", str(root), "/bin/sh", "-c", 'cd /pincite && exec "$@"', "sh", *words]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=seconds, check=False)


@pytest.mark.slow
@pytest.mark.timeout(2400)
def test_both_commands_work_on_a_bare_debian(bare: Path) -> None:
    shown = enter(bare, "python3", "packaging/bootstrap.py", "run", seconds=1200)
    assert shown.returncode == 0, shown.stdout[-4000:] + shown.stderr[-4000:]
    assert "Passage verified" in shown.stdout and "Fetching" not in shown.stdout
    tested = enter(bare, "python3", "packaging/bootstrap.py", "test", seconds=1800)
    assert tested.returncode == 0, tested.stdout[-6000:] + tested.stderr[-4000:]
    assert re.search(r"\d{3,} passed", tested.stdout)
