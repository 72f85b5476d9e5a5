"""Nothing leaves the machine: the system calls of a whole matter's life are read, and the code is searched.

strace sees every process and library, which no guard inside Python could.
"""

import ast
import ipaddress
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.sample.write import QUESTION, write_sample

REPO = Path(__file__).resolve().parents[2]
ROOMS = ("app", "ingest", "retrieval", "verify", "models")
PINCITE = Path(sys.executable).with_name("pincite")

_ADDRESS = re.compile(r'inet_addr\("([0-9.]+)"\)|inet_pton\(AF_INET6, "([0-9a-f:.]+)"')

NETWORK_MODULES = {"socket", "ssl", "http", "urllib", "ftplib", "smtplib", "httpx", "requests", "aiohttp", "websockets"}
NETWORK_MODULES |= {"ollama", "langchain_ollama", "urllib3", "socketserver", "xmlrpc"}
MAY_CONNECT = {
    "app/bootstrap.py": "looks whether anything listens at the Ollama address of the settings",
    "app/services/custody/diagnosing.py": "asks the Ollama address of the settings whether it is there",
    "models/adapters/files.py": "fetches the embedded model when a person starts it by name",
    "models/adapters/llama_cpp.py": "talks to its own child on the loopback",
    "models/adapters/llama_child.py": "is that child",
    "models/adapters/chat_server.py": "talks to the chat server of the settings or of --server",
    "models/adapters/ollama.py": "talks to the Ollama address of the settings",
    "models/adapters/ollama_transport.py": "talks to the Ollama address of the settings",
    "models/adapters/ollama_embeddings.py": "talks to the Ollama address of the settings",
    "retrieval/index/dense.py": "reads the address of a Chroma server that a person typed",
}
"""Every module that names a library which can open a socket, and why; ``urllib.parse`` opens none."""


def outside(log: str) -> list[str]:
    """Lines of an strace log that reach for an address that is not the loopback's."""
    found = []
    for line in log.splitlines():
        for four, six in _ADDRESS.findall(line):
            address = ipaddress.ip_address(four or six)
            if not (address.is_loopback or address.is_unspecified):
                found.append(line)
    return found


def test_the_reader_of_the_log_can_tell() -> None:
    inside = 'connect(3, {sa_family=AF_INET, sin_port=htons(11434), sin_addr=inet_addr("127.0.0.1")}, 16) = 0'
    name_server = 'sendto(4, "..", 32, 0, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.1")}, 16)'
    six = 'connect(3, {sa_family=AF_INET6, inet_pton(AF_INET6, "2001:db8::1", &sin6_addr)}, 28) = 0'
    assert outside("\n".join([inside, name_server, six])) == [name_server, six]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed: apt-get install strace")
def test_no_system_call_reaches_beyond_the_loopback(tmp_path: Path) -> None:
    matter, store, log = tmp_path / "matter", tmp_path / "store", tmp_path / "calls.txt"
    write_sample(matter)

    def run(*arguments: str) -> str:
        traced = ["strace", "-f", "-qq", "-e", "trace=%network", "-A", "-o", str(log)]
        command = [*traced, str(PINCITE), "--store", str(store), *arguments, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=280)
        assert done.returncode == 0, done.stderr[-500:]
        return done.stdout

    run("index", str(matter))
    answer = json.loads(run("ask", str(matter), QUESTION, "--model", "extractive"))
    request = tmp_path / "request.json"
    request.write_text(json.dumps({"schema": "pincite.request/1", "request_id": "r", "checks": []}))
    run("verify", str(matter), str(request))
    run("search", str(matter), "notice", "--mode", "dense")
    bundle = tmp_path / "answer.zip"
    run("export", str(matter), answer["answer_id"], "-o", str(bundle))
    run("check-bundle", str(bundle))
    assert outside(log.read_text("utf-8", "replace")) == []


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("unshare") is None, reason="unshare is not installed: apt-get install util-linux")
def test_everything_works_in_a_network_of_its_own_that_leads_nowhere(tmp_path: Path) -> None:
    if subprocess.run(["unshare", "-rn", "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody make a network namespace")
    matter = tmp_path / "matter"
    write_sample(matter)
    for arguments in (["index", str(matter)], ["ask", str(matter), QUESTION, "--model", "extractive"]):
        alone = ["unshare", "-rn", str(PINCITE), "--store", str(tmp_path / "store"), *arguments, "--json"]
        done = subprocess.run(alone, capture_output=True, text=True, check=False, timeout=280)
        assert done.returncode == 0, done.stderr[-500:]
    assert json.loads(done.stdout)["claims"][0]["release"] == "show"


def test_only_named_modules_can_open_a_socket() -> None:
    found = {
        str(path.relative_to(REPO)).replace("\\", "/")
        for room in ROOMS
        for path in (REPO / room).rglob("*.py")
        if _imports(path) & NETWORK_MODULES
    }
    assert found - MAY_CONNECT.keys() == set()


def _imports(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return {name.split(".")[0] for name in names if name != "urllib.parse"}
