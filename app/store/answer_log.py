"""Saved answers and every decision on them, in the order they were taken; an undone one stays in the record."""

import json
from typing import Any

from app.store.database import Database
from app.store.vault import Classes, Vault
from verify.domain.ids import AnswerId, ClaimId


class AnswerLog:
    """Bodies are the JSON documents of ``app.services.answers.answers``; this room does not look into them."""

    def __init__(self, database: Database, vault: Vault) -> None:
        self._db, self._vault = database, vault

    def put(self, answer_id: AnswerId, document: dict[str, Any], classes: Classes = ()) -> None:
        """``classes`` are those of the sources that it names; its reviews lie under the same."""
        body = self._vault.seal(_dump(document), f"answer:{answer_id}", classes)
        with self._db.write():
            self._db.run("INSERT INTO answers (answer_id, body) VALUES (?, ?)", (answer_id, body))

    def get(self, answer_id: AnswerId) -> dict[str, Any] | None:
        row = self._db.one("SELECT body FROM answers WHERE answer_id = ?", (answer_id,))
        return self._load(row[0], f"answer:{answer_id}") if row else None

    def all(self) -> list[dict[str, Any]]:
        """Newest first, without those that quote an access class that was not opened."""
        rows = self._db.rows("SELECT answer_id, body FROM answers ORDER BY seq DESC")
        return [self._load(body, f"answer:{answer_id}") for answer_id, body in rows if self._vault.opens(body)]

    def add_review(self, answer_id: AnswerId, claim_id: ClaimId, document: dict[str, Any]) -> None:
        answer = self._db.one("SELECT body FROM answers WHERE answer_id = ?", (answer_id,))
        classes = self._vault.classes_of(answer[0]) if answer else ()
        body = self._vault.seal(_dump(document), f"review:{answer_id}:{claim_id}", classes)
        sql = "INSERT INTO reviews (answer_id, claim_id, body) VALUES (?, ?, ?)"
        with self._db.write():
            self._db.run(sql, (answer_id, claim_id, body))

    def undo_review(self, answer_id: AnswerId, claim_id: ClaimId) -> bool:
        """Marks the newest standing decision undone; False if none stands."""
        sql = "SELECT max(seq) FROM reviews WHERE answer_id = ? AND claim_id = ? AND undone = 0"
        with self._db.write():
            newest = self._db.one(sql, (answer_id, claim_id))[0]
            if newest is None:
                return False
            self._db.run("UPDATE reviews SET undone = 1 WHERE seq = ?", (newest,))
        return True

    def standing_reviews(self, answer_id: AnswerId) -> dict[ClaimId, dict[str, Any]]:
        """The newest decision that was not undone, by claim."""
        sql = "SELECT claim_id, body FROM reviews WHERE answer_id = ? AND undone = 0 ORDER BY seq"
        rows = self._db.rows(sql, (answer_id,))
        return {ClaimId(claim): self._load(body, f"review:{answer_id}:{claim}") for claim, body in rows}

    def all_reviews(self, answer_id: AnswerId, claim_id: ClaimId) -> list[tuple[bool, dict[str, Any]]]:
        """Oldest first: (undone, document)."""
        sql = "SELECT undone, body FROM reviews WHERE answer_id = ? AND claim_id = ? ORDER BY seq"
        context = f"review:{answer_id}:{claim_id}"
        return [(bool(undone), self._load(body, context)) for undone, body in self._db.rows(sql, (answer_id, claim_id))]

    def _load(self, body: bytes, context: str) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self._vault.open(body, context))
        return document


def _dump(document: dict[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
