"""The use cases: load, decide, append at the expected seq, show a view."""
