"""What a person chose, as one JSON file of theirs alone. A field that is unknown or wrong is refused, never dropped."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.errors import InputUnreadable
from app.paths import private_folder, settings_file, write_private


class Settings(BaseModel):
    """Defaults are what works without any choice. ``ocr_threshold`` is 0-1000 (contract, section 5, rule 7).
    ``ollama_remote`` allows an Ollama server that is not this machine; ``server_url`` is one of another kind, of
    whatever machine a person typed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = "auto"
    ollama_host: str = "http://127.0.0.1:11434"
    ollama_remote: bool = False
    ollama_model: str = "qwen3:8b"
    server_url: str = ""
    server_model: str = ""
    ollama_embedder: str = "bge-m3"
    embedder: Literal["builtin", "ollama"] = "builtin"
    model_file: Path | None = None
    languages: str = "eng"
    ocr: Literal["auto", "always", "never"] = "auto"
    ocr_threshold: Annotated[int, Field(ge=0, le=1000)] = 600
    jobs: Annotated[int, Field(ge=1, le=64)] | None = None
    results: Annotated[int, Field(ge=1, le=100)] = 8
    reviewer: str = ""
    chroma_url: str | None = None
    theme: Literal["system", "light", "dark"] = "system"
    highlight_colour: Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")] = "#ffd54a"
    tour_done: bool = False


def load_settings(path: Path | None = None) -> Settings:
    """Raises InputUnreadable, naming the file and the field, if it is not what ``save_settings`` writes."""
    path = path or settings_file()
    try:
        return Settings.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        raise InputUnreadable(f"the settings {path} cannot be read ({error.strerror})") from error
    except ValidationError as error:
        fields = ", ".join(".".join(map(str, e["loc"])) or e["type"] for e in error.errors(include_input=False))
        raise InputUnreadable(f"the settings {path} hold a mistake ({fields}); mend or delete the file") from error


def save_settings(settings: Settings, path: Path | None = None) -> None:
    """Raises OSError."""
    path = path or settings_file()
    private_folder(path.parent)
    write_private(path, settings.model_dump_json(indent=2).encode() + b"\n")
