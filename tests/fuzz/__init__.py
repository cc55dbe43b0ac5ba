"""Fuzzing of what strangers write: transcripts for the verifier, requests for the service.

`python -m tests.fuzz transcripts|requests [--seconds N] [--seed S] [--resume]`. Each target is a
function `one(data: bytes) -> None` that raises on a fault, so that any fuzzer can call it.
"""
