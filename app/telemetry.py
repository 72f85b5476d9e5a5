"""Turns off what libraries would report about their use, before any of them is loaded."""

import os

QUIET = {
    "ANONYMIZED_TELEMETRY": "False",  # Chroma
    "OTEL_SDK_DISABLED": "true",  # OpenTelemetry, which Chroma brings along
    "LANGSMITH_TRACING": "false",  # LangChain would send prompts and answers to LangSmith, also under the next names
    "LANGSMITH_TRACING_V2": "false",
    "LANGCHAIN_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "DO_NOT_TRACK": "1",
}
"""Environment variables that the libraries read. They hold for every process that is started from here."""


def turn_off() -> None:
    """Over whatever the environment says: a matter is confidential on a developer's machine too."""
    os.environ.update(QUIET)
