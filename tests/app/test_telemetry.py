"""Libraries report nothing, whatever the environment says."""

import json
import os
import subprocess
import sys
from pathlib import Path

from app.telemetry import QUIET

REPO = Path(__file__).resolve().parents[2]
LOUD = {
    "ANONYMIZED_TELEMETRY": "True",
    "LANGSMITH_TRACING": "true",
    "LANGCHAIN_TRACING_V2": "true",
    "LANGSMITH_API_KEY": "not-a-key",
    "HF_HUB_OFFLINE": "0",
}
LOOK = """
import json
from app.bootstrap import build_embedder, build_model
from app.settings import Settings
build_model(Settings(), "extractive")
build_embedder(Settings())
import huggingface_hub.constants, langsmith.utils
from retrieval.index.dense import _settings
print(json.dumps({
    "chroma": _settings().anonymized_telemetry,
    "langsmith": bool(langsmith.utils.tracing_is_enabled()),
    "hub_offline": huggingface_hub.constants.HF_HUB_OFFLINE,
    "hub_quiet": huggingface_hub.constants.HF_HUB_DISABLE_TELEMETRY,
}))
"""


def loud() -> dict[str, str]:
    """The environment without what another test of this process may have set, and as loud as it gets."""
    return {name: value for name, value in os.environ.items() if name not in QUIET} | LOUD


def test_building_adapters_silences_every_library_first() -> None:
    before = subprocess.run(
        [sys.executable, "-c", "import langsmith.utils; print(bool(langsmith.utils.tracing_is_enabled()))"],
        env=loud(), capture_output=True, text=True, check=True, cwd=REPO,
    )  # fmt: skip
    assert before.stdout.strip() == "True"  # the test can tell
    done = subprocess.run(
        [sys.executable, "-c", LOOK], env=loud(), capture_output=True, text=True, check=True, cwd=REPO
    )
    assert json.loads(done.stdout) == {"chroma": False, "langsmith": False, "hub_offline": True, "hub_quiet": True}


def test_each_room_that_loads_such_a_library_is_reached_through_the_builders() -> None:
    """What imports one of them elsewhere would be silent only by luck."""
    names = ("import chromadb", "import onnxruntime", "from langchain", "import langchain")
    found = {
        path.relative_to(REPO).as_posix()
        for room in ("app", "ingest", "retrieval", "verify", "models")
        for path in (REPO / room).rglob("*.py")
        if any(line.strip().startswith(names) for line in path.read_text("utf-8").splitlines())
    }
    assert found <= {
        "retrieval/index/dense.py",
        "models/adapters/embeddings.py",
        "models/adapters/ollama.py",
        "models/adapters/ollama_transport.py",
        "models/adapters/ollama_embeddings.py",
    }
