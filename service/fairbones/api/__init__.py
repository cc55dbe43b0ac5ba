"""The HTTP edge: one file a resource, around an `operation` that says everything about a call."""
