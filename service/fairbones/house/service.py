"""The house: one object whose methods are the use cases (`contract.HouseContract`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairbones.core.errors import Missing
from fairbones.core.rules import catalogue
from fairbones.house import acts, listings, openings, reads, seats
from fairbones.house.desk import Desk
from fairbones.house.messages import (
    ActRequest,
    Answer,
    Followed,
    ListRequest,
    Matches,
    Opened,
    OpenRequest,
    Shown,
    SitRequest,
)
from fairbones.house.metering import SILENT
from fairbones.house.ports import Clock, Entropy, Meter, Signer, Store, Vault
from fairbones.house.sweep import Swept, sweep


class House:
    """Fills `contract.HouseContract`; says there what each call does and raises."""

    def __init__(
        self,
        store: Store,
        vault: Vault,
        signer: Signer,
        clock: Clock,
        entropy: Entropy,
        meter: Meter = SILENT,
    ) -> None:
        self._desk = Desk(store, vault, signer, clock, meter)
        self._entropy = entropy
        self._rulesets = {str(told["id"]): told for told in catalogue()}

    def rulesets(self) -> Sequence[Mapping[str, object]]:
        return list(self._rulesets.values())

    def ruleset(self, ruleset_id: str) -> Mapping[str, object]:
        try:
            return self._rulesets[ruleset_id]
        except KeyError:
            known = list(self._rulesets)
            raise Missing(
                "ruleset/unknown",
                f"Choose one of these rulesets: {', '.join(known)}.",
                rulesets=known,
            ) from None

    def open(self, request: OpenRequest, idempotency_key: str | None = None) -> Opened:
        return openings.open_(self._desk, self._entropy, request, idempotency_key)

    def matches(self, request: ListRequest) -> Matches:
        if request.ruleset is not None:
            self.ruleset(request.ruleset)
        return listings.matches(self._desk, request)

    def sit(self, match_id: bytes, token: str, request: SitRequest) -> Answer:
        return seats.sit(self._desk, match_id, token, request)

    def leave(
        self, match_id: bytes, seat: int, token: str, signature: bytes | None = None
    ) -> Answer:
        return seats.leave(self._desk, match_id, seat, token, signature)

    def reveal(
        self,
        match_id: bytes,
        seat: int,
        client_seed: bytes,
        seated_hash: bytes,
        signature: bytes | None = None,
    ) -> Answer:
        return seats.reveal(self._desk, match_id, seat, client_seed, seated_hash, signature)

    def act(self, match_id: bytes, token: str, request: ActRequest) -> Answer:
        return acts.act(self._desk, match_id, token, request)

    def view(self, match_id: bytes, token: str | None, at: int | None = None) -> Shown:
        return reads.view(self._desk, match_id, token, at)

    def events(self, match_id: bytes, after: int, wait: float) -> Followed:
        return reads.events(self._desk, match_id, after, wait)

    def transcript(self, match_id: bytes) -> bytes:
        return reads.transcript(self._desk, match_id)

    def keys(self) -> Sequence[Mapping[str, object]]:
        current = self._desk.signer.key_id
        return [
            {"key_id": name, "public_key": key.hex(), "current": name == current}
            for name, key in self._desk.signer.public_keys()
        ]

    def ready(self) -> None:
        self._desk.store.ready()

    def sweep(self, limit: int) -> Swept:
        return sweep(self._desk, limit)

    def close(self) -> None:
        self._desk.bell.close()
