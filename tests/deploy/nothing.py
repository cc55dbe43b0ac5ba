"""An app that needs nothing, for a gunicorn that only reads its configuration."""


def app(_environ: object, _start_response: object) -> list[bytes]:
    """Never called."""
    return []
