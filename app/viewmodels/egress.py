"""Whether anything that is set can leave this machine. The only servers that Pincite ever talks to are those named."""

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from app.backend.requests import Choices


@dataclass(frozen=True, slots=True)
class Egress:
    """``local``: nothing leaves. ``badge`` is for the corner, ``words`` for its explanation."""

    local: bool
    badge: str
    words: str


def is_loopback(url: str) -> bool:
    """True for an address of this machine. A name other than localhost is not trusted to be one."""
    host = urlsplit(url if "//" in url else f"//{url}").hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def egress(choices: Choices) -> Egress:
    uses_ollama = choices.model == "auto" or choices.model.startswith("ollama")
    addresses = [choices.ollama_host] if uses_ollama else []
    addresses += [choices.server_url] if choices.model.startswith("server") and choices.server_url else []
    addresses += [choices.chroma_url] if choices.chroma_url else []
    outside = [address for address in addresses if not is_loopback(address)]
    if not outside:
        return Egress(
            True,
            "Nothing leaves this machine",
            "Documents, questions and answers stay on this machine. Pincite talks to no other.",
        )
    named = " and ".join(urlsplit(a if "//" in a else f"//{a}").netloc or a for a in outside)
    return Egress(
        False,
        f"Sends to {named}",
        f"Questions and passages are sent to {named}, which is not this machine. Change the address in the settings "
        "to keep them here.",
    )
